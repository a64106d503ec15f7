//! `qirkat pgn split`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;

use super::{DropOptions, Files, check_held, name_key, read_games};
use crate::shared::files::{AtPath, Overwrite, is_nonempty_file, with_suffix};
use crate::shared::terminal::report;
use qirkat_game::text::counted;
use qirkat_rules::pgn::Notation;
use qirkat_system::compression::write_compressed;
use qirkat_system::output_file::{
    AtomicFile, register_unfinished, remove_unfinished, unregister_unfinished,
};

#[derive(Args)]
pub(crate) struct SplitOptions {
    #[command(flatten)]
    files: Files,
    /// This many games to a file
    #[arg(long, value_name = "N", required_unless_present = "by_player", conflicts_with = "by_player", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// A file for each player, with all games of theirs
    #[arg(long)]
    by_player: bool,
    #[command(flatten)]
    drop: DropOptions,
    /// Name of the files: -1, -2 and so on, or the player, is added before its ending
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    overwrite: Overwrite,
}

/// The most letters of a player's name in that of a file, which may have 255 bytes.
const MAX_NAME: usize = 40;

pub(super) fn run(options: &SplitOptions) -> anyhow::Result<u64> {
    let SplitOptions { files, games, drop, output, .. } = options;
    if output.is_dir() {
        bail!("{} is a folder: name files in it", output.display());
    }
    if output.as_os_str() == "-" {
        bail!("--output: parts are files, and cannot go to the standard output");
    }
    let earlier = if games.is_some() { earlier_parts(options)? } else { Vec::new() };
    // Locks these names: another split to them fails. Nothing is written to this file.
    let _held = AtomicFile::create(output).at_path(output)?;
    let (mut parts, mut bytes, mut read, mut written) = (Parts::new(), 0, 0, Vec::new());
    let done = read_games(files, Some(output), |game| {
        let text = drop.applied_to(game).written_in(Notation::San).to_string();
        if games.is_some_and(|each| read % each == 0) {
            write_parts(&mut parts, options, &mut written)?;
            bytes = 0;
        }
        let names = match games {
            Some(each) => BTreeSet::from([(read / each + 1).to_string()]),
            None => BTreeSet::from(["White", "Black"].map(|tag| safe_name(game.tag(tag)))),
        };
        for name in names {
            bytes += text.len();
            check_held(bytes)?;
            parts.entry(with_suffix(output, &name)).or_default().push_str(&text);
        }
        read += 1;
        Ok(true)
    });
    let done = done.and_then(|faults| {
        write_parts(&mut parts, options, &mut written)?;
        Ok(faults)
    });
    let faults = done.map_err(|error| {
        remove_unfinished();
        written.retain(|path| path.exists());
        match written.len() as u64 {
            0 => error,
            left => {
                error.context(format!("{} replaced by an unfinished split", counted(left, "file")))
            }
        }
    })?;
    written.iter().for_each(|path| unregister_unfinished(path));
    let written = written.len() as u64;
    for (_, path) in earlier.iter().filter(|(number, _)| *number > written) {
        report(format_args!("{} is of an earlier split", path.display()));
    }
    report(format_args!("{} written to {}", counted(read, "game"), counted(written, "file")));
    Ok(faults)
}

/// The numbered files of an earlier split by this name, which are not overwritten unasked.
fn earlier_parts(options: &SplitOptions) -> anyhow::Result<Vec<(u64, PathBuf)>> {
    // `/` stands for the number, since no file name has it.
    let part = with_suffix(&options.output, "/");
    let part = part.to_string_lossy().into_owned();
    let (Some((before, after)), Some(folder)) = (part.rsplit_once('/'), options.output.parent())
    else {
        return Ok(Vec::new());
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut found: Vec<(u64, PathBuf)> = Vec::new();
    for entry in folder.read_dir().at_path(folder)?.flatten() {
        let path = options.output.with_file_name(entry.file_name());
        let name = path.to_string_lossy();
        let number = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        if let Some(number) = number.and_then(|number| number.parse().ok()) {
            found.push((number, path));
        }
    }
    found.sort();
    found.iter().try_for_each(|(_, path)| options.overwrite.begin(path, "").map(drop))?;
    Ok(found)
}

/// The texts of files that are not yet written.
type Parts = BTreeMap<PathBuf, String>;

/// Writes the files one by one, once it is checked that all can be written. New ones are removed if
/// the split ends before the last part.
fn write_parts(
    parts: &mut Parts,
    options: &SplitOptions,
    written: &mut Vec<PathBuf>,
) -> anyhow::Result<()> {
    let begin = |path: &PathBuf| options.overwrite.begin(path, "");
    parts.keys().try_for_each(|path| begin(path).map(drop))?;
    while let Some((path, text)) = parts.pop_first() {
        let (mut file, is_new) = (begin(&path)?, !is_nonempty_file(&path));
        let write = |out: &mut dyn Write| out.write_all(text.as_bytes());
        write_compressed(&path, &mut file.content, write)
            .and_then(|()| file.finish())
            .at_path(&path)?;
        if is_new {
            register_unfinished(&path);
        }
        written.push(path);
    }
    Ok(())
}

/// A player's name as it stands in a file's name: in lower case, with `_` for spaces, and codes for
/// other characters that some system may not take. A long one is cut, and a hash of the whole is
/// added. Different players have different ones, except that `unknown` is also for names without
/// letters or digits, and for games without a name.
fn safe_name(player: Option<&str>) -> String {
    let player = name_key(player.unwrap_or_default());
    if !player.contains(char::is_alphanumeric) {
        return "unknown".to_owned();
    }
    let mut name: String = player
        .chars()
        .take(MAX_NAME)
        .map(|letter| match letter {
            ' ' => "_".to_owned(),
            _ if letter.is_alphanumeric() || "-+.,'".contains(letter) => letter.to_string(),
            _ => format!("%{:02x}", u32::from(letter)),
        })
        .collect();
    if player.chars().nth(MAX_NAME).is_some() {
        name.push_str(&format!("~{:08x}", crc32fast::hash(player.as_bytes())));
    }
    name
}
