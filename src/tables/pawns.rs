//! Where the pawns of a table can stand, folded by the mirror that exchanges the files.
//!
//! A pawn never goes back, so a table with pawns falls into slices, one for each way the
//! pawns stand, and each slice is left only by moves that cannot be taken back. Pawns that
//! have gone further come first, so that each slice follows those it leads to.

use arrayvec::ArrayVec;

use super::material::MAX_OTHERS;
use super::symmetry::mirrored;
use crate::chesquerque::{Color, Point};

/// The points of pawns, White's first, each side's in ascending order.
pub(super) type PawnPoints = ArrayVec<Point, MAX_OTHERS>;

/// Points where a pawn can stand: all but those of the first and last rank.
const POINTS: usize = Point::COUNT - 2 * Point::FILES as usize;

/// All ways in which the pawns of a table can stand.
pub(super) struct PawnSlices {
    /// How many of the pawns are White's.
    white: usize,
    slices: Vec<PawnPoints>,
    /// For each way to put the pawns on points, the slice it belongs to.
    numbers: Vec<u32>,
}

impl PawnSlices {
    /// The slices for so many pawns of White and of Black. Without pawns there is one.
    pub fn new(white: usize, black: usize) -> PawnSlices {
        let pawns = white + black;
        let mut slices = PawnSlices { white, slices: Vec::new(), numbers: Vec::new() };
        let count = POINTS.pow(pawns as u32);
        let mut found: Vec<PawnPoints> = (0..count)
            .filter_map(|code| {
                let points = decode(code, pawns);
                let distinct = (1..pawns).all(|i| !points[..i].contains(&points[i]));
                (distinct && slices.canonical(&points).0 == points).then_some(points)
            })
            .collect();
        found.sort_by_key(|points| std::cmp::Reverse(slices.advancement(points)));
        slices.numbers = vec![u32::MAX; count];
        for (number, points) in found.iter().enumerate() {
            slices.numbers[encode(points)] = number as u32;
        }
        slices.slices = found;
        slices
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.slices.len()
    }

    /// Where the pawns of a slice stand.
    pub fn points(&self, slice: usize) -> &PawnPoints {
        &self.slices[slice]
    }

    /// The slice of pawns on these points, and whether the board is mirrored for it.
    pub fn find(&self, points: &PawnPoints) -> (usize, bool) {
        if points.is_empty() {
            return (0, false);
        }
        let (canonical, is_mirrored) = self.canonical(points);
        (self.numbers[encode(&canonical)] as usize, is_mirrored)
    }

    /// The lesser of a placement and its mirror image, each side's pawns in order.
    fn canonical(&self, points: &PawnPoints) -> (PawnPoints, bool) {
        let ordered = |mut points: PawnPoints| {
            let (white, black) = points.split_at_mut(self.white);
            white.sort_unstable();
            black.sort_unstable();
            points
        };
        let plain = ordered(points.clone());
        let image = ordered(points.iter().map(|&point| mirrored(point)).collect());
        if image < plain { (image, true) } else { (plain, false) }
    }

    /// How many ranks the pawns have gone.
    fn advancement(&self, points: &PawnPoints) -> u32 {
        let ranks = points.iter().enumerate().map(|(index, point)| {
            let color = if index < self.white { Color::White } else { Color::Black };
            u32::from(match color {
                Color::White => point.rank(),
                Color::Black => Point::RANKS - 1 - point.rank(),
            })
        });
        ranks.sum()
    }
}

fn encode(points: &PawnPoints) -> usize {
    let first = usize::from(Point::FILES);
    points.iter().fold(0, |code, point| code * POINTS + (point.index() - first))
}

fn decode(mut code: usize, pawns: usize) -> PawnPoints {
    let mut points: PawnPoints = (0..pawns)
        .filter_map(|_| {
            let place = code % POINTS;
            code /= POINTS;
            Point::from_index(place + usize::from(Point::FILES))
        })
        .collect();
    points.reverse();
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_is_found_from_either_side_of_the_mirror() {
        for (white, black, count) in [(0, 0, 1), (1, 0, 35), (1, 1, 1974), (2, 0, 1001)] {
            let slices = PawnSlices::new(white, black);
            assert_eq!(slices.count(), count, "{white} {black}");
            for slice in 0..slices.count() {
                let points = slices.points(slice);
                assert_eq!(slices.find(points), (slice, false));
                let image: PawnPoints = points.iter().map(|&point| mirrored(point)).collect();
                assert_eq!(slices.find(&image).0, slice);
            }
        }
    }
}
