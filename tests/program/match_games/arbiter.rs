//! The arbiter as a child process in a folder of its own. Every wait has an
//! end, and whatever a match starts bears a mark by which it is found again.

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::run::{QIRKAT, qirkat};

/// A match that has not ended after this hangs.
pub const HUNG: Duration = Duration::from_secs(100);
/// All processes of a match inherit this.
const MARK: &str = "QIRKAT_TEST_MATCH";

/// A folder for one test, gone when the test has passed.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder for the test"))
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.file(name);
        fs::write(&path, text).expect("a file for the test");
        path
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap_or_default()
    }

    fn mark(&self) -> String {
        format!("{MARK}={}", self.0.path().display())
    }

    /// `qirkat` with a line of words; `QIRKAT` stands for the program.
    pub fn start(&self, line: &str) -> Running {
        self.start_words(line.split_ascii_whitespace().map(str::to_owned))
    }

    /// The same with words that may hold spaces.
    pub fn start_words(&self, words: impl Iterator<Item = String>) -> Running {
        let mut child = qirkat([])
            .args(words.map(|word| word.replace("QIRKAT", QIRKAT)))
            .current_dir(self.0.path())
            .env(MARK, self.0.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("qirkat starts");
        let out = collect(child.stdout.take());
        let err = collect(child.stderr.take());
        Running { child, texts: Some([out, err]) }
    }

    /// Runs to the end, which must be a good one, and leaves nobody behind.
    pub fn play(&self, line: &str) -> String {
        let (out, err, code) = self.finish(self.start(line));
        assert_eq!(code, Some(0), "{line}\n{out}\n{err}");
        out
    }

    /// Runs a line that is refused with one line that holds this complaint.
    pub fn refuse(&self, line: &str, complaint: &str) {
        let (out, err, code) = self.finish(self.start(line));
        assert_eq!((out.as_str(), code), ("", Some(2)), "{line}\n{err}");
        assert!(err.starts_with("qirkat: ") && err.contains(complaint), "{line}\n{err}");
        assert_eq!(err.lines().count(), 1, "{line}\n{err}");
    }

    /// Waits for the end: standard output, standard error, exit status.
    pub fn finish(&self, running: Running) -> (String, String, Option<i32>) {
        let end = self.end_of(running);
        self.expect_nobody();
        end
    }

    /// The same while other matches of the folder go on.
    pub fn end_of(&self, running: Running) -> (String, String, Option<i32>) {
        let output = running.finish();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), text(&output.stderr), output.status.code())
    }

    /// Whether every game of a file is legal, by `qirkat pgn check`.
    pub fn check_games(&self, name: &str) {
        self.play(&format!("pgn check {name}"));
    }

    /// No process of this test's matches is left. The killed may take a
    /// moment to go.
    pub fn expect_nobody(&self) {
        let until = Instant::now() + Duration::from_secs(10);
        loop {
            let left = self.processes();
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < until, "left behind: {left:?}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The command lines of all running processes with this test's mark.
    /// Only Linux tells.
    fn processes(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
        let mark = self.mark();
        entries
            .flatten()
            .filter_map(|entry| {
                let environment = fs::read(entry.path().join("environ")).ok()?;
                environment.split(|&byte| byte == 0).find(|one| *one == mark.as_bytes())?;
                let command = fs::read(entry.path().join("cmdline")).ok()?;
                Some(String::from_utf8_lossy(&command).replace('\0', " "))
            })
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.0.disable_cleanup(thread::panicking());
    }
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut bytes).expect("a readable pipe");
        }
        bytes
    })
}

/// An arbiter at work, killed when dropped.
pub struct Running {
    child: Child,
    texts: Option<[JoinHandle<Vec<u8>>; 2]>,
}

impl Running {
    /// Its number in the system.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args(["-s", name, &id]).status();
        assert!(status.expect("kill starts").success(), "kill -s {name}");
    }

    pub fn wait_until(&mut self, what: &str, mut holds: impl FnMut() -> bool) {
        let until = Instant::now() + HUNG;
        while !holds() {
            let ended = self.child.try_wait().expect("a child");
            assert!(ended.is_none(), "the match ended before {what}");
            assert!(Instant::now() < until, "no {what}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn finish(mut self) -> Output {
        let until = Instant::now() + HUNG;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            assert!(Instant::now() < until, "the match hangs");
            thread::sleep(Duration::from_millis(5));
        };
        let [stdout, stderr] =
            self.texts.take().expect("taken once").map(|text| text.join().expect("a reader"));
        Output { status, stdout, stderr }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait()
            && let Err(error) = self.child.kill().and_then(|()| self.child.wait().map(|_| ()))
        {
            eprintln!("killing qirkat: {error}");
        }
    }
}
