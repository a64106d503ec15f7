//! One table, read block by block.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use once_cell::race::OnceBox;

use qirkat_game::Color;

use super::header::{Extent, FIXED, Header, Start, read_fixed, read_front, room_for};
use super::kept::Kept;
use crate::cell::{Cell, Entry};
use crate::error::TableError;
use crate::indexing::layout::Layout;
use crate::indexing::material::Material;
use crate::indexing::placement::Placement;
use crate::packing::block::{Unknown, code_mates, code_zeroings, dtm_cell, entry};
use crate::packing::cell_coder::KnownGrid;
use crate::packing::context_model::ContextModel;
use crate::packing::grid::Grid;
use crate::packing::grids::Grids;
use crate::packing::numbers::Numbers;
use crate::packing::range_coder::RangeDecoder;
use crate::statistics::Statistics;
use crate::table_game::TableGame;

/// Where the bytes of a table are: in memory or in a file.
pub trait TableBytes: Send + Sync {
    /// Fills a buffer with the bytes from an offset on.
    ///
    /// # Errors
    /// When there are fewer, or the system does not give them.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()>;

    /// How many bytes there are.
    ///
    /// # Errors
    /// When the system does not say.
    fn size(&self) -> std::io::Result<u64>;

    /// Their file, to be named where they are damaged; none of bytes in memory.
    fn path(&self) -> Option<&Path> {
        None
    }
}

impl TableBytes for &'static [u8] {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let found = self.get(from..).and_then(|rest| rest.get(..buffer.len()));
        buffer.copy_from_slice(found.ok_or(std::io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn size(&self) -> std::io::Result<u64> {
        Ok(self.len() as u64)
    }
}

/// A block as it lies in memory once it has been asked for.
#[derive(Default)]
struct Unpacked {
    dtm: Kept<Numbers>,
    dtz: Kept<Numbers>,
}

/// A table of which blocks are unpacked as they are asked for.
pub struct Table<G: TableGame> {
    pub layout: Layout<G>,
    grids: Grids<G>,
    models: OnceBox<[ContextModel; 2]>,
    header: Header<G>,
    bytes: Box<dyn TableBytes>,
    blocks: Vec<Unpacked>,
    /// Bytes that all tables of a set have unpacked.
    unpacked: Arc<AtomicUsize>,
}

impl<G: TableGame> Table<G> {
    /// Opens a table; its header is read and checked, its blocks are when they are needed.
    pub fn open(
        bytes: Box<dyn TableBytes>,
        unpacked: Arc<AtomicUsize>,
    ) -> Result<Table<G>, TableError> {
        let Start { material, side, block_cells, blocks } =
            Header::<G>::start(&read_fixed(&*bytes, FIXED)?)?;
        // What takes memory comes after what shows that the file has so much to say.
        let head = Header::<G>::size(blocks);
        if bytes.size()? < head as u64 {
            return Err(TableError::Short);
        }
        let is_table = material.pieces() > 2 && material.is_canonical();
        let may_be = !material.has_pawns() || Layout::<G>::may_have_grids(material, blocks);
        if !is_table || !may_be {
            return Err(TableError::damaged_header());
        }
        let layout = Layout::new(material);
        let grids = Grids::of(&layout, side);
        let is_of_it = Grids::can_keep(&layout, side)
            && block_cells == Grids::<G>::CELLS
            && blocks == grids.count(&layout);
        if !is_of_it {
            return Err(TableError::damaged_header());
        }
        let header = Header::from_bytes(&read_front(&*bytes, head)?)?;
        TableError::expect_size(bytes.size()?, header.file_size())?;
        let mut blocks = room_for(header.blocks.len())?;
        blocks.resize_with(header.blocks.len(), Unpacked::default);
        Ok(Table { layout, grids, models: OnceBox::new(), header, bytes, blocks, unpacked })
    }

    /// The material of the table.
    pub fn material(&self) -> Material<G::Kind> {
        self.header.material
    }

    /// The statistics of the table.
    pub fn statistics(&self) -> &Statistics {
        &self.header.statistics
    }

    /// Whether positions with this side to move are kept.
    pub fn keeps(&self, side: Color) -> bool {
        self.header.side == side
    }

    /// The entry of a placement with the side to move that is kept.
    pub fn find(&self, placement: &Placement<G>) -> Result<Option<Entry>, TableError> {
        let Some((block, cell)) = self.grids.place(&self.layout, placement) else {
            return Ok(None);
        };
        Ok(Some(entry(self.dtm(block)?.get(cell), self.dtz(block)?.get(cell))))
    }

    /// The same without the distance to zeroing, which takes half the work.
    pub fn find_mate(&self, placement: &Placement<G>) -> Result<Option<Entry>, TableError> {
        let Some((block, cell)) = self.grids.place(&self.layout, placement) else {
            return Ok(None);
        };
        Ok(Some(Entry { dtm: dtm_cell(self.dtm(block)?.get(cell)), dtz: Cell::DRAW }))
    }

    /// Forgets what was unpacked.
    pub fn forget_all(&self) {
        for block in &self.blocks {
            block.dtm.forget();
            block.dtz.forget();
        }
    }

    fn dtm(&self, block: usize) -> Result<Arc<Numbers>, TableError> {
        self.blocks[block].dtm.get(&self.unpacked, Numbers::bytes, || {
            let Some(grid) = self.grids.grid(&self.layout, block) else {
                return Ok(Numbers::EMPTY);
            };
            // At most as many steps as there are ranks: it ends.
            let known = self.grids.after_pawn_steps(&self.layout, block).into_iter();
            let known =
                known.map(|block| Ok((self.grids.grid(&self.layout, block), self.dtm(block)?)));
            let known =
                known.collect::<Result<Vec<(Option<Grid<G>>, Arc<Numbers>)>, TableError>>()?;
            let stepped = known
                .iter()
                .filter_map(|(grid, mates)| Some(KnownGrid { grid: grid.as_ref()?, mates }));
            let stepped: Vec<KnownGrid<G>> = stepped.collect();
            let packed = self.read(self.header.blocks[block][0])?;
            let mut decoder = RangeDecoder::new(&packed);
            let model = &mut self.models()?[0].clone();
            let is_wide = self.header.is_wide[0];
            Ok(code_mates(&grid, &stepped, model, &mut decoder, &Unknown, is_wide))
        })
    }

    fn dtz(&self, block: usize) -> Result<Arc<Numbers>, TableError> {
        self.blocks[block].dtz.get(&self.unpacked, Numbers::bytes, || {
            let Some(grid) = self.grids.grid(&self.layout, block) else {
                return Ok(Numbers::EMPTY);
            };
            let dtm = self.dtm(block)?;
            let packed = self.read(self.header.blocks[block][1])?;
            let mut decoder = RangeDecoder::new(&packed);
            let model = &mut self.models()?[1].clone();
            Ok(code_zeroings(&grid, &dtm, model, &mut decoder, &Unknown, self.header.is_wide[1]))
        })
    }

    /// The models that the whole table teaches.
    fn models(&self) -> Result<&[ContextModel; 2], TableError> {
        self.models.get_or_try_init(|| {
            let models = self.header.models.read_models(&*self.bytes);
            Ok(Box::new(models.map_err(|error| error.of(self.material(), &*self.bytes))?))
        })
    }

    fn read(&self, extent: Extent) -> Result<Vec<u8>, TableError> {
        extent.read(&*self.bytes).map_err(|error| error.of(self.material(), &*self.bytes))
    }
}
