//! Divides the cells of a table into grids, in which all pieces but two are fixed.
//!
//! The two are the *attacker*, the strongest piece of the side to move, and the opponent's king. A
//! grid covers all their points, so the attacker's moves and most replies stay within it, and
//! [`distance_coders`](super::distance_coders) can predict cells from known ones. White is always
//! to move; otherwise the sides are swapped.
//!
//! ```text
//! grid = slice of the pawns · pⁿ + first fixed piece · pⁿ⁻¹ + … + last
//! cell = the opponent's king · p + attacker
//! ```
//!
//! Without pawns the first two fixed pieces are folded by the symmetries of the board
//! ([`KingPairs::any_two_points`]). If equal pieces could be the attacker, or only one piece is
//! fixed, only the first is folded; of equal pieces, the one on the lowest point is the attacker.

use arrayvec::ArrayVec;

use qirkat_game::Color;
use qirkat_rules::chess::{Geometry, Kind, Square, SquareSet, pawn_steps};

use crate::chess_game::{ChessBoardGame, IDENTITY, KingPairs, Symmetries, points};
use crate::chess_index::{Layout, PawnPoints};
use crate::chess_material::{MAX_OTHERS, MAX_TABLE_PIECES, Placed, Placement};
use crate::header::TableForm;

/// The pieces that are folded by the symmetries of the board: the pawns, or so many fixed pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Folded {
    Pawns = 0,
    One = 1,
    Two = 2,
}

pub struct Grids<G: ChessBoardGame> {
    side: Color,
    attacker: G::Kind,
    /// The fixed pieces besides the pawns, the king of the side to move first.
    fixed: ArrayVec<(Color, G::Kind), MAX_OTHERS>,
    folded: Folded,
    /// Whether cells are coded distance by distance: see [`super::retrograde_coder`].
    is_retrograde: bool,
    /// One point of each symmetry class.
    lowest_points: Vec<G::Square>,
}

impl<G: ChessBoardGame> Grids<G> {
    pub const CELLS: usize = G::Square::COUNT * G::Square::COUNT;

    /// Whether a table can store positions with this side to move. With pawns, or with retrograde
    /// coding against Black's lone king, that must be White.
    pub fn can_store(layout: &Layout<G>, side: Color) -> bool {
        side == Color::White || !layout.material.has_pawns() && mating_piece(layout).is_none()
    }

    /// The grids of a table that stores positions with this side to move.
    pub fn of(layout: &Layout<G>, side: Color, form: TableForm) -> Grids<G> {
        let mating_piece = mating_piece(layout).filter(|_| form == TableForm::Distances);
        let pieces = |color| layout.pieces.iter().filter(move |it| it.0 == color).map(|it| it.1);
        let mut own: ArrayVec<G::Kind, MAX_TABLE_PIECES> = pieces(side).collect();
        let attacker = mating_piece.or(own.first().copied()).unwrap_or(G::Kind::KING);
        if let Some(at) = own.iter().position(|&kind| kind == attacker) {
            own.remove(at);
            own.insert(0, G::Kind::KING);
        }
        let has_equal = own.contains(&attacker);
        let own = own.into_iter().map(|kind| (Color::White, kind));
        let theirs = pieces(!side).map(|kind| (Color::Black, kind));
        let fixed: ArrayVec<_, MAX_OTHERS> = own.chain(theirs).collect();
        let folded = match fixed.len() {
            _ if layout.material.has_pawns() => Folded::Pawns,
            2.. if !has_equal => Folded::Two,
            _ => Folded::One,
        };
        let lowest_points = points::<G>().filter(|&it| lowest_image::<G>(it) == it).collect();
        Grids {
            side,
            attacker,
            fixed,
            folded,
            is_retrograde: mating_piece.is_some(),
            lowest_points,
        }
    }

    pub fn count(&self, layout: &Layout<G>) -> usize {
        let free = self.fixed.len() - self.folded as usize;
        let folded = match self.folded {
            Folded::Pawns => layout.slices.count(),
            Folded::One => self.lowest_points.len(),
            Folded::Two => KingPairs::<G>::any_two_points().count(),
        };
        folded * G::Square::COUNT.pow(free as u32)
    }

    /// The grid with this number; none if two pieces share a point. Of equal attackers, it stores
    /// only the cells by which positions are found.
    pub fn grid(&self, layout: &Layout<G>, number: usize) -> Option<Grid<G>> {
        let mut rest = number;
        let mut points: ArrayVec<G::Square, MAX_OTHERS> = ArrayVec::new();
        for _ in self.folded as usize..self.fixed.len() {
            points.push(G::Square::from_index(rest % G::Square::COUNT)?);
            rest /= G::Square::COUNT;
        }
        let mut pawns = PawnPoints::new();
        match self.folded {
            Folded::Pawns => pawns = layout.slices.points(rest).clone(),
            Folded::One => points.push(*self.lowest_points.get(rest)?),
            Folded::Two => {
                let [first, second] = KingPairs::<G>::any_two_points().kings(rest);
                points.extend([second, first]);
            }
        }
        points.reverse();
        let fixed = self.fixed.iter().zip(points);
        let fixed = fixed.map(|(&(color, kind), point)| Placed { color, kind, point });
        let fixed: ArrayVec<Placed<G>, MAX_TABLE_PIECES> =
            fixed.chain(layout.slices.placed(&pawns)).collect();
        let is_first = |fixed: &[Placed<G>], attacker| self.is_first(fixed, attacker);
        Grid::new(fixed, self.attacker, self.is_retrograde, is_first)
    }

    /// The grids that a step of one of Black's pawns leads to, with the other pieces fixed. Left out
    /// are steps to an arrangement of pawns that is stored as its mirror image.
    pub fn after_pawn_steps(&self, layout: &Layout<G>, number: usize) -> ArrayVec<usize, 8> {
        let mut found = ArrayVec::new();
        if self.folded != Folded::Pawns {
            return found;
        }
        let grids_per_slice = G::Square::COUNT.pow(self.fixed.len() as u32);
        let pawns = layout.slices.points(number / grids_per_slice);
        let white = layout.material.count(Color::White, G::Kind::PAWN);
        for at in white..pawns.len() {
            for to in pawn_steps::<G::Geometry>(Color::Black, pawns[at])
                .into_iter()
                .filter(|to| to.rank() > 0)
            {
                let mut pawns = pawns.clone();
                pawns[at] = to;
                pawns[white..].sort_unstable();
                let is_free = pawns.iter().enumerate().all(|(i, it)| !pawns[..i].contains(it));
                let (slice, symmetry) = if is_free { layout.slices.find(&pawns) } else { continue };
                if symmetry == IDENTITY && !found.is_full() {
                    found.push(slice * grids_per_slice + number % grids_per_slice);
                }
            }
        }
        found
    }

    /// The grid and the cell of a placement of this material.
    pub fn find(&self, layout: &Layout<G>, placement: &Placement<G>) -> Option<(usize, usize)> {
        let flipped;
        let placement = match self.side {
            Color::White => placement,
            Color::Black => {
                flipped = placement.flipped();
                &flipped
            }
        };
        let symmetries = Symmetries::<G>::get();
        let pieces = &placement.pieces;
        let (mut number, mut symmetry) = (0, IDENTITY);
        if self.folded == Folded::Pawns {
            let of_color = |color| {
                let pawns = pieces.iter().filter(move |it| it.kind == G::Kind::PAWN);
                pawns.filter(move |it| it.color == color).map(|it| it.point)
            };
            let pawns: PawnPoints<G::Square> =
                of_color(Color::White).chain(of_color(Color::Black)).collect();
            (number, symmetry) = layout.slices.find(&pawns);
        }
        let is_attacker = |it: &&Placed<G>| it.color == Color::White && it.kind == self.attacker;
        let mut attackers = pieces.iter().filter(is_attacker).map(|it| it.point);
        let mut attacker = attackers.next()?;
        let others: ArrayVec<G::Square, MAX_TABLE_PIECES> = attackers.collect();
        if self.folded == Folded::One {
            let first = pieces.iter().find(|it| (it.color, it.kind) == self.fixed[0])?.point;
            let lowest = lowest_image::<G>(first);
            let symmetries =
                (0..G::SYMMETRIES as u8).filter(|&by| symmetries.image(by, first) == lowest);
            let equal: ArrayVec<G::Square, MAX_TABLE_PIECES> =
                others.iter().copied().chain([attacker]).collect();
            symmetry =
                symmetries.min_by_key(|&by| images_descending::<G>(&equal, by)).unwrap_or(IDENTITY);
        }
        for other in others {
            if symmetries.image(symmetry, other) < symmetries.image(symmetry, attacker) {
                attacker = other;
            }
        }
        let mut taken = [false; MAX_TABLE_PIECES];
        let mut points: ArrayVec<G::Square, MAX_OTHERS> = ArrayVec::new();
        for &(color, kind) in &self.fixed {
            let at = pieces.iter().enumerate().position(|(at, it)| {
                !taken[at] && it.color == color && it.kind == kind && it.point != attacker
            })?;
            taken[at] = true;
            points.push(pieces[at].point);
        }
        match (self.folded, points.as_slice()) {
            (Folded::One, [first, ..]) => {
                let lowest = symmetries.image(symmetry, *first);
                number = self.lowest_points.binary_search(&lowest).ok()?;
            }
            (Folded::Two, [first, second, ..]) => {
                let (pair, by) = KingPairs::<G>::any_two_points().find(*first, *second)?;
                (number, symmetry) = (pair as usize, by);
            }
            _ => {}
        }
        let image = |point: G::Square| symmetries.image(symmetry, point).index();
        for &point in &points[self.folded as usize..] {
            number = number * G::Square::COUNT + image(point);
        }
        let king = placement.king(Color::Black);
        Some((number, image(king) * G::Square::COUNT + image(attacker)))
    }

    /// Whether the attacker is the first of several equal pieces, and this is the first of the
    /// position's symmetric images.
    fn is_first(&self, fixed: &[Placed<G>], attacker: G::Square) -> bool {
        let is_attacker = |it: &&Placed<G>| it.color == Color::White && it.kind == self.attacker;
        let others = fixed.iter().filter(is_attacker).map(|it| it.point);
        let equal: ArrayVec<G::Square, MAX_TABLE_PIECES> = others.chain([attacker]).collect();
        if equal.len() < 2 {
            return true;
        }
        if equal.iter().any(|&other| other < attacker) {
            return false;
        }
        let (symmetries, as_it_is) =
            (Symmetries::<G>::get(), images_descending::<G>(&equal, IDENTITY));
        let turns = 1..if self.folded == Folded::One { G::SYMMETRIES as u8 } else { 1 };
        let first = fixed[0].point;
        turns
            .filter(|&by| symmetries.image(by, first) == first)
            .all(|by| images_descending::<G>(&equal, by) >= as_it_is)
    }
}

/// The attacker against a lone king, if the game's files code that in retrograde order: White's
/// strongest piece without an equal, if White has other pieces.
fn mating_piece<G: ChessBoardGame>(layout: &Layout<G>) -> Option<G::Kind> {
    let material = layout.material;
    let is_lone = material.others(Color::Black).next().is_none() && material.pieces() > 3;
    let mut kinds = layout.pieces.iter().map(|piece| piece.1);
    let attacker = kinds.find(|&kind| material.count(Color::White, kind) == 1);
    attacker.filter(|_| G::IS_CODED_RETROGRADE && is_lone)
}

/// The points of equal pieces after a symmetry, the last one first.
fn images_descending<G: ChessBoardGame>(
    equal: &[G::Square],
    symmetry: u8,
) -> ArrayVec<G::Square, MAX_TABLE_PIECES> {
    let images = equal.iter().map(|&point| Symmetries::<G>::get().image(symmetry, point));
    let mut images: ArrayVec<G::Square, MAX_TABLE_PIECES> = images.collect();
    images.sort_unstable_by_key(|&point| std::cmp::Reverse(point));
    images
}

/// The image of a point with the lowest index.
fn lowest_image<G: ChessBoardGame>(point: G::Square) -> G::Square {
    let symmetries = Symmetries::<G>::get();
    let images = (0..G::SYMMETRIES as u8).map(|by| symmetries.image(by, point));
    images.min().unwrap_or(point)
}

/// A grid, with White to move.
pub struct Grid<G: ChessBoardGame> {
    /// White's king first, unless it is the attacker.
    pub fixed: ArrayVec<Placed<G>, MAX_TABLE_PIECES>,
    pub attacker: G::Kind,
    /// The points of all fixed pieces.
    pub occupied: G::Bitboard,
    /// The points of White's fixed pieces, its king included.
    pub own: G::Bitboard,
    /// Whether cells are coded distance by distance: see [`super::retrograde_coder`].
    pub is_retrograde: bool,
    /// For each point of the attacker, what White attacks, ignoring Black's king.
    danger: Vec<G::Bitboard>,
    /// For each point of the attacker, the points of Black's king whose positions are stored here.
    stored: Vec<G::Bitboard>,
}

impl<G: ChessBoardGame> Grid<G> {
    /// A grid; none if two pieces share a point. `is_stored` tells for each point of the attacker
    /// whether positions with it there are looked up in this grid.
    pub fn new(
        fixed: ArrayVec<Placed<G>, MAX_TABLE_PIECES>,
        attacker: G::Kind,
        is_retrograde: bool,
        is_stored: impl Fn(&[Placed<G>], G::Square) -> bool,
    ) -> Option<Grid<G>> {
        let of = |color: Option<Color>| -> G::Bitboard {
            let pieces = fixed.iter().filter(|it| color.is_none_or(|color| it.color == color));
            pieces.map(|it| it.point).collect()
        };
        let (occupied, own) = (of(None), of(Some(Color::White)));
        if (occupied.len() as usize) < fixed.len() {
            return None;
        }
        let danger = points::<G>().map(|point| {
            let occupied = occupied | G::Bitboard::of(point);
            let attacker = Placed { color: Color::White, kind: attacker, point };
            let own = fixed.iter().filter(|it| it.color == Color::White).chain([&attacker]);
            own.fold(G::Bitboard::EMPTY, |all, it| all | it.attacks(occupied))
        });
        let danger: Vec<G::Bitboard> = danger.collect();
        let stored = points::<G>().zip(&danger).map(|(point, &danger)| {
            if occupied.contains(point) || !is_stored(&fixed, point) {
                return G::Bitboard::EMPTY;
            }
            !(danger | occupied | G::Bitboard::of(point))
        });
        let stored = stored.collect();
        Some(Grid { fixed, attacker, occupied, own, is_retrograde, danger, stored })
    }

    /// The points of Black's king for which positions with the attacker on this point are stored
    /// here.
    #[inline]
    pub fn stored(&self, attacker: usize) -> G::Bitboard {
        self.stored[attacker]
    }

    #[inline]
    pub fn cell(&self, attacker: G::Square, king: G::Square) -> usize {
        king.index() * G::Square::COUNT + attacker.index()
    }

    /// The points of the attacker for which positions with Black's king on this point are stored here.
    pub fn attackers(&self, king: G::Square) -> impl Iterator<Item = G::Square> + Clone {
        points::<G>().zip(&self.stored).filter(move |it| it.1.contains(king)).map(|it| it.0)
    }

    /// The cells that are stored here, in order.
    pub fn stored_cells(&self) -> impl Iterator<Item = usize> + Clone {
        let row = move |king| self.attackers(king).map(move |it| self.cell(it, king));
        points::<G>().flat_map(row)
    }

    /// The placement of a cell, if White stands for this side.
    pub fn placement(&self, cell: usize, side: Color) -> Option<Placement<G>> {
        let king = G::Square::from_index(cell / G::Square::COUNT)?;
        let attacker = G::Square::from_index(cell % G::Square::COUNT)?;
        let is_king = |it: &&Placed<G>| it.color == Color::White && it.kind == G::Kind::KING;
        let own_king = self.fixed.iter().find(is_king);
        let mut placement = Placement::kings(own_king.map_or(attacker, |it| it.point), king);
        if own_king.is_some() {
            placement.add(Placed { color: Color::White, kind: self.attacker, point: attacker });
        }
        self.fixed.iter().filter(|it| it.kind != G::Kind::KING).for_each(|it| placement.add(*it));
        Some(if side == Color::White { placement } else { placement.flipped() })
    }
}

/// Moves against a lone king, so that all fixed pieces are White's.
impl<G: ChessBoardGame> Grid<G> {
    #[inline]
    fn own_king(&self) -> G::Square {
        self.fixed[0].point
    }

    #[inline]
    fn white(&self, attacker: G::Square) -> G::Bitboard {
        self.occupied | G::Bitboard::of(attacker)
    }

    /// The points that the attacker can reach, or come from, without a capture.
    #[inline]
    pub fn attacker_moves(&self, attacker: G::Square, lone: G::Square) -> G::Bitboard {
        let occupied = self.white(attacker) | G::Bitboard::of(lone);
        G::Geometry::attacks(self.attacker, attacker, occupied) & !occupied
    }

    /// Whether Black's king can be there with Black to move.
    #[inline]
    pub fn can_stand(&self, attacker: G::Square, lone: G::Square) -> bool {
        !(self.white(attacker) | king_steps::<G>(self.own_king())).contains(lone)
    }

    #[inline]
    pub fn checks_black(&self, attacker: G::Square, lone: G::Square) -> bool {
        self.danger[attacker.index()].contains(lone)
    }

    #[inline]
    pub fn captures(&self, attacker: G::Square, lone: G::Square) -> G::Bitboard {
        let own_king = G::Bitboard::of(self.own_king());
        king_steps::<G>(lone) & self.white(attacker) & !self.danger[attacker.index()] & !own_king
    }

    /// The points that Black's king can reach without a capture.
    #[inline]
    pub fn replies(&self, attacker: G::Square, lone: G::Square) -> G::Bitboard {
        king_steps::<G>(lone) & self.stored[attacker.index()]
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
    /// White's pieces except the king and the attacker, and all of Black's except the king.
    own_others: G::Bitboard,
    theirs: G::Bitboard,
    /// White's king, unless it is the attacker, and what it attacks.
    own_king: G::Bitboard,
    of_own_king: G::Bitboard,
    /// The points that White's other pieces attack, and those that Black's do.
    of_own: G::Bitboard,
    of_theirs: G::Bitboard,
}

/// Kinds of threats in a cell, a bit each.
pub type Threats = u8;

impl<'a, G: ChessBoardGame> GridRow<'a, G> {
    /// The row of a point of Black's king; none if a fixed piece is there.
    pub fn new(grid: &'a Grid<G>, king: G::Square) -> Option<GridRow<'a, G>> {
        if grid.occupied.contains(king) {
            return None;
        }
        let occupied = grid.occupied | G::Bitboard::of(king);
        let is_king = |it: &Placed<G>| it.kind == G::Kind::KING;
        let attacks_of = |color: Color, kings: bool| {
            let pieces = grid.fixed.iter().filter(|it| it.color == color && is_king(it) == kings);
            pieces.fold(G::Bitboard::EMPTY, |all, it| all | it.attacks(occupied))
        };
        let kings = grid.fixed.iter().filter(|it| is_king(it)).map(|it| it.point);
        let own_king: G::Bitboard = kings.collect();
        Some(GridRow {
            grid,
            occupied,
            steps: king_steps::<G>(king),
            own_others: grid.own & !own_king,
            theirs: grid.occupied & !grid.own,
            own_king,
            of_own_king: attacks_of(Color::White, true),
            of_own: attacks_of(Color::White, false),
            of_theirs: attacks_of(Color::Black, false),
        })
    }

    #[inline]
    pub fn attacks(&self, attacker: G::Square) -> G::Bitboard {
        G::Geometry::attacks(self.grid.attacker, attacker, self.occupied)
    }

    #[inline]
    pub fn targets(&self, attacks: G::Bitboard) -> G::Bitboard {
        attacks & !self.grid.own
    }

    /// The threats with the attacker on a point, attacking these points.
    #[inline]
    pub fn threats(&self, attacker: G::Square, attacks: G::Bitboard) -> Threats {
        let at = G::Bitboard::of(attacker);
        let is_king = self.grid.attacker == G::Kind::KING;
        let (of_own, own) = (self.of_own, self.own_others);
        let (of_own_king, own_king, of_own, own) = if is_king {
            (attacks, at, of_own, own)
        } else {
            (self.of_own_king, self.own_king, of_own | attacks, own | at)
        };
        let threats = [
            (of_own & self.theirs).any(),
            (of_own_king & self.theirs).any(),
            (self.steps & self.theirs).any(),
            (self.steps & own).any(),
            (of_own_king & own).any(),
            (self.of_theirs & own).any(),
            (self.of_theirs & own_king).any() && (is_king || self.is_white_in_check(at)),
        ];
        threats.iter().rev().fold(0, |all, &it| all << 1 | u8::from(it))
    }

    /// Whether White's king is in check, even with the attacker as a possible blocker.
    fn is_white_in_check(&self, attacker: G::Bitboard) -> bool {
        let theirs = self.grid.fixed.iter().filter(|it| it.color == Color::Black);
        let occupied = self.occupied | attacker;
        theirs.into_iter().any(|it| (it.attacks(occupied) & self.own_king).any())
    }
}
