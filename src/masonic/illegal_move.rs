//! Why a move is not legal, in words that teach the rules.

use thiserror::Error;

use super::bitboard::Bitboard;
use super::castling::CastlingPath;
use super::cell::Cell;
use super::lines::between;
use super::move_list::Move;
use super::piece::PieceKind;
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalMove {
    /// No piece stands there.
    #[error("no piece stands on {0}")]
    NoPiece(Cell),
    /// The piece there belongs to the other side.
    #[error("it is {to_move:?}'s turn, and the {} on {from} is {:?}'s", kind.name(), !*to_move)]
    WrongColor {
        /// Whose turn it is.
        to_move: Color,
        /// The piece.
        kind: PieceKind,
        /// Where it stands.
        from: Cell,
    },
    /// Pieces of one side never capture each other.
    #[error("your own {} stands on {to}", kind.name())]
    OwnPiece {
        /// The piece there.
        kind: PieceKind,
        /// Where the move goes.
        to: Cell,
    },
    /// The piece does not move so, wherever the others stand.
    #[error("a {} {}", .0.name(), manner(*.0))]
    WrongPath(PieceKind),
    /// Something stands on the way.
    #[error("the way is blocked on {0}")]
    Blocked(Cell),
    /// A pawn's way ahead is blocked, and it does not capture so.
    #[error("a pawn captures diagonally only, and {0} is taken")]
    PawnBlocked(Cell),
    /// A pawn's capture of nothing.
    #[error("a pawn moves diagonally only to capture, and nothing stands on {0}")]
    NothingToCapture(Cell),
    /// A double step from elsewhere than the pawns' first rank, with a turn
    /// half-way, or over pieces.
    #[error("a pawn goes two steps only from where it started, on one cant over empty cells")]
    DoubleStep,
    /// A pawn on the last rank has to become something.
    #[error("a pawn on the last rank becomes a queen, rook, bishop or knight: add q, r, b or n")]
    NeedsPromotion,
    /// Nothing else promotes.
    #[error("only a pawn that reaches the last rank is promoted")]
    NoPromotion,
    /// Castling after king or rook has moved.
    #[error("the king or that rook has moved, so castling is over")]
    CastlingLost,
    /// Castling over pieces.
    #[error("castling needs empty cells between king and rook, and {0} is taken")]
    CastlingBlocked(Cell),
    /// Castling out of check.
    #[error("a king in check cannot castle")]
    CastlingOutOfCheck,
    /// Castling through or into check.
    #[error("castling leads over {0}, which is attacked")]
    CastlingThroughCheck(Cell),
    /// The king would step into check.
    #[error("the king would be in check on {0}")]
    IntoCheck(Cell),
    /// The king is in check and stays so.
    #[error("the king is in check, and this does not help")]
    StillInCheck,
    /// The piece stands between its king and an attacker.
    #[error("it would leave the king in check")]
    Pinned,
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
        let cells = text.get(..4).and_then(Move::parse);
        let needs_promotion = Some(IllegalMove::NeedsPromotion);
        if cells.is_some_and(|mv| self.why_illegal(mv) == needs_promotion) {
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
        let last_rank = if us == Color::White { Cell::RANKS - 1 } else { 0 };
        let promotes = kind == PieceKind::Pawn && to.rank() == last_rank;
        match promotion {
            None if promotes => IllegalMove::NeedsPromotion,
            Some(kind) if promotes && !PieceKind::PROMOTIONS.contains(&kind) => {
                IllegalMove::NeedsPromotion
            }
            Some(_) if !promotes => IllegalMove::NoPromotion,
            _ if kind == PieceKind::King => IllegalMove::IntoCheck(to),
            _ if self.in_check() => IllegalMove::StillInCheck,
            _ => IllegalMove::Pinned,
        }
    }

    /// What is wrong with the way a piece other than a pawn would go.
    fn piece_fault(&self, kind: PieceKind, from: Cell, to: Cell) -> Option<IllegalMove> {
        let us = self.side_to_move();
        if !self.reaches(kind, us, from, to, Bitboard::EMPTY) {
            return Some(IllegalMove::WrongPath(kind));
        }
        if self.reaches(kind, us, from, to, self.occupied()) {
            return None;
        }
        // The pieces in the way, the nearest first.
        (between(from, to) & self.occupied())
            .into_iter()
            .min_by_key(|cell| {
                (cell.rank().abs_diff(from.rank()), cell.file().abs_diff(from.file()))
            })
            .map(IllegalMove::Blocked)
    }

    /// What is wrong with the way a pawn would go.
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
        Some(IllegalMove::WrongPath(PieceKind::Pawn))
    }

    /// The wing on which a king's move of two cells from its own cell is meant
    /// to castle.
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
            path.crossed.into_iter().find(|&cell| self.is_attacked(cell, !us, self.occupied()));
        match attacked {
            Some(cell) if !self.in_check() => IllegalMove::CastlingThroughCheck(cell),
            _ => IllegalMove::CastlingOutOfCheck,
        }
    }
}
