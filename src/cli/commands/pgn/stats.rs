//! `qirkat pgn stats`: statistics of games.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::io::{Write, stdout};

use clap::Args;
use serde::Serialize;

use super::{Files, known_as};
use crate::shared::games::for_each_sound_game;
use qirkat_game::text::one_line;
use qirkat_game::{Color, Rules};
use qirkat_rules::pgn::{GameResult, PgnGame};

#[derive(Args)]
pub(crate) struct StatsOptions {
    #[command(flatten)]
    files: Files,
    /// Print a JSON object instead of tables
    #[arg(long)]
    json: bool,
}

/// First moves in the table; Masonic chess has the most, 35.
const FIRST_MOVES_SHOWN: usize = 40;
const LONGEST_NAME: usize = 200;

pub(crate) fn run(options: &StatsOptions) -> anyhow::Result<u64> {
    let mut tally = Tally::default();
    let faults = for_each_sound_game(&options.files.paths, |game| {
        tally.add(&game);
        Ok(())
    })?;
    let statistics = tally.finish();
    let text = if options.json {
        format!("{}\n", serde_json::to_string(&statistics)?)
    } else {
        statistics.to_string()
    };
    stdout().write_all(text.as_bytes())?;
    Ok(faults)
}

#[derive(Default, Serialize)]
struct Results {
    white_wins: u64,
    draws: u64,
    black_wins: u64,
    unfinished: u64,
}

#[derive(Default, Serialize)]
struct Lengths {
    average: f64,
    longest: usize,
}

/// Results for a player, or for the side that played a first move.
#[derive(Default, Serialize)]
struct Balance {
    name: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Per cent of the finished games; `None` without any.
    score: Option<f64>,
}

#[derive(Serialize)]
struct Frequency {
    name: String,
    games: u64,
}

#[derive(Serialize)]
struct Statistics {
    games: u64,
    results: Results,
    plies: Lengths,
    terminations: Vec<Frequency>,
    players: Vec<Balance>,
    first_moves: Vec<Balance>,
}

#[derive(Default)]
struct Tally {
    games: u64,
    plies: u64,
    longest: usize,
    results: Results,
    terminations: HashMap<String, Frequency>,
    players: HashMap<String, Balance>,
    first_moves: HashMap<String, Balance>,
}

impl Tally {
    fn add(&mut self, game: &PgnGame) {
        self.games += 1;
        self.plies += game.moves.len() as u64;
        self.longest = self.longest.max(game.moves.len());
        *self.results.of(game.result) += 1;
        let termination = game.tag("Termination").unwrap_or("not given");
        let counted = self.terminations.entry(known_as(termination));
        let name = termination.to_owned();
        counted.or_insert(Frequency { name, games: 0 }).games += 1;
        for (color, tag) in [(Color::White, "White"), (Color::Black, "Black")] {
            let name = game.tag(tag).unwrap_or("?");
            Balance::of(&mut self.players, name).add(game.result, color);
        }
        if let Some(first) = game.moves.first() {
            let mover = game.start.side_to_move();
            let dots = if mover == Color::Black { "..." } else { "" };
            let text = format!("{dots}{}", game.start.san(first.mv));
            let new = || Balance { name: text.clone(), ..Balance::default() };
            // `Bxc3` and `bxc3` are different moves.
            self.first_moves.entry(text.clone()).or_insert_with(new).add(game.result, mover);
        }
    }

    fn finish(self) -> Statistics {
        let average = if self.games == 0 { 0.0 } else { self.plies as f64 / self.games as f64 };
        let mut first_moves = balances(self.first_moves);
        first_moves.sort_by_key(|first| Reverse(first.games));
        first_moves.truncate(FIRST_MOVES_SHOWN);
        Statistics {
            games: self.games,
            results: self.results,
            plies: Lengths { average, longest: self.longest },
            terminations: by_frequency(self.terminations),
            players: balances(self.players),
            first_moves,
        }
    }
}

impl Results {
    fn of(&mut self, result: GameResult) -> &mut u64 {
        match result {
            GameResult::WhiteWins => &mut self.white_wins,
            GameResult::BlackWins => &mut self.black_wins,
            GameResult::Draw => &mut self.draws,
            GameResult::Unfinished => &mut self.unfinished,
        }
    }
}

impl Balance {
    /// A player's entry; the name is shown as first spelled.
    fn of<'a>(all: &'a mut HashMap<String, Balance>, name: &str) -> &'a mut Balance {
        let new = || Balance { name: name.to_owned(), ..Balance::default() };
        all.entry(known_as(name)).or_insert_with(new)
    }

    fn add(&mut self, result: GameResult, color: Color) {
        self.games += 1;
        match result.winner() {
            Some(winner) if winner == color => self.wins += 1,
            Some(_) => self.losses += 1,
            None if result == GameResult::Draw => self.draws += 1,
            None => {}
        }
    }

    fn percentage(&self) -> Option<f64> {
        let finished = self.wins + self.draws + self.losses;
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        (finished > 0).then(|| 100.0 * points / finished as f64)
    }
}

fn by_frequency(counts: HashMap<String, Frequency>) -> Vec<Frequency> {
    let mut sorted: Vec<Frequency> = counts.into_values().collect();
    sorted.sort_by(|a, b| (Reverse(a.games), &a.name).cmp(&(Reverse(b.games), &b.name)));
    sorted
}

fn balances(counts: HashMap<String, Balance>) -> Vec<Balance> {
    let mut sorted: Vec<Balance> = counts
        .into_values()
        .map(|balance| Balance { score: balance.percentage(), ..balance })
        .collect();
    let score = |balance: &Balance| balance.score.unwrap_or(-1.0);
    sorted.sort_by(|a, b| score(b).total_cmp(&score(a)).then_with(|| a.name.cmp(&b.name)));
    sorted
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Games: {}", self.games)?;
        if self.games == 0 {
            return Ok(());
        }
        let Results { white_wins, draws, black_wins, unfinished } = self.results;
        for (name, games) in [
            ("White wins", white_wins),
            ("Draws", draws),
            ("Black wins", black_wins),
            ("Unfinished", unfinished),
        ] {
            writeln!(f, "  {name:<10} {games:>7} {:>6}", share(games, self.games))?;
        }
        let Lengths { average, longest } = self.plies;
        writeln!(f, "Plies: {average:.1} on average, {longest} at most")?;
        frequencies(f, "Termination", self.games, &self.terminations)?;
        balance_table(f, "Player", &self.players)?;
        balance_table(f, "First move", &self.first_moves)
    }
}

fn share(part: u64, whole: u64) -> String {
    format!("{:.1}%", 100.0 * part as f64 / whole as f64)
}

/// Printable names, and the columns that they and their title take.
fn shown<'a>(title: &str, names: impl Iterator<Item = &'a String>) -> (Vec<String>, usize) {
    let names: Vec<String> = names.map(|name| one_line(name, LONGEST_NAME)).collect();
    let width =
        names.iter().map(|name| name.chars().count()).chain([title.len()]).max().unwrap_or(0);
    (names, width)
}

fn frequencies(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    all: u64,
    rows: &[Frequency],
) -> fmt::Result {
    let (names, width) = shown(title, rows.iter().map(|row| &row.name));
    writeln!(f, "\n{title:<width$} {:>7}", "Games")?;
    for (name, Frequency { games, .. }) in names.iter().zip(rows) {
        writeln!(f, "{name:<width$} {games:>7} {:>6}", share(*games, all))?;
    }
    Ok(())
}

fn balance_table(f: &mut fmt::Formatter<'_>, title: &str, rows: &[Balance]) -> fmt::Result {
    let (names, width) = shown(title, rows.iter().map(|row| &row.name));
    let columns = ["Games", "Wins", "Draws", "Losses", "Score"];
    write!(f, "\n{title:<width$}")?;
    columns.iter().try_for_each(|column| write!(f, " {column:>7}"))?;
    writeln!(f)?;
    for (name, Balance { games, wins, draws, losses, score, .. }) in names.iter().zip(rows) {
        let score = score.map_or("-".to_owned(), |score| format!("{score:.1}%"));
        writeln!(f, "{name:<width$} {games:>7} {wins:>7} {draws:>7} {losses:>7} {score:>7}")?;
    }
    Ok(())
}
