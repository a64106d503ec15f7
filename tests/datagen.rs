//! `qirkat datagen` and `qirkat data`, from outside.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that goes when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("qirkat-datagen-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn qirkat(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_qirkat")).args(arguments).output().expect("the binary starts")
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
    let folder = Folder::new("repeat");
    let (first, second, third) = (folder.file("a"), folder.file("b"), folder.file("c"));
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
    let folder = Folder::new("resume");
    let path = folder.file("a");
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
    let after = fs::read(&path).expect("it is there");
    assert!(after.starts_with(&before) && after.len() > before.len());
    assert!(data("check", &path).status.success());
}

/// Files of another kind are refused in one line.
#[test]
fn other_files_are_refused() {
    let folder = Folder::new("other");
    let path = folder.file("a");
    for content in ["", "QIRKDATA", "something else, longer than any header is"] {
        fs::write(&path, content).expect("room on the disk");
        for output in [data("count", &path), data("check", &path), data("show", &path)] {
            assert!(!output.status.success());
            assert_eq!(said(&output).lines().count(), 1, "{}", said(&output));
        }
        assert!(!generate(&path, "100", &["--resume"]).status.success());
        assert_eq!(fs::read(&path).expect("it is there"), content.as_bytes());
    }
}
