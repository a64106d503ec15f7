//! Masonic chess as a game of which there are tablebases.

use qirkat_rules::masonic::{Cell, Position};

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
    fn cache() -> &'static GameCache<Position> {
        static CACHE: GameCache<Position> = GameCache::new();
        &CACHE
    }
}
