//! Samples for Texel tuning: the trace of a quiet position, that is how often it has
//! each feature, with the result of its game.

use qirkat_arena::statistics::GameScore;
use qirkat_evaluation::{Counts, Feature, Term};
use qirkat_game::{Color, Rules, Searchable};
use qirkat_notation::pgn::PgnGame;
use qirkat_rules::chesquerque::Position;
use qirkat_rules::variant::{AnyMove, AnyPosition};

/// How often a feature occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TraceEntry {
    pub feature: u16,
    pub count: i16,
}

/// The trace of a position, with its result.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// The game's result for White: 1, ½ or 0.
    pub result: f64,
    /// The game phase, from 0 (endgame) to 1 (middle game).
    pub phase: f64,
    /// White's counts less Black's.
    pub(super) balance: &'a [TraceEntry],
    /// The king danger of White and of Black.
    pub(super) dangers: [&'a [TraceEntry]; 2],
}

/// Packed samples: there are millions.
#[derive(Clone, Default, Debug)]
pub struct SampleSet {
    entries: Vec<TraceEntry>,
    samples: Vec<PackedSample>,
    games: usize,
}

#[derive(Clone, Copy, Debug)]
struct PackedSample {
    result: f32,
    phase: f32,
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
            phase: packed.phase.into(),
            balance,
            dangers: [white, black],
        }
    }

    /// Adds a position with its result for White.
    pub fn add(&mut self, position: &Position, result: f64) {
        let start = self.entries.len();
        let [white, black] = qirkat_evaluation::counts(position);
        let balance = self.add_entries(false, |feature| white.of(feature) - black.of(feature));
        let dangers = [&white, &black]
            .map(|counts: &Counts| self.add_entries(true, |feature| counts.of(feature)));
        let phase =
            qirkat_evaluation::phase(position) as f32 / qirkat_evaluation::WHOLE_PHASE as f32;
        self.samples.push(PackedSample { result: result as f32, phase, start, balance, dangers });
    }

    /// Adds the counts of one sort that are not zero, and returns how many.
    fn add_entries(&mut self, danger: bool, count: impl Fn(Feature) -> i32) -> u16 {
        let before = self.entries.len();
        let wanted =
            Feature::all().filter(|&feature| is_danger(feature) == danger && count(feature) != 0);
        self.entries.extend(wanted.map(|feature| TraceEntry {
            feature: feature.index() as u16,
            count: count(feature) as i16,
        }));
        (self.entries.len() - before) as u16
    }

    /// Adds the quiet positions of a game but for its first `skip` plies: those with
    /// no check, where neither promotion nor capture follows, no mate score was
    /// reported, and no knowledge of endings overrides the formula.
    pub fn add_game(&mut self, game: &PgnGame, skip: usize) {
        let Some(result) = GameScore::of(game.result, Color::White) else { return };
        let AnyPosition::Chesquerque(mut position) = game.start else { return };
        self.games += 1;
        for (ply, played) in game.moves.iter().enumerate() {
            let comment = played.comment.as_deref().unwrap_or_default();
            let AnyMove::Chesquerque(mv) = played.mv else { break };
            let is_quiet = !position.in_check() && !position.is_noisy(mv);
            if ply >= skip
                && is_quiet
                && !is_mate_score(comment)
                && comment != BOOK
                && qirkat_evaluation::is_linear(&position)
            {
                self.add(&position, result.points());
            }
            position.make(mv);
        }
    }
}

/// The comment on book moves.
const BOOK: &str = "book";

/// Whether the comment on a move begins with a mate score, as `+M3/12 0.1s` does.
fn is_mate_score(comment: &str) -> bool {
    comment.trim_start_matches(['+', '-']).starts_with('M')
}

pub(super) fn is_danger(feature: Feature) -> bool {
    feature.term() == Term::KingDanger
}
