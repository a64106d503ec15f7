//! The index of a table: how its positions are numbered.
//!
//! A table consists of *slices*, one for each arrangement of its pawns ([`PawnSlices`]); without
//! pawns there is one slice. Within a slice the pair of kings ([`KingPairs`]) is most significant,
//! then each other piece by its point, White's strongest first, on a board of `p` points:
//!
//! ```text
//! cell  = pair · pⁿ + point₁ · pⁿ⁻¹ + … + pointₙ
//! index = slice · cells of a slice + cell
//! ```
//!
//! Either side to move uses the same index. Some are invalid (two pieces on one point, or the side
//! to move could capture the king). A position with both kings on an axis of the board, or with two
//! equal pieces, has several. All of them are solved; files and lookups use one.

use std::ops::Range;

use arrayvec::ArrayVec;
use qirkat_game::Color;
use qirkat_rules::chess::{Kind, Square, SquareSet};

use crate::chess_game::{ChessBoardGame, IDENTITY, KingPairs, Symmetries};
use crate::chess_material::{MAX_OTHERS, Material, Placed, Placement};

/// The cells of a placement to which one piece is added, by that piece's point.
pub struct Line {
    pub slice: usize,
    /// The cell without the piece's point.
    first: usize,
    stride: usize,
    symmetry: u8,
}

impl Line {
    #[inline]
    pub fn cell<G: ChessBoardGame>(&self, symmetries: &Symmetries<G>, point: G::Square) -> usize {
        self.first + symmetries.image(self.symmetry, point).index() * self.stride
    }
}

pub struct Layout<G: ChessBoardGame> {
    pub material: Material<G::Kind>,
    pub kings: &'static KingPairs<G>,
    pub slices: PawnSlices<G>,
    /// The pieces that are neither kings nor pawns, in the order of the index.
    pub pieces: ArrayVec<(Color, G::Kind), MAX_OTHERS>,
    /// The index strides of these pieces' points.
    pub strides: ArrayVec<usize, MAX_OTHERS>,
    /// The index stride of the pair of kings: pⁿ.
    pub pair_stride: usize,
}

impl<G: ChessBoardGame> Layout<G> {
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

    /// Whether a table with pawns can have as few grids as this (see `packing::grids`), without
    /// building its slices, which would take time and memory. There is at least one grid per slice,
    /// and a slice represents at most 48 arrangements of four pawns. The check divides by 64, since
    /// it also counts arrangements with two pawns on one point.
    pub fn may_have_grids(material: Material<G::Kind>, grids: usize) -> bool {
        pawn_points::<G::Square>().pow(material.pawns() as u32) / 64 <= grids
    }

    pub fn slice_cells(&self) -> usize {
        self.kings.count() * self.pair_stride
    }

    pub fn cells(&self) -> usize {
        self.slices.count() * self.slice_cells()
    }

    /// The position with this index, such as one from [`Statistics`]; none if it is invalid.
    ///
    /// [`Statistics`]: crate::Statistics
    pub fn position(&self, index: u64, side: Color) -> Option<G> {
        let index = usize::try_from(index).ok().filter(|&index| index < self.cells())?;
        self.placement(index)?.position(side)
    }

    /// The pieces with this index; none if two share a point.
    pub fn placement(&self, index: usize) -> Option<Placement<G>> {
        let (slice, cell) = (index / self.slice_cells(), index % self.slice_cells());
        self.placement_in(self.slices.points(slice), cell)
    }

    /// The same within a slice: kings first, then pieces in the order of the index, then pawns.
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
        for pawn in self.slices.placed(pawns) {
            if placement.occupied.contains(pawn.point) {
                return None;
            }
            placement.add(pawn);
        }
        Some(placement)
    }

    /// The index of a placement of exactly this material; none if the kings attack each other.
    pub fn index(&self, placement: &Placement<G>) -> Option<usize> {
        let (slice, pair, symmetry) = self.orient(placement)?;
        let mut points: ArrayVec<usize, MAX_OTHERS> = ArrayVec::new();
        let image = |point| Symmetries::<G>::get().image(symmetry, point).index();
        self.place_pieces(placement, |_, point| points.push(image(point)));
        if points.len() < self.pieces.len() {
            return None;
        }
        self.order_equal_pieces(&mut points);
        let points = points.iter().zip(&self.strides);
        let others = points.map(|(point, stride)| point * stride).sum::<usize>();
        Some(slice * self.slice_cells() + pair * self.pair_stride + others)
    }

    /// The cells of a placement to which one such piece is added; none if the kings attack each
    /// other.
    pub fn line(&self, placement: &Placement<G>, added: (Color, G::Kind)) -> Option<Line> {
        let (slice, pair, symmetry) = self.orient(placement)?;
        let mut first = pair * self.pair_stride;
        let mut left = self.strides.clone();
        self.place_pieces(placement, |order, point| {
            let image = Symmetries::<G>::get().image(symmetry, point).index();
            first += image * std::mem::take(&mut left[order]);
        });
        let is_it = |order: &usize| left[*order] > 0 && self.pieces[*order] == added;
        let stride = left[(0..left.len()).find(is_it)?];
        Some(Line { slice, first, stride, symmetry })
    }

    /// The index of a placement for each point of this side's king; none if the kings attack each
    /// other. Equal pieces are not sorted, so the index may be another of those of the position.
    pub fn by_king(
        &self,
        placement: &Placement<G>,
        color: Color,
    ) -> impl Fn(G::Square) -> Option<usize> {
        let symmetries = Symmetries::<G>::get();
        let (slice, of_pawns) = self.slice(placement);
        let mut others: ArrayVec<(G::Square, usize), MAX_OTHERS> = ArrayVec::new();
        self.place_pieces(placement, |order, point| others.push((point, self.strides[order])));
        let other_king = placement.king(!color);
        move |king| {
            let (white, black) = match color {
                Color::White => (king, other_king),
                Color::Black => (other_king, king),
            };
            let image = |king| symmetries.image(of_pawns, king);
            let (pair, of_kings) = self.kings.find(image(white), image(black))?;
            let image = |point| symmetries.image(of_pawns | of_kings, point).index();
            let others = others.iter().map(|&(point, stride)| image(point) * stride).sum::<usize>();
            Some(slice * self.slice_cells() + pair as usize * self.pair_stride + others)
        }
    }

    /// The slice and pair of kings of a placement, and the symmetry that maps it to them. Either
    /// pawns or kings are folded, so one of their symmetries is the identity: see [`KingPairs`].
    fn orient(&self, placement: &Placement<G>) -> Option<(usize, usize, u8)> {
        let (slice, of_pawns) = self.slice(placement);
        let king = |color| Symmetries::<G>::get().image(of_pawns, placement.king(color));
        let (pair, of_kings) = self.kings.find(king(Color::White), king(Color::Black))?;
        debug_assert!(of_pawns == IDENTITY || of_kings == IDENTITY);
        Some((slice, pair as usize, of_pawns | of_kings))
    }

    /// The slice of a placement's pawns, and the symmetry that maps them to it.
    fn slice(&self, placement: &Placement<G>) -> (usize, u8) {
        let mut pawns: [PawnPoints<G::Square>; 2] = [PawnPoints::new(), PawnPoints::new()];
        for piece in placement.pieces[2..].iter().filter(|piece| piece.kind == G::Kind::PAWN) {
            pawns[piece.color.index()].push(piece.point);
        }
        let [white, black] = pawns;
        self.slices.find(&white.into_iter().chain(black).collect())
    }

    /// Visits the pieces that are neither kings nor pawns in the order of the index: their index in
    /// that order, and their point.
    #[inline]
    fn place_pieces(&self, placement: &Placement<G>, mut visit: impl FnMut(usize, G::Square)) {
        let others = &placement.pieces[2..];
        let mut used = [false; MAX_OTHERS];
        for (order, &(color, kind)) in self.pieces.iter().enumerate() {
            let fits = |(at, piece): &(usize, &Placed<G>)| {
                !used[*at] && piece.color == color && piece.kind == kind
            };
            if let Some((at, piece)) = others.iter().enumerate().find(fits) {
                used[at] = true;
                visit(order, piece.point);
            }
        }
    }

    /// Sorts equal pieces by their points (a bubble sort, since there are few).
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

/// The points of pawns, White's first, each side's in ascending order.
pub type PawnPoints<S> = ArrayVec<S, MAX_OTHERS>;

/// The number of points where a pawn can stand: not on the first or last rank.
const fn pawn_points<S: Square>() -> usize {
    S::COUNT - 2 * S::FILES as usize
}

/// All arrangements of a table's pawns, folded by the symmetries that preserve pawn moves.
///
/// Pawns never move backwards, so a table with pawns divides into slices, one per arrangement, and
/// only irreversible moves leave a slice. More advanced pawns come first, so each slice comes after
/// those it leads to.
pub struct PawnSlices<G: ChessBoardGame> {
    white: usize,
    slices: Vec<PawnPoints<G::Square>>,
    /// For each arrangement of the pawns, its slice times `PAWN_SYMMETRIES`, plus the symmetry that
    /// maps it to that slice.
    numbers: Vec<u32>,
}

impl<G: ChessBoardGame> PawnSlices<G> {
    /// The slices for these numbers of white and black pawns. Without pawns there is one.
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
        let mut numbers = vec![u32::MAX; count];
        for (number, points) in found.iter().enumerate() {
            numbers[encode(points)] = number as u32;
        }
        let number = |code| {
            let (canonical, symmetry) = slices.canonical(&decode(code, pawns));
            let number = numbers[encode(&canonical)].wrapping_mul(G::PAWN_SYMMETRIES as u32);
            number.wrapping_add(symmetry.into())
        };
        slices.numbers = (0..count).map(number).collect();
        slices.slices = found;
        slices
    }

    pub fn count(&self) -> usize {
        self.slices.len()
    }

    /// From a slice on, those whose pawns are as advanced: no pawn move leads from one to another.
    pub fn equally_advanced(&self, first: usize) -> Range<usize> {
        let advancement = |slice: &PawnPoints<G::Square>| self.advancement(slice);
        let wanted = self.slices.get(first).map(advancement);
        let last = self.slices.partition_point(|it| Some(advancement(it)) >= wanted);
        first..last
    }

    pub fn points(&self, slice: usize) -> &PawnPoints<G::Square> {
        &self.slices[slice]
    }

    /// The slice of pawns on these points, and the symmetry that maps them to it.
    pub fn find(&self, points: &PawnPoints<G::Square>) -> (usize, u8) {
        let number = self.numbers[encode(points)] as usize;
        (number / G::PAWN_SYMMETRIES, (number % G::PAWN_SYMMETRIES) as u8)
    }

    /// The smallest image of an arrangement, each side's pawns sorted, and the first symmetry that
    /// gives it.
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

    /// The pawns on these points.
    #[inline]
    pub fn placed(&self, points: &PawnPoints<G::Square>) -> impl Iterator<Item = Placed<G>> {
        let color = |index| self.color(index);
        let pawns = points.iter().enumerate();
        pawns.map(move |(at, &point)| Placed { color: color(at), kind: G::Kind::PAWN, point })
    }

    #[inline]
    fn color(&self, index: usize) -> Color {
        if index < self.white { Color::White } else { Color::Black }
    }

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

fn encode<S: Square>(points: &PawnPoints<S>) -> usize {
    let first = usize::from(S::FILES);
    points.iter().fold(0, |code, point| code * pawn_points::<S>() + (point.index() - first))
}

fn decode<S: Square>(mut code: usize, pawns: usize) -> PawnPoints<S> {
    let mut points: PawnPoints<S> = (0..pawns)
        .filter_map(|_| {
            let point = code % pawn_points::<S>();
            code /= pawn_points::<S>();
            S::from_index(point + usize::from(S::FILES))
        })
        .collect();
    points.reverse();
    points
}
