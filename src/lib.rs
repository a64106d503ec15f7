//! Qirkat plays Chesquerque (George R. Dekle Sr., 1986): chess on the 81
//! points of four joined Alquerque boards, where pieces move along the marked
//! lines.
//!
//! This crate is the front of the library: the rules of the games ([`chesquerque`], [`masonic`]
//! chess, [`alquerque`], and [`variant`] for any of them), the [`search`], the [`evaluation`],
//! [`tablebase`]s, and games and positions as text ([`pgn`], [`epd`]). Each is a crate of its own
//! in a folder of `src`; the program's other crates are not public. It knows no protocol,
//! no terminal and no page. Begin with the types below.
//!
//! # As a library
//!
//! The types that most programs need are here at the root:
//!
//! ```
//! use qirkat::{Game, Limits, Searcher};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let mut game = Game::default();
//!     game.play_text("e4")?;
//!     let result = Searcher::new()?.search(&game, &Limits::depth(6));
//!     println!("{}, {}", game.position().san(result.best.ok_or("game over")?), result.score);
//!     Ok(())
//! }
//! ```
//!
//! [`Position`] holds the rules: legal moves, attacks, checks and pins, FEN and
//! algebraic notation. [`Game`] is a game in progress, with undo and the rules for
//! draws. [`Searcher`] looks for the best move within [`Limits`]; what it has
//! learned helps with the next search. [`PgnReader`] reads files of games. Nothing
//! of this prints, reads files by itself or ends the program.
//!
//! # Features
//!
//! By default the program `qirkat` is built too (features `board` and `play`). Without default features this
//! is the playing core, which asks an operating system for nothing, so that it runs in a browser
//! too: a search takes place on the thread that calls it, ends by nodes or depth, and by
//! time where its host hands in a clock ([`SearchControl::with_clock`]). These add to it:
//!
//! - `threads`: searches on several threads;
//! - `clock`: the system's clock times each search;
//! - `huge-pages`: large tables in huge pages, on Linux;
//! - `table-generator`: endgame tables are made, checked, and read from files.
//!
//! [`SearchControl::with_clock`]: search::SearchControl::with_clock

#![warn(missing_docs)]

#[doc(inline)]
pub use qirkat_evaluation as evaluation;
#[doc(inline)]
pub use qirkat_game as game;
#[doc(inline)]
pub use qirkat_rules::{alquerque, chesquerque, epd, masonic, pgn, variant};
#[doc(inline)]
pub use qirkat_search as search;
#[doc(inline)]
pub use qirkat_tablebase as tablebase;

pub use chesquerque::{
    Bitboard, CastlingRights, Color, DrawReason, FenError, FenNotice, Game, GameHistory,
    IllegalMove, Key, Move, MoveFilter, MoveTextError, Outcome, PackedMove, ParsedFen, Piece,
    PieceKind, Point, Position, START_FEN, SanError, Wing,
};
pub use evaluation::Evaluation;
pub use evaluation::network::ChesquerqueNetwork as Network;
pub use game::ParseError;
pub use game::distance::{Depth, Ply};
pub use game::perft;
pub use game::score::Score;
pub use pgn::{GameResult, PgnGame, PgnReader};
pub use search::SearchLimits as Limits;

/// A search of Chesquerque, with the evaluation that the engine uses.
pub type Searcher = search::Searcher<Evaluation>;
/// One line of play with its score.
pub type SearchLine = search::SearchLine<Position>;
/// The result of a search.
pub type SearchResult = search::SearchResult<Position>;

/// The programs in the guide are tested as examples, too.
#[cfg(doctest)]
#[doc = include_str!("../docs/programs/rust.md")]
struct GuideToTheLibrary;
