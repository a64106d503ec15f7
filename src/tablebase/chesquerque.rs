//! Chesquerque as a game of which there are tablebases.

use qirkat_rules::chesquerque::{Point, Position};

use crate::indexing::symmetry::SymmetricBoard;
use crate::set::HasEmbeddedTables;
use crate::table_game::{GameCache, TableGame};

impl SymmetricBoard for Position {
    /// Turning or mirroring the square keeps every point's kind, since the parity of file
    /// plus rank stays, and so keeps every line.
    const SYMMETRIES: usize = 8;
    /// The mirror exchanges the files.
    const PAWN_SYMMETRIES: usize = 2;

    /// Bit 0 exchanges the files, bit 1 the ranks, bit 2, last, files and ranks.
    fn image(symmetry: usize, point: Point) -> Point {
        let last = Point::FILES - 1;
        let file = if symmetry & 1 != 0 { last - point.file() } else { point.file() };
        let rank = if symmetry & 2 != 0 { last - point.rank() } else { point.rank() };
        if symmetry & 4 != 0 { Point::new(rank, file) } else { Point::new(file, rank) }
    }
}

impl TableGame for Position {
    const HAS_LADDERS: bool = true;

    #[inline]
    fn cache() -> &'static GameCache<Position> {
        static CACHE: GameCache<Position> = GameCache::new();
        &CACHE
    }
}

impl HasEmbeddedTables for Position {
    const FILES: &'static [&'static [u8]] = &[
        include_bytes!("../../engine-config/tables/KQvK.qtb"),
        include_bytes!("../../engine-config/tables/KAvK.qtb"),
        include_bytes!("../../engine-config/tables/KRvK.qtb"),
        include_bytes!("../../engine-config/tables/KBvK.qtb"),
        include_bytes!("../../engine-config/tables/KNvK.qtb"),
        include_bytes!("../../engine-config/tables/KPvK.qtb"),
    ];
}
