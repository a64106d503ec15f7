//! Attackers of a point, checkers of the king, and pinned pieces.

use super::bitboard::Bitboard;
use super::lines::{KNIGHT_PATHS, LINES, between};
use super::piece::PieceKind;
use super::point::Point;
use super::position::Position;
use super::rays::{diagonal, orthogonal};
use super::side::{Black, Side, White};
use qirkat_game::Color;

/// Checks and pins of the side to move, found in one pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct KingDanger {
    pub king: Point,
    /// Enemy pieces that give check.
    pub checkers: Bitboard,
    /// Own pieces that alone keep a line or a knight's leg to the king closed.
    pub pinned: Bitboard,
    /// The enemy pieces behind the pinned ones.
    pub pinners: Bitboard,
}

impl KingDanger {
    /// The check mask: where pieces other than the king may go, which is anywhere, or
    /// where every check is parried at once. Two checks can share a point that parries both,
    /// such as the leg of two knights.
    #[inline]
    pub fn parrying_points(&self) -> Bitboard {
        self.checkers
            .into_iter()
            .fold(Bitboard::ALL, |mask, checker| mask & self.closing_points(checker))
    }

    /// The pin mask: where the pinned piece on `point` may go without opening the way
    /// of any of its pinners; there may be more than one behind it.
    #[inline]
    pub fn pin_mask(&self, point: Point) -> Bitboard {
        self.pinners
            .into_iter()
            .map(|pinner| self.closing_points(pinner))
            .filter(|closing| closing.contains(point))
            .fold(Bitboard::ALL, |mask, closing| mask & closing)
    }

    /// The points on which a piece stops `attacker` from reaching the king,
    /// the attacker's own among them.
    #[inline]
    fn closing_points(&self, attacker: Point) -> Bitboard {
        between(self.king, attacker) | attacker.bit()
    }
}

/// Points a knight on `from` attacks: those beyond its empty legs.
#[inline]
pub(super) fn knight_attacks(from: Point, occupied: Bitboard) -> Bitboard {
    KNIGHT_PATHS[from].iter().fold(Bitboard::EMPTY, |targets, path| {
        if (path.leg & occupied).is_empty() { targets | path.targets } else { targets }
    })
}

/// Points that a piece on `from` attacks when the points in `occupied` are
/// taken. Empty for pawns, whose attacks depend on their side.
///
/// ```
/// use qirkat_rules::chesquerque::piece_attacks;
/// use qirkat_rules::chesquerque::{Bitboard, PieceKind, Point};
///
/// let attacks = |kind, text: &str| -> Result<u32, Box<dyn std::error::Error>> {
///     Ok(piece_attacks(kind, text.parse::<Point>()?, Bitboard::EMPTY).len())
/// };
/// // A queen slides in eight directions from a diagonal point, in four from a plain one.
/// assert_eq!(attacks(PieceKind::Queen, "e5")?, 32);
/// assert_eq!(attacks(PieceKind::Queen, "e4")?, 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn piece_attacks(kind: PieceKind, from: Point, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[from];
    match kind {
        PieceKind::Pawn => Bitboard::EMPTY,
        PieceKind::Knight => knight_attacks(from, occupied),
        PieceKind::Bishop => diagonal(from, occupied) | lines.orthogonal_steps,
        PieceKind::Rook => orthogonal(from, occupied) | lines.diagonal_steps,
        PieceKind::Archbishop => {
            diagonal(from, occupied) | lines.orthogonal_steps | knight_attacks(from, occupied)
        }
        PieceKind::Queen => orthogonal(from, occupied) | diagonal(from, occupied),
        PieceKind::King => lines.orthogonal_steps | lines.diagonal_steps,
    }
}

impl Position {
    /// Pieces of either side that reach `point` by a single step along a line.
    #[inline]
    fn near_attackers(&self, point: Point) -> Bitboard {
        use PieceKind::*;
        let lines = &LINES[point];
        let orthogonal = self.of_kind(Bishop) | self.of_kind(Archbishop) | self.of_kind(King);
        let diagonal = self.of_kind(Rook) | self.of_kind(King);
        let pawns = (lines.pawn_sources[0] & self.of_color(Color::White))
            | (lines.pawn_sources[1] & self.of_color(Color::Black));
        (lines.orthogonal_steps & orthogonal)
            | (lines.diagonal_steps & diagonal)
            | (pawns & self.of_kind(Pawn))
    }

    /// Pieces of either side that would attack `point` if nothing stood between.
    #[inline]
    fn far_attackers(&self, point: Point) -> Bitboard {
        use PieceKind::*;
        let lines = &LINES[point];
        let orthogonal = self.of_kind(Rook) | self.of_kind(Queen);
        let diagonal = self.of_kind(Bishop) | self.of_kind(Archbishop) | self.of_kind(Queen);
        let knights = self.of_kind(Knight) | self.of_kind(Archbishop);
        (lines.orthogonal_lines & orthogonal)
            | (lines.diagonal_lines & diagonal)
            | (lines.knight_reach & knights)
    }

    /// Pieces of `color` that would attack `point` if nothing stood between.
    #[inline]
    pub(super) fn far_attackers_of(&self, color: Color, point: Point) -> Bitboard {
        self.far_attackers(point) & self.of_color(color)
    }

    /// The pieces of both sides that attack a point, whatever stands there and
    /// whether or not they are pinned. Intersect with [`Position::of_color`] for
    /// those of one side.
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
    pub fn attackers(&self, point: Point) -> Bitboard {
        self.attackers_through(point, self.occupied())
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
    pub fn checkers(&self) -> Bitboard {
        self.danger_to_mover().checkers
    }

    /// The pieces of the side to move that are pinned: each of them alone keeps
    /// a line, or a knight's leg, to its own king closed.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::Position;
    ///
    /// let position: Position = "4k4/9/9/9/4r4/9/9/4B4/4K4 w - - 0 1".parse()?;
    /// assert_eq!(position.pinned().lsb(), Some("e2".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pinned(&self) -> Bitboard {
        self.danger_to_mover().pinned
    }

    fn danger_to_mover(&self) -> KingDanger {
        match self.side_to_move() {
            Color::White => self.king_danger::<White>(),
            Color::Black => self.king_danger::<Black>(),
        }
    }

    /// The pieces of both sides on `occupied` that attack `point` when the points in
    /// `occupied` are taken (X-rays are found by removing points).
    pub(super) fn attackers_through(&self, point: Point, occupied: Bitboard) -> Bitboard {
        let near = self.near_attackers(point);
        let far = (self.far_attackers(point) & occupied)
            .into_iter()
            .filter(|&attacker| (between(point, attacker) & occupied).is_empty())
            .fold(Bitboard::EMPTY, |set, attacker| set | attacker.bit());
        (near & occupied) | far
    }

    /// Whether a piece of `by` that stands on `occupied` attacks `point` when
    /// the points in `occupied` are taken.
    #[inline]
    pub(super) fn is_attacked(&self, point: Point, by: Color, occupied: Bitboard) -> bool {
        let enemies = self.of_color(by) & occupied;
        (self.near_attackers(point) & enemies).any()
            || (self.far_attackers(point) & enemies)
                .into_iter()
                .any(|attacker| (between(point, attacker) & occupied).is_empty())
    }

    /// Checks against and pins before the king of the side to move.
    #[inline]
    pub(super) fn king_danger<S: Side>(&self) -> KingDanger {
        let king = self.king(S::COLOR);
        let occupied = self.occupied();
        let own = self.of_color(S::COLOR);
        let enemies = self.of_color(S::Enemy::COLOR);
        let mut danger = KingDanger {
            king,
            checkers: self.near_attackers(king) & enemies,
            pinned: Bitboard::EMPTY,
            pinners: Bitboard::EMPTY,
        };
        for attacker in self.far_attackers(king) & enemies {
            let blockers = between(king, attacker) & occupied;
            if blockers.is_empty() {
                danger.checkers |= attacker.bit();
            } else if !blockers.more_than_one() && (blockers & own).any() {
                danger.pinned |= blockers;
                danger.pinners |= attacker.bit();
            }
        }
        danger
    }
}
