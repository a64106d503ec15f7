//! The number of men of each side.

use std::str::FromStr;

use thiserror::Error;

use qirkat_game::Color;
use qirkat_rules::alquerque::{Position, State};

/// The most men, of both sides together, that tables support.
pub const MAX_TABLE_MEN: usize = 10;
const MAX_MEN_OF_A_SIDE: usize = 12;

/// The number of men of each side, such as 3 against 2: written `3v2`. Turning the board by 180
/// degrees swaps the sides, so it does not matter which of them has more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, derive_more::Display)]
#[display("{}v{fewer}", men - fewer)]
pub struct MenMaterial {
    // The derived order needs this first: few men come first.
    men: usize,
    fewer: usize,
}

impl MenMaterial {
    /// The material for these men, in either order; none if a side has no men or there are too
    /// many.
    pub fn new(men: [usize; 2]) -> Option<MenMaterial> {
        let [fewer, more] = if men[0] < men[1] { men } else { [men[1], men[0]] };
        let fits = fewer > 0 && more <= MAX_MEN_OF_A_SIDE && fewer + more <= MAX_TABLE_MEN;
        fits.then_some(MenMaterial { men: fewer + more, fewer })
    }

    pub fn of(position: &Position) -> Option<MenMaterial> {
        MenMaterial::new(Color::ALL.map(|color| position.men(color).len() as usize))
    }

    /// All materials with this many men in total.
    pub fn all(men: usize) -> impl Iterator<Item = MenMaterial> {
        (1..=men / 2).filter_map(move |fewer| MenMaterial::new([fewer, men - fewer]))
    }

    /// The position with this index in the statistics of its table. White has at least as many men
    /// as Black.
    pub fn position(self, index: u64, side: Color) -> Option<Position> {
        let position = State(index).position()?;
        let position = if side == Color::White { position } else { position.flipped() };
        (MenMaterial::of(&position) == Some(self)).then_some(position)
    }

    pub const fn men(self) -> usize {
        self.men
    }

    /// The men of the stronger side, then of the other.
    pub const fn sides(self) -> [usize; 2] {
        [self.men - self.fewer, self.fewer]
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is no table such as 3v2, with {MAX_TABLE_MEN} men at most")]
pub struct MenMaterialError(String);

impl FromStr for MenMaterial {
    type Err = MenMaterialError;

    fn from_str(text: &str) -> Result<MenMaterial, MenMaterialError> {
        let sides = text.split_once('v');
        let sides = sides.and_then(|(one, other)| Some([one.parse().ok()?, other.parse().ok()?]));
        sides.and_then(MenMaterial::new).ok_or_else(|| MenMaterialError(text.to_owned()))
    }
}
