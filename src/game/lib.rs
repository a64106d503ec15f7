//! The interface between the search and the games.
//!
//! A position is a type that implements [`Rules`], all that an arbiter needs, and [`Searchable`],
//! which adds what the search needs: move ordering, pruning conditions, static exchange evaluation,
//! and indices of history tables. The search is generic over that trait and compiled for each game,
//! without dynamic dispatch. An [`Evaluate`] evaluates positions.
//!
//! Nothing here assumes a family of games. Chess-like games have check, null moves and mates; in
//! draughts-like games captures are compulsory, and a side that cannot move has lost.

mod board;
pub mod distance;
mod game_state;
mod rules;
pub mod score;
mod searchable;
pub mod text;

pub use board::{Board, PieceCode, PointSet, Points};
pub use game_state::{GameState, ReadMove};
pub use rules::{
    Color, DRAWING_PLIES, DrawReason, GameHistory, GameResult, Key, MoveFilter, Outcome,
    PackedMove, RankedMove, Rules, Terminal, perft, perft_unbulked,
};
pub use searchable::{
    Evaluate, Evaluator, KnownResult, Searchable, StructureHashes, Tablebase, is_mated,
    mate_in_one, mates,
};
pub use text::{MoveTextError, ParseError, SanError};

/// Pseudorandom numbers, usable in constants.
pub mod splitmix {
    /// The next number of splitmix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable
    /// Pseudorandom Number Generators", 2014; in S. Vigna's form).
    pub const fn splitmix64(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// Little-endian numbers in network and tablebase files, and variable-length numbers (LEB128), read
/// and written.
pub mod byte_reader {
    /// Appends a number as LEB128: seven bits per byte, the lowest first; the eighth bit is set if
    /// more follow.
    pub fn put_number(bytes: &mut Vec<u8>, number: impl Into<u64>) {
        let mut number = number.into();
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }

    /// Takes a number that [`put_number`] wrote; none if the bytes end within it, or it does not fit
    /// `N`. Bits beyond 64 are ignored.
    pub fn take_number<N: TryFrom<u64>>(bytes: &mut &[u8]) -> Option<N> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = *bytes.split_off_first()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return N::try_from(number).ok();
            }
        }
        None
    }

    /// Moves the sign to the lowest bit, so that numbers near zero stay small.
    pub const fn zigzag(number: i32) -> u32 {
        (number << 1 ^ number >> 31) as u32
    }

    /// The inverse of [`zigzag`].
    pub const fn unzigzag(number: u32) -> i32 {
        (number >> 1) as i32 ^ -((number & 1) as i32)
    }

    /// Reads the rest of these bytes in sequence.
    pub struct ByteReader<'a>(pub &'a [u8]);

    impl<'a> ByteReader<'a> {
        /// The next bytes, at most as many as are left.
        pub fn slice(&mut self, count: usize) -> &'a [u8] {
            let (bytes, rest) = self.0.split_at(count.min(self.0.len()));
            self.0 = rest;
            bytes
        }

        /// The next `N` bytes; if fewer are left, zeros, and nothing is consumed.
        pub fn take<const N: usize>(&mut self) -> [u8; N] {
            match self.0.split_first_chunk() {
                Some((bytes, rest)) => {
                    self.0 = rest;
                    *bytes
                }
                None => [0; N],
            }
        }

        pub fn u16(&mut self) -> u16 {
            u16::from_le_bytes(self.take())
        }

        pub fn u32(&mut self) -> u32 {
            u32::from_le_bytes(self.take())
        }
    }
}
