//! The versions of files that the program writes and reads again. Files of earlier programs
//! bear none in their text and are read; what a newer program has written is refused in a
//! line that says so.

use std::fs;

use crate::files::{folder, write};
use crate::run::{QIRKAT, qirkat, text};

/// How the version stands in a file.
#[derive(Clone, Copy)]
enum Place {
    /// As a number in JSON or TOML, with this before it and that behind it.
    Text(&'static str, &'static str),
    /// As a byte there, which is this one now.
    Byte(usize, u8),
}

/// A file, the command that makes it in the folder, and the one that reads it.
struct Kind {
    file: &'static str,
    place: Place,
    made_by: &'static str,
    read_by: &'static str,
}

const TOML: Place = Place::Text("version = ", "\n");

const MATCH: &str = "match -engine cmd=QIRKAT name=a -engine cmd=QIRKAT name=b -each nodes=20 \
                     -rounds 1 -games 2 -maxmoves 4 -pgnout match.pgn -report match.json";
const RESUMED: &str = "match -engine cmd=QIRKAT name=a -engine cmd=QIRKAT name=b -each nodes=20 \
                       -rounds 1 -games 2 -maxmoves 4 -pgnout match.pgn --resume";

const KINDS: [Kind; 9] = [
    Kind { file: "match.pgn.match.toml", place: TOML, made_by: MATCH, read_by: RESUMED },
    Kind {
        file: "match.json",
        place: Place::Text("\"version\": ", ","),
        made_by: MATCH,
        read_by: "match --merge match.json",
    },
    Kind {
        file: "data.datagen.toml",
        place: TOML,
        made_by: "datagen --output data --positions 200 --nodes 40 --threads 1",
        read_by: "datagen --output data --positions 200 --nodes 40 --threads 1 --resume",
    },
    Kind {
        file: "data",
        place: Place::Byte(8, 2),
        made_by: "datagen --output data --positions 200 --nodes 40 --threads 1",
        read_by: "data count data",
    },
    Kind {
        file: "out.pgn.annotate.toml",
        place: TOML,
        made_by: "annotate games.pgn --nodes 50 --output out.pgn",
        read_by: "annotate games.pgn --nodes 50 --output out.pgn --resume",
    },
    Kind {
        file: "checkpoint",
        place: Place::Byte(7, 1),
        made_by: "train --data DATA --epochs 1 --output new.net --checkpoint checkpoint",
        read_by: "train --data DATA --epochs 1 --output new.net --checkpoint checkpoint --resume",
    },
    Kind {
        file: "new.net",
        place: Place::Byte(8, 1),
        made_by: "train --data DATA --epochs 1 --output new.net",
        read_by: "analyse --nodes 20 --eval-file new.net",
    },
    Kind {
        file: "tables/KNvK.qtb",
        place: Place::Byte(8, 3),
        made_by: "tables build --men 3 --output tables KNvK",
        read_by: "analyse --nodes 20 --table-path tables",
    },
    Kind {
        file: "survey",
        place: Place::Text("\"version\":", ","),
        made_by: "tables survey --men 3 --output survey KNvK",
        read_by: "tables survey --men 3 --output survey KNvK",
    },
];

#[test]
fn other_versions_are_read_or_refused_with_the_next_step() {
    let room = folder();
    write(&room, "games.pgn", "1. e4 e6 2. d3 d7 1-0\n");
    let data = room.path().join("many").display().to_string();
    let run = |line: &str| {
        let line = line.replace("QIRKAT", QIRKAT).replace("DATA", &data);
        let mut command = qirkat(line.split_whitespace());
        let output = command.current_dir(room.path()).output().expect("the program starts");
        (output.status.code(), text(&output.stderr))
    };
    assert_eq!(run("datagen --output many --positions 200 --nodes 40 --threads 1").0, Some(0));
    for Kind { file, place, made_by, read_by } in KINDS {
        let path = room.path().join(file);
        if !path.exists() {
            assert_eq!(run(made_by).0, Some(0), "{made_by}");
        }
        let (good, found) = (fs::read(&path).expect(file), run(read_by));
        assert_eq!(found.0, Some(0), "{file}: {}", found.1);
        let (known, older, newer) = match place {
            Place::Text(before, behind) => {
                let text = String::from_utf8(good.clone()).expect("a text");
                let now = format!("{before}1{behind}");
                assert!(text.contains(&now), "{file}: {text}");
                let with = |new: &str| text.replacen(&now, new, 1).into_bytes();
                (1, with(""), with(&format!("{before}2{behind}")))
            }
            Place::Byte(at, known) => {
                assert_eq!(good[at], known, "{file}");
                let with = |version| {
                    let mut bytes = good.clone();
                    bytes[at] = version;
                    bytes
                };
                (known, with(0), with(known + 1))
            }
        };
        fs::write(&path, newer).expect("room on the disk");
        let (status, complaint) = run(read_by);
        let step = format!("it needs a newer Qirkat (format {}, not {known})", known + 1);
        assert!(status == Some(2) && complaint.contains(&step), "{file}: {complaint}");
        assert!(complaint.lines().count() == 1 && complaint.contains(file), "{complaint}");
        fs::write(&path, older).expect("room on the disk");
        let (status, complaint) = run(read_by);
        if matches!(place, Place::Text(..)) {
            assert_eq!(status, Some(0), "{file} of an earlier program: {complaint}");
        } else {
            let step = format!("make it anew (format 0, not {known})");
            assert!(status == Some(2) && complaint.contains(&step), "{file}: {complaint}");
            fs::write(&path, &good).expect("room on the disk");
        }
    }
}
