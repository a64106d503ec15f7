//! The terminal after a panic, seen from the other end of a pseudoterminal.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use ratatui::crossterm::execute;
use ratatui::crossterm::style::Print;
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use super::*;

/// Tells this program, started anew on a pseudoterminal, which panic is wanted.
const WANTED: &str = "QIRKAT_TEST_PANIC";

/// Runs a test of this program once more, alone on a terminal of its own.
/// Returns what the terminal was sent, and whether its modes are as before.
fn on_a_terminal(test: &str, wanted: &str) -> (String, bool) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudoterminal");
    grantpt(&master).and_then(|()| unlockpt(&master)).expect("it is ours");
    let name = ptsname(&master, Vec::new()).expect("a name");
    let name = OsStr::from_bytes(name.as_bytes());
    let terminal = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("a terminal");
    let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&terminal, size).expect("a size");
    let modes = || tcgetattr(&terminal).expect("modes").local_modes;
    let before = modes();
    assert!(before.contains(LocalModes::ECHO | LocalModes::ICANON), "{before:?}");
    let stdio = || Stdio::from(terminal.try_clone().expect("a copy"));
    let mut child = Command::new(std::env::current_exe().expect("a path"))
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(WANTED, wanted)
        .env("RUST_BACKTRACE", "0")
        .stdin(stdio())
        .stdout(stdio())
        .stderr(stdio())
        .spawn()
        .expect("this program runs");
    child.wait().expect("an end");
    let is_restored = modes() == before;
    // At the end of what is left to be read there is an error, or nothing.
    drop(terminal);
    let mut told = Vec::new();
    let _ = File::from(master).read_to_end(&mut told);
    (String::from_utf8_lossy(&told).into_owned(), is_restored)
}

/// Fails unless these come one after the other.
fn expect(told: &str, parts: &[&str]) {
    let mut rest = told;
    for part in parts {
        let start = rest.find(part).unwrap_or_else(|| panic!("no {part:?} behind {told:?}"));
        rest = &rest[start + part.len()..];
    }
}

const ENTERED: &str = "\x1b[?1049h";
const LEFT: &str = "\x1b[?1049l";
const CURSOR_SHOWN: &str = "\x1b[?25h";

/// The thread that shows the screen panics: the terminal is given back before the reason is told.
#[test]
fn a_panic_gives_the_terminal_back() {
    if std::env::var_os(WANTED).is_some() {
        let _terminal = RealTerminal::open().expect("a terminal");
        panic!("it was on purpose");
    }
    let test = "commands::play::screen::panic_tests::a_panic_gives_the_terminal_back";
    let (told, is_restored) = on_a_terminal(test, "here");
    expect(&told, &[ENTERED, LEFT, CURSOR_SHOWN, "it was on purpose"]);
    assert!(is_restored, "{told:?}");
}

/// Another thread panics: the game goes on, and that is told when the screen is left.
#[test]
fn a_panic_elsewhere_does_not_spoil_the_screen() {
    if std::env::var_os(WANTED).is_some() {
        let terminal = RealTerminal::open().expect("a terminal");
        let other = thread::Builder::new().name("search".to_owned());
        let other = other.spawn(|| panic!("it was on purpose")).expect("a thread");
        assert!(other.join().is_err());
        execute!(stdout(), Print("the game goes on")).expect("a terminal");
        drop(terminal);
        return;
    }
    let test = "commands::play::screen::panic_tests::a_panic_elsewhere_does_not_spoil_the_screen";
    let (told, is_restored) = on_a_terminal(test, "elsewhere");
    expect(&told, &[ENTERED, "the game goes on", LEFT, "'search'", "it was on purpose"]);
    assert!(is_restored, "{told:?}");
}
