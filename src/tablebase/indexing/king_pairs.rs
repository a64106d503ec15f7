//! Where the two kings can stand, folded by the symmetries of the board.
//!
//! Kings that attack each other cannot stand side by side. Without pawns, of the pairs that
//! symmetries turn into each other one stands for all: of Chesquerque 786 are left, of
//! up to eight each. With pawns, which fold by themselves, every pair is kept.

use qirkat_rules::chess::{Geometry, Kind, Square, SquareSet};

use super::symmetry::{SymmetricBoard, Symmetries, points};

/// The pairs of kings that a table has.
pub struct KingPairs<G: SymmetricBoard> {
    /// White's king and Black's.
    pairs: Vec<[G::Square; 2]>,
    /// For each two points, the pair and the symmetry that leads to it.
    places: Vec<Option<(u32, u8)>>,
}

impl<G: SymmetricBoard> KingPairs<G> {
    /// The pairs but for those that are not wanted.
    pub(crate) fn new(
        symmetries: &Symmetries<G>,
        folded: bool,
        is_unwanted: impl Fn(G::Square, G::Square) -> bool,
    ) -> KingPairs<G> {
        let mut pairs: Vec<[G::Square; 2]> = Vec::new();
        let mut places: Vec<Option<(u32, u8)>> = vec![None; G::Square::COUNT * G::Square::COUNT];
        let count = if folded { G::SYMMETRIES as u8 } else { 1 };
        for white in points::<G>() {
            for black in points::<G>() {
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
    pub fn kings(&self, pair: usize) -> [G::Square; 2] {
        self.pairs[pair]
    }

    /// The pair for two points and the symmetry that leads to it; none where the kings
    /// attack each other.
    #[inline]
    pub fn place(&self, white: G::Square, black: G::Square) -> Option<(u32, u8)> {
        self.places[place_of(white, black)]
    }
}

pub(crate) fn attack_each_other<G: SymmetricBoard>(white: G::Square, black: G::Square) -> bool {
    G::Geometry::attacks(G::Kind::KING, white, G::Bitboard::EMPTY).contains(black)
}

#[inline]
fn place_of<S: Square>(white: S, black: S) -> usize {
    white.index() * S::COUNT + black.index()
}

#[cfg(test)]
mod tests {
    use qirkat_rules::{chesquerque, masonic};

    use super::*;
    use crate::chess_game::ChessTableGame;
    use crate::indexing::symmetry::IDENTITY;

    fn pairs_lead_to_themselves<G: ChessTableGame>() {
        for folded in [false, true] {
            let pairs = KingPairs::<G>::get(folded);
            for pair in 0..pairs.count() {
                let [white, black] = pairs.kings(pair);
                assert_eq!(pairs.place(white, black), Some((pair as u32, IDENTITY)));
            }
        }
    }

    #[test]
    fn there_are_so_many_pairs_without_pawns() {
        pairs_lead_to_themselves::<chesquerque::Position>();
        assert_eq!(KingPairs::<chesquerque::Position>::get(true).count(), 786);
        pairs_lead_to_themselves::<masonic::Position>();
        // No pair of points is its own image.
        let whole = KingPairs::<masonic::Position>::get(false).count();
        assert_eq!(2 * KingPairs::<masonic::Position>::get(true).count(), whole);
    }
}
