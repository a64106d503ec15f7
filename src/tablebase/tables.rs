//! A set of tables of a game, and lookups in it.

use std::cmp::Reverse;
use std::error::Error;
use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use once_cell::race::OnceBox;

use qirkat_game::distance::Depth;
use qirkat_game::{Color, KnownResult, Rules, Tablebase};
use qirkat_rules::chesquerque;
use qirkat_rules::variant::VariantGame;

use crate::error::{TableBytes, TableError};
use crate::header::Header;
use crate::packing::block::{Models, unpack_models};
use crate::statistics::Statistics;
use crate::value::{KnownMove, KnownMoves, Probe, RankedMove, TableResult, TableValue};

/// A game that has tables. Those of the chess games hold distances to mate and to zeroing, or only
/// results; those of Alquerque distances to the end.
pub trait TableGame: VariantGame {
    /// What identifies a table: its pieces.
    type Material: Copy
        + Ord
        + Debug
        + Display
        + FromStr<Err: Error + Send + Sync + 'static>
        + Send
        + Sync;
    /// How a table's positions are numbered, and which blocks hold them.
    type Numbering: Send + Sync;
    /// An unpacked part of a block.
    type Block: Send + Sync;
    /// A cache for looking up the moves of a position.
    type Lookup: Default;
    /// Winning strategies besides the tables: certificates in Alquerque.
    type Strategies: Default + Send + Sync;

    /// The built-in tables, as `qirkat tables build` writes them.
    const EMBEDDED: &'static [&'static [u8]];
    /// The numbers of pieces that tables support, kings included.
    const PIECES: RangeInclusive<usize>;
    /// In a search, tables with more pieces are probed only at depths of at least
    /// `LARGE_TABLES_DEPTH`.
    const SMALL: usize;
    /// The names of the distances in the tables.
    const DISTANCES: &'static [&'static str];

    /// A material with the stronger side first, as it is stored.
    fn canonical(material: Self::Material) -> Self::Material;

    fn pieces(material: Self::Material) -> usize;

    fn has_pawns(material: Self::Material) -> bool;

    fn materials_of(pieces: usize) -> Vec<Self::Material>;

    /// The position with this index in the statistics of a table.
    fn position_in(material: Self::Material, index: u64, side: Color) -> Option<Self>;

    /// The material and numbering of a table, from the first part of its header and its number of
    /// blocks.
    #[doc(hidden)]
    fn numbering(
        header: &Header,
        blocks: usize,
    ) -> Result<(Self::Material, Self::Numbering), TableError>;

    /// Whether tables with up to this many pieces may know a position.
    fn may_know(position: &Self, largest: usize) -> bool;

    #[doc(hidden)]
    fn value(
        tables: &Tables<Self>,
        lookup: &mut Self::Lookup,
        position: &Self,
    ) -> Result<Option<TableValue>, TableError>;

    /// The value of a move for the side that makes it, from the position it leads to and the clock
    /// before the move.
    #[doc(hidden)]
    fn move_value(
        tables: &Tables<Self>,
        lookup: &mut Self::Lookup,
        child: &Self,
        clock: u16,
    ) -> Result<Option<TableValue>, TableError>;

    /// The result of a move by a certificate (*certain*), from the position it leads to, and an
    /// upper bound of its plies.
    #[doc(hidden)]
    fn certain_value(
        _tables: &Tables<Self>,
        _lookup: &mut Self::Lookup,
        _child: &Self,
    ) -> Result<Option<(TableResult, u16)>, TableError> {
        Ok(None)
    }

    /// The result, for use in a search.
    #[doc(hidden)]
    fn known(tables: &Tables<Self>, position: &Self) -> Result<Option<KnownResult>, TableError>;

    /// See [`Tablebase::winning_move`].
    #[doc(hidden)]
    fn winning_move(_tables: &Tables<Self>, _position: &Self) -> Option<(Self::Move, u16)> {
        None
    }

    /// Adds the built-in strategies.
    #[doc(hidden)]
    fn add_embedded_strategies(_strategies: &mut Self::Strategies) {}

    /// The extension of strategy files, if there are any.
    const STRATEGY_EXTENSION: Option<&'static str> = None;

    /// Verifies and adds a strategy.
    ///
    /// # Errors
    /// If it is wrong, or not a strategy.
    #[cfg(feature = "table-generator")]
    #[doc(hidden)]
    fn add_strategy(_tables: &mut Tables<Self>, _file: std::fs::File) -> Result<(), TableError> {
        Ok(())
    }

    /// Why [`Tables::value`] gave none.
    fn why_unknown(tables: &Tables<Self>, position: &Self) -> Unknown<Self::Material>;
}

/// Why no value is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown<M> {
    /// It has castling rights, which no table covers.
    Castling,
    /// It has this many pieces, more than tables support, whichever are loaded.
    TooMany(usize),
    /// This table is missing, or one that is needed for its moves.
    NoTable(M),
    /// The 100-ply limit is so near that a table of results cannot tell, or in Alquerque that too
    /// many positions would have to be searched.
    Clock,
}

/// Unpacked on first use, and dropped when the cache is full.
type CachedPart<T> = RwLock<Option<Arc<T>>>;

/// A table whose parts are unpacked on demand.
pub struct Table<G: TableGame> {
    pub material: G::Material,
    pub numbering: G::Numbering,
    pub header: Header,
    models: OnceBox<Models>,
    bytes: Box<dyn TableBytes>,
    parts: Vec<CachedPart<G::Block>>,
    /// Bytes unpacked by all tables of a set.
    unpacked: Arc<AtomicUsize>,
}

impl<G: TableGame> Table<G> {
    /// Opens a table and checks its header; blocks are checked when they are read.
    pub fn open(
        bytes: Box<dyn TableBytes>,
        unpacked: Arc<AtomicUsize>,
    ) -> Result<Table<G>, TableError> {
        let mut numbered = None;
        let header = Header::read(&*bytes, G::VARIANT, &mut |header, blocks| {
            numbered = Some(G::numbering(header, blocks)?);
            Ok(())
        })?;
        let (material, numbering) = numbered.ok_or_else(TableError::damaged_header)?;
        let mut parts = Vec::new();
        parts.try_reserve_exact(header.parts.len()).map_err(std::io::Error::from)?;
        parts.resize_with(header.parts.len(), || RwLock::new(None));
        Ok(Table { material, numbering, header, models: OnceBox::new(), bytes, parts, unpacked })
    }

    /// A part, unpacked unless it is cached; unpacking adds to the cache size.
    pub fn part(
        &self,
        number: usize,
        size: impl FnOnce(&G::Block) -> usize,
        unpack: impl FnOnce() -> Result<G::Block, TableError>,
    ) -> Result<Arc<G::Block>, TableError> {
        let cached = &self.parts[number];
        if let Some(found) = &*cached.read().unwrap_or_else(PoisonError::into_inner) {
            return Ok(Arc::clone(found));
        }
        let made = Arc::new(unpack()?);
        let mut cached = cached.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have unpacked it meanwhile.
        Ok(Arc::clone(cached.get_or_insert_with(|| {
            self.unpacked.fetch_add(size(&made), Ordering::Relaxed);
            made
        })))
    }

    pub fn clear_cache(&self) {
        for cached in &self.parts {
            *cached.write().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    pub fn packed(&self, part: usize) -> Result<Vec<u8>, TableError> {
        let extent = self.header.parts[part];
        extent.read(&*self.bytes).map_err(|error| error.in_table(self.material, &*self.bytes))
    }

    pub fn models(&self) -> Result<&Models, TableError> {
        self.models.get_or_try_init(|| {
            let extent = self.header.models;
            let damaged = |_| TableError::damaged_at(extent.offset, "no models can be unpacked");
            let models =
                extent.read(&*self.bytes).and_then(|it| unpack_models(&it).map_err(damaged));
            Ok(Box::new(models.map_err(|error| error.in_table(self.material, &*self.bytes))?))
        })
    }
}

/// A set of tables. Blocks are unpacked on first use and stay in memory up to a limit. The default
/// game is Chesquerque.
pub struct Tables<G: TableGame = chesquerque::Position> {
    tables: Vec<Table<G>>,
    largest: usize,
    /// Bytes of all unpacked blocks.
    unpacked: Arc<AtomicUsize>,
    pub(crate) strategies: G::Strategies,
}

/// A large table has so many blocks that a probe usually has to read and unpack one, which takes as
/// long as hundreds of nodes of a search.
const LARGE_TABLES_DEPTH: Depth = Depth(6);

/// The most bytes of unpacked blocks; when there are more, all blocks are dropped.
const MAX_UNPACKED: usize = 384 << 20;

impl<G: TableGame> Default for Tables<G> {
    fn default() -> Tables<G> {
        let largest = *G::PIECES.start() - 1;
        let (tables, unpacked) = (Vec::new(), Arc::default());
        Tables { tables, largest, unpacked, strategies: G::Strategies::default() }
    }
}

impl<G: TableGame> Tables<G> {
    pub fn new() -> Tables<G> {
        Tables::default()
    }

    /// A new set with the built-in tables, to which others can be added.
    pub fn with_embedded() -> Tables<G> {
        let mut tables = Tables::new();
        tables.add_embedded();
        tables
    }

    /// Adds the built-in tables, except for materials that are present.
    pub fn add_embedded(&mut self) {
        G::add_embedded_strategies(&mut self.strategies);
        for &bytes in G::EMBEDDED {
            if let Err(error) = self.add(Box::new(bytes)) {
                log::error!("an embedded table: {error}");
            }
        }
    }

    /// Adds a table, unless there is already one of the same material.
    ///
    /// # Errors
    /// If it is not a table, or is damaged.
    pub fn add(&mut self, bytes: Box<dyn TableBytes>) -> Result<G::Material, TableError> {
        let table = Table::open(bytes, Arc::clone(&self.unpacked))?;
        let material = table.material;
        if let Err(at) = self.tables.binary_search_by_key(&material, |it| it.material) {
            self.tables.insert(at, table);
        }
        self.largest = self.largest.max(G::pieces(material));
        Ok(material)
    }

    /// The materials of the tables, in solving order.
    pub fn materials(&self) -> impl Iterator<Item = G::Material> {
        self.tables.iter().map(|table| table.material)
    }

    /// The most pieces of a position that these tables may know: those of the largest table, or
    /// without tables one fewer than the smallest possible one has.
    pub fn largest(&self) -> usize {
        self.largest
    }

    pub(crate) fn table(&self, material: G::Material) -> Option<&Table<G>> {
        let at = self.tables.binary_search_by_key(&material, |it| it.material).ok()?;
        self.tables.get(at)
    }

    pub fn statistics(&self, material: G::Material) -> Option<&Statistics> {
        self.table(material).map(|table| &table.header.statistics)
    }

    /// The position with this index in a table, such as those in its [`Statistics`].
    pub fn position(&self, material: G::Material, index: u64, side: Color) -> Option<G> {
        self.table(material).and_then(|_| G::position_in(material, index, side))
    }

    /// Empties the cache if it is over its limit.
    pub(crate) fn trim_cache(&self) {
        if self.unpacked.load(Ordering::Relaxed) > MAX_UNPACKED {
            self.clear_cache();
        }
    }

    pub(crate) fn clear_cache(&self) {
        self.unpacked.store(0, Ordering::Relaxed);
        self.tables.iter().for_each(Table::clear_cache);
    }

    /// Whether the tables may know a position: it has few enough pieces, and no castling rights.
    #[inline]
    pub fn may_know(&self, position: &G) -> bool {
        G::may_know(position, self.largest)
    }

    /// Looks up a position. None if it has castling rights or too many pieces, if a table is
    /// missing, or if the 100-ply limit is too near: a table of results then cannot tell, and in
    /// Alquerque too many positions would have to be searched.
    ///
    /// Its moves are sorted best first: by result, then wins by the shortest mate that the 100-ply
    /// rule cannot prevent, and losses by the longest. Distances of Alquerque are exact and take
    /// the clock into account, unless the clock draws the game; it has no DTZ.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::Position;
    /// use qirkat_tablebase::{TableResult, Tables};
    ///
    /// let position: Position = "k8/9/2K6/9/9/9/9/8R/9 w - - 0 1".parse()?;
    /// let probe = Tables::with_embedded().probe(&position)?.ok_or("no table")?;
    /// assert_eq!(probe.value.result, TableResult::Win);
    /// assert_eq!(probe.moves[0].value, probe.value);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged.
    pub fn probe(&self, position: &G) -> Result<Option<Probe<G>>, TableError> {
        let mut lookup = G::Lookup::default();
        let Some(value) = G::value(self, &mut lookup, position)? else { return Ok(None) };
        let (moves, unknown) = self.ranked(position, &mut lookup)?;
        Ok(Some(Probe { value, moves, unknown }))
    }

    /// The value of a position alone; see [`Tables::probe`].
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged.
    pub fn value(&self, position: &G) -> Result<Option<TableValue>, TableError> {
        G::value(self, &mut G::Lookup::default(), position)
    }

    /// The known values of the legal moves, from tables of the positions they lead to, or from a
    /// certificate: even without a table for this position, a capture may lead to one. Known moves
    /// are sorted as in [`Tables::probe`].
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged.
    pub fn known_moves(&self, position: &G) -> Result<KnownMoves<G::Move>, TableError> {
        let mut lookup = G::Lookup::default();
        let (ranked, others) = self.ranked(position, &mut lookup)?;
        let mut moves = KnownMoves::default();
        moves.known.extend(ranked.iter().map(KnownMove::from));
        for mv in others {
            match G::certain_value(self, &mut lookup, &position.after(mv))? {
                Some((result, plies)) => {
                    let plies = Some(plies);
                    moves.known.push(KnownMove { mv, result, plies, is_bound: true });
                }
                None => moves.unknown.push(mv),
            }
        }
        if moves.known.iter().any(|known| known.is_bound) {
            moves.known.sort_by_key(|&KnownMove { result, plies, .. }| {
                Reverse(rank(TableValue { result, dtm: plies, dtz: None }, false))
            });
        }
        Ok(moves)
    }

    /// The legal moves with a known value, the best first, and the others.
    fn ranked(&self, position: &G, lookup: &mut G::Lookup) -> Result<Ranked<G>, TableError> {
        let clock = position.reversible_plies() as u16;
        let (mut moves, mut unknown) = (Vec::new(), Vec::new());
        for mv in position.legal_moves() {
            let child = position.after(mv);
            match G::move_value(self, lookup, &child, clock)? {
                Some(value) => {
                    let is_zeroing = child.reversible_plies() == 0;
                    moves.push(RankedMove { mv, value, is_zeroing });
                }
                None => unknown.push(mv),
            }
        }
        // Is the shortest mate only a cursed win, too late for the clock?
        let shortest = |result| {
            let of_it = moves.iter().filter(|it: &&RankedMove<G>| it.value.result == result);
            of_it.filter_map(|it| it.value.dtm).min()
        };
        let by_clock = match (shortest(TableResult::Win), shortest(TableResult::CursedWin)) {
            (Some(win), Some(cursed)) => cursed < win,
            _ => false,
        };
        moves.sort_by_key(|ranked| Reverse(rank(ranked.value, by_clock)));
        Ok((moves, unknown))
    }
}

type Ranked<G> = (Vec<RankedMove<G>>, Vec<<G as Rules>::Move>);

/// The sort key of a move: the result, then the distance. Near the 100-ply limit the distance to
/// zeroing comes first; otherwise a player who always takes the shortest mate could go in circles
/// until the rule applies.
fn rank(TableValue { result, dtm, dtz }: TableValue, by_clock: bool) -> (TableResult, i32, i32) {
    let [dtm, dtz] = [dtm, dtz].map(|plies| i32::from(plies.unwrap_or_default()));
    match result {
        TableResult::Win if by_clock => (result, -dtz, -dtm),
        TableResult::Win => (result, -dtm, -dtz),
        TableResult::CursedWin => (result, -dtz, -dtm),
        TableResult::Draw => (result, 0, 0),
        TableResult::BlessedLoss => (result, dtz, dtm),
        TableResult::Loss => (result, dtm, dtz),
    }
}

impl<G: TableGame> Tablebase<G> for Tables<G> {
    #[inline]
    fn may_know(&self, position: &G, depth: Depth) -> bool {
        let largest = if depth < LARGE_TABLES_DEPTH { G::SMALL } else { usize::MAX };
        G::may_know(position, self.largest.min(largest))
    }

    fn known(&self, position: &G) -> Option<KnownResult> {
        readable(G::known(self, position))
    }

    fn ranked_moves(&self, position: &G) -> Option<Vec<(G::Move, KnownResult)>> {
        let probe = readable(self.probe(position)).filter(|probe| probe.unknown.is_empty())?;
        Some(probe.moves.iter().map(|ranked| (ranked.mv, ranked.value.into())).collect())
    }

    fn winning_move(&self, position: &G) -> Option<(G::Move, u16)> {
        G::winning_move(self, position)
    }
}

/// The result; if a file cannot be read, a warning is logged and nothing is known.
pub(crate) fn readable<T>(found: Result<Option<T>, TableError>) -> Option<T> {
    found.unwrap_or_else(|error| {
        log::warn!("a table: {error}");
        None
    })
}
