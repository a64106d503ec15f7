//! The accumulator: the hidden layer before its activation, for both
//! perspectives.

use arrayvec::ArrayVec;

use super::architecture::HiddenVector;
use super::input::{Feature, Perspective};
use super::input::{MAX_POINTS, NetworkInput};
use super::quantised::Network;
use qirkat_game::{Color, PointSet};

/// With more changed points than this a refresh is cheaper than an update.
const MAX_CHANGES: usize = 12;

#[derive(Clone)]
pub(super) struct Accumulator<G: NetworkInput> {
    pub position: G,
    perspectives: [Perspective; 2],
    values: [HiddenVector<G::Hidden>; 2],
}

#[inline]
fn perspectives<G: NetworkInput>(position: &G) -> [Perspective; 2] {
    Color::ALL.map(|color| G::perspective(color, position.king_at(color)))
}

impl<G: NetworkInput> Accumulator<G> {
    /// A refresh: computed from all pieces.
    pub fn new(network: &Network<G>, position: &G) -> Accumulator<G> {
        Accumulator::without(network, position, None)
    }

    /// A refresh with all pieces but the one on a point.
    pub fn without(network: &Network<G>, position: &G, left_out: Option<usize>) -> Accumulator<G> {
        let perspectives = perspectives(position);
        let mut values = [network.feature_bias; 2];
        for (perspective, values) in perspectives.into_iter().zip(&mut values) {
            refresh(network, position, left_out, perspective, values);
        }
        Accumulator { position: *position, perspectives, values }
    }

    /// The network's score in centipawns for the side to move, by the output bucket for
    /// this number of pieces.
    pub fn output(&self, network: &Network<G>, pieces: u32) -> i32 {
        let us = self.position.side_to_move();
        network.output(&self.values[us.index()], &self.values[(!us).index()], pieces)
    }

    /// Becomes the accumulator of `position`, updated from `base`, whose position
    /// differs on `changed` points. A perspective whose mirroring differs is
    /// refreshed.
    pub fn update_from(
        &mut self,
        network: &Network<G>,
        base: &Accumulator<G>,
        position: &G,
        changed: PointSet,
    ) {
        self.position = *position;
        self.perspectives = perspectives(position);
        let few = changed.len() as usize <= MAX_CHANGES;
        for color in Color::ALL {
            let side = color.index();
            let perspective = self.perspectives[side];
            let values = &mut self.values[side];
            if few && perspective == base.perspectives[side] {
                // Filled in place: to hand such a list on would copy it, which takes longer than
                // to make it.
                let mut adds = ArrayVec::<_, MAX_CHANGES>::new();
                let mut subs = ArrayVec::<_, MAX_CHANGES>::new();
                for point in changed {
                    let row = |piece| network.weights(perspective.feature::<G>(piece, point));
                    if let Some(piece) = base.position.piece_at(point) {
                        subs.push(row(piece));
                    }
                    if let Some(piece) = position.piece_at(point) {
                        adds.push(row(piece));
                    }
                }
                network.kernel.update(&base.values[side], values, &adds, &subs);
            } else {
                refresh(network, position, None, perspective, values);
            }
        }
    }
}

impl<G: NetworkInput> Network<G> {
    #[inline]
    fn weights(&self, feature: Feature) -> &HiddenVector<G::Hidden> {
        &self.feature_weights[feature.index()]
    }
}

/// Computes one perspective from the bias and all pieces.
fn refresh<G: NetworkInput>(
    network: &Network<G>,
    position: &G,
    left_out: Option<usize>,
    perspective: Perspective,
    to: &mut HiddenVector<G::Hidden>,
) {
    let points = position.occupied_points().into_iter().filter(|&point| Some(point) != left_out);
    let rows: ArrayVec<&HiddenVector<G::Hidden>, MAX_POINTS> = points
        .filter_map(|point| {
            let piece = position.piece_at(point)?;
            Some(network.weights(perspective.feature::<G>(piece, point)))
        })
        .collect();
    network.kernel.update(&network.feature_bias, to, &rows, &[]);
}
