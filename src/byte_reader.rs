//! Little-endian numbers out of bytes, for the formats of networks and tables.

/// Reads numbers from bytes, one after another; zeros where there are none.
pub(crate) struct ByteReader<'a>(pub &'a [u8]);

impl ByteReader<'_> {
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
