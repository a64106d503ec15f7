//! Runs the program in a temporary folder. Every wait has a timeout, and every process of a test
//! inherits a mark by which it is found again.

use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use qirkat_testing::pipes::HUNG;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

pub const QIRKAT: &str = env!("CARGO_BIN_EXE_qirkat");

/// Inherited by all processes of a test.
const MARK: &str = "QIRKAT_TEST_FOLDER";

/// The program with these arguments and an empty input, and without logging variables in its
/// environment.
pub fn qirkat<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new(QIRKAT);
    command.args(arguments).stdin(Stdio::null());
    command.env_remove("RUST_LOG").env_remove("RUST_BACKTRACE");
    command
}

/// Splits a line into words. Text between `'` may contain blanks.
fn words(line: &str) -> impl Iterator<Item = String> {
    let parts = line.replace("QIRKAT", QIRKAT);
    let parts: Vec<String> = parts.split('\'').map(str::to_owned).collect();
    parts.into_iter().enumerate().flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part],
    })
}

pub struct Ended {
    pub out: String,
    pub err: String,
    pub code: Option<i32>,
}

/// A folder for one test, in which the program runs; deleted when the test passes.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder for the test"))
    }

    pub fn with<T: AsRef<[u8]>>(files: impl IntoIterator<Item = (&'static str, T)>) -> Folder {
        let folder = Folder::new();
        files.into_iter().for_each(|(name, content)| drop(folder.write(name, content)));
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.path(name), content).expect("a file for the test");
        self.path(name)
    }

    pub fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// The names of what it holds, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder").flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        names
    }

    /// The text of a file; empty if it does not exist.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect(name)
    }

    /// The program with the words of a line as arguments; `QIRKAT` stands for its path.
    pub fn command(&self, line: &str) -> Command {
        let mut command = qirkat([]);
        command.args(words(line)).current_dir(&self.0).env(MARK, self.0.path()).env("LC_ALL", "C");
        for home in ["HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
            command.env(home, self.0.path());
        }
        command
    }

    /// The same with limits set by `ulimit`.
    pub fn limited(&self, limits: &str, line: &str) -> Command {
        let command = self.command(line);
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit {limits}; exec \"$0\" \"$@\""), QIRKAT]);
        shell.args(command.get_args()).current_dir(&self.0);
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        shell
    }

    pub fn start(&self, line: &str) -> Running {
        Running::start(self.command(line))
    }

    pub fn run(&self, line: &str) -> Ended {
        self.start(line).finish()
    }

    /// Runs a line with this input, of which it need not read all.
    pub fn fed(&self, line: &str, input: &str) -> Ended {
        let mut running = self.start(line);
        running.feed(input);
        running.finish()
    }

    /// Runs a line that must exit with this status.
    pub fn ends(&self, code: i32, line: &str) -> Ended {
        let ended = self.run(line);
        assert_eq!(ended.code, Some(code), "{line}\n{}\n{}", ended.out, ended.err);
        ended
    }

    /// Runs what must succeed, with or without warnings.
    pub fn play(&self, line: &str) -> String {
        self.ends(0, line).out
    }

    /// Runs what must succeed with an empty stderr.
    pub fn good(&self, line: &str) -> String {
        let Ended { out, err, .. } = self.ends(0, line);
        assert_eq!(err, "", "{line}");
        out
    }

    /// Runs a line that must be refused at once, with one line that contains this.
    pub fn refuse(&self, line: &str, complaint: &str) {
        let Ended { out, err, .. } = self.ends(2, line);
        assert_eq!(out, "", "{line}\n{err}");
        assert!(err.starts_with("qirkat: ") && err.contains(complaint), "{line}\n{err}");
        assert_eq!(err.lines().count(), 1, "{line}\n{err}");
    }

    /// The same for several lines with a common beginning.
    pub fn refuse_all(&self, begin: &str, cases: &[(&str, &str)]) {
        for (rest, complaint) in cases {
            self.refuse(&format!("{begin} {rest}"), complaint);
        }
    }

    /// The command lines of all running processes with this test's mark. Linux only.
    fn processes(&self) -> Vec<String> {
        let mark = format!("{MARK}={}", self.0.path().display());
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let marked = entries.filter_map(|entry| {
            let environment = fs::read(entry.path().join("environ")).ok()?;
            environment.split(|&byte| byte == 0).find(|one| *one == mark.as_bytes())?;
            let command = fs::read(entry.path().join("cmdline")).ok()?;
            Some(String::from_utf8_lossy(&command).replace('\0', " "))
        });
        marked.collect()
    }
}

/// No process of the test is left. Killed processes may take a moment to end.
impl Drop for Folder {
    fn drop(&mut self) {
        self.0.disable_cleanup(thread::panicking());
        if !thread::panicking() {
            wait_until("end of all processes", || self.processes().is_empty());
        }
    }
}

pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + HUNG;
    while !holds() {
        assert!(Instant::now() < until, "no {what}");
        sleep(Duration::from_millis(10));
    }
}

/// Reads a pipe in the background.
struct PipeReader {
    bytes: Arc<Mutex<Vec<u8>>>,
    /// Closed at the end of the pipe.
    more: Receiver<()>,
}

impl PipeReader {
    fn from(pipe: Option<impl Read + Send + 'static>) -> PipeReader {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&bytes);
        let (sender, more) = channel();
        thread::spawn(move || {
            let mut part = vec![0; 1 << 12];
            let mut pipe = pipe.expect("it is piped");
            while let Ok(count @ 1..) = pipe.read(&mut part) {
                heard.lock().expect("a reader").extend_from_slice(&part[..count]);
                let _ = sender.send(());
            }
        });
        PipeReader { bytes, more }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().expect("a reader")).into_owned()
    }

    /// Whether the pipe is closed before `until`.
    fn ends_before(&self, until: Instant) -> bool {
        loop {
            match self.more.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(()) => {}
                Err(end) => return end == RecvTimeoutError::Disconnected,
            }
        }
    }
}

/// A running program, killed when dropped.
pub struct Running {
    child: Child,
    input: Option<ChildStdin>,
    heard: Option<[PipeReader; 2]>,
}

impl Running {
    pub fn start(mut command: Command) -> Running {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let heard = [PipeReader::from(child.stdout.take()), PipeReader::from(child.stderr.take())];
        Running { input: child.stdin.take(), heard: Some(heard), child }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes to its input, which stays open. The program may have ended.
    pub fn feed(&mut self, text: &str) {
        drop(self.input.as_mut().expect("an open input").write_all(text.as_bytes()));
    }

    /// Its resident memory. Linux only.
    pub fn megabytes(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        let kilobytes = line.trim_end_matches("kB").trim().parse::<u64>();
        kilobytes.unwrap_or_default() / 1024
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it runs");
    }

    /// Its standard output so far.
    pub fn said(&self) -> String {
        self.heard.as_ref().expect("it is read")[0].text()
    }

    pub fn wait_until(&mut self, what: &str, mut holds: impl FnMut() -> bool) {
        wait_until(what, || {
            let has_ended = self.child.try_wait().expect("a child").is_some();
            let holds = holds();
            assert!(holds || !has_ended, "it ended before {what}");
            holds
        });
    }

    /// Waits until standard output or error contains this.
    pub fn wait_for(&mut self, words: &str) {
        let heard = self.heard.as_ref().expect("it is read");
        wait_until(words, || {
            let has_ended = heard.iter().all(|heard| heard.ends_before(Instant::now()));
            let is_said = heard.iter().any(|heard| heard.text().contains(words));
            assert!(is_said || !has_ended, "it ended before {words}: {}", heard[1].text());
            is_said
        });
    }

    /// Closes its input and waits for its end.
    pub fn finish(mut self) -> Ended {
        self.input = None;
        self.end()
    }

    fn end(mut self) -> Ended {
        let until = Instant::now() + HUNG;
        let heard = self.heard.take().expect("it is read");
        assert!(heard.iter().all(|heard| heard.ends_before(until)), "it hangs");
        let mut status = None;
        while status.is_none() {
            assert!(Instant::now() < until, "it hangs");
            status = self.child.try_wait().expect("a child");
            sleep(Duration::from_millis(if status.is_none() { 1 } else { 0 }));
        }
        let [out, err] = heard.map(|heard| heard.text());
        Ended { out, err, code: status.and_then(|status| status.code()) }
    }

    /// Sends SIGINT while its input stays open.
    pub fn interrupt(self) -> Ended {
        self.signal(Signal::INT);
        self.end()
    }

    pub fn kill(self) {
        self.signal(Signal::KILL);
        self.end();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Runs all cases in parallel, as separate tests would be.
pub fn each<T: Sync>(cases: &[T], run: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    run(case);
                }
            });
        }
    });
}
