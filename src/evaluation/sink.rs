//! Who takes what is counted on the board: the search wants one number, the
//! tuner every count.

use super::features::{Feature, Term};
use super::placement::{PLACED, man_features};
use super::tapered::Tapered;
use crate::position::{Color, PieceKind, Point};

/// Takes the counts of one side.
pub(super) trait Sink: Default {
    /// The side has `count` of this feature.
    fn add(&mut self, feature: Feature, count: i32);

    /// The same for what endangers the side's king: danger is summed up apart
    /// because it grows faster than its parts.
    fn add_danger(&mut self, feature: Feature, count: i32);

    /// The side has a man there.
    #[inline]
    fn add_man(&mut self, color: Color, kind: PieceKind, point: Point) {
        for feature in man_features(color, kind, point).into_iter().flatten() {
            self.add(feature, 1);
        }
    }
}

/// The sum of worths.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Sum {
    total: Tapered,
    danger: Tapered,
}

impl Sink for Sum {
    #[inline]
    fn add(&mut self, feature: Feature, count: i32) {
        self.total += feature.value() * count;
    }

    #[inline]
    fn add_danger(&mut self, feature: Feature, count: i32) {
        self.danger += feature.value() * count;
    }

    /// One addition for all that a man is worth by itself.
    #[inline]
    fn add_man(&mut self, color: Color, kind: PieceKind, point: Point) {
        self.total += PLACED[color.index()][kind.index()][point];
    }
}

impl Sum {
    /// All worths together, less what the danger costs.
    #[inline]
    pub fn balance(self) -> Tapered {
        self.total - danger_cost(self.danger)
    }
}

/// Danger that costs as many centipawns. It costs nothing below zero.
pub const DANGER_UNIT: i32 = 256;

/// More danger than this costs no more: the king is lost.
pub const MAX_DANGER: i32 = 2000;

/// What a king's danger costs its side.
#[inline]
fn danger_cost(danger: Tapered) -> Tapered {
    let cost = |danger: i32| danger.clamp(0, MAX_DANGER).pow(2) / DANGER_UNIT;
    Tapered::new(cost(danger.middle_game()), cost(danger.endgame()))
}

/// How often one side has each feature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts(Box<[i32; Feature::COUNT]>);

impl Default for Counts {
    fn default() -> Counts {
        Counts(Box::new([0; Feature::COUNT]))
    }
}

impl Sink for Counts {
    fn add(&mut self, feature: Feature, count: i32) {
        self.0[feature.index()] += count;
    }

    fn add_danger(&mut self, feature: Feature, count: i32) {
        self.add(feature, count);
    }
}

impl Counts {
    /// How often the side has this feature.
    pub fn of(&self, feature: Feature) -> i32 {
        self.0[feature.index()]
    }

    /// What the side's features of this part are worth together.
    pub fn worth(&self, term: Term) -> Tapered {
        let features = Feature::all().filter(|feature| feature.term() == term);
        let sum =
            features.fold(Tapered::ZERO, |sum, feature| sum + feature.value() * self.of(feature));
        match term {
            Term::KingDanger => Tapered::ZERO - danger_cost(sum),
            _ => sum,
        }
    }
}
