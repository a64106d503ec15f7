//! The tables of Alquerque at hand, and what they say of a position.

use std::cmp::Reverse;
use std::collections::HashMap;
#[cfg(feature = "certificates")]
use std::io::Read;
use std::sync::Arc;
#[cfg(feature = "certificates")]
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use qirkat_game::{DRAWING_CLOCK, KnownResult, Rules, Tablebase};
use qirkat_rules::alquerque::{Move, Position, State};

#[cfg(feature = "certificates")]
use super::certificate::Certificate;
#[cfg(feature = "certificates")]
use super::certificate_file::CertificateFileError;
use super::material::MenMaterial;
use super::ranks::View;
use super::slice::{cell_of, distance_without_men};
use super::table::{Found, Table};
#[cfg(feature = "certificates")]
use super::verify::verify;
use crate::cell::Cell;
use crate::error::TableError;
use crate::file::table::TableBytes;
use crate::known_moves::{KnownMove, KnownMoves};
use crate::probe::{Probe, RankedMove};
use crate::set::MOST_UNPACKED;
use crate::statistics::Statistics;
use crate::tablebase::readable;
use crate::value::{TableResult, TableValue};

/// Tables of Alquerque that are asked together. Blocks of them are unpacked when they are first
/// asked for and stay in memory up to a bound.
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
#[derive(Default)]
pub struct MenTables {
    /// By material, ascending.
    tables: Vec<Table>,
    largest: usize,
    /// Bytes of blocks that lie unpacked.
    unpacked: Arc<AtomicUsize>,
    /// Strategies beside the tables.
    #[cfg(feature = "certificates")]
    certificates: Vec<Certificate>,
    /// Whether the strategy for the start, which the program carries, is among them.
    #[cfg(feature = "certificates")]
    has_start: bool,
}

/// Positions that a probe looks at, at most, where the 100 plies are near.
const MOST_FOLLOWED: usize = 1 << 18;
/// The same in a search, which has no time.
const MOST_FOLLOWED_IN_SEARCH: usize = 1 << 9;

impl MenTables {
    /// No tables.
    pub fn new() -> MenTables {
        MenTables::default()
    }

    /// A new set of the tables that the program carries, to which others can be added.
    pub fn with_embedded() -> MenTables {
        let mut tables = MenTables::new();
        tables.add_embedded();
        tables
    }

    /// Adds the tables that the program carries, where there are no others of their materials.
    pub fn add_embedded(&mut self) {
        #[cfg(feature = "certificates")]
        {
            self.has_start = cfg!(feature = "table-generator");
        }
        for &bytes in super::embedded::FILES {
            if let Err(error) = self.add(Box::new(bytes)) {
                log::error!("an embedded table: {error}");
            }
        }
    }

    /// Adds a table, unless there is one of the same material: what the program carries stays.
    ///
    /// # Errors
    /// When it is no table, or damaged.
    pub fn add(&mut self, bytes: Box<dyn TableBytes>) -> Result<MenMaterial, TableError> {
        let table = Table::open(bytes, Arc::clone(&self.unpacked))?;
        let material = table.material();
        if let Err(at) = self.tables.binary_search_by_key(&material, Table::material) {
            self.tables.insert(at, table);
        }
        self.largest = self.largest.max(material.men());
        Ok(material)
    }

    /// Adds a certificate, as its file has it, if it holds: all of it is checked.
    ///
    /// # Errors
    /// When it is no certificate, or proves nothing.
    #[cfg(feature = "certificates")]
    pub fn add_certificate(&mut self, file: impl Read) -> Result<(), CertificateFileError> {
        let certificate = Certificate::read(file)?;
        verify(&certificate)?;
        self.certificates.push(certificate);
        Ok(())
    }

    /// The same without a check, for a file that was checked before.
    ///
    /// # Errors
    /// When it is no certificate.
    #[cfg(feature = "certificates")]
    pub fn add_checked_certificate(&mut self, file: impl Read) -> Result<(), CertificateFileError> {
        self.certificates.push(Certificate::read(file)?);
        Ok(())
    }

    /// How many certificates there are.
    #[cfg(feature = "certificates")]
    pub fn certificates(&self) -> usize {
        self.certificates.len() + usize::from(self.has_start)
    }

    /// A move of the side to move that wins by a certificate, and how many plies it takes at
    /// most. What the program carries comes first.
    #[cfg(feature = "certificates")]
    pub fn certain_move(&self, position: &Position) -> Option<(Move, u16)> {
        let start = if self.has_start { START.as_ref() } else { None };
        let mut all = start.into_iter().chain(&self.certificates);
        all.find_map(|certificate| certificate.winning_move(position))
    }

    /// There are no certificates.
    #[cfg(not(feature = "certificates"))]
    pub fn certain_move(&self, _position: &Position) -> Option<(Move, u16)> {
        None
    }

    /// The materials of the tables, few men first.
    pub fn materials(&self) -> impl Iterator<Item = MenMaterial> {
        self.tables.iter().map(Table::material)
    }

    /// The most men that any of the tables has.
    pub fn largest(&self) -> usize {
        self.largest
    }

    /// The statistics of a table, if it is here.
    pub fn statistics(&self, material: MenMaterial) -> Option<&Statistics> {
        self.table(material).map(Table::statistics)
    }

    pub(super) fn table(&self, material: MenMaterial) -> Option<&Table> {
        let at = self.tables.binary_search_by_key(&material, Table::material).ok()?;
        self.tables.get(at)
    }

    /// Whether there may be an answer for a position: few enough men.
    #[inline]
    pub fn may_know(&self, position: &Position) -> bool {
        position.occupied().len() as usize <= self.largest
    }

    /// Looks a position up; none where it has too many men, or a table is missing, or the 100
    /// plies are so near that too much would have to be looked at.
    ///
    /// Its moves come in the order in which a perfect player would choose them: by result,
    /// among wins the shortest, among losses the longest. Distances are exact and count the
    /// plies on the clock, but where the clock draws the game; there is none to the next jump or step forward.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn probe(&self, position: &Position) -> Result<Option<Probe<Position>>, TableError> {
        let mut followed = Followed::new(self, MOST_FOLLOWED);
        let Some(value) = followed.value(position)? else { return Ok(None) };
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let next = position.after(mv);
            let Some(after) = followed.value(&next)? else { return Ok(None) };
            let is_zeroing = next.halfmove_clock() == 0;
            moves.push(RankedMove { mv, value: before(after), is_zeroing });
        }
        moves.sort_by_key(|ranked| Reverse(rank(ranked.value.result, ranked.value.dtm)));
        Ok(Some(Probe { value, moves }))
    }

    /// The value of a position alone; see [`MenTables::probe`].
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn value(&self, position: &Position) -> Result<Option<TableValue>, TableError> {
        Followed::new(self, MOST_FOLLOWED).value(position)
    }

    /// What is known of each legal move: by the tables, or else by a certificate. The known
    /// moves come in the order of [`MenTables::probe`].
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn known_moves(&self, position: &Position) -> Result<KnownMoves<Move>, TableError> {
        let mut moves = KnownMoves::default();
        let mut followed = Followed::new(self, MOST_FOLLOWED);
        for mv in position.legal_moves() {
            let next = position.after(mv);
            if let Some(after) = followed.value(&next)? {
                let TableValue { result, dtm, .. } = before(after);
                moves.known.push(KnownMove { mv, result, plies: dtm, is_bound: false });
            } else if let Some(plies) = self.certain_move(&next).map(|(_, plies)| plies) {
                let (result, plies) = (TableResult::Loss, Some(plies + 1));
                moves.known.push(KnownMove { mv, result, plies, is_bound: true });
            } else if let Some(plies) = self.certain_loss(&next, &mut followed)? {
                let (result, plies) = (TableResult::Win, Some(plies + 1));
                moves.known.push(KnownMove { mv, result, plies, is_bound: true });
            } else {
                moves.unknown.push(mv);
            }
        }
        moves.known.sort_by_key(|known| Reverse(rank(known.result, known.plies)));
        Ok(moves)
    }

    /// In how many plies the side to move has lost at most, if each of its moves is answered by a
    /// certificate or leads to a position that the tables know for lost.
    fn certain_loss(
        &self,
        position: &Position,
        followed: &mut Followed<'_>,
    ) -> Result<Option<u16>, TableError> {
        let mut longest = 0;
        for mv in position.legal_moves() {
            let next = position.after(mv);
            let plies = match self.certain_move(&next) {
                Some((_, plies)) => plies,
                None => match followed.value(&next)? {
                    Some(TableValue { result: TableResult::Win, dtm: Some(plies), .. }) => plies,
                    _ => return Ok(None),
                },
            };
            longest = longest.max(plies + 1);
        }
        Ok(Some(longest))
    }

    /// What the tables hold of a position, whatever its clock.
    fn find(&self, position: &Position) -> Result<Option<Found>, TableError> {
        if let Some(distance) = distance_without_men(position) {
            return Ok(Some(Found { distance: cell_of(distance), run: 1 }));
        }
        let table = MenMaterial::of(position).and_then(|material| self.table(material));
        let Some(table) = table else { return Ok(None) };
        if self.unpacked.load(Ordering::Relaxed) > MOST_UNPACKED {
            self.unpacked.store(0, Ordering::Relaxed);
            self.tables.iter().for_each(Table::forget_all);
        }
        table.find(&View::of(position))
    }
}

/// The value of a move that leads to a value of the other side.
fn before(after: TableValue) -> TableValue {
    let result = match after.result {
        TableResult::Loss => TableResult::Win,
        TableResult::BlessedLoss => TableResult::CursedWin,
        TableResult::Draw => TableResult::Draw,
        TableResult::CursedWin => TableResult::BlessedLoss,
        TableResult::Win => TableResult::Loss,
    };
    TableValue { result, dtm: after.dtm.map(|plies| plies + 1), dtz: None }
}

/// The order of moves: by result, among wins the shortest first, among losses the longest.
fn rank(result: TableResult, plies: Option<u16>) -> (TableResult, i32) {
    let plies = i32::from(plies.unwrap_or_default());
    let wins = result > TableResult::Draw;
    (result, if wins { -plies } else { plies })
}

/// Follows moves where the 100 plies are near. What the tables hold is exact where the winner
/// has time: where the most plies to the next jump or step forward, or to the end, fit in.
struct Followed<'a> {
    tables: &'a MenTables,
    /// Positions that may still be looked at.
    left: usize,
    exact: HashMap<(State, u16), Option<Cell>>,
    in_time: HashMap<(State, u16), bool>,
}

impl Followed<'_> {
    fn new(tables: &MenTables, most: usize) -> Followed<'_> {
        Followed { tables, left: most, exact: HashMap::new(), in_time: HashMap::new() }
    }

    fn value(&mut self, position: &Position) -> Result<Option<TableValue>, TableError> {
        let Some(Found { distance, .. }) = self.tables.find(position)? else { return Ok(None) };
        let Some(exact) = self.exact(position)? else { return Ok(None) };
        let result = match exact {
            cell if cell.is_win() => TableResult::Win,
            cell if cell.is_loss() => TableResult::Loss,
            _ if distance.is_win() => TableResult::CursedWin,
            _ if distance.is_loss() => TableResult::BlessedLoss,
            _ => TableResult::Draw,
        };
        // What the clock draws is as far from the end as if there were none.
        let plies = if exact == Cell::DRAW { distance } else { exact }.plies();
        let dtm = (result != TableResult::Draw).then_some(plies);
        Ok(Some(TableValue { result, dtm, dtz: None }))
    }

    /// The distance to the end by the plies on the clock; none where it is not found out.
    fn exact(&mut self, position: &Position) -> Result<Option<Cell>, TableError> {
        let Some(found) = self.tables.find(position)? else { return Ok(None) };
        let clock = position.halfmove_clock();
        let is_known = found.distance == Cell::DRAW || found.distance == Cell::loss(0);
        if is_known || self.fits(position, found, DRAWING_CLOCK.saturating_sub(clock))? {
            return Ok(Some(found.distance));
        }
        if clock >= DRAWING_CLOCK {
            return Ok(Some(Cell::DRAW));
        }
        let key = (position.state(), clock);
        if let Some(&known) = self.exact.get(&key) {
            return Ok(known);
        }
        let mut best = Some(Cell::loss(0));
        for mv in position.legal_moves() {
            let after = if self.take_one() { self.exact(&position.after(mv))? } else { None };
            best = best.zip(after).map(|(best, after)| best.better(after.before()));
            if best.is_none() {
                break;
            }
        }
        self.exact.insert(key, best);
        Ok(best)
    }

    /// Whether the winner gets to the end, or to a jump or step forward, in so many plies along
    /// a shortest way, whatever the other does.
    fn fits(&mut self, position: &Position, found: Found, plies: u16) -> Result<bool, TableError> {
        if u16::from(found.run).min(found.distance.plies()) <= plies {
            return Ok(true);
        }
        if plies == 0 {
            return Ok(false);
        }
        let key = (position.state(), plies);
        if let Some(&known) = self.in_time.get(&key) {
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
            let Some(after) = self.tables.find(&next)? else { continue };
            if wins && after.distance.before() != found.distance {
                continue;
            }
            let in_time = next.halfmove_clock() == 0 || self.fits(&next, after, plies - 1)?;
            if in_time == wins {
                fits = wins;
                break;
            }
        }
        self.in_time.insert(key, fits);
        Ok(fits)
    }

    /// Whether one position more may be looked at.
    fn take_one(&mut self) -> bool {
        let may = self.left > 0;
        self.left = self.left.saturating_sub(1);
        may
    }
}

impl Tablebase<Position> for MenTables {
    #[inline]
    fn may_know(&self, position: &Position) -> bool {
        MenTables::may_know(self, position)
    }

    fn known(&self, position: &Position) -> Option<KnownResult> {
        readable(Followed::new(self, MOST_FOLLOWED_IN_SEARCH).exact(position))
            .map(KnownResult::from)
    }

    fn ranked_moves(&self, position: &Position) -> Option<Vec<(Move, KnownResult)>> {
        let probe = readable(self.probe(position))?;
        Some(probe.moves.iter().map(|ranked| (ranked.mv, ranked.value.into())).collect())
    }

    fn winning_move(&self, position: &Position) -> Option<(Move, u16)> {
        self.certain_move(position)
    }
}

/// The strategy for the start, unpacked when it is first asked for; none where the program does
/// not carry it.
#[cfg(all(feature = "certificates", not(feature = "table-generator")))]
static START: LazyLock<Option<Certificate>> = LazyLock::new(|| None);
#[cfg(feature = "table-generator")]
static START: LazyLock<Option<Certificate>> = LazyLock::new(|| {
    let certificate = Certificate::read(super::embedded::START);
    certificate.inspect_err(|error| log::error!("the embedded certificate: {error}")).ok()
});
