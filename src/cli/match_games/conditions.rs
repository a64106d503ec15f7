//! What the result of a match depends on. It is kept beside the games, so that
//! no other match goes on in their file.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::openings::Book;
use super::settings::MatchSettings;
use crate::conditions::{self, Difference, checksum};
use qirkat_arena::statistics::Sprt;
use qirkat_arena::{Contestant, Program, Schedule, Shard};

/// Everything by name, such as `engine 1 option.Hash`. What does not change
/// the result is not among it: how many games at a time, pauses, reports, how
/// games are written down.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(in crate::match_games) struct Conditions(conditions::Conditions);

/// A match may go on with more rounds, which come behind those there were, or
/// with fewer, if none of the others was played.
const ROUNDS: &str = "rounds";
const SHARD: &str = "shard";
/// The first word of what belongs to an engine.
const ENGINE: &str = "engine";
/// The last word of what is found in a file. Machines that share a match may
/// have programs built for each of them.
const CHECKSUM: &str = "checksum";
/// An option that names a file which decides how an engine plays.
const NETWORK_OPTION: &str = "evalfile";

/// The only kind of check of lines that changes a result.
const LINES_THAT_LOSE: &str = "lose";

/// What stands above the conditions in their file.
const HEAD: &str = "# What the match is whose games stand beside this. `qirkat match --resume` reads \
                    it\n# and goes on with nothing else.";

impl Conditions {
    /// The conditions of a match.
    pub fn new(
        settings: &MatchSettings,
        contestants: &[Contestant],
        schedule: &Schedule,
        shard: Shard,
        book: &Book,
        sprt: Option<&Sprt>,
    ) -> Conditions {
        let mut conditions = Conditions::default();
        conditions.add_schedule(schedule, shard);
        conditions.add_rules(settings);
        conditions.set("variant", settings.variant.name());
        for (what, value) in &book.described {
            conditions.set(format!("openings {what}"), value);
        }
        if let Some(sprt) = sprt {
            conditions.add_sprt(sprt);
        }
        for (number, contestant) in (1..).zip(contestants) {
            conditions.add_engine(number, contestant);
        }
        conditions
    }

    /// Notes a condition.
    fn set(&mut self, name: impl Into<String>, value: impl Display) {
        self.0.set(name, value);
    }

    fn add_schedule(&mut self, schedule: &Schedule, shard: Shard) {
        self.set("tournament", schedule.kind.name());
        self.set("games", schedule.games_per_meeting);
        self.set(ROUNDS, schedule.rounds);
        self.set("seeds", schedule.seeds);
        self.set("noswap", !schedule.swaps);
        self.set("reverse", schedule.reversed);
        self.set(SHARD, format!("{}/{}", shard.index + 1, shard.count));
    }

    fn add_rules(&mut self, settings: &MatchSettings) {
        self.set("srand", settings.srand.unwrap_or(0));
        if let Some(draw) = &settings.draw {
            self.set("draw movenumber", draw.movenumber);
            self.set("draw movecount", draw.movecount);
            self.set("draw score", draw.score);
        }
        if let Some(resign) = &settings.resign {
            self.set("resign movecount", resign.movecount);
            self.set("resign score", resign.score);
            self.set("resign twosided", resign.twosided);
        }
        if let Some(moves) = settings.maxmoves {
            self.set("maxmoves", moves);
        }
        if let Some(tables) = &settings.tb {
            self.set("tb", tables);
        }
        if settings.pvcheck.as_deref() == Some(LINES_THAT_LOSE) {
            self.set("pvcheck", LINES_THAT_LOSE);
        }
    }

    fn add_sprt(&mut self, sprt: &Sprt) {
        self.set("sprt elo0", sprt.elo0());
        self.set("sprt elo1", sprt.elo1());
        self.set("sprt alpha", sprt.alpha());
        self.set("sprt beta", sprt.beta());
        self.set("sprt model", sprt.model().name());
    }

    fn add_engine(&mut self, number: usize, contestant: &Contestant) {
        let Contestant { name, setup, control } = contestant;
        let program = &setup.program;
        let mut set = |what: &str, value: &dyn Display| {
            self.set(format!("{ENGINE} {number} {what}"), value);
        };
        set("name", name);
        set("cmd", &program.command.display());
        if let Some(checksum) = find(program).and_then(|file| checksum(&file).ok()) {
            set(&format!("cmd {CHECKSUM}"), &checksum);
        }
        for (place, argument) in (1..).zip(&program.arguments) {
            set(&format!("arg {place}"), argument);
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
            set(&format!("option.{name}"), &value);
            if name == NETWORK_OPTION
                && let Ok(checksum) = checksum(&seen_from(program, Path::new(value)))
            {
                set(&format!("option.{name} {CHECKSUM}"), &checksum);
            }
        }
        set("limit", &control.describe());
        set("timemargin", &control.margin.as_millis());
        set("ponder", &setup.ponder);
        set("restart", &setup.restart);
    }

    /// What differs for a match that goes on, in words.
    pub fn changes_since(&self, old: &Conditions) -> Vec<String> {
        let differences = old.0.differences(&self.0).into_iter();
        let differences = differences.filter(|difference| difference.name != ROUNDS);
        differences.map(|difference| difference.to_string()).collect()
    }

    /// What differs between two parts of a match, in words.
    pub fn contradictions(&self, part: &Conditions) -> Vec<String> {
        let is_built_there = |name: &str| name.starts_with(ENGINE) && name.ends_with(CHECKSUM);
        let differences = self.0.differences(&part.0).into_iter();
        let differences = differences
            .filter(|difference| difference.name != SHARD && !is_built_there(difference.name));
        differences
            .map(|Difference { name, one, other }| {
                format!("{name} is {one} here and {other} there")
            })
            .collect()
    }

    /// The file for the conditions of a match whose games stand in this one.
    pub fn path(games: &Path) -> PathBuf {
        games.with_added_extension("match.toml")
    }

    /// Reads what stands beside a file of games; nothing if there is nothing.
    pub fn read(games: &Path) -> Result<Option<Conditions>> {
        Ok(conditions::Conditions::read(&Conditions::path(games))?.map(Conditions))
    }

    /// Writes them beside a file of games.
    pub fn write(&self, games: &Path) -> Result<()> {
        self.0.write(&Conditions::path(games), HEAD)
    }
}

/// A path as a program sees it.
fn seen_from(program: &Program, path: &Path) -> PathBuf {
    program.directory.as_deref().unwrap_or(Path::new("")).join(path)
}

/// The file of a program, in the folders where the system looks for it.
fn find(program: &Program) -> Option<PathBuf> {
    let command = &program.command;
    if command.components().count() > 1 {
        return Some(seen_from(program, command));
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(command)).find(|file| file.is_file())
}
