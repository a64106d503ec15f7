//! Chesquerque as a game of which there are tablebases.

use qirkat_rules::chesquerque::{
    Bitboard, Color, Piece, PieceKind, Point, Position, piece_attacks,
};

use crate::table_game::{GameCache, TableGame};

/// The rank on which a side's pawns start.
const fn first_rank(color: Color) -> u8 {
    match color {
        Color::White => 1,
        Color::Black => Point::RANKS - 2,
    }
}

impl TableGame for Position {
    const EMBEDDED: &'static [&'static [u8]] = &[
        include_bytes!("../../engine-config/tables/KQvK.qtb"),
        include_bytes!("../../engine-config/tables/KAvK.qtb"),
        include_bytes!("../../engine-config/tables/KRvK.qtb"),
        include_bytes!("../../engine-config/tables/KBvK.qtb"),
        include_bytes!("../../engine-config/tables/KNvK.qtb"),
        include_bytes!("../../engine-config/tables/KPvK.qtb"),
    ];
    /// Turning or mirroring the square keeps every point's kind, since the parity of file
    /// plus rank stays, and so keeps every line.
    const SYMMETRIES: usize = 8;
    /// The mirror exchanges the files.
    const PAWN_SYMMETRIES: usize = 2;
    const HAS_LADDERS: bool = true;

    /// Bit 0 exchanges the files, bit 1 the ranks, bit 2, last, files and ranks.
    fn image(symmetry: usize, point: Point) -> Point {
        let last = Point::FILES - 1;
        let file = if symmetry & 1 != 0 { last - point.file() } else { point.file() };
        let rank = if symmetry & 2 != 0 { last - point.rank() } else { point.rank() };
        if symmetry & 4 != 0 { Point::new(rank, file) } else { Point::new(file, rank) }
    }

    #[inline]
    fn flipped(point: Point) -> Point {
        point.flipped()
    }

    #[inline]
    fn piece_attacks(kind: PieceKind, from: Point, occupied: Bitboard) -> Bitboard {
        piece_attacks(kind, from, occupied)
    }

    /// A pawn captures slantwise from a diagonal point, straight ahead from a plain one.
    #[inline]
    fn pawn_captures(color: Color, from: Point) -> Bitboard {
        let ahead = from.bit().forward(color);
        if from.is_diagonal() { ahead.east() | ahead.west() } else { ahead }
    }

    #[inline]
    fn pawn_steps(color: Color, from: Point) -> Bitboard {
        from.bit().forward(color)
    }

    #[inline]
    fn double_step(color: Color, from: Point, over: Point) -> Option<Point> {
        if from.rank() == first_rank(color) { over.bit().forward(color).lsb() } else { None }
    }

    #[inline]
    fn cache() -> &'static GameCache<Position> {
        static CACHE: GameCache<Position> = GameCache::new();
        &CACHE
    }

    #[inline]
    fn king(&self, color: Color) -> Point {
        self.king(color)
    }

    #[inline]
    fn has_en_passant(&self) -> bool {
        self.en_passant().is_some()
    }

    fn from_pieces(
        pieces: impl IntoIterator<Item = (Piece, Point)>,
        side_to_move: Color,
    ) -> Option<Position> {
        Position::from_pieces(pieces, side_to_move)
    }
}
