//! The steps of kings from one pair of kings to another, forwards and taken back.
//!
//! A king's step can lead to a pair that stands for others, so the rest of the board turns
//! with it. Which step leads where is noted once for every pair, so that each step forward has
//! just one way back.

use qirkat_game::Color;
use qirkat_rules::chess::{Geometry, Kind, SquareSet};

use crate::chess_game::ChessTableGame;
use crate::indexing::king_pairs::KingPairs;
use crate::indexing::symmetry::Symmetries;

/// A king's step, or one taken back.
#[derive(Clone, Copy, Debug)]
pub struct KingStep<S> {
    /// The point that the king goes to, as the board lies before.
    pub to: S,
    /// The pair of kings after.
    pub pair: u32,
    /// The symmetry that takes the other pieces to where they stand after.
    pub symmetry: u8,
    /// The one that takes them back.
    pub back: u8,
}

/// For each pair of kings, the steps of White's king and of Black's.
type StepsByPair<S> = Vec<[Vec<KingStep<S>>; 2]>;

/// The steps between the pairs of [`KingPairs::get`].
pub struct KingSteps<G: ChessTableGame> {
    from: StepsByPair<G::Square>,
    to: StepsByPair<G::Square>,
}

impl<G: ChessTableGame> KingSteps<G> {
    /// The steps between folded pairs, or between all.
    pub fn new(folded: bool) -> KingSteps<G> {
        let (pairs, symmetries) = (KingPairs::<G>::get(folded), Symmetries::<G>::get());
        let none = || vec![[Vec::new(), Vec::new()]; pairs.count()];
        let mut steps = KingSteps { from: none(), to: none() };
        for before in 0..pairs.count() {
            let kings = pairs.kings(before);
            for color in Color::ALL {
                let king = kings[color.index()];
                for to in G::Geometry::attacks(G::Kind::KING, king, G::Bitboard::EMPTY) {
                    let mut after = kings;
                    after[color.index()] = to;
                    // A king never steps onto the other one: they would attack each other.
                    let Some((pair, symmetry)) = pairs.place(after[0], after[1]) else {
                        continue;
                    };
                    let back = symmetries.inverse(symmetry);
                    let step = KingStep { to, pair, symmetry, back };
                    steps.from[before][color.index()].push(step);
                    steps.to[pair as usize][color.index()].push(KingStep {
                        to: symmetries.image(symmetry, king),
                        pair: before as u32,
                        symmetry: back,
                        back: symmetry,
                    });
                }
            }
        }
        steps
    }

    /// The steps of a side's king from a pair.
    #[inline]
    pub fn from(&self, pair: usize, color: Color) -> &[KingStep<G::Square>] {
        &self.from[pair][color.index()]
    }

    /// The steps of a side's king that lead to a pair, taken back: exactly one for each step
    /// forward that [`KingPairs::place`] leads there.
    #[inline]
    pub fn to(&self, pair: usize, color: Color) -> &[KingStep<G::Square>] {
        &self.to[pair][color.index()]
    }
}
