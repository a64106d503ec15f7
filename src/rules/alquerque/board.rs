//! The board as networks and datasets see it: numbered points and men.

use super::bitboard::Bitboard;
use super::point::Point;
use super::position::Position;
use qirkat_game::{Board, Color, PieceCode, PointSet};

impl Board for Position {
    const FILES: usize = Point::FILES as usize;
    const RANKS: usize = Point::RANKS as usize;
    const KINDS: &'static [char] = &['M'];
    const KIND_NAMES: &'static [&'static str] = &["man"];
    const KING: Option<usize> = None;
    const MAX_PIECES: usize = 24;
    const POINT_KINDS: &'static [&'static str] = &["plain", "diagonal"];

    fn point_kind(point: usize) -> usize {
        Point::from_index(point).map_or(0, |point| usize::from(Bitboard::DIAGONAL.contains(point)))
    }

    #[inline]
    fn occupied_points(&self) -> PointSet {
        points(self.occupied())
    }

    #[inline]
    fn changed_points(&self, other: &Position) -> PointSet {
        let [white, black] = Color::ALL.map(|color| self.men(color) ^ other.men(color));
        points(white | black)
    }

    #[inline]
    fn piece_at(&self, point: usize) -> Option<PieceCode> {
        Some(PieceCode::new(self.man_on(Point::from_index(point)?)?, 0))
    }

    fn king_at(&self, _: Color) -> usize {
        0
    }

    fn castling_bits(&self) -> u8 {
        0
    }

    fn from_exact_fen(fen: &str) -> Option<Position> {
        let parsed = Position::from_fen(fen).ok()?;
        parsed.notice.is_none().then_some(parsed.position)
    }
}

#[inline]
fn points(bitboard: Bitboard) -> PointSet {
    PointSet(bitboard.dense().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_keep_their_numbers() {
        let start = Position::start();
        let expected: Vec<usize> = start.occupied().into_iter().map(Point::index).collect();
        let found: Vec<usize> = start.occupied_points().into_iter().collect();
        assert_eq!(found, expected);
        for point in Point::all() {
            assert_eq!(Point::from_index(point.index()), Some(point));
            let letter = start.piece_at(point.index()).and_then(Position::letter);
            assert_eq!(
                letter,
                start.man_on(point).map(|color| match color {
                    Color::White => 'M',
                    Color::Black => 'm',
                })
            );
        }
        assert_eq!(Point::from_index(Point::COUNT), None);
    }
}
