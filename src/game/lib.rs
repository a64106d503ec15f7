//! The seam between the search and the games it plays.
//!
//! A position is a type that implements [`Rules`], all that an arbiter needs, and
//! [`Searchable`], which adds what the search needs: move ordering, pruning conditions, static
//! exchange evaluation, and indices for history tables. The search is generic over that trait and
//! compiled once for each game, without dynamic dispatch. The value of a position
//! comes from an [`Evaluate`].
//!
//! Nothing here assumes the rules of a family of games. Chess-like games have check, null
//! moves and mates; draughts-like games have compulsory captures and moves that capture
//! several pieces, and the side that cannot move has lost.
#![warn(missing_docs)]

mod board;
pub mod byte_reader;
mod checkmate;
mod color;
pub mod distance;
mod evaluate;
mod game_history;
mod key;
mod outcome;
mod parse_error;
mod perft;
mod repetition;
mod result;
mod rules;
mod san_error;
pub mod score;
mod searchable;
pub mod splitmix;
mod state;
mod tablebase;
pub mod text;

pub use board::{Board, PieceCode, PointSet, Points};
pub use checkmate::{is_mated, mate_in_one, mates};
pub use color::Color;
pub use evaluate::{Evaluate, Evaluator};
pub use game_history::GameHistory;
pub use key::{Key, PackedMove};
pub use outcome::{DRAWING_CLOCK, DrawReason, Outcome};
pub use parse_error::ParseError;
pub use perft::{perft, perft_unbulked};
pub use result::GameResult;
pub use rules::{MoveFilter, Rules, Terminal};
pub use san_error::SanError;
pub use searchable::{Searchable, StructureHashes};
pub use state::{GameState, ReadMove};
pub use tablebase::{KnownResult, Tablebase};
