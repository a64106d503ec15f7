//! The board as networks and datasets see it: numbered points and pieces.

use super::bitboard::Bitboard;
use super::piece::{MAX_PIECES, PieceKind};
use super::point::Point;
use super::position::Position;
use qirkat_game::{Board, Color, PieceCode, PointSet};

impl Board for Position {
    const FILES: usize = Point::FILES as usize;
    const RANKS: usize = Point::RANKS as usize;
    const KINDS: &'static [char] = &['P', 'N', 'B', 'R', 'A', 'Q', 'K'];
    const KIND_NAMES: &'static [&'static str] =
        &["pawn", "knight", "bishop", "rook", "archbishop", "queen", "king"];
    const KING: Option<usize> = Some(PieceKind::King as usize);
    const MAX_PIECES: usize = MAX_PIECES;
    const POINT_KINDS: &'static [&'static str] = &["plain", "diagonal"];

    fn point_kind(point: usize) -> usize {
        Point::from_index(point).map_or(0, |point| usize::from(point.is_diagonal()))
    }

    #[inline]
    fn occupied_points(&self) -> PointSet {
        points(self.occupied())
    }

    #[inline]
    fn changed_points(&self, other: &Position) -> PointSet {
        points(self.differing_points(other))
    }

    #[inline]
    fn piece_at(&self, point: usize) -> Option<PieceCode> {
        let piece = self.piece_on(Point::from_index(point)?)?;
        Some(PieceCode::new(piece.color, piece.kind.index()))
    }

    #[inline]
    fn king_at(&self, color: Color) -> usize {
        self.king(color).index()
    }

    fn castling_bits(&self) -> u8 {
        self.castling().bits()
    }

    fn from_exact_fen(fen: &str) -> Option<Position> {
        let parsed = Position::from_fen(fen).ok()?;
        parsed.notice.is_none().then_some(parsed.position)
    }
}

#[inline]
fn points(bitboard: Bitboard) -> PointSet {
    PointSet(bitboard.0)
}

#[cfg(test)]
mod tests {
    use super::super::piece::Piece;
    use super::*;

    #[test]
    fn numbers_of_kinds_are_their_places() {
        for kind in PieceKind::ALL {
            let code = PieceCode::new(Color::White, kind.index());
            let piece = Piece { color: Color::White, kind };
            assert_eq!(Position::letter(code), Some(piece.letter()));
            assert_eq!(Position::KIND_NAMES[kind.index()], kind.name());
        }
        assert_eq!(Position::KINDS.len(), PieceKind::COUNT);
    }
}
