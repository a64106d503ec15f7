//! Numbers of 8 or 16 bits as bytes: all low bytes first, then, if any number needs it,
//! all high bytes. A compressor likes that better than pairs.

/// A row of numbers.
pub struct Planes {
    bytes: Vec<u8>,
    is_wide: bool,
}

impl Planes {
    /// The bytes of a row of numbers.
    pub fn new(bytes: Vec<u8>, is_wide: bool) -> Planes {
        Planes { bytes, is_wide }
    }

    /// No numbers.
    pub const fn empty() -> Planes {
        Planes { bytes: Vec::new(), is_wide: false }
    }

    /// A row of numbers that fit.
    pub fn of(numbers: impl ExactSizeIterator<Item = u16>, is_wide: bool) -> Planes {
        let mut planes = Planes::new(vec![0; Planes::size(numbers.len(), is_wide)], is_wide);
        numbers.enumerate().for_each(|(index, number)| planes.set(index, number));
        planes
    }

    /// As many bytes as a row of numbers takes.
    pub const fn size(count: usize, is_wide: bool) -> usize {
        if is_wide { 2 * count } else { count }
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        if self.is_wide { self.bytes.len() / 2 } else { self.bytes.len() }
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A number; zero where there is none.
    #[inline]
    pub fn get(&self, index: usize) -> u16 {
        let low = self.bytes.get(index).copied().unwrap_or_default();
        if self.is_wide {
            let high = self.bytes.get(self.len() + index).copied().unwrap_or_default();
            u16::from_le_bytes([low, high])
        } else {
            u16::from(low)
        }
    }

    /// Changes a number to one that fits.
    pub fn set(&mut self, index: usize, number: u16) {
        let [low, high] = number.to_le_bytes();
        let len = self.len();
        self.bytes[index] = low;
        if self.is_wide {
            self.bytes[len + index] = high;
        }
    }
}
