//! A game in a few words, with its pieces.

use super::super::terminal;
use super::piece_rules::pieces;
use qirkat_rules::variant::Variant;

/// What a game is about, below its board.
const fn paragraphs(variant: Variant) -> &'static [&'static str] {
    match variant {
        Variant::Chesquerque => &[
            "Pieces stand on the points and move along the lines. On every other point \
             diagonal lines meet: those are the diagonal points, *; the others are the plain \
             points, +. The point a piece stands on decides how it moves, not the point it \
             goes to. Nothing ever jumps. All pieces but pawns capture as they move.",
            "Checkmate wins. Draws are stalemate, the third time of the same position, 100 \
             plies without a pawn move or capture, and what nobody can win any more.",
        ],
        Variant::Masonic => &[
            "Even ranks are shifted by half a cell, so a cell touches six others: two along \
             its rank, and four along the two cants that run up and down. The diagonals run \
             through the corners of the bricks. All pieces but pawns capture as they move; \
             only knights leap.",
            "Checkmate wins. Draws are stalemate, the third time of the same position, 100 \
             plies without a pawn move or capture, and bare kings.",
        ],
        Variant::Alquerque => &[
            "Men step along the lines to empty points, forward or sideways. On every other \
             point, *, diagonal lines meet too. Men take by jumping; a side that can jump must. \
             Light men are M and begin, dark men are m.",
            "A side that has no man left, or cannot move, loses. The third time of the same \
             position is a draw, and so are 100 plies without a jump or a step forward.",
        ],
    }
}

/// The game's first words.
const fn headline(variant: Variant) -> &'static str {
    match variant {
        Variant::Chesquerque => {
            "Chesquerque: chess on the 81 points of four joined Alquerque boards"
        }
        Variant::Masonic => "Masonic chess: chess on 64 cells laid like bricks",
        Variant::Alquerque => "Alquerque: the old game of jumps on 25 points",
    }
}

/// The summary, in lines of at most so many columns.
pub(super) fn text(variant: Variant, width: usize) -> String {
    let mut text = format!("{}\n\n{}\n", headline(variant), variant.start().picture());
    for paragraph in paragraphs(variant) {
        text.push_str(&wrapped(paragraph, width));
        text.push_str("\n\n");
    }
    text.push_str("Pieces\n");
    for piece in pieces(variant) {
        text.push_str(&format!("  {}  {:<11} {}\n", piece.letter, piece.name, piece.brief));
    }
    let game =
        if variant == Variant::default() { String::new() } else { format!("--game {variant} ") };
    let first = pieces(variant).last().map_or("", |piece| piece.name);
    text.push_str(&format!(
        "\nWhere a piece goes, in general and from one point:\n  \
         qirkat rules {game}{first}\n  qirkat rules {game}{first} c3\n"
    ));
    text
}

/// A text in lines of at most so many columns.
pub(super) fn wrapped(text: &str, width: usize) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    terminal::wrapped("", &words, width, 0)
}
