//! The cells, the pieces on them, and which cells a piece attacks.

/// A way from centre to centre: change of x in half cells, change of rank.
pub type Step = (i32, i32);

/// A rook's directions: (±1, 0) and (±½, ±1) in cells.
const ROOK_STEPS: [Step; 6] = [(2, 0), (-2, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)];

/// A bishop's directions: (±1½, ±1) in cells.
const BISHOP_STEPS: [Step; 4] = [(3, 1), (-3, 1), (3, -1), (-3, -1)];

/// A knight's leaps: (±1, ±2), (±2, ±2) and (±2½, ±1) in cells.
pub const KNIGHT_LEAPS: [Step; 12] = [
    (2, 2),
    (-2, 2),
    (2, -2),
    (-2, -2),
    (4, 2),
    (-4, 2),
    (4, -2),
    (-4, -2),
    (5, 1),
    (-5, 1),
    (5, -1),
    (-5, -1),
];

/// A cell of the board. Cells order by rank, then by file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// The rank, 1 to 8.
    pub rank: i32,
    /// The file, 0 to 7.
    pub file: i32,
}

impl Cell {
    /// The cell of this file and rank, or `None` off the board.
    pub fn new(file: i32, rank: i32) -> Option<Cell> {
        ((0..8).contains(&file) && (1..=8).contains(&rank)).then_some(Cell { rank, file })
    }

    /// Where the centre is, counted in half cells: even ranks are shifted right by one.
    pub fn half_x(self) -> i32 {
        2 * self.file + shift(self.rank)
    }

    /// The cell whose centre lies this step away.
    pub fn after(self, (dx, dy): Step) -> Option<Cell> {
        let rank = self.rank + dy;
        let twice_file = self.half_x() + dx - shift(rank);
        if twice_file % 2 != 0 {
            return None;
        }
        Cell::new(twice_file / 2, rank)
    }

    /// The name, such as `e4`.
    pub fn name(self) -> String {
        let file = (b'a' + self.file as u8) as char;
        format!("{file}{}", self.rank)
    }

    /// The cell with this name.
    pub fn from_name(name: &str) -> Option<Cell> {
        match name.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Cell::new((file - b'a').into(), (rank - b'0').into())
            }
            _ => None,
        }
    }

    /// All 64 cells.
    pub fn all() -> impl Iterator<Item = Cell> {
        (1..=8).flat_map(|rank| (0..8).map(move |file| Cell { rank, file }))
    }
}

/// By how many half cells a rank is shifted to the right.
fn shift(rank: i32) -> i32 {
    if rank % 2 == 0 { 1 } else { 0 }
}

/// The side a piece belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    White,
    Black,
}

use Color::{Black, White};

impl Color {
    /// The other side.
    pub fn other(self) -> Color {
        match self {
            White => Black,
            Black => White,
        }
    }

    /// The change of rank when this side's pawns go forward.
    pub fn forward(self) -> i32 {
        match self {
            White => 1,
            Black => -1,
        }
    }

    /// The rank on which this side's pawns start.
    pub fn pawn_rank(self) -> i32 {
        match self {
            White => 2,
            Black => 7,
        }
    }

    /// The rank on which this side's pawns promote.
    pub fn last_rank(self) -> i32 {
        match self {
            White => 8,
            Black => 1,
        }
    }
}

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
}

impl Kind {
    /// The lower-case letter of this kind.
    pub fn letter(self) -> char {
        match self {
            Kind::King => 'k',
            Kind::Queen => 'q',
            Kind::Rook => 'r',
            Kind::Bishop => 'b',
            Kind::Knight => 'n',
            Kind::Pawn => 'p',
        }
    }

    /// The kind written with this lower-case letter.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Some(match letter {
            'k' => Kind::King,
            'q' => Kind::Queen,
            'r' => Kind::Rook,
            'b' => Kind::Bishop,
            'n' => Kind::Knight,
            'p' => Kind::Pawn,
            _ => return None,
        })
    }
}

/// A piece: its side and what it is.
pub type Piece = (Color, Kind);

/// The pieces on the cells: eight ranks from the first, eight files each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board([[Option<Piece>; 8]; 8]);

impl Board {
    /// A board without pieces.
    pub fn empty() -> Board {
        Board([[None; 8]; 8])
    }

    /// The piece on this cell.
    pub fn get(&self, cell: Cell) -> Option<Piece> {
        self.0[cell.rank as usize - 1][cell.file as usize]
    }

    /// Puts a piece on this cell, or clears it.
    pub fn set(&mut self, cell: Cell, piece: Option<Piece>) {
        self.0[cell.rank as usize - 1][cell.file as usize] = piece;
    }

    /// Whether nothing stands on this cell.
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.get(cell).is_none()
    }

    /// The cells on which this side's pieces stand.
    pub fn cells_of(&self, color: Color) -> Vec<Cell> {
        Cell::all().filter(|&cell| matches!(self.get(cell), Some((c, _)) if c == color)).collect()
    }

    /// The cell on which this side's king stands.
    pub fn king_cell(&self, color: Color) -> Option<Cell> {
        Cell::all().find(|&cell| self.get(cell) == Some((color, Kind::King)))
    }

    /// Every cell that the piece on `from` attacks, whatever stands there.
    pub fn attacks(&self, from: Cell) -> Vec<Cell> {
        match self.get(from) {
            None => Vec::new(),
            Some((_, Kind::King)) => {
                [single_steps(from, &ROOK_STEPS), single_steps(from, &BISHOP_STEPS)].concat()
            }
            Some((_, Kind::Queen)) => {
                [self.slides(from, &ROOK_STEPS), self.slides(from, &BISHOP_STEPS)].concat()
            }
            Some((_, Kind::Rook)) => self.slides(from, &ROOK_STEPS),
            Some((_, Kind::Bishop)) => {
                [self.slides(from, &BISHOP_STEPS), single_steps(from, &ROOK_STEPS)].concat()
            }
            Some((_, Kind::Knight)) => single_steps(from, &KNIGHT_LEAPS),
            Some((color, Kind::Pawn)) => {
                single_steps(from, &[(-3, color.forward()), (3, color.forward())])
            }
        }
    }

    /// The cells along each line up to and with the first piece.
    fn slides(&self, from: Cell, steps: &[Step]) -> Vec<Cell> {
        let mut cells = Vec::new();
        for &step in steps {
            let mut cell = from;
            while let Some(next) = cell.after(step) {
                cells.push(next);
                if !self.is_empty(next) {
                    break;
                }
                cell = next;
            }
        }
        cells
    }

    /// Whether some piece of this side attacks `target`.
    pub fn is_attacked(&self, target: Cell, by: Color) -> bool {
        self.cells_of(by).iter().any(|&from| self.attacks(from).contains(&target))
    }

    /// Whether this side's king is attacked.
    pub fn king_attacked(&self, color: Color) -> bool {
        self.king_cell(color).is_some_and(|king| self.is_attacked(king, color.other()))
    }
}

/// The cells one step away, each way.
fn single_steps(from: Cell, steps: &[Step]) -> Vec<Cell> {
    steps.iter().filter_map(|&step| from.after(step)).collect()
}
