//! The pieces on the board, by their letters, for any game.

use qirkat_game::Color;
use qirkat_rules::variant::{AnyPosition, Place};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceLetter {
    /// Counted from 0.
    pub file: u8,
    /// Counted from 0.
    pub rank: u8,
    /// As in FEN: capital for White.
    pub letter: char,
}

impl PieceLetter {
    pub fn color(self) -> Color {
        if self.letter.is_uppercase() { Color::White } else { Color::Black }
    }

    pub fn point(self) -> String {
        Place { file: self.file, rank: self.rank }.to_string()
    }

    /// Its kind in a word.
    pub fn name(self) -> &'static str {
        match self.letter.to_ascii_lowercase() {
            'k' => "king",
            'q' => "queen",
            'r' => "rook",
            'b' => "bishop",
            'n' => "knight",
            'a' => "archbishop",
            'p' => "pawn",
            _ => "man",
        }
    }
}

/// All pieces, from the last rank down.
pub(super) fn pieces(position: &AnyPosition) -> Vec<PieceLetter> {
    let pieces = position.pieces().into_iter();
    pieces.map(|(Place { file, rank }, letter)| PieceLetter { file, rank, letter }).collect()
}

/// The letters of all pieces, the most important first.
const ORDER: &str = "kqrabnpm";

/// Where everything stands, in words, a line for each side.
pub(super) fn in_words(position: &AnyPosition) -> String {
    let mut pieces = pieces(position);
    pieces.sort_by_key(|piece| {
        (ORDER.find(piece.letter.to_ascii_lowercase()), piece.rank, piece.file)
    });
    let mut lines = Vec::new();
    for color in Color::ALL {
        let mut line = format!("{color:?}:");
        let mut last = "";
        for piece in pieces.iter().filter(|piece| piece.color() == color) {
            if piece.name() != last {
                let comma = if last.is_empty() { "" } else { "," };
                last = piece.name();
                line.push_str(&format!("{comma} {last}"));
            }
            line.push_str(&format!(" {}", piece.point()));
        }
        lines.push(line);
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::variant::Variant;

    #[test]
    fn every_piece_is_where_the_fen_has_it() {
        let start = Variant::Chesquerque.start();
        let all = pieces(&start);
        assert_eq!(all.len(), 36);
        assert_eq!(all[0], PieceLetter { file: 0, rank: 8, letter: 'r' });
        assert!(all.iter().any(|piece| piece.point() == "f1" && piece.letter == 'A'));
        for (variant, count) in [(Variant::Masonic, 32), (Variant::Alquerque, 24)] {
            assert_eq!(pieces(&variant.start()).len(), count);
        }
        let fen = "4k4/9/9/9/9/9/9/1P5P1/R3K4 w Q - 0 1";
        let position = Variant::Chesquerque.read_fen(fen).expect(fen).position;
        assert_eq!(in_words(&position), "White: king e1, rook a1, pawn b2 h2\nBlack: king e9");
    }
}
