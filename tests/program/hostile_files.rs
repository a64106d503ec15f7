//! Files that say what is not so, of their size above all: each is refused in a line, in little
//! memory and time.

use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use lzma_rust2::{XzOptions, XzWriter};

use crate::files::folder;
use crate::run::{QIRKAT, text};

/// Kilobytes of memory: a gigabyte.
const MEMORY: u32 = 1 << 20;

const START: &[u8] = include_bytes!("../../engine-config/tables/start.alquerque.cert");
const WON: &str = "mm3/5/1M1M1/5/2M2 w - - 0 1";

/// The program with little memory.
fn limited(arguments: &[&str]) -> Output {
    let limit = format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &limit, QIRKAT]).args(arguments).stdin(Stdio::null());
    shell.env_remove("RUST_LOG").env_remove("RUST_BACKTRACE").output().expect("a shell")
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut xz = XzWriter::new(Vec::new(), XzOptions::with_preset(0)).expect("memory");
    xz.write_all(bytes).expect("memory");
    xz.finish().expect("memory")
}

/// A certificate that White wins the start, of so many decisions, of which these bytes tell.
fn certificate(count: u64, columns: &[u8]) -> Vec<u8> {
    // The start: White's men, Black's men.
    let root: u64 = 0b00000_00000_11000_11111_11111 | 0b11111_11111_00011_00000_00000 << 25;
    let mut bytes = b"QALQCERT\x02\0\0\0\0".to_vec();
    bytes.extend(root.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend(columns);
    xz(&bytes)
}

/// White plays `b2c3`, and all is over in three plies: replies are left out.
fn lie() -> Vec<u8> {
    let root: u64 = 0b00000_00000_11000_11111_11111 | 0b11111_11111_00011_00000_00000 << 25;
    let mut columns = Vec::new();
    let mut rest = root;
    while rest > 127 {
        columns.push(rest as u8 | 128);
        rest >>= 7;
    }
    columns.extend([rest as u8, 0, 3, 2]);
    certificate(1, &columns)
}

/// Training data whose first block says that it has so many bytes of games.
fn block_of(bytes: u32) -> Vec<u8> {
    let mut data = b"QIRKDATA\x02\0\x01\0\0\0\0\0".to_vec();
    let mut header = [0; 20];
    header[..4].copy_from_slice(&bytes.to_le_bytes());
    data.extend(header);
    data.extend(crc32fast::hash(&header).to_le_bytes());
    data.extend([7; 100]);
    data
}

/// A table of this name that says it has so many blocks.
fn table(name: &str, blocks: u32) -> Vec<u8> {
    let mut bytes = b"QIRKTAB\0\x03\0\0\0\0".to_vec();
    bytes.extend(name.bytes());
    bytes.resize(13 + 16 + 200, 0);
    bytes.extend(6561_u32.to_le_bytes());
    bytes.extend(blocks.to_le_bytes());
    bytes.resize(1000, 0);
    bytes
}

/// As [`table`], of Alquerque.
fn men_table(men: [u8; 2], profiles: u32, blocks: u32) -> Vec<u8> {
    let mut bytes = b"QIRKTAB\0\x03\0\x02".to_vec();
    bytes.extend(men);
    bytes.resize(13 + 200, 0);
    bytes.extend(profiles.to_le_bytes());
    bytes.extend(blocks.to_le_bytes());
    bytes.resize(1000, 0);
    bytes
}

/// A proof's checkpoint that says it has so many positions that are won.
fn checkpoint_of_proof(won: u32) -> Vec<u8> {
    let mut bytes = b"QALQSAVE\x01\0\0\0\x03\0\0\0\0".to_vec();
    bytes.extend(won.to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// A report with this in place of what stands there.
fn report(from: &str, to: &str) -> Vec<u8> {
    let schedule = r#""kind":"round-robin","rounds":2,"games_per_meeting":2"#;
    let player = |name: &str| format!(r#"{{"name":"{name}","time_control":"nodes=1"}}"#);
    let game =
        r#"{"number":0,"pair":0,"white":0,"black":1,"result":"1/2-1/2","termination":"normal"}"#;
    let report = format!(
        r#"{{"players":[{},{}],"schedule":{{"players":2,{schedule}}},"sprt":null,"conditions":{{"shard":"1/4"}},"games":[{game}]}}"#,
        player("a"),
        player("b")
    );
    assert!(report.contains(from), "{report}");
    report.replace(from, to).into_bytes()
}

/// What is said of a file, by the command that reads it; `FILE` and `FOLDER` stand for it.
struct Case {
    name: &'static str,
    content: Vec<u8>,
    /// How long the file is, with a hole behind its content; zero for no more than that.
    length: u64,
    command: &'static str,
    words: &'static str,
}

fn case(
    name: &'static str,
    content: impl Into<Vec<u8>>,
    command: &'static str,
    words: &'static str,
) -> Case {
    Case { name, content: content.into(), length: 0, command, words }
}

const CHECK: &str = "solve check FILE";
const ANALYSE: &str = "analyse --game alquerque --depth 1 --table-path FOLDER";
const MERGE: &str = "match --merge FILE";
const CHECK_MEN: &str = "tables check --game alquerque --path FOLDER 1v1";
const PROBE: &str = "tables probe --path FOLDER --fen 8k/9/9/9/9/9/9/9/R3K4_w_-_-_0_1";
const PROBE_MEN: &str = "tables probe --game alquerque --path FOLDER --fen 5/2m2/5/2M2/5_w_-_-_0_1";
const PROVE: &str = "solve --game alquerque --men 3 --resume --checkpoint FILE --fen";

fn cases() -> Vec<Case> {
    let too_large = "damaged: it unpacks to more than any certificate has";
    let short = "damaged: shorter than its header says";
    let no_table = "damaged: its header is of no table";
    let many = "games are too many: 10000000 can be played";
    let block = "block 1 at byte 16 is damaged";
    let mut flipped = START.to_vec();
    flipped[START.len() / 2] ^= 16;
    let bomb = certificate(1 << 25, &vec![1; 1 << 22]);
    let huge = |case: Case| Case { length: 3 << 30, ..case };
    vec![
        case("a.cert", certificate(1 << 28, &[1; 9]), CHECK, too_large),
        case("a.cert", certificate(1 << 63, &[1; 9]), CHECK, too_large),
        case("a.cert", certificate(1 << 25, &[1; 9]), CHECK, "damaged: no state of decision 10"),
        case("a.cert", bomb.clone(), CHECK, too_large),
        case(
            "a.cert",
            &START[..START.len() / 3],
            CHECK,
            "damaged: it breaks off after 331474 bytes",
        ),
        case("a.cert", flipped.clone(), CHECK, "damaged: it cannot be unpacked near byte "),
        case("a.cert", lie(), CHECK, "a certificate that does not hold: "),
        huge(case("a.cert", *b"\xFD7zXZ\0", CHECK, "damaged: ")),
        huge(case("a.cert", START, CHECK, "damaged: more follows behind its end")),
        case("a.cert", bomb, ANALYSE, too_large),
        case("a.cert", flipped, ANALYSE, "damaged: it cannot be unpacked near byte "),
        case("a.cert", lie(), ANALYSE, "a certificate that does not hold: "),
        huge(case("KRvK.qtb", table("KRvK", 1 << 28), PROBE, no_table)),
        huge(case("KRvK.qtb", table("KPPPvKP", 1 << 27), PROBE, no_table)),
        case("KRvK.qtb", table("KPPPPvK", 0), PROBE, no_table),
        case("KRvK.qtb", table("KRvK", 1 << 25), PROBE, short),
        huge(case("KRvK.qtb", "", PROBE, "not a table of Qirkat")),
        case("1v1.alquerque.qtb", men_table([1, 1], 1 << 24, 1 << 24), PROBE_MEN, short),
        huge(case("1v1.alquerque.qtb", men_table([5, 5], 73_953, 1 << 24), PROBE_MEN, no_table)),
        case("games", block_of(1 << 25), "data count FILE", block),
        case("games", block_of(1 << 28), "data count FILE", block),
        case("games", block_of(u32::MAX), "data show FILE", block),
        case("games", block_of(1 << 25), "data check FILE", "is damaged (0 positions are sound)"),
        huge(case("net", "", "analyse --depth 1 --eval-file FILE", "not a network of Qirkat")),
        huge(case("net", "QIRKTRN\x01", "data show FILE", "not a file of games")),
        case(
            "proof",
            checkpoint_of_proof(u32::MAX),
            PROVE,
            "damaged: it is not as long as it says",
        ),
        huge(case("proof", "", PROVE, "out of memory")),
        huge(case("epd", "", "suite FILE", "not a text")),
        huge(case("pgn", "", "pgn check FILE", "not a text")),
        huge(case("survey", "", "tables survey --output FILE KRvK", "a line is too long")),
        huge(case("report", "", MERGE, "out of memory")),
        case("report", report("\"rounds\":2", &format!("\"rounds\":{}", 1_u64 << 63)), MERGE, many),
        case("report", report("meeting\":2", &format!("meeting\":{}", 1_u64 << 63)), MERGE, many),
        case("report", report("\"rounds\":2", "\"rounds\":5000001"), MERGE, many),
        case(
            "report",
            report("\"players\":2", &format!("\"players\":{}", u64::MAX)),
            MERGE,
            "2 players are in a report for 18446744073709551615",
        ),
        case(
            "report",
            report("\"number\":0", &format!("\"number\":{}", u64::MAX)),
            MERGE,
            "game 18446744073709551616 is in a report for 4",
        ),
        case("report", report("\"pair\":0", "\"pair\":4"), MERGE, "game 5 is in a report for 4"),
        case("report", report("\"white\":0", "\"white\":2"), MERGE, "game 1 is not between two"),
        case("report", report("1/4", "7/4"), MERGE, "a part such as 1/4, not `7/4`"),
        case("report", report("\"rounds\":2", "\"rounds\":-2"), MERGE, "a whole number from 0 on"),
        case("report", report("\"players\":[", "\"player\":["), MERGE, "no `players` in it"),
        case("report", "{", MERGE, "JSON that breaks off at line 1 column 1"),
        case("report", "x", MERGE, "not JSON at line 1 column 1"),
        case("report", *b"\xFF", MERGE, "not a text in UTF-8"),
        case("survey", "{}\n", "tables survey --output FILE KRvK", "no `table` in it"),
        case("1v1.alquerque.qtb", *b"QIRKTAB\0", CHECK_MEN, "damaged: it breaks off after 8 bytes"),
        case("KRvK.qtb", *b"QIRKTAB\0", PROBE, "damaged: it breaks off after 8 bytes"),
        case("games", *b"QIRKDATA", "data count FILE", "damaged: it breaks off after 8 bytes"),
        case("net", *b"QIRKNET\0", "analyse --depth 1 --eval-file FILE", "damaged"),
        case("proof", *b"QALQSAVE", PROVE, "damaged: it is not as long as it says"),
    ]
}

#[test]
fn nothing_is_believed_of_sizes() {
    for Case { name, content, length, command, words } in cases() {
        let folder = folder();
        let path = folder.path().join(name);
        fs::write(&path, content).expect("room on the disk");
        if length > 0 {
            let file = fs::OpenOptions::new().write(true).open(&path).expect("it is there");
            file.set_len(length).expect("a file with holes");
        }
        let place = |path: &Path| path.to_str().expect("a path in UTF-8").to_owned();
        let mut arguments: Vec<String> = command
            .split(' ')
            .map(|word| match word {
                "FILE" => place(&path),
                "FOLDER" => place(folder.path()),
                word => word.replace('_', " "),
            })
            .collect();
        if command == PROVE {
            arguments.push(WON.to_owned());
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = limited(&arguments);
        let told = text(&output.stderr);
        // `tables probe` leaves it out, and all others refuse to work with it.
        let expected: &[i32] = if [PROBE, PROBE_MEN].contains(&command) { &[0] } else { &[1, 2] };
        let status = output.status.code();
        assert!(status.is_some_and(|code| expected.contains(&code)), "{arguments:?}: {output:?}");
        assert_eq!(told.lines().count(), 1, "{arguments:?}: {told}");
        let reason = told.trim_end().rsplit(": ").next().unwrap_or_default();
        assert_eq!(told.matches(reason).count(), 1, "{arguments:?}: {told}");
        assert!(told.contains(&place(&path)) && told.contains(words), "{arguments:?}: {told}");
    }
}

/// A pipe may never begin.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_waited_for() {
    let folder = folder();
    let made = Command::new("mkfifo").current_dir(&folder).args(["pipe", "engines.toml"]).status();
    assert!(made.expect("mkfifo runs").success());
    let train = "train --output net --checkpoint pipe --resume --data games";
    let prove = "solve --game alquerque --men 3 --checkpoint pipe --resume";
    for (command, name) in [
        ("match --config pipe", "pipe"),
        ("match --merge pipe", "pipe"),
        ("match -engine conf=a -engine conf=b", "engines.toml"),
        (train, "pipe"),
        (prove, "pipe"),
        ("solve check pipe", "pipe"),
    ] {
        let mut program = Command::new(QIRKAT);
        let home = folder.path();
        program.current_dir(home).env("XDG_CONFIG_HOME", home).stdin(Stdio::null());
        let output = program.args(command.split(' ')).output().expect("the binary runs");
        let told = text(&output.stderr);
        assert!(!output.status.success(), "{command}: {output:?}");
        assert!(told.ends_with(&format!("{name} is not a file\n")), "{command}: {told}");
        assert_eq!(told.lines().count(), 1, "{command}: {told}");
    }
}

/// The engine says so, and goes on with what the program carries.
#[test]
fn an_engine_believes_no_certificate_that_does_not_hold() {
    let folder = folder();
    fs::write(folder.path().join("lie.cert"), lie()).expect("room on the disk");
    let mut engine = Command::new(QIRKAT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut input = engine.stdin.take().expect("a pipe");
    let output = engine.stdout.take().expect("a pipe");
    let path = folder.path().display();
    writeln!(
        input,
        "setoption name UCI_Variant value alquerque\nsetoption name TablePath value {path}"
    )
    .and_then(|()| writeln!(input, "position startpos\ngo depth 1"))
    .expect("it reads");
    let lines = BufReader::new(output).lines().map(|line| line.expect("text"));
    let mut said: Vec<String> = Vec::new();
    for line in lines {
        said.push(line);
        if said.last().is_some_and(|line| line.starts_with("bestmove")) {
            break;
        }
    }
    drop(input);
    assert!(engine.wait().expect("it ends").success());
    let said = said.join("\n");
    let refused = format!(
        "info string error: option TablePath: {path}/lie.cert: a certificate that does not hold: "
    );
    assert!(said.contains(&refused) && said.contains("; left out\n"), "{said}");
    assert!(said.contains("score mate 47 ") && said.contains("\nbestmove c2c3"), "{said}");
}
