//! Files that the program writes: nothing takes their place unasked, they are written by
//! one process at a time, and what cannot be written is told before the work begins.

use std::fs::{self, TryLockError};
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::files::{folder, write};
use crate::run::{QIRKAT, qirkat, text, with_input};

const GAME: &str = "1. e4 e6 2. d3 d7 1-0\n";

fn run(line: &str) -> Output {
    qirkat(line.split_whitespace()).output().expect("the program starts")
}

/// Makes a file of training data.
fn make_data(path: &str, positions: u32) {
    let line = format!("datagen --output {path} --positions {positions} --nodes 40 --threads 1");
    let made = run(&line);
    assert!(made.status.success(), "{}", text(&made.stderr));
}

fn refused(line: &str, complaint: &str) {
    let output = run(line);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}: {errors}");
    assert!(errors.contains(complaint) && errors.lines().count() == 1, "{line}: {errors}");
}

/// A line with the path of a file in place of its name in capitals, alone or behind `=`.
fn filled(line: &str, folder: &TempDir) -> String {
    let here = folder.path().file_name().expect("a name").to_string_lossy();
    let word = |word: &str| {
        let (option, name) = word.split_once('=').map_or(("", word), |(key, name)| (key, name));
        let is_name = name != "MATCH"
            && name.len() > 2
            && name.chars().all(|letter| letter.is_ascii_uppercase() || "./".contains(letter));
        if !is_name {
            return word.to_owned();
        }
        let name = name.to_lowercase().replace("here", &here);
        let equals = if option.is_empty() { "" } else { "=" };
        format!("{option}{equals}{}", folder.path().join(name).display())
    };
    line.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

/// Every command that writes a file of its own, with `IN` for what it reads and `OUT` for
/// the file.
fn commands(folder: &TempDir) -> Vec<String> {
    let games = write(folder, "games.pgn", GAME);
    let data = folder.path().join("data").display().to_string();
    make_data(&data, 200);
    let mut commands: Vec<String> = [
        "pgn convert IN -o OUT",
        "pgn merge IN -o OUT",
        "annotate IN --nodes 100 --svg OUT",
        "annotate IN --nodes 100 --output OUT",
    ]
    .map(|line| line.replace("IN", &games))
    .into();
    commands.extend(
        [
            "data merge IN --output OUT",
            "data shuffle IN --output OUT",
            "data export IN --output OUT",
            "data repair IN --output OUT",
            "train --data IN --epochs 1 --output OUT",
            "train --data IN --epochs 1 --output NET --overwrite --plot OUT",
            "train --data IN --epochs 1 --output NET --overwrite --checkpoint OUT",
        ]
        .map(|line| line.replace("IN", &data).replace("NET", &format!("{data}.net"))),
    );
    commands
}

/// A file that holds something is replaced only when asked, an input never; one that is
/// empty has nothing to lose.
#[test]
fn nothing_takes_the_place_of_a_file_unasked() {
    let folder = folder();
    let out = write(&folder, "out", "");
    let link = folder.path().join("link");
    symlink(&out, &link).expect("a link");
    for command in commands(&folder) {
        let asks_anyway = command.contains("--overwrite");
        let line = command.replace("OUT", &link.display().to_string());
        if !asks_anyway {
            fs::write(&out, "precious").expect("room on the disk");
            refused(&line, "exists already");
            assert_eq!(fs::read_to_string(&out).expect("it is there"), "precious", "{line}");
        }
        for (before, more) in [("", ""), ("precious", " --overwrite")] {
            fs::write(&out, before).expect("room on the disk");
            let output = run(&format!("{line}{}", if asks_anyway { "" } else { more }));
            assert!(output.status.success(), "{line}: {}", text(&output.stderr));
            assert!(link.is_symlink(), "{line}");
            let written = fs::read(&out).expect("it is there");
            assert!(!written.is_empty() && written != b"precious", "{line}");
        }
        let words: Vec<&str> = command.split_whitespace().collect();
        let input = words.iter().find(|word| Path::new(word).is_file()).expect("what is read");
        let content = fs::read(input).expect("it is there");
        refused(
            &format!("{} --overwrite", command.replace(" --overwrite", "").replace("OUT", input)),
            "is read: name another file",
        );
        assert!(fs::read(input).expect("it is there") == content, "{command}");
    }
}

/// Where nothing can be written, that is told in a line and before the work; what is no
/// file stays what it is.
#[test]
fn what_cannot_be_written_is_told_at_once() {
    let folder = folder();
    let missing = folder.path().join("missing").join("out");
    let full = folder.path().join("full");
    for command in commands(&folder) {
        for out in [missing.as_path(), Path::new("/proc/out"), folder.path()] {
            refused(
                &command.replace("OUT", &out.display().to_string()),
                &out.display().to_string(),
            );
        }
        refused(&command.replace("OUT", "-"), "-: this is no file: name one");
        if !command.ends_with("--nodes 100 --output OUT") {
            fs::remove_file(&full).ok();
            symlink("/dev/full", &full).expect("a link");
            let output = run(&command.replace("OUT", &full.display().to_string()));
            let errors = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{command}: {errors}");
            let last = errors.lines().last().unwrap_or_default();
            assert!(last.contains("No space left on device"), "{command}: {errors}");
            assert!(full.is_symlink());
        }
    }
    let device = fs::metadata("/dev/full").expect("it is there").file_type();
    assert!(device.is_char_device());
}

/// A report stands where it was asked for: in a device, in the program's own output, or
/// behind a link.
#[test]
fn reports_go_where_they_are_sent() {
    let folder = folder();
    let line = format!(
        "match -engine cmd={QIRKAT} name=a -engine cmd={QIRKAT} name=b -each nodes=20 -rounds 1 \
         -games 1 -maxmoves 4"
    );
    refused(&format!("{line} --report /dev/full"), "No space left on device");
    let file = folder.path().join("said");
    let mut match_games = qirkat(line.split_whitespace());
    match_games.args(["--report", "/dev/stdout"]);
    let said = fs::File::create(&file).expect("room on the disk");
    assert!(match_games.stdout(said).status().expect("it starts").success());
    let said = fs::read_to_string(&file).expect("text");
    assert!(said.contains("Finished game 1") && said.contains("\"schedule\""), "{said}");
    let report = write(&folder, "report.json", "{}");
    refused(&format!("{line} --report {report}"), "report.json exists already");
    assert!(run(&format!("{line} --report {report} --overwrite")).status.success());
    assert!(fs::read_to_string(&report).expect("text").contains("\"schedule\""));
}

/// Starts a program and waits until it has begun its work.
fn begin(line: &str, has_begun: impl Fn() -> bool) -> Child {
    let mut command = qirkat(line.split_whitespace());
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    wait_until(line, has_begun);
    child.expect("the program starts")
}

fn wait_until(line: &str, has_begun: impl Fn() -> bool) {
    let limit = Instant::now() + Duration::from_secs(20);
    while !has_begun() {
        assert!(Instant::now() < limit, "{line} has not begun");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Presses Ctrl-C.
fn interrupt(child: &Child) {
    let id = Pid::from_child(child);
    kill_process(id, Signal::INT).expect("it runs");
}

/// Whether a process holds a file. There is a moment between its making and that.
fn is_held(path: &str) -> bool {
    fs::File::open(path).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// Long work that another process is at is left to it; after a `kill -9` it can go on.
#[test]
fn what_is_being_written_is_left_alone() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (data, many) = (at("data"), at("many"));
    make_data(&data, 400);
    let generate = |path: &str, more: &str| {
        format!("datagen --output {path} --nodes 40 --threads 1 --positions 100000000 {more}")
    };
    let train = format!("train --data {data} --epochs 4000000000 --output {}", at("net"));
    let build = format!("tables build --men 4 --threads 1 --output {}", at("tables"));
    let survey = format!("tables survey --men 4 --threads 1 --output {}", at("survey"));
    for (line, again, held) in [
        (generate(&many, ""), generate(&many, "--resume"), "many"),
        (train.clone(), format!("{train} --overwrite"), "net.part"),
        (build.clone(), build, "tables/.lock"),
        (survey.clone(), survey, "survey"),
    ] {
        let mut first = begin(&line, || is_held(&at(held)));
        refused(&again, "it is being written already");
        first.kill().expect("it runs");
        first.wait().expect("it has ended");
        let mut second = begin(&again, || is_held(&at(held)));
        second.kill().expect("it runs");
        second.wait().expect("it has ended");
    }
    assert!(run(&format!("data check {many}")).status.success());
}

/// Whoever replaces a file does not take it from one who adds to it, and positions that
/// were not generated there are not gone on with.
#[test]
fn a_file_that_is_added_to_is_not_replaced() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let generate = |path: &str, positions: &str| {
        format!("datagen --output {path} --nodes 40 --threads 1 --positions {positions} --resume")
    };
    assert!(run(&generate(&at("few"), "200")).status.success());
    let settings = at("many.datagen.toml");
    let mut running = begin(&generate(&at("many"), "100000000"), || Path::new(&settings).exists());
    let merge = format!("data merge {} --output {} --overwrite", at("few"), at("many"));
    refused(&merge, "it is being written already");
    running.kill().expect("it runs");
    running.wait().expect("it has ended");
    assert!(run(&merge).status.success());
    refused(&generate(&at("many"), "400"), "which tells how it was made");
}

/// What is replaced is replaced at the end: a fault that shows late leaves the old file, and nothing
/// beside it.
#[test]
fn what_is_replaced_stays_until_the_new_one_is_whole() {
    let folder = folder();
    write(&folder, "games", &GAME.repeat(2));
    write(&folder, "bad", "1. e9 1-0\n");
    write(&folder, "notes", "just some notes\n");
    let out = folder.path().join("out");
    let match_games = format!("match -engine cmd=/nowhere -engine cmd={QIRKAT} -each nodes=9");
    for (line, status) in [
        ("annotate GAMES --nodes 50 --output OUT --eval-file /nowhere", 2),
        ("annotate GAMES --nodes 50 --output OUT --game 3", 2),
        ("annotate NOTES --nodes 50 --output OUT", 1),
        ("annotate BAD --nodes 50 --output OUT", 1),
        ("annotate GAMES --nodes 50 --svg OUT --eval-file /nowhere", 2),
        ("annotate GAMES --nodes 50 --svg OUT --game 3", 2),
        ("pgn convert NOTES --output OUT", 1),
        ("pgn merge BAD NOTES --output OUT", 1),
        ("pgn filter BAD --output OUT", 1),
        ("data merge GAMES --output OUT", 2),
        ("data repair NOTES --output OUT", 2),
        ("train --data GAMES --output OUT", 2),
        ("train --data GAMES --output NEW --plot OUT", 2),
        ("train --data GAMES --output NEW --checkpoint OUT", 2),
        ("solve --game alquerque --moves d3c3 --men 2 --hash 1 --certificate OUT", 2),
        (&format!("{match_games} -report OUT"), 2),
        (&format!("{match_games} -log file=OUT append=false"), 2),
    ] {
        fs::write(&out, "precious").expect("room on the disk");
        let output = run(&filled(&format!("{line} --overwrite"), &folder));
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{line}: {errors}");
        assert_eq!(fs::read_to_string(&out).expect("it is there"), "precious", "{line}");
        fs::remove_file(folder.path().join("out.rejected.pgn")).ok();
        let mut names: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
        names.retain(|entry| {
            let name = entry.as_ref().expect("an entry").file_name();
            name.to_string_lossy().starts_with("out") || name.to_string_lossy().starts_with("new")
        });
        assert_eq!(names.len(), 1, "{line}: {names:?}");
    }
}

/// Where the settings of a run are kept beside its output, nothing else is overwritten.
#[test]
fn settings_take_no_other_file_s_place() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let games = write(&folder, "games.pgn", GAME);
    for (line, extension) in [
        (format!("annotate {games} --nodes 10 --output OUT"), "annotate.toml"),
        ("datagen --output OUT --positions 20 --nodes 20 --threads 1".to_owned(), "datagen.toml"),
        ("puzzles mine --output OUT --count 1".to_owned(), "mine.toml"),
        (
            "match -engine cmd=QIRKAT name=A -engine cmd=QIRKAT name=B -each nodes=1 -maxmoves 2 -pgnout OUT"
                .replace("QIRKAT", QIRKAT),
            "match.toml",
        ),
    ] {
        let beside = at(&format!("out.{extension}"));
        fs::write(&beside, "rounds = 1\n").expect("room on the disk");
        refused(&line.replace("OUT", &at("out")), "the settings of this run belong there: rename it");
        assert_eq!(fs::read_to_string(&beside).expect("it is there"), "rounds = 1\n", "{line}");
        assert!(!folder.path().join("out").exists(), "{line}");
        fs::remove_file(&beside).expect("it is there");
    }
}

/// Ctrl-C ends each command soon with one status, and leaves the old file and no half of a new one.
#[test]
fn ctrl_c_leaves_what_was_there() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let data = at("data");
    make_data(&data, 400);
    for line in [
        "pgn convert - --output OUT",
        "pgn merge - --output OUT",
        "annotate - --nodes 50 --output OUT",
        &format!("train --data {data} --epochs 4000000000 --batch-size 1000000 --output OUT"),
        "tables build --men 5 --threads 1 --output TABLES",
        "tables survey --men 5 --threads 1 --output SURVEY",
    ] {
        fs::write(at("out"), "precious").expect("room on the disk");
        let overwrite = if line.contains("OUT") { " --overwrite" } else { "" };
        let named = filled(&format!("{line}{overwrite}"), &folder);
        let mut command = qirkat(named.split_whitespace());
        let mut child = command
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        // Nobody ever types anything.
        let _input = child.stdin.take();
        let begun = ["out.part", "tables/.lock", "survey"].map(at);
        wait_until(line, || begun.iter().any(|path| is_held(path)));
        interrupt(&child);
        assert_eq!(child.wait().expect("it ends").code(), Some(130), "{line}");
        let old = fs::read_to_string(at("out")).expect("it is there");
        assert!(old == "precious" || line.contains("train"), "{line}: {old}");
        assert!(!Path::new(&at("out.part")).exists(), "{line}");
        fs::remove_file(at("survey")).ok();
        fs::remove_dir_all(at("tables")).ok();
    }
}

/// A review that was to replace another is gone on with, and the other stays until all is done.
#[test]
fn a_review_that_replaces_another_goes_on_beside_it() {
    let folder = folder();
    let games = write(&folder, "games.pgn", &GAME.repeat(3));
    let at = |name: &str| folder.path().join(name).display().to_string();
    let line = |more: &str| format!("annotate {games} --nodes 2000 --output {} {more}", at("out"));
    assert!(run(&line("")).status.success());
    let whole = fs::read_to_string(at("out")).expect("the games");
    fs::write(at("out"), "precious").expect("room on the disk");
    // As it stands after a kill in the second game.
    let half = &whole[..whole.rfind("[Event ").expect("a third game") - 40];
    fs::write(at("out.part"), half).expect("room on the disk");
    fs::rename(at("out.annotate.toml"), at("out.part.annotate.toml")).expect("it is there");
    refused(&line("--resume --threads 2"), "--threads was `1`, is now `2`");
    assert_eq!(fs::read_to_string(at("out")).expect("it is there"), "precious");
    let again = run(&line("--resume"));
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert_eq!(fs::read_to_string(at("out")).expect("the games"), whole);
    assert!(!Path::new(&at("out.part")).exists() && Path::new(&at("out.annotate.toml")).exists());
}

/// Nothing that is read is written, by whatever name or link, nor one file in two ways.
#[test]
fn outputs_are_no_inputs() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let net = write(&folder, "net", "weights");
    write(&folder, "games", GAME);
    fs::hard_link(&net, at("hard")).expect("a link");
    symlink("net", at("soft")).expect("a link");
    let engines = format!("-engine cmd={QIRKAT} name=a option.EvalFile={net} -engine cmd={QIRKAT}");
    let match_games = format!("match {engines} name=b -each nodes=9 --overwrite");
    write(&folder, "book", "9/9/9/9/9/9/9/8k/7K1 w - -\n");
    fs::create_dir(at("tables")).expect("a folder");
    write(&folder, "tables/krvk.qtb", "entries");
    for (line, complaint) in [
        (
            "train --data GAMES --init NET --output NET --overwrite",
            "--init and --output name the same",
        ),
        (
            "train --data GAMES --init NET --output HARD --overwrite",
            "--init and --output name the same",
        ),
        (
            "train --data GAMES --init SOFT --output NEW --checkpoint NET",
            "--init and --checkpoint name",
        ),
        (
            "train --data NET --output NEW --plot SOFT --overwrite",
            "--data and --plot name the same",
        ),
        (
            "train --data GAMES --output NEW --checkpoint NEW",
            "--output and --checkpoint name the same",
        ),
        ("train --data GAMES --output NEW --plot ../HERE/NEW", "--output and --plot name the same"),
        (
            "annotate GAMES --eval-file NET --output SOFT --overwrite",
            "--eval-file and --output name",
        ),
        (
            "annotate GAMES --eval-file NET --svg HARD --overwrite",
            "--eval-file and --svg name the same",
        ),
        ("annotate GAMES --output NEW --svg NEW", "--output and --svg name the same file"),
        (
            "annotate GAMES --table-path TABLES --output TABLES/KRVK.QTB --overwrite",
            "--table-path and --output name",
        ),
        ("datagen --eval-file NET --output NET --resume", "--eval-file and --output name the same"),
        (
            "puzzles mine --eval-file SOFT --output NET --resume",
            "--eval-file and --output name the same",
        ),
        ("solve --checkpoint NEW --certificate NEW", "name the same file"),
        ("compliance --log NET NET", "is read: name another file"),
        ("pgn merge GAMES NET -o NET --overwrite", "is read: name another file"),
        ("MATCH -report NET", "option.EvalFile= of a and -report name the same file"),
        ("MATCH -pgnout HARD", "option.EvalFile= of a and -pgnout name the same file"),
        ("MATCH -log file=SOFT append=false", "option.EvalFile= of a and -log name the same file"),
        (
            "MATCH -openings file=BOOK format=epd -report BOOK",
            "-openings and -report name the same",
        ),
        ("MATCH -openings file=BOOK -log file=BOOK", "-openings and -log name the same"),
        ("MATCH -pgnout NEW -epdout NEW", "-pgnout and -epdout name the same file"),
        ("MATCH -tb TABLES -epdout TABLES/KRVK.QTB", "-tb and -epdout name the same file"),
    ] {
        refused(&filled(line, &folder).replace("MATCH", &match_games), complaint);
        assert_eq!(fs::read_to_string(&net).expect("it is there"), "weights", "{line}");
        assert!(!Path::new(&at("new")).exists(), "{line}");
    }
    // What another program has left of a file before it was whole.
    let left = write(&folder, "left.part", GAME);
    refused(&format!("pgn convert {left} --output {}", at("left")), "left.part would be replaced");
    assert_eq!(fs::read_to_string(&left).expect("it is there"), GAME);
}

/// What is read does not grow at its end by what is written of it.
#[test]
fn standard_output_is_no_input() {
    let folder = folder();
    let games = write(&folder, "games.pgn", GAME);
    let added = || fs::OpenOptions::new().append(true).open(&games).expect("it is there");
    for line in [
        "pgn convert GAMES",
        "pgn merge -",
        "pgn stats GAMES",
        "annotate GAMES --nodes 50",
        "annotate GAMES --nodes 50 --output OUT",
        "analyse --nodes 50 --epd GAMES",
        "suite GAMES",
        "puzzles GAMES",
        "",
        "play --plain",
    ] {
        let out = folder.path().join("out").display().to_string();
        let named = line.replace("GAMES", &games).replace("OUT", &out);
        let mut command = qirkat(named.split_whitespace());
        let input = fs::File::open(&games).expect("it is there");
        let output = command.stdin(input).stdout(added()).output().expect("the program starts");
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {errors}");
        assert!(
            errors.contains("standard output goes to ") && errors.lines().count() == 1,
            "{errors}"
        );
        assert_eq!(fs::read_to_string(&games).expect("it is there"), GAME, "{line}");
    }
    let mut convert = qirkat(["pgn", "convert", &games, "-o", "out.pgn"]);
    let said = fs::File::create(folder.path().join("out.pgn")).expect("room on the disk");
    let output = convert.current_dir(folder.path()).stdout(said).output().expect("it starts");
    assert!(
        text(&output.stderr).contains("out.pgn is standard output"),
        "{}",
        text(&output.stderr)
    );
}

/// Nobody who stops reading ends work whose result is a file; elsewhere the exit status tells.
#[test]
fn a_closed_output_ends_no_work_with_another_result() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (games, data) = (write(&folder, "games.pgn", GAME), at("data"));
    make_data(&data, 400);
    let match_games = format!(
        "match -engine cmd={QIRKAT} name=a -engine cmd={QIRKAT} name=b -each nodes=9 -maxmoves 4"
    );
    let problem = "--game alquerque --fen mm3/5/1M1M1/5/2M2_w_-_-_0_1";
    for (line, status) in [
        (format!("train --data {data} --epochs 2 --output OUT"), 0),
        (format!("annotate {games} --nodes 50 --output OUT"), 0),
        (format!("annotate {games} --nodes 50 --svg OUT"), 0),
        (format!("pgn convert {games} --output OUT"), 0),
        (format!("data merge {data} --output OUT"), 0),
        (format!("data export {data} --output OUT"), 0),
        ("datagen --positions 100 --nodes 40 --threads 1 --output OUT".to_owned(), 0),
        ("tables survey --men 3 --output OUT".to_owned(), 0),
        (format!("solve {problem} --certificate OUT"), 0),
        (format!("{match_games} -pgnout OUT"), 0),
        (format!("{match_games} -report OUT"), 0),
        (match_games.clone(), 141),
        (format!("annotate {games} --nodes 50"), 141),
        (format!("pgn check {games}"), 141),
        (format!("data show {data}"), 141),
        (format!("solve {problem}"), 141),
        ("perft 2".to_owned(), 141),
        ("--help".to_owned(), 141),
    ] {
        let named: Vec<String> =
            line.split_whitespace().map(|word| word.replace('_', " ")).collect();
        let named: Vec<String> = named.iter().map(|word| word.replace("OUT", &at("out"))).collect();
        let words = || named.iter().map(String::as_str);
        // Nor do warnings find anybody.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = qirkat(words());
        command.stderr(writer.try_clone().expect("a copy")).stdout(writer);
        let ended = command.status().expect("the program starts").code();
        assert_eq!(ended, Some(status), "{line}");
        let written = fs::metadata(at("out")).map_or(0, |there| there.len());
        assert_eq!(written > 0, status == 0, "{line}");
        fs::remove_file(at("out")).ok();
        if status == 0 {
            let full = fs::File::options().write(true).open("/dev/full").expect("it is there");
            let output = qirkat(words()).stdout(full).output().expect("it starts");
            let errors = text(&output.stderr);
            assert!(errors.contains("standard output: No space left"), "{line}: {errors}");
            assert!(fs::metadata(at("out")).is_ok_and(|there| there.len() > 0), "{line}");
            fs::remove_file(at("out")).ok();
        }
    }
}

/// Games go into no file of another kind.
#[test]
fn outputs_are_no_files_of_another_kind() {
    let folder = folder();
    let data = folder.path().join("data");
    fs::write(&data, [b"QIRKDATA".as_slice(), &[0; 40]].concat()).expect("room on the disk");
    let saved = format!("e4\nsave {}\nquit\n", data.display());
    let play = qirkat(["play", "--plain", "--side", "both"]);
    let said = text(&with_input(play, &saved).stdout);
    assert!(said.contains("not a text"), "{said}");
    assert_eq!(fs::metadata(&data).expect("it is there").len(), 48);
    let binary = data.display();
    for line in [
        format!("analyse --nodes 20 --epd {binary}"),
        format!("suite {binary} --nodes 20"),
        format!("problem {binary}"),
        format!("play --plain --load {binary}"),
        "analyse --nodes 20 --epd /dev/zero".to_owned(),
        "suite /dev/zero --nodes 20".to_owned(),
        "problem /dev/zero".to_owned(),
    ] {
        refused(&line, "not a text");
    }
}

/// A review that goes on draws its pictures again, and leaves no game out that stands
/// behind one that is not whole.
#[test]
fn a_review_goes_on_with_pictures_and_loses_no_game() {
    let folder = folder();
    let games = write(&folder, "games.pgn", &GAME.repeat(2));
    let (out, svg) = (folder.path().join("out.pgn"), folder.path().join("out.svg"));
    let line =
        format!("annotate {games} --nodes 100 --output {} --svg {}", out.display(), svg.display());
    assert!(run(&line).status.success());
    refused(&line, "exists already");
    let whole = fs::read_to_string(&out).expect("the games");
    let half = whole.rfind("[Event ").expect("a second game");
    fs::write(&out, &whole[..half + 20]).expect("room on the disk");
    let again = run(&format!("{line} --resume"));
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert_eq!(fs::read_to_string(&out).expect("the games"), whole);
    let broken = format!("[Event \"?\"]\n\n1. e4 e9 1-0\n\n{whole}");
    fs::write(&out, &broken).expect("room on the disk");
    refused(&format!("{line} --resume"), "game 1 is not whole, and others stand behind it");
    assert_eq!(fs::read_to_string(&out).expect("the games"), broken);
}

/// What is written to a device or to standard output has no file beside it.
#[test]
fn faulty_games_are_kept_beside_the_file_that_is_meant() {
    let folder = folder();
    let games = write(&folder, "games.pgn", &format!("{GAME}\n1. e4 e9 1-0\n"));
    let out = folder.path().join("out.pgn");
    let said = fs::File::create(&out).expect("room on the disk");
    let mut convert = qirkat(["pgn", "convert", &games, "-o", "/dev/stdout"]);
    assert_eq!(convert.stdout(said).status().expect("it starts").code(), Some(1));
    let beside = out.with_added_extension("rejected.pgn");
    assert!(fs::read_to_string(beside).expect("the other game").contains("1. e4 e9 1-0"));
}

/// Positions that come otherwise are not mixed with those that are there.
#[test]
fn positions_of_other_options_are_not_mixed() {
    let folder = folder();
    let data = folder.path().join("data");
    let line = format!("datagen --threads 1 --positions 300 --output {}", data.display());
    assert!(run(&format!("{line} --nodes 40")).status.success());
    let before = fs::read(&data).expect("it is there");
    for (options, complaint) in [
        ("--nodes 41", "--nodes was `40`, is now `41`"),
        ("--nodes 40 --balance 300", "--balance was `200`, is now `300`"),
        ("--nodes 40 --seed 5", "--seed was `0`, is now `5`"),
        ("--nodes 40 --eval-file <none>", "network of --eval-file was "),
        ("--nodes 41 --min-plies 4", "--min-plies was `8`, is now `4`; --nodes was"),
    ] {
        refused(&format!("{line} --resume {options}"), complaint);
        assert!(fs::read(&data).expect("it is there") == before);
    }
    let more = line.replace("300", "600");
    assert!(run(&format!("{more} --nodes 40 --resume")).status.success());
    assert!(fs::read(&data).expect("it is there").starts_with(&before));
    fs::remove_file(data.with_added_extension("datagen.toml")).expect("it is there");
    refused(&format!("{more} --nodes 40 --resume"), "which tells how it was made");
}
