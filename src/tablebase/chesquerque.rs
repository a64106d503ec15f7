//! Chesquerque as a game of which there are tables.

#[cfg(any(test, feature = "table-generator"))]
use std::io;

#[cfg(any(test, feature = "table-generator"))]
use super::board::chesquerque::Material;
use super::board::chesquerque::{Layout, Placement};
use super::packing::block::{unpack_mates, unpack_zeroings};
use super::packing::evidence::Evidence;
use super::packing::frames::{FRAME, Frames};
use super::packing::framing::Framing;
#[cfg(any(test, feature = "table-generator"))]
use super::packing::framing::PackedFrame;
use super::packing::planes::Planes;
#[cfg(any(test, feature = "table-generator"))]
use super::rows::layout::RowLayout;
#[cfg(any(test, feature = "table-generator"))]
use super::rows::table::generate_by_rows;
#[cfg(any(test, feature = "table-generator"))]
use super::solving::generator::{ByRows, SolvedTable, SolvedTables};
use super::table_game::TableGame;
use qirkat_rules::chesquerque::Position;

impl TableGame for Position {
    const EMBEDDED: &'static [&'static [u8]] = &[
        include_bytes!("../../engine-config/tables/KQvK.qtb"),
        include_bytes!("../../engine-config/tables/KAvK.qtb"),
        include_bytes!("../../engine-config/tables/KRvK.qtb"),
        include_bytes!("../../engine-config/tables/KBvK.qtb"),
        include_bytes!("../../engine-config/tables/KNvK.qtb"),
        include_bytes!("../../engine-config/tables/KPvK.qtb"),
    ];
    type Frames = Frames;

    #[cfg(any(test, feature = "table-generator"))]
    fn generate_by_rows(
        material: Material,
        children: &SolvedTables<Position>,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> ByRows<Position> {
        RowLayout::new(Layout::new(material)).map_or(ByRows::Unfit, |layout| {
            generate_by_rows(layout, children, progress)
                .map_or(ByRows::Stopped, |table| ByRows::Solved(Box::new(table)))
        })
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
        table: &SolvedTable<Position>,
        is_wide: [bool; 2],
    ) -> io::Result<(Vec<u8>, Vec<PackedFrame>)> {
        table.pack_frames(self, is_wide)
    }
}
