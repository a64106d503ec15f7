//! `qirkat pgn filter`, and its date and material conditions.

use std::cmp::Ordering;
use std::str::FromStr;

use anyhow::bail;
use clap::Args;

use super::{DropOptions, Files, Output, copy_games, name_key};
use crate::shared::options::named;
use qirkat_game::Rules;
use qirkat_rules::pgn::{GameResult, Notation, PgnError, PgnGame, PgnReader};
use qirkat_rules::variant::{AnyPosition, Variant};

#[derive(Args)]
pub(crate) struct FilterOptions {
    #[command(flatten)]
    files: Files,
    /// Games of this player: the full name, in upper or lower case
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Games where this player has White
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// Games where this player has Black
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Games with this result: 1-0, 0-1, 1/2-1/2 or *; may be given again
    #[arg(long, value_name = "RESULT", value_parser = named(result, ["1-0", "0-1", "1/2-1/2"]), hide_possible_values = true, allow_hyphen_values = true)]
    result: Vec<GameResult>,
    /// Games of at least this length
    #[arg(long, value_name = "PLIES")]
    min_plies: Option<usize>,
    /// Games of at most this length
    #[arg(long, value_name = "PLIES")]
    max_plies: Option<usize>,
    /// Games with this text in their Termination tag
    #[arg(long, value_name = "TEXT")]
    termination: Option<String>,
    /// Games with this text in their Event tag
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,
    /// Games of this day, month or year and later: 2026.05.31, 2026.05 or 2026
    #[arg(long, value_name = "DATE")]
    since: Option<GameDate>,
    /// Games of this day, month or year and earlier
    #[arg(long, value_name = "DATE")]
    until: Option<GameDate>,
    /// Games whose players both have at least this rating
    #[arg(long, value_name = "ELO")]
    min_elo: Option<u32>,
    /// Games whose players both have at most this rating
    #[arg(long, value_name = "ELO")]
    max_elo: Option<u32>,
    /// Games that begin with these moves from the usual start, such as "e4 e6" or
    /// "e2e4 e8e6"; may be given again
    #[arg(long, value_name = "MOVES")]
    opening: Vec<OpeningMoves>,
    /// Games that start from this position, clocks aside; may be given again
    #[arg(long, value_name = "FEN", value_parser = position)]
    from: Vec<AnyPosition>,
    /// Games in which this board is reached with this side to move; may be given again
    #[arg(long, value_name = "FEN", value_parser = position)]
    position: Vec<AnyPosition>,
    /// Games in which this material is left, with either colour: KRPvKR; may be given again
    #[arg(long, value_name = "MATERIAL", value_parser = material)]
    material: Vec<Material>,
    #[command(flatten)]
    drop: DropOptions,
    #[command(flatten)]
    output: Output,
}

fn result(text: &str) -> Result<GameResult, String> {
    GameResult::parse(text).ok_or_else(|| "neither 1-0, 0-1, 1/2-1/2 nor *".to_owned())
}

fn position(text: &str) -> Result<AnyPosition, String> {
    // The FEN shows the variant: board sizes differ.
    let read = |variant: Variant| variant.read_fen(text).map(|parsed| parsed.position);
    if text == "startpos" {
        return Ok(Variant::default().start());
    }
    let first = read(Variant::Chesquerque);
    let others = || Variant::ALL.into_iter().find_map(|variant| read(variant).ok());
    first.or_else(|error| others().ok_or(error)).map_err(|error| error.to_string())
}

pub(crate) fn run(options: &FilterOptions) -> anyhow::Result<u64> {
    check_bounds(options)?;
    copy_games(&options.files, &options.drop, &options.output, None, |game| {
        fits(options, game).then_some(Notation::San)
    })
}

/// Bounds that no game can meet are an error.
fn check_bounds(options: &FilterOptions) -> anyhow::Result<()> {
    let FilterOptions { min_plies, max_plies, min_elo, max_elo, since, until, .. } = options;
    if min_plies.zip(*max_plies).is_some_and(|(least, most)| least > most) {
        bail!("--min-plies is more than --max-plies: no game fits");
    }
    if min_elo.zip(*max_elo).is_some_and(|(least, most)| least > most) {
        bail!("--min-elo is more than --max-elo: no game fits");
    }
    if since.as_ref().zip(until.as_ref()).is_some_and(|(since, until)| since.compare(until).is_gt())
    {
        bail!("--since is later than --until: no game fits");
    }
    Ok(())
}

/// Conditions that are not given always hold.
fn fits(options: &FilterOptions, game: &PgnGame) -> bool {
    let plays = |color: &str, name: &String| {
        game.tag(color).is_some_and(|player| name_key(player) == name_key(name))
    };
    let plies = game.moves.len();
    options.player.as_ref().is_none_or(|name| plays("White", name) || plays("Black", name))
        && options.white.as_ref().is_none_or(|name| plays("White", name))
        && options.black.as_ref().is_none_or(|name| plays("Black", name))
        && (options.result.is_empty() || options.result.contains(&game.result))
        && options.min_plies.is_none_or(|least| plies >= least)
        && options.max_plies.is_none_or(|most| plies <= most)
        && options.termination.as_ref().is_none_or(|text| tag_holds(game, "Termination", text))
        && options.event.as_ref().is_none_or(|text| tag_holds(game, "Event", text))
        && matches_date(options, game)
        && options.min_elo.is_none_or(|least| both_rated(game, |elo| elo >= least))
        && options.max_elo.is_none_or(|most| both_rated(game, |elo| elo <= most))
        && any(&options.opening, |opening| opening.begin(game))
        && any(&options.from, |start| {
            start.key() == game.start.key() && same_fields(start, &game.start, 4)
        })
        // Castling rights may differ.
        && any(&options.position, |board| {
            reaches(game, |position| same_fields(board, position, 2))
        })
        && any(&options.material, |material| {
            let [first, second] = material;
            reaches(game, |position| {
                let left = material_of(position);
                left == *material || left == [second.clone(), first.clone()]
            })
        })
}

fn any<T>(wanted: &[T], is_met: impl FnMut(&T) -> bool) -> bool {
    wanted.is_empty() || wanted.iter().any(is_met)
}

fn tag_holds(game: &PgnGame, tag: &str, text: &str) -> bool {
    name_key(game.tag(tag).unwrap_or_default()).contains(&name_key(text))
}

/// A game of unknown year matches no date.
fn matches_date(options: &FilterOptions, game: &PgnGame) -> bool {
    if options.since.is_none() && options.until.is_none() {
        return true;
    }
    game.tag("Date").and_then(GameDate::of_tag).is_some_and(|date| {
        options.since.as_ref().is_none_or(|since| date.compare(since).is_ge())
            && options.until.as_ref().is_none_or(|until| date.compare(until).is_le())
    })
}

/// A player without a rating matches none.
fn both_rated(game: &PgnGame, fits: impl Fn(u32) -> bool) -> bool {
    ["WhiteElo", "BlackElo"]
        .into_iter()
        .all(|tag| game.tag(tag).and_then(|elo| elo.trim().parse().ok()).is_some_and(&fits))
}

fn reaches(game: &PgnGame, is_wanted: impl Fn(&AnyPosition) -> bool) -> bool {
    let mut position = game.start;
    is_wanted(&position)
        || game.moves.iter().any(|played| {
            position.make(played.mv);
            is_wanted(&position)
        })
}

fn same_fields(a: &AnyPosition, b: &AnyPosition, count: usize) -> bool {
    a.fen().split(' ').take(count).eq(b.fen().split(' ').take(count))
}

/// The first moves from the start position, for each variant in which they are legal.
#[derive(Clone, Debug)]
struct OpeningMoves {
    lines: Vec<PgnGame>,
}

impl OpeningMoves {
    pub fn begin(&self, game: &PgnGame) -> bool {
        self.lines.iter().any(|line| {
            line.start == game.start
                && line.moves.len() <= game.moves.len()
                && line.moves.iter().zip(&game.moves).all(|(a, b)| a.mv == b.mv)
        })
    }
}

impl FromStr for OpeningMoves {
    type Err = String;

    fn from_str(text: &str) -> Result<OpeningMoves, String> {
        let (mut lines, mut faults) = (Vec::new(), Vec::new());
        for variant in Variant::ALL {
            match line(variant, text) {
                Ok(line) => lines.push(line),
                Err(fault) => faults.push(fault),
            }
        }
        // Report the first error, that of Chesquerque.
        match faults.into_iter().next() {
            Some(fault) if lines.is_empty() => Err(fault),
            _ => Ok(OpeningMoves { lines }),
        }
    }
}

fn line(variant: Variant, text: &str) -> Result<PgnGame, String> {
    let text = format!("[Variant \"{}\"] {text}", variant.title());
    let mut games = PgnReader::new(text.as_bytes());
    match (games.next(), games.next()) {
        (Some(Err(PgnError::Game { fault, .. })), _) => Err(fault.to_string()),
        (Some(Ok(read)), None) if !read.game.moves.is_empty() && read.unread.is_empty() => {
            Ok(read.game)
        }
        _ => Err("not moves such as `e4 e6`".to_owned()),
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct GameDate {
    /// Year, month and day, as far as known.
    parts: Vec<u16>,
}

const DAYS_IN_MONTH: [u16; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const NO_DATE: &str = "not a date such as 2026.05.31, 2026.05 or 2026";

impl GameDate {
    /// The date of a `Date` tag with `?` for unknown parts; `None` if the year is unknown.
    pub fn of_tag(text: &str) -> Option<GameDate> {
        let known = text.split_once('?').map_or(text, |(known, _)| known);
        known.trim_end_matches('.').parse().ok()
    }

    /// Compares the parts known to both: a day is neither before nor after its month.
    pub fn compare(&self, other: &GameDate) -> Ordering {
        let pairs = self.parts.iter().zip(&other.parts);
        pairs.map(|(a, b)| a.cmp(b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

impl FromStr for GameDate {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<GameDate, &'static str> {
        let number = |part: &str| match part.bytes().all(|byte| byte.is_ascii_digit()) {
            true => part.parse::<u16>().map_err(|_| NO_DATE),
            false => Err(NO_DATE),
        };
        let parts: Vec<u16> = text.split(['.', '-', '/']).map(number).collect::<Result<_, _>>()?;
        let is_date = match parts[..] {
            [year] => year >= 1000,
            [year, month] => year >= 1000 && (1..=12).contains(&month),
            [year, month, day] => {
                year >= 1000
                    && (1..=12).contains(&month)
                    && (1..=DAYS_IN_MONTH[usize::from(month) - 1]).contains(&day)
            }
            _ => false,
        };
        if is_date { Ok(GameDate { parts }) } else { Err(NO_DATE) }
    }
}

/// The sorted letters of both sides' pieces.
type Material = [String; 2];

fn material_of(position: &AnyPosition) -> Material {
    let fen = position.fen();
    let letters = fen.chars().take_while(|letter| *letter != ' ');
    let (white, black) =
        letters.filter(char::is_ascii_alphabetic).partition(char::is_ascii_uppercase);
    [white, black].map(sorted)
}

fn sorted(letters: String) -> String {
    let mut letters = letters.to_ascii_uppercase().into_bytes();
    letters.sort_unstable();
    letters.into_iter().map(char::from).collect()
}

/// Parses material such as `KRPvKR`.
fn material(text: &str) -> Result<Material, &'static str> {
    const NO_MATERIAL: &str = "not material such as KRPvKR, or MMvM of Alquerque";
    let (first, second) = text.split_once(['v', 'V']).ok_or(NO_MATERIAL)?;
    let sides = [first, second].map(|side| sorted(side.to_owned()));
    let has_king = |side: &String| {
        side.chars().all(|letter| "KQARBNP".contains(letter)) && side.matches('K').count() == 1
    };
    let has_men = |side: &String| side.chars().all(|letter| letter == 'M');
    let is_material =
        sides.iter().all(has_king) || sides.iter().all(has_men) && !sides.concat().is_empty();
    if is_material { Ok(sides) } else { Err(NO_MATERIAL) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_compared_as_far_as_they_are_known() {
        for (tag, bound, order) in [
            ("2026.05.31", "2026.05.31", Some(Ordering::Equal)),
            ("2026.05.30", "2026-05-31", Some(Ordering::Less)),
            ("2026.06.01", "2026.05", Some(Ordering::Greater)),
            ("2026.05.01", "2026.05", Some(Ordering::Equal)),
            ("2026.??.??", "2026.05", Some(Ordering::Equal)),
            ("2025.12.??", "2026", Some(Ordering::Less)),
            ("????.??.??", "2026", None),
            ("?", "2026", None),
            ("yesterday", "2026", None),
        ] {
            let bound: GameDate = bound.parse().expect(bound);
            assert_eq!(GameDate::of_tag(tag).map(|date| date.compare(&bound)), order, "{tag}");
        }
        for text in ["", "26", "2026.13", "2026.02.30", "2026.5.3.1", "31.05.2026", "+2026"] {
            assert_eq!(text.parse::<GameDate>(), Err(NO_DATE), "{text}");
        }
    }

    #[test]
    fn names_and_boards_agree() {
        let fen = "4k4/9/9/r8/9/9/4P4/9/R3K4 w - - 0 1";
        let position = Variant::Chesquerque.read_fen(fen).expect(fen).position;
        for (name, agrees) in [("KRPvKR", true), ("krpvkr", true), ("KRPvK", false)] {
            assert_eq!(material(name).expect(name) == material_of(&position), agrees, "{name}");
        }
        assert!(material("MMvM").is_ok());
        for text in ["", "KR", "KRKR", "RvK", "KKvK", "KXvK", "KvM", "v", "KRvKvK", "KévK"] {
            assert!(material(text).is_err(), "{text}");
        }
    }
}
