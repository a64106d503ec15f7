//! Files that the program writes: nothing takes their place unasked, they are written by
//! one process at a time, and what cannot be written is told before the work begins.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::{FileTypeExt, symlink};

use crate::run::{Folder, Running};

const GAME: &str = "1. e4 e6 2. d3 d7 1-0\n";
const MATCH: &str = "match -engine cmd=QIRKAT name=a -engine cmd=QIRKAT name=b -each nodes=9 \
                     -rounds 1 -games 1 -maxmoves 2";

/// Games and training data.
fn with_inputs() -> Folder {
    let folder = Folder::with([("games.pgn", GAME)]);
    folder.good("datagen --output data --positions 40 --nodes 20 --threads 1");
    folder
}

/// Every command that writes a file of its own, what it reads, and what asks it to replace `OUT`.
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

/// A file that holds something is replaced only when asked, an input never; one that is
/// empty has nothing to lose.
#[test]
fn nothing_takes_the_place_of_a_file_unasked() {
    let folder = with_inputs();
    folder.write("out", "");
    symlink("out", folder.path("link")).expect("a link");
    for (command, input, asked) in COMMANDS {
        let line = command.replace("OUT", "link");
        if !asked.is_empty() {
            folder.write("out", "precious");
            folder.refuse(&line, "exists already");
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

/// Where nothing can be written, that is told in a line and before the work; what is no
/// file stays what it is.
#[test]
fn what_cannot_be_written_is_told_at_once() {
    let folder = with_inputs();
    for (command, ..) in COMMANDS {
        for out in ["missing/out", "/proc/out", "."] {
            folder.refuse(&command.replace("OUT", out), out);
        }
        folder.refuse(&command.replace("OUT", "-"), "-: this is no file: name one");
        if !command.ends_with("--nodes 20 --output OUT") {
            fs::remove_file(folder.path("full")).ok();
            symlink("/dev/full", folder.path("full")).expect("a link");
            let err = folder.ends(2, &command.replace("OUT", "full")).err;
            let last = err.lines().last().unwrap_or_default();
            assert!(last.contains("No space left on device"), "{command}: {err}");
            assert!(folder.path("full").is_symlink());
        }
    }
    let device = fs::metadata("/dev/full").expect("it is there").file_type();
    assert!(device.is_char_device());
}

/// A report stands where it was asked for: in a device, in the program's own output, or
/// behind a link.
#[test]
fn reports_go_where_they_are_sent() {
    let folder = Folder::with([("report.json", "{}")]);
    folder.refuse(&format!("{MATCH} --report /dev/full"), "No space left on device");
    let said = File::create(folder.path("said")).expect("room on the disk");
    let mut to_file = folder.command(&format!("{MATCH} --report /dev/stdout"));
    assert!(to_file.stdout(said).status().expect("it starts").success());
    let said = folder.read("said");
    assert!(said.contains("Finished game 1") && said.contains("\"schedule\""), "{said}");
    folder.refuse(&format!("{MATCH} --report report.json"), "report.json exists already");
    folder.play(&format!("{MATCH} --report report.json --overwrite"));
    assert!(folder.read("report.json").contains("\"schedule\""));
}

/// Whether a process holds a file. There is a moment between its making and that.
fn is_held(folder: &Folder, name: &str) -> bool {
    File::open(folder.path(name))
        .is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// Starts a program and waits until it is at its work.
fn begin(folder: &Folder, line: &str, held: &str) -> Running {
    let mut running = folder.start(line);
    running.wait_until("the file is held", || is_held(folder, held));
    running
}

/// Long work that another process is at is left to it; after a `kill -9` it can go on.
#[test]
fn what_is_being_written_is_left_alone() {
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

/// Whoever replaces a file does not take it from one who adds to it, and positions that
/// were not generated there are not gone on with.
#[test]
fn a_file_that_is_added_to_is_not_replaced() {
    let folder = with_inputs();
    let generate = "datagen --output many --nodes 40 --threads 1 --resume --positions";
    let mut running = folder.start(&format!("{generate} 100000000"));
    running.wait_until("settings", || folder.has("many.datagen.toml"));
    let merge = "data merge data --output many --overwrite";
    folder.refuse(merge, "it is being written already");
    running.kill();
    folder.play(merge);
    folder.refuse(&format!("{generate} 400"), "which tells how it was made");
}

/// What is replaced is replaced at the end: a fault that shows late leaves the old file, and nothing
/// beside it.
#[test]
fn what_is_replaced_stays_until_the_new_one_is_whole() {
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
        let entries = fs::read_dir(folder.path("")).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        assert_eq!(names, ["bad", "games", "notes", "out"], "{line}");
    }
}

/// Where the settings of a run are kept beside its output, nothing else is overwritten.
#[test]
fn settings_take_no_other_file_s_place() {
    let folder = Folder::with([("games.pgn", GAME)]);
    for (line, beside) in [
        ("annotate games.pgn --nodes 10 --output out", "out.annotate.toml"),
        ("datagen --output out --positions 20 --nodes 20 --threads 1", "out.datagen.toml"),
        ("puzzles mine --output out --count 1", "out.mine.toml"),
        (&format!("{MATCH} -pgnout out"), "out.match.toml"),
    ] {
        folder.write(beside, "rounds = 1\n");
        folder.refuse(line, "the settings of this run belong there: rename it");
        assert_eq!(folder.read(beside), "rounds = 1\n", "{line}");
        assert!(!folder.has("out"), "{line}");
    }
}

/// Ctrl-C ends each command soon with one status, and leaves the old file and no half of a new one.
#[test]
fn ctrl_c_leaves_what_was_there() {
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
        // Nobody ever types anything.
        assert_eq!(begin(&folder, line, held).interrupt().code, Some(130), "{line}");
        assert!(folder.read("out") == "precious" || line.contains("train"), "{line}");
        assert!(!folder.has("out.part"), "{line}");
    }
}

/// A review that was to replace another is gone on with, and the other stays until all is done.
#[test]
fn a_review_that_replaces_another_goes_on_beside_it() {
    let folder = Folder::with([("games.pgn", GAME.repeat(3))]);
    let line = "annotate games.pgn --nodes 500 --output out";
    folder.good(line);
    let whole = folder.read("out");
    folder.write("out", "precious");
    // As it stands after a kill in the second game.
    folder.write("out.part", &whole[..whole.rfind("[Event ").expect("a third game") - 40]);
    fs::rename(folder.path("out.annotate.toml"), folder.path("out.part.annotate.toml"))
        .expect("it is there");
    folder.refuse(&format!("{line} --resume --threads 2"), "--threads was `1`, is now `2`");
    assert_eq!(folder.read("out"), "precious");
    folder.play(&format!("{line} --resume"));
    assert_eq!(folder.read("out"), whole);
    assert!(!folder.has("out.part") && folder.has("out.annotate.toml"));
}

/// Nothing that is read is written, by whatever name or link, nor one file in two ways.
#[test]
fn outputs_are_no_inputs() {
    let folder = Folder::with([
        ("net", "weights"),
        ("games", GAME),
        ("book", "9/9/9/9/9/9/9/8k/7K1 w - -\n"),
        // What another program has left of a file before it was whole.
        ("left.part", GAME),
    ]);
    fs::hard_link(folder.path("net"), folder.path("hard")).expect("a link");
    symlink("net", folder.path("soft")).expect("a link");
    fs::create_dir(folder.path("tables")).expect("a folder");
    folder.write("tables/krvk.qtb", "entries");
    let path = folder.path("");
    let here = path.file_name().expect("a name").to_string_lossy();
    for (line, complaint) in [
        (
            "train --data games --init net --output net --overwrite",
            "--init and --output name the same",
        ),
        (
            "train --data games --init net --output hard --overwrite",
            "--init and --output name the same",
        ),
        (
            "train --data games --init soft --output new --checkpoint net",
            "--init and --checkpoint name",
        ),
        (
            "train --data net --output new --plot soft --overwrite",
            "--data and --plot name the same",
        ),
        (
            "train --data games --output new --checkpoint new",
            "--output and --checkpoint name the same",
        ),
        ("train --data games --output new --plot ../HERE/new", "--output and --plot name the same"),
        (
            "annotate games --eval-file net --output soft --overwrite",
            "--eval-file and --output name",
        ),
        (
            "annotate games --eval-file net --svg hard --overwrite",
            "--eval-file and --svg name the same",
        ),
        ("annotate games --output new --svg new", "--output and --svg name the same file"),
        (
            "annotate games --table-path tables --output tables/krvk.qtb --overwrite",
            "--table-path and --output name",
        ),
        ("datagen --eval-file net --output net --resume", "--eval-file and --output name the same"),
        (
            "puzzles mine --eval-file soft --output net --resume",
            "--eval-file and --output name the same",
        ),
        ("solve --checkpoint new --certificate new", "name the same file"),
        ("compliance --log net net", "is read: name another file"),
        ("pgn merge games net -o net --overwrite", "is read: name another file"),
        ("pgn convert left.part --output left", "left.part would be replaced"),
        ("MATCH -report net", "option.EvalFile= of a and -report name the same file"),
        ("MATCH -pgnout hard", "option.EvalFile= of a and -pgnout name the same file"),
        ("MATCH -log file=soft append=false", "option.EvalFile= of a and -log name the same file"),
        (
            "MATCH -openings file=book format=epd -report book",
            "-openings and -report name the same",
        ),
        ("MATCH -openings file=book -log file=book", "-openings and -log name the same"),
        ("MATCH -pgnout new -epdout new", "-pgnout and -epdout name the same file"),
        ("MATCH -tb tables -epdout tables/krvk.qtb", "-tb and -epdout name the same file"),
    ] {
        let begin = MATCH.replacen("name=a", "name=a option.EvalFile=net", 1) + " --overwrite";
        folder.refuse(&line.replace("HERE", &here).replace("MATCH", &begin), complaint);
        assert_eq!(folder.read("net"), "weights", "{line}");
        assert!(!folder.has("new") && folder.read("left.part") == GAME, "{line}");
    }
}

/// What is read does not grow at its end by what is written of it.
#[test]
fn standard_output_is_no_input() {
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

/// Nobody who stops reading ends work whose result is a file; elsewhere the exit status tells.
#[test]
fn a_closed_output_ends_no_work_with_another_result() {
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
        // Nor do warnings find anybody.
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        let mut command = folder.command(line);
        command.stderr(writer.try_clone().expect("a copy")).stdout(writer);
        assert_eq!(command.status().expect("it starts").code(), Some(status), "{line}");
        assert_eq!(
            fs::read(folder.path("out")).is_ok_and(|it| !it.is_empty()),
            status == 0,
            "{line}"
        );
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

/// Games go into no file of another kind.
#[test]
fn outputs_are_no_files_of_another_kind() {
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

/// A review that goes on draws its pictures again, and leaves no game out that stands
/// behind one that is not whole.
#[test]
fn a_review_goes_on_with_pictures_and_loses_no_game() {
    let folder = Folder::with([("games.pgn", GAME.repeat(2))]);
    let line = "annotate games.pgn --nodes 100 --output out.pgn --svg out.svg";
    folder.good(line);
    folder.refuse(line, "exists already");
    let whole = folder.read("out.pgn");
    folder.write("out.pgn", &whole[..whole.rfind("[Event ").expect("a second game") + 20]);
    folder.play(&format!("{line} --resume"));
    assert_eq!(folder.read("out.pgn"), whole);
    let broken = format!("[Event \"?\"]\n\n1. e4 e9 1-0\n\n{whole}");
    folder.write("out.pgn", &broken);
    let complaint = "game 1 is not whole, and others stand behind it";
    folder.refuse(&format!("{line} --resume"), complaint);
    assert_eq!(folder.read("out.pgn"), broken);
}

/// What is written to a device or to standard output has no file beside it.
#[test]
fn faulty_games_are_kept_beside_the_file_that_is_meant() {
    let folder = Folder::with([("games.pgn", format!("{GAME}\n1. e4 e9 1-0\n"))]);
    let said = File::create(folder.path("out.pgn")).expect("room on the disk");
    let mut convert = folder.command("pgn convert games.pgn -o /dev/stdout");
    assert_eq!(convert.stdout(said).status().expect("it starts").code(), Some(1));
    assert!(folder.read("out.pgn.rejected.pgn").contains("1. e4 e9 1-0"));
}

/// Positions that come otherwise are not mixed with those that are there.
#[test]
fn positions_of_other_options_are_not_mixed() {
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
    folder.refuse(&more, "which tells how it was made");
}
