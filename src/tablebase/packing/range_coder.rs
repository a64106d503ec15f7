//! An adaptive binary range coder, for data that a model predicts better than a general compressor.
//!
//! Each answer takes as much room as it is surprising: an interval is divided by the probability,
//! and the part that came true is kept (G. N. N. Martin, 1979; the carry is handled as in LZMA).

/// The scale of chances: the chance of what is certain.
pub const ALWAYS: u32 = 1 << 16;
/// The interval never gets smaller than this.
const LEAST: u32 = 1 << 24;

/// How likely a yes is, learned from the answers so far.
#[derive(Clone, Copy)]
pub struct Chance {
    value: u16,
    /// The number of answers, up to a limit.
    count: u16,
}

/// Older answers are forgotten after about this many.
const MEMORY: usize = 60;
/// The learning rate by the number of answers.
static RATES: [u32; MEMORY] = {
    let mut rates = [0; MEMORY];
    let mut count = 0;
    while count < MEMORY {
        rates[count] = 2 * ALWAYS / (2 * count as u32 + 3);
        count += 1;
    }
    rates
};

/// The chances that files distinguish: each a third nearer to never, or to always, than the one
/// before.
static STEPS: [u16; 39] = {
    let mut steps = [(ALWAYS / 2) as u16; 39];
    let mut rare = ALWAYS / 2;
    let mut at = 1;
    while at <= 19 {
        rare = rare * 2 / 3;
        steps[19 - at] = rare as u16;
        steps[19 + at] = (ALWAYS - rare - 1) as u16;
        at += 1;
    }
    steps
};

/// The number of answers that a chance from a file starts with, by its stored class: low, so that
/// it soon adapts to its block.
static ASKED: [u16; 4] = [1, 2, 4, 6];

impl Chance {
    pub const EVEN: Chance = Chance { value: (ALWAYS / 2) as u16, count: 0 };

    /// The chance, out of [`ALWAYS`].
    #[inline]
    pub const fn value(self) -> u16 {
        self.value
    }

    #[inline]
    pub fn learn(&mut self, yes: bool) {
        let rate = RATES[usize::from(self.count)];
        if yes {
            self.value += ((u32::from(u16::MAX - self.value) * rate) >> 16) as u16;
        } else {
            self.value -= ((u32::from(self.value) * rate) >> 16) as u16;
        }
        self.count = (self.count + 1).min(MEMORY as u16 - 1);
    }

    /// Encodes in a byte: the chance in 39 steps, finest near never and always, and the number of
    /// answers in four classes; zero if there were hardly any.
    pub fn to_byte(self) -> u8 {
        let asked = match self.count {
            0..2 => return 0,
            2..6 => 0,
            6..20 => 1,
            20..50 => 2,
            _ => 3,
        };
        let nearest = |step: &usize| STEPS[*step].abs_diff(self.value);
        let step = (0..STEPS.len()).min_by_key(nearest).unwrap_or_default();
        (asked << 6 | (step + 1)) as u8
    }

    pub fn from_byte(byte: u8) -> Chance {
        let Some(&value) = usize::from(byte & 63).checked_sub(1).and_then(|at| STEPS.get(at))
        else {
            return Chance::EVEN;
        };
        Chance { value, count: ASKED[usize::from(byte >> 6)] }
    }

    /// Codes an answer with this chance alone, and learns from it.
    #[inline]
    pub fn code(&mut self, coder: &mut impl BinaryCoder, yes: bool) -> bool {
        let yes = coder.code(yes, u32::from(self.value).clamp(1, ALWAYS - 1));
        self.learn(yes);
        yes
    }
}

/// Reads or writes one answer after another.
pub trait BinaryCoder {
    /// The next answer: when reading, the one read; when writing, the one given. The chance of a
    /// yes is neither 0 nor [`ALWAYS`].
    fn code(&mut self, yes: bool, chance: u32) -> bool;
}

#[inline]
const fn bound(range: u32, chance: u32) -> u32 {
    (range >> 16) * chance
}

/// Reads what a [`RangeEncoder`] has written; past the end it reads zeros.
pub struct RangeDecoder<'a> {
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
    fn code(&mut self, _: bool, chance: u32) -> bool {
        let bound = bound(self.range, chance);
        let yes = self.code < bound;
        if yes {
            self.range = bound;
        } else {
            self.code -= bound;
            self.range -= bound;
        }
        while self.range < LEAST {
            self.range <<= 8;
            self.shift();
        }
        yes
    }
}

pub struct RangeEncoder {
    bytes: Vec<u8>,
    low: u64,
    range: u32,
    /// The last byte, to which a carry may still be added, and the number of 0xFF bytes after it.
    last: u8,
    ones: usize,
}

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

    /// All bytes; trailing zeros need not be kept.
    pub fn finish(mut self) -> Vec<u8> {
        (0..5).for_each(|_| self.shift());
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

impl BinaryCoder for RangeEncoder {
    #[inline]
    fn code(&mut self, yes: bool, chance: u32) -> bool {
        let bound = bound(self.range, chance);
        if yes {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        while self.range < LEAST {
            self.range <<= 8;
            self.shift();
        }
        yes
    }
}
