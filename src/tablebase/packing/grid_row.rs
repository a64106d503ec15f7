//! A row of a grid: Black's king on one point, the walker on any.

use qirkat_game::Color;
use qirkat_rules::chess::{Geometry, Kind, SquareSet};

use super::grid::Grid;
use crate::chess_game::ChessTableGame;
use crate::indexing::placement::Placed;

/// A row of a grid, and who attacks whom in it.
pub struct GridRow<'a, G: ChessTableGame> {
    grid: &'a Grid<G>,
    occupied: G::Bitboard,
    /// Where Black's king can step to, if nothing keeps it from there.
    pub steps: G::Bitboard,
    /// White's pieces but for the king and the walker, and all of Black's but the king.
    own: G::Bitboard,
    theirs: G::Bitboard,
    /// White's king, unless it is the walker, and what it attacks.
    own_king: G::Bitboard,
    of_own_king: G::Bitboard,
    /// The points that White's others attack, and those that Black's do.
    of_own: G::Bitboard,
    of_theirs: G::Bitboard,
}

/// Kinds of threats in a cell, a bit each.
pub type Threats = u8;

impl<'a, G: ChessTableGame> GridRow<'a, G> {
    /// The row of a point of Black's king; none where something stands still there.
    pub fn new(grid: &'a Grid<G>, king: G::Square) -> Option<GridRow<'a, G>> {
        if grid.occupied.contains(king) {
            return None;
        }
        let occupied = grid.occupied | G::Bitboard::of(king);
        let is_king = |it: &Placed<G>| it.kind == G::Kind::KING;
        let attacks_of = |color: Color, kings: bool| {
            let pieces = grid.still.iter().filter(|it| it.color == color && is_king(it) == kings);
            pieces.fold(G::Bitboard::EMPTY, |all, it| all | it.attacks(occupied))
        };
        let kings = grid.still.iter().filter(|it| is_king(it)).map(|it| it.point);
        let own_king: G::Bitboard = kings.collect();
        Some(GridRow {
            grid,
            occupied,
            steps: G::Geometry::attacks(G::Kind::KING, king, G::Bitboard::EMPTY),
            own: grid.own & !own_king,
            theirs: grid.occupied & !grid.own,
            own_king,
            of_own_king: attacks_of(Color::White, true),
            of_own: attacks_of(Color::White, false),
            of_theirs: attacks_of(Color::Black, false),
        })
    }

    /// The points that the walker attacks from one.
    #[inline]
    pub fn attacks(&self, walker: G::Square) -> G::Bitboard {
        G::Geometry::attacks(self.grid.walker, walker, self.occupied)
    }

    /// Where a walker that attacks these points can go.
    #[inline]
    pub fn targets(&self, attacks: G::Bitboard) -> G::Bitboard {
        attacks & !self.grid.own
    }

    /// Who attacks whom when the walker stands on a point and attacks these.
    #[inline]
    pub fn threats(&self, walker: G::Square, attacks: G::Bitboard) -> Threats {
        let at = G::Bitboard::of(walker);
        let is_king = self.grid.walker == G::Kind::KING;
        let (of_own_king, own_king) =
            if is_king { (attacks, at) } else { (self.of_own_king, self.own_king) };
        let (of_own, own) =
            if is_king { (self.of_own, self.own) } else { (self.of_own | attacks, self.own | at) };
        let threats = [
            (of_own & self.theirs).any(),
            (of_own_king & self.theirs).any(),
            (self.steps & self.theirs).any(),
            (self.steps & own).any(),
            (of_own_king & own).any(),
            (self.of_theirs & own).any(),
            (self.of_theirs & own_king).any() && (is_king || self.is_check(at)),
        ];
        threats.iter().rev().fold(0, |all, &it| all << 1 | u8::from(it))
    }

    /// Whether White's king is attacked though the walker may stand between.
    fn is_check(&self, walker: G::Bitboard) -> bool {
        let theirs = self.grid.still.iter().filter(|it| it.color == Color::Black);
        let occupied = self.occupied | walker;
        theirs.into_iter().any(|it| (it.attacks(occupied) & self.own_king).any())
    }
}
