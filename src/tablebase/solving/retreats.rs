//! The steps of kings, taken back.
//!
//! A king's step can lead to a pair of kings that stands for others, so the rest of the
//! board turns with it. Which step leads where is noted once for every pair, so that each
//! step forward has just one way back.

use crate::board::king_pairs::KingPairs;
use crate::board::symmetry::Symmetries;
use crate::board::table_board::TableBoard;
use qirkat_game::Color;
use qirkat_rules::chess::{Geometry, Kind, SquareSet};

/// A king's step taken back.
#[derive(Clone, Copy, Debug)]
pub struct Retreat<B> {
    /// The point that the king goes back to, as the board lies now.
    pub to: B,
    /// The pair of kings before.
    pub pair: u32,
    /// The symmetry that takes the other pieces to where they stood before.
    pub symmetry: u8,
}

/// For each pair of kings and each side, the steps that have led to it.
pub struct Retreats<G: TableBoard>(Vec<[Vec<Retreat<G::Bitboard>>; 2]>);

impl<G: TableBoard> Retreats<G> {
    /// The steps between the pairs of [`KingPairs::get`].
    pub fn get(folded: bool) -> &'static Retreats<G> {
        G::once().get(u8::from(folded), || Retreats::new(KingPairs::get(folded)))
    }

    fn new(pairs: &KingPairs<G>) -> Retreats<G> {
        let symmetries = Symmetries::<G>::get();
        let mut retreats = vec![[Vec::new(), Vec::new()]; pairs.count()];
        for pair in 0..pairs.count() {
            let kings = pairs.kings(pair);
            for color in Color::ALL {
                let king = kings[color.index()];
                for to in G::Geometry::attacks(G::Kind::KING, king, G::Bitboard::EMPTY) {
                    let mut after = kings;
                    after[color.index()] = to;
                    let Some((next, symmetry)) = pairs.place(after[0], after[1]) else {
                        continue;
                    };
                    retreats[next as usize][color.index()].push(Retreat {
                        to: G::Bitboard::of(symmetries.image(symmetry, king)),
                        pair: pair as u32,
                        symmetry: symmetries.inverse(symmetry),
                    });
                }
            }
        }
        Retreats(retreats)
    }

    /// The steps of a side's king that lead to a pair: exactly one for each step forward
    /// that [`KingPairs::place`] leads there.
    #[inline]
    pub fn to(&self, pair: usize, color: Color) -> &[Retreat<G::Bitboard>] {
        &self.0[pair][color.index()]
    }
}
