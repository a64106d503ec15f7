//! The symmetries of a board, as tables.

use super::table_game::TableGame;
use crate::chess::Square;

/// The symmetry that changes nothing.
pub(super) const IDENTITY: u8 = 0;

/// Where each symmetry takes each point.
pub struct Symmetries<G: TableGame> {
    /// Point by point for the first symmetry, then for the next.
    images: Vec<G::Square>,
    inverses: Vec<u8>,
}

impl<G: TableGame> Symmetries<G> {
    /// The symmetries, computed once.
    #[inline]
    pub fn get() -> &'static Symmetries<G> {
        G::shared().symmetries.get_or_init(|| Box::new(Symmetries::new()))
    }

    fn new() -> Symmetries<G> {
        let points = || (0..G::Square::COUNT).filter_map(G::Square::from_index);
        let of_one = |symmetry| points().map(move |point| G::image(symmetry, point));
        let inverse = |symmetry| {
            let undoes = |other: &usize| {
                points().all(|point| G::image(*other, G::image(symmetry, point)) == point)
            };
            (0..G::SYMMETRIES).find(undoes).unwrap_or_default() as u8
        };
        Symmetries {
            images: (0..G::SYMMETRIES).flat_map(of_one).collect(),
            inverses: (0..G::SYMMETRIES).map(inverse).collect(),
        }
    }

    /// Where a symmetry takes a point.
    #[inline]
    pub fn image(&self, symmetry: u8, point: G::Square) -> G::Square {
        self.images[usize::from(symmetry) * G::Square::COUNT + point.index()]
    }

    /// The symmetry that takes each point back.
    pub fn inverse(&self, symmetry: u8) -> u8 {
        self.inverses[usize::from(symmetry)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Kind, SquareSet};
    use crate::{chesquerque, game::Color};

    fn points<G: TableGame>() -> impl Iterator<Item = G::Square> {
        (0..G::Square::COUNT).filter_map(G::Square::from_index)
    }

    fn every_symmetry_keeps_the_moves<G: TableGame>() {
        let symmetries = Symmetries::<G>::get();
        for symmetry in 0..G::SYMMETRIES as u8 {
            let back = symmetries.inverse(symmetry);
            for point in points::<G>() {
                let image = symmetries.image(symmetry, point);
                assert_eq!(symmetries.image(back, image), point);
                let moved = |to: G::Bitboard| -> G::Bitboard {
                    to.into_iter().map(|to| symmetries.image(symmetry, to)).collect()
                };
                for &kind in G::Kind::ALL.iter().filter(|&&kind| kind != G::Kind::PAWN) {
                    let attacks = |from| G::piece_attacks(kind, from, G::Bitboard::EMPTY);
                    assert_eq!(moved(attacks(point)), attacks(image));
                }
                if usize::from(symmetry) < G::PAWN_SYMMETRIES {
                    for color in Color::ALL {
                        let (captures, steps) = (G::pawn_captures, G::pawn_steps);
                        assert_eq!(moved(captures(color, point)), captures(color, image));
                        assert_eq!(moved(steps(color, point)), steps(color, image));
                    }
                }
            }
        }
    }

    #[test]
    fn symmetries_of_chesquerque_keep_the_moves() {
        every_symmetry_keeps_the_moves::<chesquerque::Position>();
    }
}
