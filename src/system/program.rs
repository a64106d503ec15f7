//! A child program driven by pipes: it receives and sends lines, and can always be killed.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
#[cfg(any(not(unix), test))]
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use command_group::{CommandGroup, GroupChild};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    pub command: PathBuf,
    pub arguments: Vec<String>,
    /// Its working directory; the current one if none.
    pub directory: Option<PathBuf>,
    pub environment: BTreeMap<String, String>,
}

/// The longest line that is read. The rest of a longer one is skipped.
const LONGEST_LINE: usize = 1 << 16;
/// How long a program may take to quit when asked.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);
/// How long a text may take to be sent: after that, a full pipe is no longer waited for.
const WRITE_TIMEOUT: Duration =
    if cfg!(test) { Duration::from_millis(500) } else { Duration::from_secs(5) };
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// A running program. Dropping it kills it and all processes it has started.
pub struct RunningProgram {
    child: GroupChild,
    stdin: Option<NonBlockingInput>,
    status: Option<ExitStatus>,
}

impl RunningProgram {
    /// Starts a program in its own process group, so that Ctrl-C does not reach it and nothing that
    /// it starts outlives it. Both of its outputs must be read, or it may block.
    pub fn start(program: &Program) -> io::Result<(RunningProgram, ChildStdout, ChildStderr)> {
        let mut command = Command::new(&program.command);
        command
            .args(&program.arguments)
            .envs(&program.environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(directory) = &program.directory {
            command.current_dir(directory);
        }
        let mut child = spawn_group(&mut command)?;
        let inner = child.inner();
        let pipes = (inner.stdin.take(), inner.stdout.take(), inner.stderr.take());
        let mut running = RunningProgram { child, stdin: None, status: None };
        // If the rest fails, `running` is dropped, which kills the program.
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(ErrorKind::BrokenPipe.into());
        };
        running.stdin = Some(non_blocking(stdin)?);
        Ok((running, stdout, stderr))
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Fails if the program has closed its input, or leaves it unread.
    pub fn send_bytes(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        let Some(stdin) = &mut self.stdin else { return Err(ErrorKind::BrokenPipe.into()) };
        let deadline = Instant::now() + WRITE_TIMEOUT;
        while !bytes.is_empty() {
            match stdin.write(bytes) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(written) => bytes = &bytes[written..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if Instant::now() >= deadline {
                        return Err(ErrorKind::TimedOut.into());
                    }
                    std::thread::sleep(POLL_INTERVAL);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    pub fn status(&mut self) -> Option<ExitStatus> {
        // Fetching the status twice is an error.
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
        }
        self.status
    }

    /// Sends `quit` and waits. If the program does not end in time, dropping kills it.
    pub fn quit(&mut self) {
        let asked = self.send_bytes(b"quit\n");
        self.close_stdin();
        let timeout = if asked.is_ok() { QUIT_TIMEOUT } else { Duration::ZERO };
        let deadline = Instant::now() + timeout;
        while Instant::now() < deadline && self.status().is_none() {
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        self.close_stdin();
        // The program may have ended while processes it started still run.
        if let Err(error) = self.child.kill() {
            log::trace!("killing process {}: {error}", self.id());
        }
        // On Windows waiting for a group consumes a message, which `status` may have taken.
        let ended = if cfg!(windows) { self.child.inner().wait() } else { self.child.wait() };
        if let Err(error) = ended {
            log::trace!("waiting for process {}: {error}", self.id());
        }
    }
}

#[cfg(not(windows))]
fn spawn_group(command: &mut Command) -> io::Result<GroupChild> {
    command.group_spawn()
}

/// The job used here instead of a process group is killed when this process ends in any way. Ctrl-C
/// reaches all programs of a console except those started with this flag.
#[cfg(windows)]
fn spawn_group(command: &mut Command) -> io::Result<GroupChild> {
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    command.group().kill_on_drop(true).creation_flags(CREATE_NEW_PROCESS_GROUP).spawn()
}

/// A program's input: writes return at once if the pipe is full.
#[cfg(unix)]
type NonBlockingInput = ChildStdin;

#[cfg(unix)]
fn non_blocking(stdin: ChildStdin) -> io::Result<NonBlockingInput> {
    rustix::io::ioctl_fionbio(&stdin, true)?;
    Ok(stdin)
}

#[cfg(not(unix))]
type NonBlockingInput = WriterThread;

#[cfg(not(unix))]
fn non_blocking(stdin: ChildStdin) -> io::Result<NonBlockingInput> {
    WriterThread::start(stdin)
}

/// Writes to a pipe on its own thread, for systems where pipes always block. It queues one text
/// besides the one being written.
#[cfg(any(not(unix), test))]
struct WriterThread(SyncSender<Vec<u8>>);

#[cfg(any(not(unix), test))]
impl WriterThread {
    fn start(mut pipe: impl Write + Send + 'static) -> io::Result<WriterThread> {
        let (sender, texts) = sync_channel::<Vec<u8>>(1);
        // The pipe is closed when the sender is dropped.
        let write = move || while texts.recv().is_ok_and(|text| pipe.write_all(&text).is_ok()) {};
        std::thread::Builder::new().name("program input".to_owned()).spawn(write)?;
        Ok(WriterThread(sender))
    }
}

#[cfg(any(not(unix), test))]
impl Write for WriterThread {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.try_send(bytes.to_vec()) {
            Ok(()) => Ok(bytes.len()),
            Err(TrySendError::Full(_)) => Err(ErrorKind::WouldBlock.into()),
            Err(TrySendError::Disconnected(_)) => Err(ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads lines with their time of arrival, until the output ends or `on_line` breaks. Long lines
/// are truncated, and invalid UTF-8 is replaced.
pub fn each_line(output: impl Read, mut on_line: impl FnMut(&str, Instant) -> ControlFlow<()>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = output.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut bytes);
        if matches!(read, Ok(0) | Err(_)) {
            return;
        }
        let arrived = Instant::now();
        if bytes.last() != Some(&b'\n')
            && bytes.len() >= LONGEST_LINE
            && output.skip_until(b'\n').is_err()
        {
            return;
        }
        if on_line(String::from_utf8_lossy(&bytes).trim(), arrived).is_break() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut() {
        let long = "x".repeat(LONGEST_LINE + 5);
        let text = format!("  one \r\n{long}\n\nlast");
        let mut lines = Vec::new();
        each_line(text.as_bytes(), |line, _| {
            lines.push(line.to_owned());
            ControlFlow::Continue(())
        });
        assert_eq!(lines, ["one", &long[..LONGEST_LINE], "", "last"]);
        let mut count = 0;
        each_line(text.as_bytes(), |_, _| {
            count += 1;
            ControlFlow::Break(())
        });
        assert_eq!(count, 1);
    }

    /// A pipe without a buffer: a write waits until its other end reads or is dropped.
    struct FullPipe(SyncSender<Vec<u8>>);

    impl Write for FullPipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).map_err(|_| io::Error::from(ErrorKind::BrokenPipe))?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_writer_thread_never_blocks_and_closes_the_pipe() {
        let (pipe, read) = sync_channel(0);
        let mut thread = WriterThread::start(FullPipe(pipe)).expect("a thread");
        let mut taken = Vec::new();
        let mut refused = 0;
        for number in 0..200_u8 {
            match thread.write(&[number]).map_err(|error| error.kind()) {
                Ok(length) => taken.extend(std::iter::repeat_n(number, length)),
                Err(kind) => {
                    assert_eq!(kind, ErrorKind::WouldBlock);
                    refused += 1;
                }
            }
        }
        assert!(taken.len() <= 2 && refused > 0, "{taken:?}");
        drop(thread);
        assert_eq!(read.iter().flatten().collect::<Vec<u8>>(), taken);

        let (pipe, read) = sync_channel(0);
        let mut thread = WriterThread::start(FullPipe(pipe)).expect("a thread");
        drop(read);
        let latest = Instant::now() + WRITE_TIMEOUT;
        let mut last = Ok(0);
        while Instant::now() < latest && last != Err(ErrorKind::BrokenPipe) {
            last = thread.write(b"x").map_err(|error| error.kind());
        }
        assert_eq!(last, Err(ErrorKind::BrokenPipe));
    }

    #[cfg(unix)]
    #[test]
    fn sending_to_a_program_that_does_not_read_times_out() {
        let arguments = ["-c", "sleep 1000"].map(str::to_owned).to_vec();
        let program = Program { command: "sh".into(), arguments, ..Program::default() };
        let (mut running, _stdout, _stderr) = RunningProgram::start(&program).expect("a shell");
        let start = Instant::now();
        let line = "x".repeat(1 << 20);
        let sent = running.send_bytes(line.as_bytes()).map_err(|error| error.kind());
        assert_eq!(sent, Err(ErrorKind::TimedOut));
        assert!(start.elapsed() >= WRITE_TIMEOUT);
        drop(running);
        assert!(start.elapsed() < 4 * WRITE_TIMEOUT);
    }
}
