//! `qirkat match`: engines play each other.
//!
//! Data flows from the [`settings`], which [`options`] reads from the command line, to a
//! [plan](mod@plan), from there through [`match_in_progress`] to the games ([`game_file`]), and from
//! the games to the [`report`].

mod conditions;
mod contestants;
mod game_file;
mod game_record;
mod health;
mod help;
mod match_in_progress;
mod options;
mod plan;
mod report;
mod settings;

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;

use self::health::{MatchHealth, introduce};
pub(super) use self::help::{HELP, ONE_DASH, help_options};
use self::match_in_progress::Match;
use self::options::option_name;
use self::plan::{Plan, plan, supervise};
use self::report::Report;
use self::settings::MatchSettings;
use super::exit_status::interrupt_flag;
use super::files::AtPath;
use super::progress;
use super::terminal::print_message;
use super::text_formats::{from_json, from_toml, read_long_text, read_plain_text};
use qirkat_system::output_file::WholeFile;

/// How often a spinner turns.
const TICK: Duration = Duration::from_millis(100);

/// Plays a match, or joins the reports of its parts.
pub(super) fn run(options: &MatchOptions) -> Result<()> {
    if let [first, files @ ..] = options.words.as_slice()
        && (first == "--merge" || first == "-merge")
    {
        return merge(files);
    }
    let (config, words) = match options.words.as_slice() {
        [first, file, rest @ ..] if first == "--config" || first == "-config" => {
            (Some(PathBuf::from(file)), rest)
        }
        [first] if first == "--config" || first == "-config" => bail!("--config: needs a file"),
        words => (None, words),
    };
    let table = config.as_deref().map(config_table).transpose()?.unwrap_or_default();
    let settings = MatchSettings { config, ..options::read(words, table)? };
    let mut plan = plan(&settings)?;
    supervise(&settings, &mut plan)?;
    for notice in &plan.notices {
        print_message(notice);
    }
    let new_log = plan.new_log.take();
    let whole = Match::new(&plan)?;
    try_openings(&plan)?;
    // Before any engine is started: none may be left behind.
    let interrupted = interrupt_flag();
    let played = introduce(&plan.tournament, settings.force, &interrupted).and_then(|seen| {
        new_log.map_or(Ok(()), WholeFile::finish).context("-log")?;
        whole.play(&seen, &interrupted)
    });
    let logged = plan.tournament.supervision.log.flush().context("-log");
    played.and(logged)
}

/// The settings of a file, which are checked as they stand there.
fn config_table(path: &Path) -> Result<toml::Table> {
    let text = read_plain_text(path)?;
    from_toml::<MatchSettings>(&text).at_path(path)?;
    from_toml(&text).at_path(path)
}

/// Random openings may be hard to find, which is better known before the first game.
fn try_openings(plan: &Plan) -> Result<()> {
    let openings = &plan.tournament.openings;
    if openings.count().is_some() {
        return Ok(());
    }
    let spinner = progress::bar("{spinner} looking for balanced openings, {elapsed}");
    spinner.enable_steady_tick(TICK);
    let first = openings.opening(plan.first_opening);
    spinner.finish_and_clear();
    first.context("-openings")?;
    Ok(())
}

fn merge(words: &[String]) -> Result<()> {
    let mut cross_table = false;
    let mut parts = Vec::new();
    for word in words {
        match option_name(word) {
            Some("crosstable") => cross_table = true,
            Some(name) => bail!("--merge: unknown option -{name}"),
            None => {
                let part = read_long_text(Path::new(word));
                let part = from_json::<Report>(&part?).with_context(|| word.clone())?;
                part.check().with_context(|| word.clone())?;
                parts.push((word.clone(), part));
            }
        }
    }
    let shards = Report::shards(&parts);
    let whole = Report::merge(parts)?;
    let troubles = whole.health.as_ref().map(MatchHealth::troubles).unwrap_or_default();
    let missing = whole.missing(&shards).unwrap_or_default();
    writeln!(stdout(), "{missing}{troubles}{}", whole.text(cross_table))?;
    Ok(())
}

#[derive(Args)]
pub(super) struct MatchOptions {
    /// Options as users of cutechess-cli type them, listed below
    #[arg(value_name = "OPTION", trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}
