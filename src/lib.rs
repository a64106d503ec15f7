//! Qirkat plays Chesquerque (George R. Dekle Sr., 1986): chess on the 81
//! points of four joined Alquerque boards, where pieces move along the marked
//! lines.
//!
//! Data flows one way: [`cli`] and [`protocol`] read what a person or a
//! program wants, [`engine`] runs one task at a time, [`search`] looks ahead in
//! any game that implements [`game`]. [`chesquerque`] holds the rules of such a
//! game, [`chess`] what it shares with [`masonic`] chess; [`evaluation`] evaluates its positions, by a [`network`] or by terms
//! that people can read. [`arena`] lets engines play each other, each a
//! `program` with pipes, and [`statistics`] counts; `compliance` examines how
//! an engine keeps to the protocol. [`pgn`] writes games down and reads them,
//! [`epd`] reads positions, [`review`] tells what each move of a game was worth,
//! and [`suite`] counts how many of those with known
//! best moves the search solves. [`problem`] proves mates and other problems of composers.
//! [`tables`] know endings with few pieces for certain.
//! [`dataset`] keeps positions of games of the
//! engine against itself, on which `training` trains a network; `tuning` fits the
//! values of [`evaluation`], and the parameters of the search, to games. `web` serves
//! a board in the browser.
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
//! By default everything is there. Without default features it is the playing core:
//! [`game`], [`chesquerque`], [`search`], [`network`], [`evaluation`], [`tables`], [`problem`],
//! [`pgn`] and [`epd`]. The core asks an operating system for nothing, so that it runs in a browser
//! too: a search takes place on the thread that calls it, ends by nodes or depth, and by
//! time where its host hands in a clock ([`SearchControl::with_clock`]). These add to it:
//!
//! - `threads`: searches on several threads, and perft;
//! - `clock`: the system's clock times each search;
//! - `huge-pages`: large tables in huge pages, on Linux;
//! - `serde`: results of games can be serialised;
//! - `table-generator`: endgame tables are made, checked, and read from files;
//! - `cli`: all of these, the program `qirkat`, and the rooms that only it needs;
//! - `page`: `web`, which answers the page of the board;
//! - `board`: the program's board in the browser, served by `web`;
//! - `play`: the program's game in the terminal.
//!
//! [`SearchControl::with_clock`]: search::SearchControl::with_clock

pub use qirkat_evaluation as evaluation;
pub use qirkat_evaluation::network;
pub use qirkat_game as game;
pub use qirkat_game::{distance, score};
pub use qirkat_notation::{epd, pgn};
pub use qirkat_rules::{alquerque, chesquerque, chess, masonic, variant};
pub use qirkat_search as search;
pub use qirkat_tablebase as tablebase;

pub use chesquerque::{
    Bitboard, CastlingRights, Color, DrawReason, FenError, FenNotice, Game, GameHistory,
    IllegalMove, Key, Move, MoveFilter, MoveTextError, Outcome, PackedMove, ParsedFen, Piece,
    PieceKind, Point, Position, START_FEN, SanError, Wing,
};
pub use distance::{Depth, Ply};
pub use evaluation::Evaluation;
pub use game::perft;
pub use network::ChesquerqueNetwork as Network;
pub use pgn::{GameResult, PgnGame, PgnReader};
pub use qirkat_game::ParseError;
pub use score::Score;

/// All that is needed to search Chesquerque.
pub type Searcher = search::Searcher<Evaluation>;
pub use search::SearchLimits as Limits;
/// One line of play with its score.
pub type SearchLine = search::SearchLine<Position>;
/// What a search has come to.
pub type SearchResult = search::SearchResult<Position>;

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
