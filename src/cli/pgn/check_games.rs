//! `qirkat pgn check`.

use std::io::{BufWriter, Write, stdout};

use super::CheckOptions;
use super::game_input::{Found, GameFiles};
use qirkat_game::text::counted;
use qirkat_rules::pgn::{GameResult, MoveNumber, PgnMove, ReadGame, Unread};
use qirkat_rules::variant::AnyGame;

/// Something wrong with a legal game, and the line of it.
struct Fault {
    line: u64,
    text: String,
}

/// Prints every fault and a summary; gives back the number of faults.
pub(super) fn run(options: &CheckOptions) -> anyhow::Result<u64> {
    let mut out = BufWriter::new(stdout().lock());
    let files = GameFiles::all(&options.files.paths);
    let mut faults = 0;
    let counts = files.for_each(None, |name, found, bar| {
        let lines: Vec<String> = match found {
            Found::Fault(line) => vec![line],
            Found::Game(_, read) => {
                let told = faults_of(&read);
                faults += told.len() as u64;
                let told = told.into_iter();
                told.map(|Fault { line, text }| {
                    format!("game {}, line {line}: {text}", read.number)
                })
                .collect()
            }
        };
        bar.suspend(|| lines.iter().try_for_each(|line| writeln!(out, "{name}: {line}")))?;
        Ok(())
    })?;
    let faults = faults + counts.faulty;
    writeln!(out, "{}, {}", counted(counts.all, "game"), counted(faults, "fault"))?;
    out.flush()?;
    Ok(faults)
}

fn faults_of(read: &ReadGame) -> Vec<Fault> {
    let of_unread = |unread: &Unread| Fault {
        line: unread.line,
        text: format!("{}{}", unread.place(), unread.fault),
    };
    let mut faults: Vec<Fault> = read.unread.iter().map(of_unread).collect();
    faults.extend(null_move_fault(read));
    faults.extend(result_tag_fault(read));
    faults.extend(ending_fault(read));
    faults
}

/// A game in which somebody passes goes on in a variation, which begins with its last move.
fn null_move_fault(read: &ReadGame) -> Option<Fault> {
    let (last, &line) = read.game.moves.last().zip(read.move_lines.last())?;
    let goes_on = |line: &Vec<PgnMove>| matches!(&line[..], [first, null, ..] if first.mv == last.mv && null.mv.is_null());
    let number = last
        .variations
        .iter()
        .any(goes_on)
        .then(|| MoveNumber::of(read.game.final_game().position()))?;
    let text = format!("move {number} --: a null move, so the rest is a variation");
    Some(Fault { line, text })
}

/// The result is written twice, and both should say the same.
fn result_tag_fault(read: &ReadGame) -> Option<Fault> {
    let text = match (read.game.tag("Result"), read.written_result) {
        (_, None) => "no result behind the moves".to_owned(),
        (Some(tag), Some(result)) if GameResult::parse(tag) != Some(result) => {
            format!("Result tag `{tag}`, but {result} behind the moves")
        }
        _ => return None,
    };
    Some(Fault { line: read.last_line, text })
}

/// A result that the board contradicts, or moves after the end.
fn ending_fault(read: &ReadGame) -> Option<Fault> {
    let mut game = AnyGame::from_position(read.game.start);
    for (played, &line) in read.game.moves.iter().zip(&read.move_lines) {
        if let Some(outcome) = game.outcome() {
            let number = MoveNumber::of(game.position());
            let san = game.position().san(played.mv);
            let text = format!("move {number} {san}: the game had ended, {outcome}");
            return Some(Fault { line, text });
        }
        game.play(played.mv);
    }
    let outcome = game.outcome()?;
    if read.game.result == GameResult::from(outcome) {
        return None;
    }
    let text = format!("result {}, but {outcome}", read.game.result);
    Some(Fault { line: read.last_line, text })
}
