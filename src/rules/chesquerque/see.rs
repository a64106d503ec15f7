//! Static exchange evaluation (SEE): see [`chess::see_ge`]. Knights' legs and the captures
//! of plain-point pawns open and close like lines as pieces leave.

use super::bitboard::Bitboard;
use super::move_list::Move;
use super::piece::PieceKind;
use super::point::Point;
use super::position::Position;
use crate::chess::{self, Exchange};
use qirkat_game::Color;

/// The value of each kind of piece in exchanges, in centipawns, by
/// [`PieceKind::index`]. No exchange outweighs a king.
pub const PIECE_VALUES: [i32; PieceKind::COUNT] = [100, 320, 560, 850, 920, 1040, 10_000];

impl Position {
    /// Whether a legal move wins at least `threshold` on its target point, or
    /// loses no more than that if it is negative. Castling wins nothing.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::Position;
    ///
    /// // The pawn on a5 is free for the rook; that on i5 is defended by h6.
    /// let position: Position = "4k4/9/9/7p1/p7p/9/9/9/R3K3R w - - 0 1".parse()?;
    /// assert!(position.see_ge("a1a5".parse()?, 100));
    /// assert!(!position.see_ge("a1a5".parse()?, 101));
    /// assert!(!position.see_ge("i1i5".parse()?, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        chess::see_ge(self, mv, threshold)
    }
}

impl Exchange for Position {
    #[inline]
    fn exchange_value(kind: PieceKind) -> i32 {
        PIECE_VALUES[kind.index()]
    }

    #[inline]
    fn occupied_after(&self, mv: Move) -> Bitboard {
        let occupied = (self.occupied() ^ mv.from.bit()) | mv.to.bit();
        if self.is_en_passant(mv) {
            occupied & !self.passed_pawn_point(mv.to).bit()
        } else {
            occupied
        }
    }

    #[inline]
    fn without(occupied: Bitboard, point: Point) -> Bitboard {
        occupied ^ point.bit()
    }

    fn least_valuable_attacker(
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
}

impl Position {
    /// Where the pawn stands that has just passed over `target`.
    #[inline]
    fn passed_pawn_point(&self, target: Point) -> Point {
        match self.side_to_move {
            Color::White => target.stepped(-(Point::FILES as i8)),
            Color::Black => target.stepped(Point::FILES as i8),
        }
    }
}
