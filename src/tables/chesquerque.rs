//! Chesquerque as a game of which there are tables.

#[cfg(any(test, feature = "table-generator"))]
use std::io;

use super::block::{unpack_mates, unpack_zeroings};
use super::evidence::Evidence;
use super::frames::{FRAME, Frames};
use super::framing::Framing;
#[cfg(any(test, feature = "table-generator"))]
use super::framing::PackedFrame;
#[cfg(any(test, feature = "table-generator"))]
use super::generator::{self, ByRows};
use super::planes::Planes;
#[cfg(any(test, feature = "table-generator"))]
use super::row_layout::RowLayout;
#[cfg(any(test, feature = "table-generator"))]
use super::row_table::generate_by_rows;
use super::table_game::{Shared, TableGame};
use super::{king_pairs, layout, pawns, placement, symmetry};
use crate::chesquerque::{Bitboard, Color, Piece, PieceKind, Point, Position, piece_attacks};

pub(super) type KingPairs = king_pairs::KingPairs<Position>;
pub(super) type Layout = layout::Layout<Position>;
pub(super) type PawnPoints = pawns::PawnPoints<Point>;
pub(super) type Placed = placement::Placed<Position>;
pub(super) type Placement = placement::Placement<Position>;
#[cfg(any(test, feature = "table-generator"))]
pub(super) type Material = super::material::Material<PieceKind>;
#[cfg(any(test, feature = "table-generator"))]
pub(super) type SolvedTable = generator::SolvedTable<Position>;
#[cfg(any(test, feature = "table-generator"))]
pub(super) type SolvedTables = generator::SolvedTables<Position>;
pub(super) type Symmetries = symmetry::Symmetries<Position>;

/// The rank on which a side's pawns start.
const fn first_rank(color: Color) -> u8 {
    match color {
        Color::White => 1,
        Color::Black => Point::RANKS - 2,
    }
}

impl TableGame for Position {
    /// Turning or mirroring the square keeps every point's kind, since the parity of file
    /// plus rank stays, and so keeps every line.
    const SYMMETRIES: usize = 8;
    /// The mirror exchanges the files.
    const PAWN_SYMMETRIES: usize = 2;
    const EMBEDDED: &'static [&'static [u8]] = &[
        include_bytes!("../../engine-config/tables/KQvK.qtb"),
        include_bytes!("../../engine-config/tables/KAvK.qtb"),
        include_bytes!("../../engine-config/tables/KRvK.qtb"),
        include_bytes!("../../engine-config/tables/KBvK.qtb"),
        include_bytes!("../../engine-config/tables/KNvK.qtb"),
        include_bytes!("../../engine-config/tables/KPvK.qtb"),
    ];
    type Frames = Frames;

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

    #[cfg(any(test, feature = "table-generator"))]
    fn generate_by_rows(
        material: Material,
        children: &SolvedTables,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> ByRows<Position> {
        RowLayout::new(Layout::new(material)).map_or(ByRows::Unfit, |layout| {
            generate_by_rows(layout, children, progress)
                .map_or(ByRows::Stopped, |table| ByRows::Solved(Box::new(table)))
        })
    }

    #[inline]
    fn shared() -> &'static Shared<Position> {
        static SHARED: Shared<Position> = Shared::new();
        &SHARED
    }

    #[inline]
    fn occupied(&self) -> Bitboard {
        self.occupied()
    }

    #[inline]
    fn king(&self, color: Color) -> Point {
        self.king(color)
    }

    #[inline]
    fn piece_on(&self, point: Point) -> Option<Piece> {
        self.piece_on(point)
    }

    #[inline]
    fn can_castle(&self) -> bool {
        !self.castling().is_empty()
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

impl Framing<Position> for Frames {
    const CELLS: usize = FRAME;

    fn of(layout: &Layout) -> Option<Frames> {
        Frames::of(layout)
    }

    fn count(&self, layout: &Layout) -> usize {
        self.count(layout)
    }

    fn place(&self, layout: &Layout, placement: &Placement) -> Option<(usize, usize)> {
        self.place(layout, placement)
    }

    fn unpack_mates(
        &self,
        layout: &Layout,
        number: usize,
        packed: &[u8],
        evidence: &Evidence,
        is_wide: bool,
    ) -> Planes {
        let frame = self.frame(layout, number);
        frame.map_or_else(Planes::empty, |frame| unpack_mates(packed, &frame, evidence, is_wide))
    }

    fn unpack_zeroings(
        &self,
        layout: &Layout,
        number: usize,
        packed: &[u8],
        dtm: &Planes,
        evidence: &Evidence,
        is_wide: bool,
    ) -> Planes {
        self.frame(layout, number).map_or_else(Planes::empty, |frame| {
            unpack_zeroings(packed, &frame, dtm, evidence, is_wide)
        })
    }

    #[cfg(any(test, feature = "table-generator"))]
    fn pack(
        &self,
        table: &SolvedTable,
        is_wide: [bool; 2],
    ) -> io::Result<(Vec<u8>, Vec<PackedFrame>)> {
        table.pack_frames(self, is_wide)
    }
}
