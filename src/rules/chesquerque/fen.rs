//! Positions as text: FEN with nine ranks of nine points.

use std::fmt;
use std::str::FromStr;

use super::bitboard::Bitboard;
use super::castling::CastlingPath;
use super::piece::{Piece, PieceKind};
use super::point::Point;
use super::position::Position;
use super::side::{Black, White};
use crate::chess::{self, FenFields, FenNotice};
use qirkat_game::Color;
use qirkat_game::text::Excerpt;

/// Why a text is not the FEN of a position of Chesquerque.
pub type FenError = chess::FenError<Point>;
/// A FEN of Chesquerque that was read.
pub type ParsedFen = chess::ParsedFen<Position>;

impl Position {
    /// Reads a FEN. The two clocks may be missing.
    ///
    /// Castling rights whose king or rook is not at home are dropped with a notice;
    /// `fen.parse::<Position>()` does the same without it.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::Position;
    ///
    /// let parsed = Position::from_fen("4k4/9/9/9/9/9/9/9/R3K4 w KQ - 0 1")?;
    /// assert_eq!(parsed.position.castling().to_string(), "Q");
    /// let notice = parsed.notice.map(|notice| notice.to_string());
    /// assert_eq!(notice.as_deref(), Some("castling: `K` dropped, king or rook is not at home"));
    ///
    /// let error = Position::from_fen("4k4/9/9/9/9/9/9/R3K4 w - - 0 1").unwrap_err();
    /// assert_eq!(error.to_string(), "board: 8 ranks instead of 9");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a field is missing or malformed, or the position is impossible.
    pub fn from_fen(fen: &str) -> Result<ParsedFen, FenError> {
        let mut fields = FenFields::of(fen);
        let mut position = Position::EMPTY;
        position.read_board(fields.board()?)?;
        position.side_to_move = fields.side_to_move()?;
        let notice = position.read_castling(fields.required("castling")?)?;
        let passed_over = position.read_en_passant(fields.required("en passant")?)?;
        (position.halfmove_clock, position.fullmove_number) = fields.clocks()?;

        let waiting = !position.side_to_move;
        if position.is_attacked(position.king(waiting), !waiting, position.occupied()) {
            return Err(FenError::OpponentInCheck(waiting));
        }
        position.key = position.key_from_scratch();
        if let Some(target) = passed_over {
            match position.side_to_move {
                Color::White => position.offer_en_passant::<Black>(target),
                Color::Black => position.offer_en_passant::<White>(target),
            }
        }
        Ok(ParsedFen { position, notice })
    }

    fn read_board(&mut self, board: &str) -> Result<(), FenError> {
        chess::read_board(board, Piece::from_letter, |point: Point, piece| {
            self.put(piece.color, piece.kind, point);
        })?;
        for color in Color::ALL {
            let count = self.of(color, PieceKind::King).len();
            if count != 1 {
                return Err(FenError::Kings { color, count });
            }
        }
        let end_ranks = Bitboard::rank(0) | Bitboard::rank(Point::RANKS - 1);
        match (self.of_kind(PieceKind::Pawn) & end_ranks).lsb() {
            Some(point) => Err(FenError::PawnOnLastRank(point)),
            None => Ok(()),
        }
    }

    fn read_castling(&mut self, text: &str) -> Result<Option<FenNotice>, FenError> {
        let (rights, notice) = chess::read_castling::<Point>(text, |color, wing| {
            let path = CastlingPath::of(color, wing);
            self.of(color, PieceKind::King).contains(path.king_from)
                && self.of(color, PieceKind::Rook).contains(path.rook_from)
        })?;
        self.castling = rights;
        Ok(notice)
    }

    /// A point that the enemy's last double step may have passed over.
    fn read_en_passant(&self, text: &str) -> Result<Option<Point>, FenError> {
        if text == "-" {
            return Ok(None);
        }
        let target = Point::parse(text).ok_or_else(|| FenError::EnPassant(Excerpt::of(text)))?;
        let (rank, behind) = match self.side_to_move {
            Color::White => (Point::RANKS - 3, 1),
            Color::Black => (2, -1),
        };
        let origin = target.offset(0, behind);
        let stepped = target.offset(0, -behind);
        let possible = target.rank() == rank
            && !self.occupied().contains(target)
            && origin.is_some_and(|point| !self.occupied().contains(point))
            && stepped
                .is_some_and(|point| self.of(!self.side_to_move, PieceKind::Pawn).contains(point));
        if possible { Ok(Some(target)) } else { Err(FenError::ImpossibleEnPassant(target)) }
    }

    /// The position as FEN, always with all six fields.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::{Position, START_FEN};
    ///
    /// assert_eq!(Position::start().fen(), START_FEN);
    /// ```
    pub fn fen(&self) -> String {
        self.to_string()
    }
}

/// A board as in the first field of a FEN: the letters on the points, ranks
/// from the ninth down separated by `/`, runs of empty points as numbers.
///
/// ```
/// use qirkat_rules::chesquerque::board_text;
///
/// let diagonal = board_text(|point| point.is_diagonal().then_some('x'));
/// assert!(diagonal.starts_with("x1x1x1x1x/1x1x1x1x1/"));
/// ```
pub fn board_text(letter: impl Fn(Point) -> Option<char>) -> String {
    chess::board_text(letter)
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
        let board = board_text(|point| self.piece_on(point).map(Piece::letter));
        write!(f, "{board} {} {}", self.side_to_move, self.castling)?;
        match self.en_passant {
            Some(target) => write!(f, " {target} ")?,
            None => f.write_str(" - ")?,
        }
        write!(f, "{} {}", self.halfmove_clock, self.fullmove_number)
    }
}
