//! The package `qirkat` for Python: boards, an engine within the process, games in PGN, endgame
//! tables, reviews and evaluations, in the manners of python-chess.
//!
//! It has no rules and no search of its own: each class holds a value of one of the crates,
//! converts what comes and goes, and calls. What may take long runs without the interpreter's
//! lock, and is stopped by Ctrl-C. Nothing panics: what is wrong becomes an exception with the
//! text that the crates have for it.
//!
//! Begin with `board.rs`; `qirkat.pyi` has the types of all, and `tests` what holds of it.

mod arrays;
mod board;
mod convert;
mod engine;
mod limit;
mod moves;
mod pgn;
mod review;
mod score;
mod tables;

use pyo3::prelude::*;

/// Chesquerque, Masonic chess and Alquerque: boards, an engine, PGN, endgame tables and reviews.
#[pymodule]
mod qirkat {
    #[pymodule_export]
    use crate::arrays::{Evaluation, features, legal_moves, network_sizes};
    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::board::Outcome;
    #[pymodule_export]
    use crate::convert::{
        AmbiguousMoveError, EngineError, FenError, IllegalMoveError, InvalidMoveError,
        MissingTableError, NetworkError, PgnError, TableError,
    };
    #[pymodule_export]
    use crate::engine::{Analysis, Engine, PlayResult};
    #[pymodule_export]
    use crate::limit::Limit;
    #[pymodule_export]
    use crate::moves::Piece;
    #[pymodule_export]
    use crate::moves::{LegalMoves, Move};
    #[pymodule_export]
    use crate::pgn::{Game, Headers, PgnMove, PgnReader, parse_pgn, read_pgn};
    #[pymodule_export]
    use crate::review::{Review, review};
    #[pymodule_export]
    use crate::score::{PovScore, Score};
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
