//! Incremental evaluation of the positions of a search.

use std::mem;

use arrayvec::ArrayVec;
use qirkat_game::distance::{MAX_PLY, Ply};
use qirkat_game::{Color, PointSet};

use super::input::{Feature, HiddenVector, MAX_POINTS, NetworkInput, Perspective};
use super::quantised::Network;

/// Evaluates positions with a network. Keeps an accumulator for each ply, of the last position
/// evaluated there.
///
/// An accumulator is updated from that of the most similar position: at the previous ply, if
/// evaluated; at the same ply, often a sibling; or two plies before. So the search need not pass
/// its moves, and positions that are never evaluated cost nothing (lazy updates).
pub struct Evaluator<'a, G: NetworkInput> {
    network: &'a Network<G>,
    /// Boxed, so that they can be swapped without copying.
    accumulators: Vec<Box<Accumulator<G>>>,
    spare: Box<Accumulator<G>>,
}

/// Points that a quiet move changes: close enough, so the comparison stops here.
const CHANGES_PER_QUIET_MOVE: u32 = 2;

impl<'a, G: NetworkInput> Evaluator<'a, G> {
    pub fn new(network: &'a Network<G>, root: &G) -> Evaluator<'a, G> {
        let mut accumulators = Vec::with_capacity(usize::from(MAX_PLY) + 1);
        let first = Box::new(Accumulator::new(network, root, None));
        accumulators.push(first.clone());
        Evaluator { network, accumulators, spare: first }
    }

    /// The value of a position, `ply` plies from the root, in centipawns for the side to move.
    pub fn evaluate(&mut self, position: &G, ply: Ply) -> i32 {
        let ply = ply.index();
        while self.accumulators.len() <= ply {
            self.accumulators.extend(self.accumulators.last().cloned());
        }
        let (base, changed) = self.most_similar(position, ply);
        self.spare.update_from(self.network, &self.accumulators[base], position, changed);
        mem::swap(&mut self.spare, &mut self.accumulators[ply]);
        self.accumulators[ply].output(self.network, position.occupied_points().len())
    }

    /// The nearby ply with the most similar position, and the points that differ.
    fn most_similar(&self, position: &G, ply: usize) -> (usize, PointSet) {
        let mut best = (ply, PointSet::ALL);
        for candidate in [1, 0, 2].into_iter().filter_map(|back| ply.checked_sub(back)) {
            let changed = self.accumulators[candidate].position.changed_points(position);
            if changed.len() < best.1.len() {
                best = (candidate, changed);
            }
            if changed.len() <= CHANGES_PER_QUIET_MOVE {
                break;
            }
        }
        best
    }
}

impl<G: NetworkInput> Network<G> {
    /// The value of a single position in centipawns for the side to move.
    pub fn evaluate(&self, position: &G) -> i32 {
        self.evaluate_without(position, None)
    }

    /// Each piece except the kings: the number of its point, and its value in centipawns, by which
    /// its side's evaluation drops without it.
    ///
    /// ```
    /// use qirkat_evaluation::network::ChesquerqueNetwork as Network;
    /// use qirkat_rules::chesquerque::{Point, Position};
    ///
    /// let network = Network::embedded().ok_or("built without a network")?;
    /// let values = network.piece_values(&Position::default());
    /// let value = |point: Point| values.iter().find(|(at, _)| *at == point.index());
    /// assert!(value("d1".parse()?) > value("a1".parse()?), "queen and rook");
    /// assert_eq!(value("e5".parse()?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn piece_values(&self, position: &G) -> Vec<(usize, i32)> {
        let whole = self.evaluate(position);
        let value = |point| {
            let piece = position.piece_at(point).filter(|piece| Some(piece.kind()) != G::KING)?;
            let loss = whole - self.evaluate_without(position, Some(point));
            let is_own = piece.color() == position.side_to_move();
            Some((point, if is_own { loss } else { -loss }))
        };
        position.occupied_points().into_iter().filter_map(value).collect()
    }

    /// The value of the position without the piece on a point, which must not be a king.
    fn evaluate_without(&self, position: &G, left_out: Option<usize>) -> i32 {
        let pieces = position.occupied_points().len() - u32::from(left_out.is_some());
        Accumulator::new(self, position, left_out).output(self, pieces)
    }
}

/// Beyond this number of changed points a refresh is cheaper than an update.
const MAX_CHANGES: usize = 12;

/// Weights of features that a position has gained or lost.
type Rows<'a, G> = ArrayVec<&'a HiddenVector<<G as NetworkInput>::Hidden, i8>, MAX_CHANGES>;

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
    /// A refresh: computed from all pieces, except the one on `left_out`.
    pub fn new(network: &Network<G>, position: &G, left_out: Option<usize>) -> Accumulator<G> {
        let perspectives = perspectives(position);
        let mut values = [network.feature_bias; 2];
        for (perspective, values) in perspectives.into_iter().zip(&mut values) {
            refresh(network, position, left_out, perspective, values);
        }
        Accumulator { position: *position, perspectives, values }
    }

    /// The score in centipawns for the side to move, from the output bucket for `pieces`.
    pub fn output(&self, network: &Network<G>, pieces: u32) -> i32 {
        let us = self.position.side_to_move();
        network.output(&self.values[us.index()], &self.values[(!us).index()], pieces)
    }

    /// Becomes the accumulator of `position`, updated from `base`, whose position differs on
    /// `changed` points. A perspective is refreshed instead if its mirroring or king bucket differs, or
    /// if more than [`MAX_CHANGES`] points changed.
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
        // Filled in place: returning such lists would copy them.
        let [mut adds, mut subs]: [[Rows<'_, G>; 2]; 2] = Default::default();
        if few {
            for (board, rows) in [(&base.position, &mut subs), (position, &mut adds)] {
                for point in PointSet(changed.0 & board.occupied_points().0) {
                    let Some(piece) = board.piece_at(point) else { continue };
                    for (perspective, rows) in self.perspectives.iter().zip(rows.iter_mut()) {
                        rows.push(network.weights(perspective.feature::<G>(piece, point)));
                    }
                }
            }
        }
        for (side, values) in self.values.iter_mut().enumerate() {
            let perspective = self.perspectives[side];
            if few && perspective == base.perspectives[side] {
                network.kernel.update(&base.values[side], values, &adds[side], &subs[side]);
            } else {
                refresh(network, position, None, perspective, values);
            }
        }
    }
}

impl<G: NetworkInput> Network<G> {
    #[inline]
    fn weights(&self, feature: Feature) -> &HiddenVector<G::Hidden, i8> {
        &self.feature_weights[feature.index()]
    }
}

fn refresh<G: NetworkInput>(
    network: &Network<G>,
    position: &G,
    left_out: Option<usize>,
    perspective: Perspective,
    to: &mut HiddenVector<G::Hidden>,
) {
    let points = position.occupied_points().into_iter().filter(|&point| Some(point) != left_out);
    let rows: ArrayVec<&HiddenVector<G::Hidden, i8>, MAX_POINTS> = points
        .filter_map(|point| {
            let piece = position.piece_at(point)?;
            Some(network.weights(perspective.feature::<G>(piece, point)))
        })
        .collect();
    network.kernel.update(&network.feature_bias, to, &rows, &[]);
}
