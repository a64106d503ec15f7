//! `qirkat pgn ratings`: how strong the players of games are.

use std::collections::{BTreeMap, HashMap};
use std::io::{Write, stdout};

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::{Files, LONGEST_NAME, name_key};
use crate::shared::games::{fingerprint, for_each_sound_game};
use crate::shared::standings_text::{Anchor, StandingsText, result_lines};
use crate::shared::terminal::print_message;
use qirkat_arena::statistics::{Estimate, GameCounts};
use qirkat_arena::{BOOK_COMMENT, CrossTable, pair_number};
use qirkat_game::text::{counted, one_line};
use qirkat_rules::pgn::{GameResult, PgnGame, PgnMove};
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
    /// Print a JSON object for each variant in the files instead of tables
    #[arg(long)]
    json: bool,
}

/// More would take long: the time grows with the cube of their number.
const MAX_PLAYERS: usize = 500;

pub(super) fn run(options: &RatingOptions) -> anyhow::Result<u64> {
    let mut pools: BTreeMap<usize, Pool> = BTreeMap::new();
    let (mut unnamed, mut alone, mut unfinished) = (0, 0, 0);
    let faults = for_each_sound_game(&options.files.paths, |game| {
        match players(&game) {
            None => unnamed += 1,
            Some([white, black]) if name_key(white) == name_key(black) => alone += 1,
            Some(_) if game.result == GameResult::Unfinished => unfinished += 1,
            Some(players) => {
                let variant = game.start.variant();
                let pool = pools.entry(variant as usize).or_insert_with(|| Pool::new(variant));
                pool.add(players, &game)?;
            }
        }
        Ok(())
    })?;
    for (games, why) in [
        (unnamed, "without the names of both players"),
        (alone, "of a player against themselves"),
        (unfinished, "without a result"),
    ] {
        if games > 0 {
            print_message(format_args!("{} {why} left out", counted(games, "game")));
        }
    }
    if pools.is_empty() {
        bail!("no game has two named players and a result");
    }
    let anchor = |pool: &Pool| options.anchor.as_deref().map_or(Ok(None), |text| pool.anchor(text));
    let anchors: Vec<Option<Anchor>> = pools.values().map(anchor).collect::<Result<_, _>>()?;
    if let Some(text) = options.anchor.as_deref()
        && anchors.iter().all(Option::is_none)
    {
        let name = text.rsplit_once('=').map_or(text, |(name, _)| name);
        bail!("--anchor: no player is called {:?}", one_line(name, LONGEST_NAME));
    }
    let mut texts = Vec::new();
    for (pool, anchor) in pools.values().zip(anchors) {
        let title = pool.variant.title();
        if options.anchor.is_some() && anchor.is_none() {
            print_message(format_args!("--anchor: nobody is called that in the games of {title}"));
        }
        let title = (pools.len() > 1).then(|| format!("{title}\n"));
        let text = pool.text(options, anchor)?;
        texts.push(if options.json { text } else { title.unwrap_or_default() + &text });
    }
    stdout().write_all(texts.join(if options.json { "" } else { "\n" }).as_bytes())?;
    Ok(faults)
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
    games: Vec<Played>,
}

struct Played {
    /// What the two games of a pair of `qirkat match` have: the pair's number, and the opening.
    pair: Option<(usize, [u64; 2])>,
    players: [usize; 2],
    result: GameResult,
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
        Pool { variant, names: Vec::new(), numbers: HashMap::new(), games: Vec::new() }
    }

    fn add(&mut self, players: [&str; 2], game: &PgnGame) -> anyhow::Result<()> {
        let players = players.map(|name| {
            *self.numbers.entry(name_key(name)).or_insert_with(|| {
                self.names.push(one_line(name, LONGEST_NAME));
                self.names.len() - 1
            })
        });
        if self.names.len() > MAX_PLAYERS {
            bail!("more than {MAX_PLAYERS} players: select games with `qirkat pgn filter`");
        }
        let is_book = |played: &&PgnMove| played.comment.as_deref() == Some(BOOK_COMMENT);
        let book = game.moves.iter().take_while(is_book).map(|played| played.mv);
        let opening = fingerprint(&(game.start.fen(), book.collect::<Vec<_>>()));
        let pair = pair_number(game).map(|number| (number, opening));
        self.games.push(Played { pair, players, result: game.result });
        Ok(())
    }

    /// The results by opponents. Two games are a pair if they have the same pair number and
    /// opening, with colours exchanged. If several matches have such games, the nth in which a
    /// player has White is paired with the nth in which it has Black: in files of whole matches,
    /// both are of the same match.
    fn meetings(&self) -> CrossTable {
        let (mut repeats, mut numbers) = (HashMap::new(), HashMap::new());
        let mut meetings = CrossTable::default();
        for &Played { pair, players, result } in &self.games {
            let number = pair.map(|pair| {
                let count: &mut usize = repeats.entry((pair, players)).or_default();
                *count += 1;
                let next = numbers.len();
                *numbers.entry((pair, *count)).or_insert(next)
            });
            meetings.add(players, result, number);
        }
        meetings
    }

    fn text(&self, options: &RatingOptions, anchor: Option<Anchor>) -> anyhow::Result<String> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let meetings = self.meetings();
        let table = StandingsText::new(&names, &meetings);
        if options.json {
            return Ok(format!("{}\n", self.json(&table, &meetings, anchor)?));
        }
        let mut text = table.rating_list(anchor);
        if options.cross_table {
            text += &format!("\n{}", table.cross_table());
        }
        // As a match reports it.
        if let [first, second] = table.ranking.order[..] {
            let total = meetings.between(first, second);
            let [first, second] = [first, second].map(|player| names[player]);
            let lines = result_lines(&total, meetings.are_paired()).join("\n");
            text += &format!("\nResults of {first} vs {second}:\n{lines}\n");
        }
        Ok(text)
    }

    /// The anchor that the option names, if it has played.
    fn anchor(&self, text: &str) -> anyhow::Result<Option<Anchor>> {
        let number = |name: &str| self.numbers.get(&name_key(name)).copied();
        if let Some(player) = number(text) {
            return Ok(Some(Anchor { player, elo: 0.0 }));
        }
        let (name, elo) = text.rsplit_once('=').unwrap_or((text, "0"));
        let Some(player) = number(name) else { return Ok(None) };
        match elo.trim().parse::<f64>() {
            Ok(elo) if elo.is_finite() => Ok(Some(Anchor { player, elo })),
            _ => bail!("--anchor: {:?} is no rating", one_line(elo, LONGEST_NAME)),
        }
    }

    fn json(
        &self,
        table: &StandingsText<'_>,
        meetings: &CrossTable,
        anchor: Option<Anchor>,
    ) -> anyhow::Result<String> {
        let finite = |value: f64| value.is_finite().then_some(value);
        let los = table.los().chain([None]);
        let rated = table.ranking.order.iter().zip(los).map(|(&player, los)| {
            let elo = table.rating(player, anchor);
            Rated {
                name: &self.names[player],
                elo: elo.and_then(|elo| finite(elo.value)),
                error: elo.and_then(|elo| finite(elo.error)),
                games: meetings.score(player),
                los,
            }
        });
        let order = &table.ranking.order;
        let two = order.iter().enumerate().flat_map(|(index, &first)| {
            order[index + 1..].iter().map(move |&second| (first, second))
        });
        let met = two.filter_map(|(first, second)| {
            let total = meetings.between(first, second);
            (total.games.games() > 0).then(|| Meeting {
                first: &self.names[first],
                second: &self.names[second],
                games: total.games,
                estimate: total.estimate(meetings.are_paired()),
            })
        });
        Ok(serde_json::to_string(&List {
            game: self.variant.title(),
            players: rated.collect(),
            meetings: met.collect(),
        })?)
    }
}
