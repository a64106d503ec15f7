//! Attackers of a square, checkers of the king, pinned pieces, and static exchange evaluation.

use qirkat_game::{Color, Rules};

use super::geometry::{Geometry, MoveOf, Sources};
use super::piece::Kind;
use super::position::Position;
use super::square::SquareSet;
use crate::Side;

/// Checks and pins against one side's king, found in one pass.
#[derive(Clone, Copy)]
pub(super) struct CheckInfo<G: Geometry> {
    pub king: G::Square,
    /// Enemy pieces that give check.
    pub checkers: G::Bitboard,
    /// Pieces of the king's side that alone block a far check.
    pub pinned: G::Bitboard,
    /// The enemy pieces behind the pinned ones.
    pinners: G::Bitboard,
}

impl<G: Geometry> CheckInfo<G> {
    /// The pin mask: where the pinned piece on a square may go without unblocking any of its
    /// pinners; it may have more than one.
    #[inline]
    pub fn pin_mask(&self, square: G::Square) -> G::Bitboard {
        self.pinners
            .into_iter()
            .map(|pinner| blocking_squares::<G>(self.king, pinner))
            .filter(|line| line.contains(square))
            .fold(G::Bitboard::ALL, |mask, line| mask & line)
    }
}

/// The squares on which a piece stops a far attack on the king, including the attacker's.
#[inline]
fn blocking_squares<G: Geometry>(king: G::Square, attacker: G::Square) -> G::Bitboard {
    G::between(king, attacker) | G::Bitboard::of(attacker)
}

/// Those of `pieces` that are in `occupied` and attack a square from its `sources`.
#[inline]
pub(super) fn attackers_among<G: Geometry>(
    pieces: G::Bitboard,
    sources: Sources<G::Bitboard>,
    square: G::Square,
    occupied: G::Bitboard,
) -> G::Bitboard {
    let pieces = pieces & occupied;
    (sources.far & pieces)
        .into_iter()
        .filter(|&attacker| (G::between(square, attacker) & occupied).is_empty())
        .fold(sources.near & pieces, |set, attacker| set | G::Bitboard::of(attacker))
}

impl<G: Geometry> Position<G> {
    /// The pieces of both sides that attack a square, ignoring blockers.
    #[inline]
    pub(super) fn sources(&self, square: G::Square) -> Sources<G::Bitboard> {
        let Sources { near, far } = G::piece_sources(square, |kind| self.of_kind(kind));
        let pawns = (G::pawn_sources(Color::White, square) & self.of_color(Color::White))
            | (G::pawn_sources(Color::Black, square) & self.of_color(Color::Black));
        Sources { near: near | (pawns & self.of_kind(G::Kind::PAWN)), far }
    }

    /// The pieces of a side with a far attack on a square, ignoring blockers.
    #[inline]
    pub(super) fn far_attackers_of(&self, color: Color, square: G::Square) -> G::Bitboard {
        self.sources(square).far & self.of_color(color)
    }

    /// The pieces of both sides that attack a square, pinned or not. Intersect with
    /// [`Position::of_color`] for those of one side.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::{Color, Point, Position};
    ///
    /// // Pawns attack diagonal points only: d4 attacks c5 and e5, and e6 attacks e5.
    /// let position: Position = "4k4/9/9/4p4/4P4/3P5/9/9/R2RK4 w - - 0 1".parse()?;
    /// let point: Point = "d5".parse()?;
    /// assert!(position.attackers(point).is_empty());
    /// let attackers = position.attackers("d4".parse()?) & position.of_color(Color::White);
    /// assert_eq!(attackers.into_iter().collect::<Vec<_>>(), ["d1".parse()?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn attackers(&self, square: G::Square) -> G::Bitboard {
        let occupied = self.occupied();
        attackers_among::<G>(occupied, self.sources(square), square, occupied)
    }

    /// Whether a piece of `by` among `occupied` attacks a square with this occupancy.
    #[inline]
    pub(super) fn is_attacked(&self, square: G::Square, by: Color, occupied: G::Bitboard) -> bool {
        let enemies = self.of_color(by) & occupied;
        let sources = self.sources(square);
        (sources.near & enemies).any()
            || (sources.far & enemies)
                .into_iter()
                .any(|attacker| (G::between(square, attacker) & occupied).is_empty())
    }

    #[inline]
    pub fn in_check(&self) -> bool {
        let us = self.side_to_move;
        self.is_attacked(self.king(us), !us, self.occupied())
    }

    /// The enemy pieces that give check to the side to move.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::Position;
    ///
    /// let position: Position = "4k4/9/9/9/4r4/9/9/9/4K4 w - - 0 1".parse()?;
    /// assert_eq!(position.checkers().lsb(), Some("e5".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn checkers(&self) -> G::Bitboard {
        self.check_info_of_mover().checkers
    }

    /// The pinned pieces of the side to move: each alone blocks a line, or a knight's leg, to its
    /// own king.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::Position;
    ///
    /// let position: Position = "4k4/9/9/9/4r4/9/9/4B4/4K4 w - - 0 1".parse()?;
    /// assert_eq!(position.pinned().lsb(), Some("e2".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pinned(&self) -> G::Bitboard {
        self.check_info_of_mover().pinned
    }

    /// Where a pinned piece of a side may go without exposing its king: the squares on which it
    /// still blocks the line, its own among them, and that of the attacker; none if it is not pinned.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::{Color, Position};
    ///
    /// let position: Position = "4k4/9/9/9/4r4/9/9/9/4RK3 b - - 0 1".parse()?;
    /// assert!(position.pin(Color::Black, "e5".parse()?).is_some_and(|line| line.len() == 8));
    /// assert!(position.pin(Color::White, "e1".parse()?).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pin(&self, color: Color, square: G::Square) -> Option<G::Bitboard> {
        let checks = match_side!(color, Own => self.check_info::<Own>());
        checks.pinned.contains(square).then(|| checks.pin_mask(square))
    }

    /// The check mask: the squares to which pieces other than the king may move. If in check, those
    /// that parry every check at once; otherwise all. One square can parry two checks, such as the
    /// leg of two knights in Chesquerque.
    #[inline]
    pub(super) fn check_mask(&self, checks: &CheckInfo<G>) -> G::Bitboard {
        if checks.checkers.is_empty() {
            return G::Bitboard::ALL;
        }
        let near = self.sources(checks.king).near & checks.checkers;
        let mask = match (near.any(), near.more_than_one()) {
            (false, _) => G::Bitboard::ALL,
            (true, false) => near,
            (true, true) => G::Bitboard::EMPTY,
        };
        (checks.checkers & !near)
            .into_iter()
            .fold(mask, |mask, checker| mask & blocking_squares::<G>(checks.king, checker))
    }

    fn check_info_of_mover(&self) -> CheckInfo<G> {
        match_side!(self.side_to_move, Own => self.check_info::<Own>())
    }

    /// Checks and pins against the king of side `S`.
    #[inline]
    pub(super) fn check_info<S: Side>(&self) -> CheckInfo<G> {
        let king = self.king(S::COLOR);
        let occupied = self.occupied();
        let own = self.of_color(S::COLOR);
        let enemies = self.of_color(S::Enemy::COLOR);
        let sources = self.sources(king);
        let mut checks = CheckInfo {
            king,
            checkers: sources.near & enemies,
            pinned: G::Bitboard::EMPTY,
            pinners: G::Bitboard::EMPTY,
        };
        for attacker in sources.far & enemies {
            let blockers = G::between(king, attacker) & occupied;
            if blockers.is_empty() {
                checks.checkers |= G::Bitboard::of(attacker);
            } else if !blockers.more_than_one() && (blockers & own).any() {
                checks.pinned |= blockers;
                checks.pinners |= G::Bitboard::of(attacker);
            }
        }
        checks
    }
}

/// Static exchange evaluation (SEE): the gain of a capture when both sides go on capturing on the
/// same square with their least valuable attacker, and each may stop.
///
/// Attackers are looked up again after each capture, which covers lines that open and close. Pins
/// are ignored, and a promoting pawn counts as a pawn.
impl<G: Geometry> Position<G> {
    /// Whether a legal move wins at least `threshold` on its target square, or, if that is
    /// negative, loses no more than that. Castling wins nothing.
    ///
    /// Each side stops as soon as it has reached its goal, so most captures need no further
    /// attackers (as in Stockfish's `see_ge`).
    #[inline]
    pub(super) fn exchange_wins(&self, mv: MoveOf<G>, threshold: i32) -> bool {
        let value = |kind: G::Kind| G::PIECE_VALUES[kind.index()];
        let Some(mover) = self.kind_on(mv.from).filter(|_| !self.is_castling(mv)) else {
            return threshold <= 0;
        };
        // How far the side that captured last is above its goal, starting with us.
        let mut balance = self.captured(mv).map_or(0, value) - threshold;
        if balance < 0 {
            return false;
        }
        // Then them, if they capture the moved piece for free.
        balance = value(mover) - balance;
        if balance <= 0 {
            return true;
        }
        let sources = self.sources(mv.to);
        let mut occupied = self.occupied_after(mv);
        let mut side = self.side_to_move();
        // Whether we reach our goal if captures stop here.
        let mut reached = true;
        loop {
            side = !side;
            let Some((kind, from)) = self.least_valuable_attacker(mv.to, sources, side, occupied)
            else {
                return reached;
            };
            reached = !reached;
            balance = value(kind) - balance;
            // The capturing side reaches its goal even if it loses this piece. A zero balance is
            // enough for us, but not for them.
            if balance < i32::from(reached) {
                return reached;
            }
            occupied ^= G::Bitboard::of(from);
        }
    }

    #[inline]
    fn occupied_after(&self, mv: MoveOf<G>) -> G::Bitboard {
        let [from, to] = [mv.from, mv.to].map(G::Bitboard::of);
        let occupied = (self.occupied() ^ from) | to;
        match self.captured_en_passant(mv) {
            Some(en_passant) => occupied ^ G::Bitboard::of(en_passant.pawn),
            None => occupied,
        }
    }

    /// The least valuable piece of `side` among `occupied` that may capture on a square with these
    /// sources; a king only if no enemy could recapture.
    fn least_valuable_attacker(
        &self,
        square: G::Square,
        sources: Sources<G::Bitboard>,
        side: Color,
        occupied: G::Bitboard,
    ) -> Option<(G::Kind, G::Square)> {
        let attackers = (sources.near | sources.far) & self.of_color(side) & occupied;
        if attackers.is_empty() {
            return None;
        }
        let reaches = |from: &G::Square| {
            sources.near.contains(*from) || (G::between(square, *from) & occupied).is_empty()
        };
        let (kind, from) = G::Kind::ALL.iter().find_map(|&kind| {
            let from = (attackers & self.of_kind(kind)).into_iter().find(reaches)?;
            Some((kind, from))
        })?;
        let walks_into_attack = kind == G::Kind::KING
            && self.is_attacked(square, !side, occupied ^ G::Bitboard::of(from));
        (!walks_into_attack).then_some((kind, from))
    }
}
