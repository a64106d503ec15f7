//! The sums of what both sides see.

use arrayvec::ArrayVec;

use super::{HIDDEN, Network, View};
use crate::position::{Bitboard, Color, Piece, Point, Position};

/// Numbers that belong to the [`HIDDEN`] sums of a side, kept where wide
/// instructions like them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct Row(pub [i16; HIDDEN]);

/// More differences than this are dearer than sums made anew.
const MOST_DIFFERENCES: usize = 12;

/// Both sides' sums for one position.
#[derive(Clone)]
pub(super) struct Accumulator {
    pub position: Position,
    views: [View; 2],
    sums: [Row; 2],
}

/// Men that came and men that went.
#[derive(Default)]
struct Differences {
    come: ArrayVec<(Piece, Point), MOST_DIFFERENCES>,
    gone: ArrayVec<(Piece, Point), MOST_DIFFERENCES>,
}

fn views(position: &Position) -> [View; 2] {
    Color::ALL.map(|color| View::of(color, position.king(color)))
}

impl Accumulator {
    /// The sums of all men.
    pub fn new(network: &Network, position: &Position) -> Accumulator {
        Accumulator::without(network, position, None)
    }

    /// The sums as if a man were missing.
    pub fn without(network: &Network, position: &Position, left_out: Option<Point>) -> Accumulator {
        let views = views(position);
        let sums = views.map(|view| fresh_sums(network, position, left_out, view));
        Accumulator { position: *position, views, sums }
    }

    /// What the position, with this many men, is worth to the side to move.
    pub fn output(&self, network: &Network, men: u32) -> i32 {
        let own = self.position.side_to_move();
        network.output(&self.sums[own.index()], &self.sums[(!own).index()], men)
    }

    /// Makes these the sums for `position`, known those of `base`, from which
    /// it differs on these points.
    pub fn follow(
        &mut self,
        network: &Network,
        base: &Accumulator,
        position: &Position,
        points: Bitboard,
    ) {
        let differences = Differences::between(&base.position, position, points);
        self.views = views(position);
        for color in Color::ALL {
            let side = color.index();
            let view = self.views[side];
            let sums = &mut self.sums[side];
            match &differences {
                Some(differences) if view == base.views[side] => {
                    differences.apply(network, view, &base.sums[side], sums);
                }
                _ => *sums = fresh_sums(network, position, None, view),
            }
        }
        self.position = *position;
    }
}

impl Differences {
    /// What makes one position the other, if it is not too much.
    fn between(old: &Position, new: &Position, points: Bitboard) -> Option<Differences> {
        if points.len() as usize > MOST_DIFFERENCES {
            return None;
        }
        let mut differences = Differences::default();
        for point in points {
            differences.gone.extend(old.piece_on(point).map(|man| (man, point)));
            differences.come.extend(new.piece_on(point).map(|man| (man, point)));
        }
        Some(differences)
    }

    fn apply(&self, network: &Network, view: View, from: &Row, to: &mut Row) {
        let row = |&(man, point): &(Piece, Point)| &network.rows[view.input(man, point).index()];
        let come: ArrayVec<&Row, MOST_DIFFERENCES> = self.come.iter().map(row).collect();
        let gone: ArrayVec<&Row, MOST_DIFFERENCES> = self.gone.iter().map(row).collect();
        network.kernel.update(from, to, &come, &gone);
    }
}

fn fresh_sums(network: &Network, position: &Position, left_out: Option<Point>, view: View) -> Row {
    let mut sums = network.start;
    for point in position.occupied().into_iter().filter(|&point| Some(point) != left_out) {
        if let Some(man) = position.piece_on(point) {
            let row = &network.rows[view.input(man, point).index()];
            let before = sums;
            network.kernel.update(&before, &mut sums, &[row], &[]);
        }
    }
    sums
}
