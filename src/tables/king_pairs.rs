//! Where the two kings can stand, folded by the symmetries of the board.
//!
//! Kings that attack each other cannot stand side by side. Without pawns, of the up to
//! eight pairs that symmetries turn into each other one stands for all: 786 are left.
//! With pawns, which fold by themselves, every pair is kept.

use once_cell::race::OnceBox;

use super::symmetry::{SYMMETRIES, Symmetries};
use crate::chesquerque::{Bitboard, PieceKind, Point, piece_attacks};

/// The pairs of kings that a table has.
pub(super) struct KingPairs {
    /// White's king and Black's.
    pairs: Vec<[Point; 2]>,
    /// For each two points, the pair and the symmetry that leads to it.
    places: Vec<Option<(u32, u8)>>,
}

impl KingPairs {
    /// Any two different points, folded by all symmetries.
    pub fn any_two_points() -> &'static KingPairs {
        static ANY: OnceBox<KingPairs> = OnceBox::new();
        ANY.get_or_init(|| Box::new(KingPairs::new(true, |_, _| false)))
    }

    /// The pairs for tables without pawns, folded by all symmetries, or for those with
    /// pawns, not folded at all.
    pub fn get(folded: bool) -> &'static KingPairs {
        static FOLDED: OnceBox<KingPairs> = OnceBox::new();
        static WHOLE: OnceBox<KingPairs> = OnceBox::new();
        let pairs = if folded { &FOLDED } else { &WHOLE };
        pairs.get_or_init(|| Box::new(KingPairs::new(folded, attack_each_other)))
    }

    /// The pairs but for those that are not wanted.
    fn new(folded: bool, is_unwanted: impl Fn(Point, Point) -> bool) -> KingPairs {
        let symmetries = Symmetries::get();
        let mut pairs: Vec<[Point; 2]> = Vec::new();
        let mut places: Vec<Option<(u32, u8)>> = vec![None; Point::COUNT * Point::COUNT];
        let count = if folded { SYMMETRIES as u8 } else { 1 };
        for white in Point::all() {
            for black in Point::all() {
                if white == black
                    || is_unwanted(white, black)
                    || places[place_of(white, black)].is_some()
                {
                    continue;
                }
                let pair = pairs.len() as u32;
                pairs.push([white, black]);
                for symmetry in 0..count {
                    let image = |point| symmetries.image(symmetry, point);
                    let place = &mut places[place_of(image(white), image(black))];
                    if place.is_none() {
                        *place = Some((pair, symmetries.inverse(symmetry)));
                    }
                }
            }
        }
        KingPairs { pairs, places }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.pairs.len()
    }

    /// White's king and Black's.
    #[inline]
    pub fn kings(&self, pair: usize) -> [Point; 2] {
        self.pairs[pair]
    }

    /// The pair for two points and the symmetry that leads to it; none where the kings
    /// attack each other.
    #[inline]
    pub fn place(&self, white: Point, black: Point) -> Option<(u32, u8)> {
        self.places[place_of(white, black)]
    }
}

fn attack_each_other(white: Point, black: Point) -> bool {
    piece_attacks(PieceKind::King, white, Bitboard::EMPTY).contains(black)
}

#[inline]
fn place_of(white: Point, black: Point) -> usize {
    white.index() * Point::COUNT + black.index()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::symmetry::IDENTITY;

    #[test]
    fn there_are_786_pairs_without_pawns() {
        assert_eq!(KingPairs::get(true).count(), 786);
        for folded in [false, true] {
            let pairs = KingPairs::get(folded);
            for pair in 0..pairs.count() {
                let [white, black] = pairs.kings(pair);
                assert_eq!(pairs.place(white, black), Some((pair as u32, IDENTITY)));
            }
        }
    }
}
