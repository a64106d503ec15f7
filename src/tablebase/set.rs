//! The tables at hand, and what they say of a position.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::board::material::Material;
use super::board::placement::Placement;
use super::cell::{Cell, Entry};
use super::error::TableError;
use super::file::table::{Table, TableBytes};
use super::statistics::Statistics;
use super::table_game::TableGame;
use qirkat_game::Color;
use qirkat_rules::chesquerque;
use qirkat_rules::chess::SquareSet;

/// Tables that are asked together. Blocks of them are unpacked when they are first asked
/// for and stay in memory up to a bound. Unless another game's positions are named, they are
/// those of Chesquerque.
pub struct Tables<G: TableGame = chesquerque::Position> {
    /// By material, ascending.
    tables: Vec<Table<G>>,
    largest: usize,
    /// Bytes of blocks that lie unpacked.
    unpacked: Arc<AtomicUsize>,
}

/// Bytes of unpacked blocks; when they are more, all are forgotten.
const MOST_UNPACKED: usize = 384 << 20;

impl<G: TableGame> Default for Tables<G> {
    fn default() -> Tables<G> {
        Tables { tables: Vec::new(), largest: 2, unpacked: Arc::default() }
    }
}

impl<G: TableGame> Tables<G> {
    /// No tables.
    pub fn new() -> Tables<G> {
        Tables::default()
    }

    /// Adds a table, in place of one for the same material.
    ///
    /// # Errors
    /// When it is no table, or damaged.
    pub fn add(&mut self, bytes: Box<dyn TableBytes>) -> Result<Material<G::Kind>, TableError> {
        let table = Table::open(bytes, Arc::clone(&self.unpacked))?;
        let material = table.material();
        match self.tables.binary_search_by_key(&material, Table::material) {
            Ok(at) => self.tables[at] = table,
            Err(at) => self.tables.insert(at, table),
        }
        self.largest = self.largest.max(material.pieces());
        Ok(material)
    }

    /// What the tables are about.
    pub fn materials(&self) -> impl Iterator<Item = Material<G::Kind>> {
        self.tables.iter().map(Table::material)
    }

    /// The most pieces that any of the tables has.
    pub fn largest(&self) -> usize {
        self.largest
    }

    pub(super) fn table(&self, material: Material<G::Kind>) -> Option<&Table<G>> {
        let at = self.tables.binary_search_by_key(&material, Table::material).ok()?;
        self.tables.get(at)
    }

    /// What a table comes to, if it is here.
    pub fn statistics(&self, material: Material<G::Kind>) -> Option<&Statistics> {
        self.table(material).map(Table::statistics)
    }

    /// The position that an index of a table stands for, such as those in its
    /// [`Statistics`].
    pub fn position(&self, material: Material<G::Kind>, index: u64, side: Color) -> Option<G> {
        let layout = &self.table(material)?.layout;
        let index = usize::try_from(index).ok().filter(|&index| index < layout.cells())?;
        layout.placement(index)?.position(side)
    }

    /// Keeps unpacked blocks within bounds.
    fn make_room(&self) {
        if self.unpacked.load(Ordering::Relaxed) > MOST_UNPACKED {
            self.unpacked.store(0, Ordering::Relaxed);
            self.tables.iter().for_each(Table::forget_all);
        }
    }

    /// Whether there may be an answer for a position: few enough pieces, and no castling.
    #[inline]
    pub fn may_know(&self, position: &G) -> bool {
        let position = position.chess();
        position.occupied().len() as usize <= self.largest && position.castling().is_empty()
    }

    /// What is known of a position; nothing where a table is missing.
    pub(super) fn entry(&self, position: &G) -> Result<Option<Entry>, TableError> {
        self.find(position, &Table::find)
    }

    /// The distance to mate alone, which takes half the work.
    pub(super) fn mate_distance(&self, position: &G) -> Result<Option<Cell>, TableError> {
        self.find(position, &Table::mate_distance)
    }

    /// Looks a position up, or follows from its moves what is not kept: positions with the
    /// other side to move, and those with a capture en passant.
    fn find<T: Known>(
        &self,
        position: &G,
        look_up: &impl Fn(&Table<G>, &Placement<G>) -> Result<Option<T>, TableError>,
    ) -> Result<Option<T>, TableError> {
        if !self.may_know(position) {
            return Ok(None);
        }
        self.make_room();
        let Some(placement) = Placement::of(position) else { return Ok(None) };
        let material = placement.material();
        if material.pieces() == 2 {
            return Ok(Some(T::DRAW));
        }
        let Some(table) = self.table(material.canonical()) else { return Ok(None) };
        let side = position.side_to_move();
        if position.chess().en_passant().is_none() {
            let as_it_is = material.is_canonical() && table.keeps(side);
            // With equal material either way round will do.
            let can_flip = !material.is_canonical() || material.is_symmetric();
            if as_it_is {
                return look_up(table, &placement);
            } else if can_flip && table.keeps(!side) {
                return look_up(table, &placement.flipped());
            }
        }
        let mut best = None;
        for mv in position.legal_moves() {
            let child = position.after(mv);
            let Some(found) = self.find(&child, look_up)? else {
                return Ok(None);
            };
            let value = found.before_move(child.clock() == 0);
            best = Some(best.map_or(value, |best: T| best.or_better(value)));
        }
        Ok(Some(best.unwrap_or_else(|| T::end(position.chess().in_check()))))
    }
}

/// What a table knows of a position: one measure or both.
trait Known: Copy {
    /// Nobody can win.
    const DRAW: Self;
    /// Where there is no legal move.
    fn end(is_mate: bool) -> Self;
    /// What a move there is worth to the side that makes it.
    fn before_move(self, zeroing: bool) -> Self;
    /// The better of two.
    fn or_better(self, other: Self) -> Self;
}

impl Known for Cell {
    const DRAW: Cell = Cell::DRAW;

    fn end(is_mate: bool) -> Cell {
        if is_mate { Cell::loss(0) } else { Cell::DRAW }
    }

    fn before_move(self, _: bool) -> Cell {
        self.before()
    }

    fn or_better(self, other: Cell) -> Cell {
        self.better(other)
    }
}

impl Known for Entry {
    const DRAW: Entry = Entry::DRAW;

    fn end(is_mate: bool) -> Entry {
        Entry { dtm: Cell::end(is_mate), dtz: Cell::end(is_mate) }
    }

    fn before_move(self, zeroing: bool) -> Entry {
        self.before(zeroing)
    }

    fn or_better(self, other: Entry) -> Entry {
        self.better(other)
    }
}
