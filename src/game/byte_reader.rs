//! Little-endian numbers out of bytes, for the formats of networks and tables.

/// Reads numbers from bytes, one after another.
pub struct ByteReader<'a>(pub &'a [u8]);

impl<'a> ByteReader<'a> {
    /// The next bytes, or what is left of them.
    pub fn slice(&mut self, count: usize) -> &'a [u8] {
        let (bytes, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        bytes
    }

    /// The next bytes; zeros where there are none.
    pub fn take<const N: usize>(&mut self) -> [u8; N] {
        match self.0.split_first_chunk() {
            Some((bytes, rest)) => {
                self.0 = rest;
                *bytes
            }
            None => [0; N],
        }
    }

    /// The next number of 16 bits.
    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    /// The next number of 32 bits.
    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }
}
