//! Attackers of a square, checkers of the king, and pinned pieces.

use qirkat_game::Color;

use super::geometry::{Geometry, Sources};
use super::kind::Kind;
use super::position::Position;
use super::side::{Black, Side, White};
use super::square_set::SquareSet;

/// Checks and pins of the side to move, found in one pass.
#[derive(Clone, Copy)]
pub(super) struct KingDanger<G: Geometry> {
    pub king: G::Square,
    /// Enemy pieces that give check.
    pub checkers: G::Bitboard,
    /// Own pieces that alone keep the way of a check from afar closed.
    pub pinned: G::Bitboard,
    /// The enemy pieces behind the pinned ones.
    pinners: G::Bitboard,
}

impl<G: Geometry> KingDanger<G> {
    /// The pin mask: where the pinned piece on a square may go without opening the way of
    /// any of its pinners; there may be more than one behind it.
    #[inline]
    pub fn pin_mask(&self, square: G::Square) -> G::Bitboard {
        self.pinners
            .into_iter()
            .map(|pinner| closing::<G>(self.king, pinner))
            .filter(|closing| closing.contains(square))
            .fold(G::Bitboard::ALL, |mask, closing| mask & closing)
    }
}

/// The squares on which a piece stops a distant attacker from reaching the king, the
/// attacker's own among them.
#[inline]
fn closing<G: Geometry>(king: G::Square, attacker: G::Square) -> G::Bitboard {
    G::between(king, attacker) | G::Bitboard::of(attacker)
}

/// Those among `pieces` that attack a square from its `sources` when the squares in `occupied` are
/// taken, their own among them.
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
    /// The pieces of both sides that attack a square, or would if nothing were in the way.
    #[inline]
    pub(super) fn sources(&self, square: G::Square) -> Sources<G::Bitboard> {
        let Sources { near, far } = G::attackers(square, |kind| self.of_kind(kind));
        let pawns = (G::pawn_sources(Color::White, square) & self.of_color(Color::White))
            | (G::pawn_sources(Color::Black, square) & self.of_color(Color::Black));
        Sources { near: near | (pawns & self.of_kind(G::Kind::PAWN)), far }
    }

    /// The pieces of a side that would attack a square from afar if nothing were in the way.
    #[inline]
    pub(super) fn far_attackers_of(&self, color: Color, square: G::Square) -> G::Bitboard {
        self.sources(square).far & self.of_color(color)
    }

    /// The pieces of both sides that attack a square, whatever stands there and whether or
    /// not they are pinned. Intersect with [`Position::of_color`] for those of one side.
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

    /// Whether a piece of `by` that stands on `occupied` attacks a square when the squares
    /// in `occupied` are taken.
    #[inline]
    pub(super) fn is_attacked(&self, square: G::Square, by: Color, occupied: G::Bitboard) -> bool {
        let enemies = self.of_color(by) & occupied;
        let sources = self.sources(square);
        (sources.near & enemies).any()
            || (sources.far & enemies)
                .into_iter()
                .any(|attacker| (G::between(square, attacker) & occupied).is_empty())
    }

    /// Whether the side to move is in check.
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
        self.danger_to_mover().checkers
    }

    /// The pieces of the side to move that are pinned: each of them alone keeps a line, or a
    /// knight's leg, to its own king closed.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::Position;
    ///
    /// let position: Position = "4k4/9/9/9/4r4/9/9/4B4/4K4 w - - 0 1".parse()?;
    /// assert_eq!(position.pinned().lsb(), Some("e2".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pinned(&self) -> G::Bitboard {
        self.danger_to_mover().pinned
    }

    /// The check mask: where pieces other than the king may go, which is anywhere, or where
    /// every check is parried at once. Two checks can share a square that parries both, such
    /// as the leg of two knights in Chesquerque.
    #[inline]
    pub(super) fn parrying(&self, danger: &KingDanger<G>) -> G::Bitboard {
        if danger.checkers.is_empty() {
            return G::Bitboard::ALL;
        }
        let near = self.sources(danger.king).near & danger.checkers;
        let mask = match (near.any(), near.more_than_one()) {
            (false, _) => G::Bitboard::ALL,
            (true, false) => near,
            (true, true) => G::Bitboard::EMPTY,
        };
        (danger.checkers & !near)
            .into_iter()
            .fold(mask, |mask, checker| mask & closing::<G>(danger.king, checker))
    }

    fn danger_to_mover(&self) -> KingDanger<G> {
        match self.side_to_move {
            Color::White => self.king_danger::<White>(),
            Color::Black => self.king_danger::<Black>(),
        }
    }

    /// Checks against and pins before the king of the side to move.
    #[inline]
    pub(super) fn king_danger<S: Side>(&self) -> KingDanger<G> {
        let king = self.king(S::COLOR);
        let occupied = self.occupied();
        let own = self.of_color(S::COLOR);
        let enemies = self.of_color(S::Enemy::COLOR);
        let sources = self.sources(king);
        let mut danger = KingDanger {
            king,
            checkers: sources.near & enemies,
            pinned: G::Bitboard::EMPTY,
            pinners: G::Bitboard::EMPTY,
        };
        for attacker in sources.far & enemies {
            let blockers = G::between(king, attacker) & occupied;
            if blockers.is_empty() {
                danger.checkers |= G::Bitboard::of(attacker);
            } else if !blockers.more_than_one() && (blockers & own).any() {
                danger.pinned |= blockers;
                danger.pinners |= G::Bitboard::of(attacker);
            }
        }
        danger
    }
}
