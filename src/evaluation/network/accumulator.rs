//! The accumulator: the hidden layer before its activation, for both
//! perspectives.

use arrayvec::ArrayVec;

use super::features::Feature;
use super::hidden_vector::HiddenVector;
use super::input::{MAX_POINTS, NetworkInput};
use super::perspective::Perspective;
use super::quantised::Network;
use qirkat_game::{Color, PieceCode, PointSet};

/// With more changed points than this a refresh is cheaper than an update.
const MAX_CHANGES: usize = 12;

/// The accumulator of one position.
#[derive(Clone)]
pub(super) struct Accumulator<G, const HIDDEN: usize> {
    pub position: G,
    perspectives: [Perspective; 2],
    values: [HiddenVector<HIDDEN>; 2],
}

/// Pieces to add to an accumulator and pieces to subtract.
#[derive(Default)]
struct Changes {
    adds: ArrayVec<(PieceCode, usize), MAX_CHANGES>,
    subs: ArrayVec<(PieceCode, usize), MAX_CHANGES>,
}

#[inline]
fn perspectives<G: NetworkInput>(position: &G) -> [Perspective; 2] {
    Color::ALL.map(|color| G::perspective(color, position.king_at(color)))
}

impl<G: NetworkInput, const HIDDEN: usize> Accumulator<G, HIDDEN> {
    /// A refresh: computed from all pieces.
    pub fn new(network: &Network<G, HIDDEN>, position: &G) -> Accumulator<G, HIDDEN> {
        Accumulator::without(network, position, None)
    }

    /// A refresh with all pieces but the one on a point.
    pub fn without(
        network: &Network<G, HIDDEN>,
        position: &G,
        left_out: Option<usize>,
    ) -> Accumulator<G, HIDDEN> {
        let perspectives = perspectives(position);
        let mut values = [network.feature_bias; 2];
        for (perspective, values) in perspectives.into_iter().zip(&mut values) {
            refresh(network, position, left_out, perspective, values);
        }
        Accumulator { position: *position, perspectives, values }
    }

    /// The network's score in centipawns for the side to move, by the output bucket for
    /// this number of pieces.
    pub fn output(&self, network: &Network<G, HIDDEN>, pieces: u32) -> i32 {
        let us = self.position.side_to_move();
        network.output(&self.values[us.index()], &self.values[(!us).index()], pieces)
    }

    /// Becomes the accumulator of `position`, updated from `base`, whose position
    /// differs on `changed` points. A perspective whose mirroring differs is
    /// refreshed.
    pub fn update_from(
        &mut self,
        network: &Network<G, HIDDEN>,
        base: &Accumulator<G, HIDDEN>,
        position: &G,
        changed: PointSet,
    ) {
        self.position = *position;
        self.perspectives = perspectives(position);
        let many = changed.len() as usize > MAX_CHANGES;
        let changed = if many { PointSet::default() } else { changed };
        let changes = Changes::between(&base.position, position, changed);
        for color in Color::ALL {
            let side = color.index();
            let perspective = self.perspectives[side];
            let values = &mut self.values[side];
            if many || perspective != base.perspectives[side] {
                refresh(network, position, None, perspective, values);
            } else {
                changes.apply(network, perspective, &base.values[side], values);
            }
        }
    }
}

impl Changes {
    /// The features that turn one position into the other, which differs on `changed`
    /// points, at most [`MAX_CHANGES`].
    #[inline]
    fn between<G: NetworkInput>(old: &G, new: &G, changed: PointSet) -> Changes {
        let mut changes = Changes::default();
        for point in changed {
            changes.subs.extend(old.piece_at(point).map(|piece| (piece, point)));
            changes.adds.extend(new.piece_at(point).map(|piece| (piece, point)));
        }
        changes
    }

    fn apply<G: NetworkInput, const HIDDEN: usize>(
        &self,
        network: &Network<G, HIDDEN>,
        perspective: Perspective,
        from: &HiddenVector<HIDDEN>,
        to: &mut HiddenVector<HIDDEN>,
    ) {
        type Rows<'a, const HIDDEN: usize> = ArrayVec<&'a HiddenVector<HIDDEN>, MAX_CHANGES>;
        let weights = |&(piece, point): &(PieceCode, usize)| {
            network.weights(perspective.feature::<G>(piece, point))
        };
        let adds: Rows<'_, HIDDEN> = self.adds.iter().map(weights).collect();
        let subs: Rows<'_, HIDDEN> = self.subs.iter().map(weights).collect();
        network.kernel.update(from, to, &adds, &subs);
    }
}

impl<G: NetworkInput, const HIDDEN: usize> Network<G, HIDDEN> {
    #[inline]
    fn weights(&self, feature: Feature) -> &HiddenVector<HIDDEN> {
        &self.feature_weights[feature.index()]
    }
}

/// Computes one perspective from the bias and all pieces.
fn refresh<G: NetworkInput, const HIDDEN: usize>(
    network: &Network<G, HIDDEN>,
    position: &G,
    left_out: Option<usize>,
    perspective: Perspective,
    to: &mut HiddenVector<HIDDEN>,
) {
    let points = position.occupied_points().into_iter().filter(|&point| Some(point) != left_out);
    let rows: ArrayVec<&HiddenVector<HIDDEN>, MAX_POINTS> = points
        .filter_map(|point| {
            let piece = position.piece_at(point)?;
            Some(network.weights(perspective.feature::<G>(piece, point)))
        })
        .collect();
    network.kernel.update(&network.feature_bias, to, &rows, &[]);
}
