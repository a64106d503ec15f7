//! An adaptive binary range coder, for data that a model predicts better than a general compressor.
//!
//! Likely decisions take few bits: an interval is divided in proportion to the probabilities, and
//! the part of the actual one is kept (G. N. N. Martin, 1979; the carry is handled as in LZMA).

/// The probability 1, to which all others are scaled.
pub const ALWAYS: u32 = 1 << 16;
/// The interval never gets smaller than this.
const LEAST: u32 = 1 << 24;

/// The probability of a yes, learned from the decisions so far.
#[derive(Clone, Copy)]
pub struct AdaptiveProbability {
    value: u16,
    /// The number of decisions so far, up to a limit.
    count: u16,
}

/// Older decisions are forgotten after about this many.
const MEMORY: usize = 60;
/// The learning rate by the number of decisions.
static RATES: [u32; MEMORY] = {
    let mut rates = [0; MEMORY];
    let mut count = 0;
    while count < MEMORY {
        rates[count] = 2 * ALWAYS / (2 * count as u32 + 3);
        count += 1;
    }
    rates
};

/// The probabilities that files distinguish: each a third nearer to 0, or to [`ALWAYS`], than the
/// previous one.
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

/// The number of decisions that a probability from a file starts with, by its stored class: low, so
/// that it soon adapts to its block.
static COUNTS: [u16; 4] = [1, 2, 4, 6];

impl AdaptiveProbability {
    pub const EVEN: AdaptiveProbability =
        AdaptiveProbability { value: (ALWAYS / 2) as u16, count: 0 };

    /// The probability of a yes, out of [`ALWAYS`].
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

    /// Encodes in a byte: the probability in 39 steps, finest near 0 and 1, and the number of
    /// decisions in four classes; zero if there were hardly any.
    pub fn to_byte(self) -> u8 {
        let class = match self.count {
            0..2 => return 0,
            2..6 => 0,
            6..20 => 1,
            20..50 => 2,
            _ => 3,
        };
        let nearest = |step: &usize| STEPS[*step].abs_diff(self.value);
        let step = (0..STEPS.len()).min_by_key(nearest).unwrap_or_default();
        (class << 6 | (step + 1)) as u8
    }

    pub fn from_byte(byte: u8) -> AdaptiveProbability {
        let Some(&value) = usize::from(byte & 63).checked_sub(1).and_then(|at| STEPS.get(at))
        else {
            return AdaptiveProbability::EVEN;
        };
        AdaptiveProbability { value, count: COUNTS[usize::from(byte >> 6)] }
    }

    /// Codes a decision with this probability alone, and learns from it.
    #[inline]
    pub fn code(&mut self, coder: &mut RangeCoder<'_>, yes: bool) -> bool {
        let yes = coder.code(yes, u32::from(self.value).clamp(1, ALWAYS - 1));
        self.learn(yes);
        yes
    }
}

/// Reads or writes one decision after another.
pub struct RangeCoder<'a> {
    range: u32,
    stream: Stream<'a>,
}

enum Stream<'a> {
    /// The bytes to read, followed by zeros.
    Read { bytes: std::slice::Iter<'a, u8>, code: u32 },
    Write {
        bytes: Vec<u8>,
        low: u64,
        /// The last byte, to which a carry may still be added, and the number of 0xFF bytes after
        /// it.
        last: u8,
        ones: usize,
    },
}

impl<'a> RangeCoder<'a> {
    pub fn reading(bytes: &'a [u8]) -> RangeCoder<'a> {
        let stream = Stream::Read { bytes: bytes.iter(), code: 0 };
        let mut coder = RangeCoder { range: u32::MAX, stream };
        // The first byte is always zero.
        (0..5).for_each(|_| coder.shift());
        coder
    }

    pub fn writing() -> RangeCoder<'a> {
        let stream = Stream::Write { bytes: Vec::new(), low: 0, last: 0, ones: 0 };
        RangeCoder { range: u32::MAX, stream }
    }

    /// Codes a decision and returns it: when reading, the one read; when writing, `yes`. The
    /// probability of a yes must be neither 0 nor [`ALWAYS`].
    #[inline]
    pub fn code(&mut self, yes: bool, probability: u32) -> bool {
        let bound = (self.range >> 16) * probability;
        let yes = match &self.stream {
            Stream::Read { code, .. } => *code < bound,
            Stream::Write { .. } => yes,
        };
        if yes {
            self.range = bound;
        } else {
            self.range -= bound;
            match &mut self.stream {
                Stream::Read { code, .. } => *code -= bound,
                Stream::Write { low, .. } => *low += u64::from(bound),
            }
        }
        while self.range < LEAST {
            self.range <<= 8;
            self.shift();
        }
        yes
    }

    fn shift(&mut self) {
        const CARRY: u64 = 1 << 32;
        const UNSETTLED: u64 = 0xFF00_0000;
        match &mut self.stream {
            Stream::Read { bytes, code } => {
                *code = (*code << 8) | u32::from(bytes.next().copied().unwrap_or_default());
            }
            Stream::Write { bytes, low, last, ones } => {
                if *low < UNSETTLED || *low >= CARRY {
                    let carry = (*low >> 32) as u8;
                    bytes.push(last.wrapping_add(carry));
                    bytes.extend(std::iter::repeat_n(u8::MAX.wrapping_add(carry), *ones));
                    *ones = 0;
                    *last = (*low >> 24) as u8;
                } else {
                    *ones += 1;
                }
                *low = (*low & 0x00FF_FFFF) << 8;
            }
        }
    }

    /// All bytes written, without trailing zeros, which need not be kept.
    pub fn finish(mut self) -> Vec<u8> {
        (0..5).for_each(|_| self.shift());
        let Stream::Write { mut bytes, .. } = self.stream else { return Vec::new() };
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        bytes
    }
}
