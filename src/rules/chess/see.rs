//! Static exchange evaluation (SEE): what a capture wins when both sides go on capturing on
//! the same square with their least valuable attacker, each free to stop.
//!
//! Lines open and close as pieces leave, because the attackers are looked up anew after
//! each capture. Pins are left out of account, a promoting pawn counts as a pawn.

use qirkat_game::{Color, Rules};

use super::attacks::attackers_among;
use super::geometry::{Geometry, MoveOf, Sources};
use super::kind::Kind;
use super::position::Position;
use super::square_set::SquareSet;

impl<G: Geometry> Position<G> {
    /// Whether a legal move wins at least `threshold` on its target square, or loses no more
    /// than that if it is negative. Castling wins nothing.
    ///
    /// Each side in turn stops as soon as it has what it needs, so most captures are settled
    /// without looking for the other attackers (the method of Stockfish's `see_ge`).
    #[inline]
    pub(super) fn exchange_wins(&self, mv: MoveOf<G>, threshold: i32) -> bool {
        let value = |kind: G::Kind| G::PIECE_VALUES[kind.index()];
        let Some(mover) = self.kind_on(mv.from).filter(|_| !self.is_castling(mv)) else {
            return threshold <= 0;
        };
        // The balance is what the side that has just captured is ahead of its aim; first ours.
        let mut balance = self.captured(mv).map_or(0, value) - threshold;
        if balance < 0 {
            return false;
        }
        // Then theirs, if they take the mover for nothing.
        balance = value(mover) - balance;
        if balance <= 0 {
            return true;
        }
        let sources = self.sources(mv.to);
        let mut occupied = self.occupied_after(mv);
        let mut side = self.side_to_move();
        // Whether we reach our aim if nobody captures any more.
        let mut reached = true;
        loop {
            side = !side;
            let Some((kind, from)) = self.least_valuable_attacker(mv.to, sources, side, occupied)
            else {
                return reached;
            };
            reached = !reached;
            balance = value(kind) - balance;
            // The side that captures reaches its aim even if its piece is lost: an equal
            // balance is enough for us, not for them.
            if balance < i32::from(reached) {
                return reached;
            }
            occupied ^= G::Bitboard::of(from);
        }
    }

    /// The squares taken after a move.
    #[inline]
    fn occupied_after(&self, mv: MoveOf<G>) -> G::Bitboard {
        let [from, to] = [mv.from, mv.to].map(G::Bitboard::of);
        let occupied = (self.occupied() ^ from) | to;
        let answered = self.answered_double_step(mv.from, mv.to);
        match answered.filter(|_| self.kind_on(mv.from) == Some(G::Kind::PAWN)) {
            Some(target) => occupied ^ G::Bitboard::of(target.pawn),
            None => occupied,
        }
    }

    /// The least valuable piece of `side` among those on `occupied` that may capture on a
    /// square, whose sources are known; a king only where no enemy could then take it.
    fn least_valuable_attacker(
        &self,
        square: G::Square,
        sources: Sources<G::Bitboard>,
        side: Color,
        occupied: G::Bitboard,
    ) -> Option<(G::Kind, G::Square)> {
        let attackers = attackers_among::<G>(self.of_color(side), sources, square, occupied);
        let mut kinds = G::Kind::ALL.iter().copied();
        let kind = kinds.find(|&kind| (attackers & self.of_kind(kind)).any())?;
        let from = (attackers & self.of_kind(kind)).lsb()?;
        let walks_into_attack = kind == G::Kind::KING
            && self.is_attacked(square, !side, occupied ^ G::Bitboard::of(from));
        (!walks_into_attack).then_some((kind, from))
    }
}
