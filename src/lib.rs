//! Qirkat plays Chesquerque (George R. Dekle Sr., 1986): chess on the 81
//! points of four joined Alquerque boards, where pieces move along the marked
//! lines.
//!
//! Data flows one way: [`cli`] and [`protocol`] read what a person or a
//! program wants, [`engine`] runs one task at a time, [`search`] looks ahead in
//! any game that implements [`game`]. [`chesquerque`] holds the rules of such a
//! game; [`evaluation`] evaluates its positions, by a [`network`] or by terms
//! that people can read. [`arena`] lets engines play each other, each a
//! `program` with pipes, and [`statistics`] counts; `compliance` examines how
//! an engine keeps to the protocol. [`pgn`] writes games down and reads them,
//! [`epd`] reads positions, and [`suite`] counts how many of those with known
//! best moves the search solves. [`dataset`] keeps positions of games of the
//! engine against itself, on which `training` trains a network; `tuning` fits the
//! values of [`evaluation`], and the parameters of the search, to games.
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

#![deny(unsafe_code)]

pub mod arena;
pub mod chesquerque;
pub mod cli;
mod compliance;
pub mod dataset;
pub mod distance;
pub mod engine;
pub mod epd;
pub mod evaluation;
pub mod game;
mod load_network;
pub mod network;
mod optimiser;
mod parse_error;
pub mod pgn;
mod program;
pub mod protocol;
pub mod score;
pub mod search;
mod sigmoid;
mod splitmix;
pub mod statistics;
pub mod suite;
pub mod text;
mod training;
mod tuning;
mod whole_file;

pub use chesquerque::{
    Bitboard, CastlingRights, Color, DrawReason, FenError, Game, GameHistory, IllegalMove, Move,
    MoveFilter, MoveList, MoveTextError, Outcome, ParsedFen, Piece, PieceKind, Point, Position,
    START_FEN, SanError, Wing, perft,
};
pub use distance::{Depth, Ply};
pub use engine::{SearchLimits as Limits, SearchLine, SearchResult, Searcher};
pub use evaluation::Evaluation;
pub use network::Network;
pub use parse_error::ParseError;
pub use pgn::{GameResult, PgnGame, PgnReader};
pub use score::Score;

#[cfg(test)]
mod tests {
    /// The first program in Rust of a text, without what stands before each line.
    fn program<'a>(text: &'a str, fence: &str, prefix: &str) -> Vec<&'a str> {
        let lines = text.lines().skip_while(|line| *line != fence).skip(1);
        lines
            .take_while(|line| !line.ends_with("```"))
            .map(|line| line.strip_prefix(prefix).unwrap_or(line).trim_start_matches("//!"))
            .collect()
    }

    /// The README shows the program that is tested as an example of this crate.
    #[test]
    fn the_program_in_the_readme_is_tested() {
        let shown = program(include_str!("../README.md"), "```rust", "");
        assert_eq!(shown, program(include_str!("lib.rs"), "//! ```", "//! "));
        assert!(shown.len() > 5, "{shown:?}");
    }
}
