//! Misuse is reported in one line, and changes no file.

use std::collections::BTreeMap;
use std::fs;

use crate::run::{Folder, each};

const FILES: [(&str, &str); 14] = [
    ("empty.pgn", ""),
    ("empty.epd", ""),
    // An illegal game, then one of three plies.
    ("games.pgn", "[Event \"a\"]\n\n1. e4 Ke5 *\n\n[Event \"b\"]\n\n1. e4 e6 2. d4 *\n"),
    ("three.pgn", "1. e4 *\n\n1. d4 *\n\n1. c4 *\n"),
    ("bad.epd", "nonsense\n"),
    ("one.epd", "4k4/9/9/9/9/9/9/9/R3K4 w - -\n"),
    ("bad.toml", "rounds = 3\nround = 4\n"),
    ("name.toml", "engine = [{ name = \"A\\n\", cmd = \"a\" }, { cmd = \"b\" }]\neach.depth = 1\n"),
    ("pgnout.toml", "pgnout = { file = \"a.pgn\", nodse = true }\n"),
    ("zero.toml", "[draw]\nmovecount = 0\nscore = 5\n"),
    ("never.toml", "[resign]\nmovecount = 3\nscore = -1\n"),
    ("odd.jsonl", "KRvK 19\n"),
    ("binary", "QIRKDATA\0\0"),
    ("program", "\0\u{1}ELF * *\n"),
];

#[test]
fn misuse_is_reported_in_one_line() {
    let folder = Folder::with(FILES);
    let mut begin = "";
    let mut calls = Vec::new();
    for line in include_str!("refused.txt").lines().filter(|line| !line.starts_with('#')) {
        match line.trim().split_once("::") {
            Some((rest, complaint)) => calls.push((format!("{begin} {rest}"), complaint.trim())),
            None => begin = line,
        }
    }
    calls.retain(|(call, _)| cfg!(feature = "play") || !call.starts_with("play"));
    assert!(calls.len() > 200, "{}", calls.len());
    each(&calls, |(call, complaint)| folder.refuse(call, complaint));
    let entries = fs::read_dir(folder.path("")).expect("the folder").flatten();
    let left = entries
        .filter_map(|entry| Some((entry.file_name(), fs::read_to_string(entry.path()).ok()?)))
        .filter(|(_, text)| !text.is_empty());
    let files = FILES.into_iter().filter(|(_, text)| !text.is_empty());
    let files = files.map(|(name, text)| (name.into(), text.to_owned()));
    assert_eq!(left.collect::<BTreeMap<_, _>>(), files.collect());
}
