//! Why a move is not legal, in words that teach the rules of Chesquerque.

use super::bitboard::Bitboard;
use super::castling::CastlingPath;
use super::lines::between;
use super::move_list::Move;
use super::piece::PieceKind;
use super::point::Point;
use super::position::Position;
use crate::chess::{self, ExplainsRules, RuleWords, Wing};
use qirkat_game::Color;
use qirkat_game::ReadMove;

/// Why a move of Chesquerque is not legal.
pub type IllegalMove = chess::IllegalMove<Point, PieceKind>;
/// Why a text is not a legal move of Chesquerque.
pub type MoveTextError = chess::MoveTextError<Point, PieceKind>;

impl RuleWords<Point> for PieceKind {
    const PAWN_BLOCKED: &'static str = "a pawn on a diagonal point cannot capture straight ahead";
    const DOUBLE_STEP: &'static str =
        "a pawn goes two points only from where it started, over empty points";
    const NEEDS_PROMOTION: &'static str = "a pawn on the last rank becomes a queen, rook, bishop, knight or archbishop: add q, r, b, n or a";

    fn name(self) -> &'static str {
        self.name()
    }

    fn movement(self, from: Point) -> String {
        let article = if self == PieceKind::Archbishop { "an" } else { "a" };
        let point = if from.is_diagonal() { "diagonal" } else { "plain" };
        format!("{article} {} on a {point} point {}", self.name(), manner(self, from))
    }
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
    /// use qirkat_rules::chesquerque::Position;
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
        chess::read_move(self, text)
    }

    /// Why a move is not legal here; none if it is.
    pub fn why_illegal(&self, mv: Move) -> Option<IllegalMove> {
        chess::why_illegal(self, mv)
    }
}

impl ExplainsRules for Position {
    fn castling_path(color: Color, wing: Wing) -> &'static CastlingPath {
        CastlingPath::of(color, wing)
    }

    fn between(from: Point, to: Point) -> Bitboard {
        between(from, to)
    }

    fn is_attacked_by(&self, point: Point, by: Color) -> bool {
        self.is_attacked(point, by, self.occupied())
    }

    fn reaches(&self, kind: PieceKind, from: Point, to: Point, occupied: Bitboard) -> bool {
        self.reaches(kind, self.side_to_move(), from, to, occupied)
    }

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
    fn reasons_fit_algebraic_notation() {
        const START: &str = super::super::START_FEN;
        for (fen, text, reason) in [
            // The other knight never goes there.
            (START, "Nc3", "the way is blocked on b2"),
            (START, "e5", "a pawn on a plain point moves and captures one step straight ahead"),
            (START, "e4=Q", "only a pawn that reaches the last rank is promoted"),
            (START, "dxe3", "a pawn moves diagonally only to capture, and nothing stands on e3"),
            (START, "O-O!", "castling needs empty points between king and rook, and f1 is taken"),
            (
                START,
                "Ka5",
                "a king on a diagonal point moves one step in any direction, or castles",
            ),
            ("4k4/4r4/9/9/9/9/9/4B4/4K4 w - - 0 1", "Bf2+", "it would leave the king in check"),
            (
                "9/P3k4/9/9/9/9/9/9/4K4 w - - 0 1",
                "a9",
                "a pawn on the last rank becomes a queen, rook, bishop, knight or archbishop: add q, r, b, n or a",
            ),
            // Both rooks come to the same: they stand on plain points.
            (
                "4k4/9/9/9/9/9/9/9/1R2K2R1 w - - 0 1",
                "Re5",
                "a rook on a plain point moves orthogonally any distance",
            ),
            // One stands on a plain point, the other on a diagonal one.
            ("4k4/9/9/9/9/9/9/9/R3K2R1 w - - 0 1", "Re5", "`Re5` is not a legal move here"),
            // It is legal, but not so written; nothing can be meant.
            (START, "exe4", "`exe4` is not a legal move here"),
            (START, "Ae5e6", "`Ae5e6` is not a legal move here"),
            ("4k4/9/9/9/9/9/9/9/4K4 w - - 0 1", "Qe5", "`Qe5` is not a legal move here"),
        ] {
            let position = Position::from_fen(fen).expect(fen).position;
            let found = position.read_move(text).map_err(|error| error.to_string());
            assert_eq!(found, Err(reason.to_owned()), "{fen} {text}");
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

impl ReadMove for Position {
    type IllegalMove = IllegalMove;
    type MoveTextError = MoveTextError;

    fn read_move(&self, text: &str) -> Result<Move, MoveTextError> {
        self.read_move(text)
    }

    fn why_illegal(&self, mv: Move) -> Option<IllegalMove> {
        self.why_illegal(mv)
    }
}

impl Position {
    /// The position after a move, which need not be legal.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::{IllegalMove, Position};
    ///
    /// let position = Position::start().try_play("e2e4".parse()?)?;
    /// let error = position.try_play("e4e5".parse()?).unwrap_err();
    /// assert!(matches!(error, IllegalMove::WrongColor { .. }));
    /// assert_eq!(error.to_string(), "it is Black's turn, and the pawn on e4 is White's");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the move is not legal.
    pub fn try_play(&self, mv: Move) -> Result<Position, IllegalMove> {
        match self.why_illegal(mv) {
            None => Ok(self.play(mv)),
            Some(reason) => Err(reason),
        }
    }
}
