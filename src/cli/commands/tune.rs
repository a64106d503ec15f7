//! `qirkat tune`: fits the win-draw-loss model to games.

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, Subcommand};

use crate::shared::exit_status::FaultsFound;
use crate::shared::games::for_each_sound_game;
use qirkat_evaluation::WdlModel;
use qirkat_rules::variant::Variant;
use qirkat_training::tuning::{BANDS, ScoreSet};

#[derive(Subcommand)]
#[command(defer = true)]
pub(super) enum TuneTask {
    /// Fit the win-draw-loss models of `UCI_ShowWDL` and of reviews to games, one for each
    /// variant in the files, and print them
    #[command(
        alias = "chances",
        after_help = "\
Examples:
  From the games of a match:
    qirkat tune wdl --games match.pgn
  From several, without their first twenty plies:
    qirkat tune wdl --games one.pgn two.pgn --skip 20"
    )]
    Wdl(WdlOptions),
    /// Tune the search's parameters by games (SPSA)
    #[cfg(feature = "tuning")]
    #[command(after_help = super::tune_search::HELP)]
    Search(super::tune_search::SearchTuningOptions),
}

#[derive(Args)]
pub(crate) struct WdlOptions {
    /// PGN files of games with scores in comments; `-` is standard input
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    /// Plies left out at the beginning of each game
    #[arg(long, value_name = "N", default_value_t = 8)]
    skip: usize,
}

pub(super) const HELP: &str = "\
Examples:
  Fit what scores mean in chances to win:
    qirkat tune wdl --games games.pgn
  Leave out more of each game's opening:
    qirkat tune wdl --games games.pgn --skip 20";

pub(super) fn run(task: &TuneTask) -> anyhow::Result<()> {
    match task {
        TuneTask::Wdl(options) => tune_wdl(options),
        #[cfg(feature = "tuning")]
        TuneTask::Search(options) => super::tune_search::run(options),
    }
}

fn tune_wdl(options: &WdlOptions) -> anyhow::Result<()> {
    let mut sets = BTreeMap::<Variant, ScoreSet>::new();
    let faulty = for_each_sound_game(&options.games, |game| {
        sets.entry(game.start.variant()).or_default().add_game(&game, options.skip);
        Ok(())
    })?;
    sets.retain(|_, set| set.games > 0);
    if sets.is_empty() {
        bail!("no scores in these games");
    }
    for (&variant, set) in &sets {
        stdout().write_all(fitted_text(variant, set).as_bytes())?;
    }
    FaultsFound::fail_if(faulty > 0)
}

fn fitted_text(variant: Variant, set: &ScoreSet) -> String {
    let old = WdlModel::fitted(variant);
    let new = set.fit(old);
    let mut text = format!(
        "{}: {} scores of {} games; cross-entropy {:.5} -> {:.5}\na: {:.1}, b: {:.1}\n",
        variant.title(),
        set.scores(),
        set.games,
        set.cross_entropy(&old),
        set.cross_entropy(&new),
        new.a,
        new.b
    );
    text.push_str("  band       scores  expected  scored\n");
    for (band, found) in set.calibration(&new).iter().enumerate() {
        let [from, to] = [band, band + 1].map(|edge| 100 * edge / BANDS);
        let (expected, scored) = (100.0 * found.expected, 100.0 * found.actual);
        text.push_str(&format!(
            "{from:>3}-{to:<3} %{:>10}{expected:>8.1} %{scored:>6.1} %\n",
            found.count
        ));
    }
    text
}
