//! Positions as FEN.

use std::fmt;
use std::str::FromStr;

use qirkat_game::Color;
use qirkat_game::text::Excerpt;

use super::castling::{CastlingPath, CastlingRights, FEN_LETTERS, Wing};
use super::geometry::{Geometry, PawnDirection};
use super::pawns::{pawn_directions, pawn_steps, third_rank};
use super::piece::{Kind, Piece};
use super::position::{EnPassant, Position};
use super::square::{Square, SquareSet};
use crate::fen::{
    FenError, FenNotice, ParsedFen, placement_text, read_clocks, read_placement, read_side,
    required,
};

impl<G: Geometry> Position<G> {
    /// Reads a FEN. The two clocks may be missing.
    ///
    /// Castling rights whose king or rook is not on its home square are dropped with a notice;
    /// `fen.parse::<Position>()` drops them silently. A double step that cannot be captured en
    /// passant is dropped silently.
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
    pub fn from_fen(fen: &str) -> Result<ParsedFen<Position<G>>, FenError> {
        // In order, so that the first fault is reported.
        let mut fields = fen.split_ascii_whitespace();
        let mut position = Position::empty(Color::White);
        position.read_board(fields.next().ok_or(FenError::Empty)?)?;
        position.side_to_move = read_side(&mut fields)?;
        let castling = required(&mut fields, "castling")?;
        let (rights, notice) = position.read_castling(castling)?;
        position.castling = rights;
        let double_steps = position.read_double_steps(required(&mut fields, "en passant")?)?;
        (position.halfmove_clock, position.fullmove_number) = read_clocks(&mut fields)?;
        position.check_turn()?;
        position.key = position.key_from_scratch();
        let us = position.side_to_move;
        // If there are several, the first that can be captured en passant.
        let _ = double_steps.into_iter().any(|step| position.offer_en_passant(us, step));
        Ok(ParsedFen { position, notice })
    }

    fn read_board(&mut self, board: &str) -> Result<(), FenError> {
        let size = [G::Square::FILES, G::Square::RANKS];
        let mut put = |file, rank, piece: Piece<G::Kind>| {
            self.put(piece.color, piece.kind, G::Square::new(file, rank));
        };
        read_placement(size, G::Square::NAME, board, Piece::from_letter, &mut put)?;
        self.check_pieces()
    }

    /// Checks that each side has one king and that pawns are on valid ranks.
    pub(super) fn check_pieces(&self) -> Result<(), FenError> {
        for color in Color::ALL {
            let count = self.of(color, G::Kind::KING).len();
            if count != 1 {
                return Err(FenError::Kings { color, count });
            }
        }
        let end_ranks = G::Bitboard::rank(0) | G::Bitboard::rank(G::Square::RANKS - 1);
        match (self.of_kind(G::Kind::PAWN) & end_ranks).lsb() {
            Some(square) => Err(FenError::PawnOnLastRank(square.into())),
            None => Ok(()),
        }
    }

    /// Checks that the side that has just moved is not in check.
    pub(super) fn check_turn(&self) -> Result<(), FenError> {
        let waiting = !self.side_to_move;
        if self.is_attacked(self.king(waiting), !waiting, self.occupied()) {
            return Err(FenError::OpponentInCheck(waiting));
        }
        Ok(())
    }

    pub(super) fn has_king_and_rook_at_home(&self, color: Color, wing: Wing) -> bool {
        let path = CastlingPath::<G>::of(color, wing);
        self.of(color, G::Kind::KING).contains(path.king_from)
            && self.of(color, G::Kind::ROOK).contains(path.rook_from)
    }

    /// Reads the third field. Rights without king or rook at home are dropped with a notice.
    fn read_castling(&self, text: &str) -> Result<(CastlingRights, Option<FenNotice>), FenError> {
        if text == "-" {
            return Ok((CastlingRights::NONE, None));
        }
        let mut given = CastlingRights::NONE;
        let mut kept = CastlingRights::NONE;
        let mut dropped = String::new();
        for letter in text.chars() {
            let known = FEN_LETTERS.into_iter().find(|&(known, ..)| known == letter);
            let Some((_, color, wing)) = known.filter(|&(_, color, wing)| !given.has(color, wing))
            else {
                return Err(FenError::Castling(Excerpt::of(text)));
            };
            given = given.with(color, wing);
            if self.has_king_and_rook_at_home(color, wing) {
                kept = kept.with(color, wing);
            } else {
                dropped.push(letter);
            }
        }
        let notice = (!dropped.is_empty()).then_some(FenNotice::CastlingDropped(dropped));
        Ok((kept, notice))
    }

    /// The double steps that the opponent may just have made over a square, the pawn on the lower
    /// file first.
    fn read_double_steps(&self, text: &str) -> Result<Vec<EnPassant<G::Square>>, FenError> {
        if text == "-" {
            return Ok(Vec::new());
        }
        let passed = match *text.as_bytes() {
            [file, rank] => G::Square::from_bytes(file, rank),
            _ => None,
        };
        let name = G::Square::NAME;
        let passed = passed.ok_or_else(|| FenError::EnPassant { text: Excerpt::of(text), name })?;
        let enemy = !self.side_to_move;
        let empty = !self.occupied();
        let over = G::Bitboard::of(passed);
        // The origins of steps to the square, found by stepping back as the other side's pawn.
        let behind = pawn_steps::<G>(!enemy, passed) & empty;
        let double_step = |direction: G::PawnDirection| {
            let pawn = (direction.steps(over) & self.of(enemy, G::Kind::PAWN)).lsb()?;
            behind
                .into_iter()
                .any(|from| direction.steps(G::Bitboard::of(from)).contains(passed))
                .then_some(EnPassant { passed, pawn })
        };
        let mut possible: Vec<_> = pawn_directions::<G>(enemy).filter_map(double_step).collect();
        possible.sort_by_key(|step| step.pawn);
        if possible.is_empty() || !(third_rank::<G>(enemy) & empty).contains(passed) {
            return Err(FenError::ImpossibleEnPassant(passed.into()));
        }
        Ok(possible)
    }

    /// The position as FEN, always with all six fields.
    pub fn fen(&self) -> String {
        self.to_string()
    }
}

impl<G: Geometry> FromStr for Position<G> {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Position<G>, FenError> {
        Ok(Position::from_fen(fen)?.position)
    }
}

impl<G: Geometry> fmt::Display for Position<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = board_text(|square: G::Square| self.piece_on(square).map(Piece::letter));
        write!(f, "{board} {} {}", self.side_to_move, self.castling)?;
        match self.en_passant {
            Some(en_passant) => write!(f, " {} ", en_passant.passed)?,
            None => f.write_str(" - ")?,
        }
        write!(f, "{} {}", self.halfmove_clock, self.fullmove_number)
    }
}

/// A board as in the first field of a FEN: the letters on the squares, ranks from the last
/// down separated by `/`, runs of empty squares as numbers.
///
/// ```
/// use qirkat_rules::chess::board_text;
/// use qirkat_rules::chesquerque::Point;
///
/// let diagonal = board_text(|point: Point| point.is_diagonal().then_some('x'));
/// assert!(diagonal.starts_with("x1x1x1x1x/1x1x1x1x1/"));
/// ```
pub fn board_text<S: Square>(letter: impl Fn(S) -> Option<char>) -> String {
    placement_text([S::FILES, S::RANKS], |file, rank| letter(S::new(file, rank)))
}
