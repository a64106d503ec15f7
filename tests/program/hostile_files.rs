//! Files with false content, above all false sizes: each is rejected in one line, with little
//! memory and time.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::process::Command;

use lzma_rust2::{XzOptions, XzWriter};

use qirkat_testing::effort;

use crate::run::{Folder, Running};

/// Memory limit in kilobytes: half a gigabyte.
const LITTLE_MEMORY: &str = "-v 524288";

const START: &[u8] = include_bytes!("../../engine-config/tables/start.alquerque.cert");
/// The men of the initial position: White's, Black's.
const ROOT: u64 = 0b00000_00000_11000_11111_11111 | 0b11111_11111_00011_00000_00000 << 25;

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut xz = XzWriter::new(Vec::new(), XzOptions::with_preset(0)).expect("memory");
    xz.write_all(bytes).expect("memory");
    xz.finish().expect("memory")
}

fn certificate(count: u64, columns: &[u8]) -> Vec<u8> {
    let mut bytes = b"QALQCERT\x02\0\0\0\0".to_vec();
    bytes.extend(ROOT.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend(columns);
    xz(&bytes)
}

/// White plays `b2c3` and wins in three plies: replies are missing.
fn lie() -> Vec<u8> {
    let mut columns = Vec::new();
    let mut rest = ROOT;
    while rest > 127 {
        columns.push(rest as u8 | 128);
        rest >>= 7;
    }
    columns.extend([rest as u8, 0, 3, 2]);
    certificate(1, &columns)
}

fn block_of(bytes: u32) -> Vec<u8> {
    let mut data = b"QIRKDATA\x02\0\x01\0\0\0\0\0".to_vec();
    let mut header = [0; 20];
    header[..4].copy_from_slice(&bytes.to_le_bytes());
    data.extend(header);
    data.extend(crc32fast::hash(&header).to_le_bytes());
    data.extend([7; 100]);
    data
}

/// A table with this header after its magic number, which declares this many profiles and blocks.
fn table_of(kind: &[u8], size: usize, profiles: u32, blocks: u32) -> Vec<u8> {
    let mut bytes = [b"QIRKTAB\0\x03\0", kind].concat();
    bytes.resize(size, 0);
    bytes.extend([profiles, blocks].map(u32::to_le_bytes).concat());
    bytes.resize(1000, 0);
    bytes
}

fn table(name: &str, blocks: u32) -> Vec<u8> {
    table_of(&[b"\0\0\0", name.as_bytes()].concat(), 13 + 16 + 200, 6561, blocks)
}

fn men_table([own, others]: [u8; 2], profiles: u32, blocks: u32) -> Vec<u8> {
    table_of(&[2, own, others], 13 + 200, profiles, blocks)
}

fn checkpoint_of_proof(won: u32) -> Vec<u8> {
    let mut bytes = b"QALQSAVE\x01\0\0\0\x03\0\0\0\0".to_vec();
    bytes.extend(won.to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// A report with a value behind a name replaced, where `MAX` stands for the largest number.
fn report(name: &str, from: &str, to: &str) -> Vec<u8> {
    let [from, to] =
        [from, to].map(|it| format!("{name}{it}").replace("MAX", "18446744073709551615"));
    let schedule = r#""kind":"round-robin","rounds":2,"games_per_meeting":2"#;
    let player = |name: &str| format!(r#"{{"name":"{name}","time_control":"nodes=1"}}"#);
    let game =
        r#"{"number":0,"pair":0,"white":0,"black":1,"result":"1/2-1/2","termination":"normal"}"#;
    let report = format!(
        r#"{{"players":[{},{}],"schedule":{{"players":2,{schedule}}},"sprt":null,"conditions":{{"shard":"1/4"}},"games":[{game}]}}"#,
        player("a"),
        player("b")
    );
    assert!(report.contains(&from), "{report}");
    report.replace(&from, &to).into_bytes()
}

/// A file, its content, the command that reads it as `FILE`, and the expected message.
type Case = (Text, Vec<u8>, Text, Text);
type Text = &'static str;

fn case(name: Text, content: impl Into<Vec<u8>>, command: Text, words: Text) -> Case {
    (name, content.into(), command, words)
}

const CHECK: &str = "solve check FILE";
const ANALYSE: &str = "analyse --game alquerque --depth 1 --table-path .";
const EVALUATE: &str = "analyse --depth 1 --eval-file FILE";
const MERGE: &str = "match --merge FILE";
const CHECK_MEN: &str = "tables check --game alquerque --path . 1v1";
const PROBE: &str = "tables probe --path . --fen '8k/9/9/9/9/9/9/9/R3K4 w - - 0 1'";
const PROBE_MEN: &str = "tables probe --game alquerque --path . --fen '5/2m2/5/2M2/5 w - - 0 1'";
const PROVE: &str = "solve --game alquerque --men 3 --resume --checkpoint FILE \
                     --fen 'mm3/5/1M1M1/5/2M2 w - - 0 1'";
const SURVEY: &str = "tables survey --output FILE KRvK";

const TOO_LARGE: &str = "damaged: it unpacks to more than any certificate has";
const NO_TABLE: &str = "damaged: its header is not that of a table";
const SHORTER: &str = "damaged: shorter than its header says";
const BLOCK: &str = "block 1 at byte 16 is damaged";
const NOT_SO_LONG: &str = "damaged: its length is wrong";
const NOT_UNPACKED: &str = "damaged: it cannot be unpacked near byte ";
const LIE: &str = "a certificate that does not hold: ";

fn huge() -> Vec<Case> {
    vec![
        case("a.cert", *b"\xFD7zXZ\0", CHECK, "damaged: "),
        case("a.cert", START, CHECK, "damaged: there are bytes after its end"),
        case("KRvK.qtb", table("KRvK", 1 << 28), PROBE, NO_TABLE),
        case("KRvK.qtb", table("KPPPvKP", 1 << 27), PROBE, NO_TABLE),
        case("KRvK.qtb", "", PROBE, "not a table of Qirkat"),
        case("1v1.alquerque.qtb", men_table([5, 5], 73_953, 1 << 24), PROBE_MEN, NO_TABLE),
        case("net", "", EVALUATE, "not a network of Qirkat"),
        case("net", "QIRKTRN\x01", "data show FILE", "not a file of games"),
        case("proof", "", PROVE, "out of memory"),
        case("epd", "", "suite FILE", "not a text"),
        case("pgn", "", "pgn check FILE", "not a text"),
        case("survey", "", SURVEY, "a line is too long"),
        case("report", "", MERGE, "out of memory"),
    ]
}

fn cases() -> Vec<Case> {
    let mut flipped = START.to_vec();
    flipped[START.len() / 2] ^= 16;
    let bomb = certificate(1 << 25, &vec![1; 1 << 22]);
    let third = &START[..START.len() / 3];
    let mut cases = vec![
        case("a.cert", certificate(1 << 28, &[1; 9]), CHECK, TOO_LARGE),
        case("a.cert", certificate(1 << 63, &[1; 9]), CHECK, TOO_LARGE),
        case("a.cert", certificate(1 << 25, &[1; 9]), CHECK, "damaged: no state of decision 10"),
        case("a.cert", bomb.clone(), CHECK, TOO_LARGE),
        case("a.cert", third, CHECK, "damaged: it breaks off after 331474 bytes"),
        case("a.cert", flipped.clone(), CHECK, NOT_UNPACKED),
        case("a.cert", lie(), CHECK, LIE),
        case("a.cert", bomb, ANALYSE, TOO_LARGE),
        case("a.cert", flipped, ANALYSE, NOT_UNPACKED),
        case("a.cert", lie(), ANALYSE, LIE),
        case("KRvK.qtb", table("KPPPPvK", 0), PROBE, NO_TABLE),
        case("KRvK.qtb", table("KRvK", 1 << 25), PROBE, SHORTER),
        case("1v1.alquerque.qtb", men_table([1, 1], 1 << 24, 1 << 24), PROBE_MEN, SHORTER),
        case("games", block_of(1 << 25), "data count FILE", BLOCK),
        case("games", block_of(1 << 28), "data count FILE", BLOCK),
        case("games", block_of(u32::MAX), "data show FILE", BLOCK),
        case("games", block_of(1 << 25), "data check FILE", "is damaged (0 positions are sound)"),
        case("proof", checkpoint_of_proof(u32::MAX), PROVE, NOT_SO_LONG),
        case("survey", "{}\n", SURVEY, "missing `table`"),
        case("1v1.alquerque.qtb", *b"QIRKTAB\0", CHECK_MEN, "damaged: it breaks off after 8 bytes"),
        case("KRvK.qtb", *b"QIRKTAB\0", PROBE, "damaged: it breaks off after 8 bytes"),
        case("games", *b"QIRKDATA", "data count FILE", "damaged: it breaks off after 8 bytes"),
        case("net", *b"QIRKNET\0", EVALUATE, "damaged"),
        case("proof", *b"QALQSAVE", PROVE, NOT_SO_LONG),
        case("report", "{", MERGE, "not JSON: EOF while parsing an object at line 1 column 1"),
        case("report", "x", MERGE, "not JSON: expected value at line 1 column 1"),
        case("report", *b"\xFF", MERGE, "not a text in UTF-8"),
    ];
    // Reports with one value replaced.
    let many = "too many games: 10000000 at most";
    for (name, from, to, words) in [
        ("\"rounds\":", "2", "9223372036854775808", many),
        ("meeting\":", "2", "9223372036854775808", many),
        ("\"rounds\":", "2", "5000001", many),
        ("\"players\":", "2", "MAX", "2 players are in a report for 18446744073709551615"),
        ("\"number\":", "0", "MAX", "game 18446744073709551616 is in a report for 4"),
        ("\"pair\":", "0", "4", "game 5 is in a report for 4"),
        ("\"white\":", "0", "2", "game 1 is not between two"),
        ("", "1/4", "7/4", "a part such as 1/4, not `7/4`"),
        ("\"rounds\":", "2", "-2", "invalid value: integer `-2`"),
        ("\"player", "s\":[", "\":[", "missing `players`"),
    ] {
        cases.push(case("report", report(name, from, to), MERGE, words));
    }
    cases
}

#[test]
fn declared_sizes_are_not_trusted() {
    let huge = huge().into_iter().map(|case| (case, 3 << 30));
    let all = huge.chain(cases().into_iter().map(|it| (it, 0)));
    for ((name, content, command, words), hole) in all.step_by(effort([2, 1, 1])) {
        let folder = Folder::new();
        let length = content.len() as u64 + hole;
        let file = folder.write(name, content);
        let file = OpenOptions::new().write(true).open(file).expect("it is there");
        file.set_len(length).expect("a file with holes");
        let line = command.replace("FILE", name);
        let ended = Running::start(folder.limited(LITTLE_MEMORY, &line)).finish();
        let told = ended.err;
        // `tables probe` skips it; all other commands reject it.
        let expected: &[i32] = if [PROBE, PROBE_MEN].contains(&command) { &[0] } else { &[1, 2] };
        assert!(ended.code.is_some_and(|code| expected.contains(&code)), "{line}: {told}");
        assert_eq!(told.lines().count(), 1, "{line}: {told}");
        let reason = told.trim_end().rsplit(": ").next().unwrap_or_default();
        assert_eq!(told.matches(reason).count(), 1, "{line}: {told}");
        assert!(told.contains(name) && told.contains(words), "{line}: {words}: {told}");
    }
}

/// A pipe may never deliver anything.
#[test]
fn pipes_and_devices_are_not_waited_for() {
    let folder = Folder::new();
    let mut mkfifo = Command::new("mkfifo");
    let made = mkfifo.current_dir(folder.path("")).args(["pipe", "engines.toml"]).status();
    assert!(made.expect("mkfifo runs").success());
    for (line, name) in [
        ("match --config pipe", "pipe"),
        ("match --merge pipe", "pipe"),
        ("match -engine conf=a -engine conf=b", "engines.toml"),
        ("train --output net --checkpoint pipe --resume --data games", "pipe"),
        ("solve --game alquerque --men 3 --checkpoint pipe --resume", "pipe"),
        ("solve check pipe", "pipe"),
    ] {
        folder.refuse(line, &format!("{name} is not a file\n"));
    }
}

/// The engine reports it, and uses the embedded certificate.
#[test]
fn an_engine_rejects_an_invalid_certificate() {
    let folder = Folder::with([("lie.cert", lie())]);
    let mut engine = folder.start("");
    engine.feed(
        "setoption name UCI_Variant value alquerque\nsetoption name TablePath value .\n\
         position startpos\ngo depth 1\n",
    );
    engine.wait_for("\nbestmove c2c3");
    let said = engine.finish().out;
    let refused = format!("info string error: option TablePath: ./lie.cert: {LIE}");
    assert!(said.contains(&refused) && said.contains("; left out\n"), "{said}");
    assert!(said.contains("score mate 47 "), "{said}");
}
