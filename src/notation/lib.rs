//! Games and positions as text: [`pgn`] writes games down and reads them, [`epd`] reads
//! positions.
//!
//! It knows the rules, and no search. Begin with [`pgn::PgnReader`].

pub mod epd;
pub mod pgn;
