//! The PGN file of a match: each game is written as it ends, and read again
//! when the match goes on.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::plan::Plan;
use crate::arena::{
    FinishedGame, GameOutcome, Judgement, PlayedMove, ScheduledGame, Standings, Thought,
};
use crate::pgn::{PgnGame, PgnMove, PgnReader};

/// The tag that tells which game of the schedule it is.
const NUMBER_TAG: &str = "GameNumber";
const TERMINATION_TAG: &str = "Termination";

/// Where games are written down.
pub(super) struct GameFile {
    file: File,
}

impl GameFile {
    /// Opens the file for games to come. What stands in it stays, but for a
    /// last game that was cut off.
    pub fn open(path: &Path) -> Result<GameFile> {
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)
            .with_context(|| path.display().to_string())?;
        cut_off_last(&mut file).with_context(|| path.display().to_string())?;
        Ok(GameFile { file })
    }

    /// Writes a game in one piece and sees it to the disk, so that a kill
    /// loses no finished game.
    pub fn write(&mut self, game: &PgnGame) -> Result<()> {
        self.file.write_all(game.to_string().as_bytes())?;
        self.file.sync_data()?;
        Ok(())
    }
}

/// Every game begins with this.
const FIRST_TAG: &[u8] = b"[Event ";
/// A game is looked for this far from the end of its file.
const LONGEST_GAME: u64 = 1 << 22;

/// Removes the last game if it was cut off, which is where a kill has hit.
fn cut_off_last(file: &mut File) -> Result<()> {
    let length = file.metadata()?.len();
    let tail_start = length.saturating_sub(LONGEST_GAME);
    file.seek(SeekFrom::Start(tail_start))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    let line_starts = (0..tail.len()).rev().filter(|&at| at == 0 || tail[at - 1] == b'\n');
    let Some(start) = line_starts.into_iter().find(|&at| {
        let line = &tail[at..];
        // Even its first words may be cut off.
        line.starts_with(FIRST_TAG) || FIRST_TAG.starts_with(line)
    }) else {
        return Ok(());
    };
    let is_whole = PgnReader::new(&tail[start..])
        .all(|read| read.is_ok_and(|read| read.written_result.is_some()));
    if !is_whole {
        file.set_len(tail_start + start as u64)?;
    } else if tail.last() != Some(&b'\n') {
        file.write_all(b"\n\n")?;
    }
    Ok(())
}

/// A finished game as it is written down.
pub(super) fn pgn(
    plan: &Plan,
    game: &ScheduledGame,
    finished: &FinishedGame,
    date: &str,
) -> PgnGame {
    let mut pgn = PgnGame::from_position(finished.start);
    let contestant = |player: usize| &plan.tournament.contestants[player];
    pgn.set_tag("Event", plan.event.as_str());
    pgn.set_tag("Site", plan.site.as_str());
    pgn.set_tag("Date", date);
    pgn.set_tag("Round", format!("{}.{}", game.round + 1, game.number + 1));
    pgn.set_tag("White", contestant(game.white).name.as_str());
    pgn.set_tag("Black", contestant(game.black).name.as_str());
    pgn.set_tag(NUMBER_TAG, (game.number + 1).to_string());
    pgn.set_tag("PlyCount", finished.moves.len().to_string());
    pgn.set_tag(TERMINATION_TAG, finished.termination.tag());
    pgn.set_tag("Reason", finished.reason.as_str());
    pgn.set_tag("WhiteTimeControl", contestant(game.white).control.describe());
    pgn.set_tag("BlackTimeControl", contestant(game.black).control.describe());
    pgn.moves = finished.moves.iter().map(pgn_move).collect();
    pgn.result = finished.result;
    pgn
}

fn pgn_move(played: &PlayedMove) -> PgnMove {
    let comment = played.thought.as_ref().map_or_else(|| "book".to_owned(), comment_on);
    PgnMove { mv: played.mv, comment: Some(comment) }
}

/// `score/depth time`, as cutechess writes it.
fn comment_on(thought: &Thought) -> String {
    let time = format!("{:.3}s", thought.time.as_secs_f64());
    let score = match thought.info.judgement {
        None => return time,
        Some(Judgement::Centipawns(value)) => format!("{:+.2}", f64::from(value) / 100.0),
        Some(Judgement::Mate(moves)) if moves > 0 => format!("+M{moves}"),
        Some(Judgement::Mate(moves)) => format!("-M{}", moves.unsigned_abs()),
    };
    format!("{score}/{} {time}", thought.info.depth.unwrap_or(0))
}

/// Counts the games of this match that stand in the file already. Games that
/// were cut off are played again.
pub(super) fn read_finished(plan: &Plan, path: &Path, standings: &mut Standings) -> Result<()> {
    let file = match File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        other => other.with_context(|| path.display().to_string())?,
    };
    let scheduled = plan.schedule.games();
    for read in PgnReader::new(BufReader::new(file)) {
        let read = match read {
            Ok(read) => read,
            Err(crate::pgn::PgnError::Io(error)) => return Err(error.into()),
            Err(error) => {
                eprintln!("qirkat: {}: {error}; it is played again", path.display());
                continue;
            }
        };
        let pgn = read.game;
        let number = pgn.tag(NUMBER_TAG).and_then(|text| text.parse::<usize>().ok());
        if read.written_result.is_none() {
            continue;
        }
        let Some(game) = number.and_then(|number| scheduled.get(number.checked_sub(1)?)) else {
            bail!("{}: game {} is not of this match", path.display(), read.number);
        };
        let names = [game.white, game.black]
            .map(|player| Some(plan.tournament.contestants[player].name.as_str()));
        if names != [pgn.tag("White"), pgn.tag("Black")] {
            bail!("{}: game {} was played by others", path.display(), read.number);
        }
        let termination = pgn.tag(TERMINATION_TAG).unwrap_or("normal").to_owned();
        standings.add(outcome(game, pgn.result, termination));
    }
    Ok(())
}

/// A game as far as counting goes.
pub(super) fn outcome(
    game: &ScheduledGame,
    result: crate::pgn::GameResult,
    termination: String,
) -> GameOutcome {
    GameOutcome {
        number: game.number,
        pair: game.pair,
        white: game.white,
        black: game.black,
        result,
        termination,
    }
}
