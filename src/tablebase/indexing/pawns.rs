//! Where the pawns of a table can stand, folded by the symmetries that keep pawn moves.
//!
//! A pawn never goes back, so a table with pawns falls into slices, one for each way the
//! pawns stand, and each slice is left only by moves that cannot be taken back. Pawns that
//! have gone further come first, so that each slice follows those it leads to.

use arrayvec::ArrayVec;

use qirkat_game::Color;
use qirkat_rules::chess::Square;

use super::material::MAX_OTHERS;
use super::symmetry::{IDENTITY, Symmetries, points};
use crate::chess_game::ChessTableGame;

/// The points of pawns, White's first, each side's in ascending order.
pub type PawnPoints<S> = ArrayVec<S, MAX_OTHERS>;

/// Points where a pawn can stand: all but those of the first and last rank.
const fn pawn_points<S: Square>() -> usize {
    S::COUNT - 2 * S::FILES as usize
}

/// All ways in which the pawns of a table can stand.
pub struct PawnSlices<G: ChessTableGame> {
    /// How many of the pawns are White's.
    white: usize,
    slices: Vec<PawnPoints<G::Square>>,
    /// For each way to put the pawns on points, the slice it belongs to.
    numbers: Vec<u32>,
}

impl<G: ChessTableGame> PawnSlices<G> {
    /// The slices for these numbers of pawns of White and of Black. Without pawns there is one.
    pub fn new(white: usize, black: usize) -> PawnSlices<G> {
        let pawns = white + black;
        let mut slices = PawnSlices { white, slices: Vec::new(), numbers: Vec::new() };
        let count = pawn_points::<G::Square>().pow(pawns as u32);
        let mut found: Vec<PawnPoints<G::Square>> = (0..count)
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

    /// How many there are, told without making them: by Burnside's lemma the mean of how many
    /// placements each symmetry leaves as they are. It exchanges points in pairs, but for those that
    /// it keeps.
    pub fn count_of(white: usize, black: usize) -> usize {
        let symmetries = Symmetries::<G>::get();
        let is_pawn_point = |it: &G::Square| (1..G::Square::RANKS - 1).contains(&it.rank());
        let left = |symmetry: u8| -> usize {
            let is_kept = |&it: &G::Square| symmetries.image(symmetry, it) == it;
            let kept = points::<G>().filter(is_pawn_point).filter(is_kept).count();
            let pairs = (pawn_points::<G::Square>() - kept) / 2;
            let in_pairs =
                (0..=white / 2).flat_map(|white| (0..=black / 2).map(move |it| (white, it)));
            let ways = in_pairs.map(|(of_white, of_black)| {
                let [alone, other] = [white - 2 * of_white, black - 2 * of_black];
                choose(pairs, of_white)
                    * choose(pairs.saturating_sub(of_white), of_black)
                    * choose(kept, alone)
                    * choose(kept.saturating_sub(alone), other)
            });
            ways.sum()
        };
        (0..G::PAWN_SYMMETRIES as u8).map(left).sum::<usize>() / G::PAWN_SYMMETRIES
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.slices.len()
    }

    /// Where the pawns of a slice stand.
    pub fn points(&self, slice: usize) -> &PawnPoints<G::Square> {
        &self.slices[slice]
    }

    /// The slice of pawns on these points, and the symmetry that leads to it.
    pub fn find(&self, points: &PawnPoints<G::Square>) -> (usize, u8) {
        if points.is_empty() {
            return (0, IDENTITY);
        }
        let (canonical, symmetry) = self.canonical(points);
        (self.numbers[encode(&canonical)] as usize, symmetry)
    }

    /// The least of a placement and its images, each side's pawns in order, and the first
    /// symmetry that leads to it.
    fn canonical(&self, points: &PawnPoints<G::Square>) -> (PawnPoints<G::Square>, u8) {
        let symmetries = Symmetries::<G>::get();
        let ordered = |symmetry: u8| {
            let images = points.iter().map(|&point| symmetries.image(symmetry, point));
            let mut images: PawnPoints<G::Square> = images.collect();
            let (white, black) = images.split_at_mut(self.white);
            white.sort_unstable();
            black.sort_unstable();
            images
        };
        let mut least = (ordered(IDENTITY), IDENTITY);
        for symmetry in 1..G::PAWN_SYMMETRIES as u8 {
            let image = ordered(symmetry);
            if image < least.0 {
                least = (image, symmetry);
            }
        }
        least
    }

    /// The side of a pawn by its place among [`PawnPoints`].
    #[inline]
    pub fn color(&self, index: usize) -> Color {
        if index < self.white { Color::White } else { Color::Black }
    }

    /// How many ranks the pawns have gone.
    fn advancement(&self, points: &PawnPoints<G::Square>) -> u32 {
        let ranks = points.iter().enumerate().map(|(index, point)| {
            u32::from(match self.color(index) {
                Color::White => point.rank(),
                Color::Black => G::Square::RANKS - 1 - point.rank(),
            })
        });
        ranks.sum()
    }
}

/// In how many ways some of these can be chosen.
fn choose(of: usize, some: usize) -> usize {
    (0..some).fold(1, |ways, taken| ways * of.saturating_sub(taken) / (taken + 1))
}

fn encode<S: Square>(points: &PawnPoints<S>) -> usize {
    let first = usize::from(S::FILES);
    points.iter().fold(0, |code, point| code * pawn_points::<S>() + (point.index() - first))
}

fn decode<S: Square>(mut code: usize, pawns: usize) -> PawnPoints<S> {
    let mut points: PawnPoints<S> = (0..pawns)
        .filter_map(|_| {
            let place = code % pawn_points::<S>();
            code /= pawn_points::<S>();
            S::from_index(place + usize::from(S::FILES))
        })
        .collect();
    points.reverse();
    points
}

#[cfg(test)]
mod tests {
    use qirkat_rules::{chesquerque, masonic};

    use super::*;

    /// How many slices there are for these numbers of pawns, each found from all its images.
    fn count_found<G: ChessTableGame>(white: usize, black: usize) -> usize {
        let slices = PawnSlices::<G>::new(white, black);
        let symmetries = Symmetries::<G>::get();
        for slice in 0..slices.count() {
            let points = slices.points(slice);
            assert_eq!(slices.find(points), (slice, IDENTITY));
            for symmetry in 0..G::PAWN_SYMMETRIES as u8 {
                let image = points.iter().map(|&point| symmetries.image(symmetry, point));
                assert_eq!(slices.find(&image.collect()).0, slice);
            }
        }
        assert_eq!(PawnSlices::<G>::count_of(white, black), slices.count());
        slices.count()
    }

    #[test]
    fn a_slice_is_found_from_all_its_images() {
        for (white, black, count) in [(0, 0, 1), (1, 0, 35), (1, 1, 1974), (2, 0, 1001)] {
            let found = count_found::<chesquerque::Position>(white, black);
            assert_eq!(found, count, "{white} {black}");
        }
        for (white, black, count) in [(1, 0, 48), (1, 1, 48 * 47), (2, 0, 48 * 47 / 2)] {
            assert_eq!(count_found::<masonic::Position>(white, black), count, "{white} {black}");
        }
    }
}
