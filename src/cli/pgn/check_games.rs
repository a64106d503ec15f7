//! `qirkat pgn check`.

use std::io::{BufWriter, Write, stdout};

use super::game_input::for_each_game;
use super::pgn_arguments::CheckOptions;
use crate::pgn::{GameResult, MoveNumber, ReadGame};
use crate::text::counted;
use crate::variant::AnyGame;

/// Something wrong with a legal game, and the line of it.
struct Fault {
    line: u64,
    text: String,
}

/// Prints every fault and a summary; gives back the number of faults.
pub(super) fn run(options: &CheckOptions) -> anyhow::Result<u64> {
    let mut out = BufWriter::new(stdout().lock());
    let (mut games, mut faults) = (0, 0);
    for_each_game(&options.files.paths, |name, game, bar| {
        games += 1;
        let lines: Vec<String> = match game {
            Err(error) => vec![error.to_string()],
            Ok(read) => faults_of(&read)
                .into_iter()
                .map(|fault| format!("game {}, line {}: {}", read.number, fault.line, fault.text))
                .collect(),
        };
        faults += lines.len() as u64;
        bar.suspend(|| lines.iter().try_for_each(|line| writeln!(out, "{name}: {line}")))?;
        Ok(())
    })?;
    writeln!(out, "{}, {}", counted(games, "game"), counted(faults, "fault"))?;
    out.flush()?;
    Ok(faults)
}

fn faults_of(read: &ReadGame) -> Vec<Fault> {
    let mut faults = Vec::new();
    faults.extend(result_tag_fault(read));
    faults.extend(ending_fault(read));
    faults
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
