//! `qirkat annotate`.

pub(super) mod graph;
mod kept_games;
mod options;
mod picture;
pub(super) mod report;

use std::fs::File;
use std::io::{BufReader, IsTerminal, Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use indicatif::ProgressBar;

use self::kept_games::KeptGames;
pub(super) use self::options::{ANNOTATE_HELP, AnnotateOptions};
use self::report::ReportStyle;
use super::interrupt::{self, Interrupted};
use super::pgn::FaultyGames;
use super::pgn::game_input::{for_each_game, tell_left_out, tell_variations_lost};
use super::{output_path, progress, terminal};
use crate::pgn::{PgnError, PgnGame, PgnReader};
use crate::review::{
    AnnotationStyle, EngineAnalyst, GameReview, ReviewData, annotate, review_game,
};
use crate::text::counted;

const ANNOTATOR: &str = concat!("Qirkat ", env!("CARGO_PKG_VERSION"));

/// Reviews the games of files.
pub(super) fn run(options: &AnnotateOptions) -> anyhow::Result<()> {
    check(options)?;
    let mut kept =
        options.output.as_ref().map(|path| KeptGames::open(path, options)).transpose()?;
    let done = kept.as_ref().map_or(0, KeptGames::games);
    let moves = moves_left(options, done)?;
    let stop = interrupt::flag()?;
    let budget = options.budget.for_analyst();
    let analyst = EngineAnalyst::new(budget, moves.unwrap_or(0), stop.clone());
    let mut reviewer = Reviewer { options, analyst, stop, reviewed: 0 };
    let (mut seen, mut faults) = (0, 0);
    for_each_game(&options.files, |name, read, bar| {
        seen += 1;
        if options.game.is_some_and(|wanted| wanted != seen) {
            return Ok(());
        }
        match read {
            Ok(read) if reviewer.reviewed_before(done) => {
                tell_variations_lost(name, &read, bar);
                reviewer.take(&read.game, seen, kept.as_mut())
            }
            Ok(_) => Ok(()),
            Err(error) => {
                faults += 1;
                tell_left_out(name, &error, bar);
                Ok(())
            }
        }
    })?;
    if seen == 0 {
        let names: Vec<String> =
            options.files.iter().map(|path| path.display().to_string()).collect();
        bail!("there is no game in {}", names.join(", "));
    }
    if let Some(game) = options.game.filter(|&game| game > seen) {
        bail!("--game {game}: there are no more than {seen}");
    }
    if let Some(kept) = &kept {
        writeln!(
            stdout(),
            "{}: {} annotated",
            kept.path().display(),
            counted(kept.games(), "game")
        )?;
    }
    if faults > 0 { Err(FaultyGames.into()) } else { Ok(()) }
}

/// Sees, before long work begins, that it can be done.
fn check(options: &AnnotateOptions) -> anyhow::Result<()> {
    for path in options.output.iter().chain(&options.svg) {
        output_path::check(path)?;
    }
    let reads_input = options.files.iter().any(|path| path == Path::new("-"));
    if reads_input && options.resume {
        bail!("--resume needs files: standard input cannot be read again");
    }
    if reads_input && options.budget.total_time.is_some() {
        bail!("--total-time needs files: how much standard input will bring is not known");
    }
    for path in options.files.iter().filter(|path| *path != Path::new("-")) {
        File::open(path).with_context(|| path.display().to_string())?;
        if path.is_dir() {
            bail!("{} is a folder", path.display());
        }
    }
    Ok(())
}

/// The moves of the games that are left, where somebody wants to know; that takes
/// reading the files once more.
fn moves_left(options: &AnnotateOptions, done: u64) -> anyhow::Result<Option<u64>> {
    if options.budget.total_time.is_none() && !shows_progress() {
        return Ok(None);
    }
    let (mut seen, mut skipped, mut moves) = (0, 0, 0);
    for path in options.files.iter().filter(|path| *path != Path::new("-")) {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        for read in PgnReader::new(BufReader::new(file)) {
            seen += 1;
            let read = match read {
                Ok(read) => read,
                Err(PgnError::Game { .. }) => continue,
                Err(PgnError::Io(error)) => return Err(error).context(path.display().to_string()),
            };
            if options.game.is_some_and(|wanted| wanted != seen) {
                continue;
            }
            if skipped < done {
                skipped += 1;
            } else {
                moves += read.game.moves.len() as u64;
            }
        }
    }
    Ok(Some(moves))
}

fn shows_progress() -> bool {
    stderr().is_terminal()
}

/// Reviews one game after the other.
struct Reviewer<'a> {
    options: &'a AnnotateOptions,
    analyst: EngineAnalyst,
    stop: Arc<AtomicBool>,
    /// Games that are done, those of an earlier run included.
    reviewed: u64,
}

impl Reviewer<'_> {
    /// Whether the next game is new; those that are not are counted.
    fn reviewed_before(&mut self, done: u64) -> bool {
        let is_new = self.reviewed >= done;
        self.reviewed += u64::from(!is_new);
        is_new
    }

    fn take(
        &mut self,
        game: &PgnGame,
        number: u64,
        kept: Option<&mut KeptGames>,
    ) -> anyhow::Result<()> {
        let bar = bar_for(game, number);
        let (variant, resources) = (game.start.variant(), &self.options.resources);
        self.analyst.begin(variant, || resources.searcher(variant))?;
        let moving_bar = bar.clone();
        self.analyst.on_reviewed(move |_| moving_bar.inc(1));
        let review = review_game(game, &mut self.analyst);
        bar.finish_and_clear();
        if self.stop.load(Ordering::Relaxed) {
            return self.break_off(game, number, &review);
        }
        self.reviewed += 1;
        let annotated = self.annotated(game, &review);
        if let Some(kept) = kept {
            kept.add(&annotated, self.options.notation)?;
        }
        self.show(game, number, &review, &annotated)?;
        if let Some(path) = &self.options.svg {
            let path = numbered(path, self.reviewed);
            picture::draw(&path, game, &review)?;
        }
        Ok(())
    }

    fn annotated(&self, game: &PgnGame, review: &GameReview) -> PgnGame {
        let style = AnnotationStyle {
            variation_plies: usize::from(self.options.variation),
            drop_comments: self.options.drop_comments,
        };
        let mut annotated = annotate(game, review, style);
        annotated.set_tag("Annotator", ANNOTATOR);
        annotated
    }

    fn show(
        &self,
        game: &PgnGame,
        number: u64,
        review: &GameReview,
        annotated: &PgnGame,
    ) -> anyhow::Result<()> {
        let text = if self.options.json {
            format!("{}\n", serde_json::to_string(&ReviewData::of(game, review))?)
        } else if self.options.pgn {
            annotated.written_in(self.options.notation).to_string()
        } else {
            report::text(game, number, review, self.report_style())
        };
        let mut out = stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }

    fn report_style(&self) -> ReportStyle {
        ReportStyle {
            all_moves: self.options.moves,
            width: terminal::width(),
            unicode: terminal::shows_unicode(),
        }
    }

    /// What is known of a game that was broken off is shown to people, but kept
    /// nowhere: it will be reviewed again.
    fn break_off(&self, game: &PgnGame, number: u64, review: &GameReview) -> anyhow::Result<()> {
        if !self.options.json && !self.options.pgn && !review.moves.is_empty() {
            let text = report::text(game, number, review, self.report_style());
            stdout().write_all(text.as_bytes())?;
        }
        let go_on = if self.options.output.is_some() { "; go on with --resume" } else { "" };
        let (done, all) = (review.moves.len(), game.moves.len());
        let text = format!(
            "stopped in game {number}, after the last {done} of its {all} moves; {} annotated before{go_on}",
            counted(self.reviewed, "game")
        );
        Err(Interrupted(text).into())
    }
}

fn bar_for(game: &PgnGame, number: u64) -> ProgressBar {
    let bar = progress::bar("{bar:30} {msg}: {pos} of {len} moves, {eta} left");
    bar.set_message(format!("game {number}"));
    bar.set_length(game.moves.len() as u64);
    bar
}

/// The first picture has the name that was given, the others a number behind it.
fn numbered(path: &Path, number: u64) -> PathBuf {
    if number <= 1 {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(extension) => format!("{stem}-{number}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{number}"),
    };
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_numbered() {
        for (number, name) in [(1, "a/b.svg"), (2, "a/b-2.svg"), (10, "a/b-10.svg")] {
            assert_eq!(numbered(Path::new("a/b.svg"), number), Path::new(name));
        }
        assert_eq!(numbered(Path::new("b"), 3), Path::new("b-3"));
    }
}
