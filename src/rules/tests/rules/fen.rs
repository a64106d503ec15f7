//! FEN of the games of chess: what is refused and why, what is corrected, and that everything
//! accepted is written so that it reads back equal.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use qirkat_game::{ReadMove, Rules};
use qirkat_rules::chesquerque::Chesquerque;
use qirkat_rules::chess::{Geometry, Kind, Position, Square, SquareSet};
use qirkat_rules::masonic::{self, Masonic};
use qirkat_rules::{chesquerque, variant::AnyPosition};

use qirkat_testing::{ANY, texts_like};

use super::tables::{CHESQUERQUE, MASONIC, fens};

/// The cases of a game.
struct Cases {
    /// Fields of a valid FEN.
    fields: [&'static str; 6],
    /// Texts in the place of one of them: its number, the text, what is wrong in this game.
    bad_fields: &'static [(usize, &'static str, &'static str)],
    /// Whole FENs and what is wrong with them.
    bad_fens: &'static [(&'static str, &'static str)],
    /// Texts, the FENs that are written for them, and the notices given.
    accepted: &'static [(&'static str, &'static str, Option<&'static str>)],
}

/// What is wrong with fields that both games write alike: number, text, fault.
const BAD_FIELDS: &[(usize, &str, &str)] = &[
    (1, "W", "side to move: `W` is neither `w` nor `b`"),
    (1, "white", "side to move: `white` is neither `w` nor `b`"),
    (1, "-", "side to move: `-` is neither `w` nor `b`"),
    (1, "wb", "side to move: `wb` is neither `w` nor `b`"),
    (1, "\u{7}", "side to move: `\\u{7}` is neither `w` nor `b`"),
    (2, "KK", "castling: `KK` is neither `-` nor made of `KQkq`"),
    (2, "KQkqK", "castling: `KQkqK` is neither `-` nor made of `KQkq`"),
    (2, "K-", "castling: `K-` is neither `-` nor made of `KQkq`"),
    (2, "--", "castling: `--` is neither `-` nor made of `KQkq`"),
    (2, "AIai", "castling: `AIai` is neither `-` nor made of `KQkq`"),
    (2, "HAha", "castling: `HAha` is neither `-` nor made of `KQkq`"),
    (2, "0", "castling: `0` is neither `-` nor made of `KQkq`"),
    (2, "K,Q", "castling: `K,Q` is neither `-` nor made of `KQkq`"),
    (4, "-", "halfmove clock: `-` is not a number from 0 to 9999"),
    (4, "-1", "halfmove clock: `-1` is not a number from 0 to 9999"),
    (4, "+1", "halfmove clock: `+1` is not a number from 0 to 9999"),
    (4, "1.5", "halfmove clock: `1.5` is not a number from 0 to 9999"),
    (4, "10000", "halfmove clock: `10000` is not a number from 0 to 9999"),
    (4, "65536", "halfmove clock: `65536` is not a number from 0 to 9999"),
    (4, "x", "halfmove clock: `x` is not a number from 0 to 9999"),
    (4, "３", "halfmove clock: `\\u{ff13}` is not a number from 0 to 9999"),
    (5, "-", "fullmove number: `-` is not a number from 0 to 9999"),
    (5, "1e3", "fullmove number: `1e3` is not a number from 0 to 9999"),
    (5, "10000", "fullmove number: `10000` is not a number from 0 to 9999"),
    (
        5,
        "99999999999999999999999999",
        "fullmove number: `999999999999999999999999...` is not a number from 0 to 9999",
    ),
    (5, "1 2", "FEN has more than six fields: unexpected `2`"),
    (5, "1 moves e2e4", "FEN has more than six fields: unexpected `moves`"),
];

const CASES: Cases = Cases {
    fields: ["r3k3r/9/9/9/9/9/9/9/R3K3R", "w", "KQkq", "-", "0", "1"],
    bad_fields: &[
        (0, "/", "board: 2 ranks instead of 9"),
        (0, "4k4", "board: 1 rank instead of 9"),
        (0, "4k4/9/9/9/9/9/9/4K4", "board: 8 ranks instead of 9"),
        (0, "4k4/9/9/9/9/9/9/9/9/4K4", "board: 10 ranks instead of 9"),
        (0, "4k4/9/9/9/9/9/9/9/4K4/", "board: 10 ranks instead of 9"),
        (0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "board: 8 ranks instead of 9"),
        (0, "4k4//9/9/9/9/9/9/4K4", "board: rank 8 has 0 points instead of 9"),
        (0, "/////9///", "board: rank 9 has 0 points instead of 9"),
        (0, "4k4/k/9/9/9/9/9/9/4K4", "board: rank 8 has 1 point instead of 9"),
        (0, "4k3/9/9/9/9/9/9/9/4K4", "board: rank 9 has 8 points instead of 9"),
        (0, "4k4/9/9/9/9/9/9/9/4K5", "board: rank 1 has 10 points instead of 9"),
        (0, "4k4/9/9/9/8/9/9/9/4K4", "board: rank 5 has 8 points instead of 9"),
        (0, "4k4/9/9/9/91/9/9/9/4K4", "board: rank 5 has 10 points instead of 9"),
        (0, "4k4/9/9/9/99999999/9/9/9/4K4", "board: rank 5 has 72 points instead of 9"),
        (0, "4k4/9/9/pppppppppp/9/9/9/9/4K4", "board: rank 6 has 10 points instead of 9"),
        (0, "4k4/9/9/45p/9/9/9/9/4K4", "board: rank 6 has 10 points instead of 9"),
        (0, "4k4/0/9/9/9/9/9/9/4K4", "board: unknown letter `0` in rank 8"),
        (0, "4k4/9/9/9/9/9/9/9/4K40", "board: unknown letter `0` in rank 1"),
        (0, "4k4/9/9/9/4x4/9/9/9/4K4", "board: unknown letter `x` in rank 5"),
        (0, "4k4/9/9/9/4-4/9/9/9/4K4", "board: unknown letter `-` in rank 5"),
        (0, "4k4/9/9/9/4♘4/9/9/9/4K4", "board: unknown letter `\\u{2658}` in rank 5"),
        (0, "4k4/9/9/9/4\u{0}4/9/9/9/4K4", "board: unknown letter `\\u{0}` in rank 5"),
        (0, "4k4/9/9/9/4\u{a0}4/9/9/9/4K4", "board: unknown letter `\\u{a0}` in rank 5"),
        (0, "4k4/9/9/9/４9/9/9/9/4K4", "board: unknown letter `\\u{ff14}` in rank 5"),
        (0, "9/9/9/9/9/9/9/9/9", "board: White has 0 kings instead of 1"),
        (0, "4k4/9/9/9/9/9/9/9/9", "board: White has 0 kings instead of 1"),
        (0, "9/9/9/9/9/9/9/9/4K4", "board: Black has 0 kings instead of 1"),
        (0, "4k4/9/9/9/9/9/9/9/3KK4", "board: White has 2 kings instead of 1"),
        (0, "kkkkkkkkk/9/9/9/9/9/9/9/4K4", "board: Black has 9 kings instead of 1"),
        (0, "P3k4/9/9/9/9/9/9/9/4K4", "board: pawn on a9, on the first or last rank"),
        (0, "4k3p/9/9/9/9/9/9/9/4K4", "board: pawn on i9, on the first or last rank"),
        (0, "4k4/9/9/9/9/9/9/9/P3K4", "board: pawn on a1, on the first or last rank"),
        (0, "4k3P/9/9/9/9/9/9/9/4K3p", "board: pawn on i1, on the first or last rank"),
        (3, "e", "en passant: `e` is neither `-` nor a point"),
        (3, "j7", "en passant: `j7` is neither `-` nor a point"),
        (3, "e0", "en passant: `e0` is neither `-` nor a point"),
        (3, "E7", "en passant: `E7` is neither `-` nor a point"),
        (3, "e7e", "en passant: `e7e` is neither `-` nor a point"),
        (3, "--", "en passant: `--` is neither `-` nor a point"),
        (3, "é", "en passant: `\\u{e9}` is neither `-` nor a point"),
        (3, "e7", "en passant: no pawn can just have passed over e7"),
        (3, "i9", "en passant: no pawn can just have passed over i9"),
    ],
    bad_fens: &[
        ("", "FEN is empty"),
        (" \t\r\n", "FEN is empty"),
        ("startpos", "board: 1 rank instead of 9"),
        ("4k4/9/9/9/9/9/9/9/4K4", "FEN field `side to move` is missing"),
        ("4k4/9/9/9/9/9/9/9/4K4 w", "FEN field `castling` is missing"),
        ("4k4/9/9/9/9/9/9/9/4K4 b -", "FEN field `en passant` is missing"),
        // Without a castling field, the en-passant field is taken for it.
        ("4k4/9/9/9/9/9/9/9/4K4 w e3 0 1", "castling: `e3` is neither `-` nor made of `KQkq`"),
        ("4k4/9/9/9/9/9/9/9/4R3K w - -", "side to move: Black is in check, but it is not its turn"),
        (
            "4k4/9/9/9/9/9/4n4/9/3K5 b - -",
            "side to move: White is in check, but it is not its turn",
        ),
        ("9/9/9/9/3kK4/9/9/9/9 w - -", "side to move: Black is in check, but it is not its turn"),
        // The pawn on the plain point e4 gives check straight ahead.
        (
            "9/9/9/9/4k4/4P4/9/9/4K4 w - -",
            "side to move: Black is in check, but it is not its turn",
        ),
        // Passed over in the wrong direction, on the wrong rank, without a pawn,
        // with a piece in the way, and by a pawn of the side to move.
        ("4k4/9/9/3Pp4/9/9/9/9/4K4 b - e7", "en passant: no pawn can just have passed over e7"),
        ("4k4/9/9/9/3Pp4/9/9/9/4K4 w - e6", "en passant: no pawn can just have passed over e6"),
        ("4k4/9/9/3Pb4/9/9/9/9/4K4 w - e7", "en passant: no pawn can just have passed over e7"),
        ("4k4/9/4n4/3Pp4/9/9/9/9/4K4 w - e7", "en passant: no pawn can just have passed over e7"),
        ("4k4/4p4/9/3Pp4/9/9/9/9/4K4 w - e7", "en passant: no pawn can just have passed over e7"),
        ("4k4/9/9/3PP4/9/9/9/9/4K4 w - e7", "en passant: no pawn can just have passed over e7"),
    ],
    accepted: &[
        (chesquerque::START_FEN, chesquerque::START_FEN, None),
        // Clocks: missing, with zeros in front, as high as they go.
        ("4k4/9/9/9/9/9/9/9/4K4 w - -", "4k4/9/9/9/9/9/9/9/4K4 w - - 0 1", None),
        ("4k4/9/9/9/9/9/9/9/4K4 b - - 7", "4k4/9/9/9/9/9/9/9/4K4 b - - 7 1", None),
        ("4k4/9/9/9/9/9/9/9/4K4 b - - 007 0012", "4k4/9/9/9/9/9/9/9/4K4 b - - 7 12", None),
        ("4k4/9/9/9/9/9/9/9/4K4 w - - 3 0", "4k4/9/9/9/9/9/9/9/4K4 w - - 3 1", None),
        ("4k4/9/9/9/9/9/9/9/4K4 w - - 9999 9999", "4k4/9/9/9/9/9/9/9/4K4 w - - 9999 9999", None),
        // Blanks and runs cut in pieces.
        ("  4k4/9/9/9/9/9/9/9/4K4\tw  -\n- 0 1\r\n", "4k4/9/9/9/9/9/9/9/4K4 w - - 0 1", None),
        ("4k13/45/111111111/9/9/9/9/72/4K31 w - -", "4k4/9/9/9/9/9/9/9/4K4 w - - 0 1", None),
        // Castling letters in any order, and some of them.
        ("r3k3r/9/9/9/9/9/9/9/R3K3R w qkQK - 0 1", "r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq - 0 1", None),
        ("r3k3r/9/9/9/9/9/9/9/R3K3R b kK - 0 1", "r3k3r/9/9/9/9/9/9/9/R3K3R b Kk - 0 1", None),
        ("r3k3r/9/9/9/9/9/9/9/R3K3R b qQ - 0 1", "r3k3r/9/9/9/9/9/9/9/R3K3R b Qq - 0 1", None),
        // Rights without their rook, without their king, with an enemy's rook.
        (
            "r3k3r/9/9/9/9/9/9/9/4K3R w KQkq - 0 1",
            "r3k3r/9/9/9/9/9/9/9/4K3R w Kkq - 0 1",
            Some("castling: `Q` dropped, king or rook is not at home"),
        ),
        (
            "r4k2r/9/9/9/9/9/9/9/R3K3R w KQkq - 0 1",
            "r4k2r/9/9/9/9/9/9/9/R3K3R w KQ - 0 1",
            Some("castling: `kq` dropped, king or rook is not at home"),
        ),
        (
            "4k4/9/9/9/9/9/9/4K4/9 b qkQK - 0 1",
            "4k4/9/9/9/9/9/9/4K4/9 b - - 0 1",
            Some("castling: `qkQK` dropped, king or rook is not at home"),
        ),
        (
            "4k3q/9/9/9/9/9/9/9/r2NKN2R b KQkq - 0 1",
            "4k3q/9/9/9/9/9/9/9/r2NKN2R b K - 0 1",
            Some("castling: `Qkq` dropped, king or rook is not at home"),
        ),
        // En passant that stays: captors to both sides, either side to move.
        ("4k4/9/9/3PpP3/9/9/9/9/4K4 w - e7 0 1", "4k4/9/9/3PpP3/9/9/9/9/4K4 w - e7 0 1", None),
        ("4k4/9/9/9/9/1pP6/9/9/4K4 b - c3 0 9", "4k4/9/9/9/9/1pP6/9/9/4K4 b - c3 0 9", None),
        // En passant dropped: nobody near, the pawn's own start on a diagonal
        // point, the captor pinned, the captor uncovering its king.
        ("4k4/9/9/4p4/9/9/9/9/4K4 w - e7 0 1", "4k4/9/9/4p4/9/9/9/9/4K4 w - - 0 1", None),
        ("4k4/9/9/2PpP4/9/9/9/9/4K4 w - d7 0 1", "4k4/9/9/2PpP4/9/9/9/9/4K4 w - - 0 1", None),
        ("3rk4/9/9/3Pp4/9/9/9/9/3K5 w - e7 0 1", "3rk4/9/9/3Pp4/9/9/9/9/3K5 w - - 0 1", None),
        ("4k4/9/9/K2Pp3r/9/9/9/9/9 w - e7 0 1", "4k4/9/9/K2Pp3r/9/9/9/9/9 w - - 0 1", None),
    ],
};

const MASONIC_CASES: Cases = Cases {
    fields: ["r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R", "w", "KQkq", "-", "0", "1"],
    bad_fields: &[
        (0, "/", "board: 2 ranks instead of 8"),
        (0, "4k3", "board: 1 rank instead of 8"),
        (0, "4k3/8/8/8/8/8/4K3", "board: 7 ranks instead of 8"),
        (0, "4k4/9/9/9/9/9/9/9/4K4", "board: 9 ranks instead of 8"),
        (0, "4k3/8/8/8/8/8/8/4K3/", "board: 9 ranks instead of 8"),
        (0, "4k3//8/8/8/8/8/4K3", "board: rank 7 has 0 cells instead of 8"),
        (0, "4k3/p/8/8/8/8/8/4K3", "board: rank 7 has 1 cell instead of 8"),
        (0, "4k2/8/8/8/8/8/8/4K3", "board: rank 8 has 7 cells instead of 8"),
        (0, "4k3/8/8/8/8/8/8/4K4", "board: rank 1 has 9 cells instead of 8"),
        (0, "4k3/8/8/9/8/8/8/4K3", "board: rank 5 has 9 cells instead of 8"),
        (0, "4k3/8/8/88888888/8/8/8/4K3", "board: rank 5 has 64 cells instead of 8"),
        (0, "4k3/8/8/ppppppppp/8/8/8/4K3", "board: rank 5 has 9 cells instead of 8"),
        (0, "4k3/8/0/8/8/8/8/4K3", "board: unknown letter `0` in rank 6"),
        (0, "4k3/8/8/8/4a3/8/8/4K3", "board: unknown letter `a` in rank 4"),
        (0, "4k3/8/8/8/4♘3/8/8/4K3", "board: unknown letter `\\u{2658}` in rank 4"),
        (0, "4k3/8/8/8/4\u{0}3/8/8/4K3", "board: unknown letter `\\u{0}` in rank 4"),
        (0, "8/8/8/8/8/8/8/8", "board: White has 0 kings instead of 1"),
        (0, "8/8/8/8/8/8/8/4K3", "board: Black has 0 kings instead of 1"),
        (0, "4k3/8/8/8/8/8/8/3KK3", "board: White has 2 kings instead of 1"),
        (0, "kkkkkkkk/8/8/8/8/8/8/4K3", "board: Black has 8 kings instead of 1"),
        (0, "P3k3/8/8/8/8/8/8/4K3", "board: pawn on a8, on the first or last rank"),
        (0, "4k3/8/8/8/8/8/8/4K2p", "board: pawn on h1, on the first or last rank"),
        (3, "e", "en passant: `e` is neither `-` nor a cell"),
        (3, "i6", "en passant: `i6` is neither `-` nor a cell"),
        (3, "e9", "en passant: `e9` is neither `-` nor a cell"),
        (3, "E6", "en passant: `E6` is neither `-` nor a cell"),
        (3, "e6e", "en passant: `e6e` is neither `-` nor a cell"),
        (3, "é", "en passant: `\\u{e9}` is neither `-` nor a cell"),
        (3, "e6", "en passant: no pawn can just have passed over e6"),
        (3, "h8", "en passant: no pawn can just have passed over h8"),
    ],
    bad_fens: &[
        ("", "FEN is empty"),
        (" \t\r\n", "FEN is empty"),
        ("startpos", "board: 1 rank instead of 8"),
        ("4k3/8/8/8/8/8/8/4K3", "FEN field `side to move` is missing"),
        ("4k3/8/8/8/8/8/8/4K3 w", "FEN field `castling` is missing"),
        ("4k3/8/8/8/8/8/8/4K3 b -", "FEN field `en passant` is missing"),
        ("4k3/8/8/8/8/8/8/4K3 w e3 0 1", "castling: `e3` is neither `-` nor made of `KQkq`"),
        // Rooks along the cants b1-e8 and h8-e1, a knight, a pawn, the other king.
        ("4k3/8/8/8/8/8/8/1R2K3 w - -", "side to move: Black is in check, but it is not its turn"),
        ("4k2r/8/8/8/8/8/8/4K3 b - -", "side to move: White is in check, but it is not its turn"),
        ("4k3/8/8/8/8/3n4/8/4K3 b - -", "side to move: White is in check, but it is not its turn"),
        ("4k3/8/8/8/8/8/2p5/4K3 b - -", "side to move: White is in check, but it is not its turn"),
        ("8/8/8/4k3/4K3/8/8/8 w - -", "side to move: Black is in check, but it is not its turn"),
        // Passed over on the edge, where no step leads, on the wrong rank, without a pawn, with a
        // piece on the cell or on the pawn's first cell, and by a pawn of the side to move.
        ("4k3/8/8/p7/8/8/8/4K3 w - h6", "en passant: no pawn can just have passed over h6"),
        ("4k3/8/8/8/P7/8/8/4K3 b - a3", "en passant: no pawn can just have passed over a3"),
        ("4k3/8/8/4p3/8/8/8/4K3 w - e5", "en passant: no pawn can just have passed over e5"),
        ("4k3/8/8/3Pb3/8/8/8/4K3 w - e6", "en passant: no pawn can just have passed over e6"),
        ("4k3/8/4n3/4p3/8/8/8/4K3 w - e6", "en passant: no pawn can just have passed over e6"),
        ("4k3/5p2/8/4p3/8/8/8/4K3 w - e6", "en passant: no pawn can just have passed over e6"),
        ("4k3/8/8/4P3/8/8/8/4K3 w - e6", "en passant: no pawn can just have passed over e6"),
        ("4k3/8/8/4p3/8/8/8/4K3 b - e6", "en passant: no pawn can just have passed over e6"),
        ("4k3/8/8/8/3p1P2/5N2/8/4K3 b - f3", "en passant: no pawn can just have passed over f3"),
        ("4k3/8/8/8/3p1P2/8/4N3/4K3 b - f3", "en passant: no pawn can just have passed over f3"),
        ("4k3/8/8/8/3p1P2/8/8/4K3 w - f3", "en passant: no pawn can just have passed over f3"),
    ],
    accepted: &[
        (masonic::START_FEN, masonic::START_FEN, None),
        ("4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", None),
        ("4k3/8/8/8/8/8/8/4K3 b - - 7", "4k3/8/8/8/8/8/8/4K3 b - - 7 1", None),
        ("4k3/8/8/8/8/8/8/4K3 b - - 007 0", "4k3/8/8/8/8/8/8/4K3 b - - 7 1", None),
        ("4k3/8/8/8/8/8/8/4K3 w - - 9999 9999", "4k3/8/8/8/8/8/8/4K3 w - - 9999 9999", None),
        ("  4k12/44/8/8/8/8/8/4K3\tw  -\n- 0 1\r\n", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", None),
        // Castling letters in any order, and rights that are none.
        ("4k3/8/8/8/8/8/8/R3K2R w QK - 0 1", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", None),
        (
            "4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            Some("castling: `Qkq` dropped, king or rook is not at home"),
        ),
        (
            "4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1",
            "4k3/8/8/8/8/8/8/R2K3R w - - 0 1",
            Some("castling: `KQ` dropped, king or rook is not at home"),
        ),
        // En passant that stays, and one that nothing can answer: nobody near, a
        // pawn beside, a captor that is pinned.
        ("4k3/8/8/3P1p2/8/8/8/4K3 w - e6 0 1", "4k3/8/8/3P1p2/8/8/8/4K3 w - e6 0 1", None),
        ("4k3/8/8/8/3p1P2/8/8/4K3 b - f3 0 9", "4k3/8/8/8/3p1P2/8/8/4K3 b - f3 0 9", None),
        ("4k3/8/8/5p2/8/8/8/4K3 w - e6 0 1", "4k3/8/8/5p2/8/8/8/4K3 w - - 0 1", None),
        ("4k3/8/8/4pP2/8/8/8/4K3 w - e6 0 1", "4k3/8/8/4pP2/8/8/8/4K3 w - - 0 1", None),
        ("1k6/8/8/8/3pPP2/8/8/4KR2 b - f3 0 1", "1k6/8/8/8/3pPP2/8/8/4KR2 b - - 0 1", None),
        (
            "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1",
            "4k3/8/8/8/8/8/4K3/R6R w - - 0 1",
            Some("castling: `KQ` dropped, king or rook is not at home"),
        ),
        ("8/8/8/8/k2p1P1R/8/8/4K3 b - f3 0 1", "8/8/8/8/k2p1P1R/8/8/4K3 b - - 0 1", None),
    ],
};

fn assert_refused<G: Geometry>(cases: &Cases) {
    let with_field = |&(number, text, error): &(usize, &'static str, &'static str)| {
        let mut fields = cases.fields;
        fields[number] = text;
        (fields.join(" "), error)
    };
    let whole = cases.bad_fens.iter().map(|&(fen, error)| (fen.to_owned(), error));
    let fields = BAD_FIELDS.iter().chain(cases.bad_fields).map(with_field);
    for (fen, expected) in fields.chain(whole) {
        match Position::<G>::from_fen(&fen) {
            Ok(parsed) => panic!("{fen:?} was read as {}", parsed.position),
            Err(error) => assert_eq!(error.to_string(), expected, "{fen:?}"),
        }
    }
    assert!(Position::<G>::from_fen(&cases.fields.join(" ")).is_ok());
}

#[test]
fn malformed_fens_are_refused_with_field_and_place() {
    assert_refused::<Chesquerque>(&CASES);
    assert_refused::<Masonic>(&MASONIC_CASES);
}

fn assert_put_right<G: Geometry>(cases: &Cases) {
    for &(fen, written, expected) in cases.accepted {
        let parsed = Position::<G>::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(parsed.position.fen(), written, "{fen}");
        let notice = parsed.notice.map(|notice| notice.to_string());
        assert_eq!(notice.as_deref(), expected, "{fen}");
        assert_reads_back(&parsed.position);
    }
}

#[test]
fn oddities_are_put_right() {
    assert_put_right::<Chesquerque>(&CASES);
    assert_put_right::<Masonic>(&MASONIC_CASES);
}

/// The cells that a double step can pass are `b3` to `h3` and `a6` to `g6`, each by two pawns.
#[test]
fn fourteen_cells_can_be_passed_over_in_masonic_chess() {
    let passed = |board: &str, side: &str| -> String {
        let fields =
            ('a'..='h').flat_map(|file| ('1'..='8').map(move |rank| format!("{file}{rank}")));
        let read = |field: &String| {
            masonic::Position::from_fen(&format!("{board} {side} - {field}")).is_ok()
        };
        fields.filter(read).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(passed("4k3/8/8/8/PPPPPPPP/8/8/K7", "b"), "b3 c3 d3 e3 f3 g3 h3");
    assert_eq!(passed("4k3/8/8/pppppppp/8/8/8/4K3", "w"), "a6 b6 c6 d6 e6 f6 g6");
}

/// The FEN of a position gives the same position and no notice.
fn assert_reads_back<G: Geometry>(position: &Position<G>) {
    let fen = position.fen();
    let again = Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(again.position, *position, "{fen}");
    assert_eq!(again.notice, None, "{fen}");
}

/// Valid FENs of all sorts, their empty squares one by one, so that a change of one letter may
/// leave ranks as long as they were.
fn spread_fens(table: &'static str) -> impl Strategy<Value = String> {
    select(fens(table).map(spread).collect::<Vec<_>>())
}

fn spread(fen: &str) -> String {
    let (board, rest) = fen.split_at(fen.find(' ').unwrap_or(fen.len()));
    let runs = board.chars().map(|letter| match letter.to_digit(10) {
        Some(run) => "1".repeat(run as usize),
        None => letter.to_string(),
    });
    runs.collect::<String>() + rest
}

/// Boards with a king on either side and other pieces anywhere they may stand.
fn scattered_pieces<G: Geometry>() -> impl Strategy<Value = String> {
    let (files, squares) = (usize::from(G::Square::FILES), G::Square::COUNT);
    let mut letters = vec!['1'; 16];
    for letter in
        G::Kind::ALL.iter().filter(|&&kind| kind != G::Kind::KING).map(|kind| kind.letter())
    {
        letters.extend([letter, letter.to_ascii_uppercase()]);
    }
    letters.extend(['p', 'P']);
    let pieces = prop::collection::vec(select(letters), squares);
    let passed = format!("[a-i][3{}]", G::Square::RANKS - 2);
    let en_passant = prop_oneof![4 => texts_like("-"), 1 => texts_like(&passed)];
    let rest = (texts_like("[wb]"), texts_like("-|[KQkq]"), en_passant);
    (pieces, 0..squares, 1..squares, rest).prop_map(move |(mut pieces, white, further, rest)| {
        for pawn in (0..files).chain(squares - files..squares) {
            pieces[pawn] = if matches!(pieces[pawn], 'p' | 'P') { '1' } else { pieces[pawn] };
        }
        pieces[white] = 'K';
        pieces[(white + further) % squares] = 'k';
        let ranks: Vec<String> = pieces.chunks(files).map(|rank| rank.iter().collect()).collect();
        let (side, castling, en_passant) = rest;
        format!("{} {side} {castling} {en_passant}", ranks.join("/"))
    })
}

/// A change to a text: which character, what comes there (of the letters FEN
/// is made of, or any), how many characters are lost.
type Edit = (prop::sample::Index, Option<char>, usize);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let letter = prop_oneof![
        12 => texts_like("[qrbnapQRBNAP1]").prop_map(|text| text.chars().next()),
        3 => texts_like(r"[kKw1-9/ \-]").prop_map(|text| text.chars().next()),
        1 => any::<Option<char>>(),
    ];
    let lost = select(vec![1, 1, 1, 1, 0, 2]);
    prop::collection::vec((any::<prop::sample::Index>(), letter, lost), 1..4)
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (place, letter, lost) in edits {
        let start = place.index(chars.len() + 1);
        let end = (start + lost).min(chars.len());
        chars.splice(start..end, *letter);
    }
    chars.into_iter().collect()
}

/// Errors go into one line of a protocol or a terminal.
fn assert_printable(error: &impl ToString) {
    let message = error.to_string();
    assert!(message.chars().all(|letter| !letter.is_control()), "{message:?}");
    assert!((1..=300).contains(&message.len()), "{message:?}");
}

fn assert_refused_or_sound<G: Geometry>(fen: &str)
where
    Position<G>: Into<AnyPosition>,
{
    match Position::<G>::from_fen(fen) {
        Err(error) => assert_printable(&error),
        Ok(parsed) => {
            let position = parsed.position;
            assert_reads_back(&position);
            let moves = position.legal_moves();
            assert_eq!(position.count_legal_moves(), moves.len() as u64, "{position}");
            let captures = moves.iter().filter(|&&mv| position.is_en_passant(mv)).count();
            assert_eq!(position.en_passant().is_some(), captures > 0, "{position}");
            let any: AnyPosition = position.into();
            assert_eq!(any.pieces().len(), position.occupied().len() as usize, "{position}");
            // Below and beside the board stand its coordinates.
            let picture = any.picture();
            let shown = picture.lines().filter(|line| line.starts_with(" ") && line[1..2] != *" ");
            let shown = shown.flat_map(str::chars).filter(char::is_ascii_alphabetic).count();
            assert_eq!(shown, any.pieces().len(), "{picture}");
        }
    }
}

/// Texts that are no moves are answered in one line, whatever they are.
fn assert_read_or_explained(text: &str) {
    let (start, masonic_start) = (chesquerque::Position::start(), masonic::Position::start());
    let errors = (start.read_move(text).err(), masonic_start.read_move(text).err());
    errors.0.iter().for_each(assert_printable);
    errors.1.iter().for_each(assert_printable);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(81),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_is_refused_or_sound(text in texts_like(ANY)) {
        assert_refused_or_sound::<Chesquerque>(&text);
        assert_refused_or_sound::<Masonic>(&text);
        assert_read_or_explained(&text);
    }

    #[test]
    fn any_short_text_is_a_move_or_explained(text in texts_like("[KQRBNAO0a-i1-9x=qrbnk+#-]{0,7}")) {
        assert_read_or_explained(&text);
    }

    #[test]
    fn scattered_pieces_are_refused_or_sound(
        fen in scattered_pieces::<Chesquerque>(),
        masonic in scattered_pieces::<Masonic>(),
    ) {
        assert_refused_or_sound::<Chesquerque>(&fen);
        assert_refused_or_sound::<Masonic>(&masonic);
    }

    #[test]
    fn edited_fens_are_refused_or_sound(
        fen in spread_fens(CHESQUERQUE),
        masonic in spread_fens(MASONIC),
        edits in edits(),
    ) {
        assert_refused_or_sound::<Chesquerque>(&edited(&fen, &edits));
        assert_refused_or_sound::<Masonic>(&edited(&masonic, &edits));
    }
}

#[test]
fn the_picture_shows_bricks() {
    let position =
        masonic::Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K -").expect("a position").position;
    let picture = position.picture().to_string();
    let lines: Vec<&str> = picture.lines().collect();
    assert_eq!(lines[0], "        a   b   c   d   e   f   g   h");
    assert_eq!(lines[1], "      +---+---+---+---+---+---+---+---+");
    assert_eq!(lines[2], " 8    |   |   |   |   | k |   |   |   |");
    assert_eq!(lines[3], "    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+");
    assert_eq!(lines[4], " 7  |   |   |   |   |   |   |   |   |");
    assert_eq!(lines[16], " 1  |   |   |   |   | K |   |   | R |");
    assert_eq!(lines[17], "    +---+---+---+---+---+---+---+---+");
    assert_eq!(lines[18], "      a   b   c   d   e   f   g   h");
    assert_eq!(lines.len(), 19);
    let captioned = position
        .captioned_picture(|cell| position.piece_on(cell).map(|_| "+1.25".to_owned()))
        .to_string();
    assert!(captioned.lines().any(|line| line.matches("+1.25").count() == 2), "{captioned}");
}
