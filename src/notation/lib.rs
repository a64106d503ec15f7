//! Games and positions as text, for all games of the family: [`pgn`] writes games down and
//! reads them, [`epd`] reads positions with their operations.
//!
//! Reading is lenient and bounded: whatever people and programs write is understood or refused
//! with its line, nothing makes the reader panic, and no text takes more than a bounded part
//! of memory. Writing follows S. J. Edwards' standard (1994) to the letter.
//!
//! The crate knows the rules, so that every move that it hands out is legal. It knows no
//! search, no tags of matches and no files: it reads from whatever can be read.
//!
//! Begin with [`pgn::PgnReader`], which takes games from a stream one by one (`lexer` to
//! tokens, `game_builder` and `lines` to games), and [`pgn::PgnGame`], the record of a game
//! that `write` turns into text.

pub mod epd;
pub mod pgn;
