//! The index of a table: which number each position has.
//!
//! A table is a row of *slices*, one for each way its pawns can stand ([`PawnSlices`]);
//! without pawns it is one slice. Within a slice the pair of kings ([`KingPairs`]) counts
//! most, then each other piece by its point, White's strongest first, on a board of `p`:
//!
//! ```text
//! cell  = pair · pⁿ + point₁ · pⁿ⁻¹ + … + pointₙ
//! index = slice · cells of a slice + cell
//! ```
//!
//! The numbers are the same for either side to move. Some stand for no position (two
//! pieces on one point, or the side to move could take the king), and a position whose
//! kings stand on an axis of the board, or that has two equal pieces, has several. While a
//! table is solved all of them are; it is looked up, and kept in files, by one.

use arrayvec::ArrayVec;

use qirkat_game::Color;
use qirkat_rules::chess::{Kind, Square, SquareSet};

use super::king_pairs::KingPairs;
use super::material::{MAX_OTHERS, Material};
use super::pawns::{PawnPoints, PawnSlices};
use super::placement::{Placed, Placement};
use super::symmetry::Symmetries;
use crate::chess_game::ChessTableGame;

/// How the positions of one material are numbered.
pub struct Layout<G: ChessTableGame> {
    pub material: Material<G::Kind>,
    pub kings: &'static KingPairs<G>,
    pub slices: PawnSlices<G>,
    /// The pieces that are neither kings nor pawns, in the order of the index.
    pub pieces: ArrayVec<(Color, G::Kind), MAX_OTHERS>,
    /// By how much the index grows from one point of each of these pieces to the next.
    pub strides: ArrayVec<usize, MAX_OTHERS>,
    /// By how much it grows from one pair of kings to the next: pⁿ.
    pub pair_stride: usize,
}

impl<G: ChessTableGame> Layout<G> {
    /// The layout for a material.
    pub fn new(material: Material<G::Kind>) -> Layout<G> {
        let pieces: ArrayVec<(Color, G::Kind), MAX_OTHERS> = Color::ALL
            .into_iter()
            .flat_map(|color| material.others(color).map(move |kind| (color, kind)))
            .filter(|&(_, kind)| kind != G::Kind::PAWN)
            .collect();
        let [white, black] = Color::ALL.map(|color| material.count(color, G::Kind::PAWN));
        let power = |exponent: usize| G::Square::COUNT.pow(exponent as u32);
        Layout {
            material,
            kings: KingPairs::get(!material.has_pawns()),
            slices: PawnSlices::new(white, black),
            strides: (0..pieces.len()).rev().map(power).collect(),
            pair_stride: power(pieces.len()),
            pieces,
        }
    }

    /// Whether a table of a material with pawns may have so many grids, for each slice the same power
    /// of the points. It is told without making the slices, which takes time and memory.
    pub fn may_have_grids(material: Material<G::Kind>, grids: usize) -> bool {
        let [white, black] = Color::ALL.map(|color| material.count(color, G::Kind::PAWN));
        let slices = PawnSlices::<G>::count_of(white, black);
        (0..MAX_OTHERS as u32).any(|others| slices * G::Square::COUNT.pow(others) == grids)
    }

    /// How many numbers a slice has.
    pub fn slice_cells(&self) -> usize {
        self.kings.count() * self.pair_stride
    }

    /// How many numbers the table has.
    pub fn cells(&self) -> usize {
        self.slices.count() * self.slice_cells()
    }

    /// The position that a number stands for, such as those in [`Statistics`], if there is one.
    ///
    /// [`Statistics`]: crate::Statistics
    pub fn position(&self, index: u64, side: Color) -> Option<G> {
        let index = usize::try_from(index).ok().filter(|&index| index < self.cells())?;
        self.placement(index)?.position(side)
    }

    /// The pieces that a number stands for; none where two would share a point.
    pub fn placement(&self, index: usize) -> Option<Placement<G>> {
        let (slice, cell) = (index / self.slice_cells(), index % self.slice_cells());
        self.placement_in(self.slices.points(slice), cell)
    }

    /// The same within a slice, kings first, then pieces in the order of the index, pawns.
    #[inline]
    pub fn placement_in(&self, pawns: &PawnPoints<G::Square>, cell: usize) -> Option<Placement<G>> {
        let [white, black] = self.kings.kings(cell / self.pair_stride);
        let mut placement: Placement<G> = Placement::kings(white, black);
        let mut rest = cell % self.pair_stride;
        for (&(color, kind), &stride) in self.pieces.iter().zip(&self.strides) {
            let point = G::Square::from_index(rest / stride)?;
            rest %= stride;
            if placement.occupied.contains(point) {
                return None;
            }
            placement.add(Placed { color, kind, point });
        }
        for (index, &point) in pawns.iter().enumerate() {
            if placement.occupied.contains(point) {
                return None;
            }
            let color = self.slices.color(index);
            placement.add(Placed { color, kind: G::Kind::PAWN, point });
        }
        Some(placement)
    }

    /// The number of a placement of just this material; none where the kings attack each
    /// other.
    pub fn index(&self, placement: &Placement<G>) -> Option<usize> {
        let symmetries = Symmetries::<G>::get();
        let mut pawns: [PawnPoints<G::Square>; 2] = [PawnPoints::new(), PawnPoints::new()];
        let others = &placement.pieces[2..];
        for piece in others.iter().filter(|piece| piece.kind == G::Kind::PAWN) {
            pawns[piece.color.index()].push(piece.point);
        }
        let [white, black] = pawns;
        let (slice, first) = self.slices.find(&white.into_iter().chain(black).collect());
        let king = |color| symmetries.image(first, placement.king(color));
        let (pair, second) = self.kings.place(king(Color::White), king(Color::Black))?;
        let mut used = [false; MAX_OTHERS];
        let mut points: ArrayVec<usize, MAX_OTHERS> = ArrayVec::new();
        for &(color, kind) in &self.pieces {
            let fits = |(at, piece): &(usize, &Placed<G>)| {
                !used[*at] && piece.color == color && piece.kind == kind
            };
            let (at, piece) = others.iter().enumerate().find(fits)?;
            used[at] = true;
            points.push(symmetries.image(second, symmetries.image(first, piece.point)).index());
        }
        self.order_equal_pieces(&mut points);
        let cell = pair as usize * self.pair_stride
            + points.iter().zip(&self.strides).map(|(point, stride)| point * stride).sum::<usize>();
        Some(slice * self.slice_cells() + cell)
    }

    /// Of equal pieces the one on the lower point comes first, by one way to sort a few.
    #[inline]
    fn order_equal_pieces(&self, points: &mut [usize]) {
        for _ in 1..points.len() {
            for next in 1..points.len() {
                if self.pieces[next] == self.pieces[next - 1] && points[next] < points[next - 1] {
                    points.swap(next, next - 1);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use qirkat_rules::{chesquerque, masonic};

    use super::*;

    fn numbers_lead_back<G: ChessTableGame>(names: &[&str]) {
        for name in names {
            let layout = Layout::<G>::new(name.parse().expect("a material"));
            for index in (0..layout.cells()).step_by(37) {
                let Some(placement) = layout.placement(index) else { continue };
                assert_eq!(placement.material(), layout.material);
                let again = layout.index(&placement).expect("kings apart");
                let twin = layout.placement(again).expect("pieces apart");
                assert_eq!(twin.occupied, placement.occupied, "{name} {index}");
            }
        }
    }

    #[test]
    fn every_number_leads_back_to_itself_or_an_equal_position() {
        let names = ["KBvK", "KPvK", "KRvKN", "KPvKP", "KNNvK"];
        numbers_lead_back::<chesquerque::Position>(&names);
        numbers_lead_back::<masonic::Position>(&names);
    }
}
