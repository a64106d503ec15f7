//! A grid of a table: what stands still, and where the two others can go.

use arrayvec::ArrayVec;

use crate::board::attacks::attacks;
use crate::board::material::MAX_TABLE_PIECES;
use crate::board::placement::Placed;
#[cfg(any(test, feature = "table-generator"))]
use crate::board::placement::Placement;
use crate::board::table_board::TableBoard;
use qirkat_game::Color;
#[cfg(any(test, feature = "table-generator"))]
use qirkat_rules::chess::Kind;
use qirkat_rules::chess::{Square, SquareSet};

/// What stands still, with White to move. See [`grids`](super::grids).
pub struct Grid<G: TableBoard> {
    /// White's king first, unless it walks.
    pub still: ArrayVec<Placed<G>, MAX_TABLE_PIECES>,
    pub walker: G::Kind,
    /// Points where something stands still.
    pub occupied: G::Bitboard,
    /// Those where White's pieces do, its king too.
    pub own: G::Bitboard,
    /// For each point of the walker, where Black's king can be, so that it is a position
    /// that is looked up here.
    asked: Vec<G::Bitboard>,
}

impl<G: TableBoard> Grid<G> {
    /// A grid; none where two pieces would share a point. `is_asked` says of each point of the
    /// walker whether positions with it there are looked up in this grid.
    pub fn new(
        still: ArrayVec<Placed<G>, MAX_TABLE_PIECES>,
        walker: G::Kind,
        is_asked: impl Fn(&[Placed<G>], G::Square) -> bool,
    ) -> Option<Grid<G>> {
        let of = |color: Option<Color>| -> G::Bitboard {
            let pieces = still.iter().filter(|it| color.is_none_or(|color| it.color == color));
            pieces.map(|it| it.point).collect()
        };
        let (occupied, own) = (of(None), of(Some(Color::White)));
        if (occupied.len() as usize) < still.len() {
            return None;
        }
        let asked = points::<G>().map(|point| {
            if occupied.contains(point) || !is_asked(&still, point) {
                return G::Bitboard::EMPTY;
            }
            let occupied = occupied | G::Bitboard::of(point);
            let walker = Placed { color: Color::White, kind: walker, point };
            let own = still.iter().filter(|it| it.color == Color::White).chain([&walker]);
            let danger = own.fold(G::Bitboard::EMPTY, |all, it| all | attacks(*it, occupied));
            points::<G>().filter(|&it| !(danger | occupied).contains(it)).collect()
        });
        Some(Grid { asked: asked.collect(), still, walker, occupied, own })
    }

    /// Where Black's king can be with the walker on a point, so that it is a position that is
    /// looked up here.
    #[inline]
    pub fn asked(&self, walker: usize) -> G::Bitboard {
        self.asked[walker]
    }

    /// Whether a cell is a position that is looked up here.
    #[inline]
    pub fn is_asked(&self, cell: usize) -> bool {
        let (king, walker) = (cell / G::Square::COUNT, cell % G::Square::COUNT);
        G::Square::from_index(king).is_some_and(|king| self.asked[walker].contains(king))
    }

    /// The placement of a cell.
    #[cfg(any(test, feature = "table-generator"))]
    pub fn placement(&self, cell: usize) -> Option<Placement<G>> {
        let king = G::Square::from_index(cell / G::Square::COUNT)?;
        let walker = G::Square::from_index(cell % G::Square::COUNT)?;
        let is_king = |it: &&Placed<G>| it.color == Color::White && it.kind == G::Kind::KING;
        let own_king = self.still.iter().find(is_king);
        let mut placement = Placement::kings(own_king.map_or(walker, |it| it.point), king);
        if own_king.is_some() {
            placement.add(Placed { color: Color::White, kind: self.walker, point: walker });
        }
        self.still.iter().filter(|it| it.kind != G::Kind::KING).for_each(|it| placement.add(*it));
        Some(placement)
    }
}

/// All points of the board.
pub fn points<G: TableBoard>() -> impl Iterator<Item = G::Square> {
    (0..G::Square::COUNT).filter_map(G::Square::from_index)
}
