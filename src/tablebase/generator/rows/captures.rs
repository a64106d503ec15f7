//! The positions that captures lead to, as rows that change from ply to ply.

use arrayvec::ArrayVec;

use qirkat_rules::chesquerque::{Color, Point, Position};

use super::layout::{Beside, Kind, MAX_BESIDE, RowLayout};
use super::row::{Row, single};
use super::{Placed, Placement};
use crate::cell::{CLOCK, Entry};
use crate::generator::solved_table::SolvedTables;

/// The plies that a solver counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    /// Plies to mate.
    Mate,
    /// Plies to the next capture or mate.
    Zeroing,
}

impl Metric {
    pub const ALL: [Metric; 2] = [Metric::Mate, Metric::Zeroing];

    /// At which ply what a capture leads to counts as decided: the capture itself is the
    /// ply after that.
    fn delay(self, entry: Entry) -> u16 {
        match self {
            Metric::Mate => entry.dtm.plies(),
            Metric::Zeroing if entry.dtz.plies() > CLOCK => CLOCK,
            Metric::Zeroing => 0,
        }
    }
}

/// Which piece is captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Captured {
    /// One beside the row.
    Beside(usize),
    /// The piece of the row.
    Along,
}

/// A result, for the side whose piece is gone and who is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decided {
    Won,
    Lost,
}

impl Decided {
    /// The result for the other side.
    pub const fn for_other(self) -> Decided {
        match self {
            Decided::Won => Decided::Lost,
            Decided::Lost => Decided::Won,
        }
    }
}

/// The positions of a smaller table in which the side to move has just lost a piece.
///
/// Their rows are kept twice: for each piece that is left, there is one for each pair of
/// kings and each point of the other.
pub struct AfterCapture {
    pub captured: Captured,
    /// The side to move, whose piece was captured.
    pub side: Color,
    /// The pieces that are left, in the order of the larger table's, its row last.
    left: ArrayVec<Kind, MAX_BESIDE>,
    /// Positions that the side to move has not won so far, by the piece along the row.
    unwon: [Vec<Row>; MAX_BESIDE],
    /// The positions won or lost in the last ply.
    now: [News; 2],
    /// The cells that are won or lost at each ply.
    events: [Vec<Vec<u32>>; 2],
}

/// The positions decided in one ply.
struct News {
    rows: [Vec<Row>; MAX_BESIDE],
    /// Whether there is any for a pair of kings.
    is_any: Vec<bool>,
}

impl AfterCapture {
    /// All that captures of one side's pieces or the other's can lead to, by each of
    /// [`Metric::ALL`].
    pub fn all(layout: &RowLayout, children: &SolvedTables<Position>) -> [Vec<AfterCapture>; 2] {
        // Equal pieces are captured as one.
        let beside = if layout.is_folded { 1 } else { layout.beside.len() };
        let captured = (0..beside).map(Captured::Beside).chain([Captured::Along]);
        captured.map(|it| AfterCapture::both(layout, it, children)).fold(
            Default::default(),
            |mut all: [Vec<AfterCapture>; 2], both| {
                all.iter_mut().zip(both).for_each(|(all, after)| all.push(after));
                all
            },
        )
    }

    /// The positions that the capture of a piece leads to, by each metric.
    fn both(
        layout: &RowLayout,
        captured: Captured,
        children: &SolvedTables<Position>,
    ) -> [AfterCapture; 2] {
        let mut left: ArrayVec<Kind, 3> = layout.beside.iter().copied().collect();
        left.push(layout.along);
        let (side, _) = left.remove(match captured {
            Captured::Beside(piece) => piece,
            Captured::Along => left.len() - 1,
        });
        let left: ArrayVec<Kind, MAX_BESIDE> = left.into_iter().collect();
        let pairs = layout.kings.count();
        let lines = if left.len() == 2 { pairs * Point::COUNT } else { pairs };
        let mut both = Metric::ALL.map(|_| {
            let empty =
                || std::array::from_fn(|piece| vec![0; if piece < left.len() { lines } else { 0 }]);
            let news = || News { rows: empty(), is_any: vec![false; pairs] };
            AfterCapture {
                captured,
                side,
                left: left.clone(),
                unwon: empty(),
                now: [news(), news()],
                events: Default::default(),
            }
        });
        if !left.is_empty() {
            AfterCapture::look_up(&mut both, layout, children);
        }
        both
    }

    /// Notes what is known of each position by both measures.
    fn look_up(
        both: &mut [AfterCapture; 2],
        layout: &RowLayout,
        children: &SolvedTables<Position>,
    ) {
        let AfterCapture { side, left, .. } = &both[0];
        let (side, left) = (*side, left.clone());
        for cell in 0..layout.kings.count() * Point::COUNT.pow(left.len() as u32) {
            let (pair, points) = both[0].place(cell as u32);
            let [white, black] = layout.kings.kings(pair);
            let mut placement = Placement::kings(white, black);
            let mut is_apart = true;
            for (&(color, kind), point) in left.iter().zip(points) {
                is_apart &= !placement.occupied.contains(point);
                placement.add(Placed { color, kind, point });
            }
            if !is_apart {
                continue;
            }
            let entry = children.find(&placement, side);
            if entry.dtm.is_broken() {
                continue;
            }
            let decided = match entry.dtm {
                it if it.is_win() => Some(Decided::Won),
                it if it.is_loss() => Some(Decided::Lost),
                _ => None,
            };
            for (after, metric) in both.iter_mut().zip(Metric::ALL) {
                after.put(pair, points);
                if let Some(decided) = decided {
                    let events = &mut after.events[decided as usize];
                    let ply = usize::from(metric.delay(entry));
                    if events.len() <= ply {
                        events.resize_with(ply + 1, Vec::new);
                    }
                    events[ply].push(cell as u32);
                }
            }
        }
    }

    /// Where pieces stand by their number.
    fn place(&self, cell: u32) -> (usize, Beside) {
        let mut points = super::layout::NOWHERE;
        let mut rest = cell as usize;
        for at in (0..self.left.len()).rev() {
            if let Some(point) = Point::from_index(rest % Point::COUNT) {
                points[at] = point;
            }
            rest /= Point::COUNT;
        }
        (rest, points)
    }

    fn put(&mut self, pair: usize, points: Beside) {
        for piece in 0..self.left.len() {
            let line = self.line(pair, points[1 - piece]);
            self.unwon[piece][line] |= single(points[piece]);
        }
    }

    #[inline]
    fn line(&self, pair: usize, other: Point) -> usize {
        if self.left.len() == 2 { pair * Point::COUNT + other.index() } else { pair }
    }

    /// The last of the pieces that are left: that of the larger table's row, unless it is
    /// the one captured.
    #[inline]
    pub fn last_piece(&self) -> usize {
        self.left.len() - 1
    }

    /// The last ply at which something is decided.
    pub fn last_ply(&self) -> usize {
        self.events.iter().map(|plies| plies.len().saturating_sub(1)).max().unwrap_or(0)
    }

    /// Goes on to what is decided at a ply.
    pub fn advance(&mut self, ply: usize) {
        for decided in [Decided::Won, Decided::Lost] {
            for (pair, is_any) in self.now[decided as usize].is_any.iter_mut().enumerate() {
                if std::mem::take(is_any) {
                    let lines = if self.left.len() == 2 { Point::COUNT } else { 1 };
                    for rows in &mut self.now[decided as usize].rows[..self.left.len()] {
                        rows[pair * lines..][..lines].fill(0);
                    }
                }
            }
            let cells = self.events[decided as usize].get_mut(ply).map(std::mem::take);
            for cell in cells.unwrap_or_default() {
                let (pair, points) = self.place(cell);
                self.now[decided as usize].is_any[pair] = true;
                for piece in 0..self.left.len() {
                    let line = self.line(pair, points[1 - piece]);
                    self.now[decided as usize].rows[piece][line] |= single(points[piece]);
                    if decided == Decided::Won {
                        self.unwon[piece][line] &= !single(points[piece]);
                    }
                }
            }
        }
    }

    /// Whether anything has been decided in the last ply with these kings.
    #[inline]
    pub fn is_any_now(&self, decided: Decided, pair: usize) -> bool {
        self.now[decided as usize].is_any[pair]
    }

    /// The positions decided in the last ply, along a piece that is left, the other
    /// standing still.
    #[inline]
    pub fn now(&self, decided: Decided, piece: usize, pair: usize, other: Point) -> Row {
        self.now[decided as usize].rows[piece][self.line(pair, other)]
    }

    /// Positions that the side to move has not won so far.
    #[inline]
    pub fn unwon(&self, piece: usize, pair: usize, other: Point) -> Row {
        self.unwon[piece][self.line(pair, other)]
    }

    /// Whether the side to move has not won one of them so far. Bare kings never do.
    #[inline]
    pub fn is_unwon(&self, pair: usize, points: Beside) -> bool {
        match self.left.len() {
            0 => true,
            1 => self.unwon[0][pair] & single(points[0]) != 0,
            _ => self.unwon(1, pair, points[0]) & single(points[1]) != 0,
        }
    }

    /// How many pieces are left beside the kings.
    pub fn pieces(&self) -> usize {
        self.left.len()
    }
}
