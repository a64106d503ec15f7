//! An adaptive binary range coder, for what a model knows better than any general
//! compressor can.
//!
//! Each yes or no takes as much room as it is surprising: an interval is divided by the
//! probability, and the part that came true is kept (G. N. N. Martin, 1979; the carry is
//! handled as in LZMA).

/// How likely a yes is, learned from how often it has come.
#[derive(Clone, Copy)]
pub(super) struct Chance(u16);

const BITS: u32 = 15;
const RATE: u32 = 5;
/// The interval never gets smaller than this.
const LEAST: u32 = 1 << 24;

impl Chance {
    /// Nothing is known.
    pub const EVEN: Chance = Chance(1 << (BITS - 1));

    #[inline]
    fn bound(self, range: u32) -> u32 {
        (range >> BITS) * u32::from(self.0)
    }

    #[inline]
    fn learn(&mut self, yes: bool) {
        if yes {
            self.0 += ((1 << BITS) - self.0) >> RATE;
        } else {
            self.0 -= self.0 >> RATE;
        }
    }
}

/// Reads or writes one yes or no after another.
pub(super) trait BinaryCoder {
    /// The next: what was written, or, while writing, what is handed in.
    fn code(&mut self, yes: bool, chance: &mut Chance) -> bool;
}

/// Reads what a [`RangeEncoder`] has written; without more bytes it reads zeros.
pub(super) struct RangeDecoder<'a> {
    bytes: std::slice::Iter<'a, u8>,
    range: u32,
    code: u32,
}

impl<'a> RangeDecoder<'a> {
    pub fn new(bytes: &'a [u8]) -> RangeDecoder<'a> {
        let mut decoder = RangeDecoder { bytes: bytes.iter(), range: u32::MAX, code: 0 };
        // The first byte is always zero.
        (0..5).for_each(|_| decoder.shift());
        decoder
    }

    fn shift(&mut self) {
        self.code = (self.code << 8) | u32::from(self.bytes.next().copied().unwrap_or_default());
    }
}

impl BinaryCoder for RangeDecoder<'_> {
    #[inline]
    fn code(&mut self, _: bool, chance: &mut Chance) -> bool {
        let bound = chance.bound(self.range);
        let yes = self.code < bound;
        if yes {
            self.range = bound;
        } else {
            self.code -= bound;
            self.range -= bound;
        }
        chance.learn(yes);
        while self.range < LEAST {
            self.range <<= 8;
            self.shift();
        }
        yes
    }
}

/// Writes one yes or no after another.
#[cfg(any(test, feature = "table-generator"))]
pub(super) struct RangeEncoder {
    bytes: Vec<u8>,
    low: u64,
    range: u32,
    /// The last byte, to which a carry may still be added, and the bytes of all ones
    /// behind it.
    last: u8,
    ones: usize,
}

#[cfg(any(test, feature = "table-generator"))]
impl RangeEncoder {
    pub fn new() -> RangeEncoder {
        RangeEncoder { bytes: Vec::new(), low: 0, range: u32::MAX, last: 0, ones: 0 }
    }

    fn shift(&mut self) {
        const CARRY: u64 = 1 << 32;
        const UNSETTLED: u64 = 0xFF00_0000;
        if self.low < UNSETTLED || self.low >= CARRY {
            let carry = (self.low >> 32) as u8;
            self.bytes.push(self.last.wrapping_add(carry));
            for _ in 0..self.ones {
                self.bytes.push(u8::MAX.wrapping_add(carry));
            }
            self.ones = 0;
            self.last = (self.low >> 24) as u8;
        } else {
            self.ones += 1;
        }
        self.low = (self.low & 0x00FF_FFFF) << 8;
    }

    /// All bytes; zeros at the end need not be kept.
    pub fn finish(mut self) -> Vec<u8> {
        (0..5).for_each(|_| self.shift());
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

#[cfg(any(test, feature = "table-generator"))]
impl BinaryCoder for RangeEncoder {
    #[inline]
    fn code(&mut self, yes: bool, chance: &mut Chance) -> bool {
        let bound = chance.bound(self.range);
        if yes {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        chance.learn(yes);
        while self.range < LEAST {
            self.range <<= 8;
            self.shift();
        }
        yes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::splitmix::splitmix64;

    #[test]
    fn what_is_written_is_read() {
        for rarity in [1, 2, 7, 100, 5000] {
            let mut state = rarity;
            let answers: Vec<bool> =
                (0..20_000).map(|_| splitmix64(&mut state).is_multiple_of(rarity)).collect();
            let mut encoder = RangeEncoder::new();
            let mut chance = Chance::EVEN;
            for &yes in &answers {
                encoder.code(yes, &mut chance);
            }
            let bytes = encoder.finish();
            assert!(rarity < 7 || bytes.len() < 20_000 / 8, "{rarity}: {}", bytes.len());
            let mut decoder = RangeDecoder::new(&bytes);
            let mut chance = Chance::EVEN;
            for &yes in &answers {
                assert_eq!(decoder.code(false, &mut chance), yes);
            }
        }
    }
}
