//! The lines of an analysis as they are shown: JSON at once; a table that is redrawn on
//! a terminal while the search runs, and written once at the end.

use std::io::{Write, stdout};

use indicatif::ProgressBar;
use serde::Serialize;

use crate::shared::terminal::{self, words};
use qirkat_engine::{SearchLine, line_chances};
use qirkat_game::score::Score;
use qirkat_game::{Outcome, Rules};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition};
use qirkat_search::Bound;

/// Rows of a terminal that a live table leaves free: the empty one and its head above, what
/// changed, the cursor.
const ROWS_LEFT_FREE: usize = 5;
const LEAST_ROWS: usize = 3;

pub(crate) struct Shown<'a> {
    position: &'a AnyPosition,
    json: bool,
    lines: Vec<SearchLine>,
    changes: Changes,
    bar: ProgressBar,
    broken: Option<std::io::Error>,
}

impl<'a> Shown<'a> {
    pub fn new(game: &'a AnyGame, json: bool) -> Shown<'a> {
        let bar = if json { ProgressBar::hidden() } else { terminal::bar("{msg}") };
        let (lines, changes) = (Vec::new(), Changes::default());
        Shown { position: game.position(), json, lines, changes, bar, broken: None }
    }

    /// Takes a line of the search; fails when nobody reads any more.
    pub fn take(&mut self, line: &SearchLine) -> Result<(), ()> {
        if self.json {
            let text = serde_json::to_string(&JsonLine::of(self.position, line));
            let written = text.map_err(Into::into).and_then(|text| writeln!(stdout(), "{text}"));
            if let Err(error) = written {
                self.broken = Some(error);
                return Err(());
            }
        }
        self.changes.note(self.position, line);
        self.lines.retain(|old| old.rank != line.rank);
        self.lines.push(line.clone());
        self.lines.sort_by_key(|line| line.rank);
        if !self.bar.is_hidden() {
            self.bar.set_message(self.live_table());
            self.bar.tick();
        }
        Ok(())
    }

    pub fn best(&self) -> Option<&SearchLine> {
        self.lines.first()
    }

    /// As much of the table as a screen holds: what does not fit would scroll away the
    /// rest. The last change stands below. Above stands an empty row: a terminal that shows
    /// Ctrl-C as `^C` moves the cursor down by one, so that the first row stays when the
    /// table is cleared.
    fn live_table(&self) -> String {
        let most = terminal::height()
            .map_or(usize::MAX, |rows| rows.saturating_sub(ROWS_LEFT_FREE).max(LEAST_ROWS));
        let table = self.table();
        let rows: Vec<&str> = table.lines().take(most).collect();
        let mut text = format!("\n{}", rows.join("\n"));
        if let Some(change) = self.changes.last().last() {
            text.push_str(&format!(
                "\n{}",
                terminal::fitting(&words(change), terminal::width() - 1)
            ));
        }
        text
    }

    /// Each line with all its moves where it mates, and otherwise with as many as fit
    /// into its row.
    fn table(&self) -> String {
        let width = terminal::width() - 1;
        let mut text = format!(
            "{:>4} {:>8} {:>7} {:>11} {:>8}  Line",
            "Line", "Score", "Depth", "Nodes", "Time"
        );
        for line in &self.lines {
            let moves = self.position.san_line(&line.moves);
            let lead = format!(
                "\n{:>4} {:>8} {:>7} {:>11} {:>7.1}s  ",
                line.rank,
                bounded_score(line),
                format!("{}/{}", line.depth.0, line.selective_depth.0),
                line.nodes,
                line.time.as_secs_f64(),
            );
            let indent = lead.chars().count() - 1;
            if line.score.is_mate() {
                // The line break at its head takes no column.
                text.push_str(&terminal::wrapped(&lead, &moves, width + 1, indent));
            } else {
                text.push_str(&lead);
                text.push_str(&terminal::fitting(&moves, width.saturating_sub(indent)));
            }
        }
        text
    }

    pub fn finish(mut self) -> anyhow::Result<()> {
        self.bar.finish_and_clear();
        if let Some(error) = self.broken.take() {
            return Err(error.into());
        }
        if self.json {
            return Ok(());
        }
        let mut out = stdout().lock();
        writeln!(out, "{}", self.table())?;
        writeln!(out, "Scores are for {:?}, who is to move.", self.position.side_to_move())?;
        for (place, change) in self.changes.last().iter().enumerate() {
            let lead = if place == 0 { "\nChanged at " } else { "           " };
            writeln!(out, "{}", terminal::wrapped(lead, &words(change), terminal::width(), 13))?;
        }
        if let Some(best) = self.lines.first() {
            let speed = best.nodes_per_second() as f64 / 1e6;
            let mv = self.position.san_line(&best.moves[..best.moves.len().min(1)]);
            writeln!(out, "\nBest move: {}   ({speed:.2} M nodes/s)", mv.join(""))?;
        }
        Ok(())
    }
}

/// A score with a sign of comparison before what is only a bound, as where the search
/// was stopped before it knew more.
pub(crate) fn bounded_score(line: &SearchLine) -> String {
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => ">",
        Bound::Upper => "<",
    };
    format!("{bound}{}", score_text(line.score))
}

const MIN_FALL: i32 = 30;
const SHOWN: usize = 5;

/// The best move and its score as they were, and what has changed since the start.
#[derive(Default)]
struct Changes {
    best: Option<(AnyMove, Score)>,
    texts: Vec<String>,
}

impl Changes {
    pub fn note(&mut self, position: &AnyPosition, line: &SearchLine) {
        let Some(&mv) = line.moves.first().filter(|_| line.rank == 1) else { return };
        let score = line.score;
        if let Some((before, old)) = self.best.replace((mv, score)) {
            let from_to = format!("{} to {}", score_text(old), score_text(score));
            if before != mv {
                let (before, now) = (position.san(before), position.san(mv));
                self.add(line, format!("best move {before} -> {now}, {from_to}"));
            } else if old - score >= MIN_FALL {
                self.add(line, format!("{} falls from {from_to}", position.san(mv)));
            }
        }
    }

    fn add(&mut self, line: &SearchLine, what: String) {
        self.texts.push(format!("depth {}: {what}", line.depth.0));
    }

    pub fn last(&self) -> &[String] {
        &self.texts[self.texts.len().saturating_sub(SHOWN)..]
    }
}

fn score_text(score: Score) -> String {
    match score.moves_to_mate() {
        Some(moves) if moves > 0 => format!("#{moves}"),
        Some(moves) => format!("#-{}", moves.unsigned_abs()),
        None => format!("{:+.2}", f64::from(score.value()) / 100.0),
    }
}

/// A line of search for programs. Scores are those of the side to move.
#[derive(Serialize)]
pub(crate) struct JsonLine {
    depth: i16,
    seldepth: u16,
    multipv: usize,
    #[serde(flatten)]
    score: JsonScore,
    /// Probabilities to win, draw and lose, in permille.
    wdl: [u32; 3],
    nodes: u64,
    nps: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    hashfull: u32,
    time_ms: u128,
    pv: Vec<String>,
    san: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct JsonScore {
    /// Centipawns for the side to move; absent for a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    /// Moves to mate, negative when the side to move is mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i16>,
}

impl From<Score> for JsonScore {
    fn from(score: Score) -> JsonScore {
        let mate = score.moves_to_mate();
        JsonScore { cp: mate.is_none().then(|| score.value()), mate }
    }
}

impl JsonLine {
    pub fn of(position: &AnyPosition, line: &SearchLine) -> JsonLine {
        JsonLine {
            depth: line.depth.0,
            seldepth: line.selective_depth.0,
            multipv: line.rank,
            score: line.score.into(),
            wdl: line_chances(position.variant(), line).permille(),
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
            san: position.san_line(&line.moves),
        }
    }
}

/// A game without moves for programs.
#[derive(Serialize)]
pub(crate) struct Finished {
    outcome: String,
}

impl Finished {
    pub fn of(game: &AnyGame) -> Finished {
        let outcome = match game.outcome() {
            Some(Outcome::Draw(reason)) => reason.to_string(),
            Some(won) => won.to_string().to_lowercase(),
            None => "undecided".to_owned(),
        };
        Finished { outcome }
    }
}

#[derive(Serialize)]
pub(crate) struct JsonThreat {
    pub threat: Option<JsonLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impossible: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct JsonPosition {
    pub fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(flatten)]
    pub analysis: Analysis,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Analysis {
    Line(Box<JsonLine>),
    Finished(Finished),
}
