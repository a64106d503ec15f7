//! Positions as text: FEN with eight ranks of eight cells.

use std::fmt;
use std::str::FromStr;

use super::bitboard::Bitboard;
use super::castling::CastlingPath;
use super::cell::Cell;
use super::en_passant::EnPassant;
use super::piece::{Piece, PieceKind};
use super::position::Position;
use super::side::{Black, Side, White};
use crate::chess::{self, FenFields, FenNotice};
use qirkat_game::Color;
use qirkat_game::text::Excerpt;

/// Why a text is not the FEN of a position of Masonic chess.
pub type FenError = chess::FenError<Cell>;
/// A FEN of Masonic chess that was read.
pub type ParsedFen = chess::ParsedFen<Position>;

impl Position {
    /// Reads a FEN. The two clocks may be missing.
    ///
    /// Castling rights whose king or rook is not at home are dropped with a notice;
    /// `fen.parse::<Position>()` does the same without it.
    ///
    /// # Errors
    /// When a field is missing or malformed, or the position is impossible.
    pub fn from_fen(fen: &str) -> Result<ParsedFen, FenError> {
        let mut fields = FenFields::of(fen);
        let mut position = Position::EMPTY;
        position.read_board(fields.board()?)?;
        position.side_to_move = fields.side_to_move()?;
        let notice = position.read_castling(fields.required("castling")?)?;
        let double_steps = position.read_en_passant(fields.required("en passant")?)?;
        (position.halfmove_clock, position.fullmove_number) = fields.clocks()?;

        let waiting = !position.side_to_move;
        if position.is_attacked(position.king(waiting), !waiting, position.occupied()) {
            return Err(FenError::OpponentInCheck(waiting));
        }
        position.key = position.key_from_scratch();
        match position.side_to_move {
            Color::White => position.offer_first_of::<White>(double_steps),
            Color::Black => position.offer_first_of::<Black>(double_steps),
        }
        Ok(ParsedFen { position, notice })
    }

    fn read_board(&mut self, board: &str) -> Result<(), FenError> {
        chess::read_board(board, Piece::from_letter, |cell: Cell, piece| {
            self.put(piece.color, piece.kind, cell);
        })?;
        for color in Color::ALL {
            let count = self.of(color, PieceKind::King).len();
            if count != 1 {
                return Err(FenError::Kings { color, count });
            }
        }
        let end_ranks = Bitboard::rank(0) | Bitboard::rank(Cell::RANKS - 1);
        match (self.of_kind(PieceKind::Pawn) & end_ranks).lsb() {
            Some(cell) => Err(FenError::PawnOnLastRank(cell)),
            None => Ok(()),
        }
    }

    fn read_castling(&mut self, text: &str) -> Result<Option<FenNotice>, FenError> {
        let (rights, notice) = chess::read_castling::<Cell>(text, |color, wing| {
            let path = CastlingPath::of(color, wing);
            self.of(color, PieceKind::King).contains(path.king_from)
                && self.of(color, PieceKind::Rook).contains(path.rook_from)
        })?;
        self.castling = rights;
        Ok(notice)
    }

    /// The double steps that the enemy may just have made over a cell, that of
    /// the pawn on the lower file first.
    fn read_en_passant(&self, text: &str) -> Result<[Option<EnPassant>; 2], FenError> {
        if text == "-" {
            return Ok([None; 2]);
        }
        let passed = Cell::parse(text).ok_or_else(|| FenError::EnPassant(Excerpt::of(text)))?;
        let enemy = !self.side_to_move;
        let (third_rank, ahead) = match enemy {
            Color::White => (White::THIRD_RANK, White::AHEAD),
            Color::Black => (Black::THIRD_RANK, Black::AHEAD),
        };
        let is_possible = |origin: Cell, target: EnPassant| {
            third_rank.contains(passed)
                && !self.occupied().contains(passed)
                && !self.occupied().contains(origin)
                && self.of(enemy, PieceKind::Pawn).contains(target.pawn)
        };
        let possible = [-1, 1].map(|half_files| {
            let (origin, target) = EnPassant::over(passed, (half_files, ahead))?;
            is_possible(origin, target).then_some(target)
        });
        if possible == [None; 2] {
            return Err(FenError::ImpossibleEnPassant(passed));
        }
        Ok(possible)
    }

    /// Notes the first double step that side `S`, to move, can answer. A field
    /// that nothing can answer is dropped.
    fn offer_first_of<S: Side>(&mut self, double_steps: [Option<EnPassant>; 2]) {
        let answerable =
            double_steps.into_iter().flatten().find(|&target| self.can_answer::<S>(target));
        if let Some(target) = answerable {
            self.offer_en_passant::<S>(target);
        }
    }

    /// The position as FEN, always with all six fields.
    ///
    /// ```
    /// use qirkat_rules::masonic::{Position, START_FEN};
    ///
    /// assert_eq!(Position::start().fen(), START_FEN);
    /// ```
    pub fn fen(&self) -> String {
        self.to_string()
    }
}

/// Reads a FEN; see [`Position::from_fen`].
impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Position, FenError> {
        Ok(Position::from_fen(fen)?.position)
    }
}

/// Writes the FEN.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Writes the FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = chess::board_text(|cell: Cell| self.piece_on(cell).map(Piece::letter));
        write!(f, "{board} {} {}", self.side_to_move, self.castling)?;
        match self.en_passant {
            Some(target) => write!(f, " {} ", target.passed)?,
            None => f.write_str(" - ")?,
        }
        write!(f, "{} {}", self.halfmove_clock, self.fullmove_number)
    }
}
