//! Single pawns, their special ranks, and en passant.

use qirkat_game::Color;

use super::geometry::{Geometry, PawnDirection};
use super::piece::Kind;
use super::position::{EnPassant, Position, en_passant_key};
use super::square::{Square, SquareSet};

/// The maximum number of directions of a game's pawns.
pub const MAX_PAWN_DIRECTIONS: usize = 4;

#[inline]
pub(super) fn pawn_directions<G: Geometry>(color: Color) -> impl Iterator<Item = G::PawnDirection> {
    (0..MAX_PAWN_DIRECTIONS).map_while(move |number| G::pawn_direction(color, number))
}

/// The rank that a side's pawns reach with the first half of a double step.
#[inline]
pub(super) fn third_rank<G: Geometry>(color: Color) -> G::Bitboard {
    match color {
        Color::White => G::Bitboard::rank(2),
        Color::Black => G::Bitboard::rank(G::Square::RANKS - 3),
    }
}

#[inline]
pub(super) fn last_rank<G: Geometry>(color: Color) -> G::Bitboard {
    match color {
        Color::White => G::Bitboard::rank(G::Square::RANKS - 1),
        Color::Black => G::Bitboard::rank(0),
    }
}

#[inline]
pub fn pawn_captures<G: Geometry>(color: Color, from: G::Square) -> G::Bitboard {
    let pawn = G::Bitboard::of(from);
    pawn_directions::<G>(color).fold(G::Bitboard::EMPTY, |all, it| all | it.captures(pawn))
}

/// The squares to which a pawn steps, if they are empty.
#[inline]
pub fn pawn_steps<G: Geometry>(color: Color, from: G::Square) -> G::Bitboard {
    let pawn = G::Bitboard::of(from);
    pawn_directions::<G>(color).fold(G::Bitboard::EMPTY, |all, it| all | it.steps(pawn))
}

/// The target of a pawn's double step over a square, ignoring occupancy; none unless it is on its
/// starting rank.
#[inline]
pub fn double_step<G: Geometry>(
    color: Color,
    from: G::Square,
    over: G::Square,
) -> Option<G::Square> {
    if !third_rank::<G>(color).contains(over) {
        return None;
    }
    let mut directions = pawn_directions::<G>(color);
    let steps_over = |it: &G::PawnDirection| it.steps(G::Bitboard::of(from)).contains(over);
    directions.find(steps_over)?.steps(G::Bitboard::of(over)).lsb()
}

impl<S: Square> EnPassant<S> {
    /// Whether a pawn of `color` that moves from one square to another captures en passant.
    #[inline]
    pub(super) fn is_captured_by<G: Geometry<Square = S>>(
        self,
        color: Color,
        from: S,
        to: S,
    ) -> bool {
        self.passed == to && G::pawn_sources(color, to).contains(from)
    }
}

impl<G: Geometry> Position<G> {
    /// Whether a pawn on `from` may step to or capture on `to`, ignoring en passant and the king's
    /// safety.
    pub(super) fn pawn_reaches(&self, color: Color, from: G::Square, to: G::Square) -> bool {
        let occupied = self.occupied();
        if occupied.contains(to) {
            return G::pawn_sources(color, to).contains(from);
        }
        pawn_directions::<G>(color).any(|direction| {
            let first = direction.steps(G::Bitboard::of(from)) & !occupied;
            (first | direction.steps(first & third_rank::<G>(color))).contains(to)
        })
    }

    #[inline]
    pub(super) fn en_passant_captors(&self, color: Color, passed: G::Square) -> G::Bitboard {
        G::pawn_sources(color, passed) & self.of(color, G::Kind::PAWN)
    }

    /// Whether the king is safe when the pawn on `from` captures en passant. That removes two
    /// pieces at once, so it is tested on the board.
    pub(super) fn en_passant_is_legal(
        &self,
        color: Color,
        from: G::Square,
        en_passant: EnPassant<G::Square>,
    ) -> bool {
        let [from, pawn, passed] = [from, en_passant.pawn, en_passant.passed].map(G::Bitboard::of);
        let occupied = (self.occupied() ^ from ^ pawn) | passed;
        !self.is_attacked(self.king(color), !color, occupied)
    }

    /// The double step that a pawn's move captures en passant, if it does: in Masonic chess a pawn
    /// can also step to the square that was passed.
    #[inline]
    pub(super) fn captured_double_step(
        &self,
        from: G::Square,
        to: G::Square,
    ) -> Option<EnPassant<G::Square>> {
        self.en_passant.filter(|it| it.is_captured_by::<G>(self.side_to_move, from, to))
    }

    /// Records a double step just made if `color`, now to move, can legally capture it en passant;
    /// returns whether it can.
    #[inline]
    pub(super) fn offer_en_passant(&mut self, color: Color, step: EnPassant<G::Square>) -> bool {
        let captors = self.en_passant_captors(color, step.passed);
        let is_legal = captors.any() && self.any_captures_en_passant(color, captors, step);
        if is_legal {
            self.en_passant = Some(step);
            self.key ^= en_passant_key::<G>(step.passed, step.pawn);
        }
        is_legal
    }

    // Not inlined into making moves, since it is rare.
    #[cold]
    fn any_captures_en_passant(
        &self,
        color: Color,
        captors: G::Bitboard,
        en_passant: EnPassant<G::Square>,
    ) -> bool {
        captors.into_iter().any(|from| self.en_passant_is_legal(color, from, en_passant))
    }

    #[inline]
    pub(super) fn forget_en_passant(&mut self) -> Option<EnPassant<G::Square>> {
        let forgotten = self.en_passant.take();
        if let Some(EnPassant { passed, pawn }) = forgotten {
            self.key ^= en_passant_key::<G>(passed, pawn);
        }
        forgotten
    }
}
