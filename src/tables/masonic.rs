//! Masonic chess as a game of which there are tables.
//!
//! All tables are packed in the order of the layout.

#[cfg(any(test, feature = "table-generator"))]
use std::io;

use super::evidence::Evidence;
use super::framing::Framing;
#[cfg(any(test, feature = "table-generator"))]
use super::framing::PackedFrame;
#[cfg(any(test, feature = "table-generator"))]
use super::generator::SolvedTable;
use super::layout::Layout;
use super::placement::Placement;
use super::planes::Planes;
use super::table_game::{Shared, TableGame};
use crate::game::Color;
use crate::masonic::{
    self, Bitboard, Cell, Piece, PieceKind, Position, double_step, pawn_captures, pawn_steps,
};

impl TableGame for Position {
    /// Half a turn. The mirrors of the board move its shifted ranks off their places.
    const SYMMETRIES: usize = 2;
    /// Half a turn sends pawns back.
    const PAWN_SYMMETRIES: usize = 1;
    const EMBEDDED: &'static [&'static [u8]] = &[
        include_bytes!("../../engine-config/tables/KQvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KRvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KBvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KNvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KPvK.masonic.qtb"),
    ];
    type Frames = NoFrames;

    fn image(symmetry: usize, cell: Cell) -> Cell {
        if symmetry == 0 { cell } else { cell.turned() }
    }

    #[inline]
    fn flipped(cell: Cell) -> Cell {
        cell.turned()
    }

    #[inline]
    fn piece_attacks(kind: PieceKind, from: Cell, occupied: Bitboard) -> Bitboard {
        masonic::piece_attacks(kind, from, occupied)
    }

    #[inline]
    fn pawn_captures(color: Color, from: Cell) -> Bitboard {
        pawn_captures(color, from)
    }

    #[inline]
    fn pawn_steps(color: Color, from: Cell) -> Bitboard {
        pawn_steps(color, from)
    }

    #[inline]
    fn double_step(color: Color, from: Cell, over: Cell) -> Option<Cell> {
        double_step(color, from, over)
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
    fn king(&self, color: Color) -> Cell {
        self.king(color)
    }

    #[inline]
    fn piece_on(&self, cell: Cell) -> Option<Piece> {
        self.piece_on(cell)
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
        pieces: impl IntoIterator<Item = (Piece, Cell)>,
        side_to_move: Color,
    ) -> Option<Position> {
        Position::from_pieces(pieces, side_to_move)
    }
}

/// No table has frames.
pub enum NoFrames {}

impl<G: TableGame> Framing<G> for NoFrames {
    const CELLS: usize = 0;

    fn of(_: &Layout<G>) -> Option<NoFrames> {
        None
    }

    fn count(&self, _: &Layout<G>) -> usize {
        match *self {}
    }

    fn place(&self, _: &Layout<G>, _: &Placement<G>) -> Option<(usize, usize)> {
        match *self {}
    }

    fn unpack_mates(&self, _: &Layout<G>, _: usize, _: &[u8], _: &Evidence, _: bool) -> Planes {
        match *self {}
    }

    fn unpack_zeroings(
        &self,
        _: &Layout<G>,
        _: usize,
        _: &[u8],
        _: &Planes,
        _: &Evidence,
        _: bool,
    ) -> Planes {
        match *self {}
    }

    #[cfg(any(test, feature = "table-generator"))]
    fn pack(&self, _: &SolvedTable<G>, _: [bool; 2]) -> io::Result<(Vec<u8>, Vec<PackedFrame>)> {
        match *self {}
    }
}
