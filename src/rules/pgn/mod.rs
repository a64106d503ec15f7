//! Games in PGN, the Portable Game Notation (S. J. Edwards, 1994). The tag `Variant` names the
//! game; the default is Chesquerque.
//!
//! [`PgnGame`] is a game record: tags, moves, comments, result. Its `Display` writes it in export
//! format ([`PgnGame::written_in`] in another [`Notation`]). [`PgnReader`] reads games from a
//! stream of any length in import format, with the deviations that are common in practice.
//!
//! ```
//! use qirkat_game::GameResult;
//! use qirkat_rules::pgn::{PgnGame, PgnReader};
//!
//! let text = "[White \"Ann\"]\n[Black \"Ben\"]\n\n1. e4 e6 {solid} 2. d3 1-0\n";
//! for read in PgnReader::new(text.as_bytes()) {
//!     let game: PgnGame = read?.game;
//!     assert_eq!(game.tag("White"), Some("Ann"));
//!     assert_eq!(game.moves.len(), 3);
//!     assert_eq!(game.moves[1].comment.as_deref(), Some("solid"));
//!     assert_eq!(game.result, GameResult::WhiteWins);
//!     // The game as it stands, to be searched or played on.
//!     let last = game.final_game();
//!     assert_eq!(last.moves().len(), 3);
//!     // And back to text.
//!     assert!(game.to_string().contains("1. e4 e6 {solid} 2. d3 1-0"));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod game_builder;
mod lexer;
mod notation;
mod pgn_game;
mod pgn_reader;
mod variations;
mod write;

pub use notation::Notation;
pub use pgn_game::{
    DEEPEST_VARIATION, EngineNote, MoveFault, MoveNumber, PgnError, PgnFault, PgnGame, PgnMove,
    ReadGame, UnreadPart, command_value, split_comment,
};
pub use pgn_reader::PgnReader;

pub use qirkat_game::GameResult;
