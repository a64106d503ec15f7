//! Where an analysis begins: a position by its FEN, or a moment of a game in a file.

use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::Path;

use anyhow::{Context, bail};

use super::super::setup;
use super::options::{AnalyseOptions, GameOrNumber};
use qirkat_notation::pgn::{PgnError, PgnGame, PgnReader};
use qirkat_rules::variant::{AnyGame, Variant};

/// The game that is meant where no file says it.
///
/// # Errors
/// When a number stands there.
pub(super) fn variant(options: &AnalyseOptions) -> anyhow::Result<Variant> {
    match options.game {
        None => Ok(Variant::default()),
        Some(GameOrNumber::Game(variant)) => Ok(variant),
        Some(GameOrNumber::Number(number)) => {
            bail!("--game {number}: the number of a game goes with --pgn")
        }
    }
}

/// The game as it stands where the analysis begins.
///
/// # Errors
/// When there is no such game, position or move.
pub(super) fn game(options: &AnalyseOptions) -> anyhow::Result<AnyGame> {
    let mut game = match &options.pgn {
        Some(path) => from_pgn(path, options)?,
        None => setup::start(variant(options)?, options.fen.as_deref())?,
    };
    setup::make_moves(&mut game, &options.moves)?;
    Ok(game)
}

fn from_pgn(path: &Path, options: &AnalyseOptions) -> anyhow::Result<AnyGame> {
    let number = match options.game {
        None => 1,
        Some(GameOrNumber::Number(number)) => number,
        Some(GameOrNumber::Game(variant)) => {
            bail!("--game {variant}: with --pgn it is the number of the game; the file says which")
        }
    };
    let record = find(path, number)?;
    let plies = record.moves.len();
    let wanted = options.ply.unwrap_or(plies);
    if wanted > plies {
        bail!("--ply {wanted}: game {number} of {} has {plies}", path.display());
    }
    let mut game = AnyGame::from_position(record.start);
    for played in &record.moves[..wanted] {
        game.play(played.mv);
    }
    Ok(game)
}

fn find(path: &Path, number: u64) -> anyhow::Result<PgnGame> {
    let name = path.display().to_string();
    let input: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).with_context(|| name.clone())?))
    };
    let mut games = 0;
    for read in PgnReader::new(input) {
        games += 1;
        match read {
            Err(error @ PgnError::Io(_)) => return Err(error).context(name),
            Err(error) if games == number => return Err(error).context(name),
            Ok(read) if games == number => return Ok(read.game),
            _ => {}
        }
    }
    match games {
        0 => bail!("{name} holds no game"),
        _ => bail!("--game {number}: {name} holds {games}"),
    }
}
