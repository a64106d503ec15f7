//! Masonic chess as a game of which there are tablebases.

use qirkat_game::Color;
use qirkat_rules::masonic::{
    self, Bitboard, Cell, Piece, PieceKind, Position, double_step, pawn_captures, pawn_steps,
};

use crate::table_game::{GameCache, TableGame};

impl TableGame for Position {
    const EMBEDDED: &'static [&'static [u8]] = &[
        include_bytes!("../../engine-config/tables/KQvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KRvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KBvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KNvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KPvK.masonic.qtb"),
    ];
    /// Half a turn. The mirrors of the board move its shifted ranks off their places.
    const SYMMETRIES: usize = 2;
    /// Half a turn sends pawns back.
    const PAWN_SYMMETRIES: usize = 1;

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
    fn cache() -> &'static GameCache<Position> {
        static CACHE: GameCache<Position> = GameCache::new();
        &CACHE
    }

    #[inline]
    fn king(&self, color: Color) -> Cell {
        self.king(color)
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
