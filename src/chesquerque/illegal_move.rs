//! Why a move is not legal, in words that teach the rules.

use thiserror::Error;

use super::bitboard::Bitboard;
use super::castling::CastlingPath;
use super::lines::between;
use super::move_list::Move;
use super::piece::PieceKind;
use super::point::Point;
use super::position::Position;
use crate::chess::Wing;
use crate::game::{Color, SanError};

/// Why a text is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveTextError {
    /// It is a move in long algebraic text, but not a legal one.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// It is not a legal move in algebraic notation either.
    #[error(transparent)]
    San(#[from] SanError),
}

/// Why a move is not legal, in words that teach the rules.
///
/// ```
/// use qirkat::{IllegalMove, Position};
///
/// let reason = Position::start().why_illegal("c1e3".parse()?).ok_or("legal")?;
/// assert_eq!(reason, IllegalMove::Blocked("d2".parse()?));
/// assert_eq!(reason.to_string(), "the way is blocked on d2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalMove {
    /// No piece stands there.
    #[error("no piece stands on {0}")]
    NoPiece(Point),
    /// The piece there belongs to the other side.
    #[error("it is {to_move:?}'s turn, and the {} on {from} is {:?}'s", kind.name(), !*to_move)]
    WrongColor {
        /// Whose turn it is.
        to_move: Color,
        /// The piece.
        kind: PieceKind,
        /// Where it stands.
        from: Point,
    },
    /// Pieces of one side never capture each other.
    #[error("your own {} stands on {to}", kind.name())]
    OwnPiece {
        /// The piece there.
        kind: PieceKind,
        /// Where the move goes.
        to: Point,
    },
    /// The piece does not move so, wherever the others stand.
    #[error("{} on a {} point {}", with_article(*kind), kind_of_point(*from), manner(*kind, *from))]
    WrongPath {
        /// The piece.
        kind: PieceKind,
        /// Where it stands.
        from: Point,
    },
    /// Something stands on the way.
    #[error("the way is blocked on {0}")]
    Blocked(Point),
    /// A pawn's way ahead is blocked, and it does not capture so.
    #[error("a pawn on a diagonal point cannot capture straight ahead, and {0} is taken")]
    PawnBlocked(Point),
    /// A pawn's capture of nothing.
    #[error("a pawn moves diagonally only to capture, and nothing stands on {0}")]
    NothingToCapture(Point),
    /// A double step, from elsewhere than the pawns' first rank or as a
    /// capture.
    #[error("a pawn goes two points only from where it started, over empty points")]
    DoubleStep,
    /// A pawn on the last rank has to become something.
    #[error(
        "a pawn on the last rank becomes a queen, rook, bishop, knight or archbishop: add q, r, b, n or a"
    )]
    NeedsPromotion,
    /// Nothing else promotes.
    #[error("only a pawn that reaches the last rank is promoted")]
    NoPromotion,
    /// Castling after king or rook has moved.
    #[error("the king or that rook has moved, so castling is over")]
    CastlingLost,
    /// Castling over pieces.
    #[error("castling needs empty points between king and rook, and {0} is taken")]
    CastlingBlocked(Point),
    /// Castling out of check.
    #[error("a king in check cannot castle")]
    CastlingOutOfCheck,
    /// Castling through or into check.
    #[error("castling leads over {0}, which is attacked")]
    CastlingThroughCheck(Point),
    /// The king would step into check.
    #[error("the king would be in check on {0}")]
    IntoCheck(Point),
    /// The king is in check and stays so.
    #[error("the king is in check, and this does not help")]
    StillInCheck,
    /// The piece stands between its king and an attacker.
    #[error("it would leave the king in check")]
    Pinned,
}

fn with_article(kind: PieceKind) -> String {
    let article = if kind == PieceKind::Archbishop { "an" } else { "a" };
    format!("{article} {}", kind.name())
}

fn kind_of_point(point: Point) -> &'static str {
    if point.is_diagonal() { "diagonal" } else { "plain" }
}

/// How a piece moves from such a point.
fn manner(kind: PieceKind, from: Point) -> &'static str {
    use PieceKind::*;
    match (kind, from.is_diagonal()) {
        (Pawn, false) => "moves and captures one step straight ahead",
        (Pawn, true) => "moves one step straight ahead and captures one step diagonally ahead",
        (Knight, false) => "goes one step orthogonally, then one diagonally outward",
        (Knight, true) => "goes one step diagonally, then one orthogonally outward",
        (Bishop, false) => "moves one step orthogonally only",
        (Bishop, true) => "moves diagonally any distance, or one step orthogonally",
        (Rook, false) => "moves orthogonally any distance",
        (Rook, true) => "moves orthogonally any distance, or one step diagonally",
        (Archbishop, false) => "moves one step orthogonally, or as a knight",
        (Archbishop, true) => {
            "moves diagonally any distance, one step orthogonally, or as a knight"
        }
        (Queen, false) => "moves orthogonally any distance, never diagonally",
        (Queen, true) => "moves in any of eight directions, any distance",
        (King, false) => "moves one step orthogonally only",
        (King, true) => "moves one step in any direction, or castles",
    }
}

impl Position {
    /// Reads a legal move, written by its points (`e2e4`) or in algebraic
    /// notation (`e4`).
    ///
    /// ```
    /// use qirkat::Position;
    ///
    /// let position = Position::start();
    /// assert_eq!(position.read_move("e4")?, position.read_move("e2e4")?);
    /// let error = position.read_move("e4e5").unwrap_err();
    /// assert_eq!(error.to_string(), "no piece stands on e4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the text is no move, or no legal one.
    pub fn read_move(&self, text: &str) -> Result<Move, MoveTextError> {
        if let Some(mv) = Move::parse(text) {
            return match self.why_illegal(mv) {
                None => Ok(mv),
                Some(reason) => Err(reason.into()),
            };
        }
        // A promotion to a king or pawn does not parse as a move.
        let points = text.get(..4).and_then(Move::parse);
        if points.is_some_and(|mv| self.why_illegal(mv) == Some(IllegalMove::NeedsPromotion)) {
            return Err(IllegalMove::NeedsPromotion.into());
        }
        Ok(self.parse_san(text)?)
    }

    /// Why a move is not legal here; nothing if it is.
    pub fn why_illegal(&self, mv: Move) -> Option<IllegalMove> {
        (!self.is_legal(mv)).then(|| self.reason_against(mv))
    }

    fn reason_against(&self, mv: Move) -> IllegalMove {
        let Move { from, to, promotion } = mv;
        let us = self.side_to_move();
        let Some(kind) = self.kind_on(from) else { return IllegalMove::NoPiece(from) };
        if !self.of_color(us).contains(from) {
            return IllegalMove::WrongColor { to_move: us, kind, from };
        }
        if let Some(wing) = self.castling_meant(mv) {
            return self.reason_against_castling(wing);
        }
        if let Some(kind) = self.kind_on(to).filter(|_| self.of_color(us).contains(to)) {
            return IllegalMove::OwnPiece { kind, to };
        }
        let fault = match kind {
            PieceKind::Pawn => self.pawn_fault(from, to),
            _ => self.piece_fault(kind, from, to),
        };
        if let Some(fault) = fault {
            return fault;
        }
        let last_rank = if us == Color::White { Point::RANKS - 1 } else { 0 };
        let promotes = kind == PieceKind::Pawn && to.rank() == last_rank;
        match promotion {
            None if promotes => IllegalMove::NeedsPromotion,
            Some(_) if !promotes => IllegalMove::NoPromotion,
            _ if kind == PieceKind::King => IllegalMove::IntoCheck(to),
            _ if self.in_check() => IllegalMove::StillInCheck,
            _ => IllegalMove::Pinned,
        }
    }

    /// What is wrong with the way a piece other than a pawn would go.
    fn piece_fault(&self, kind: PieceKind, from: Point, to: Point) -> Option<IllegalMove> {
        let us = self.side_to_move();
        if !self.reaches(kind, us, from, to, Bitboard::EMPTY) {
            return Some(IllegalMove::WrongPath { kind, from });
        }
        if self.reaches(kind, us, from, to, self.occupied()) {
            return None;
        }
        // The pieces in the way, the nearest first.
        (between(from, to) & self.occupied())
            .into_iter()
            .min_by_key(|point| {
                point.file().abs_diff(from.file()) + point.rank().abs_diff(from.rank())
            })
            .map(IllegalMove::Blocked)
    }

    /// What is wrong with the way a pawn would go.
    fn pawn_fault(&self, from: Point, to: Point) -> Option<IllegalMove> {
        let us = self.side_to_move();
        let ahead = if us == Color::White { 1 } else { -1 };
        let occupied = self.occupied();
        let attacks = self.reaches(PieceKind::Pawn, us, from, to, occupied);
        if Some(to) == from.offset(0, ahead) {
            // Straight ahead a pawn on a plain point captures what is there.
            return (occupied.contains(to) && !attacks).then_some(IllegalMove::PawnBlocked(to));
        }
        if attacks {
            let captures = occupied.contains(to) || self.en_passant() == Some(to);
            return (!captures).then_some(IllegalMove::NothingToCapture(to));
        }
        if Some(to) == from.offset(0, 2 * ahead) {
            let first_rank = if us == Color::White { 1 } else { Point::RANKS - 2 };
            let way_is_free = from.offset(0, ahead).is_some_and(|over| !occupied.contains(over));
            let free = way_is_free && !occupied.contains(to);
            return (from.rank() != first_rank || !free).then_some(IllegalMove::DoubleStep);
        }
        Some(IllegalMove::WrongPath { kind: PieceKind::Pawn, from })
    }

    /// The wing on which a king's move of three points from its own point is
    /// meant to castle.
    fn castling_meant(&self, mv: Move) -> Option<Wing> {
        if self.kind_on(mv.from) != Some(PieceKind::King) {
            return None;
        }
        Wing::ALL.into_iter().find(|&wing| {
            let path = CastlingPath::of(self.side_to_move(), wing);
            path.king_from == mv.from && path.king_to == mv.to
        })
    }

    fn reason_against_castling(&self, wing: Wing) -> IllegalMove {
        let us = self.side_to_move();
        let path = CastlingPath::of(us, wing);
        if !self.castling().has(us, wing) {
            return IllegalMove::CastlingLost;
        }
        if let Some(taken) = (path.between & self.occupied()).lsb() {
            return IllegalMove::CastlingBlocked(taken);
        }
        let attacked =
            path.crossed.into_iter().find(|&point| self.is_attacked(point, !us, self.occupied()));
        match attacked {
            Some(point) if !self.in_check() => IllegalMove::CastlingThroughCheck(point),
            _ => IllegalMove::CastlingOutOfCheck,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_fit() {
        const START: &str = super::super::START_FEN;
        for (fen, text, reason) in [
            (START, "e5e6", "no piece stands on e5"),
            (START, "e8e6", "it is White's turn, and the pawn on e8 is Black's"),
            (START, "a1a2", "your own pawn stands on a2"),
            (START, "c1e3", "the way is blocked on d2"),
            (START, "e2e5", "a pawn on a plain point moves and captures one step straight ahead"),
            (START, "b1b2q", "your own pawn stands on b2"),
            (START, "d2e3", "a pawn moves diagonally only to capture, and nothing stands on e3"),
            (START, "e1h1", "castling needs empty points between king and rook, and f1 is taken"),
            (START, "a1a3", "the way is blocked on a2"),
            (
                "4k4/9/9/9/4B4/9/9/9/4K4 w - - 0 1",
                "e5e7",
                "a bishop on a diagonal point moves diagonally any distance, or one step orthogonally",
            ),
            (
                "4k4/9/9/9/3A5/9/9/9/4K4 w - - 0 1",
                "d5f7",
                "an archbishop on a plain point moves one step orthogonally, or as a knight",
            ),
            (
                "4k4/9/9/9/3B5/9/9/9/4K4 w - - 0 1",
                "d5f7",
                "a bishop on a plain point moves one step orthogonally only",
            ),
            (
                "4k4/9/9/4p4/4P4/9/9/9/4K4 w - - 0 1",
                "e5e6",
                "a pawn on a diagonal point cannot capture straight ahead, and e6 is taken",
            ),
            (
                "4k4/9/9/9/4P4/9/9/9/4K4 w - - 0 1",
                "e5e7",
                "a pawn goes two points only from where it started, over empty points",
            ),
            (
                "4k4/9/9/9/4P4/9/9/9/4K4 w - - 0 1",
                "e5e6q",
                "only a pawn that reaches the last rank is promoted",
            ),
            (
                "9/P3k4/9/9/9/9/9/9/4K4 w - - 0 1",
                "a8a9",
                "a pawn on the last rank becomes a queen, rook, bishop, knight or archbishop: add q, r, b, n or a",
            ),
            ("4k4/9/9/9/9/9/5r3/9/4K4 w - - 0 1", "e1f1", "the king would be in check on f1"),
            ("4k4/4r4/9/9/9/9/9/4B4/4K4 w - - 0 1", "e2f2", "it would leave the king in check"),
            (
                "4k4/4r4/9/9/9/9/9/9/B3K4 w - - 0 1",
                "a1b2",
                "the king is in check, and this does not help",
            ),
            (
                "4k4/9/9/9/9/9/9/9/4K3R w - - 0 1",
                "e1h1",
                "the king or that rook has moved, so castling is over",
            ),
            (
                "3rk4/9/9/9/9/9/9/9/R3K4 w Q - 0 1",
                "e1b1",
                "castling leads over d1, which is attacked",
            ),
            ("4k4/4r4/9/9/9/9/9/9/R3K4 w Q - 0 1", "e1b1", "a king in check cannot castle"),
            ("4k4/9/9/9/4N4/3p1p3/9/9/4K4 w - - 0 1", "e5d3", "the way is blocked on d4"),
        ] {
            let position = Position::from_fen(fen).expect(fen).position;
            let mv = Move::parse(text).expect(text);
            let found = position.why_illegal(mv).map(|found| found.to_string());
            assert_eq!(found.as_deref(), Some(reason), "{fen} {text}");
        }
    }

    #[test]
    fn every_move_is_legal_or_has_a_reason() {
        let fen = "r3k3r/1pP2p3/9/2b1p4/4P1B2/4a4/2N6/PPP2P1PP/R3K3R w KQkq - 0 1";
        let position = Position::from_fen(fen).expect("a sound position").position;
        let promotions = [None, Some(PieceKind::Queen), Some(PieceKind::Archbishop)];
        for from in Point::all() {
            for to in Point::all() {
                for promotion in promotions {
                    let mv = Move { from, to, promotion };
                    assert_eq!(position.why_illegal(mv).is_none(), position.is_legal(mv), "{mv}");
                }
            }
        }
    }
}
