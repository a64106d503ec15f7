//! Positions with known results, as counts of features.

use crate::evaluation::{self, Counts, Feature, Term};
use crate::pgn::{GameResult, PgnGame};
use crate::position::Position;

/// How often something occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub feature: u16,
    pub count: i16,
}

/// A position, ready for the formula of the evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// What the game brought White: 1, ½ or 0.
    pub result: f64,
    /// How much of the middle game is left, up to 1.
    pub share: f64,
    /// What White has more of than Black.
    pub(super) balance: &'a [Entry],
    /// What endangers the kings of White and Black.
    pub(super) dangers: [&'a [Entry]; 2],
}

/// Positions packed closely: there are millions.
#[derive(Clone, Default, Debug)]
pub struct SampleSet {
    entries: Vec<Entry>,
    samples: Vec<PackedSample>,
    games: usize,
}

#[derive(Clone, Copy, Debug)]
struct PackedSample {
    result: f32,
    share: f32,
    start: usize,
    /// How many entries there are of each sort.
    balance: u16,
    dangers: [u16; 2],
}

impl SampleSet {
    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// How many games they come from.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The position of this number.
    pub fn get(&self, index: usize) -> Sample<'_> {
        let packed = self.samples[index];
        let (balance, rest) = self.entries[packed.start..].split_at(packed.balance.into());
        let (white, rest) = rest.split_at(packed.dangers[0].into());
        let black = &rest[..packed.dangers[1].into()];
        Sample {
            result: packed.result.into(),
            share: packed.share.into(),
            balance,
            dangers: [white, black],
        }
    }

    /// Adds a position that brought White this much.
    pub fn add(&mut self, position: &Position, result: f64) {
        let start = self.entries.len();
        let [white, black] = evaluation::counts(position);
        let balance = self.add_entries(false, |feature| white.of(feature) - black.of(feature));
        let dangers = [&white, &black]
            .map(|counts: &Counts| self.add_entries(true, |feature| counts.of(feature)));
        let share = evaluation::phase(position) as f32 / evaluation::WHOLE_PHASE as f32;
        self.samples.push(PackedSample { result: result as f32, share, start, balance, dangers });
    }

    /// Adds what is not zero of one sort and says how much that was.
    fn add_entries(&mut self, danger: bool, count: impl Fn(Feature) -> i32) -> u16 {
        let before = self.entries.len();
        let wanted =
            Feature::all().filter(|&feature| is_danger(feature) == danger && count(feature) != 0);
        self.entries.extend(wanted.map(|feature| Entry {
            feature: feature.index() as u16,
            count: count(feature) as i16,
        }));
        (self.entries.len() - before) as u16
    }

    /// Adds the quiet positions of a game, its first `skip` plies left out:
    /// those where nobody is in check, neither promotion nor capture follows,
    /// no mate has been seen, and the sum of worths alone decides.
    pub fn add_game(&mut self, game: &PgnGame, skip: usize) {
        let Some(result) = points(game.result) else { return };
        self.games += 1;
        let mut position = game.start;
        for (ply, played) in game.moves.iter().enumerate() {
            let comment = played.comment.as_deref().unwrap_or_default();
            let is_quiet = !position.in_check() && !position.is_noisy(played.mv);
            if ply >= skip
                && is_quiet
                && !tells_mate(comment)
                && comment != BOOK
                && evaluation::sums_up(&position)
            {
                self.add(&position, result);
            }
            position = position.play(played.mv);
        }
    }
}

/// The comment on moves that nobody thought about.
const BOOK: &str = "book";

/// Whether the comment on a move begins with a mate, as `+M3/12 0.1s` does.
fn tells_mate(comment: &str) -> bool {
    comment.trim_start_matches(['+', '-']).starts_with('M')
}

fn points(result: GameResult) -> Option<f64> {
    match result {
        GameResult::WhiteWins => Some(1.0),
        GameResult::Draw => Some(0.5),
        GameResult::BlackWins => Some(0.0),
        GameResult::Unfinished => None,
    }
}

pub(super) fn is_danger(feature: Feature) -> bool {
    feature.term() == Term::KingDanger
}
