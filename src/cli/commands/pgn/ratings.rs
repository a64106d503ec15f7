//! `qirkat pgn ratings`: how strong the players of games are.

use std::collections::{BTreeMap, HashMap};
use std::io::{Write, stdout};

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::{Files, LONGEST_NAME, known_as};
use crate::shared::games::{Found, for_each_game, report_fault};
use crate::shared::standings_text::{Anchor, StandingsText, result_lines};
use crate::shared::terminal::print_message;
use qirkat_arena::statistics::{Estimate, GameCounts};
use qirkat_arena::{Meetings, pair_of};
use qirkat_game::text::{counted, one_line};
use qirkat_rules::pgn::{GameResult, PgnGame};
use qirkat_rules::variant::Variant;

#[derive(Args)]
pub(crate) struct RatingOptions {
    #[command(flatten)]
    files: Files,
    /// Ratings relative to this player's, which is 0 or as given: Ann, or Ann=1500
    #[arg(long, value_name = "NAME[=ELO]")]
    anchor: Option<String>,
    /// Print who scored how much against whom
    #[arg(long)]
    cross_table: bool,
    /// Print a JSON object for each game that was played instead of tables
    #[arg(long)]
    json: bool,
}

/// More would take long: the time grows with the cube of their number.
const MAX_PLAYERS: usize = 500;

pub(super) fn run(options: &RatingOptions) -> anyhow::Result<u64> {
    let mut pools: BTreeMap<usize, Pool> = BTreeMap::new();
    let (mut files, mut unnamed, mut unfinished) = (Vec::new(), 0, 0);
    let counts = for_each_game(&options.files.paths, None, None, |name, found, bar| {
        let game = match found {
            Found::Game(_, read) => read.game,
            Found::Fault(line) => {
                report_fault(name, &format_args!("{line}, left out"), bar);
                return Ok(());
            }
        };
        if files.last().is_none_or(|last| last != name) {
            files.push(name.to_owned());
        }
        let Some(players) = players(&game) else {
            unnamed += 1;
            return Ok(());
        };
        if game.result == GameResult::Unfinished {
            unfinished += 1;
            return Ok(());
        }
        // The numbers of pairs begin anew in each file.
        let pair = pair_of(&game).map(|pair| (files.len(), pair));
        let variant = game.start.variant();
        pools.entry(variant as usize).or_insert_with(|| Pool::new(variant)).add(
            players,
            game.result,
            pair,
        )
    })?;
    for (games, why) in
        [(unnamed, "without the names of both players"), (unfinished, "without a result")]
    {
        if games > 0 {
            print_message(format_args!("{} {why} left out", counted(games, "game")));
        }
    }
    if pools.is_empty() {
        bail!("no game has two named players and a result");
    }
    let mut texts = Vec::new();
    for pool in pools.values() {
        let title = (pools.len() > 1).then(|| format!("{}\n", pool.variant.title()));
        let text = pool.text(options)?;
        texts.push(if options.json { text } else { title.unwrap_or_default() + &text });
    }
    stdout().write_all(texts.join(if options.json { "" } else { "\n" }).as_bytes())?;
    Ok(counts.faulty)
}

/// The names of White and Black, if both are given.
fn players(game: &PgnGame) -> Option<[&str; 2]> {
    let name = |tag| game.tag(tag).map(str::trim).filter(|name| !name.is_empty() && *name != "?");
    Some([name("White")?, name("Black")?])
}

/// The games of one variant.
struct Pool {
    variant: Variant,
    /// By player number, as first spelled.
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    pairs: HashMap<(usize, usize), usize>,
    meetings: Meetings,
}

#[derive(Serialize)]
struct List<'a> {
    game: &'static str,
    players: Vec<Rated<'a>>,
    meetings: Vec<Meeting<'a>>,
}

/// A player's line of the list.
#[derive(Serialize)]
struct Rated<'a> {
    name: &'a str,
    /// None where the games do not tell, or all were won or lost.
    elo: Option<f64>,
    /// Half of the 95 % interval.
    error: Option<f64>,
    #[serde(flatten)]
    games: GameCounts,
    /// The likelihood of being stronger than the next in the list.
    los: Option<f64>,
}

#[derive(Serialize)]
struct Meeting<'a> {
    first: &'a str,
    second: &'a str,
    #[serde(flatten)]
    games: GameCounts,
    estimate: Option<Estimate>,
}

impl Pool {
    fn new(variant: Variant) -> Pool {
        Pool {
            variant,
            names: Vec::new(),
            numbers: HashMap::new(),
            pairs: HashMap::new(),
            meetings: Meetings::default(),
        }
    }

    fn add(
        &mut self,
        players: [&str; 2],
        result: GameResult,
        pair: Option<(usize, usize)>,
    ) -> anyhow::Result<()> {
        let players = players.map(|name| {
            *self.numbers.entry(known_as(name)).or_insert_with(|| {
                self.names.push(one_line(name, LONGEST_NAME));
                self.names.len() - 1
            })
        });
        if self.names.len() > MAX_PLAYERS {
            bail!("more than {MAX_PLAYERS} players: select games with `qirkat pgn filter`");
        }
        let next = self.pairs.len();
        let pair = pair.map(|pair| *self.pairs.entry(pair).or_insert(next));
        self.meetings.add(players, result, pair);
        Ok(())
    }

    fn text(&self, options: &RatingOptions) -> anyhow::Result<String> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let table = StandingsText::new(&names, &self.meetings);
        let anchor = options.anchor.as_deref().map(|text| self.anchor(text)).transpose()?;
        if options.json {
            return Ok(format!("{}\n", self.json(&table, anchor)?));
        }
        let mut text = table.rating_list(anchor);
        if options.cross_table {
            text += &format!("\n{}", table.cross_table());
        }
        // As a match reports it.
        if let [first, second] = names[..] {
            let total = self.meetings.between(0, 1);
            let lines = result_lines(&total, self.meetings.are_paired()).join("\n");
            text += &format!("\nResults of {first} vs {second}:\n{lines}\n");
        }
        Ok(text)
    }

    fn anchor(&self, text: &str) -> anyhow::Result<Anchor> {
        let number = |name: &str| self.numbers.get(&known_as(name)).copied();
        if let Some(player) = number(text) {
            return Ok(Anchor { player, elo: 0.0 });
        }
        let (name, elo) = text.rsplit_once('=').unwrap_or((text, "0"));
        let Some(player) = number(name) else {
            bail!("--anchor: no player is called {:?}", one_line(name, LONGEST_NAME));
        };
        match elo.trim().parse::<f64>() {
            Ok(elo) if elo.is_finite() => Ok(Anchor { player, elo }),
            _ => bail!("--anchor: {:?} is no rating", one_line(elo, LONGEST_NAME)),
        }
    }

    fn json(&self, table: &StandingsText, anchor: Option<Anchor>) -> anyhow::Result<String> {
        let finite = |value: f64| value.is_finite().then_some(value);
        let los = table.los().chain([None]);
        let rated = table.ranking.order.iter().zip(los).map(|(&player, los)| {
            let elo = table.rating(player, anchor);
            Rated {
                name: &self.names[player],
                elo: elo.and_then(|elo| finite(elo.value)),
                error: elo.and_then(|elo| finite(elo.error)),
                games: self.meetings.score(player),
                los,
            }
        });
        let order = &table.ranking.order;
        let two = order.iter().enumerate().flat_map(|(place, &first)| {
            order[place + 1..].iter().map(move |&second| (first, second))
        });
        let meetings = two.filter_map(|(first, second)| {
            let total = self.meetings.between(first, second);
            (total.games.games() > 0).then(|| Meeting {
                first: &self.names[first],
                second: &self.names[second],
                games: total.games,
                estimate: total.estimate(self.meetings.are_paired()),
            })
        });
        Ok(serde_json::to_string(&List {
            game: self.variant.title(),
            players: rated.collect(),
            meetings: meetings.collect(),
        })?)
    }
}
