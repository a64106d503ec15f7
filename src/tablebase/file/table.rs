//! One table, read block by block.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use once_cell::race::OnceBox;

use super::header::{Extent, FIXED, Header};
use super::order::Order;
use crate::board::layout::Layout;
use crate::board::material::Material;
use crate::board::placement::Placement;
use crate::cell::{Cell, Entry};
use crate::error::TableError;
use crate::packing::block::{
    dtm_cell, entry, unpack_evidence, unpack_grid_mates, unpack_grid_zeroings,
};
use crate::packing::evidence::Evidence;
use crate::packing::framing::Framing;
use crate::packing::grid::Grid;
use crate::packing::mate_coder::KnownGrid;
use crate::packing::planes::Planes;
use crate::statistics::Statistics;
use crate::table_game::TableGame;
use qirkat_game::Color;

/// Where the bytes of a table are: in memory or in a file.
pub trait TableBytes: Send + Sync {
    /// Fills a buffer with the bytes from an offset on.
    ///
    /// # Errors
    /// When there are not so many, or the system does not give them.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()>;

    /// How many bytes there are.
    ///
    /// # Errors
    /// When the system does not say.
    fn size(&self) -> std::io::Result<u64>;
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
    dtm: RwLock<Option<Arc<Planes>>>,
    dtz: RwLock<Option<Arc<Planes>>>,
}

/// A table of which blocks are unpacked as they are asked for.
pub struct Table<G: TableGame> {
    pub layout: Layout<G>,
    order: Order<G>,
    evidence: OnceBox<[Evidence; 2]>,
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
        let mut fixed = [0; FIXED];
        if bytes.size()? < FIXED as u64 {
            return Err(TableError::Format);
        }
        bytes.read_at(0, &mut fixed)?;
        let size = Header::<G>::size_of(&fixed)?;
        if bytes.size()? < size as u64 {
            return Err(TableError::Short);
        }
        let mut head = vec![0; size];
        bytes.read_at(0, &mut head)?;
        let header = Header::from_bytes(&head)?;
        if bytes.size()? < header.file_size() {
            return Err(TableError::Short);
        }
        let layout = Layout::new(header.material);
        let order = Order::of(&layout, header.side).ok_or(TableError::Damaged)?;
        let is_of_it = header.block_cells as usize == order.block_cells()
            && header.blocks.len() == order.blocks(&layout);
        if !is_of_it {
            return Err(TableError::Damaged);
        }
        let blocks = header.blocks.iter().map(|_| Unpacked::default()).collect();
        let evidence = OnceBox::new();
        Ok(Table { layout, order, evidence, header, bytes, blocks, unpacked })
    }

    /// What the table is about.
    pub fn material(&self) -> Material<G::Kind> {
        self.header.material
    }

    /// What the table comes to.
    pub fn statistics(&self) -> &Statistics {
        &self.header.statistics
    }

    /// Whether positions with this side to move are kept.
    pub fn keeps(&self, side: Color) -> bool {
        self.header.side == side
    }

    /// The distance to mate of a placement with the side to move that is kept.
    pub fn mate_distance(&self, placement: &Placement<G>) -> Result<Option<Cell>, TableError> {
        let Some((block, cell)) = self.order.place(&self.layout, placement) else {
            return Ok(None);
        };
        Ok(Some(dtm_cell(self.dtm(block)?.get(cell))))
    }

    /// What is known of a placement with the side to move that is kept.
    pub fn find(&self, placement: &Placement<G>) -> Result<Option<Entry>, TableError> {
        let Some((block, cell)) = self.order.place(&self.layout, placement) else {
            return Ok(None);
        };
        Ok(Some(entry(self.dtm(block)?.get(cell), self.dtz(block)?.get(cell))))
    }

    /// Forgets what was unpacked.
    pub fn forget_all(&self) {
        for block in &self.blocks {
            *block.dtm.write().unwrap_or_else(PoisonError::into_inner) = None;
            *block.dtz.write().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    fn dtm(&self, block: usize) -> Result<Arc<Planes>, TableError> {
        self.once(&self.blocks[block].dtm, || {
            let packed = self.read(self.header.blocks[block][0])?;
            let is_wide = self.header.is_wide[0];
            match &self.order {
                Order::Grids(grids) => {
                    let Some(grid) = grids.grid(&self.layout, block) else {
                        return Ok(Planes::empty());
                    };
                    let [evidence, _] = self.evidence()?;
                    let stepped = grids.after_pawn_steps(&self.layout, block);
                    // At most as many steps as there are ranks: it ends.
                    let mates: Vec<Arc<Planes>> =
                        stepped.iter().map(|&block| self.dtm(block)).collect::<Result<_, _>>()?;
                    let known = stepped.iter().zip(&mates).filter_map(|(&block, mates)| {
                        Some((grids.grid(&self.layout, block)?, mates))
                    });
                    let known: Vec<(Grid<G>, &Arc<Planes>)> = known.collect();
                    let known: Vec<KnownGrid<G>> =
                        known.iter().map(|(grid, mates)| KnownGrid { grid, mates }).collect();
                    Ok(unpack_grid_mates(&packed, &grid, &known, evidence, is_wide))
                }
                Order::Frames(frames) => {
                    let [evidence, _] = self.evidence()?;
                    Ok(frames.unpack_mates(&self.layout, block, &packed, evidence, is_wide))
                }
            }
        })
    }

    fn dtz(&self, block: usize) -> Result<Arc<Planes>, TableError> {
        self.once(&self.blocks[block].dtz, || {
            let packed = self.read(self.header.blocks[block][1])?;
            let dtm = self.dtm(block)?;
            let is_wide = self.header.is_wide[1];
            match &self.order {
                Order::Grids(grids) => {
                    let grid = grids.grid(&self.layout, block);
                    let [_, evidence] = self.evidence()?;
                    Ok(grid.map_or_else(Planes::empty, |grid| {
                        unpack_grid_zeroings(&packed, &grid, &dtm, evidence, is_wide)
                    }))
                }
                Order::Frames(frames) => {
                    let [_, evidence] = self.evidence()?;
                    Ok(frames.unpack_zeroings(
                        &self.layout,
                        block,
                        &packed,
                        &dtm,
                        evidence,
                        is_wide,
                    ))
                }
            }
        })
    }

    /// What the whole table teaches.
    fn evidence(&self) -> Result<&[Evidence; 2], TableError> {
        self.evidence.get_or_try_init(|| {
            let packed = self.read(self.header.evidence)?;
            Ok(Box::new(unpack_evidence(&packed)?))
        })
    }

    fn read(&self, extent: Extent) -> Result<Vec<u8>, TableError> {
        let mut packed = vec![0; extent.size as usize];
        self.bytes.read_at(extent.offset, &mut packed)?;
        if extent.fits(&packed) { Ok(packed) } else { Err(TableError::Damaged) }
    }

    /// What lies here, or what is made and laid here.
    fn once(
        &self,
        place: &RwLock<Option<Arc<Planes>>>,
        make: impl FnOnce() -> Result<Planes, TableError>,
    ) -> Result<Arc<Planes>, TableError> {
        if let Some(found) = &*place.read().unwrap_or_else(PoisonError::into_inner) {
            return Ok(Arc::clone(found));
        }
        let made = Arc::new(make()?);
        self.unpacked.fetch_add(made.bytes().len(), Ordering::Relaxed);
        let mut place = place.write().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(place.get_or_insert(made)))
    }
}
