//! `qirkat solve` from outside.

use std::fs;
use std::process::Output;

use crate::run::{good_output, qirkat, text};
use qirkat_testing::effort;

/// Three men against two; White is to move and wins.
const WON: &str = "mm3/5/1M1M1/5/2M2 w - - 0 1";
/// Nobody has to come onward here.
const SHORT_DRAW: &str = "5/MM3/5/mm3/5 w - - 0 1";
/// Nor here, where more can come up.
const DRAWN: &str = "mm3/5/5/5/MM3 w - - 0 1";

fn solve(arguments: &[&str]) -> Output {
    let all = [&["solve", "--game", "alquerque", "--men", "4"], arguments].concat();
    qirkat(all).output().expect("the binary runs")
}

fn check(path: &str) -> Output {
    qirkat(["solve", "check", path]).output().expect("the binary runs")
}

fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2));
    let errors = text(&output.stderr);
    assert_eq!(errors.lines().count(), 1, "{errors}");
    errors
}

#[test]
fn a_win_is_proved_and_checked() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("won.cert");
    let path = path.to_str().expect("a plain path");
    let arguments = ["--fen", WON, "--certificate", path];
    let said = good_output(&solve(&arguments), &arguments);
    assert!(said.starts_with(&format!("{WON}\nWhite wins by ")), "{said}");
    let told = said.strip_suffix(&format!("{path}: written\n")).expect("the last line");
    assert_eq!(good_output(&check(path), &path), told);
    assert!(refused(&solve(&arguments)).contains("--overwrite"));

    let whole = fs::read(path).expect("it was written");
    for damaged in [&whole[..whole.len() / 2], b"no certificate", b""] {
        fs::write(path, damaged).expect("room on the disk");
        assert!(refused(&check(path)).starts_with(&format!("qirkat: {path}: ")));
    }
}

/// The loser may be to move, and either side may win.
#[test]
fn either_side_wins() {
    let said = good_output(&solve(&["--fen", "2m2/5/1m1m1/5/MM3 w - - 0 1"]), &());
    assert!(said.contains("\nBlack wins, in at most "), "{said}");
}

/// Each side has a strategy that does not lose.
#[test]
fn a_draw_is_proved_and_checked() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("drawn.cert");
    let path = path.to_str().expect("a plain path");
    let arguments = ["--fen", SHORT_DRAW, "--certificate", path];
    let said = good_output(&solve(&arguments), &arguments);
    let told = said.strip_suffix(&format!("{path}: written\n")).expect("the last line");
    assert!(told.starts_with(&format!("{SHORT_DRAW}\nneither side wins\n")), "{said}");
    assert_eq!(good_output(&check(path), &path), told);
}

/// The program carries a certificate of the start, and plays by it.
#[test]
fn the_start_is_won() {
    let analyse = ["analyse", "--game", "alquerque", "--depth", "1"];
    let said = good_output(&qirkat(analyse).output().expect("the binary runs"), &analyse);
    assert!(said.contains("#47") && said.contains("\nBest move: c2c3"), "{said}");
    // Of several lines, the others are searched.
    let several = [&analyse[..], &["--multipv", "3"]].concat();
    let said = good_output(&qirkat(several.clone()).output().expect("the binary runs"), &several);
    let (_, lines) = said.split_once("Line  ").expect("the lines");
    let line = |rank: &str| lines.lines().find(|line| line.trim_start().starts_with(rank));
    assert!(line("1 ").is_some_and(|line| line.contains("#47") && line.contains("c2c3")), "{said}");
    assert!(line("3 ").is_some_and(|line| !line.contains('#')), "{said}");
    // Black loses by every reply.
    let lost = [&several[..], &["--moves", "c2c3"]].concat();
    let said = good_output(&qirkat(lost.clone()).output().expect("the binary runs"), &lost);
    assert!(said.contains("#-46") && said.contains("Best move: c4c2"), "{said}");
    let without = [&analyse[..], &["--table-path", "<none>"]].concat();
    let said = good_output(&qirkat(without.clone()).output().expect("the binary runs"), &without);
    assert!(!said.contains('#'), "{said}");
}

/// Moves lead to the position, and what came before counts.
#[test]
fn a_game_has_a_past() {
    let moves = ["--fen", WON, "--moves", "b3a3", "b5c5"];
    let said = good_output(&solve(&moves), &moves);
    assert!(said.contains("\nWhite wins by "), "{said}");
    let illegal = ["--fen", WON, "--moves", "b3a3", "b5a5"];
    assert!(refused(&solve(&illegal)).contains("move 2 `b5a5` is not legal"));
}

#[test]
fn checkpoints_are_of_one_proof() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("proof.save");
    let name = path.to_str().expect("a plain path");
    let resume = ["--fen", WON, "--checkpoint", name, "--resume"];
    // Where there is none yet, the proof begins.
    assert!(good_output(&solve(&resume), &resume).contains("White wins"));
    fs::write(&path, "something else").expect("room on the disk");
    assert!(refused(&solve(&resume)).contains("--resume: "));
    assert!(refused(&solve(&resume[..4])).contains("--resume"));
    assert!(refused(&solve(&["--fen", WON, "--resume"])).contains("--checkpoint"));
}

#[test]
fn what_cannot_be_solved_is_told() {
    let chess = qirkat(["solve"]).output().expect("the binary runs");
    assert!(refused(&chess).contains("--game alquerque"));
    assert!(refused(&solve(&["--fen", "5/5/5 w"])).contains("--fen"));
    let late = "mm3/5/1M1M1/5/2M2 w - - 100 60";
    assert!(refused(&solve(&["--fen", late])).contains("over"));
    let said = good_output(&solve(&["--fen", DRAWN]), &DRAWN);
    assert_eq!(said, format!("{DRAWN}\nneither side wins\n"));
}

/// What the guide says of first moves, of those that are solved in minutes: nothing in the
/// quick run.
#[test]
fn the_guide_s_figures_of_first_moves_are_those_of_the_program() {
    let guide = include_str!("../../docs/analyse/solving.md");
    for first in ["d2c3", "d3c3"].into_iter().take(effort([0, 1, 2])) {
        let row = guide.lines().find(|line| line.starts_with(&format!("| `{first}` | ")));
        let cells: Vec<&str> = row.expect("a row").split('|').map(str::trim).collect();
        let [_, _, result, how, positions, _] = cells[..] else { panic!("{cells:?}") };
        assert!(how.starts_with("`--men 5`,"), "{how}");
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("first.cert");
        let path = path.to_str().expect("a plain path");
        let arguments = ["--men", "5", "--moves", first, "--threads", "1", "--certificate", path];
        let command = [&["solve", "--game", "alquerque"], &arguments[..]].concat();
        let said = good_output(&qirkat(command).output().expect("the binary runs"), &arguments);
        let (side, plies) = result.split_once(" wins, in at most ").expect("who wins");
        assert!(said.contains(&format!("\n{side} wins by ")), "{said}");
        assert!(said.contains(&format!(", in at most {plies}\n")), "{said}");
        let positions = positions.replace(',', "");
        assert!(said.contains(&format!("\na move for each of {positions} positions")), "{said}");
    }
}
