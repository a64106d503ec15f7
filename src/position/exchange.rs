//! Static exchange evaluation: what a capture is worth when both sides go on
//! capturing on the same point with their cheapest man, each free to stop.
//!
//! Lines, knights' legs and plain-point pawns open and close as men leave,
//! because the attackers are looked up anew after each capture. Pins are left
//! out of account, a promoting pawn counts as a pawn.

use arrayvec::ArrayVec;

use super::{Bitboard, Color, Move, PieceKind, Point, Position};

/// What a man is worth in an exchange, in the unit of the caller's table.
pub type ExchangeValue = i32;

/// Worth of each kind of man, by [`PieceKind::index`].
#[derive(Clone, Copy, Debug)]
pub struct ExchangeValues(pub [ExchangeValue; PieceKind::COUNT]);

impl ExchangeValues {
    #[inline]
    fn of(&self, kind: PieceKind) -> ExchangeValue {
        self.0[kind.index()]
    }
}

impl Position {
    /// What a legal move wins or loses on its target point. Castling is 0.
    pub fn exchange_value(&self, mv: Move, values: &ExchangeValues) -> ExchangeValue {
        let Some(mover) = self.kind_on(mv.from) else { return 0 };
        if self.is_castling(mv) {
            return 0;
        }
        let mut occupied = (self.occupied() ^ mv.from.bit()) | mv.to.bit();
        if self.is_en_passant(mv) {
            occupied &= !self.passed_pawn_point(mv.to).bit();
        }
        let first_prey = self.captured(mv).map_or(0, |kind| values.of(kind));

        // What each recapture in turn would take.
        let mut preys = ArrayVec::<ExchangeValue, { Point::COUNT }>::new();
        let mut side = !self.side_to_move;
        let mut on_target = mover;
        while let Some((kind, from)) = self.cheapest_attacker(mv.to, side, occupied) {
            preys.push(values.of(on_target));
            occupied ^= from.bit();
            on_target = kind;
            side = !side;
        }
        // From the last recapture back: each is made only where it pays.
        let reply = preys.into_iter().rev().fold(0, |later, prey| (prey - later).max(0));
        first_prey - reply
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
