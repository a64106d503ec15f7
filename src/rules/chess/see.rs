//! Static exchange evaluation (SEE): what a capture wins when both sides go on capturing on
//! the same square with their least valuable attacker, each free to stop.
//!
//! Lines open and close as pieces leave, because the attackers are looked up anew after
//! each capture. Pins are left out of account, a promoting pawn counts as a pawn.

use super::chess_position::{ChessPosition, MoveOf};
use qirkat_game::Color;

/// What exchanges need to know of a position.
pub(crate) trait Exchange: ChessPosition {
    /// The value of a kind of piece in exchanges, in centipawns.
    fn exchange_value(kind: Self::Kind) -> i32;

    /// The squares taken after a move.
    fn occupied_after(&self, mv: MoveOf<Self>) -> Self::Bitboard;

    /// `occupied` without a square that is in it.
    fn without(occupied: Self::Bitboard, square: Self::Square) -> Self::Bitboard;

    /// The least valuable piece of `side` among those on `occupied` that may capture on a
    /// square; a king only where no enemy could then take it.
    fn least_valuable_attacker(
        &self,
        square: Self::Square,
        side: Color,
        occupied: Self::Bitboard,
    ) -> Option<(Self::Kind, Self::Square)>;
}

/// Whether a legal move wins at least `threshold` on its target square, or loses no more
/// than that if it is negative. Castling wins nothing.
///
/// Each side in turn stops as soon as it has what it needs, so most captures are settled
/// without looking for the other attackers (the method of Stockfish's `see_ge`).
#[inline]
pub(crate) fn see_ge<P: Exchange>(position: &P, mv: MoveOf<P>, threshold: i32) -> bool {
    let Some(mover) = position.kind_on(mv.from).filter(|_| !position.is_castling(mv)) else {
        return threshold <= 0;
    };
    // The balance is what the side that has just captured is ahead of its aim; first ours.
    let mut balance = position.captured(mv).map_or(0, P::exchange_value) - threshold;
    if balance < 0 {
        return false;
    }
    // Then theirs, if they take the mover for nothing.
    balance = P::exchange_value(mover) - balance;
    if balance <= 0 {
        return true;
    }
    let mut occupied = position.occupied_after(mv);
    let mut side = position.side_to_move();
    // Whether we reach our aim if nobody captures any more.
    let mut reached = true;
    loop {
        side = !side;
        let Some((kind, from)) = position.least_valuable_attacker(mv.to, side, occupied) else {
            return reached;
        };
        reached = !reached;
        balance = P::exchange_value(kind) - balance;
        // The side that captures reaches its aim even if its piece is lost: an equal
        // balance is enough for us, not for them.
        if balance < i32::from(reached) {
            return reached;
        }
        occupied = P::without(occupied, from);
    }
}
