//! The key under which the table keeps a position.

use crate::position::{Key, Position};

/// From this clock on a position is kept in the table for its clock alone:
/// what it is worth depends on how near the 100 plies are.
const CLOCK_MATTERS: u16 = 60;
/// Sets the clocks apart: a large odd number.
const CLOCK_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The key under which the table keeps a position: its own, but for high
/// clocks.
#[inline]
pub(super) fn table_key(position: &Position) -> Key {
    let clock = position.halfmove_clock();
    let key = position.key();
    if clock < CLOCK_MATTERS { key } else { Key(key.0 ^ u64::from(clock).wrapping_mul(CLOCK_STEP)) }
}
