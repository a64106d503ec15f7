//! The tables at hand, and what they say of a position. Those with three pieces are in the
//! program.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use qirkat_game::Color;
use qirkat_rules::chesquerque;
use qirkat_rules::chess::SquareSet;

use super::cell::{Cell, Entry};
use super::error::TableError;
use super::file::table::{Table, TableBytes};
use super::indexing::material::Material;
use super::indexing::placement::Placement;
use super::statistics::Statistics;
use super::table_game::TableGame;

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
pub(crate) const MOST_UNPACKED: usize = 384 << 20;

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

    /// Adds a table, unless there is one of the same material: what the program carries stays.
    ///
    /// # Errors
    /// When it is no table, or damaged.
    pub fn add(&mut self, bytes: Box<dyn TableBytes>) -> Result<Material<G::Kind>, TableError> {
        let table = Table::open(bytes, Arc::clone(&self.unpacked))?;
        let material = table.material();
        if let Err(at) = self.tables.binary_search_by_key(&material, Table::material) {
            self.tables.insert(at, table);
        }
        self.largest = self.largest.max(material.pieces());
        Ok(material)
    }

    /// The materials of the tables.
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

    /// The statistics of a table, if it is here.
    pub fn statistics(&self, material: Material<G::Kind>) -> Option<&Statistics> {
        self.table(material).map(Table::statistics)
    }

    /// The position that an index of a table stands for, such as those in its
    /// [`Statistics`].
    pub fn position(&self, material: Material<G::Kind>, index: u64, side: Color) -> Option<G> {
        self.table(material)?.layout.position(index, side)
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

    /// The entry of a position; nothing where a table is missing.
    pub(super) fn entry(&self, position: &G) -> Result<Option<Entry>, TableError> {
        self.find(position, Table::find)
    }

    /// The distance to mate alone, which takes half the work.
    pub(super) fn mate_distance(&self, position: &G) -> Result<Option<Cell>, TableError> {
        Ok(self.find(position, Table::find_mate)?.map(|entry| entry.dtm))
    }

    /// Looks a position up, or follows from its moves what is not kept: positions with the
    /// other side to move, and those with a capture en passant.
    fn find(&self, position: &G, look_up: LookUp<G>) -> Result<Option<Entry>, TableError> {
        if !self.may_know(position) {
            return Ok(None);
        }
        self.make_room();
        let Some(placement) = Placement::of(position) else { return Ok(None) };
        let material = placement.material();
        if material.pieces() == 2 {
            return Ok(Some(Entry::DRAW));
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
        derive(position, &mut |child| self.find(child, look_up))
    }
}

/// A game of which the program carries tables.
pub trait HasEmbeddedTables: TableGame {
    /// The files, as `qirkat tables build --men 3` writes them.
    const FILES: &'static [&'static [u8]];
}

impl<G: HasEmbeddedTables> Tables<G> {
    /// A new set of the tables that the program carries, those with three pieces, to which
    /// others can be added.
    pub fn with_embedded() -> Tables<G> {
        let mut tables = Tables::new();
        tables.add_embedded();
        tables
    }

    /// Adds the tables that the program carries, where there are no others of their materials.
    pub fn add_embedded(&mut self) {
        for &bytes in G::FILES {
            if let Err(error) = self.add(Box::new(bytes)) {
                log::error!("an embedded table: {error}");
            }
        }
    }
}

/// One of the ways to find a placement in a table.
type LookUp<G> = fn(&Table<G>, &Placement<G>) -> Result<Option<Entry>, TableError>;

/// The entry of a position as it follows from those of its legal moves; nothing where one of
/// these is not known.
pub(super) fn derive<G: TableGame>(
    position: &G,
    entry: &mut dyn FnMut(&G) -> Result<Option<Entry>, TableError>,
) -> Result<Option<Entry>, TableError> {
    let mut best: Option<Entry> = None;
    for mv in position.legal_moves() {
        let child = position.after(mv);
        let Some(found) = entry(&child)? else { return Ok(None) };
        let value = found.before(child.clock() == 0);
        best = Some(best.map_or(value, |best| best.better(value)));
    }
    let end = if position.chess().in_check() { Cell::loss(0) } else { Cell::DRAW };
    Ok(Some(best.unwrap_or(Entry { dtm: end, dtz: end })))
}

#[cfg(test)]
mod tests {
    use qirkat_rules::{chesquerque, masonic};

    use super::*;

    fn all_of_three_pieces_are_carried<G: HasEmbeddedTables>() {
        let mut carried: Vec<Material<G::Kind>> =
            Tables::<G>::with_embedded().materials().collect();
        let mut all = Material::all(3);
        carried.sort();
        all.sort();
        assert_eq!(carried, all);
    }

    #[test]
    fn the_program_carries_all_tables_of_three_pieces() {
        all_of_three_pieces_are_carried::<chesquerque::Position>();
        all_of_three_pieces_are_carried::<masonic::Position>();
    }
}
