//! A grid of a table: the fixed pieces, and where the two others can go.

use arrayvec::ArrayVec;
use qirkat_game::Color;
use qirkat_rules::chess::{Geometry, Kind, Square, SquareSet};

use crate::chess_game::{ChessBoardGame, points};
use crate::indexing::material::{MAX_TABLE_PIECES, Placed, Placement};

/// A grid, with White to move. See [`grids`](super::grids).
pub struct Grid<G: ChessBoardGame> {
    /// White's king first, unless it is the walker.
    pub still: ArrayVec<Placed<G>, MAX_TABLE_PIECES>,
    pub walker: G::Kind,
    pub occupied: G::Bitboard,
    /// The points of White's fixed pieces, its king included.
    pub own: G::Bitboard,
    /// Whether it is encoded distance by distance: see [`ladder`](super::ladder).
    pub has_ladder: bool,
    /// For each point of the walker, what White attacks, ignoring Black's king.
    danger: Vec<G::Bitboard>,
    /// For each point of the walker, the points of Black's king whose positions are stored here.
    stored: Vec<G::Bitboard>,
}

impl<G: ChessBoardGame> Grid<G> {
    /// A grid; none where two pieces would share a point. `is_stored` says for each point of the
    /// walker whether positions with it there are looked up in this grid.
    pub fn new(
        still: ArrayVec<Placed<G>, MAX_TABLE_PIECES>,
        walker: G::Kind,
        has_ladder: bool,
        is_stored: impl Fn(&[Placed<G>], G::Square) -> bool,
    ) -> Option<Grid<G>> {
        let of = |color: Option<Color>| -> G::Bitboard {
            let pieces = still.iter().filter(|it| color.is_none_or(|color| it.color == color));
            pieces.map(|it| it.point).collect()
        };
        let (occupied, own) = (of(None), of(Some(Color::White)));
        if (occupied.len() as usize) < still.len() {
            return None;
        }
        let danger = points::<G>().map(|point| {
            let occupied = occupied | G::Bitboard::of(point);
            let walker = Placed { color: Color::White, kind: walker, point };
            let own = still.iter().filter(|it| it.color == Color::White).chain([&walker]);
            own.fold(G::Bitboard::EMPTY, |all, it| all | it.attacks(occupied))
        });
        let danger: Vec<G::Bitboard> = danger.collect();
        let stored = points::<G>().zip(&danger).map(|(point, &danger)| {
            if occupied.contains(point) || !is_stored(&still, point) {
                return G::Bitboard::EMPTY;
            }
            !(danger | occupied | G::Bitboard::of(point))
        });
        let stored = stored.collect();
        Some(Grid { still, walker, occupied, own, has_ladder, danger, stored })
    }

    /// The points of Black's king for which positions with this point of the walker are looked up
    /// here.
    #[inline]
    pub fn stored(&self, walker: usize) -> G::Bitboard {
        self.stored[walker]
    }

    #[inline]
    pub fn cell(&self, walker: G::Square, king: G::Square) -> usize {
        king.index() * G::Square::COUNT + walker.index()
    }

    /// Whether a cell is a position that is stored here.
    #[inline]
    pub fn is_stored(&self, cell: usize) -> bool {
        let (king, walker) = (cell / G::Square::COUNT, cell % G::Square::COUNT);
        G::Square::from_index(king).is_some_and(|king| self.stored[walker].contains(king))
    }

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

/// The moves where Black has a lone king, so that all fixed pieces are White's.
impl<G: ChessBoardGame> Grid<G> {
    #[inline]
    fn king(&self) -> G::Square {
        self.still[0].point
    }

    #[inline]
    fn white(&self, walker: G::Square) -> G::Bitboard {
        self.occupied | G::Bitboard::of(walker)
    }

    /// Where the walker can go, and come from, without a capture.
    #[inline]
    pub fn walks(&self, walker: G::Square, lone: G::Square) -> G::Bitboard {
        let occupied = self.white(walker) | G::Bitboard::of(lone);
        G::Geometry::attacks(self.walker, walker, occupied) & !occupied
    }

    /// Whether Black's king can be there with Black to move.
    #[inline]
    pub fn can_stand(&self, walker: G::Square, lone: G::Square) -> bool {
        !(self.white(walker) | king_steps::<G>(self.king())).contains(lone)
    }

    #[inline]
    pub fn is_check(&self, walker: G::Square, lone: G::Square) -> bool {
        self.danger[walker.index()].contains(lone)
    }

    #[inline]
    pub fn captures(&self, walker: G::Square, lone: G::Square) -> G::Bitboard {
        let king = G::Bitboard::of(self.king());
        king_steps::<G>(lone) & self.white(walker) & !self.danger[walker.index()] & !king
    }

    /// Where Black's king can go without a capture.
    #[inline]
    pub fn replies(&self, walker: G::Square, lone: G::Square) -> G::Bitboard {
        king_steps::<G>(lone) & self.stored[walker.index()]
    }
}

#[inline]
pub fn king_steps<G: ChessBoardGame>(from: G::Square) -> G::Bitboard {
    G::Geometry::attacks(G::Kind::KING, from, G::Bitboard::EMPTY)
}

/// A row of a grid, and which pieces attack each other in it.
pub struct GridRow<'a, G: ChessBoardGame> {
    grid: &'a Grid<G>,
    occupied: G::Bitboard,
    /// Where Black's king can step to, ignoring attacks and other pieces.
    pub steps: G::Bitboard,
    /// White's pieces except the king and the walker, and all of Black's except the king.
    own: G::Bitboard,
    theirs: G::Bitboard,
    /// White's king, unless it is the walker, and what it attacks.
    own_king: G::Bitboard,
    of_own_king: G::Bitboard,
    /// The points that White's other pieces attack, and those that Black's do.
    of_own: G::Bitboard,
    of_theirs: G::Bitboard,
}

/// Kinds of threats in a cell, a bit each.
pub type Threats = u8;

impl<'a, G: ChessBoardGame> GridRow<'a, G> {
    /// The row of a point of Black's king; none where a fixed piece stands.
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

    #[inline]
    pub fn attacks(&self, walker: G::Square) -> G::Bitboard {
        G::Geometry::attacks(self.grid.walker, walker, self.occupied)
    }

    #[inline]
    pub fn targets(&self, attacks: G::Bitboard) -> G::Bitboard {
        attacks & !self.grid.own
    }

    /// The threats when the walker stands on a point and attacks these.
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

    /// Whether White's king is attacked even though the walker may block.
    fn is_check(&self, walker: G::Bitboard) -> bool {
        let theirs = self.grid.still.iter().filter(|it| it.color == Color::Black);
        let occupied = self.occupied | walker;
        theirs.into_iter().any(|it| (it.attacks(occupied) & self.own_king).any())
    }
}
