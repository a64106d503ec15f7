//! Static exchange evaluation: what a capture is worth when both sides go on
//! capturing on the same point with their cheapest man, each free to stop.
//!
//! Lines, knights' legs and plain-point pawns open and close as men leave,
//! because the attackers are looked up anew after each capture. Pins are left
//! out of account, a promoting pawn counts as a pawn.

use super::{Bitboard, Color, Move, PieceKind, Point, Position};

/// What a man is worth in an exchange, in the unit of the caller's table.
pub type ExchangeValue = i32;

/// Worth of each kind of man, by [`PieceKind::index`].
#[derive(Clone, Copy, Debug)]
pub struct ExchangeValues(pub [ExchangeValue; PieceKind::COUNT]);

impl ExchangeValues {
    /// Worth of a man of this kind.
    #[inline]
    pub fn of(&self, kind: PieceKind) -> ExchangeValue {
        self.0[kind.index()]
    }
}

impl Position {
    /// Whether a legal move wins at least `least` on its target point, or
    /// loses no more than that if it is negative. Castling wins nothing.
    ///
    /// Each side in turn stops as soon as it has what it needs, so most
    /// captures are settled without looking for the other attackers (the
    /// method of Stockfish's `see_ge`).
    pub fn exchange_wins(&self, mv: Move, least: ExchangeValue, values: &ExchangeValues) -> bool {
        let Some(mover) = self.kind_on(mv.from).filter(|_| !self.is_castling(mv)) else {
            return least <= 0;
        };
        // What the side that has just captured is ahead of its aim; first ours.
        let mut lead = self.captured(mv).map_or(0, |kind| values.of(kind)) - least;
        if lead < 0 {
            return false;
        }
        // Then theirs, if they take the mover for nothing.
        lead = values.of(mover) - lead;
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
            lead = values.of(kind) - lead;
            // The side that captures reaches its aim even if its man is lost:
            // an equal balance is enough for us, not for them.
            if lead < i32::from(reached) {
                return reached;
            }
            occupied ^= from.bit();
        }
    }

    /// The cheapest man of `side` that may capture on `point`; a king only
    /// where no enemy could then take it.
    fn cheapest_attacker(
        &self,
        point: Point,
        side: Color,
        occupied: Bitboard,
    ) -> Option<(PieceKind, Point)> {
        let attackers = self.attackers(point, occupied) & self.of_color(side);
        let kind =
            PieceKind::ALL.into_iter().find(|&kind| (attackers & self.of_kind(kind)).any())?;
        let from = (attackers & self.of_kind(kind)).first()?;
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
