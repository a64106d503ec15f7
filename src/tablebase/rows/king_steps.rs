//! The steps of kings from one pair to another, taken forwards.

use once_cell::race::OnceBox;

use crate::board::chesquerque::KingPairs;
use crate::board::chesquerque::Symmetries;
use qirkat_rules::chesquerque::{Bitboard, Color, PieceKind, Point, piece_attacks};

/// A king's step.
#[derive(Clone, Copy, Debug)]
pub struct KingStep {
    /// The point that the king goes to, as the board lies before.
    pub to: Point,
    /// The pair of kings after.
    pub pair: u32,
    /// The symmetry that takes the other pieces to where they stand after.
    pub symmetry: u8,
    /// The one that takes them back.
    pub back: u8,
}

/// For each pair of kings, folded by all symmetries, and each side, the steps of its king.
pub struct KingSteps(Vec<[Vec<KingStep>; 2]>);

impl KingSteps {
    /// The steps, computed once.
    pub fn get() -> &'static KingSteps {
        static STEPS: OnceBox<KingSteps> = OnceBox::new();
        STEPS.get_or_init(|| Box::new(KingSteps::new(KingPairs::get(true))))
    }

    fn new(pairs: &KingPairs) -> KingSteps {
        let symmetries = Symmetries::get();
        let steps = |pair: usize, color: Color| -> Vec<KingStep> {
            let kings = pairs.kings(pair);
            let targets = piece_attacks(PieceKind::King, kings[color.index()], Bitboard::EMPTY);
            let step = |to: Point| {
                let mut after = kings;
                after[color.index()] = to;
                let (pair, symmetry) = pairs.place(after[0], after[1])?;
                Some(KingStep { to, pair, symmetry, back: symmetries.inverse(symmetry) })
            };
            // A king never steps onto the other one: they would attack each other.
            targets.into_iter().filter_map(step).collect()
        };
        KingSteps((0..pairs.count()).map(|pair| Color::ALL.map(|it| steps(pair, it))).collect())
    }

    /// The steps of a side's king from a pair.
    #[inline]
    pub fn from(&self, pair: usize, color: Color) -> &[KingStep] {
        &self.0[pair][color.index()]
    }
}
