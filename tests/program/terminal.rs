use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::run::Folder;

/// The terminal's content after these lines are typed, the last of which ends the program.
fn typed(line: &str, columns: u16, lines: &str) -> String {
    let folder = Folder::new();
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudoterminal");
    grantpt(&master).and_then(|()| unlockpt(&master)).expect("it is ours");
    let name = ptsname(&master, Vec::new()).expect("a name");
    let name = OsStr::from_bytes(name.as_bytes());
    let terminal = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("a terminal");
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&terminal, size).expect("a size");
    let mut master = File::from(master);
    master.write_all(lines.as_bytes()).expect("it is typed");
    let stdio = || Stdio::from(terminal.try_clone().expect("a copy"));
    let status = folder.command(line).stdin(stdio()).stdout(stdio()).status();
    assert!(status.expect("the binary runs").success(), "{line}");
    drop(terminal);
    let mut told = Vec::new();
    // Once all output is read, this returns an error or nothing.
    let _ = master.read_to_end(&mut told);
    String::from_utf8_lossy(&told).replace('\r', "")
}

/// Only a person who starts the program is told about UCI, not a GUI.
#[test]
fn uci_is_explained_at_a_terminal() {
    let told = typed("", 80, "isready\nquit\n");
    for words in ["UCI", "`qirkat board`", "`qirkat play`", "`qirkat help`", "readyok\n"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert!(told.lines().all(|line| line.len() <= 80), "{told}");
    assert_eq!(Folder::new().good(""), "");
}

#[test]
fn a_narrow_terminal_gets_short_lines() {
    let told = typed("play --plain --side both", 40, "moves\nhelp\nquit\n");
    let said = told.split_once("Chesquerque, two players").expect("a greeting").1;
    assert!(said.lines().all(|line| line.chars().count() <= 40), "{said}");
}
