//! Positions as FEN, and FEN errors.

use std::fmt;
use std::str::FromStr;

use derive_more::Display;
use qirkat_game::Color;
use qirkat_game::text::{Excerpt, counted};
use thiserror::Error;

use super::castling::{CastlingPath, CastlingRights, FEN_LETTERS, Wing};
use super::geometry::{Geometry, PawnWay};
use super::pawns::{pawn_steps, pawn_ways, third_rank};
use super::piece::{Kind, Piece};
use super::position::{EnPassant, Position};
use super::square::{Square, SquareSet};
use crate::fen_fields::{MAX_CLOCK, PlacementFault, placement_text, read_clocks, read_placement};

/// A parsed FEN.
#[derive(Clone, Debug)]
pub struct ParsedFen<G: Geometry> {
    /// The position.
    pub position: Position<G>,
    /// The correction, if any.
    pub notice: Option<FenNotice>,
}

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
    pub fn from_fen(fen: &str) -> Result<ParsedFen<G>, FenError<G>> {
        // In order, so that the first fault is reported.
        let mut fields = fen.split_ascii_whitespace();
        let mut position = Position::empty(Color::White);
        position.read_board(fields.next().ok_or(FenError::Empty)?)?;
        let mut required = |name| fields.next().ok_or(FenError::MissingField(name));
        let side = required("side to move")?;
        position.side_to_move =
            side.parse().map_err(|_| FenError::SideToMove(Excerpt::of(side)))?;
        let (rights, notice) = position.read_castling(required("castling")?)?;
        position.castling = rights;
        let double_steps = position.read_en_passant(required("en passant")?)?;
        let fault = |field, text| FenError::Clock { field, text };
        (position.halfmove_clock, position.fullmove_number) = read_clocks(&mut fields, fault)?;
        if let Some(text) = fields.next() {
            return Err(FenError::TooManyFields(Excerpt::of(text)));
        }

        position.check_turn()?;
        position.key = position.key_from_scratch();
        let us = position.side_to_move;
        // Of several, the first that can be captured en passant.
        let _ = double_steps.into_iter().any(|target| position.offer_en_passant(us, target));
        Ok(ParsedFen { position, notice })
    }

    fn read_board(&mut self, board: &str) -> Result<(), FenError<G>> {
        let size = [G::Square::FILES, G::Square::RANKS];
        read_placement(size, board, Piece::from_letter, |file, rank, piece: Piece<G::Kind>| {
            self.put(piece.color, piece.kind, G::Square::new(file, rank));
        })?;
        self.check_pieces()
    }

    /// Checks that each side has one king and that pawns are on valid ranks.
    pub(super) fn check_pieces(&self) -> Result<(), FenError<G>> {
        for color in Color::ALL {
            let count = self.of(color, G::Kind::KING).len();
            if count != 1 {
                return Err(FenError::Kings { color, count });
            }
        }
        let end_ranks = G::Bitboard::rank(0) | G::Bitboard::rank(G::Square::RANKS - 1);
        match (self.of_kind(G::Kind::PAWN) & end_ranks).lsb() {
            Some(square) => Err(FenError::PawnOnLastRank(square)),
            None => Ok(()),
        }
    }

    /// Checks that the side that has just moved is not in check.
    pub(super) fn check_turn(&self) -> Result<(), FenError<G>> {
        let waiting = !self.side_to_move;
        if self.is_attacked(self.king(waiting), !waiting, self.occupied()) {
            return Err(FenError::OpponentInCheck(waiting));
        }
        Ok(())
    }

    pub(super) fn is_at_home(&self, color: Color, wing: Wing) -> bool {
        let path = CastlingPath::<G>::of(color, wing);
        self.of(color, G::Kind::KING).contains(path.king_from)
            && self.of(color, G::Kind::ROOK).contains(path.rook_from)
    }

    /// Reads the third field. Rights without king or rook at home are dropped with a notice.
    fn read_castling(
        &self,
        text: &str,
    ) -> Result<(CastlingRights, Option<FenNotice>), FenError<G>> {
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
            if self.is_at_home(color, wing) {
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
    fn read_en_passant(&self, text: &str) -> Result<Vec<EnPassant<G::Square>>, FenError<G>> {
        if text == "-" {
            return Ok(Vec::new());
        }
        let passed = match *text.as_bytes() {
            [file, rank] => G::Square::from_bytes(file, rank),
            _ => None,
        };
        let passed = passed.ok_or_else(|| FenError::EnPassant(Excerpt::of(text)))?;
        let enemy = !self.side_to_move;
        let empty = !self.occupied();
        let over = G::Bitboard::of(passed);
        // A step to the square began where the other side's steps from it lead.
        let behind = pawn_steps::<G>(!enemy, passed) & empty;
        let double_step = |way: G::PawnWay| {
            let pawn = (way.steps(over) & self.of(enemy, G::Kind::PAWN)).lsb()?;
            behind
                .into_iter()
                .any(|from| way.steps(G::Bitboard::of(from)).contains(passed))
                .then_some(EnPassant { passed, pawn })
        };
        let mut possible: Vec<_> = pawn_ways::<G>(enemy).filter_map(double_step).collect();
        possible.sort_by_key(|target| target.pawn);
        if possible.is_empty() || !(third_rank::<G>(enemy) & empty).contains(passed) {
            return Err(FenError::ImpossibleEnPassant(passed));
        }
        Ok(possible)
    }

    /// The position as FEN, always with all six fields.
    pub fn fen(&self) -> String {
        self.to_string()
    }
}

impl<G: Geometry> FromStr for Position<G> {
    type Err = FenError<G>;

    fn from_str(fen: &str) -> Result<Position<G>, FenError<G>> {
        Ok(Position::from_fen(fen)?.position)
    }
}

impl<G: Geometry> fmt::Debug for Position<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<G: Geometry> fmt::Display for Position<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = board_text(|square: G::Square| self.piece_on(square).map(Piece::letter));
        write!(f, "{board} {} {}", self.side_to_move, self.castling)?;
        match self.en_passant {
            Some(target) => write!(f, " {} ", target.passed)?,
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

/// Why a text is not a valid FEN, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError<G: Geometry> {
    /// The text is empty.
    #[error("FEN is empty")]
    Empty,
    /// A field other than the clocks is missing.
    #[error("FEN field `{0}` is missing")]
    MissingField(&'static str),
    /// Text follows the sixth field.
    #[error("FEN has more than six fields: unexpected `{0}`")]
    TooManyFields(Excerpt),
    /// The wrong number of ranks.
    #[error("board: {} instead of {}", counted(*.0 as u64, "rank"), G::Square::RANKS)]
    RankCount(usize),
    /// A rank that is too short or too long; reading stops at too many squares.
    #[error("board: rank {rank} has {} instead of {}", counted(*.width as u64, G::Square::NAME), G::Square::FILES)]
    RankWidth {
        /// Counted from 1, as on the board.
        rank: usize,
        /// The number of squares in the text.
        width: usize,
    },
    /// An unknown letter or digit.
    #[error("board: unknown letter `{}` in rank {rank}", .letter.escape_default())]
    UnknownLetter {
        /// The letter.
        letter: char,
        /// Counted from 1, as on the board.
        rank: usize,
    },
    /// A side without a king, or with several.
    #[error("board: {color:?} has {count} kings instead of 1")]
    Kings {
        /// The side.
        color: Color,
        /// The number of kings.
        count: u32,
    },
    /// A pawn on the first or last rank.
    #[error("board: pawn on {0}, on the first or last rank")]
    PawnOnLastRank(G::Square),
    /// Neither `w` nor `b`.
    #[error("side to move: `{0}` is neither `w` nor `b`")]
    SideToMove(Excerpt),
    /// The side that has just moved is in check.
    #[error("side to move: {0:?} is in check, but it is not its turn")]
    OpponentInCheck(Color),
    /// Not some of `KQkq`, each at most once, or `-`.
    #[error("castling: `{0}` is neither `-` nor made of `KQkq`")]
    Castling(Excerpt),
    /// Not a square.
    #[error("en passant: `{0}` is neither `-` nor a {name}", name = G::Square::NAME)]
    EnPassant(Excerpt),
    /// No double step can have passed this square.
    #[error("en passant: no pawn can just have passed over {0}")]
    ImpossibleEnPassant(G::Square),
    /// A clock that is no number, or too large.
    #[error("{field}: `{text}` is not a number from 0 to {}", MAX_CLOCK)]
    Clock {
        /// Which of the two clocks.
        field: &'static str,
        /// The invalid text.
        text: Excerpt,
    },
}

impl<G: Geometry> From<PlacementFault> for FenError<G> {
    fn from(fault: PlacementFault) -> FenError<G> {
        match fault {
            PlacementFault::RankCount(ranks) => FenError::RankCount(ranks),
            PlacementFault::RankWidth { rank, width } => FenError::RankWidth { rank, width },
            PlacementFault::UnknownLetter { letter, rank } => {
                FenError::UnknownLetter { letter, rank }
            }
        }
    }
}

/// A correction of a FEN.
#[derive(Clone, PartialEq, Eq, Debug, Display)]
pub enum FenNotice {
    /// These castling letters were dropped: king or rook is not on its home square.
    #[display("castling: `{_0}` dropped, king or rook is not at home")]
    CastlingDropped(String),
}
