//! The Python package `qirkat`: boards, an engine in this process, PGN, endgame tables, reviews and
//! evaluations, in the style of python-chess. It has no rules and no search of its own: each class
//! wraps a value of another crate and converts arguments and results. Long calls release the
//! interpreter's lock and can be stopped by Ctrl-C. Nothing panics: errors become exceptions with
//! the crates' texts.
//!
//! Begin with `board.rs`. This is the module `qirkat._qirkat`, whose types and docs are in its stub,
//! `package/qirkat/_qirkat.pyi`. What needs no speed is in Python beside it: trees of moves,
//! limits and results, and engines for asyncio and in other processes.

mod arrays;
mod board;
mod book;
mod convert;
mod engine;
mod limit;
mod moves;
mod pgn;
mod review;
mod score;
mod setup;
mod tables;

use pyo3::prelude::*;

/// Chesquerque, Masonic chess and Alquerque: boards, an engine, PGN, endgame tables and reviews.
#[pymodule]
mod _qirkat {
    #[pymodule_export]
    use crate::arrays::{Evaluation, features, legal_moves, network_sizes};
    #[pymodule_export]
    use crate::board::{Board, LegalMoves};
    #[pymodule_export]
    use crate::book::Book;
    #[pymodule_export]
    use crate::convert::{
        AmbiguousMoveError, BookError, EngineError, FenError, IllegalMoveError, InvalidMoveError,
        MissingTableError, NetworkError, PgnError, TableError,
    };
    #[pymodule_export]
    use crate::engine::{Analysis, Engine};
    #[pymodule_export]
    use crate::limit::ensure_bounded;
    #[pymodule_export]
    use crate::moves::{Move, Piece};
    #[pymodule_export]
    use crate::pgn::{PgnMove, PgnReader, Record, parse_pgn, read_pgn};
    #[pymodule_export]
    use crate::review::{Review, review};
    #[pymodule_export]
    use crate::score::{Score, cp, mate};
    #[pymodule_export]
    use crate::tables::Tablebase;

    #[pymodule_export]
    const WHITE: bool = true;
    #[pymodule_export]
    const BLACK: bool = false;
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "as Python calls it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
