//! Which pieces a table is about.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;
use thiserror::Error;

use crate::chesquerque::{Color, PieceKind, Position};

/// The most pieces, kings included, that a table can have.
pub const MAX_TABLE_PIECES: usize = 6;
/// The most pieces besides the kings.
pub(super) const MAX_OTHERS: usize = MAX_TABLE_PIECES - 2;

/// The kinds that stand beside a king, strongest first.
pub(super) const STRENGTH: [PieceKind; 6] = [
    PieceKind::Queen,
    PieceKind::Archbishop,
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Knight,
    PieceKind::Pawn,
];

/// The pieces that each side has besides its king: what one table is about.
///
/// A table is kept for one of the two ways to give the sides to White and Black, the one
/// in which White is stronger: see [`Material::is_canonical`].
///
/// ```
/// use qirkat::tables::Material;
///
/// let material: Material = "KRvKB".parse()?;
/// assert_eq!(material.pieces(), 4);
/// assert_eq!("KBvKR".parse::<Material>()?.canonical(), material);
/// assert_eq!(Material::all(3).len(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Material {
    /// How often each side has each kind of [`STRENGTH`], four bits each, the strongest
    /// highest; the number of pieces above them.
    sides: [u32; 2],
}

/// A text that names no material.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is not the material of a table such as `KRvKB`")]
pub struct MaterialError(String);

/// The step by which a piece of this kind changes a side's number.
const fn unit(kind: PieceKind) -> u32 {
    let place = match kind {
        PieceKind::Queen => 5,
        PieceKind::Archbishop => 4,
        PieceKind::Rook => 3,
        PieceKind::Bishop => 2,
        PieceKind::Knight => 1,
        PieceKind::Pawn => 0,
        PieceKind::King => return 0,
    };
    (1 << (4 * place)) | (1 << 24)
}

impl Material {
    /// The same with one piece more.
    #[must_use]
    pub(super) fn with(mut self, color: Color, kind: PieceKind) -> Material {
        self.sides[color.index()] += unit(kind);
        self
    }

    /// The same without one of its pieces.
    #[must_use]
    pub(super) fn without(mut self, color: Color, kind: PieceKind) -> Material {
        self.sides[color.index()] -= unit(kind);
        self
    }

    /// The material of a position.
    pub fn of(position: &Position) -> Material {
        let mut material = Material::default();
        for color in Color::ALL {
            for kind in STRENGTH {
                material.sides[color.index()] += unit(kind) * position.of(color, kind).len();
            }
        }
        material
    }

    /// How many pieces there are, kings included.
    pub fn pieces(self) -> usize {
        2 + self.sides.iter().map(|side| (side >> 24) as usize).sum::<usize>()
    }

    /// How many pieces of a kind a side has.
    pub fn count(self, color: Color, kind: PieceKind) -> usize {
        let place = STRENGTH.iter().rev().position(|&known| known == kind);
        place.map_or(1, |place| (self.sides[color.index()] >> (4 * place)) as usize & 0xF)
    }

    /// The kinds beside a side's king, strongest first.
    pub(super) fn others(self, color: Color) -> impl Iterator<Item = PieceKind> {
        STRENGTH
            .into_iter()
            .flat_map(move |kind| std::iter::repeat_n(kind, self.count(color, kind)))
    }

    /// Whether any side has pawns.
    pub fn has_pawns(self) -> bool {
        self.sides.iter().any(|side| side & 0xF != 0)
    }

    /// Whether both sides have the same pieces.
    pub fn is_symmetric(self) -> bool {
        self.sides[0] == self.sides[1]
    }

    /// The same with the sides exchanged.
    #[must_use]
    pub fn flipped(self) -> Material {
        Material { sides: [self.sides[1], self.sides[0]] }
    }

    /// Whether White has more pieces than Black, or as many and the stronger ones.
    pub fn is_canonical(self) -> bool {
        self.sides[0] >= self.sides[1]
    }

    /// The same with White as the stronger side.
    #[must_use]
    pub fn canonical(self) -> Material {
        if self.is_canonical() { self } else { self.flipped() }
    }

    /// The material of all tables with so many pieces, those without pawns first and
    /// otherwise by the number of pawns, so that each comes after those its pawns can
    /// promote to.
    pub fn all(pieces: usize) -> Vec<Material> {
        let mut all = vec![Material::default()];
        for _ in 2..pieces {
            let mut more: Vec<Material> = all
                .iter()
                .flat_map(|material| {
                    Color::ALL.into_iter().flat_map(move |color| {
                        STRENGTH.into_iter().map(move |kind| material.with(color, kind).canonical())
                    })
                })
                .collect();
            more.sort_unstable();
            more.dedup();
            all = more;
        }
        all.sort_unstable_by_key(|material| (material.pawns(), std::cmp::Reverse(*material)));
        all.retain(|material| material.pieces() > 2);
        all
    }

    /// How many pawns both sides have.
    pub fn pawns(self) -> usize {
        Color::ALL.into_iter().map(|color| self.count(color, PieceKind::Pawn)).sum()
    }

    /// The tables that one capture, one promotion or both lead to, canonical, without
    /// bare kings.
    pub fn children(self) -> Vec<Material> {
        let mut children: Vec<Material> = Vec::new();
        for color in Color::ALL {
            let mut changed: ArrayVec<Material, { 1 + 5 }> = ArrayVec::new();
            changed.push(self);
            if self.count(color, PieceKind::Pawn) > 0 {
                let without = self.without(color, PieceKind::Pawn);
                changed.extend(PieceKind::PROMOTIONS.map(|kind| without.with(color, kind)));
            }
            for material in changed {
                children.push(material);
                let captured =
                    STRENGTH.into_iter().filter(|&kind| material.count(!color, kind) > 0);
                children.extend(captured.map(|kind| material.without(!color, kind)));
            }
        }
        let mut children: Vec<Material> = children.into_iter().map(Material::canonical).collect();
        children.retain(|child| *child != self.canonical() && child.pieces() > 2);
        children.sort_unstable();
        children.dedup();
        children
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |color| -> String {
            std::iter::once(PieceKind::King)
                .chain(self.others(color))
                .map(|kind| kind.letter().to_ascii_uppercase())
                .collect()
        };
        f.pad(&format!("{}v{}", side(Color::White), side(Color::Black)))
    }
}

impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Material, MaterialError> {
        let error = || MaterialError(text.chars().take(20).collect());
        let (white, black) = text.split_once(['v', 'V']).ok_or_else(error)?;
        let mut material = Material::default();
        for (color, side) in Color::ALL.into_iter().zip([white, black]) {
            let pieces = side.strip_prefix(['K', 'k']).ok_or_else(error)?;
            if pieces.len() > MAX_OTHERS {
                return Err(error());
            }
            for letter in pieces.chars() {
                let kind = PieceKind::from_letter(letter)
                    .filter(|&kind| kind != PieceKind::King)
                    .ok_or_else(error)?;
                material = material.with(color, kind);
            }
        }
        if material.pieces() > MAX_TABLE_PIECES { Err(error()) } else { Ok(material) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_6_and_42_and_182_tables() {
        for (pieces, tables) in [(3, 6), (4, 42), (5, 182)] {
            let all = Material::all(pieces);
            assert_eq!(all.len(), tables);
            for material in all {
                assert_eq!(material.pieces(), pieces);
                assert!(material.is_canonical());
                assert_eq!(material.to_string().parse(), Ok(material));
            }
        }
    }

    #[test]
    fn what_promotion_and_capture_lead_to() {
        let children = |text: &str| -> Vec<String> {
            let material: Material = text.parse().expect("a material");
            let mut names: Vec<String> =
                material.children().iter().map(|it| it.to_string()).collect();
            names.sort();
            names
        };
        assert_eq!(children("KRvKB"), ["KBvK", "KRvK"]);
        assert_eq!(children("KPvK"), ["KAvK", "KBvK", "KNvK", "KQvK", "KRvK"]);
        assert!("KKvK".parse::<Material>().is_err());
        assert!("KQQQQQvK".parse::<Material>().is_err());
    }
}
