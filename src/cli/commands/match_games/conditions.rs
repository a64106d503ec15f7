//! The conditions that determine the result of a match. They are saved beside the games, so that a
//! match under others never adds to the file.

use std::collections::HashMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::contestants::Openings;
use super::settings::MatchSettings;
use crate::shared::run_conditions::{Conditions, change, checksum, tables_checksum};
use qirkat_arena::statistics::Sprt;
use qirkat_arena::{Contestant, OpeningPolicy, Program, Protocol, PvCheck, Schedule, Shard};

/// A match may be resumed with more rounds, or with fewer if no game of the others was played.
const ROUNDS: &str = "rounds";
pub(super) const SHARD: &str = "shard";
/// The first word of the names of an engine's conditions.
const ENGINE: &str = "engine";
/// The last word of the name of a file's checksum. Machines that share a match may have different builds of a
/// program.
const CHECKSUM: &str = "checksum";
/// Options that name a file or table folder that affects play. Others may name output files, such
/// as a log.
const FILE_OPTIONS: [&str; 5] =
    ["evalfile", "evalfilesmall", "weightsfile", "bookfile", "book file"];
const TABLES_OPTIONS: [&str; 2] = ["tablepath", "syzygypath"];
/// Extensions of scripts, which matter as much as their interpreter.
const SCRIPTS: [&str; 7] = ["py", "js", "mjs", "sh", "lua", "rb", "jar"];

pub(super) const CONDITIONS_COMMENT: &str = "\
# The settings of the match whose games are beside this file. `qirkat match --resume` reads it
# and continues only that match.";

/// The conditions of a match by name, such as `engine 1 option.Hash`. Settings that do not change
/// results are left out: concurrency, pauses, reports, PGN format.
pub(super) fn conditions(
    settings: &MatchSettings,
    contestants: &[Contestant],
    schedule: &Schedule,
    shard: Shard,
    openings: &Openings,
    sprt: Option<&Sprt>,
) -> Conditions {
    let mut conditions = Conditions::default();
    add_schedule(&mut conditions, schedule, shard);
    add_rules(&mut conditions, settings);
    for (name, value) in &openings.conditions {
        conditions.set(format!("openings {name}"), value);
    }
    if let Some(sprt) = sprt {
        add_sprt(&mut conditions, sprt);
    }
    // Engines are often the same program with other options.
    let mut programs = HashMap::new();
    for (number, contestant) in (1..).zip(contestants) {
        add_engine(&mut conditions, number, contestant, &mut programs);
    }
    conditions
}

fn add_schedule(all: &mut Conditions, schedule: &Schedule, shard: Shard) {
    all.set("tournament", schedule.kind);
    all.set("games", schedule.games_per_meeting);
    all.set(ROUNDS, schedule.rounds);
    all.set("seeds", schedule.seeds);
    all.set("noswap", !schedule.swaps);
    all.set("reverse", schedule.reversed);
    if schedule.policy != OpeningPolicy::Default {
        all.set("openings policy", schedule.policy);
    }
    all.set(SHARD, format!("{}/{}", shard.index + 1, shard.count));
}

fn add_rules(all: &mut Conditions, settings: &MatchSettings) {
    all.set("variant", settings.variant.name());
    all.set("srand", settings.srand.unwrap_or(0));
    if let Some(draw) = &settings.draw {
        all.set("draw movenumber", draw.after_moves);
        all.set("draw movecount", draw.moves_in_a_row);
        all.set("draw score", draw.score);
    }
    if let Some(resign) = &settings.resign {
        all.set("resign movecount", resign.moves_in_a_row);
        all.set("resign score", resign.score);
        all.set("resign twosided", resign.two_sided);
    }
    all.set_given("maxmoves", settings.maxmoves);
    if let Some(tables) = &settings.tb {
        all.set("tb", tables);
        all.set_given("tb tables", tables_checksum(Path::new(tables)).ok());
    }
    // The other values change no result.
    if settings.pvcheck == PvCheck::Lose {
        all.set("pvcheck", "lose");
    }
}

fn add_sprt(all: &mut Conditions, sprt: &Sprt) {
    all.set("sprt elo0", sprt.elo0);
    all.set("sprt elo1", sprt.elo1);
    all.set("sprt alpha", sprt.alpha);
    all.set("sprt beta", sprt.beta);
    all.set("sprt model", sprt.model);
}

fn add_engine(
    all: &mut Conditions,
    number: usize,
    contestant: &Contestant,
    programs: &mut HashMap<PathBuf, Option<String>>,
) {
    let Contestant { name, setup, control } = contestant;
    let program = &setup.program;
    let mut set = |what: &str, value: &dyn Display| {
        all.set(format!("{ENGINE} {number} {what}"), value);
    };
    let mut contents: Vec<(String, Option<String>)> = Vec::new();
    set("name", name);
    set("cmd", &program.command.display());
    if setup.protocol == Protocol::Xboard {
        set("proto", &"xboard");
    }
    contents.extend(find_program(program).map(|file| {
        let content = programs.entry(file).or_insert_with_key(|file| checksum(file).ok());
        ("cmd".to_owned(), content.clone())
    }));
    for (index, argument) in (1..).zip(&program.arguments) {
        let (what, path) = (format!("arg {index}"), Path::new(argument));
        set(&what, argument);
        if path.extension().is_some_and(|ending| SCRIPTS.iter().any(|script| ending == *script)) {
            contents.push((what, checksum(&resolve_path(program, path)).ok()));
        }
    }
    if let Some(directory) = &program.directory {
        set("dir", &directory.display());
    }
    for (name, value) in &program.environment {
        set(&format!("env.{name}"), value);
    }
    for (name, value) in &setup.options {
        let name = name.to_lowercase();
        let value = value.as_deref().unwrap_or_default();
        let what = format!("option.{name}");
        set(&what, &value);
        if FILE_OPTIONS.contains(&name.as_str()) {
            contents.push((what, checksum(&resolve_path(program, Path::new(value))).ok()));
        } else if TABLES_OPTIONS.contains(&name.as_str()) {
            // Engines accept several folders in one value.
            contents.extend(std::env::split_paths(value).map(|folder| {
                let what = format!("{what} {}", folder.display());
                (what, tables_checksum(&resolve_path(program, &folder)).ok())
            }));
        }
    }
    for (what, content) in contents {
        if let Some(content) = content {
            set(&format!("{what} {CHECKSUM}"), &content);
        }
    }
    set("limit", &control.describe());
    set("timemargin", &control.margin.as_millis());
    set("ponder", &setup.ponder);
    set("restart", &setup.restart);
}

pub(super) fn changes(old: &Conditions, new: &Conditions) -> Vec<String> {
    old.differences(new, |name, old, new| (name != ROUNDS).then(|| change(name, old, new)))
}

pub(super) fn contradictions(one: &Conditions, other: &Conditions) -> Vec<String> {
    one.differences(other, |name, here, there| {
        let is_engine_checksum = name.starts_with(ENGINE) && name.ends_with(CHECKSUM);
        (name != SHARD && !is_engine_checksum)
            .then(|| format!("{name} is {here} here and {there} there"))
    })
}

pub(super) fn conditions_file(games: &Path) -> PathBuf {
    games.with_added_extension("match.toml")
}

pub(super) fn resolve_path(program: &Program, path: &Path) -> PathBuf {
    program.directory.as_deref().unwrap_or(Path::new("")).join(path)
}

/// Finds the program's file in the system's search path.
fn find_program(program: &Program) -> Option<PathBuf> {
    let command = &program.command;
    if command.components().count() > 1 {
        return Some(resolve_path(program, command));
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(command)).find(|file| file.is_file())
}
