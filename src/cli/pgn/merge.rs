//! `qirkat pgn merge`.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufWriter, Write, stdout};
use std::path::Path;

use anyhow::Context;

use super::arguments::MergeOptions;
use super::counted;
use super::input::for_each_sound_game;
use crate::pgn::{Notation, PgnGame};
use crate::whole_file::WholeFile;

/// How many games went where.
#[derive(Default)]
struct Merged {
    written: u64,
    repeated: u64,
    faulty: u64,
}

/// Writes all games into one file; gives back the number of faulty ones,
/// which are not written.
pub(super) fn run(options: &MergeOptions) -> anyhow::Result<u64> {
    let Some(path) = &options.output else {
        let mut out = BufWriter::new(stdout().lock());
        return Ok(merge(options, &mut out)?.faulty);
    };
    let merged = merge_into(options, path)?;
    let repeated = if options.unique {
        format!(", {} left out as repeated", merged.repeated)
    } else {
        String::new()
    };
    writeln!(stdout(), "{} written{repeated}", counted(merged.written, "game"))?;
    Ok(merged.faulty)
}

/// The output may be among the files read and must not be lost when
/// something fails, so it is written beside its place first.
fn merge_into(options: &MergeOptions, path: &Path) -> anyhow::Result<Merged> {
    let name = || path.display().to_string();
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if path.exists() && !path.is_file() {
        // A device or a pipe has nothing to lose.
        return merge(options, &mut BufWriter::new(File::create(&path).with_context(name)?));
    }
    let mut file = WholeFile::create(&path).with_context(name)?;
    let merged = merge(options, &mut file.content)?;
    file.finish().with_context(name)?;
    Ok(merged)
}

fn merge(options: &MergeOptions, out: &mut impl Write) -> anyhow::Result<Merged> {
    let mut merged = Merged::default();
    let mut known = HashSet::new();
    merged.faulty = for_each_sound_game(&options.files.paths, |game| {
        if options.unique && !known.insert(fingerprint(&game)) {
            merged.repeated += 1;
        } else {
            merged.written += 1;
            game.write_to(out, Notation::San)?;
        }
        Ok(())
    })?;
    out.flush()?;
    Ok(merged)
}

/// Players, start and moves in 128 bits: small enough to keep for millions of
/// games, and large enough that no two of them meet by chance.
fn fingerprint(game: &PgnGame) -> [u64; 2] {
    let moves: Vec<u16> = game.moves.iter().map(|played| played.mv.pack().0).collect();
    let identity = (game.tag("White"), game.tag("Black"), game.start.fen(), moves);
    [0_u8, 1].map(|half| {
        let mut hasher = DefaultHasher::new();
        (half, &identity).hash(&mut hasher);
        hasher.finish()
    })
}
