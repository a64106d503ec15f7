//! A packed position: board, search score and game result in 36 bytes.

use thiserror::Error;

use super::block::RESULTS;
use qirkat_game::{Board, Color, GameResult, PieceCode, PointSet};
use qirkat_rules::fen::placement_text;
use qirkat_rules::match_variant;
use qirkat_rules::variant::{AnyPosition, Variant};

/// A position with its score and result (WDL target) in 36 bytes, as in
/// `docs/reference/data-format.md`. The file header has the variant; pieces are numbered as in
/// [`Board::KIND_LETTERS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedPosition(pub(crate) [u8; PackedPosition::SIZE]);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PackedPositionError {
    #[error("more than {} pieces", PackedPosition::MAX_PIECES)]
    TooManyPieces,
    #[error("the bytes are not a legal position")]
    NoPosition,
    #[error("the game was not finished")]
    NoResult,
}

const PIECES_AT: usize = 11;
const FLAGS_AT: usize = 29;
const CLOCK_AT: usize = 30;
const SCORE_AT: usize = 31;
const PLY_AT: usize = 33;
const RIGHTS: u8 = 0b1111;
const RESULT_SHIFT: u32 = 5;

impl PackedPosition {
    pub const SIZE: usize = 36;
    pub const MAX_PIECES: usize = 36;

    pub fn pack<G: Board>(
        position: &G,
        score: i16,
        ply: u16,
        result: GameResult,
    ) -> Result<PackedPosition, PackedPositionError> {
        let mut bytes = [0; PackedPosition::SIZE];
        let occupied = position.occupied_points();
        if occupied.len() as usize > PackedPosition::MAX_PIECES {
            return Err(PackedPositionError::TooManyPieces);
        }
        for (index, point) in occupied.into_iter().enumerate() {
            bytes[point / 8] |= 1 << (point % 8);
            let code = position.piece_at(point).map_or(0, PieceCode::number);
            bytes[PIECES_AT + index / 2] |= code << (4 * (index % 2));
        }
        let mut flags = u8::from(position.side_to_move() == Color::Black);
        flags |= (position.castling_bits() & RIGHTS) << 1;
        let index = RESULTS.iter().position(|&known| known == result);
        flags |= (index.ok_or(PackedPositionError::NoResult)? as u8) << RESULT_SHIFT;
        bytes[FLAGS_AT] = flags;
        bytes[CLOCK_AT] = position.reversible_plies().min(usize::from(u8::MAX)) as u8;
        bytes[SCORE_AT..PLY_AT].copy_from_slice(&score.to_le_bytes());
        bytes[PLY_AT..PLY_AT + 2].copy_from_slice(&ply.to_le_bytes());
        Ok(PackedPosition(bytes))
    }

    pub(super) fn without_score(&self) -> (&[u8], &[u8]) {
        (&self.0[..SCORE_AT], &self.0[PLY_AT..])
    }

    /// The pieces with their point numbers; an error if there are too many.
    #[inline]
    pub fn pieces(
        &self,
    ) -> impl Iterator<Item = Result<(usize, PieceCode), PackedPositionError>> + '_ {
        let points = self.0[..PIECES_AT].iter().rev();
        let points = points.fold(0, |points, &byte| points << 8 | u128::from(byte));
        PointSet(points).into_iter().enumerate().map(|(index, point)| {
            if index >= PackedPosition::MAX_PIECES {
                return Err(PackedPositionError::TooManyPieces);
            }
            let code = self.0[PIECES_AT + index / 2] >> (4 * (index % 2)) & 15;
            Ok((point, PieceCode::from_number(code)))
        })
    }

    pub fn side_to_move(&self) -> Color {
        Color::ALL[usize::from(self.0[FLAGS_AT] & 1)]
    }

    /// The remaining castling rights: see [`Board::castling_bits`].
    pub fn castling_bits(&self) -> u8 {
        self.0[FLAGS_AT] >> 1 & RIGHTS
    }

    pub fn result(&self) -> GameResult {
        RESULTS[usize::from(self.0[FLAGS_AT] >> RESULT_SHIFT & 3).min(2)]
    }

    /// The search score in centipawns, for the side to move.
    pub fn score(&self) -> i16 {
        i16::from_le_bytes([self.0[SCORE_AT], self.0[SCORE_AT + 1]])
    }

    pub fn ply(&self) -> u16 {
        u16::from_le_bytes([self.0[PLY_AT], self.0[PLY_AT + 1]])
    }

    /// The position of variant `G`. State that is not stored, such as en passant, is lost.
    pub fn unpack<G: Board>(&self) -> Result<G, PackedPositionError> {
        let mut letters = vec![None; G::POINTS];
        for piece in self.pieces() {
            let (point, piece) = piece?;
            let slot = letters.get_mut(point).ok_or(PackedPositionError::NoPosition)?;
            *slot = Some(G::letter(piece).ok_or(PackedPositionError::NoPosition)?);
        }
        let side = if self.side_to_move() == Color::White { 'w' } else { 'b' };
        let castling: String = (0..4)
            .zip("KQkq".chars())
            .filter(|(bit, _)| self.castling_bits() >> bit & 1 != 0)
            .map(|(_, letter)| letter)
            .collect();
        let castling = if castling.is_empty() { "-" } else { &castling };
        let clock = self.0[CLOCK_AT];
        let number = self.ply() / 2 + 1;
        let letter = |file, rank| letters[usize::from(rank) * G::FILES + usize::from(file)];
        let board = placement_text([G::FILES as u8, G::RANKS as u8], letter);
        G::from_exact_fen(&format!("{board} {side} {castling} - {clock} {number}"))
            .ok_or(PackedPositionError::NoPosition)
    }

    /// The same for any variant.
    pub fn unpack_any(&self, variant: Variant) -> Result<AnyPosition, PackedPositionError> {
        match_variant!(variant, Own => Ok(self.unpack::<Own>()?.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::{alquerque, chesquerque, masonic};

    fn survive<G: Board>(fens: &[&str]) {
        for fen in fens {
            let position = G::from_exact_fen(fen).expect(fen);
            for result in [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins] {
                let number: u16 = fen.rsplit(' ').next().and_then(|it| it.parse().ok()).expect(fen);
                let ply = (number - 1) * 2;
                let packed = PackedPosition::pack(&position, -123, ply, result).expect(fen);
                assert_eq!(packed.unpack(), Ok(position), "{fen}");
                assert_eq!((packed.score(), packed.ply()), (-123, ply));
                assert_eq!(packed.result(), result);
            }
        }
    }

    #[test]
    fn positions_survive_packing() {
        survive::<chesquerque::Position>(&[
            chesquerque::START_FEN,
            "4k4/9/9/9/9/9/9/9/R3K3R w KQ - 0 1",
            "r3k3r/1p3p3/9/2b1p4/4P1B2/4a4/2N6/PPP2P1PP/R3K3R b Kq - 17 31",
            "9/2P3k2/9/9/9/9/9/2K3p2/8Q b - - 99 60",
        ]);
        survive::<masonic::Position>(&[
            masonic::START_FEN,
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 17 31",
            "8/1P4k1/8/8/8/8/1K4p1/7Q b - - 99 60",
        ]);
        survive::<alquerque::Position>(&[alquerque::START_FEN, "5/5/m4/1M3/M1M1M w - - 7 20"]);
    }

    #[test]
    fn any_bytes_are_read_without_panic() {
        for filling in 0..=u8::MAX {
            let packed = PackedPosition([filling; PackedPosition::SIZE]);
            let _ = packed.unpack::<chesquerque::Position>();
            let _ = packed.unpack::<masonic::Position>();
            let _ = packed.unpack::<alquerque::Position>();
            let _ = (packed.pieces().count(), packed.result(), packed.castling_bits());
        }
    }
}
