//! The pieces of each game and how they move, in words.

use qirkat_rules::variant::Variant;

/// The text about a piece. The drawings beside it come from the move generator.
pub(crate) struct PieceRule {
    pub name: &'static str,
    pub letter: char,
    pub brief: &'static str,
    /// How it moves from a plain point, as the end of a sentence; from any cell if all are alike.
    pub plain: &'static str,
    /// The same from a diagonal point.
    pub diagonal: &'static str,
    pub more: &'static str,
}

pub(crate) const fn pieces(variant: Variant) -> &'static [PieceRule] {
    match variant {
        Variant::Chesquerque => &CHESQUERQUE,
        Variant::Masonic => &MASONIC,
        Variant::Alquerque => &ALQUERQUE,
    }
}

pub(crate) fn find(variant: Variant, text: &str) -> Option<&'static PieceRule> {
    let letter = |piece: &PieceRule| text.eq_ignore_ascii_case(&piece.letter.to_string());
    pieces(variant).iter().find(|piece| text.eq_ignore_ascii_case(piece.name) || letter(piece))
}

/// The pieces with their letters, as in `king (K), queen (Q) or pawn (P)`.
pub(crate) fn listed(variant: Variant) -> String {
    let texts: Vec<String> =
        pieces(variant).iter().map(|piece| format!("{} ({})", piece.name, piece.letter)).collect();
    match texts.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => texts.concat(),
    }
}

const CHESQUERQUE: [PieceRule; 7] = [
    PieceRule {
        name: "king",
        letter: 'K',
        brief: "one step along any line; castles",
        plain: "goes one step along a file or rank",
        diagonal: "goes one step in any of the eight directions",
        more: "It may not go where an enemy piece could capture it. Castling: when neither \
               it nor a rook has moved and all points between them are empty, it goes three \
               points towards that rook, and the rook stands beside it on the inside. It may \
               not be in check then, nor pass or reach an attacked point.",
    },
    PieceRule {
        name: "queen",
        letter: 'Q',
        brief: "slides along any line",
        plain: "slides along a file or rank, as far as the way is free",
        diagonal: "slides in all eight directions, as far as the way is free",
        more: "",
    },
    PieceRule {
        name: "rook",
        letter: 'R',
        brief: "slides along files and ranks, steps along diagonals",
        plain: "slides along a file or rank, as far as the way is free",
        diagonal: "slides along a file or rank, as far as the way is free, or goes one step \
                   along a diagonal",
        more: "",
    },
    PieceRule {
        name: "archbishop",
        letter: 'A',
        brief: "moves as a bishop or as a knight",
        plain: "moves as a bishop or as a knight: one step along a file or rank, on which it \
                may stop or go on with one diagonal step outward",
        diagonal: "moves as a bishop or as a knight: it slides along diagonals as far as the \
                   way is free, goes one step along a file or rank, or one diagonal step and \
                   then one along a file or rank outward",
        more: "",
    },
    PieceRule {
        name: "bishop",
        letter: 'B',
        brief: "slides along diagonals, steps along files and ranks",
        plain: "goes one step along a file or rank, and so changes to a diagonal point",
        diagonal: "slides along diagonals, as far as the way is free, or goes one step along \
                   a file or rank",
        more: "",
    },
    PieceRule {
        name: "knight",
        letter: 'N',
        brief: "two steps, one straight and one diagonal; never jumps",
        plain: "goes one step along a file or rank, then one diagonal step outward",
        diagonal: "goes one diagonal step, then one step along a file or rank outward",
        more: "The first of the two points must be empty: it never jumps. It always comes to \
               a point of the other kind, and it attacks whatever knight attacks it.",
    },
    PieceRule {
        name: "pawn",
        letter: 'P',
        brief: "one step forward; how it captures depends on its point",
        plain: "goes one step straight forward, capturing or not",
        diagonal: "goes one step straight forward without capturing, and captures one step \
                   diagonally forward",
        more: "From its first rank it may go two points when both are empty, without \
               capturing. Straight after that an enemy pawn that could capture on the point \
               passed over may do so (en passant). On the last rank it becomes a queen, \
               rook, bishop, knight or archbishop. Black's pawns go down the board.",
    },
];

const MASONIC: [PieceRule; 6] = [
    PieceRule {
        name: "king",
        letter: 'K',
        brief: "one step in any of ten directions; castles",
        plain: "goes one step along the rank, a cant or a diagonal",
        diagonal: "",
        more: "The cants are the two lines to the neighbours above and below, the diagonals \
               run through the corners of the bricks. It may not go where an enemy piece \
               could capture it. Castling is as in orthodox chess.",
    },
    PieceRule {
        name: "queen",
        letter: 'Q',
        brief: "slides in all ten directions",
        plain: "slides along the rank, a cant or a diagonal, as far as the way is free",
        diagonal: "",
        more: "",
    },
    PieceRule {
        name: "rook",
        letter: 'R',
        brief: "slides along ranks and cants",
        plain: "slides along the rank or a cant, as far as the way is free",
        diagonal: "",
        more: "The cants are the two lines to the neighbours above and below.",
    },
    PieceRule {
        name: "bishop",
        letter: 'B',
        brief: "slides along diagonals, steps as a rook",
        plain: "slides along a diagonal, as far as the way is free, or goes one step along \
                the rank or a cant",
        diagonal: "",
        more: "The diagonals run through the corners of the bricks: one rank up or down and \
               one and a half cells to the side.",
    },
    PieceRule {
        name: "knight",
        letter: 'N',
        brief: "leaps: a rook's step, then a diagonal step outward",
        plain: "leaps a rook's step and then a diagonal step outward",
        diagonal: "",
        more: "What stands between does not matter.",
    },
    PieceRule {
        name: "pawn",
        letter: 'P',
        brief: "one step forward along a cant; captures diagonally forward",
        plain: "goes one step forward along either cant without capturing, and captures one \
                diagonal step forward",
        diagonal: "",
        more: "From its first rank it may go two steps along one cant when both cells are \
               empty. Straight after that an enemy pawn that could capture on the cell \
               passed over may do so (en passant). On the last rank it becomes a queen, \
               rook, bishop or knight. Black's pawns go down the board.",
    },
];

const ALQUERQUE: [PieceRule; 1] = [PieceRule {
    name: "man",
    letter: 'M',
    brief: "steps forward or sideways; takes by jumping",
    plain: "steps one point straight forward or sideways to an empty point",
    diagonal: "steps one point straight forward, diagonally forward or sideways to an empty \
               point",
    more: "On its last rank it does not step any more. It takes an enemy man beside it by \
           jumping over it, along the line, to the empty point beyond. The first jump does \
           not go back; further jumps of the same move go in any direction and must be made \
           as long as there is one. A side that can jump must jump. A man may not step straight \
           back to the point it has just come from. Black's men go down the board.",
}];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_found_by_name_and_letter() {
        for (variant, text, name) in [
            (Variant::Chesquerque, "archbishop", Some("archbishop")),
            (Variant::Chesquerque, "Knight", Some("knight")),
            (Variant::Chesquerque, "n", Some("knight")),
            (Variant::Masonic, "A", None),
            (Variant::Alquerque, "MAN", Some("man")),
            (Variant::Alquerque, "", None),
        ] {
            assert_eq!(find(variant, text).map(|piece| piece.name), name, "{text}");
        }
        assert_eq!(listed(Variant::Alquerque), "man (M)");
        assert!(listed(Variant::Masonic).ends_with(", knight (N) or pawn (P)"));
    }

    /// Every letter that stands on the board at the start has its words, and no other.
    #[test]
    fn all_pieces_have_words() {
        for variant in Variant::ALL {
            let start = variant.start().fen();
            let board = start.split(' ').next().expect("a board");
            let mut letters: Vec<char> = board.chars().filter(char::is_ascii_uppercase).collect();
            letters.sort_unstable();
            letters.dedup();
            let mut known: Vec<char> = pieces(variant).iter().map(|piece| piece.letter).collect();
            known.sort_unstable();
            assert_eq!(letters, known, "{variant}");
        }
    }
}
