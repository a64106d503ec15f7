//! `qirkat datagen` and `qirkat data`, from outside.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use tempfile::TempDir;

use crate::run;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

fn qirkat(arguments: &[&str]) -> Output {
    run::qirkat(arguments.iter().copied()).output().expect("the program starts")
}

fn generate(path: &Path, positions: &str, more: &[&str]) -> Output {
    let path = path.to_str().expect("a plain path");
    let usual = ["datagen", "--output", path, "--positions", positions];
    let quick = ["--nodes", "60", "--threads", "1", "--balance", "2000"];
    qirkat(&[&usual[..], &quick, more].concat())
}

fn data(task: &str, path: &Path) -> Output {
    qirkat(&["data", task, path.to_str().expect("a plain path")])
}

/// Makes one file of several.
fn join(task: &str, paths: &[&Path], output: &Path, more: &[&str]) -> Output {
    let mut arguments = vec!["data", task, "--output", output.to_str().expect("a plain path")];
    arguments.extend(paths.iter().map(|path| path.to_str().expect("a plain path")));
    qirkat(&[&arguments[..], more].concat())
}

fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// The same seed gives the same file, every position in it is legal, and the
/// count agrees with what is shown.
#[test]
fn positions_are_sound_and_repeatable() {
    let folder = folder();
    let (first, second, third) =
        (folder.path().join("a"), folder.path().join("b"), folder.path().join("c"));
    for (path, seed) in [(&first, "7"), (&second, "7"), (&third, "8")] {
        let output = generate(path, "400", &["--seed", seed]);
        assert!(output.status.success(), "{}", said(&output));
    }
    let bytes = |path: &PathBuf| fs::read(path).expect("it was written");
    assert_eq!(bytes(&first), bytes(&second));
    assert_ne!(bytes(&first), bytes(&third));
    let checked = data("check", &first);
    assert!(checked.status.success(), "{}", said(&checked));
    let shown = said(&data("show", &first)).lines().count();
    assert!(shown >= 400, "{shown}");
    assert!(said(&data("count", &first)).contains(&format!(": {shown} positions of ")));
}

/// A file is continued, never overwritten; what a crash left half written is
/// noticed, and mended when the file is continued.
#[test]
fn files_are_continued_after_a_crash() {
    let folder = folder();
    let path = folder.path().join("a");
    assert!(generate(&path, "200", &[]).status.success());
    let before = fs::read(&path).expect("it was written");

    let again = generate(&path, "200", &[]);
    assert!(!again.status.success() && said(&again).contains("--resume"), "{}", said(&again));
    assert_eq!(fs::read(&path).expect("it is there"), before);

    let torn: Vec<u8> = before.iter().copied().chain([1, 2, 3]).collect();
    fs::write(&path, torn).expect("room on the disk");
    let checked = data("check", &path);
    assert!(!checked.status.success() && said(&checked).contains("damaged"), "{}", said(&checked));

    let output = generate(&path, "600", &["--resume"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(
        said(&output).contains("a: cut off 3 bytes of an unfinished block"),
        "{}",
        said(&output)
    );
    let after = fs::read(&path).expect("it is there");
    assert!(after.starts_with(&before) && after.len() > before.len());
    assert!(data("check", &path).status.success());
}

/// Files of another kind are refused in one line.
#[test]
fn other_files_are_refused() {
    let folder = folder();
    let path = folder.path().join("a");
    for content in ["", "QIRKDATA", "something else, longer than any header is"] {
        fs::write(&path, content).expect("room on the disk");
        for output in [data("count", &path), data("check", &path), data("show", &path)] {
            assert!(!output.status.success());
            assert_eq!(said(&output).lines().count(), 1, "{}", said(&output));
        }
        // A power cut right at the beginning leaves an empty file.
        let goes_on = generate(&path, "100", &["--resume"]).status.success();
        assert_eq!(goes_on, content.is_empty());
        if !goes_on {
            assert_eq!(fs::read(&path).expect("it is there"), content.as_bytes());
        }
    }
}

/// A forgotten `--seed` does not give the same positions twice, in whatever form they are.
#[test]
fn no_positions_are_taken_twice() {
    let folder = folder();
    let file = |name| folder.path().join(name);
    assert!(generate(&file("a"), "300", &[]).status.success());
    assert!(generate(&file("b"), "500", &[]).status.success());
    assert!(generate(&file("c"), "300", &["--seed", "7"]).status.success());
    assert!(join("positions", &[&file("a")], &file("p"), &[]).status.success());
    assert!(join("shuffle", &[&file("a")], &file("s"), &[]).status.success());
    let [a, b, c, p, s] = ["a", "b", "c", "p", "s"].map(file);
    let complaint = "give each `qirkat datagen` a --seed of its own";
    for (task, files, refusal) in [
        ("merge", [&a, &b], Some(complaint)),
        ("merge", [&c, &a], None),
        ("merge", [&p, &s], Some(complaint)),
        ("positions", [&b, &a], Some(complaint)),
        ("shuffle", [&b, &s], Some(complaint)),
        ("shuffle", [&c, &s], None),
        ("export", [&a, &p], Some(complaint)),
        ("export", [&a, &a], Some("is given twice")),
        ("train", [&s, &b], Some(complaint)),
        ("train", [&c, &p], None),
    ] {
        let out = file("out");
        let output = match task {
            "train" => {
                let paths = files.map(|path| path.to_str().expect("a plain path"));
                let out = out.to_str().expect("a plain path");
                let words = ["train", "--epochs", "1", "--output", out, "--data"];
                qirkat(&[&words[..], &paths].concat())
            }
            task => join(task, &files.map(PathBuf::as_path), &out, &[]),
        };
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), refusal.is_none(), "{task} {files:?}: {told}");
        assert!(told.contains(refusal.unwrap_or_default()), "{task} {files:?}: {told}");
        assert_eq!(out.exists(), refusal.is_none(), "{task} {files:?}");
        fs::remove_file(out).ok();
    }
}

/// Merged files hold the positions of all, shuffled ones in another order that
/// the seed decides, and exported ones the same as text for White.
#[test]
fn files_are_joined_shuffled_and_exported() {
    let folder = folder();
    let file = |name| folder.path().join(name);
    let (first, second) = (file("a"), file("b"));
    assert!(generate(&first, "150", &["--seed", "1"]).status.success());
    assert!(generate(&second, "150", &["--seed", "2"]).status.success());
    let merged = join("merge", &[&first, &second], &file("merged"), &[]);
    assert!(merged.status.success(), "{}", said(&merged));
    let both = [&first, &second].map(|path| said(&data("show", path))).concat();
    assert_eq!(said(&data("show", &file("merged"))), both);
    let again = join("merge", &[&first], &file("merged"), &[]);
    assert!(!again.status.success(), "nothing is overwritten");

    // Positions of games are a file of their own, to which no games are added.
    let derived = join("positions", &[&first, &second], &file("positions"), &[]);
    assert!(derived.status.success(), "{}", said(&derived));
    assert_eq!(said(&data("show", &file("positions"))), both);
    let mixed = join("merge", &[&first, &file("positions")], &file("mixed"), &[]);
    let resumed = generate(&file("positions"), "1000", &["--resume"]);
    for output in [mixed, resumed] {
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("games and positions do not go into one file"));
    }

    let mut shown = Vec::new();
    for (name, seed) in [("s", "5"), ("t", "5"), ("u", "6")] {
        let shuffled = join("shuffle", &[&first, &second], &file(name), &["--seed", seed]);
        assert!(shuffled.status.success(), "{}", said(&shuffled));
        assert!(data("check", &file(name)).status.success());
        shown.push(said(&data("show", &file(name))));
    }
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&shown[0]), sorted(&both));
    assert_eq!(shown[0], shown[1]);
    assert!(shown[0] != shown[2] && shown[0] != both);

    let exported = join("export", &[&file("merged")], &file("text"), &[]);
    assert!(exported.status.success(), "{}", said(&exported));
    let text = fs::read_to_string(file("text")).expect("it was written");
    assert_eq!(text.lines().count(), both.lines().count());
    for (line, shown) in text.lines().zip(both.lines()) {
        let [fen, score, result] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let [shown_fen, shown_score, shown_result] = shown.split(" ; ").collect::<Vec<_>>()[..]
        else {
            panic!("{shown}");
        };
        assert_eq!(fen, shown_fen);
        let score: i32 = score.parse().expect("a number");
        let for_white = if fen.contains(" w ") { score } else { -score };
        assert_eq!(shown_score.parse(), Ok(for_white));
        let number = ["0-1", "1/2-1/2", "1-0"].iter().position(|name| *name == shown_result);
        assert_eq!(result.parse(), Ok(number.expect("a result") as f64 / 2.0));
    }
}

/// Damage in the middle is told block by block, and what is sound around it is
/// saved; the damaged file stays as it is.
#[test]
fn damaged_files_are_repaired() {
    let folder = folder();
    let file = |name: &str| folder.path().join(name);
    let parts: Vec<PathBuf> = (0..3).map(|number| file(&format!("part{number}"))).collect();
    for (path, seed) in parts.iter().zip(["1", "2", "3"]) {
        assert!(generate(path, "150", &["--seed", seed]).status.success());
    }
    let paths: Vec<&Path> = parts.iter().map(PathBuf::as_path).collect();
    assert!(join("merge", &paths, &file("all"), &[]).status.success());
    let whole = fs::read(file("all")).expect("it was written");
    let second = fs::metadata(&parts[0]).expect("it is there").len() as usize;
    let shown = |path: &Path| String::from_utf8_lossy(&data("show", path).stdout).into_owned();
    let rest = [&parts[0], &parts[2]].map(|path| shown(path)).concat();

    let mut changed = whole.clone();
    changed[second + 200] ^= 4;
    let mut shorter = whole.clone();
    shorter.drain(second + 100..second + 117);
    let mut headless = changed.clone();
    headless[..4].fill(0);
    for (name, damaged) in [("changed", changed), ("shorter", shorter), ("headless", headless)] {
        let (path, output) = (file(name), file(&format!("{name}.saved")));
        fs::write(&path, &damaged).expect("room on the disk");
        if name != "headless" {
            let checked = data("check", &path);
            assert_eq!(checked.status.code(), Some(2));
            let told = format!("damaged from block 2 at byte {second}: ");
            assert!(said(&checked).contains(&told), "{}", said(&checked));
            assert!(said(&data("count", &path)).contains("`qirkat data repair`"));
        }
        let repaired = join("repair", &[&path], &output, &[]);
        assert!(repaired.status.success(), "{}", said(&repaired));
        assert!(said(&repaired).contains("damaged from block"), "{}", said(&repaired));
        assert_eq!(shown(&output), rest, "{name}");
        assert!(data("check", &output).status.success());
        assert_eq!(fs::read(&path).expect("it is there"), damaged);
        assert!(!join("repair", &[&path], &output, &[]).status.success(), "nothing is overwritten");
    }
    let sound = join("repair", &[&parts[0]], &file("copy"), &[]);
    assert!(said(&sound).contains("nothing is damaged"), "{}", said(&sound));
    fs::write(file("other"), "something else ".repeat(100)).expect("room on the disk");
    let other = join("repair", &[&file("other")], &file("none"), &[]);
    assert!(!other.status.success() && said(&other).lines().count() == 1, "{}", said(&other));
    assert!(!file("none").exists());
}
