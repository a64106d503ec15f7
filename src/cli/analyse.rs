//! `qirkat analyse`.

use std::io::{Write, stdout};
use std::time::Duration;

use indicatif::ProgressBar;
use serde::Serialize;

use super::arguments::AnalyseOptions;
use super::interrupt::{self, Interrupted};
use super::{progress, setup};
use crate::distance::Depth;
use crate::engine::{AnySearcher, SearchLimits, SearchLine, line_wdl};
use crate::evaluation::Wdl;
use crate::game::{Outcome, Rules};
use crate::search::{Bound, SearchControl, TimeBudget};
use crate::variant::{AnyGame, AnyPosition};

/// How long to think when nothing bounds it.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// Moves of a line that fit into the table.
const MOVES_SHOWN: usize = 12;

/// Draws the board and shows the best lines, as they are found and at the end.
pub(super) fn run(options: &AnalyseOptions) -> anyhow::Result<()> {
    let game = setup::game(&options.position)?;
    let evaluation = options.resources.eval_file.evaluation(options.position.game.variant)?;
    let limits = limits_of(options);
    let (threads, hash) = (options.resources.threads.into(), options.resources.hash as usize);
    let mut searcher = AnySearcher::with_resources(evaluation, threads, hash)?;
    let interrupted = interrupt::flag()?;
    if !options.json {
        print_board(&game)?;
    }
    if game.position().has_legal_moves() {
        let control = SearchControl::with_stop_flag(interrupted);
        let mut shown = Shown::new(&game, options.json);
        searcher.search_under(&control, &game, &limits, &mut |line: &SearchLine| {
            if shown.take(line).is_err() {
                control.stop();
            }
        });
        shown.finish()?;
        if control.stopped() {
            return Err(Interrupted("stopped before its time".to_owned()).into());
        }
    } else if options.json {
        writeln!(stdout(), "{}", serde_json::to_string(&Finished::of(&game))?)?;
    }
    Ok(())
}

fn limits_of(options: &AnalyseOptions) -> SearchLimits {
    let bounded = options.depth.is_some() || options.nodes.is_some() || options.movetime.is_some();
    let time = options.movetime.map(Duration::from_millis);
    let hard = if bounded { time } else { Some(DEFAULT_TIME) };
    SearchLimits {
        depth: options.depth.map(Depth),
        nodes: options.nodes,
        time: TimeBudget { soft: None, hard },
        multi_pv: usize::from(options.multipv),
        ..SearchLimits::default()
    }
}

fn print_board(game: &AnyGame) -> anyhow::Result<()> {
    let position = game.position();
    writeln!(stdout(), "{}\n{position}", position.picture())?;
    let to_move = format!("{:?} to move", position.side_to_move());
    let state = match game.outcome() {
        Some(outcome) => format!("The game is over: {outcome}"),
        None if position.in_check() => format!("{to_move}, in check"),
        None => to_move,
    };
    writeln!(stdout(), "{state}\n")?;
    Ok(())
}

/// A line of search for programs.
#[derive(Serialize)]
struct JsonLine<'a> {
    depth: i16,
    seldepth: u16,
    multipv: usize,
    /// Centipawns for the side to move; absent for a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    /// Moves to mate, negative when the side to move is mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i16>,
    /// Probabilities to win, draw and lose, in permille.
    wdl: [u32; 3],
    nodes: u64,
    nps: u64,
    /// What a score that is not exact says: it is at least or at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    hashfull: u32,
    time_ms: u128,
    pv: Vec<String>,
    san: &'a [String],
}

/// A game without moves for programs.
#[derive(Serialize)]
struct Finished {
    outcome: String,
}

impl Finished {
    fn of(game: &AnyGame) -> Finished {
        let outcome = match game.outcome() {
            Some(Outcome::Draw(reason)) => reason.to_string(),
            Some(won) => won.to_string().to_lowercase(),
            None => "undecided".to_owned(),
        };
        Finished { outcome }
    }
}

/// The lines as they are shown: JSON at once; a table that is redrawn on a
/// terminal while the search runs, and written once at the end.
struct Shown<'a> {
    position: &'a AnyPosition,
    json: bool,
    lines: Vec<SearchLine>,
    bar: ProgressBar,
    broken: Option<std::io::Error>,
}

impl<'a> Shown<'a> {
    fn new(game: &'a AnyGame, json: bool) -> Shown<'a> {
        let bar = if json { ProgressBar::hidden() } else { progress::bar("{msg}") };
        Shown { position: game.position(), json, lines: Vec::new(), bar, broken: None }
    }

    fn take(&mut self, line: &SearchLine) -> Result<(), ()> {
        if self.json {
            let written = self.json_of(line).and_then(|text| writeln!(stdout(), "{text}"));
            if let Err(error) = written {
                self.broken = Some(error);
                return Err(());
            }
        }
        self.lines.retain(|old| old.rank != line.rank);
        self.lines.push(line.clone());
        self.lines.sort_by_key(|line| line.rank);
        self.bar.set_message(self.table());
        self.bar.tick();
        Ok(())
    }

    fn json_of(&self, line: &SearchLine) -> std::io::Result<String> {
        let Wdl { win, draw, loss } = line_wdl(line);
        let mate = line.score.moves_to_mate();
        let text = serde_json::to_string(&JsonLine {
            depth: line.depth.0,
            seldepth: line.selective_depth.0,
            multipv: line.rank,
            cp: if mate.is_none() { Some(line.score.value()) } else { None },
            mate,
            wdl: [win, draw, loss],
            bound: match line.bound {
                Bound::Exact => None,
                Bound::Lower => Some("lower"),
                Bound::Upper => Some("upper"),
            },
            nodes: line.nodes,
            nps: line.nodes_per_second(),
            hashfull: line.hashfull,
            time_ms: line.time.as_millis(),
            pv: line.moves.iter().map(|mv| mv.to_string()).collect(),
            san: &self.position.san_line(&line.moves),
        })?;
        Ok(text)
    }

    fn table(&self) -> String {
        let mut text = format!(
            "{:>4} {:>8} {:>7} {:>11} {:>8}  Line",
            "Line", "Score", "Depth", "Nodes", "Time"
        );
        for line in &self.lines {
            let moves = self.position.san_line(&line.moves[..line.moves.len().min(MOVES_SHOWN)]);
            text.push_str(&format!(
                "\n{:>4} {:>8} {:>7} {:>11} {:>7.1}s  {}",
                line.rank,
                score_text(line),
                format!("{}/{}", line.depth.0, line.selective_depth.0),
                line.nodes,
                line.time.as_secs_f64(),
                moves.join(" ")
            ));
        }
        text
    }

    fn finish(mut self) -> anyhow::Result<()> {
        self.bar.finish_and_clear();
        if let Some(error) = self.broken.take() {
            return Err(error.into());
        }
        if !self.json {
            let mut out = stdout().lock();
            writeln!(out, "{}", self.table())?;
            if let Some(best) = self.lines.first() {
                let speed = best.nodes_per_second() as f64 / 1e6;
                let mv = self.position.san_line(&best.moves[..best.moves.len().min(1)]);
                writeln!(out, "\nBest move: {}   ({speed:.2} M nodes/s)", mv.join(""))?;
            }
        }
        Ok(())
    }
}

/// Pawns with a sign, or moves to mate; a sign of comparison before what is only
/// a bound, as where the search was stopped before it knew more.
fn score_text(line: &SearchLine) -> String {
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => ">",
        Bound::Upper => "<",
    };
    let score = match line.score.moves_to_mate() {
        Some(moves) if moves > 0 => format!("#{moves}"),
        Some(moves) => format!("#-{}", moves.unsigned_abs()),
        None => format!("{:+.2}", f64::from(line.score.value()) / 100.0),
    };
    format!("{bound}{score}")
}
