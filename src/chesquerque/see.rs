//! Static exchange evaluation (SEE): what a capture wins when both sides go on
//! capturing on the same point with their cheapest piece, each free to stop.
//!
//! Lines, knights' legs and plain-point pawns open and close as pieces leave,
//! because the attackers are looked up anew after each capture. Pins are left
//! out of account, a promoting pawn counts as a pawn.

use super::bitboard::Bitboard;
use super::move_list::Move;
use super::piece::PieceKind;
use super::point::Point;
use super::position::Position;
use crate::game::Color;

/// The value of each kind of piece in exchanges, in centipawns, by
/// [`PieceKind::index`]. No exchange outweighs a king.
pub const PIECE_VALUES: [i32; PieceKind::COUNT] = [100, 320, 560, 850, 920, 1040, 10_000];

#[inline]
const fn value(kind: PieceKind) -> i32 {
    PIECE_VALUES[kind.index()]
}

impl Position {
    /// Whether a legal move wins at least `threshold` on its target point, or
    /// loses no more than that if it is negative. Castling wins nothing.
    ///
    /// ```
    /// use qirkat::Position;
    ///
    /// // The pawn on a5 is free for the rook; that on i5 is defended by h6.
    /// let position: Position = "4k4/9/9/7p1/p7p/9/9/9/R3K3R w - - 0 1".parse()?;
    /// assert!(position.see_ge("a1a5".parse()?, 100));
    /// assert!(!position.see_ge("a1a5".parse()?, 101));
    /// assert!(!position.see_ge("i1i5".parse()?, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Each side in turn stops as soon as it has what it needs, so most
    /// captures are settled without looking for the other attackers (the
    /// method of Stockfish's `see_ge`).
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let Some(mover) = self.kind_on(mv.from).filter(|_| !self.is_castling(mv)) else {
            return threshold <= 0;
        };
        // What the side that has just captured is ahead of its aim; first ours.
        let mut lead = self.captured(mv).map_or(0, value) - threshold;
        if lead < 0 {
            return false;
        }
        // Then theirs, if they take the mover for nothing.
        lead = value(mover) - lead;
        if lead <= 0 {
            return true;
        }
        let mut occupied = (self.occupied() ^ mv.from.bit()) | mv.to.bit();
        if self.is_en_passant(mv) {
            occupied &= !self.passed_pawn_point(mv.to).bit();
        }
        let mut side = self.side_to_move;
        // Whether we reach our aim if nobody captures any more.
        let mut reached = true;
        loop {
            side = !side;
            let Some((kind, from)) = self.cheapest_attacker(mv.to, side, occupied) else {
                return reached;
            };
            reached = !reached;
            lead = value(kind) - lead;
            // The side that captures reaches its aim even if its piece is lost:
            // an equal balance is enough for us, not for them.
            if lead < i32::from(reached) {
                return reached;
            }
            occupied ^= from.bit();
        }
    }

    /// The cheapest piece of `side` that may capture on `point`; a king only
    /// where no enemy could then take it.
    fn cheapest_attacker(
        &self,
        point: Point,
        side: Color,
        occupied: Bitboard,
    ) -> Option<(PieceKind, Point)> {
        let attackers = self.attackers_through(point, occupied) & self.of_color(side);
        let kind =
            PieceKind::ALL.into_iter().find(|&kind| (attackers & self.of_kind(kind)).any())?;
        let from = (attackers & self.of_kind(kind)).lsb()?;
        let walks_into_attack =
            kind == PieceKind::King && self.is_attacked(point, !side, occupied ^ from.bit());
        (!walks_into_attack).then_some((kind, from))
    }

    /// Where the pawn stands that has just passed over `target`.
    #[inline]
    fn passed_pawn_point(&self, target: Point) -> Point {
        match self.side_to_move {
            Color::White => target.stepped(-(Point::FILES as i8)),
            Color::Black => target.stepped(Point::FILES as i8),
        }
    }
}
