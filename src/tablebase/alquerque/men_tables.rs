//! Tables of Alquerque, and lookups in them and in certificates.

use std::collections::HashMap;
#[cfg(feature = "certificates")]
use std::io::Read;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use qirkat_game::{Color, DRAWING_PLIES, KnownResult, Rules};
use qirkat_rules::alquerque::{Move, Position, State};

use super::certificate::Certificate;
#[cfg(feature = "certificates")]
use super::certificate::verify;
#[cfg(feature = "certificates")]
use super::certificate_file::CertificateFileError;
use super::material::{MAX_TABLE_MEN, MenMaterial};
use super::packing::{BOARDS, blocks, code_block};
use super::ranks::{BoardDistances, Profile, View, cell_of, distance_without_men};
use crate::error::TableError;
use crate::header::Header;
use crate::packing::range_coder::RangeCoder;
use crate::tables::{Table, TableGame, Tables, Unknown};
use crate::value::{Cell, TableResult, TableValue};

/// Tables of Alquerque.
///
/// ```
/// use qirkat_rules::alquerque::Position;
/// use qirkat_tablebase::TableResult;
/// use qirkat_tablebase::alquerque::MenTables;
///
/// let position = Position::from_fen("5/2m2/5/2M2/5 w - - 0 1")?.position;
/// let probe = MenTables::with_embedded().probe(&position)?.ok_or("no table")?;
/// assert_eq!(probe.value.result, TableResult::Loss);
/// assert_eq!(probe.moves[0].value, probe.value);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type MenTables = Tables<Position>;

#[derive(Default)]
pub struct Strategies {
    certificates: Vec<Certificate>,
    /// Whether the built-in strategy for the starting position is included.
    has_start: bool,
}

/// A profile of a table, its number, and the first block of it.
pub struct PlacedProfile {
    number: usize,
    pub profile: Profile,
    first_block: usize,
}

/// The entry of a table for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TableEntry {
    distance: Cell,
    /// An upper bound of the plies to the next jump, step forward or end, if the winner plays the
    /// shortest win.
    run: u8,
}

/// The most positions that a probe searches near the 100-ply limit.
const MAX_SEARCHED: usize = 1 << 18;
/// The same for lookups during a search, which has little time.
const MAX_SEARCHED_IN_PLAY: usize = 1 << 9;

impl TableGame for Position {
    type Material = MenMaterial;
    type Numbering = Vec<PlacedProfile>;
    type Block = BoardDistances;
    type Lookup = ClockSearch;
    type Strategies = Strategies;

    const EMBEDDED: &'static [&'static [u8]] = &[
        embedded!("1v1.alquerque.qtb"),
        embedded!("2v1.alquerque.qtb"),
        embedded!("2v2.alquerque.qtb"),
        embedded!("3v1.alquerque.qtb"),
    ];
    const PIECES: RangeInclusive<usize> = 2..=MAX_TABLE_MEN;
    const SMALL: usize = MAX_TABLE_MEN;
    const DISTANCES: &'static [&'static str] = &["Plies"];
    #[cfg(feature = "certificates")]
    const STRATEGY_EXTENSION: Option<&'static str> = Some(super::CERTIFICATE_EXTENSION);

    fn canonical(material: MenMaterial) -> MenMaterial {
        material
    }

    fn pieces(material: MenMaterial) -> usize {
        material.men()
    }

    fn has_pawns(_: MenMaterial) -> bool {
        false
    }

    fn materials_of(men: usize) -> Vec<MenMaterial> {
        MenMaterial::all(men).collect()
    }

    fn position_in(material: MenMaterial, index: u64, side: Color) -> Option<Position> {
        material.position(index, side)
    }

    fn numbering(
        header: &Header,
        block_count: usize,
    ) -> Result<(MenMaterial, Vec<PlacedProfile>), TableError> {
        let men = [header.material[0], header.material[1]].map(usize::from);
        let material = MenMaterial::new(men).ok_or_else(TableError::damaged_header)?;
        let mut first_block = 0;
        let mut profiles = Vec::new();
        for profile in Profile::all(material) {
            profiles.push(PlacedProfile { number: profile.number(), profile, first_block });
            first_block += blocks(&profile).count();
        }
        if (profiles.len(), first_block) != (header.units, block_count) {
            return Err(TableError::damaged_header());
        }
        Ok((material, profiles))
    }

    #[inline]
    fn may_know(position: &Position, largest: usize) -> bool {
        position.occupied().len() as usize <= largest
    }

    fn value(
        tables: &MenTables,
        search: &mut ClockSearch,
        position: &Position,
    ) -> Result<Option<TableValue>, TableError> {
        let Some(TableEntry { distance, .. }) = tables.find(position)? else { return Ok(None) };
        let Some(exact) = search.exact(tables, position)? else { return Ok(None) };
        let result = distance.result(exact == Cell::DRAW).unwrap_or(TableResult::Draw);
        // Where the clock draws, the distance is the one without a clock.
        let plies = if exact == Cell::DRAW { distance } else { exact }.plies();
        let dtm = (result != TableResult::Draw).then_some(plies);
        Ok(Some(TableValue { result, dtm, dtz: None }))
    }

    fn move_value(
        tables: &MenTables,
        search: &mut ClockSearch,
        child: &Position,
        _: u16,
    ) -> Result<Option<TableValue>, TableError> {
        let before = |TableValue { result, dtm, .. }| {
            let result = match result {
                TableResult::Loss => TableResult::Win,
                TableResult::BlessedLoss => TableResult::CursedWin,
                TableResult::Draw => TableResult::Draw,
                TableResult::CursedWin => TableResult::BlessedLoss,
                TableResult::Win => TableResult::Loss,
            };
            TableValue { result, dtm: dtm.map(|plies: u16| plies + 1), dtz: None }
        };
        Ok(Position::value(tables, search, child)?.map(before))
    }

    fn certain_value(
        tables: &MenTables,
        search: &mut ClockSearch,
        child: &Position,
    ) -> Result<Option<(TableResult, u16)>, TableError> {
        if let Some((_, plies)) = tables.certain_move(child) {
            return Ok(Some((TableResult::Loss, plies + 1)));
        }
        let loss = tables.certain_loss(child, search)?;
        Ok(loss.map(|plies| (TableResult::Win, plies + 1)))
    }

    fn known(tables: &MenTables, position: &Position) -> Result<Option<KnownResult>, TableError> {
        let mut search = ClockSearch { left: MAX_SEARCHED_IN_PLAY, ..ClockSearch::default() };
        Ok(search.exact(tables, position)?.map(KnownResult::from))
    }

    fn winning_move(tables: &MenTables, position: &Position) -> Option<(Move, u16)> {
        tables.certain_move(position)
    }

    fn add_embedded_strategies(strategies: &mut Strategies) {
        strategies.has_start = cfg!(feature = "table-generator");
    }

    #[cfg(feature = "table-generator")]
    fn add_strategy(tables: &mut MenTables, file: std::fs::File) -> Result<(), TableError> {
        Ok(tables.add_certificate(file)?)
    }

    fn why_unknown(tables: &MenTables, position: &Position) -> Unknown<MenMaterial> {
        match MenMaterial::of(position) {
            None => Unknown::TooMany(position.occupied().len() as usize),
            Some(material) if tables.statistics(material).is_none() => Unknown::NoTable(material),
            Some(_) => Unknown::Clock,
        }
    }
}

impl Table<Position> {
    fn find(&self, view: &View) -> Result<Option<TableEntry>, TableError> {
        let number = view.profile_number();
        let Ok(at) = self.numbering.binary_search_by_key(&number, |placed| placed.number) else {
            return Ok(None);
        };
        let placed = &self.numbering[at];
        let block = view.board_number() / BOARDS;
        let unpack = || self.unpack(placed, block);
        let boards = self.part(placed.first_block + block, BoardDistances::bytes, unpack)?;
        Ok(Some(TableEntry { distance: cell_of(boards.distance(view)), run: self.run(at) }))
    }

    /// The most plies to the next jump, step forward or end in the profile with this index, if the
    /// winner plays the shortest win.
    pub fn run(&self, profile: usize) -> u8 {
        self.header.runs[profile]
    }

    /// A block of a profile, by its number there.
    pub fn unpack(
        &self,
        placed: &PlacedProfile,
        number: usize,
    ) -> Result<BoardDistances, TableError> {
        let boards = blocks(&placed.profile).nth(number).ok_or_else(TableError::damaged_header)?;
        let packed = self.packed(placed.first_block + number)?;
        let mut models = self.models()?.clone();
        let mut decoder = RangeCoder::reading(&packed);
        Ok(code_block(&placed.profile, boards, &mut models, &mut decoder, &[]))
    }
}

impl MenTables {
    /// Adds a certificate from its file after verifying it.
    ///
    /// # Errors
    /// If it is wrong, or not a certificate.
    #[cfg(feature = "certificates")]
    pub fn add_certificate(&mut self, file: impl Read) -> Result<(), CertificateFileError> {
        let certificate = Certificate::read(file)?;
        verify(&certificate)?;
        self.strategies.certificates.push(certificate);
        Ok(())
    }

    /// Adds a certificate that was verified before.
    ///
    /// # Errors
    /// If it is not a certificate.
    #[cfg(feature = "certificates")]
    pub fn add_checked_certificate(&mut self, file: impl Read) -> Result<(), CertificateFileError> {
        self.strategies.certificates.push(Certificate::read(file)?);
        Ok(())
    }

    pub fn certificates(&self) -> usize {
        self.strategies.certificates.len() + usize::from(self.strategies.has_start)
    }

    /// A move of the side to move that wins by a certificate, and an upper bound of its plies. The
    /// built-in certificate comes first.
    pub fn certain_move(&self, position: &Position) -> Option<(Move, u16)> {
        let start = if self.strategies.has_start { START.as_ref() } else { None };
        let mut all = start.into_iter().chain(&self.strategies.certificates);
        all.find_map(|certificate| certificate.winning_move(position))
    }

    /// An upper bound of the plies in which the side to move loses, if each of its moves is
    /// answered by a certificate or leads to a position that is won for the opponent by the tables.
    fn certain_loss(
        &self,
        position: &Position,
        search: &mut ClockSearch,
    ) -> Result<Option<u16>, TableError> {
        let mut longest = 0;
        for mv in position.legal_moves() {
            let next = position.after(mv);
            let plies = match self.certain_move(&next) {
                Some((_, plies)) => plies,
                None => match Position::value(self, search, &next)? {
                    Some(TableValue { result: TableResult::Win, dtm: Some(plies), .. }) => plies,
                    _ => return Ok(None),
                },
            };
            longest = longest.max(plies + 1);
        }
        Ok(Some(longest))
    }

    /// The entry for a position, ignoring its clock.
    fn find(&self, position: &Position) -> Result<Option<TableEntry>, TableError> {
        if let Some(distance) = distance_without_men(position) {
            return Ok(Some(TableEntry { distance: cell_of(distance), run: 1 }));
        }
        let table = MenMaterial::of(position).and_then(|material| self.table(material));
        let Some(table) = table else { return Ok(None) };
        self.trim_cache();
        table.find(&View::of(position))
    }
}

/// Searches moves near the 100-ply limit. Table entries are exact if the most plies to the next
/// jump or step forward, or to the end, fit into the clock.
pub struct ClockSearch {
    /// The number of positions that may still be examined.
    left: usize,
    exact: HashMap<(State, u16), Option<Cell>>,
    fits: HashMap<(State, u16), bool>,
}

impl Default for ClockSearch {
    fn default() -> ClockSearch {
        ClockSearch { left: MAX_SEARCHED, exact: HashMap::new(), fits: HashMap::new() }
    }
}

impl ClockSearch {
    /// The distance to the end with the plies on the clock; none if a table is missing, or too many
    /// positions would have to be searched.
    fn exact(
        &mut self,
        tables: &MenTables,
        position: &Position,
    ) -> Result<Option<Cell>, TableError> {
        let Some(found) = tables.find(position)? else { return Ok(None) };
        let clock = position.halfmove_clock();
        let is_known = found.distance == Cell::DRAW || found.distance == Cell::loss(0);
        if is_known || self.fits(tables, position, found, DRAWING_PLIES.saturating_sub(clock))? {
            return Ok(Some(found.distance));
        }
        if clock >= DRAWING_PLIES {
            return Ok(Some(Cell::DRAW));
        }
        let key = (position.state(), clock);
        if let Some(&known) = self.exact.get(&key) {
            return Ok(known);
        }
        let mut best = Some(Cell::loss(0));
        for mv in position.legal_moves() {
            let after =
                if self.take_one() { self.exact(tables, &position.after(mv))? } else { None };
            best = best.zip(after).map(|(best, after)| best.better(after.before()));
            if best.is_none() {
                break;
            }
        }
        self.exact.insert(key, best);
        Ok(best)
    }

    /// Whether the winner can force the end, a jump or a step forward within this many plies while
    /// playing a shortest win.
    fn fits(
        &mut self,
        tables: &MenTables,
        position: &Position,
        found: TableEntry,
        plies: u16,
    ) -> Result<bool, TableError> {
        if u16::from(found.run).min(found.distance.plies()) <= plies {
            return Ok(true);
        }
        if plies == 0 {
            return Ok(false);
        }
        let key = (position.state(), plies);
        if let Some(&known) = self.fits.get(&key) {
            return Ok(known);
        }
        let wins = found.distance.is_win();
        let mut fits = !wins;
        for mv in position.legal_moves() {
            let next = position.after(mv);
            if !self.take_one() {
                fits = false;
                break;
            }
            let Some(after) = tables.find(&next)? else { continue };
            if wins && after.distance.before() != found.distance {
                continue;
            }
            let next_fits =
                next.halfmove_clock() == 0 || self.fits(tables, &next, after, plies - 1)?;
            if next_fits == wins {
                fits = wins;
                break;
            }
        }
        self.fits.insert(key, fits);
        Ok(fits)
    }

    /// Takes one position from the limit; false if it is used up.
    fn take_one(&mut self) -> bool {
        let may = self.left > 0;
        self.left = self.left.saturating_sub(1);
        may
    }
}

/// The built-in strategy for the starting position, as `qirkat solve` writes it, unpacked on first
/// use; none if this build lacks it.
static START: LazyLock<Option<Certificate>> = LazyLock::new(|| {
    #[cfg(feature = "table-generator")]
    {
        let file = embedded!("start.alquerque.cert");
        let certificate = Certificate::read(&file[..]);
        certificate.inspect_err(|error| log::error!("the embedded certificate: {error}")).ok()
    }
    #[cfg(not(feature = "table-generator"))]
    None
});
