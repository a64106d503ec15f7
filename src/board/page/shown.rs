//! Positions and moves as the page shows and tells them.

use serde::Serialize;

use qirkat_analysis::casual::points_of;
use qirkat_game::{Color, Outcome, Rules};
use qirkat_rules::variant::{AnyMove, AnyPosition, Variant};
use qirkat_rules::{chesquerque, masonic};

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Shown {
    pub fen: String,
    pub turn: &'static str,
    /// The points of the last move.
    pub last: Vec<String>,
    /// The point of a king in check.
    pub check: Option<String>,
    /// The legal moves; none when the game is over.
    pub legal: Vec<ShownMove>,
    /// How the game has ended, if the rules have ended it.
    pub outcome: Option<String>,
    /// The material of White less that of Black, in centipawns by the values of the rules; in
    /// Alquerque 100 for each man.
    pub material: i32,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct ShownMove {
    text: String,
    points: Vec<String>,
    capture: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    promotion: Option<char>,
}

/// A move by its text, as people write it, and by its points.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct NamedMove {
    text: String,
    san: String,
    points: Vec<String>,
}

impl NamedMove {
    /// A legal move of a position.
    pub fn of(position: &AnyPosition, mv: AnyMove) -> NamedMove {
        NamedMove { text: mv.to_string(), san: position.san(mv), points: points_of(mv).0 }
    }
}

pub const fn side_word(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}

impl Shown {
    /// A position with the move that led to it.
    pub fn of(position: &AnyPosition, last: Option<AnyMove>, outcome: Option<Outcome>) -> Shown {
        let moves = if outcome.is_some() { Vec::new() } else { position.legal_moves() };
        let shown = |mv: AnyMove| {
            let (points, promotion) = points_of(mv);
            ShownMove { text: mv.to_string(), points, capture: position.captures(mv), promotion }
        };
        Shown {
            fen: position.fen(),
            turn: side_word(position.side_to_move()),
            last: last.map_or_else(Vec::new, |mv| points_of(mv).0),
            check: position.king_to_move().filter(|_| position.in_check()),
            legal: moves.into_iter().map(shown).collect(),
            outcome: outcome.map(|outcome| outcome.to_string()),
            material: material(position),
        }
    }
}

fn material(position: &AnyPosition) -> i32 {
    let value = |letter: char| match position.variant() {
        Variant::Chesquerque => chesquerque::PieceKind::from_letter(letter)
            .map_or(0, |kind| chesquerque::PIECE_VALUES[kind.index()]),
        Variant::Masonic => masonic::PieceKind::from_letter(letter)
            .map_or(0, |kind| masonic::PIECE_VALUES[kind.index()]),
        Variant::Alquerque => MAN_VALUE,
    };
    let letters = position.pieces().into_iter().map(|(_, letter)| letter);
    letters
        .map(|letter| if letter.is_ascii_uppercase() { value(letter) } else { -value(letter) })
        .sum()
}

/// The value of a man of Alquerque, where all pieces are alike.
const MAN_VALUE: i32 = 100;

pub(crate) fn texts_of(moves: &[AnyMove]) -> Vec<String> {
    moves.iter().map(|mv| mv.to_string()).collect()
}

/// The moves that follow each other from a position, up to the first that is not legal.
pub(crate) fn read_moves(position: &AnyPosition, texts: &[String]) -> Vec<AnyMove> {
    let mut at = *position;
    let moves = texts.iter().map_while(|text| {
        let mv = at.read_move(text).ok()?;
        at = at.after(mv);
        Some(mv)
    });
    moves.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn material_of_a_position() {
        for (variant, fen, material) in [
            (
                Variant::Chesquerque,
                "rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w - - 0 1",
                0,
            ),
            (Variant::Chesquerque, "4k4/9/9/9/9/9/9/P8/4K4 w - - 0 1", 100),
            (Variant::Masonic, "4k2q/8/8/8/8/8/8/4K3 w - - 0 1", -880),
            (Variant::Alquerque, "mm3/5/5/5/M4 w - - 0 1", -100),
        ] {
            let position = variant.read_fen(fen).expect("a position").position;
            assert_eq!(Shown::of(&position, None, None).material, material, "{fen}");
        }
    }
}
