//! Positions as text: FEN with eight ranks of eight cells.

use std::fmt;

use super::bitboard::Bitboard;
use super::castling::{CastlingPath, CastlingRights, Wing};
use super::cell::Cell;
use super::en_passant::EnPassant;
use super::fen_error::{FenError, FenNotice};
use super::piece::{Piece, PieceKind};
use super::position::{MAX_CLOCK, Position};
use super::side::{Black, Side, White};
use crate::game::Color;
use crate::text::Excerpt;

/// A FEN that was read, with what had to be put right.
#[derive(Clone, Debug)]
pub struct ParsedFen {
    /// The position.
    pub position: Position,
    /// What the reader should hear of.
    pub notice: Option<FenNotice>,
}

const CASTLING_LETTERS: [(char, Color, Wing); 4] = [
    ('K', Color::White, Wing::King),
    ('Q', Color::White, Wing::Queen),
    ('k', Color::Black, Wing::King),
    ('q', Color::Black, Wing::Queen),
];

impl Position {
    /// Reads a FEN. The two clocks may be missing.
    ///
    /// # Errors
    /// When a field is missing or malformed, or the position is impossible.
    pub fn from_fen(fen: &str) -> Result<ParsedFen, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let board = fields.next().ok_or(FenError::Empty)?;
        let mut position = Position::EMPTY;
        position.read_board(board)?;

        let side = fields.next().ok_or(FenError::MissingField("side to move"))?;
        position.side_to_move = match side {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(FenError::SideToMove(Excerpt::of(side))),
        };
        let castling = fields.next().ok_or(FenError::MissingField("castling"))?;
        let notice = position.read_castling(castling)?;
        let en_passant = fields.next().ok_or(FenError::MissingField("en passant"))?;
        let double_steps = position.read_en_passant(en_passant)?;
        if let Some(text) = fields.next() {
            position.halfmove_clock = read_clock("halfmove clock", text)?;
        }
        if let Some(text) = fields.next() {
            position.fullmove_number = read_clock("fullmove number", text)?.max(1);
        }
        if let Some(text) = fields.next() {
            return Err(FenError::TooManyFields(Excerpt::of(text)));
        }

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
        let ranks = board.split('/').count();
        if ranks != usize::from(Cell::RANKS) {
            return Err(FenError::RankCount(ranks));
        }
        for (text, rank) in board.split('/').zip((0..Cell::RANKS).rev()) {
            self.read_rank(text, rank)?;
        }
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

    fn read_rank(&mut self, text: &str, rank: u8) -> Result<(), FenError> {
        let number = usize::from(rank) + 1;
        let mut width = 0;
        for letter in text.chars() {
            if let Some(run) = letter.to_digit(10).filter(|&run| run > 0) {
                width += run as usize;
            } else if let Some(piece) = Piece::from_letter(letter) {
                if width < usize::from(Cell::FILES) {
                    self.put(piece.color, piece.kind, Cell::new(width as u8, rank));
                }
                width += 1;
            } else {
                return Err(FenError::UnknownLetter { letter, rank: number });
            }
        }
        if width != usize::from(Cell::FILES) {
            return Err(FenError::RankWidth { rank: number, width });
        }
        Ok(())
    }

    fn read_castling(&mut self, text: &str) -> Result<Option<FenNotice>, FenError> {
        if text == "-" {
            return Ok(None);
        }
        let mut given = CastlingRights::NONE;
        let mut dropped = String::new();
        for letter in text.chars() {
            let found = CASTLING_LETTERS.into_iter().find(|&(known, ..)| known == letter);
            let Some((_, color, wing)) = found.filter(|&(_, color, wing)| !given.has(color, wing))
            else {
                return Err(FenError::Castling(Excerpt::of(text)));
            };
            given = given.with(color, wing);
            let path = CastlingPath::of(color, wing);
            if self.of(color, PieceKind::King).contains(path.king_from)
                && self.of(color, PieceKind::Rook).contains(path.rook_from)
            {
                self.castling = self.castling.with(color, wing);
            } else {
                dropped.push(letter);
            }
        }
        Ok(if dropped.is_empty() { None } else { Some(FenNotice::CastlingDropped(dropped)) })
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
    pub fn fen(&self) -> String {
        self.to_string()
    }

    fn write_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..Cell::RANKS).rev() {
            let mut empty = 0;
            for file in 0..Cell::FILES {
                let Some(piece) = self.piece_on(Cell::new(file, rank)) else {
                    empty += 1;
                    continue;
                };
                write_run(std::mem::take(&mut empty), f)?;
                write!(f, "{}", piece.letter())?;
            }
            write_run(empty, f)?;
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        Ok(())
    }
}

fn read_clock(field: &'static str, text: &str) -> Result<u16, FenError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|&number: &u16| digits && number <= MAX_CLOCK);
    number.ok_or_else(|| FenError::Clock { field, text: Excerpt::of(text) })
}

fn write_run(empty: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if empty > 0 { write!(f, "{empty}") } else { Ok(()) }
}

/// Writes the FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_board(f)?;
        f.write_str(match self.side_to_move {
            Color::White => " w ",
            Color::Black => " b ",
        })?;
        if self.castling.is_empty() {
            f.write_str("-")?;
        }
        for (letter, color, wing) in CASTLING_LETTERS {
            if self.castling.has(color, wing) {
                write!(f, "{letter}")?;
            }
        }
        match self.en_passant {
            Some(target) => write!(f, " {} ", target.passed)?,
            None => f.write_str(" - ")?,
        }
        write!(f, "{} {}", self.halfmove_clock, self.fullmove_number)
    }
}
