//! `qirkat pgn merge`.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;

use super::MergeOptions;
use super::game_input::{GameFiles, for_each_game_to_copy};
use qirkat_game::text::counted;
use qirkat_notation::pgn::{Notation, PgnGame};
use qirkat_rules::variant::AnyMove;

/// How many games went where.
#[derive(Default)]
struct Merged {
    written: u64,
    repeated: u64,
    faulty: u64,
}

/// Writes all games into one file; gives back the number of faulty ones,
/// which are kept apart.
pub(super) fn run(options: &MergeOptions) -> anyhow::Result<u64> {
    let merged = options.output.write(&options.files.paths, |out| merge(options, out))?;
    let repeated = if options.unique {
        format!(", {} left out as repeated", merged.repeated)
    } else {
        String::new()
    };
    options.output.report(&format!("{} written{repeated}", counted(merged.written, "game")))?;
    Ok(merged.faulty)
}

fn merge(options: &MergeOptions, out: &mut dyn Write) -> anyhow::Result<Merged> {
    let mut merged = Merged::default();
    let mut known = HashSet::new();
    let files = GameFiles::all(&options.files.paths);
    let output = options.output.output.as_deref();
    let counts = for_each_game_to_copy(&files, output, |_, read| {
        let repeated = options.unique && !known.insert(fingerprint(&identity(&read.game)));
        if repeated {
            merged.repeated += 1;
        } else {
            merged.written += 1;
            read.game.write_to(out, Notation::San)?;
        }
        Ok(!repeated)
    })?;
    merged.faulty = counts.faulty;
    Ok(merged)
}

/// What makes a game another one: players, start and moves.
fn identity(game: &PgnGame) -> impl Hash {
    let moves: Vec<AnyMove> = game.moves.iter().map(|played| played.mv).collect();
    let player = |tag| game.tag(tag).map(str::to_owned);
    (player("White"), player("Black"), game.start.fen(), moves)
}

/// 128 bits of what makes a game: small enough to keep for millions of games, and large
/// enough that no two of them meet by chance.
pub(super) fn fingerprint(identity: &impl Hash) -> [u64; 2] {
    [0_u8, 1].map(|half| {
        let mut hasher = DefaultHasher::new();
        (half, identity).hash(&mut hasher);
        hasher.finish()
    })
}
