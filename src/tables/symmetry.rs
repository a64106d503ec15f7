//! The eight symmetries of the board.
//!
//! Turning or mirroring the square keeps every point's kind, since the parity of file
//! plus rank stays, and so keeps every line. Without pawns all eight keep the rules too;
//! with pawns only the mirror that exchanges the files does.

use once_cell::race::OnceBox;

use crate::chesquerque::{PerPoint, Point};

/// How many symmetries the square has.
pub(super) const SYMMETRIES: usize = 8;
/// The symmetry that changes nothing.
pub(super) const IDENTITY: u8 = 0;

/// Where each symmetry takes each point.
pub(super) struct Symmetries {
    maps: [PerPoint<Point>; SYMMETRIES],
    inverses: [u8; SYMMETRIES],
}

impl Symmetries {
    /// The symmetries, computed once.
    pub fn get() -> &'static Symmetries {
        static MAPS: OnceBox<Symmetries> = OnceBox::new();
        MAPS.get_or_init(|| Box::new(Symmetries::new()))
    }

    fn new() -> Symmetries {
        let maps = std::array::from_fn(|symmetry| {
            let mut map = PerPoint([Point::new(0, 0); Point::COUNT]);
            for point in Point::all() {
                map[point] = image(symmetry, point);
            }
            map
        });
        let inverses = std::array::from_fn(|symmetry| {
            let undoes = |other: &usize| {
                Point::all().all(|point| image(*other, image(symmetry, point)) == point)
            };
            (0..SYMMETRIES).find(undoes).unwrap_or_default() as u8
        });
        Symmetries { maps, inverses }
    }

    /// Where a symmetry takes a point.
    #[inline]
    pub fn image(&self, symmetry: u8, point: Point) -> Point {
        self.maps[usize::from(symmetry)][point]
    }

    /// The symmetry that takes each point back.
    pub fn inverse(&self, symmetry: u8) -> u8 {
        self.inverses[usize::from(symmetry)]
    }
}

/// Bit 0 exchanges the files, bit 1 the ranks, bit 2, last, files and ranks.
fn image(symmetry: usize, point: Point) -> Point {
    let last = Point::FILES - 1;
    let file = if symmetry & 1 != 0 { last - point.file() } else { point.file() };
    let rank = if symmetry & 2 != 0 { last - point.rank() } else { point.rank() };
    if symmetry & 4 != 0 { Point::new(rank, file) } else { Point::new(file, rank) }
}

/// The point on the mirrored file.
pub(super) fn mirrored(point: Point) -> Point {
    image(1, point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chesquerque::{Bitboard, PieceKind, piece_attacks};

    #[test]
    fn every_symmetry_keeps_the_lines_and_has_an_inverse() {
        let symmetries = Symmetries::get();
        for symmetry in 0..SYMMETRIES as u8 {
            let back = symmetries.inverse(symmetry);
            for point in Point::all() {
                let image = symmetries.image(symmetry, point);
                assert_eq!(symmetries.image(back, image), point);
                for kind in &PieceKind::ALL[1..] {
                    let moved: Bitboard = piece_attacks(*kind, point, Bitboard::EMPTY)
                        .into_iter()
                        .map(|to| symmetries.image(symmetry, to))
                        .collect();
                    assert_eq!(moved, piece_attacks(*kind, image, Bitboard::EMPTY));
                }
            }
        }
    }
}
