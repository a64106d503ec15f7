//! The parts of sliding attacks that all boards share: see a game's `lines`.
//!
//! Reversing a bitboard's bytes mirrors lines that cross each byte once, so downward attacks are
//! computed like upward ones. Along a rank, whose squares are adjacent bits, attacks come from a
//! table by the slider's file and the occupied inner squares ("first-rank attacks").

/// The attacked squares of a rank of `FILES` squares, a bit per file, by the slider's file and the
/// occupied inner squares. The outermost squares do not matter: a slider reaches them whether or
/// not they are occupied. `INNER` is 2 to the power of `FILES - 2`.
pub const fn rank_attacks<const FILES: usize, const INNER: usize>() -> [[u16; INNER]; FILES] {
    let mut table = [[0; INNER]; FILES];
    let mut file = 0;
    while file < FILES {
        let mut inner = 0;
        while inner < INNER {
            let pieces = (inner as u16) << 1;
            let mut attacks = 0;
            let mut right = file + 1;
            while right < FILES {
                attacks |= 1 << right;
                if pieces & 1 << right != 0 {
                    break;
                }
                right += 1;
            }
            let mut left = file;
            while left > 0 {
                left -= 1;
                attacks |= 1 << left;
                if pieces & 1 << left != 0 {
                    break;
                }
            }
            table[file][inner] = attacks;
            inner += 1;
        }
        file += 1;
    }
    table
}

/// Bits whose bytes can be reversed at once.
pub(crate) trait ReverseBytes {
    fn reverse_bytes(self) -> Self;
}

/// One or two instructions.
#[cfg(not(target_feature = "simd128"))]
mod byte_swap {
    use super::ReverseBytes;

    impl ReverseBytes for u64 {
        #[inline]
        fn reverse_bytes(self) -> u64 {
            self.swap_bytes()
        }
    }

    impl ReverseBytes for u128 {
        #[inline]
        fn reverse_bytes(self) -> u128 {
            self.swap_bytes()
        }
    }
}

/// WebAssembly has no byte swap, and shifts take a dozen instructions for 64 bits, but it can
/// shuffle the bytes of a vector.
#[cfg(target_feature = "simd128")]
mod shuffle {
    use std::arch::wasm32::{u8x16_shuffle, u64x2, u64x2_extract_lane, u64x2_splat};

    use super::ReverseBytes;

    impl ReverseBytes for u64 {
        #[inline]
        fn reverse_bytes(self) -> u64 {
            let bytes = u64x2_splat(self);
            let reversed =
                u8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(bytes, bytes);
            u64x2_extract_lane::<0>(reversed)
        }
    }

    impl ReverseBytes for u128 {
        #[inline]
        fn reverse_bytes(self) -> u128 {
            let bytes = u64x2(self as u64, (self >> 64) as u64);
            let reversed =
                u8x16_shuffle::<15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0>(bytes, bytes);
            let (low, high) =
                (u64x2_extract_lane::<0>(reversed), u64x2_extract_lane::<1>(reversed));
            u128::from(high) << 64 | u128::from(low)
        }
    }
}
