//! Where counted features go: into a sum of values for the search, or into counts for
//! the tuner (an evaluation trace). The evaluation is written once, generic over it.

use super::piece_square::{PIECE_SQUARE, piece_features};
use super::tapered::Tapered;
use super::terms::{Feature, Term};
use qirkat_rules::chesquerque::{Color, PieceKind, Point};

/// Takes the counts of one side.
pub(super) trait Sink: Default {
    /// The side has `count` of this feature.
    fn add(&mut self, feature: Feature, count: i32);

    /// The same for what endangers the side's king: danger is summed up apart
    /// because it grows faster than its parts.
    fn add_danger(&mut self, feature: Feature, count: i32);

    /// The side has a piece there.
    #[inline]
    fn add_piece(&mut self, color: Color, kind: PieceKind, point: Point) {
        for feature in piece_features(color, kind, point).into_iter().flatten() {
            self.add(feature, 1);
        }
    }
}

/// The sum of values.
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

    /// One addition for material and piece-square values.
    #[inline]
    fn add_piece(&mut self, color: Color, kind: PieceKind, point: Point) {
        self.total += PIECE_SQUARE[color.index()][kind.index()][point];
    }
}

impl Sum {
    /// The sum of all values, less what the danger costs.
    #[inline]
    pub fn balance(self) -> Tapered {
        self.total - danger_cost(self.danger)
    }
}

/// Danger that costs as many centipawns. It costs nothing below zero.
pub const DANGER_UNIT: i32 = 256;

/// More danger than this costs no more: the king is lost.
pub const MAX_DANGER: i32 = 2000;

/// The cost of a king's danger for its side.
#[inline]
fn danger_cost(danger: Tapered) -> Tapered {
    let cost = |danger: i32| danger.clamp(0, MAX_DANGER).pow(2) / DANGER_UNIT;
    Tapered::new(cost(danger.middle_game()), cost(danger.endgame()))
}

/// An evaluation trace: how often one side has each feature.
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

    /// The value of the side's features of this term together.
    pub fn value(&self, term: Term) -> Tapered {
        let features = Feature::all().filter(|feature| feature.term() == term);
        let sum =
            features.fold(Tapered::ZERO, |sum, feature| sum + feature.value() * self.of(feature));
        match term {
            Term::KingDanger => Tapered::ZERO - danger_cost(sum),
            _ => sum,
        }
    }
}
