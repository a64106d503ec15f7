//! Distances guessed from those of neighbours, and written as what surprises.
//!
//! Cells of a block come one after another. Those that are known by now and differ from a
//! cell by a step of one piece, and the best capture, are its *witnesses*. Each names a
//! distance, and the one that most name is asked for first: is it that? If not, the next,
//! and so for three. How likely a yes is, is learned from who agrees with whom, from what
//! attacks what ([`Outlook`]) and from where the pieces stand ([`Evidence`]). What nobody
//! has named is told by its difference from the first guess.

use arrayvec::ArrayVec;

use super::evidence::{CONTEXTS, Evidence, hash};
use super::grids::GRID;
use super::outlook::Outlook;
use super::range_coder::BinaryCoder;
use crate::chesquerque::Point;

/// No distance.
pub(super) const NONE: u16 = u16::MAX;
/// Distances to mate are not more.
const MOST: u16 = 1 << 12;
/// Bits of a distance to zeroing that nobody has named.
const ZEROING_BITS: u32 = 10;
const SIDE: usize = Point::FILES as usize;
const ROW: usize = Point::COUNT;

/// Cells to be witnesses, nearest first: a file or a rank further for the piece that goes
/// first, for the other, slantwise for both, then in the layer below.
const WITNESSES: usize = 9;
const BESIDE: usize = 0;
const BELOW: usize = 1;
const FIRST_BESIDE: usize = 2;
const FIRST_BELOW: usize = 3;
const SLANT_LEFT: usize = 4;
const SLANT_RIGHT: usize = 5;
const FIRST_SLANT_LEFT: usize = 6;
const FIRST_SLANT_RIGHT: usize = 7;
const LAYER: usize = 8;
/// How much a distance to mate counts that a witness names.
const VOTES: [u32; WITNESSES] = [5, 4, 5, 4, 2, 2, 2, 2, 2];
/// How much that of the best capture counts.
const CAPTURE_VOTES: u32 = 6;
/// How many distances are asked for.
const GUESSES: usize = 3;

/// For each point, how far back those lie that come before: a file, a rank, and slantwise;
/// zero beyond the board.
static BACK: [[u8; 4]; Point::COUNT] = {
    let mut back = [[0; 4]; Point::COUNT];
    let mut point = 0;
    while point < Point::COUNT {
        let (has_left, has_right) = (point % SIDE > 0, point % SIDE + 1 < SIDE);
        let has_below = point >= SIDE;
        if has_left {
            back[point][0] = 1;
        }
        if has_below {
            back[point][1] = SIDE as u8;
        }
        if has_below && has_left {
            back[point][2] = SIDE as u8 + 1;
        }
        if has_below && has_right {
            back[point][3] = SIDE as u8 - 1;
        }
        point += 1;
    }
    back
};

/// How far back the witnesses of a cell are; zero where there is none.
#[inline]
fn distances(cell: usize) -> [usize; WITNESSES] {
    let [beside, below, left, right] = BACK[cell % ROW].map(usize::from);
    let first = BACK[cell % GRID / ROW].map(|by| usize::from(by) * ROW);
    let [first_beside, first_below, first_left, first_right] = first;
    let layer = if cell >= GRID { GRID } else { 0 };
    [beside, below, first_beside, first_below, left, right, first_left, first_right, layer]
}

/// Distances that are named, with how much each counts.
#[derive(Default)]
struct Votes(ArrayVec<(u16, u32), { WITNESSES + 2 }>);

impl Votes {
    #[inline]
    fn add(&mut self, distance: u16, votes: u32) {
        if let Some(known) = self.0.iter_mut().find(|known| known.0 == distance) {
            known.1 += votes;
        } else if !self.0.is_full() {
            self.0.push((distance, votes));
        }
    }

    /// The most named of those from a place on, brought there.
    #[inline]
    fn best_from(&mut self, place: usize) -> Option<(u16, u32)> {
        let mut best = place;
        for at in place..self.0.len() {
            if self.0[at].1 > self.0[best].1 {
                best = at;
            }
        }
        if best < self.0.len() {
            self.0.swap(place, best);
        }
        self.0.get(place).copied()
    }
}

/// Draw, win or loss, as the parity of the number says.
#[inline]
const fn class(number: u16) -> u16 {
    match number {
        0 => 0,
        number if number % 2 == 0 => 1,
        _ => 2,
    }
}

/// How a distance differs from a guess.
#[inline]
fn relation(number: u16, guess: u16) -> u64 {
    if number == NONE {
        return 9;
    }
    match (class(number), class(guess)) {
        (is, should) if is == should => {
            ((i32::from(number) - i32::from(guess)) / 2).clamp(-3, 3) as u64 & 7
        }
        (0, _) => 8,
        (1, _) => 10,
        _ => 11,
    }
}

/// Contexts that are seen alone, apart from those of distances to zeroing.
const SAME_CLASS: usize = 0;
const OTHER_CLASS: usize = 16;
const SIGN: usize = 32;
const LENGTH: usize = 64;
const DIGITS: usize = 256;
const TREE: usize = 1024;

/// Reads or writes the distances of a block.
pub(super) struct Neighbours<'a, C> {
    evidence: &'a mut Evidence,
    coder: &'a mut C,
    /// What is known by now.
    numbers: Vec<u16>,
}

impl<'a, C: BinaryCoder> Neighbours<'a, C> {
    /// Nothing is known of so many cells.
    pub fn new(cells: usize, evidence: &'a mut Evidence, coder: &'a mut C) -> Self {
        Neighbours { evidence, coder, numbers: vec![NONE; cells] }
    }

    /// These are known, but for [`NONE`].
    pub fn with(numbers: Vec<u16>, evidence: &'a mut Evidence, coder: &'a mut C) -> Self {
        Neighbours { evidence, coder, numbers }
    }

    /// Whether a cell is known.
    pub fn knows(&self, cell: usize) -> bool {
        self.numbers.get(cell).is_some_and(|&number| number != NONE)
    }

    /// What is known.
    pub fn into_numbers(self) -> Vec<u16> {
        self.numbers
    }

    #[inline]
    fn near(&self, cell: usize) -> [u16; WITNESSES] {
        let mut near = [NONE; WITNESSES];
        for (near, by) in near.iter_mut().zip(distances(cell)) {
            if by > 0 {
                *near = self.numbers[cell - by];
            }
        }
        near
    }

    /// The number for the distance to mate of a cell: what was written, or, while writing,
    /// the one that is handed in.
    pub fn mate(&mut self, cell: usize, outlook: &Outlook, number: u16) -> u16 {
        self.mate_in(cell, outlook, number, |_| true)
    }

    /// The same where it is known that it is no win.
    pub fn not_won(&mut self, cell: usize, outlook: &Outlook, number: u16) -> u16 {
        self.mate_in(cell, outlook, number, |named| class(named) != 1)
    }

    #[inline]
    fn mate_in(
        &mut self,
        cell: usize,
        outlook: &Outlook,
        number: u16,
        can_be: impl Fn(u16) -> bool,
    ) -> u16 {
        let near = self.near(cell);
        let capture = outlook.capture.map_or(NONE, |[dtm, _]| dtm);
        let mut votes = Votes::default();
        for (&named, count) in near.iter().zip(VOTES) {
            if named != NONE && can_be(named) {
                votes.add(named, count);
            }
        }
        if capture != NONE && can_be(capture) {
            votes.add(capture, CAPTURE_VOTES);
        }
        if votes.0.is_empty() {
            votes.add(0, 1);
        }
        let threats = u64::from(outlook.threats);
        let (minor, major) = (cell % ROW, cell % GRID / ROW);
        let kinds = (minor % 2 * 2 + major % 2) as u64;
        let mut asked = 0;
        while asked < GUESSES
            && let Some((guess, count)) = votes.best_from(asked)
        {
            let relations = near.map(|named| relation(named, guess));
            let of_capture = relation(capture, guess);
            let join = |places: &[usize]| {
                places.iter().fold(asked as u64, |all, &at| all * 12 + relations[at])
            };
            let (kind, guessed) = (u64::from(class(guess)), u64::from(guess));
            let has_capture = u64::from(capture != NONE);
            let contexts: [u64; CONTEXTS] = [
                hash(join(&[BESIDE, BELOW, FIRST_BESIDE, FIRST_BELOW]), has_capture << 2 | kinds),
                hash(join(&[BESIDE, BELOW, FIRST_BESIDE]), guessed),
                hash(join(&[FIRST_BESIDE, FIRST_BELOW, LAYER]), guessed),
                hash(join(&[BESIDE, FIRST_BESIDE]) * 12 + of_capture, threats),
                hash(join(&[LAYER, BESIDE, FIRST_BESIDE]) * 12 + of_capture, kind),
                hash(
                    join(&[SLANT_LEFT, SLANT_RIGHT, FIRST_SLANT_LEFT, FIRST_SLANT_RIGHT]),
                    threats,
                ),
                hash(join(&[LAYER]) * 128 + minor as u64, kind << 8 | major as u64),
            ];
            let agreeing = relations[..4].iter().filter(|&&it| it == 0).count()
                + usize::from(of_capture == 0)
                + usize::from(relations[LAYER] == 0);
            let set = (asked * 7 + agreeing) * 6 + (count.min(23) / 4) as usize;
            let is_it = self.evidence.code(self.coder, &contexts, set, number == guess);
            asked += 1;
            if is_it {
                return self.note(cell, guess);
            }
        }
        let number = self.tell(&votes, asked, number);
        self.note(cell, number)
    }

    fn note(&mut self, cell: usize, number: u16) -> u16 {
        if let Some(place) = self.numbers.get_mut(cell) {
            *place = number;
        }
        number
    }

    /// The number, which is none of those that were asked for.
    fn tell(&mut self, votes: &Votes, asked: usize, number: u16) -> u16 {
        let first = votes.0.first().map_or(0, |vote| vote.0);
        let first_class = class(first);
        let seen = usize::from(first_class) * 4 + asked;
        let others = match first_class {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        };
        let is_same =
            first_class != 0 && self.plain(SAME_CLASS + seen, class(number) == first_class);
        let told_class = match is_same {
            true => first_class,
            false if self.plain(OTHER_CLASS + seen, class(number) == others[0]) => others[0],
            false => others[1],
        };
        if told_class == 0 {
            return 0;
        }
        const USUAL: u16 = 20;
        let base = votes.0.iter().map(|vote| vote.0).find(|&named| class(named) == told_class);
        let base = base.unwrap_or(USUAL + told_class - 1);
        let seen = usize::from(is_same);
        let is_less = self.plain(SIGN + seen * 4 + usize::from(told_class), number < base);
        let seen = seen * 2 + usize::from(is_less);
        let steps = self.steps(seen, base.abs_diff(number) / 2) * 2;
        let told = if is_less { base.saturating_sub(steps) } else { base + steps };
        // Damaged bytes may lead anywhere.
        if told_class == 1 { told.clamp(2, MOST) } else { told.clamp(1, MOST - 1) }
    }

    /// How many steps it is, by their length in bits, then the bits (P. Elias, 1975).
    fn steps(&mut self, seen: usize, steps: u16) -> u16 {
        let steps = steps + 1;
        let written = steps.ilog2();
        let mut length = 0;
        while length < MOST.ilog2()
            && !self.plain(LENGTH + seen * 16 + length as usize, length == written)
        {
            length += 1;
        }
        let mut told = 1;
        for bit in (0..length).rev() {
            let context = DIGITS + (seen * 16 + length as usize) * 12 + bit as usize;
            told = told << 1 | u16::from(self.plain(context, steps >> bit & 1 != 0));
        }
        told - 1
    }

    fn plain(&mut self, context: usize, yes: bool) -> bool {
        self.evidence.code_plain(self.coder, context, yes)
    }

    /// The distance to zeroing of a cell, of which that to mate is known, as of all others.
    pub fn zeroing(
        &mut self,
        cell: usize,
        outlook: &Outlook,
        dtm: impl Fn(usize) -> u16,
        plies: u16,
    ) -> u16 {
        let number = dtm(cell);
        let mate = number.saturating_sub(1);
        let captures_now = outlook.capture.is_some_and(|[dtm, dtz]| class(dtm) == 1 && dtz == 1);
        if class(number) == 1 && (captures_now || mate == 1) {
            return self.note(cell, 1);
        }
        let distances = distances(cell);
        // The distances of each witness to zeroing and to mate, if they end alike.
        let near = self.near(cell);
        let near: [(u16, u16); WITNESSES] = std::array::from_fn(|at| {
            let is_known = near[at] != NONE;
            let number_there = if is_known { dtm(cell - distances[at]) } else { 0 };
            let is_alike = is_known && class(number_there) == class(number);
            if is_alike { (near[at], number_there - 1) } else { (NONE, 0) }
        });
        let mut votes = Votes::default();
        for (&(zeroing, mate_there), count) in near.iter().zip(VOTES) {
            match zeroing {
                NONE => (),
                _ if zeroing == mate_there => votes.add(mate, 2 * count + 1),
                _ if zeroing > mate => (),
                _ if mate_there == mate => votes.add(zeroing, 2 * count),
                _ => votes.add(zeroing, count),
            }
        }
        if votes.0.is_empty() {
            votes.add(mate, 1);
        }
        let threats = u64::from(outlook.threats);
        let (minor, major) = (cell % ROW, cell % GRID / ROW);
        let mut asked = 0;
        while asked < GUESSES
            && let Some((guess, count)) = votes.best_from(asked)
        {
            let relations = near.map(|(zeroing, mate_there)| {
                if zeroing == NONE {
                    return 15;
                }
                let by = (i32::from(zeroing) - i32::from(guess)).clamp(-2, 2) + 2;
                let of_mate = (i32::from(mate_there) - i32::from(mate)).signum() + 1;
                (by * 3 + of_mate) as u64
            });
            let join = |places: &[usize]| {
                places.iter().fold(asked as u64, |all, &at| all << 4 | relations[at])
            };
            let left = u64::from(mate.saturating_sub(guess).min(31));
            let both = u64::from(mate) << 10 | u64::from(guess);
            let contexts: [u64; CONTEXTS] = [
                hash(join(&[BESIDE, BELOW, FIRST_BESIDE, FIRST_BELOW]), 1),
                hash(join(&[BESIDE, BELOW]), both),
                hash(join(&[FIRST_BESIDE, FIRST_BELOW]), both),
                hash(join(&[BESIDE, FIRST_BESIDE]), threats << 5 | left),
                hash(join(&[LAYER, SLANT_LEFT, SLANT_RIGHT, FIRST_SLANT_LEFT]), left),
                hash(threats << 2 | asked as u64, both),
                hash(join(&[BESIDE]) << 7 | minor as u64, major as u64),
            ];
            let agreeing = relations[..4].iter().filter(|&&it| it / 3 == 2).count()
                + usize::from(relations[LAYER] / 3 == 2);
            let set = (asked * 7 + agreeing) * 6 + (count.min(23) / 4) as usize;
            let is_it = self.evidence.code(self.coder, &contexts, set, plies == guess);
            asked += 1;
            if is_it {
                return self.note(cell, guess);
            }
        }
        let mut tree = 1;
        for bit in (0..ZEROING_BITS).rev() {
            let yes = self.plain(TREE + tree, plies >> bit & 1 != 0);
            tree = 2 * tree + usize::from(yes);
        }
        self.note(cell, (tree - (1 << ZEROING_BITS)) as u16)
    }
}
