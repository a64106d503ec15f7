//! A cell: the result of a position, in 16 bits.

use std::fmt;

/// A result with its distance in plies, or what is known of it so far. As a result it is
/// [`Cell::DRAW`], a win or a loss of the side to move; while a table is solved, an
/// undecided cell counts the moves that do not lose yet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cell(pub u16);

const WIN: u16 = 0x4000;
const LOSS: u16 = 0x8000;
const KIND: u16 = 0xC000;
const PLIES: u16 = 0x3FFF;

impl Cell {
    /// Neither side can win, or nothing is known yet and no move is counted.
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

    /// Whether the side to move wins.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 & KIND == WIN
    }

    /// Whether the side to move loses.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 & KIND == LOSS
    }

    /// The distance, or the moves counted.
    #[inline]
    pub const fn plies(self) -> u16 {
        self.0 & PLIES
    }

    /// A number that is the greater, the better the result is for the side to move: short
    /// wins, long wins, draws, long losses, short losses.
    pub const fn rank(self) -> i32 {
        let plies = self.plies() as i32;
        match self.0 & KIND {
            WIN => i32::MAX / 2 - plies,
            LOSS => i32::MIN / 2 + plies,
            _ => 0,
        }
    }

    /// The value of a move to this position, this being the other side's view, to the one
    /// who makes it: one ply further from the end.
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

/// For those who make tables.
impl Cell {
    /// No position.
    pub const BROKEN: Cell = Cell(KIND);
    /// Undecided, but never lost: some move draws.
    pub const HOLDS: Cell = Cell(PLIES);

    /// Undecided, with this many moves that do not lose yet.
    #[inline]
    pub const fn undecided(moves: u16) -> Cell {
        Cell(moves)
    }

    /// Whether it is neither won nor lost, nor broken.
    #[inline]
    pub const fn is_open(self) -> bool {
        self.0 & KIND == 0
    }

    /// Whether it is no position.
    #[inline]
    pub const fn is_broken(self) -> bool {
        self.0 & KIND == KIND
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 & KIND {
            WIN => write!(f, "win {}", self.plies()),
            LOSS => write!(f, "loss {}", self.plies()),
            KIND => f.write_str("broken"),
            _ => write!(f, "open {}", self.plies()),
        }
    }
}

/// The results of a position by both measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Distance to mate, whatever the clock says.
    pub dtm: Cell,
    /// Distance to the next zeroing move or mate; above [`CLOCK`] the 100-ply rule can
    /// save the other side.
    pub dtz: Cell,
}

/// Plies without a pawn move or capture that draw.
pub(super) const CLOCK: u16 = 100;

impl Entry {
    pub const DRAW: Entry = Entry { dtm: Cell::DRAW, dtz: Cell::DRAW };

    /// The value of a move to this position, this being the other side's view, to the one
    /// who makes it.
    pub fn before(self, zeroing: bool) -> Entry {
        Entry {
            dtm: self.dtm.before(),
            dtz: if zeroing { before_zeroing(self.dtz) } else { self.dtz.before() },
        }
    }

    /// The better of two by each measure.
    pub fn better(self, other: Entry) -> Entry {
        Entry { dtm: self.dtm.better(other.dtm), dtz: self.dtz.better(other.dtz) }
    }
}

/// The zeroing move itself is the ply to count. One that leads only to what the 100-ply
/// rule can take counts as if that rule's plies had passed.
fn before_zeroing(cell: Cell) -> Cell {
    let plies = if cell.plies() > CLOCK { CLOCK + 1 } else { 1 };
    match cell {
        _ if cell.is_win() => Cell::loss(plies),
        _ if cell.is_loss() => Cell::win(plies),
        open => open,
    }
}
