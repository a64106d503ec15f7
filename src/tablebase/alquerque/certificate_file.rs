//! The file of a certificate: an xz stream, which other programs can unpack.
//! `docs/reference/certificate-format.md` describes it byte by byte.

use std::cell::Cell;
#[cfg(feature = "table-generator")]
use std::io::Write;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use lzma_rust2::XzReader;
#[cfg(feature = "table-generator")]
use lzma_rust2::{XzOptions, XzWriter};
use qirkat_game::Color;
#[cfg(feature = "table-generator")]
use qirkat_game::byte_reader::put_number;
use qirkat_rules::alquerque::State;
use qirkat_system::format_version::UnsupportedVersion;
use thiserror::Error;

use super::certificate::{Certificate, Decision, VerifyError};

pub const CERTIFICATE_EXTENSION: &str = "cert";

const XZ_MAGIC: &[u8] = b"\xFD7zXZ\0";
const MAGIC: [u8; 8] = *b"QALQCERT";
const VERSION: u32 = 2;
/// The winner's byte in a draw.
const DRAWN: u8 = 2;
/// The xz level; higher ones take longer and gain almost nothing here.
const XZ_LEVEL: u32 = 6;
/// The memory limit for unpacking xz, in kilobytes: what its highest level needs, since other
/// programs may have packed the file.
const MAX_XZ_KB: u32 = 66 << 10;
/// The highest expansion ratio accepted. Certificates have about three; a decompression bomb has
/// thousands.
const MAX_EXPANSION: u64 = 64;
/// The most decisions accepted, which take 512 MB: eight times those of the longest known win.
const MAX_DECISIONS: u64 = 1 << 25;
/// Decisions allocated at first.
const FIRST_DECISIONS: usize = 1 << 12;
/// Payload bits in each byte of a variable-length number.
const NUMBER_BITS: u32 = 7;

#[derive(Debug, Error)]
pub enum CertificateFileError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("not a certificate of Alquerque")]
    Format,
    #[error("a certificate: {0}")]
    Version(UnsupportedVersion),
    #[error("damaged: {0}")]
    Damaged(String),
    /// The decisions are out of order, so they cannot be written.
    #[error("the decisions are not in order")]
    Order,
    /// It can be read, but is wrong.
    #[error("a certificate that does not hold: {0}")]
    Wrong(VerifyError),
}

// Not `#[from]`: the message already includes the inner one, so it is not a separate cause.
impl From<VerifyError> for CertificateFileError {
    fn from(error: VerifyError) -> CertificateFileError {
        CertificateFileError::Wrong(error)
    }
}

impl Certificate {
    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written, or its decisions are not in order.
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
            put_number(&mut bytes, difference.ok_or(CertificateFileError::Order)?);
            before = decision.state.0;
        }
        for (_, column) in columns(self.winner) {
            for decision in &self.decisions {
                put_number(&mut bytes, *column(&mut { *decision }));
            }
        }
        let mut xz = XzWriter::new(output, XzOptions::with_preset(XZ_LEVEL))?;
        xz.write_all(&bytes)?;
        xz.finish()?.flush()?;
        Ok(())
    }

    /// Reads the file without verifying its strategy: see [`verify`](super::verify()).
    ///
    /// Sizes in the file are not trusted: memory is allocated only as data arrives.
    ///
    /// # Errors
    /// If it cannot be read, or is not a certificate.
    pub fn read(input: impl Read) -> Result<Certificate, CertificateFileError> {
        let mut input = BufReader::new(input);
        let mut start = Vec::new();
        input.by_ref().take(XZ_MAGIC.len() as u64).read_to_end(&mut start)?;
        if start != XZ_MAGIC {
            return Err(CertificateFileError::Format);
        }
        let progress = PackedProgress::default();
        let mut packed = CountedBytes { input: XZ_MAGIC.chain(input), progress: &progress };
        let xz = XzReader::new_mem_limit(&mut packed, false, MAX_XZ_KB);
        let mut content = Content { bytes: BufReader::new(xz), read: 0, progress: &progress };
        let certificate = content.certificate()?;
        if packed.read(&mut [0])? > 0 {
            return Err(damaged("there are bytes after its end"));
        }
        Ok(certificate)
    }
}

/// The columns after the states; a draw has only the choices.
fn columns(winner: Option<Color>) -> &'static [Column] {
    if winner.is_some() { &COLUMNS } else { &COLUMNS[..1] }
}

/// A column with its name in errors.
type Column = (&'static str, fn(&mut Decision) -> &mut u16);

const COLUMNS: [Column; 3] = [
    ("move", |decision| &mut decision.choice),
    ("plies to the end", |decision| &mut decision.plies),
    ("plies to the next jump or step forward", |decision| &mut decision.progress),
];

fn damaged(what: &str) -> CertificateFileError {
    CertificateFileError::Damaged(what.to_owned())
}

/// The error for a missing or invalid value of a decision, counted from 1.
fn missing(what: &str, decision: u64) -> CertificateFileError {
    damaged(&format!("no {what} of decision {decision}"))
}

/// How far the packed file has been read.
#[derive(Default)]
struct PackedProgress {
    /// Bytes read so far.
    bytes: Cell<u64>,
    /// The error of the underlying file, if that failed.
    fault: Cell<Option<io::Error>>,
}

struct CountedBytes<'a, R> {
    input: R,
    progress: &'a PackedProgress,
}

impl<R: Read> Read for CountedBytes<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.input.read(buffer) {
                Ok(read) => {
                    self.progress.bytes.set(self.progress.bytes.get() + read as u64);
                    return Ok(read);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    let kind = error.kind();
                    self.progress.fault.set(Some(error));
                    return Err(kind.into());
                }
            }
        }
    }
}

struct Content<'a, R> {
    bytes: BufReader<R>,
    read: u64,
    progress: &'a PackedProgress,
}

impl<R: Read> Content<'_, R> {
    fn certificate(&mut self) -> Result<Certificate, CertificateFileError> {
        use CertificateFileError as Error;
        if self.array()? != MAGIC {
            return Err(Error::Format);
        }
        let found = u32::from_le_bytes(self.array()?);
        if found != VERSION {
            return Err(Error::Version(UnsupportedVersion { found, known: VERSION }));
        }
        let [winner] = self.array()?;
        let winner = match winner {
            DRAWN => None,
            index => {
                let winner = Color::ALL.get(usize::from(index)).copied();
                Some(winner.ok_or_else(|| damaged("its winner is not a side"))?)
            }
        };
        let root = State(u64::from_le_bytes(self.array()?));
        let count = u64::from_le_bytes(self.array()?);
        if count > MAX_DECISIONS {
            return Err(self.too_large());
        }
        let mut decisions: Vec<Decision> = Vec::new();
        let mut state = 0_u64;
        for decision in 1..=count {
            state = self
                .number("state", decision)?
                .and_then(|difference| state.checked_add(difference))
                .ok_or_else(|| missing("state", decision))?;
            if decisions.len() == decisions.capacity() {
                let more = decisions.len().max(FIRST_DECISIONS);
                decisions.try_reserve_exact(more).map_err(io::Error::from)?;
            }
            decisions.push(Decision { state: State(state), choice: 0, plies: 0, progress: 0 });
        }
        for &(what, column) in columns(winner) {
            for (decision, at) in (1..).zip(&mut decisions) {
                *column(at) = self
                    .number(what, decision)?
                    .and_then(|number| u16::try_from(number).ok())
                    .ok_or_else(|| missing(what, decision))?;
            }
        }
        if self.byte()?.is_some() {
            return Err(damaged("there are bytes after its last decision"));
        }
        Ok(Certificate { winner, root, decisions })
    }

    /// The next byte; none at the end.
    #[inline]
    fn byte(&mut self) -> Result<Option<u8>, CertificateFileError> {
        if self.bytes.buffer().is_empty() {
            self.fill()?;
        }
        let next = self.bytes.buffer().first().copied();
        self.bytes.consume(usize::from(next.is_some()));
        Ok(next)
    }

    fn fill(&mut self) -> Result<(), CertificateFileError> {
        let filled = self.bytes.fill_buf().map(<[u8]>::len);
        let filled = filled.map_err(|error| match (self.progress.fault.take(), error.kind()) {
            (Some(fault), _) => fault.into(),
            (None, ErrorKind::UnexpectedEof) => self.too_short(),
            (None, ErrorKind::OutOfMemory) => self.too_large(),
            (None, _) => {
                damaged(&format!("it cannot be unpacked near byte {}", self.progress.bytes.get()))
            }
        })?;
        self.read += filled as u64;
        if self.read > MAX_EXPANSION * self.progress.bytes.get() {
            return Err(self.too_large());
        }
        Ok(())
    }

    fn too_short(&self) -> CertificateFileError {
        damaged(&format!("it breaks off after {} bytes", self.progress.bytes.get()))
    }

    fn too_large(&self) -> CertificateFileError {
        let at = self.progress.bytes.get();
        damaged(&format!("it unpacks to more than any certificate has, near byte {at}"))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], CertificateFileError> {
        let mut bytes = [0; N];
        for byte in &mut bytes {
            *byte = self.byte()?.ok_or_else(|| self.too_short())?;
        }
        Ok(bytes)
    }

    /// The next number of a decision; none if it is too large or encoded in more bytes than
    /// needed.
    fn number(
        &mut self,
        what: &'static str,
        decision: u64,
    ) -> Result<Option<u64>, CertificateFileError> {
        let mut number = 0;
        for index in 0..u64::BITS.div_ceil(NUMBER_BITS) {
            let byte = self.byte()?.ok_or_else(|| missing(what, decision))?;
            let bits = u64::from(byte & ((1 << NUMBER_BITS) - 1));
            let shifted = bits << (NUMBER_BITS * index);
            if shifted >> (NUMBER_BITS * index) != bits {
                return Ok(None);
            }
            number |= shifted;
            if byte >> NUMBER_BITS == 0 {
                let is_shortest = byte != 0 || index == 0;
                return Ok(is_shortest.then_some(number));
            }
        }
        Ok(None)
    }
}
