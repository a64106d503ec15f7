//! Qirkat plays Chesquerque (George R. Dekle Sr., 1986): chess on the 81
//! points of four joined Alquerque boards, where pieces move along the marked
//! lines.

pub mod position;
