//! The steps of kings, taken back.
//!
//! A king's step can lead to a pair of kings that stands for others, so the rest of the
//! board turns with it. Which step leads where is noted once for every pair, so that each
//! step forward has just one way back.

use once_cell::race::OnceBox;

use super::king_pairs::KingPairs;
use super::symmetry::Symmetries;
use crate::chesquerque::{Bitboard, Color, PieceKind, piece_attacks};

/// A king's step taken back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Retreat {
    /// The point that the king goes back to, as the board lies now.
    pub to: Bitboard,
    /// The pair of kings before.
    pub pair: u32,
    /// The symmetry that takes the other pieces to where they stood before.
    pub symmetry: u8,
}

/// For each pair of kings and each side, the steps that have led to it.
pub(super) struct Retreats(Vec<[Vec<Retreat>; 2]>);

impl Retreats {
    /// The steps between the pairs of [`KingPairs::get`].
    pub fn get(folded: bool) -> &'static Retreats {
        static FOLDED: OnceBox<Retreats> = OnceBox::new();
        static WHOLE: OnceBox<Retreats> = OnceBox::new();
        let retreats = if folded { &FOLDED } else { &WHOLE };
        retreats.get_or_init(|| Box::new(Retreats::new(KingPairs::get(folded))))
    }

    fn new(pairs: &KingPairs) -> Retreats {
        let symmetries = Symmetries::get();
        let mut retreats = vec![[Vec::new(), Vec::new()]; pairs.count()];
        for pair in 0..pairs.count() {
            let kings = pairs.kings(pair);
            for color in Color::ALL {
                let king = kings[color.index()];
                for to in piece_attacks(PieceKind::King, king, Bitboard::EMPTY) {
                    let mut after = kings;
                    after[color.index()] = to;
                    let Some((next, symmetry)) = pairs.place(after[0], after[1]) else {
                        continue;
                    };
                    retreats[next as usize][color.index()].push(Retreat {
                        to: symmetries.image(symmetry, king).bit(),
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
    pub fn to(&self, pair: usize, color: Color) -> &[Retreat] {
        &self.0[pair][color.index()]
    }
}
