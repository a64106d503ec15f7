//! Masonic chess as a game of which there are tablebases.

use qirkat_rules::masonic::{Cell, Position};

use crate::indexing::symmetry::SymmetricBoard;
use crate::set::HasEmbeddedTables;
use crate::table_game::{GameCache, TableGame};

impl SymmetricBoard for Position {
    /// Half a turn. The mirrors of the board move its shifted ranks off their places.
    const SYMMETRIES: usize = 2;
    /// Half a turn sends pawns back.
    const PAWN_SYMMETRIES: usize = 1;

    fn image(symmetry: usize, cell: Cell) -> Cell {
        if symmetry == 0 { cell } else { cell.turned() }
    }
}

impl TableGame for Position {
    #[inline]
    fn cache() -> &'static GameCache<Position> {
        static CACHE: GameCache<Position> = GameCache::new();
        &CACHE
    }
}

impl HasEmbeddedTables for Position {
    const FILES: &'static [&'static [u8]] = &[
        include_bytes!("../../engine-config/tables/KQvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KRvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KBvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KNvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KPvK.masonic.qtb"),
    ];
}
