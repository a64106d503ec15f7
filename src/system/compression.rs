//! Files compressed with gzip or zstd, read and written as streams. Memory is bounded, for zstd by
//! the largest window that its own program accepts, 128 MB.

use std::error::Error;
use std::io::{self, BufRead, BufReader, BufWriter, Cursor, ErrorKind, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// Uncompressed bytes per zstd frame.
const FRAME_BYTES: usize = 4 << 20;

/// Reads an input, unpacked if its first bytes say that it is compressed. Concatenated parts are
/// read as one.
///
/// Reading fails where compressed data is damaged, or cut off within a part (a zstd frame, a gzip
/// member). Cut between two parts, what is left reads as a whole file.
pub struct Decompressor<R> {
    /// Until the format is known: the bytes read so far, and the rest of the input.
    start: Option<(Vec<u8>, R)>,
    reader: Box<dyn Read + Send>,
    is_compressed: bool,
}

impl<R: Read + Send + 'static> Decompressor<R> {
    pub fn new(input: R) -> Decompressor<R> {
        let start = Some((Vec::new(), input));
        Decompressor { start, reader: Box::new(io::empty()), is_compressed: false }
    }
}

impl<R: Read + Send + 'static> Read for Decompressor<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some((start, input)) = &mut self.start {
            // At least the four bytes of the format. All that was read is passed on at once:
            // callers recognise binary files by their first read.
            while start.len() < 4 {
                let mut chunk = [0; 4096];
                match input.read(&mut chunk) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Ok(0) => break,
                    count => start.extend_from_slice(&chunk[..count?]),
                }
            }
        }
        if let Some((start, input)) = self.start.take() {
            let format = format_of(&start);
            let whole = Cursor::new(start).chain(input);
            self.is_compressed = format.is_some();
            self.reader = match format {
                Some(Format::Gzip) => Box::new(MultiGzDecoder::new(whole)),
                Some(Format::Zstd) => {
                    let (input, decoder) = (BufReader::new(whole), FrameDecoder::new());
                    Box::new(Frames { input, decoder, is_in_frame: false })
                }
                None => Box::new(whole),
            };
        }
        self.reader.read(buffer).map_err(|error| match error.raw_os_error() {
            None if self.is_compressed => {
                io::Error::new(ErrorKind::InvalidData, format!("cannot be unpacked: {error}"))
            }
            _ => error,
        })
    }
}

enum Format {
    Gzip,
    Zstd,
}

/// What the first four bytes say (RFC 1952 and 8878); `pzstd` begins with a frame to be skipped.
const fn format_of(start: &[u8]) -> Option<Format> {
    match start {
        [0x1F, 0x8B, ..] => Some(Format::Gzip),
        [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Format::Zstd),
        _ => None,
    }
}

/// Whether the first bytes of an input, which are read, are those of a compressed file.
pub fn is_compressed(input: impl Read) -> io::Result<bool> {
    let mut start = Vec::new();
    input.take(4).read_to_end(&mut start)?;
    Ok(format_of(&start).is_some())
}

/// The content of all frames. `ruzstd` reads one, and leaves its checksum to the caller.
struct Frames<R> {
    input: BufReader<R>,
    decoder: FrameDecoder,
    is_in_frame: bool,
}

impl<R: Read> Frames<R> {
    /// Begins the next frame, if there is one.
    fn begin_frame(&mut self) -> io::Result<bool> {
        use {FrameDecoderError::WindowSizeTooBig, ReadFrameHeaderError::SkipFrame};
        while !self.is_in_frame && !self.input.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.input) {
                Ok(()) => self.is_in_frame = true,
                Err(FrameDecoderError::ReadFrameHeaderError(SkipFrame { length, .. })) => {
                    let mut skipped = self.input.by_ref().take(length.into());
                    if io::copy(&mut skipped, &mut io::sink())? < length.into() {
                        return Err(damaged());
                    }
                }
                Err(WindowSizeTooBig { .. }) => {
                    return Err(io::Error::other(
                        "made with `zstd --long`, it needs more than 128 MB of memory",
                    ));
                }
                Err(error) => return Err(unpacking_error(error)),
            }
        }
        Ok(self.is_in_frame)
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !buffer.is_empty() && self.begin_frame()? {
            let decoder = &mut self.decoder;
            while decoder.can_collect() == 0 && !decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                decoder.decode_blocks(&mut self.input, one).map_err(unpacking_error)?;
            }
            let count = decoder.read(buffer)?;
            if count > 0 {
                return Ok(count);
            }
            self.is_in_frame = false;
            let checksum = decoder.get_checksum_from_data();
            if checksum.is_some() && checksum != decoder.get_calculated_checksum() {
                return Err(damaged());
            }
        }
        Ok(0)
    }
}

/// The system's error if reading failed, otherwise [`damaged`].
fn unpacking_error(error: FrameDecoderError) -> io::Error {
    let mut causes = std::iter::successors(error.source(), |&it| it.source());
    let code = causes.find_map(|it| it.downcast_ref::<io::Error>()?.raw_os_error());
    code.map_or_else(damaged, io::Error::from_raw_os_error)
}

/// Replaces the decoder's messages, which only programmers understand.
fn damaged() -> io::Error {
    io::Error::other("damaged or cut off")
}

/// The extension of a compressed file: `gz` or `zst`.
pub fn compression_extension(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?;
    ["gz", "zst"].into_iter().find(|known| ending.eq_ignore_ascii_case(known))
}

/// Calls `write` with an output that is compressed if the file's name says so.
///
/// # Errors
/// Those of `write` and of the output.
pub fn write_compressed<T, E: From<io::Error>>(
    path: &Path,
    mut output: impl Write,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let done = match compression_extension(path) {
        Some("gz") => {
            let mut packer = GzEncoder::new(&mut output, Compression::default());
            let done = write(&mut packer)?;
            packer.finish()?;
            done
        }
        Some(_) => {
            let mut packer = BufWriter::with_capacity(FRAME_BYTES, FrameWriter(&mut output));
            let done = write(&mut packer)?;
            packer.flush()?;
            drop(packer);
            // Always ends with an empty frame, so that an empty file has one.
            output.write_all(&frame(b""))?;
            done
        }
        None => write(&mut output)?,
    };
    output.flush()?;
    Ok(done)
}

fn frame(content: &[u8]) -> Vec<u8> {
    compress_to_vec(content, CompressionLevel::Fastest)
}

/// Writes the bytes of each call as a frame of their own.
struct FrameWriter<W>(W);

impl<W: Write> Write for FrameWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(&frame(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compressed(name: &str, text: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let write =
            |out: &mut dyn Write| text.chunks(1000).try_for_each(|part| out.write_all(part));
        write_compressed(Path::new(name), &mut bytes, write).expect("memory");
        bytes
    }

    fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let mut text = Vec::new();
        let read = Decompressor::new(Cursor::new(bytes.to_vec())).read_to_end(&mut text);
        read.map(|_| text).map_err(|error| error.to_string())
    }

    #[test]
    fn files_are_whole_or_refused() {
        let text: Vec<u8> =
            (0_u32..400).flat_map(|n| format!("{}. e4 e6 ", n * n).into_bytes()).collect();
        assert_eq!(unpacked(&compressed("games.pgn", &text)).as_ref(), Ok(&text));
        let is_refused = |bytes: &[u8]| {
            let fault = unpacked(bytes).expect_err("a part");
            assert!(fault.starts_with("cannot be unpacked: ") && fault.len() < 60, "{fault}");
        };
        for name in ["games.pgn.gz", "GAMES.PGN.ZST"] {
            let bytes = compressed(name, &text);
            assert!(bytes.len() < text.len() / 2, "{name}: {}", bytes.len());
            assert_eq!(unpacked(&bytes).as_ref(), Ok(&text), "{name}");
            let skipped = [b"\x50\x2A\x4D\x18\x03\0\0\0abc".as_slice(), &bytes].concat();
            assert!(name.ends_with("gz") || unpacked(&skipped).as_ref() == Ok(&text));
            let twice = [bytes.as_slice(), &compressed(name, b""), &bytes].concat();
            assert_eq!(unpacked(&twice), Ok(text.repeat(2)), "{name}");
            for more in [&b"1. e4"[..], &bytes[..bytes.len() / 2]] {
                is_refused(&[&bytes, more].concat());
            }
            (4..bytes.len()).for_each(|length| {
                // Cut before the last frame, which is empty, the rest is a whole file.
                let is_whole = name.ends_with("ZST") && length == bytes.len() - frame(b"").len();
                if !is_whole {
                    is_refused(&bytes[..length]);
                }
            });
            for at in 4..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << (at % 8);
                // Some bits of the headers mean nothing.
                let read = unpacked(&damaged);
                assert!(read.is_err() || read.as_ref() == Ok(&text), "{name}, byte {at}");
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_lost_after_an_error() {
        let (mut pipe, end) = std::os::unix::net::UnixStream::pair().expect("a pipe");
        end.set_nonblocking(true).expect("a pipe");
        let (mut input, mut text) = (Decompressor::new(end), Vec::new());
        for (part, is_all) in [("1. ", false), ("e4", true)] {
            pipe.write_all(part.as_bytes()).expect("room");
            let _ = is_all.then(|| pipe.shutdown(std::net::Shutdown::Write));
            assert_eq!(input.read_to_end(&mut text).is_ok(), is_all, "{text:?}");
        }
        assert_eq!(text, b"1. e4");
    }

    #[test]
    fn large_windows_are_refused() {
        let fault = unpacked(b"\x28\xB5\x2F\xFD\0\xA0\x01\0\0").expect_err("a gigabyte");
        assert!(fault.contains("--long"), "{fault}");
    }
}
