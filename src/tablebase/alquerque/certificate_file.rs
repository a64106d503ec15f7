//! The file of a certificate: an xz stream, which other programs unpack too.
#![doc = "\n"]
#![doc = include_str!("../../../docs/reference/certificate-format.md")]

#[cfg(feature = "table-generator")]
use std::io::Write;
use std::io::{self, Read};

use lzma_rust2::XzReader;
#[cfg(feature = "table-generator")]
use lzma_rust2::{XzOptions, XzWriter};
use qirkat_game::Color;
use qirkat_rules::alquerque::State;
use qirkat_system::format_version::OtherVersion;
use thiserror::Error;

use super::certificate::{Certificate, Decision};

/// The extension of a file with a certificate.
pub const CERTIFICATE_EXTENSION: &str = "cert";

const MAGIC: [u8; 8] = *b"QALQCERT";
const VERSION: u32 = 2;
/// In place of a winner where there is none.
const DRAWN: u8 = 2;
/// The level of xz: more takes longer and gains next to nothing here.
const XZ_LEVEL: u32 = 6;
/// Bytes that are unpacked at most, so that a malicious file does not take all memory.
const MOST_BYTES: u64 = 1 << 32;
/// Bits of a variable-length number's byte.
const NUMBER_BITS: u32 = 7;

/// Why a file is not a certificate.
#[derive(Debug, Error)]
pub enum CertificateFileError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("not a certificate of Alquerque")]
    Format,
    /// It has another version.
    #[error("a certificate: {0}")]
    Version(OtherVersion),
    /// It is damaged.
    #[error("the certificate is damaged")]
    Damaged,
}

impl Certificate {
    /// Writes the file.
    ///
    /// # Errors
    /// When it cannot be written, or its decisions are not in order.
    #[cfg(feature = "table-generator")]
    pub fn write(&self, output: impl Write) -> Result<(), CertificateFileError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(self.winner.map_or(DRAWN, |winner| winner.index() as u8));
        bytes.extend(self.root.0.to_le_bytes());
        bytes.extend((self.decisions.len() as u64).to_le_bytes());
        let mut before = 0;
        for decision in &self.decisions {
            let difference = decision.state.0.checked_sub(before);
            push_number(&mut bytes, difference.ok_or(CertificateFileError::Damaged)?);
            before = decision.state.0;
        }
        for column in columns(self.winner) {
            for decision in &self.decisions {
                push_number(&mut bytes, u64::from(*column(&mut { *decision })));
            }
        }
        let mut xz = XzWriter::new(output, XzOptions::with_preset(XZ_LEVEL))?;
        xz.write_all(&bytes)?;
        xz.finish()?.flush()?;
        Ok(())
    }

    /// Reads the file.
    ///
    /// # Errors
    /// When it cannot be read, or is no certificate.
    pub fn read(mut input: impl Read) -> Result<Certificate, CertificateFileError> {
        let mut bytes = Vec::new();
        let unpacked = XzReader::new(&mut input, false).take(MOST_BYTES).read_to_end(&mut bytes);
        if bytes.get(..MAGIC.len()) != Some(&MAGIC) {
            return Err(CertificateFileError::Format);
        }
        unpacked?;
        if input.read(&mut [0])? > 0 {
            return Err(CertificateFileError::Damaged);
        }
        let mut input = Input(&bytes[MAGIC.len()..]);
        let found = u32::from_le_bytes(input.bytes()?);
        if found != VERSION {
            return Err(CertificateFileError::Version(OtherVersion { found, known: VERSION }));
        }
        let [winner] = input.bytes()?;
        let winner = match winner {
            DRAWN => None,
            index => {
                let winner = Color::ALL.get(usize::from(index)).copied();
                Some(winner.ok_or(CertificateFileError::Damaged)?)
            }
        };
        let root = State(u64::from_le_bytes(input.bytes()?));
        let count = u64::from_le_bytes(input.bytes()?);
        if count > input.0.len() as u64 {
            return Err(CertificateFileError::Damaged);
        }
        let mut decisions = Vec::with_capacity(count as usize);
        let mut state = 0_u64;
        for _ in 0..count {
            state = state.checked_add(input.number()?).ok_or(CertificateFileError::Damaged)?;
            let state = State(state);
            decisions.push(Decision { state, choice: 0, plies: 0, progress: 0 });
        }
        for column in columns(winner) {
            for decision in &mut decisions {
                let number = u16::try_from(input.number()?);
                *column(decision) = number.map_err(|_| CertificateFileError::Damaged)?;
            }
        }
        if input.0.is_empty() {
            Ok(Certificate { winner, root, decisions })
        } else {
            Err(CertificateFileError::Damaged)
        }
    }
}

/// What stands behind the states, column by column: nothing comes to an end in a draw.
fn columns(winner: Option<Color>) -> &'static [fn(&mut Decision) -> &mut u16] {
    if winner.is_some() { &COLUMNS } else { &COLUMNS[..1] }
}

const COLUMNS: [fn(&mut Decision) -> &mut u16; 3] = [
    |decision| &mut decision.choice,
    |decision| &mut decision.plies,
    |decision| &mut decision.progress,
];

fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >> NUMBER_BITS != 0 {
        bytes.push(number as u8 | 1 << NUMBER_BITS);
        number >>= NUMBER_BITS;
    }
    bytes.push(number as u8);
}

struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], CertificateFileError> {
        let (first, rest) = self.0.split_first_chunk().ok_or(CertificateFileError::Damaged)?;
        self.0 = rest;
        Ok(*first)
    }

    fn number(&mut self) -> Result<u64, CertificateFileError> {
        let mut number = 0;
        for place in 0..u64::BITS.div_ceil(NUMBER_BITS) {
            let [byte] = self.bytes()?;
            number |= u64::from(byte & ((1 << NUMBER_BITS) - 1)) << (NUMBER_BITS * place);
            if byte >> NUMBER_BITS == 0 {
                return Ok(number);
            }
        }
        Err(CertificateFileError::Damaged)
    }
}
