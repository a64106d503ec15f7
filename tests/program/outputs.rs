//! Output files: never overwritten without the option, written by one process at a time, and
//! checked for write access before the work begins.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::{FileTypeExt, symlink};

use crate::run::{Folder, Running};

const GAME: &str = "1. e4 e6 2. d3 d7 1-0\n";
const MATCH: &str = "match -engine cmd=QIRKAT name=a -engine cmd=QIRKAT name=b -each nodes=9 \
                     -rounds 1 -games 1 -maxmoves 2";

fn with_inputs() -> Folder {
    let folder = Folder::with([("games.pgn", GAME)]);
    folder.good("datagen --game alquerque --output data --positions 40 --nodes 20 --threads 1");
    folder
}

/// Every command that writes a file, its inputs, and the option that overwrites `OUT`.
const COMMANDS: [(&str, &str, &str); 11] = [
    ("pgn convert games.pgn -o OUT", "games.pgn", "--overwrite"),
    ("pgn merge games.pgn -o OUT", "games.pgn", "--overwrite"),
    ("annotate games.pgn --nodes 20 --svg OUT", "games.pgn", "--overwrite"),
    ("annotate games.pgn --nodes 20 --output OUT", "games.pgn", "--overwrite"),
    ("data merge data --output OUT", "data", "--overwrite"),
    ("data shuffle data --output OUT", "data", "--overwrite"),
    ("data export data --output OUT", "data", "--overwrite"),
    ("data repair data --output OUT", "data", "--overwrite"),
    ("train --data data --epochs 1 --output OUT", "data", "--overwrite"),
    ("train --data data --epochs 1 --output net --overwrite --plot OUT", "data", ""),
    ("train --data data --epochs 1 --output net --overwrite --checkpoint OUT", "data", ""),
];

#[test]
fn files_are_not_overwritten_without_the_option() {
    let folder = with_inputs();
    folder.write("out", "");
    symlink("out", folder.path("link")).expect("a link");
    for (command, input, asked) in COMMANDS {
        let line = command.replace("OUT", "link");
        if !asked.is_empty() {
            folder.write("out", "precious");
            folder.refuse(&line, "already exists");
            assert_eq!(folder.read("out"), "precious", "{line}");
        }
        for (before, more) in [("", ""), ("precious", asked)] {
            folder.write("out", before);
            folder.play(&format!("{line} {more}"));
            assert!(folder.path("link").is_symlink(), "{line}");
            let written = folder.bytes("out");
            assert!(!written.is_empty() && written != b"precious", "{line}");
        }
        let content = folder.bytes(input);
        let line = format!("{} {asked}", command.replace("OUT", input));
        folder.refuse(&line, "is read: name another file");
        assert!(folder.bytes(input) == content, "{command}");
    }
}

#[test]
fn unwritable_outputs_are_reported_at_once() {
    let folder = with_inputs();
    for (command, ..) in COMMANDS {
        for out in ["missing/out", "/proc/out", "."] {
            folder.refuse(&command.replace("OUT", out), out);
        }
        folder.refuse(&command.replace("OUT", "-"), "-: this needs the name of a file");
        if !command.ends_with("--nodes 20 --output OUT") {
            fs::remove_file(folder.path("full")).ok();
            symlink("/dev/full", folder.path("full")).expect("a link");
            let err = folder.ends(2, &command.replace("OUT", "full")).err;
            let last = err.lines().last().unwrap_or_default();
            assert!(last.contains("full: No space left on device"), "{command}: {err}");
            assert!(folder.path("full").is_symlink());
        }
    }
    let device = fs::metadata("/dev/full").expect("it is there").file_type();
    assert!(device.is_char_device());
}

#[test]
fn reports_can_go_to_devices_and_links() {
    let folder = Folder::with([("report.json", "{}")]);
    folder.refuse(&format!("{MATCH} --report /dev/full"), "No space left on device");
    folder.refuse(&format!("{MATCH} --report x.json.gz"), "-report: a file that grows with each");
    let said = File::create(folder.path("said")).expect("room on the disk");
    let mut to_file = folder.command(&format!("{MATCH} --report /dev/stdout"));
    assert!(to_file.stdout(said).status().expect("it starts").success());
    let said = folder.read("said");
    assert!(said.contains("Finished game 1") && said.contains("\"schedule\""), "{said}");
    folder.refuse(&format!("{MATCH} --report report.json"), "report.json already exists");
    folder.play(&format!("{MATCH} --report report.json --overwrite"));
    assert!(folder.read("report.json").contains("\"schedule\""));
}

/// Whether a process holds the file's lock. It is locked shortly after its creation.
fn is_held(folder: &Folder, name: &str) -> bool {
    File::open(folder.path(name))
        .is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

fn begin(folder: &Folder, line: &str, held: &str) -> Running {
    let mut running = folder.start(line);
    running.wait_until("the file is held", || is_held(folder, held));
    running
}

#[test]
fn files_being_written_are_refused() {
    let folder = with_inputs();
    for (line, again, held) in [
        ("datagen --output many --nodes 40 --threads 1 --positions 100000000", " --resume", "many"),
        ("train --data data --epochs 4000000000 --output net", " --overwrite", "net.part"),
        ("tables build --men 4 --threads 1 --output tables", "", "tables/.lock"),
        ("tables survey --men 4 --threads 1 --output survey", "", "survey"),
    ] {
        let again = format!("{line}{again}");
        let first = begin(&folder, line, held);
        folder.refuse(&again, "it is being written already");
        first.kill();
        begin(&folder, &again, held).kill();
    }
    folder.play("data check many");
}

#[test]
fn the_old_file_stays_until_the_new_one_is_complete() {
    let folder = Folder::with([
        ("games", GAME.repeat(2)),
        ("bad", "1. e9 1-0\n".to_owned()),
        ("notes", "just some notes\n".to_owned()),
    ]);
    let match_games = "match -engine cmd=/nowhere -engine cmd=QIRKAT -each nodes=9";
    for (line, status) in [
        ("annotate games --nodes 50 --output out --eval-file /nowhere", 2),
        ("annotate games --nodes 50 --output out --game 3", 2),
        ("annotate notes --nodes 50 --output out", 1),
        ("annotate bad --nodes 50 --output out", 1),
        ("annotate games --nodes 50 --svg out --eval-file /nowhere", 2),
        ("annotate games --nodes 50 --svg out --game 3", 2),
        ("pgn convert notes --output out", 1),
        ("pgn merge bad notes --output out", 1),
        ("pgn filter bad --output out", 1),
        ("data merge games --output out", 2),
        ("data repair notes --output out", 2),
        ("train --data games --output out", 2),
        ("train --data games --output new --plot out", 2),
        ("train --data games --output new --checkpoint out", 2),
        ("solve --game alquerque --moves d2c3 --men 2 --hash 1 --certificate out", 2),
        (&format!("{match_games} -report out"), 2),
        (&format!("{match_games} -log file=out append=false"), 2),
    ] {
        folder.write("out", "precious");
        folder.ends(status, &format!("{line} --overwrite"));
        assert_eq!(folder.read("out"), "precious", "{line}");
        fs::remove_file(folder.path("out.rejected.pgn")).ok();
        assert_eq!(folder.names(), ["bad", "games", "notes", "out"], "{line}");
    }
}

#[test]
fn settings_do_not_overwrite_other_files() {
    let folder = Folder::with([("games.pgn", GAME)]);
    for (line, beside) in [
        ("annotate games.pgn --nodes 10 --output out", "out.annotate.toml"),
        ("datagen --output out --positions 20 --nodes 20 --threads 1", "out.datagen.toml"),
        ("puzzles mine --output out --count 1", "out.mine.toml"),
        ("book build --output out --positions 1 --nodes 20", "out.build.toml"),
        (&format!("{MATCH} -pgnout out"), "out.match.toml"),
    ] {
        folder.write(beside, "rounds = 1\n");
        folder.refuse(line, "the settings of this run belong there: rename it");
        assert_eq!(folder.read(beside), "rounds = 1\n", "{line}");
        assert!(!folder.has("out"), "{line}");
    }
}

#[test]
fn ctrl_c_leaves_the_old_file() {
    let folder = with_inputs();
    for (line, held) in [
        ("pgn convert - --overwrite --output out", "out.part"),
        ("pgn merge - --overwrite --output out", "out.part"),
        ("annotate - --nodes 50 --overwrite --output out", "out.part"),
        (
            "train --data data --epochs 4000000000 --batch-size 1000000 --overwrite --output out",
            "out.part",
        ),
        ("tables build --men 5 --threads 1 --output tables", "tables/.lock"),
        ("tables survey --men 5 --threads 1 --output survey", "survey"),
    ] {
        folder.write("out", "precious");
        // Input stays open and empty.
        assert_eq!(begin(&folder, line, held).interrupt().code, Some(130), "{line}");
        assert!(folder.read("out") == "precious" || line.contains("train"), "{line}");
        assert!(!folder.has("out.part"), "{line}");
    }
}

#[test]
fn a_review_that_replaces_another_is_resumed() {
    let folder = Folder::with([("games.pgn", GAME.repeat(3))]);
    let line = "annotate games.pgn --nodes 500 --output out";
    folder.good(line);
    let whole = folder.read("out");
    folder.write("out", "precious");
    // The state after a kill in the second game.
    folder.write("out.part", &whole[..whole.rfind("[Event ").expect("a third game") - 40]);
    fs::rename(folder.path("out.annotate.toml"), folder.path("out.part.annotate.toml"))
        .expect("it is there");
    folder.refuse(&format!("{line} --resume --threads 2"), "--threads was `1`, is now `2`");
    assert_eq!(folder.read("out"), "precious");
    folder.play(&format!("{line} --resume"));
    assert_eq!(folder.read("out"), whole);
    assert!(!folder.has("out.part") && folder.has("out.annotate.toml"));
}

#[test]
fn outputs_must_not_be_inputs() {
    let folder = Folder::with([
        ("net", "weights"),
        ("games", GAME),
        ("book", "9/9/9/9/9/9/9/8k/7K1 w - -\n"),
        // A temporary file that another process has left.
        ("left.part", GAME),
    ]);
    fs::hard_link(folder.path("net"), folder.path("hard")).expect("a link");
    symlink("net", folder.path("soft")).expect("a link");
    fs::create_dir(folder.path("tables")).expect("a folder");
    folder.write("tables/krvk.qtb", "entries");
    let path = folder.path("");
    let here = path.file_name().expect("a name").to_string_lossy();
    for (line, complaint) in [
        ("train --data games --init net --output net --overwrite", "--init and --output"),
        ("train --data games --init net --output hard --overwrite", "--init and --output"),
        ("train --data games --init soft --output new --checkpoint net", "--init and --checkpoint"),
        ("train --data net --output new --plot soft --overwrite", "--data and --plot"),
        ("train --data games --output new --checkpoint new", "--output and --checkpoint"),
        ("train --data games --output new --plot ../HERE/new", "--output and --plot"),
        ("annotate games --eval-file net --output soft --overwrite", "--eval-file and --output"),
        ("annotate games --eval-file net --svg hard --overwrite", "--eval-file and --svg"),
        ("annotate games --output new --svg new", "--output and --svg"),
        (
            "annotate games --table-path tables --output tables/krvk.qtb --overwrite",
            "--table-path and --output",
        ),
        ("datagen --eval-file net --output net --resume", "--eval-file and --output"),
        ("puzzles mine --eval-file soft --output net --resume", "--eval-file and --output"),
        ("book build --games net --output hard --resume", "--games and --output"),
        ("solve --checkpoint new --certificate new", "--certificate and --checkpoint"),
        ("compliance --log net net", "is read: name another file"),
        ("pgn merge games net -o net --overwrite", "is read: name another file"),
        ("pgn convert left.part --output left", "left.part would be replaced"),
        ("MATCH -report net", "option.EvalFile= of a and -report"),
        ("MATCH -pgnout hard", "option.EvalFile= of a and -pgnout"),
        ("MATCH -log file=soft append=false", "option.EvalFile= of a and -log"),
        ("MATCH -openings file=book format=epd -report book", "-openings and -report"),
        ("MATCH -openings file=book -log file=book", "-openings and -log"),
        ("MATCH -pgnout new -epdout new", "-pgnout and -epdout"),
        ("MATCH -tb tables -epdout tables/krvk.qtb", "-tb and -epdout"),
    ] {
        let begin = MATCH.replacen("name=a", "name=a option.EvalFile=net", 1) + " --overwrite";
        let complaint = match complaint.contains(" and ") {
            true => format!("{complaint} name the same file"),
            false => complaint.to_owned(),
        };
        folder.refuse(&line.replace("HERE", &here).replace("MATCH", &begin), &complaint);
        assert_eq!(folder.read("net"), "weights", "{line}");
        assert!(!folder.has("new") && folder.read("left.part") == GAME, "{line}");
    }
}

#[test]
fn standard_output_must_not_be_an_input() {
    let folder = Folder::with([("games.pgn", GAME)]);
    let games = folder.path("games.pgn");
    for line in [
        "pgn convert games.pgn",
        "pgn merge -",
        "pgn stats games.pgn",
        "annotate games.pgn --nodes 50",
        "annotate games.pgn --nodes 50 --output out",
        "analyse --nodes 50 --epd games.pgn",
        "suite games.pgn",
        "puzzles games.pgn",
        "",
        "play --plain",
    ] {
        let mut command = folder.command(line);
        let added = File::options().append(true).open(&games).expect("it is there");
        command.stdin(File::open(&games).expect("it is there")).stdout(added);
        let output = command.output().expect("the program starts");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {err}");
        assert!(err.contains("standard output goes to ") && err.lines().count() == 1, "{err}");
        assert_eq!(folder.read("games.pgn"), GAME, "{line}");
    }
    let said = File::create(folder.path("out.pgn")).expect("room on the disk");
    let mut convert = folder.command("pgn convert games.pgn -o out.pgn");
    let output = convert.stdout(said).output().expect("it starts");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.contains("out.pgn is standard output"), "{err}");
}

/// A closed standard output does not stop work that writes a file; otherwise the exit status
/// reports it.
#[test]
fn a_closed_output_does_not_stop_work_that_writes_a_file() {
    let folder = with_inputs();
    let solve = "solve --game alquerque --men 3 --fen 'mm3/5/1M1M1/5/2M2 w - - 0 1'";
    for (line, status) in [
        ("train --data data --epochs 1 --output out", 0),
        ("annotate games.pgn --nodes 50 --output out", 0),
        ("annotate games.pgn --nodes 50 --svg out", 0),
        ("pgn convert games.pgn --output out", 0),
        ("data merge data --output out", 0),
        ("data export data --output out", 0),
        ("datagen --positions 40 --nodes 20 --threads 1 --output out", 0),
        ("tables survey --men 3 --output out KNvK", 0),
        (&format!("{solve} --certificate out"), 0),
        (&format!("{MATCH} -pgnout out"), 0),
        (&format!("{MATCH} -report out"), 0),
        (MATCH, 141),
        ("annotate games.pgn --nodes 50", 141),
        ("pgn check games.pgn", 141),
        ("data show data", 141),
        (solve, 141),
        ("perft 2", 141),
        ("--help", 141),
    ] {
        // Nor does a closed stderr.
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        let mut command = folder.command(line);
        command.stderr(writer.try_clone().expect("a copy")).stdout(writer);
        assert_eq!(command.status().expect("it starts").code(), Some(status), "{line}");
        let is_written = fs::read(folder.path("out")).is_ok_and(|it| !it.is_empty());
        assert_eq!(is_written, status == 0, "{line}");
        fs::remove_file(folder.path("out")).ok();
        if status == 0 {
            let full = File::options().write(true).open("/dev/full").expect("it is there");
            let output = folder.command(line).stdout(full).output().expect("it starts");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(errors.contains("standard output: No space left"), "{line}: {errors}");
            assert!(!folder.bytes("out").is_empty(), "{line}");
            fs::remove_file(folder.path("out")).expect("it is there");
        }
    }
}

#[test]
fn games_are_not_appended_to_files_of_another_kind() {
    let data = [b"QIRKDATA".as_slice(), &[0; 40]].concat();
    let folder = Folder::with([("binary", &data)]);
    let said = folder.fed("play --plain --side both", "e4\nsave binary\nquit\n").out;
    assert!(said.contains("not a text"), "{said}");
    assert_eq!(folder.bytes("binary"), data);
    for line in [
        "analyse --nodes 20 --epd binary",
        "suite binary --nodes 20",
        "problem binary",
        "play --plain --load binary",
        "analyse --nodes 20 --epd /dev/zero",
        "suite /dev/zero --nodes 20",
        "problem /dev/zero",
    ] {
        folder.refuse(line, "not a text");
    }
}

#[test]
fn a_resumed_review_redraws_diagrams_and_loses_no_game() {
    let folder = Folder::with([("games.pgn", GAME.repeat(2))]);
    let line = "annotate games.pgn --nodes 100 --output out.pgn --svg out.svg";
    folder.good(line);
    folder.refuse(line, "already exists");
    let whole = folder.read("out.pgn");
    folder.write("out.pgn", &whole[..whole.rfind("[Event ").expect("a second game") + 20]);
    folder.play(&format!("{line} --resume"));
    assert_eq!(folder.read("out.pgn"), whole);
    let broken = format!("[Event \"?\"]\n\n1. e4 e9 1-0\n\n{whole}");
    folder.write("out.pgn", &broken);
    let complaint = "game 1 is incomplete, but others follow it";
    folder.refuse(&format!("{line} --resume"), complaint);
    assert_eq!(folder.read("out.pgn"), broken);
}

#[test]
fn faulty_games_are_saved_beside_the_file_behind_dev_stdout() {
    let folder = Folder::with([("games.pgn", format!("{GAME}\n1. e4 e9 1-0\n"))]);
    let said = File::create(folder.path("out.pgn")).expect("room on the disk");
    let mut convert = folder.command("pgn convert games.pgn -o /dev/stdout");
    assert_eq!(convert.stdout(said).status().expect("it starts").code(), Some(1));
    assert!(folder.read("out.pgn.rejected.pgn").contains("1. e4 e9 1-0"));
}

#[test]
fn positions_with_different_options_are_not_mixed() {
    let folder = Folder::new();
    let line = "datagen --threads 1 --output data --positions";
    folder.good(&format!("{line} 60 --nodes 20"));
    let before = folder.bytes("data");
    folder.refuse_all(
        &format!("{line} 60 --resume"),
        &[
            ("--nodes 41", "--nodes was `20`, is now `41`"),
            ("--nodes 20 --balance 300", "--balance was `200`, is now `300`"),
            ("--nodes 20 --seed 5", "--seed was `0`, is now `5`"),
            ("--nodes 20 --eval-file <none>", "network of --eval-file was "),
            ("--nodes 41 --min-plies 4", "--min-plies was `8`, is now `4`; --nodes was"),
        ],
    );
    assert!(folder.bytes("data") == before);
    let more = format!("{line} 150 --nodes 20 --resume");
    folder.good(&more);
    assert!(folder.bytes("data").starts_with(&before));
    fs::remove_file(folder.path("data.datagen.toml")).expect("it is there");
    folder.refuse(&more, "which says how it was made");
}
