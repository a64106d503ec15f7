//! The points, the lines between them, and the men.

/// A way along a line: change of file, change of rank.
pub type Way = (i32, i32);

/// All ways that a line can go.
pub const WAYS: [Way; 8] = [(-1, 0), (1, 0), (0, 1), (0, -1), (-1, 1), (1, 1), (-1, -1), (1, -1)];

/// A point of the board: file and rank, both 1 to 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    pub file: i32,
    pub rank: i32,
}

impl Point {
    /// The point of this file and rank, or `None` off the board.
    pub fn new(file: i32, rank: i32) -> Option<Point> {
        ((1..=5).contains(&file) && (1..=5).contains(&rank)).then_some(Point { file, rank })
    }

    /// The next point this way, if a line joins the two: there are diagonal lines only where file
    /// + rank is even.
    pub fn next(self, (files, ranks): Way) -> Option<Point> {
        let diagonal = files != 0 && ranks != 0;
        if diagonal && (self.file + self.rank) % 2 != 0 {
            return None;
        }
        Point::new(self.file + files, self.rank + ranks)
    }

    /// The name, such as `c3`.
    pub fn name(self) -> String {
        let file = (b'a' - 1 + self.file as u8) as char;
        format!("{file}{}", self.rank)
    }

    /// The point with this name.
    pub fn from_name(name: &str) -> Option<Point> {
        match name.as_bytes() {
            [file @ b'a'..=b'e', rank @ b'1'..=b'5'] => {
                Point::new((file - b'a' + 1).into(), (rank - b'0').into())
            }
            _ => None,
        }
    }

    /// All 25 points.
    pub fn all() -> impl Iterator<Item = Point> {
        (1..=5).flat_map(|rank| (1..=5).map(move |file| Point { file, rank }))
    }
}

/// A side, or one of its men.
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

    /// The change of rank when this side's men go forward.
    pub fn forward(self) -> i32 {
        match self {
            White => 1,
            Black => -1,
        }
    }

    /// The rank from which this side's men can go no further.
    pub fn last_rank(self) -> i32 {
        match self {
            White => 5,
            Black => 1,
        }
    }

    /// The letter of this side's men.
    pub fn letter(self) -> char {
        match self {
            White => 'M',
            Black => 'm',
        }
    }
}

/// The men on the points: five ranks from the first, five files each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board([[Option<Color>; 5]; 5]);

impl Board {
    /// A board without men.
    pub fn empty() -> Board {
        Board([[None; 5]; 5])
    }

    /// Whose man stands on this point.
    pub fn get(&self, point: Point) -> Option<Color> {
        self.0[point.rank as usize - 1][point.file as usize - 1]
    }

    /// Puts a man on this point, or clears it.
    pub fn set(&mut self, point: Point, man: Option<Color>) {
        self.0[point.rank as usize - 1][point.file as usize - 1] = man;
    }

    /// Whether nothing stands on this point.
    pub fn is_empty(&self, point: Point) -> bool {
        self.get(point).is_none()
    }

    /// The points on which this side's men stand.
    pub fn points_of(&self, color: Color) -> Vec<Point> {
        Point::all().filter(|&point| self.get(point) == Some(color)).collect()
    }
}
