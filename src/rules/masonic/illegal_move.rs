//! Why a move is not legal, in words that teach the rules of Masonic chess.

use super::bitboard::Bitboard;
use super::castling::CastlingPath;
use super::cell::Cell;
use super::lines::between;
use super::move_list::Move;
use super::piece::PieceKind;
use super::position::Position;
use crate::chess::{self, ExplainsRules, RuleWords, Wing};
use qirkat_game::Color;
use qirkat_game::ReadMove;

/// Why a move of Masonic chess is not legal.
pub type IllegalMove = chess::IllegalMove<Cell, PieceKind>;
/// Why a text is not a legal move of Masonic chess.
pub type MoveTextError = chess::MoveTextError<Cell, PieceKind>;

impl RuleWords<Cell> for PieceKind {
    const PAWN_BLOCKED: &'static str = "a pawn captures diagonally only";
    const DOUBLE_STEP: &'static str =
        "a pawn goes two steps only from where it started, on one cant over empty cells";
    const NEEDS_PROMOTION: &'static str =
        "a pawn on the last rank becomes a queen, rook, bishop or knight: add q, r, b or n";

    fn name(self) -> &'static str {
        self.name()
    }

    fn movement(self, _: Cell) -> String {
        format!("a {} {}", self.name(), manner(self))
    }
}

/// How a piece moves.
const fn manner(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => {
            "steps forward to either of the two cells that touch it, and captures diagonally"
        }
        PieceKind::Knight => "leaps one step along a rank or cant, then one diagonally outward",
        PieceKind::Bishop => "moves diagonally any distance, or one step along its rank or a cant",
        PieceKind::Rook => "moves along its rank or a cant, any distance",
        PieceKind::Queen => "moves along its rank, a cant or a diagonal, any distance",
        PieceKind::King => "moves one step in any of ten directions, or castles",
    }
}

impl Position {
    /// Reads a legal move, written by its cells (`e2f4`) or in algebraic
    /// notation (`f4`).
    ///
    /// ```
    /// use qirkat_rules::masonic::Position;
    ///
    /// let error = Position::start().read_move("e2e4").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "a pawn goes two steps only from where it started, on one cant over empty cells"
    /// );
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

    fn between(from: Cell, to: Cell) -> Bitboard {
        between(from, to)
    }

    fn is_attacked_by(&self, cell: Cell, by: Color) -> bool {
        self.is_attacked(cell, by, self.occupied())
    }

    fn reaches(&self, kind: PieceKind, from: Cell, to: Cell, occupied: Bitboard) -> bool {
        self.reaches(kind, self.side_to_move(), from, to, occupied)
    }

    fn pawn_fault(&self, from: Cell, to: Cell) -> Option<IllegalMove> {
        let us = self.side_to_move();
        let (ahead, first_rank) = match us {
            Color::White => (1, 1),
            Color::Black => (-1, Cell::RANKS - 2),
        };
        let occupied = self.occupied();
        if [-1, 1].into_iter().any(|half_files| from.offset(half_files, ahead) == Some(to)) {
            return occupied.contains(to).then_some(IllegalMove::PawnBlocked(to));
        }
        if self.reaches(PieceKind::Pawn, us, from, to, occupied) {
            let captures = occupied.contains(to) || self.answered_double_step(from, to).is_some();
            return (!captures).then_some(IllegalMove::NothingToCapture(to));
        }
        // Two steps with a turn half-way lead straight ahead, as in chess.
        if [-2, 0, 2].into_iter().any(|half_files| from.offset(half_files, 2 * ahead) == Some(to)) {
            let passed = between(from, to);
            let is_free = passed.any() && ((passed.with(to)) & occupied).is_empty();
            let is_straight = to.file() != from.file();
            let allowed = from.rank() == first_rank && is_free && is_straight;
            return (!allowed).then_some(IllegalMove::DoubleStep);
        }
        Some(IllegalMove::WrongPath { kind: PieceKind::Pawn, from })
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
