//! Reads little-endian numbers, for the formats of networks and tables.

/// Reads numbers from bytes, one after another.
pub struct ByteReader<'a>(pub &'a [u8]);

impl<'a> ByteReader<'a> {
    /// The next bytes, at most as many as are left.
    pub fn slice(&mut self, count: usize) -> &'a [u8] {
        let (bytes, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        bytes
    }

    /// The next bytes, padded with zeros at the end.
    pub fn take<const N: usize>(&mut self) -> [u8; N] {
        match self.0.split_first_chunk() {
            Some((bytes, rest)) => {
                self.0 = rest;
                *bytes
            }
            None => [0; N],
        }
    }

    /// The next 16-bit number.
    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    /// The next 32-bit number.
    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }
}
