//! The value of a position and of its moves, and how a table holds it in memory.

use std::fmt;

use derive_more::Display;
use qirkat_game::{DRAWING_PLIES, KnownResult, Rules};
use qirkat_rules::chesquerque;
use qirkat_rules::variant::{AnyPosition, VariantGame};
use serde::Serialize;

/// The result with perfect play, under the 100-ply rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Display, Hash, Serialize)]
#[display("{}", self.text())]
#[serde(rename_all = "kebab-case")]
pub enum TableResult {
    Loss,
    /// The side to move would lose, but for the 100-ply rule.
    BlessedLoss,
    Draw,
    /// The side to move would win, but for the 100-ply rule.
    CursedWin,
    Win,
}

impl TableResult {
    pub const fn text(self) -> &'static str {
        match self {
            TableResult::Loss => "loss",
            TableResult::BlessedLoss => "blessed-loss",
            TableResult::Draw => "draw",
            TableResult::CursedWin => "cursed-win",
            TableResult::Win => "win",
        }
    }
}

/// The value of a position, or of a move for the side that makes it. Distances are in plies; a draw
/// has none, and neither has what comes from a table without distances.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct TableValue {
    /// The result, counting the plies already on the clock.
    pub result: TableResult,
    /// Distance to mate, as if there were no 100-ply rule. In Alquerque, the plies to the end of
    /// the game, which take the clock into account unless the 100-ply rule draws.
    pub dtm: Option<u16>,
    /// Distance to the next capture, pawn move or mate, which the winner reaches as fast as
    /// possible and the loser delays, without changing the result. Above 100 the 100-ply rule
    /// applies first; a capture or pawn move that only reaches a cursed win counts 101. None in
    /// Alquerque.
    pub dtz: Option<u16>,
}

impl TableValue {
    /// The value of an entry whose distances begin with `clock` plies on the clock. None if the
    /// distance to zeroing is only a bound, and so late that the 100-ply rule may apply or not.
    pub(crate) fn new(entry: Entry, clock: u16) -> Option<TableValue> {
        let is_late =
            entry.dtz.plies().saturating_add(clock) > DRAWING_PLIES && entry.dtz.plies() > 0;
        let mate = entry.dtm.distance();
        if is_late && mate.is_none() && entry.dtz.distance().is_some() {
            return None;
        }
        let result = entry.dtm.result(is_late).unwrap_or(TableResult::Draw);
        let plies = mate.filter(|_| result != TableResult::Draw);
        Some(TableValue { result, dtm: plies, dtz: plies.map(|_| entry.dtz.plies()) })
    }
}

impl From<Cell> for KnownResult {
    fn from(cell: Cell) -> KnownResult {
        match cell {
            cell if cell.is_win() => KnownResult::Win(cell.distance()),
            cell if cell.is_loss() => KnownResult::Loss(cell.distance()),
            _ => KnownResult::Draw,
        }
    }
}

impl From<TableValue> for KnownResult {
    fn from(value: TableValue) -> KnownResult {
        match value.result {
            TableResult::Win => KnownResult::Win(value.dtm),
            TableResult::Loss => KnownResult::Loss(value.dtm),
            TableResult::CursedWin | TableResult::Draw | TableResult::BlessedLoss => {
                KnownResult::Draw
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove<G: Rules = chesquerque::Position> {
    pub mv: G::Move,
    /// Its value for the side that makes it, counting the move itself.
    pub value: TableValue,
    /// Whether it captures or moves a pawn; in Alquerque, whether it jumps or steps forward.
    pub is_zeroing: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Probe<G: Rules = chesquerque::Position> {
    pub value: TableValue,
    /// Its legal moves, the best first: see [`Tables::probe`](crate::Tables::probe).
    pub moves: Vec<RankedMove<G>>,
    /// The legal moves whose value no table tells for certain: the table is missing, or the 100-ply
    /// rule might come first, which a table of results cannot tell, and one of Alquerque only by
    /// too long a search.
    pub unknown: Vec<G::Move>,
}

impl<G: VariantGame> Probe<G> {
    pub(crate) fn of_any_game(self) -> Probe<AnyPosition> {
        let any = |RankedMove { mv, value, is_zeroing }: RankedMove<G>| RankedMove {
            mv: mv.into(),
            value,
            is_zeroing,
        };
        Probe {
            value: self.value,
            moves: self.moves.into_iter().map(any).collect(),
            unknown: self.unknown.into_iter().map(Into::into).collect(),
        }
    }
}

/// A legal move whose outcome is known from a table or, in Alquerque, a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownMove<M> {
    pub mv: M,
    /// The result for the side that makes it, counting the plies already on the clock.
    pub result: TableResult,
    /// Plies to the end of the game, counting the move itself; none for a draw, or if a table knows
    /// only the result.
    pub plies: Option<u16>,
    /// Whether `plies` is only an upper bound, from a certificate.
    pub is_bound: bool,
}

/// The legal moves of a position, split by whether their outcome is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownMoves<M> {
    /// Best first.
    pub known: Vec<KnownMove<M>>,
    pub unknown: Vec<M>,
}

impl<M> Default for KnownMoves<M> {
    fn default() -> KnownMoves<M> {
        KnownMoves { known: Vec::new(), unknown: Vec::new() }
    }
}

impl<M> KnownMoves<M> {
    pub(crate) fn converted<N>(self, convert: impl Fn(M) -> N) -> KnownMoves<N> {
        let known = self.known.into_iter().map(|KnownMove { mv, result, plies, is_bound }| {
            KnownMove { mv: convert(mv), result, plies, is_bound }
        });
        let known = known.collect();
        KnownMoves { known, unknown: self.unknown.into_iter().map(convert).collect() }
    }
}

impl<G: Rules> From<&RankedMove<G>> for KnownMove<G::Move> {
    fn from(ranked: &RankedMove<G>) -> KnownMove<G::Move> {
        let RankedMove { mv, value, .. } = *ranked;
        KnownMove { mv, result: value.result, plies: value.dtm, is_bound: false }
    }
}

/// The content of a table's cell (`chess_index` numbers the cells): [`Cell::DRAW`], or a win or loss
/// for the side to move, with its distance in plies. While a table is being solved, an undecided cell holds the number of moves not yet known to
/// lose.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cell(pub u16);

const WIN: u16 = 0x4000;
const LOSS: u16 = 0x8000;
const KIND: u16 = 0xC000;
const PLIES: u16 = 0x3FFF;
/// Plies of a win or loss from here on mean that its distance is not known.
const UNKNOWN: u16 = 1 << 13;

impl Cell {
    /// A draw; while solving, undecided with no move counted.
    pub const DRAW: Cell = Cell(0);
    /// The side to move wins in this many plies.
    #[inline]
    pub const fn win(plies: u16) -> Cell {
        Cell(WIN | plies)
    }

    /// The side to move loses in this many plies.
    #[inline]
    pub const fn loss(plies: u16) -> Cell {
        Cell(LOSS | plies)
    }

    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 & KIND == WIN
    }

    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 & KIND == LOSS
    }

    /// The distance, or the number of moves counted.
    #[inline]
    pub const fn plies(self) -> u16 {
        self.0 & PLIES
    }

    /// The distance, if it is known.
    #[inline]
    pub const fn distance(self) -> Option<u16> {
        if self.plies() < UNKNOWN { Some(self.plies()) } else { None }
    }

    /// The result; none if it is invalid. `is_late` says that the 100-ply rule comes first.
    #[inline]
    pub const fn result(self, is_late: bool) -> Option<TableResult> {
        Some(match self.0 & KIND {
            WIN if is_late => TableResult::CursedWin,
            WIN => TableResult::Win,
            LOSS if is_late => TableResult::BlessedLoss,
            LOSS => TableResult::Loss,
            KIND => return None,
            _ => TableResult::Draw,
        })
    }

    /// A sort key, higher is better for the side to move: short wins, long wins, draws, long
    /// losses, short losses. An unknown distance may be the best.
    pub const fn rank(self) -> i32 {
        let plies = self.plies() as i32;
        match self.0 & KIND {
            WIN if self.plies() >= UNKNOWN => i32::MAX / 2,
            WIN => i32::MAX / 2 - plies,
            LOSS => i32::MIN / 2 + plies,
            _ => 0,
        }
    }

    /// The value of a move to this position for the side that makes it: the opposite result, one
    /// ply further from the end.
    pub const fn before(self) -> Cell {
        match self.0 & KIND {
            WIN => Cell::loss(self.plies() + 1),
            LOSS => Cell::win(self.plies() + 1),
            _ => self,
        }
    }

    /// The better of two for the side to move.
    pub const fn better(self, other: Cell) -> Cell {
        if other.rank() > self.rank() { other } else { self }
    }
}

/// Used to build tables.
impl Cell {
    pub const INVALID: Cell = Cell(KIND);
    /// Undecided, but not lost: some move draws.
    pub const NOT_LOST: Cell = Cell(PLIES);

    /// Undecided, with this many moves not yet known to lose.
    #[inline]
    pub const fn undecided(moves: u16) -> Cell {
        Cell(moves)
    }

    /// Whether it is not won, lost or invalid.
    #[inline]
    pub const fn is_open(self) -> bool {
        self.0 & KIND == 0
    }

    #[inline]
    pub const fn is_invalid(self) -> bool {
        self.0 & KIND == KIND
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 & KIND {
            WIN => write!(f, "win {}", self.plies()),
            LOSS => write!(f, "loss {}", self.plies()),
            KIND => f.write_str("invalid"),
            _ => write!(f, "open {}", self.plies()),
        }
    }
}

/// A position's result with both distances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Distance to mate, ignoring the clock.
    pub dtm: Cell,
    /// Distance to the next zeroing move or mate; above [`DRAWING_PLIES`] the 100-ply rule can save the
    /// losing side. It is only an upper bound if the distance to mate is not known.
    pub dtz: Cell,
}

impl Entry {
    pub const DRAW: Entry = Entry { dtm: Cell::DRAW, dtz: Cell::DRAW };

    /// The plies to zeroing if they are unknown, but certainly more than [`DRAWING_PLIES`].
    pub const LATE: u16 = UNKNOWN;

    /// A result without distances. The next zeroing move or mate takes at most `in_time` plies, or
    /// `late` where the 100-ply rule comes first.
    pub const fn of_result(result: TableResult, in_time: u16, late: u16) -> Entry {
        let (win, loss) = (Cell::win(UNKNOWN), Cell::loss(UNKNOWN));
        match result {
            TableResult::Win => Entry { dtm: win, dtz: Cell::win(in_time) },
            TableResult::CursedWin => Entry { dtm: win, dtz: Cell::win(late) },
            TableResult::Draw => Entry::DRAW,
            TableResult::BlessedLoss => Entry { dtm: loss, dtz: Cell::loss(late) },
            TableResult::Loss => Entry { dtm: loss, dtz: Cell::loss(in_time) },
        }
    }

    /// The result with the clock at zero; none if it is invalid.
    pub const fn result(self) -> Option<TableResult> {
        self.dtm.result(self.dtz.plies() > DRAWING_PLIES)
    }

    /// The value of a move to this position for the side that makes it. A zeroing move to a result
    /// that the 100-ply rule turns into a draw counts [`DRAWING_PLIES`] + 1 plies.
    pub fn before(self, zeroing: bool) -> Entry {
        let plies = match self.dtz.plies() {
            plies if plies >= Entry::LATE => Entry::LATE,
            plies if plies > DRAWING_PLIES => DRAWING_PLIES + 1,
            _ => 1,
        };
        let dtz = match self.dtz.before() {
            cell if !zeroing => cell,
            cell if cell.is_win() => Cell::win(plies),
            cell if cell.is_loss() => Cell::loss(plies),
            open => open,
        };
        Entry { dtm: self.dtm.before(), dtz }
    }

    /// Without distances: see [`Entry::of_result`].
    pub const fn without_distances(self) -> Entry {
        match (self.dtm.distance(), self.result()) {
            (Some(_), Some(result)) => Entry::of_result(result, self.dtz.plies(), Entry::LATE),
            _ => self,
        }
    }

    /// The better of `more` and the best so far, if there is one.
    pub fn best(known: Option<Entry>, more: Entry) -> Option<Entry> {
        Some(known.map_or(more, |known| known.better(more)))
    }

    pub fn better(self, other: Entry) -> Entry {
        // An unknown distance to mate may be the shortest; one to zeroing is late.
        let rank = |dtz: Cell| match dtz.is_win() {
            true => Cell::win(dtz.plies().min(UNKNOWN - 1)).rank(),
            false => dtz.rank(),
        };
        let dtz = if rank(other.dtz) > rank(self.dtz) { other.dtz } else { self.dtz };
        Entry { dtm: self.dtm.better(other.dtm), dtz }
    }
}
