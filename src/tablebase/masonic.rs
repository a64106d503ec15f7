//! Masonic chess as a game of which there are tables.
//!
//! All tables are packed in the order of the layout.

#[cfg(any(test, feature = "table-generator"))]
use std::io;

use super::board::layout::Layout;
use super::board::placement::Placement;
use super::board::table_board::TableBoard;
use super::packing::evidence::Evidence;
use super::packing::framing::Framing;
#[cfg(any(test, feature = "table-generator"))]
use super::packing::framing::PackedFrame;
use super::packing::planes::Planes;
#[cfg(any(test, feature = "table-generator"))]
use super::solving::generator::SolvedTable;
use super::table_game::TableGame;
use qirkat_rules::masonic::Position;

impl TableGame for Position {
    const EMBEDDED: &'static [&'static [u8]] = &[
        include_bytes!("../../engine-config/tables/KQvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KRvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KBvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KNvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KPvK.masonic.qtb"),
    ];
    type Frames = NoFrames;
}

/// No table has frames.
pub enum NoFrames {}

impl<G: TableBoard> Framing<G> for NoFrames {
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
