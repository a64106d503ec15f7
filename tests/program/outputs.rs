//! Files that the program writes: nothing takes their place unasked, they are written by
//! one process at a time, and what cannot be written is told before the work begins.

use std::fs::{self, TryLockError};
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::files::{folder, write};
use crate::run::{QIRKAT, qirkat, text};

const GAME: &str = "1. e4 e6 2. d3 d7 1-0\n";

fn run(line: &str) -> Output {
    qirkat(line.split_whitespace()).output().expect("the program starts")
}

fn refused(line: &str, complaint: &str) {
    let output = run(line);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}: {errors}");
    assert!(errors.contains(complaint) && errors.lines().count() == 1, "{line}: {errors}");
}

/// Every command that writes a file of its own, with `IN` for what it reads and `OUT` for
/// the file.
fn commands(folder: &TempDir) -> Vec<String> {
    let games = write(folder, "games.pgn", GAME);
    let data = folder.path().join("data").display().to_string();
    let made = run(&format!("datagen --output {data} --positions 200 --nodes 40 --threads 1"));
    assert!(made.status.success(), "{}", text(&made.stderr));
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

fn start(line: &str) -> Child {
    let mut command = qirkat(line.split_whitespace());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
}

/// Starts a program and waits until it has begun its work.
fn begin(line: &str, has_begun: impl Fn() -> bool) -> Child {
    let child = start(line);
    let limit = Instant::now() + Duration::from_secs(20);
    while !has_begun() {
        assert!(Instant::now() < limit, "{line} has not begun");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
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
    let made = run(&format!("datagen --output {data} --positions 400 --nodes 40 --threads 1"));
    assert!(made.status.success());
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
        let mut second = start(&again);
        std::thread::sleep(Duration::from_millis(200));
        assert!(second.try_wait().expect("it can be asked").is_none(), "{again} goes on");
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

/// Nothing that is read is written, and games go into no file of another kind.
#[test]
fn outputs_are_no_inputs_and_no_files_of_another_kind() {
    let folder = folder();
    let games = write(&folder, "games.pgn", GAME);
    let (both, data) = (folder.path().join("both"), folder.path().join("data"));
    refused(
        &format!("annotate {games} --nodes 50 --output {0} --svg {0}", both.display()),
        "--output and --svg name the same file",
    );
    let book =
        write(&folder, "book.epd", "rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq -\n");
    let line = format!(
        "match -engine cmd={QIRKAT} name=a -engine cmd={QIRKAT} name=b -each nodes=20 -rounds 1 \
         -openings file={book} format=epd"
    );
    refused(&format!("{line} --report {book} --overwrite"), "-openings and -report name the same");
    refused(&format!("{line} -log file={book}"), "-openings and -log name the same");
    fs::write(&data, [b"QIRKDATA".as_slice(), &[0; 40]].concat()).expect("room on the disk");
    let saved = format!("e4\nsave {}\nquit\n", data.display());
    let mut play = qirkat(["play", "--plain", "--side", "both"]);
    let mut play = play.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut input = play.stdin.take().expect("piped");
    std::io::Write::write_all(&mut input, saved.as_bytes()).expect("it listens");
    drop(input);
    let said = text(&play.wait_with_output().expect("it ends").stdout);
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
