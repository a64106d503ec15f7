//! The accumulator: the hidden layer before its activation, for both
//! perspectives.

use arrayvec::ArrayVec;

use super::features::{Feature, Perspective};
use super::hidden_vector::HiddenVector;
use super::quantised::Network;
use crate::chesquerque::{Bitboard, Color, Piece, Point, Position};

/// With more changed points than this a refresh is cheaper than an update.
const MAX_CHANGES: usize = 12;

/// The accumulator of one position.
#[derive(Clone)]
pub(super) struct Accumulator {
    pub position: Position,
    perspectives: [Perspective; 2],
    values: [HiddenVector; 2],
}

/// Pieces to add to an accumulator and pieces to subtract.
#[derive(Default)]
struct Changes {
    adds: ArrayVec<(Piece, Point), MAX_CHANGES>,
    subs: ArrayVec<(Piece, Point), MAX_CHANGES>,
}

fn perspectives(position: &Position) -> [Perspective; 2] {
    Color::ALL.map(|color| Perspective::of(color, position.king(color)))
}

impl Accumulator {
    /// Computed from all pieces.
    pub fn new(network: &Network, position: &Position) -> Accumulator {
        Accumulator::without(network, position, None)
    }

    /// Computed from all pieces but the one on a point.
    pub fn without(network: &Network, position: &Position, left_out: Option<Point>) -> Accumulator {
        let perspectives = perspectives(position);
        let values =
            perspectives.map(|perspective| refresh(network, position, left_out, perspective));
        Accumulator { position: *position, perspectives, values }
    }

    /// The network's score in centipawns for the side to move. The output bucket
    /// is that of so many pieces.
    pub fn output(&self, network: &Network, pieces: u32) -> i32 {
        let us = self.position.side_to_move();
        network.output(&self.values[us.index()], &self.values[(!us).index()], pieces)
    }

    /// Becomes the accumulator of `position`, updated from `base`, whose position
    /// differs on `changed` points. A perspective whose mirroring differs is
    /// refreshed.
    pub fn update_from(
        &mut self,
        network: &Network,
        base: &Accumulator,
        position: &Position,
        changed: Bitboard,
    ) {
        let changes = Changes::between(&base.position, position, changed);
        self.perspectives = perspectives(position);
        for color in Color::ALL {
            let side = color.index();
            let perspective = self.perspectives[side];
            let values = &mut self.values[side];
            match &changes {
                Some(changes) if perspective == base.perspectives[side] => {
                    changes.apply(network, perspective, &base.values[side], values);
                }
                _ => *values = refresh(network, position, None, perspective),
            }
        }
        self.position = *position;
    }
}

impl Changes {
    /// What turns one position into the other; nothing if that is too much.
    fn between(old: &Position, new: &Position, changed: Bitboard) -> Option<Changes> {
        if changed.len() as usize > MAX_CHANGES {
            return None;
        }
        let mut changes = Changes::default();
        for point in changed {
            changes.subs.extend(old.piece_on(point).map(|piece| (piece, point)));
            changes.adds.extend(new.piece_on(point).map(|piece| (piece, point)));
        }
        Some(changes)
    }

    fn apply(
        &self,
        network: &Network,
        perspective: Perspective,
        from: &HiddenVector,
        to: &mut HiddenVector,
    ) {
        let weights =
            |&(piece, point): &(Piece, Point)| network.weights(perspective.feature(piece, point));
        let adds: ArrayVec<&HiddenVector, MAX_CHANGES> = self.adds.iter().map(weights).collect();
        let subs: ArrayVec<&HiddenVector, MAX_CHANGES> = self.subs.iter().map(weights).collect();
        network.kernel.update(from, to, &adds, &subs);
    }
}

impl Network {
    #[inline]
    fn weights(&self, feature: Feature) -> &HiddenVector {
        &self.feature_weights[feature.index()]
    }
}

/// One perspective, computed from the bias and all pieces.
fn refresh(
    network: &Network,
    position: &Position,
    left_out: Option<Point>,
    perspective: Perspective,
) -> HiddenVector {
    let mut values = network.feature_bias;
    for point in position.occupied().into_iter().filter(|&point| Some(point) != left_out) {
        if let Some(piece) = position.piece_on(point) {
            let weights = network.weights(perspective.feature(piece, point));
            let before = values;
            network.kernel.update(&before, &mut values, &[weights], &[]);
        }
    }
    values
}
