//! The versions of the program's file formats. Files of earlier programs have none in their text
//! and are read; files of newer programs are refused in one line that says so.

use crate::run::Folder;

/// Where the version stands in a file.
#[derive(Clone, Copy)]
enum Place {
    /// As a number in JSON or TOML, between these texts.
    Text(&'static str, &'static str),
    /// As a byte at this offset, with this current value.
    Byte(usize, u8),
}

use Place::{Byte, Text};

const TOML: Place = Text("version = ", "\n");
const RESUME: &str = ".. --resume";

/// A file, the command that writes it, and the one that reads it as `..`.
const KINDS: [(&str, Place, &str, &str); 9] = [
    (
        "match.pgn.match.toml",
        TOML,
        "match -engine cmd=QIRKAT name=a -engine cmd=QIRKAT name=b -each nodes=20 -rounds 1 \
         -maxmoves 4 -pgnout match.pgn",
        RESUME,
    ),
    (
        "match.json",
        Text("\"version\": ", ","),
        "match -engine cmd=QIRKAT name=a -engine cmd=QIRKAT name=b -each nodes=20 -rounds 1 \
         -maxmoves 4 -report match.json",
        "match --merge match.json",
    ),
    ("data.datagen.toml", TOML, "datagen --output data --positions 50 --nodes 40", RESUME),
    ("data", Byte(8, 2), "", "data count data"),
    ("out.pgn.annotate.toml", TOML, "annotate games.pgn --nodes 50 --output out.pgn", RESUME),
    ("saved", Byte(7, 1), "train --data data --epochs 1 --output net --checkpoint saved", RESUME),
    ("net", Byte(8, 3), "", "analyse --nodes 20 --eval-file net"),
    (
        "tables/KNvK.qtb",
        Byte(8, 4),
        "tables build --wdl --output tables KNvK",
        "analyse --nodes 20 --table-path tables",
    ),
    ("survey", Text("\"version\":", ","), "tables survey --men 3 --output survey KNvK", ".."),
];

#[test]
fn other_versions_are_read_or_refused_with_the_next_step() {
    let folder = Folder::with([("games.pgn", "1. e4 e6 2. d3 d7 1-0\n")]);
    for (file, version_at, made_by, read_by) in KINDS {
        if !folder.has(file) {
            folder.play(made_by);
        }
        let read_by = read_by.replace("..", made_by);
        let good = folder.bytes(file);
        folder.play(&read_by);
        let (known, older, newer) = match version_at {
            Text(before, behind) => {
                let text = String::from_utf8(good.clone()).expect("a text");
                let now = format!("{before}1{behind}");
                assert!(text.contains(&now), "{file}: {text}");
                let with = |new: &str| text.replacen(&now, new, 1).into_bytes();
                (1, with(""), with(&format!("{before}2{behind}")))
            }
            Byte(at, known) => {
                assert_eq!(good[at], known, "{file}");
                let with = |version| [&good[..at], &[version], &good[at + 1..]].concat();
                (known, with(0), with(known + 1))
            }
        };
        let refuse = |step: &str| {
            let err = folder.ends(2, &read_by).err;
            assert!(err.contains(step) && err.contains(file) && err.lines().count() == 1, "{err}");
        };
        folder.write(file, newer);
        refuse(&format!("it needs a newer Qirkat (format {}, not {known})", known + 1));
        folder.write(file, older);
        match version_at {
            Text(..) => drop(folder.play(&read_by)),
            Byte(..) => {
                refuse(&format!("create it again (format 0, not {known})"));
                folder.write(file, &good);
            }
        }
    }
}
