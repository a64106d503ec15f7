//! The distances of a frame, told rung by rung.
//!
//! Distances are found in the order in which retrograde analysis finds them, the shortest
//! first. A position of Black's lone king is lost when all its replies are, and these lie
//! in the same [`Frame`]; then every position from which the walker goes there is won. So
//! five of six wins follow from shorter ones and take no room. For each of the others it is
//! asked, on every rung, whether its distance is that one: a win by another piece. What
//! its neighbours have by now tells how likely that is ([`Evidence`]).

use super::evidence::{CONTEXTS, Evidence, hash};
use super::frames::{FRAME, Frame, king_steps};
use super::planes::Planes;
use super::range_coder::BinaryCoder;
use qirkat_rules::chesquerque::{Bitboard, PerPoint, Point};

/// What is told.
#[derive(Clone, Copy)]
pub enum Measure<'a> {
    /// Distances to mate.
    Mate,
    /// Distances to zeroing, with the numbers for distances to mate.
    Zeroing(&'a Planes),
}

/// What is written; nothing while reading.
pub trait Truth {
    /// In how many plies White wins, with White to move; zero where it does not.
    fn wins_in(&self, walker: Point, lone: Point) -> u16;
    /// In how many plies Black loses, with Black to move; none where it does not.
    fn loses_in(&self, walker: Point, lone: Point) -> Option<u16>;
}

/// While reading, nothing is known before.
pub struct Unknown;

impl Truth for Unknown {
    fn wins_in(&self, _: Point, _: Point) -> u16 {
        0
    }

    fn loses_in(&self, _: Point, _: Point) -> Option<u16> {
        None
    }
}

// What is known of a neighbour.
const NO_CELL: u8 = 0;
const OPEN: u8 = 1;
const IMPLIED: u8 = 2;
const TOLD: u8 = 3;
const LAST_RUNG: u8 = 4;
const EARLIER: u8 = 5;

/// Points of a side of the board with a margin.
const SIDE: usize = Point::FILES as usize + 2;
const SQUARE: usize = SIDE * SIDE;

/// Where a cell lies among its neighbours.
#[inline]
fn place_of(walker: Point, lone: Point) -> usize {
    let square =
        |point: Point| (usize::from(point.rank()) + 1) * SIDE + usize::from(point.file()) + 1;
    square(walker) * SQUARE + square(lone)
}

/// One frame, climbed by reading or writing.
pub struct Ladder<'a, C, T> {
    frame: &'a Frame,
    measure: Measure<'a>,
    evidence: &'a mut Evidence,
    coder: &'a mut C,
    truth: &'a T,
    /// The most plies there can be.
    limit: u16,
    /// What is known of each cell, with margins.
    states: Vec<u8>,
    open: PerPoint<Bitboard>,
    /// Cells whose distances are found, and positions of Black's that are lost.
    found: PerPoint<Bitboard>,
    lost: PerPoint<Bitboard>,
    /// Cells of this rung and of the last.
    rung: Vec<(Point, Point)>,
    last_rung: Vec<(Point, Point)>,
    /// Positions of Black's that are lost in one ply less than this rung.
    ready: Vec<(Point, Point)>,
    /// The same for the rung after that.
    ready_later: Vec<(Point, Point)>,
    plies: Vec<u16>,
}

impl<'a, C: BinaryCoder, T: Truth> Ladder<'a, C, T> {
    /// At the foot of the ladder.
    pub fn new(
        frame: &'a Frame,
        measure: Measure<'a>,
        evidence: &'a mut Evidence,
        coder: &'a mut C,
        truth: &'a T,
        is_wide: bool,
    ) -> Self {
        let nothing = || PerPoint([Bitboard::EMPTY; Point::COUNT]);
        let mut states = vec![NO_CELL; SQUARE * SQUARE];
        let mut open = nothing();
        for walker in Point::all() {
            for lone in frame.safe[walker] {
                let is_won = match measure {
                    Measure::Mate => true,
                    Measure::Zeroing(dtm) => dtm.get(cell_of(walker, lone)) > 0,
                };
                if is_won {
                    open[walker] |= lone.bit();
                    states[place_of(walker, lone)] = OPEN;
                }
            }
        }
        Ladder {
            frame,
            measure,
            evidence,
            coder,
            truth,
            limit: if is_wide { 0xFFF } else { 254 },
            states,
            open,
            found: nothing(),
            lost: nothing(),
            rung: Vec::new(),
            last_rung: Vec::new(),
            ready: Vec::new(),
            ready_later: Vec::new(),
            plies: vec![0; FRAME],
        }
    }

    /// The plies in which White wins, for each cell; zero where it does not.
    pub fn climb(mut self) -> Vec<u16> {
        let step = match self.measure {
            Measure::Mate => 2,
            Measure::Zeroing(_) => 1,
        };
        self.start();
        let mut plies = 1;
        while plies <= self.limit && self.goes_on(plies) {
            self.follow(plies);
            self.tell(plies);
            self.find_lost(plies);
            plies += step;
        }
        self.plies
    }

    /// Whether there is another rung.
    fn goes_on(&mut self, plies: u16) -> bool {
        let is_open = self.open.0.iter().any(|lone| lone.any());
        if !is_open || matches!(self.measure, Measure::Zeroing(_)) {
            return is_open;
        }
        let goes_on = Point::all().any(|walker| {
            let is_won = |lone: Point| self.truth.wins_in(walker, lone) >= plies;
            self.open[walker].into_iter().any(is_won)
        });
        let context = 1024 + usize::from(plies.min(255)) * 2 + usize::from(self.ready.is_empty());
        self.evidence.code_plain(self.coder, context, goes_on)
    }

    /// What is known before anything is told: mates, and forced captures.
    fn start(&mut self) {
        for walker in Point::all().filter(|&walker| self.frame.white[walker].any()) {
            for lone in Bitboard::ALL {
                if !self.frame.can_stand(walker, lone) || self.frame.replies(walker, lone).any() {
                    continue;
                }
                let has_captures = self.frame.captures(walker, lone).any();
                match self.measure {
                    Measure::Mate => {
                        if !has_captures && self.frame.danger[walker].contains(lone) {
                            self.ready.push((walker, lone));
                        }
                    }
                    Measure::Zeroing(_) => {
                        if has_captures && self.captures_lose(walker, lone, 1) {
                            self.ready_later.push((walker, lone));
                        }
                    }
                }
            }
        }
        if let Measure::Zeroing(dtm) = self.measure {
            for walker in Point::all() {
                for lone in self.open[walker] {
                    if dtm.get(cell_of(walker, lone)) == 2 {
                        self.find(walker, lone, 1, IMPLIED);
                    }
                }
            }
        }
    }

    /// Notes a distance.
    #[inline]
    fn find(&mut self, walker: Point, lone: Point, plies: u16, state: u8) {
        self.open[walker] ^= lone.bit();
        self.found[walker] |= lone.bit();
        self.states[place_of(walker, lone)] = state;
        self.plies[cell_of(walker, lone)] = plies;
        self.rung.push((walker, lone));
    }

    /// All from which the walker goes to a lost position is won.
    fn follow(&mut self, plies: u16) {
        let ready = std::mem::take(&mut self.ready);
        for &(walker, lone) in &ready {
            for from in self.frame.walks(walker, lone) {
                if self.open[from].contains(lone) {
                    self.find(from, lone, plies, IMPLIED);
                }
            }
        }
        self.ready = ready;
        self.ready.clear();
        std::mem::swap(&mut self.ready, &mut self.ready_later);
    }

    /// Asks of each cell that is left whether it is won on this rung.
    fn tell(&mut self, plies: u16) {
        for walker in Point::all() {
            for lone in self.open[walker] {
                if self.ask(walker, lone, plies) {
                    self.find(walker, lone, plies, TOLD);
                }
            }
        }
    }

    #[inline]
    fn ask(&mut self, walker: Point, lone: Point, plies: u16) -> bool {
        let is_it = self.truth.wins_in(walker, lone) == plies;
        let at = place_of(walker, lone);
        let state = |place: usize| u64::from(self.states[place]);
        let four = |side: usize, square: usize| {
            [state(at - side), state(at + side), state(at - square), state(at + square)]
        };
        let beside = |by: usize| four(by, by * SIDE);
        let aslant = |by: usize| four(by * (SIDE - 1), by * (SIDE + 1));
        let (walks, steps) = (beside(SQUARE), beside(1));
        let near = walks.iter().chain(&steps).filter(|&&it| it > u64::from(OPEN)).count();
        let replies = self.frame.replies(walker, lone).len().min(7);
        let has_captures = self.frame.captures(walker, lone).any();
        let way_out = u64::from(replies << 1) | u64::from(has_captures);
        let left = match self.measure {
            Measure::Mate => 0,
            Measure::Zeroing(dtm) => {
                let mate = u64::from(dtm.get(cell_of(walker, lone)) - 1);
                (mate + 2).saturating_sub(u64::from(plies)).min(15)
            }
        };
        let rung = u64::from(plies.min(63));
        if near == 0 {
            let context = (rung.min(15) << 4 | way_out) as usize + (left.min(3) << 8) as usize;
            return self.evidence.code_plain(self.coder, context, is_it);
        }
        let join = |start: u64, states: &[u64]| states.iter().fold(start, |all, it| all * 6 + it);
        let (walk, step) = (walker.index() as u64, lone.index() as u64);
        let kinds = (walk % 2) * 2 + step % 2;
        let (far_walks, far_steps) = (aslant(SQUARE), aslant(1));
        let contexts: [u64; CONTEXTS] = [
            hash(hash(join(join(0, &walks), &steps[..2]), kinds), left),
            hash(hash(join(join(0, &steps), &walks[..2]), rung), left),
            hash(hash(join(join(0, &walks), &far_walks), walk), left),
            hash(hash(join(join(0, &steps), &far_steps), step), left),
            hash(hash(way_out, rung), left << 8 | near as u64),
            hash(
                hash(join(0, &[walks[0], walks[2], steps[0], steps[2]]), way_out),
                left << 8 | kinds,
            ),
            hash(hash(join(0, &[walks[1], walks[3], steps[1], steps[3]]), walk), left << 8 | rung),
        ];
        self.evidence.code(self.coder, &contexts, near * 16 + plies.min(15) as usize, is_it)
    }

    /// Finds the positions of Black's that are lost now that this rung is told.
    fn find_lost(&mut self, plies: u16) {
        let mut rung = std::mem::take(&mut self.rung);
        let changed: &mut PerPoint<Bitboard> = &mut PerPoint([Bitboard::EMPTY; Point::COUNT]);
        for &(walker, lone) in &rung {
            changed[walker] |= king_steps(lone);
        }
        for walker in Point::all() {
            for lone in changed[walker] & !self.lost[walker] {
                let left = self.frame.replies(walker, lone) & !self.found[walker];
                if left.any() || !self.frame.can_stand(walker, lone) {
                    continue;
                }
                self.lost[walker] |= lone.bit();
                let has_captures = self.frame.captures(walker, lone).any();
                let is_lost = match self.measure {
                    Measure::Mate => !has_captures,
                    Measure::Zeroing(_) => {
                        !has_captures || self.captures_lose(walker, lone, plies + 1)
                    }
                };
                if is_lost {
                    match self.measure {
                        Measure::Mate => self.ready.push((walker, lone)),
                        // The next rung is that of Black's reply.
                        Measure::Zeroing(_) => self.ready_later.push((walker, lone)),
                    }
                }
            }
        }
        for (walker, lone) in self.last_rung.drain(..) {
            self.states[place_of(walker, lone)] = EARLIER;
        }
        for &(walker, lone) in &rung {
            self.states[place_of(walker, lone)] = LAST_RUNG;
        }
        std::mem::swap(&mut self.last_rung, &mut rung);
        self.rung = rung;
    }

    fn captures_lose(&mut self, walker: Point, lone: Point, plies: u16) -> bool {
        let lose = self.truth.loses_in(walker, lone) == Some(plies);
        let context = 1536
            + usize::from(plies.min(31)) * 8
            + self.frame.captures(walker, lone).len().min(3) as usize * 2
            + usize::from(self.frame.danger[walker].contains(lone));
        self.evidence.code_plain(self.coder, context, lose)
    }
}

/// The number of a cell in its frame.
#[inline]
pub fn cell_of(walker: Point, lone: Point) -> usize {
    walker.index() * Point::COUNT + lone.index()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::chesquerque::Layout;
    use crate::packing::frames::Frames;
    use crate::packing::range_coder::RangeDecoder;

    /// Whatever is read, reading ends.
    #[test]
    fn damaged_frames_end() {
        let layout = Layout::new("KQBvK".parse().expect("a material"));
        let frames = Frames::of(&layout).expect("a lone king");
        let frame = frames.frame(&layout, 77).expect("a frame");
        for noise in [&[][..], &[0xFF; 3000], &[0x5A; 100]] {
            for is_wide in [false, true] {
                let mut evidence = Evidence::new();
                let mut decoder = RangeDecoder::new(noise);
                let ladder = Ladder::new(
                    &frame,
                    Measure::Mate,
                    &mut evidence,
                    &mut decoder,
                    &Unknown,
                    is_wide,
                );
                let most = if is_wide { 0xFFF } else { 254 };
                assert!(ladder.climb().into_iter().all(|plies| plies <= most));
            }
        }
    }
}
