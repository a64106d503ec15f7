//! Positions of orthodox chess and their published perft counts.

/// A FEN, the depth of the first count, and the perft counts from there.
pub type Published = (&'static str, u32, &'static [u64]);

/// The six positions of the Chess Programming Wiki ("Perft Results"), and one with promotions
/// by P. McKenzie.
pub const WIKI: [Published; 8] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        1,
        &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324],
    ),
    // "Kiwipete".
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        1,
        &[48, 2_039, 97_862, 4_085_603, 193_690_690],
    ),
    // A pawn pinned along the rank through its own en passant capture.
    (
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        1,
        &[14, 191, 2_812, 43_238, 674_624, 11_030_083, 178_633_661],
    ),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        1,
        &[6, 264, 9_467, 422_333, 15_833_292, 706_045_033],
    ),
    // The same with colors reversed.
    (
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        1,
        &[6, 264, 9_467, 422_333, 15_833_292, 706_045_033],
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        1,
        &[44, 1_486, 62_379, 2_103_487, 89_941_194],
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        1,
        &[46, 2_079, 89_890, 3_894_594, 164_075_551],
    ),
    (
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        1,
        &[24, 496, 9_483, 182_838, 3_605_103, 71_179_139],
    ),
];

/// Positions by M. Sedlak, each about one rule that generators get wrong.
#[allow(dead_code, reason = "the benchmark takes the others")]
pub const SPECIAL: [Published; 14] = [
    // En passant would leave the king in check, along the rank and along a diagonal.
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, &[1_134_888]),
    ("8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", 6, &[1_015_133]),
    // En passant gives check.
    ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, &[1_440_467]),
    // Castling gives check.
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, &[661_072]),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, &[803_711]),
    // Castling rights are lost, castling is prevented.
    ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, &[1_274_206]),
    ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, &[1_720_476]),
    // Promotion out of check and into it, underpromotion, stalemates and mates.
    ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, &[3_821_001]),
    ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, &[1_004_658]),
    ("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, &[217_342]),
    ("8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, &[92_683]),
    ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, &[2_217]),
    ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, &[567_584]),
    ("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, &[23_527]),
];
