//! Numbers positions by the men that each rank holds.
//!
//! A step along a rank keeps the number of men on every rank. Every other move changes it for good:
//! a step forward advances a man, a jump removes one. So the positions of one rank profile reach
//! each other only by steps along ranks, and all other moves lead to profiles that were solved
//! before.
//!
//! Positions are numbered as the side to move sees them, and only one of each mirrored pair.

use std::cmp::Ordering;
use std::sync::LazyLock;

use qirkat_game::Rules;
use qirkat_rules::alquerque::{Position, State};

use super::material::MenMaterial;
use crate::value::Cell;

const FILES: u32 = 5;
const RANKS: usize = 5;
const POINTS: u32 = 25;
const RANK: u32 = (1 << FILES) - 1;
const ALL: u32 = (1 << POINTS) - 1;
const FIRST_RANK: u32 = RANK;
const LAST_RANK: u32 = RANK << (POINTS - FILES);
const FIRST_FILE: u32 = 0b00001_00001_00001_00001_00001;
const LAST_FILE: u32 = FIRST_FILE << (FILES - 1);
/// Bits of a forbidden step in a [`State`].
const STEP_BITS: u32 = 6;
/// The pairs of both sides' numbers of men on a rank: (5 + 1)(5 + 2) / 2.
const CLASSES: usize = 21;
/// One more than the largest [`Profile::number`].
pub const PROFILES: usize = CLASSES.pow(RANKS as u32);

/// A position as the side to move sees it, with its men moving up the board, or its mirror image,
/// whichever is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    board: Board,
    /// The step forbidden to the side to move, as in a [`State`]; 0 where it has to jump.
    own_step: u32,
    other_step: u32,
}

impl View {
    pub fn of(position: &Position) -> View {
        let State(bits) = position.state();
        let field = |at: u32, bits_of_it: u32| (bits >> at) as u32 & ((1 << bits_of_it) - 1);
        let men = [field(0, POINTS), field(POINTS, POINTS)];
        let steps = [2 * POINTS, 2 * POINTS + STEP_BITS].map(|at| field(at, STEP_BITS));
        let us = position.side_to_move().index();
        let turned = us == 1;
        let [own, other] = [men[us], men[1 - us]].map(|men| if turned { turn(men) } else { men });
        let [own_step, other_step] =
            [steps[us], steps[1 - us]].map(|step| if turned { turned_step(step) } else { step });
        // A state holds a step only if the board allows it, but even where the side has to jump.
        let own_step = if own_step != 0 && position.can_jump() { 0 } else { own_step };
        let board = Board { own, other };
        if board.is_canonical() {
            return View { board, own_step, other_step };
        }
        let [own_step, other_step] = [own_step, other_step].map(mirrored_step);
        View { board: board.mirrored(), own_step, other_step }
    }

    pub fn profile_number(&self) -> usize {
        profile_number(|rank| {
            let (own, other) = self.board.rank(rank);
            usize::from(RANK_NUMBERS.classes[own][other])
        })
    }

    pub fn board_number(&self) -> usize {
        self.board.number()
    }

    pub fn steps_number(&self) -> usize {
        let [own, other] = self.board.sideways();
        own.index_of(self.own_step) * other.count() + other.index_of(self.other_step)
    }
}

/// Turns the board by 180 degrees, which keeps its lines.
fn turn(men: u32) -> u32 {
    men.reverse_bits() >> (u32::BITS - POINTS)
}

fn turned_step(step: u32) -> u32 {
    if step == 0 { 0 } else { 2 * POINTS + 1 - step }
}

/// Mirrors the files, which keeps the lines too.
fn mirror(men: u32) -> u32 {
    let middle = men & FIRST_FILE << 2;
    middle
        | (men & FIRST_FILE) << 4
        | (men & FIRST_FILE << 1) << 2
        | men >> 2 & FIRST_FILE << 1
        | men >> 4 & FIRST_FILE
}

fn mirrored_step(step: u32) -> u32 {
    if step == 0 {
        return 0;
    }
    let (point, to_east) = ((step - 1) / 2, (step - 1) % 2);
    let mirrored = point / FILES * FILES + (FILES - 1 - point % FILES);
    1 + 2 * mirrored + (1 - to_east)
}

/// The men that could step along their rank, whose steps can be forbidden.
pub struct Sideways {
    west: u32,
    east: u32,
}

impl Sideways {
    fn of(men: u32, occupied: u32) -> Sideways {
        let empty = ALL & !occupied;
        Sideways {
            west: men & ((empty & !LAST_FILE) << 1),
            east: men & ((empty & !FIRST_FILE) >> 1),
        }
    }

    /// The number of steps, plus one for none.
    pub fn count(&self) -> usize {
        (1 + self.west.count_ones() + self.east.count_ones()) as usize
    }

    /// The index of a step among them; none is 0.
    pub fn index_of(&self, step: u32) -> usize {
        if step == 0 {
            return 0;
        }
        let below = (1 << ((step - 1) / 2)) - 1;
        let before = if step % 2 == 1 {
            (self.west & below).count_ones()
        } else {
            self.west.count_ones() + (self.east & below).count_ones()
        };
        (1 + before) as usize
    }

    pub fn all(&self) -> impl Iterator<Item = u32> + Clone + use<> {
        let [west, east] = [self.west, self.east]
            .map(|men| (0..POINTS).filter(move |point| men >> point & 1 != 0));
        std::iter::once(0).chain(west.map(|at| 2 * at + 1)).chain(east.map(|at| 2 * at + 2))
    }
}

/// The men of the side to move and of the opponent on each rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Profile([(usize, usize); RANKS]);

impl Profile {
    /// All profiles of this material, with either side to move, sorted by [`number`](Self::number).
    pub fn all(material: MenMaterial) -> Vec<Profile> {
        let mut begun = vec![(Profile([(0, 0); RANKS]), material.men())];
        for rank in 0..RANKS {
            let mut longer = Vec::new();
            for (profile, left) in begun {
                for own in 0..=left.min(FILES as usize) {
                    for other in 0..=(left - own).min(FILES as usize - own) {
                        let left = left - own - other;
                        // The remaining ranks must have room for the rest.
                        if left <= FILES as usize * (RANKS - 1 - rank) {
                            let mut next = profile;
                            next.0[rank] = (own, other);
                            longer.push((next, left));
                        }
                    }
                }
            }
            begun = longer;
        }
        let whole = begun.into_iter().filter(|&(_, left)| left == 0).map(|(profile, _)| profile);
        whole.filter(|profile| MenMaterial::new(profile.men()) == Some(material)).collect()
    }

    /// All profiles in groups. Steps along ranks lead from a profile to its
    /// [`turned`](Self::turned) one and back; both form a group.
    pub fn groups(material: MenMaterial) -> Vec<Vec<Profile>> {
        let group = |profile: Profile| {
            let turned = profile.turned();
            match profile.number().cmp(&turned.number()) {
                Ordering::Less => Some(vec![profile, turned]),
                Ordering::Equal => Some(vec![profile]),
                Ordering::Greater => None,
            }
        };
        Profile::all(material).into_iter().filter_map(group).collect()
    }

    /// The men of the side to move and of the opponent.
    pub fn men(&self) -> [usize; 2] {
        self.0.iter().fold([0, 0], |[own, other], rank| [own + rank.0, other + rank.1])
    }

    pub fn turned(&self) -> Profile {
        Profile(std::array::from_fn(|rank| {
            let (own, other) = self.0[RANKS - 1 - rank];
            (other, own)
        }))
    }

    /// The number of ranks that all men together have advanced.
    pub fn advancement(&self) -> usize {
        let ranks = self.0.iter().enumerate();
        ranks.map(|(rank, (own, other))| own * rank + other * (RANKS - 1 - rank)).sum()
    }

    pub fn number(&self) -> usize {
        profile_number(|rank| class(self.0[rank].0, self.0[rank].1))
    }

    /// The number of boards, including mirror images that are not stored.
    pub fn boards(&self) -> usize {
        self.arrangements().into_iter().product()
    }

    /// The number of arrangements of the men on each rank.
    pub fn arrangements(&self) -> [usize; RANKS] {
        self.0.map(|(own, other)| RANK_NUMBERS.arrangements[class(own, other)].len())
    }

    pub fn board(&self, number: usize) -> Board {
        let mut board = Board { own: 0, other: 0 };
        let mut rest = number;
        for (rank, &(own, other)) in self.0.iter().enumerate().rev() {
            let arrangements = &RANK_NUMBERS.arrangements[class(own, other)];
            let (own, other) = arrangements[rest % arrangements.len()];
            rest /= arrangements.len();
            board.own |= u32::from(own) << (rank as u32 * FILES);
            board.other |= u32::from(other) << (rank as u32 * FILES);
        }
        board
    }

    /// The positions of all boards that are stored, in the order of [`BoardDistances`].
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let boards = (0..self.boards()).map(|number| self.board(number));
        boards.filter(|board| board.is_canonical()).flat_map(Board::positions)
    }
}

/// The men of a position with White to move, without forbidden steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    /// The men of the side to move, 25 bits along the ranks.
    own: u32,
    other: u32,
}

impl Board {
    /// Whether positions are stored for this board rather than for its mirror image.
    pub fn is_canonical(self) -> bool {
        let mirrored = self.mirrored();
        (self.own, self.other) <= (mirrored.own, mirrored.other)
    }

    /// The number of boards it represents: itself and its mirror image.
    pub fn weight(self) -> u64 {
        if self == self.mirrored() { 1 } else { 2 }
    }

    pub fn mirrored(self) -> Board {
        Board { own: mirror(self.own), other: mirror(self.other) }
    }

    /// The same men with the other side to move, as that side sees them.
    pub fn turned(self) -> Board {
        Board { own: turn(self.other), other: turn(self.own) }
    }

    pub fn number(self) -> usize {
        (0..RANKS).fold(0, |number, rank| {
            let (own, other) = self.rank(rank);
            let class = usize::from(RANK_NUMBERS.classes[own][other]);
            number * RANK_NUMBERS.arrangements[class].len()
                + usize::from(RANK_NUMBERS.indices[own][other])
        })
    }

    /// The steps that can be forbidden to the side to move, unless it has to jump, and to the
    /// opponent.
    pub fn sideways(self) -> [Sideways; 2] {
        let occupied = self.own | self.other;
        [(self.own, LAST_RANK), (self.other, FIRST_RANK)]
            .map(|(men, last)| Sideways::of(men & !last, occupied))
    }

    /// The choices of the forbidden step for the side to move and for the opponent, none included.
    pub fn step_choices(self) -> [usize; 2] {
        let [own, other] = self.sideways().map(|side| side.count());
        // Where it has to jump, no step is legal anyway.
        [if self.has_to_jump() { 1 } else { own }, other]
    }

    pub fn has_to_jump(self) -> bool {
        self.position(0, 0).is_some_and(|position| position.can_jump())
    }

    /// How many men of the side to move, and of the opponent, could step forward along a file.
    pub fn forward_steps(self) -> [u32; 2] {
        let empty = ALL & !(self.own | self.other);
        [(self.own << FILES & empty), (self.other >> FILES & empty)].map(u32::count_ones)
    }

    /// The position on this board with White to move; none if a step is impossible.
    pub fn position(self, own_step: u32, other_step: u32) -> Option<Position> {
        let men = u64::from(self.own) | u64::from(self.other) << POINTS;
        let steps = u64::from(own_step) | u64::from(other_step) << STEP_BITS;
        State(men | steps << (2 * POINTS)).position()
    }

    /// The positions on this board with White to move, by the numbers of their forbidden steps.
    pub fn positions(self) -> impl Iterator<Item = Position> {
        let [own, other] = self.sideways().map(|side| side.all());
        let own = own.take(self.step_choices()[0]);
        own.flat_map(move |own| other.clone().map(move |other| (own, other)))
            .filter_map(move |(own, other)| self.position(own, other))
    }

    fn rank(self, rank: usize) -> (usize, usize) {
        let at = rank as u32 * FILES;
        ((self.own >> at & RANK) as usize, (self.other >> at & RANK) as usize)
    }
}

/// The arrangements of both sides' men on a rank.
struct RankNumbers {
    /// The class of a rank, by the men of each side on it.
    classes: [[u8; 1 << FILES]; 1 << FILES],
    /// Its index among the arrangements of its class.
    indices: [[u8; 1 << FILES]; 1 << FILES],
    arrangements: Vec<Vec<(u8, u8)>>,
}

static RANK_NUMBERS: LazyLock<RankNumbers> = LazyLock::new(|| {
    let mut numbers = RankNumbers {
        classes: [[0; 1 << FILES]; 1 << FILES],
        indices: [[0; 1 << FILES]; 1 << FILES],
        arrangements: vec![Vec::new(); CLASSES],
    };
    for own in 0..1_u8 << FILES {
        for other in (0..1 << FILES).filter(|other| own & other == 0) {
            let class = class(own.count_ones() as usize, other.count_ones() as usize);
            let arrangements = &mut numbers.arrangements[class];
            numbers.classes[usize::from(own)][usize::from(other)] = class as u8;
            numbers.indices[usize::from(own)][usize::from(other)] = arrangements.len() as u8;
            arrangements.push((own, other));
        }
    }
    numbers
});

/// The number of a profile by the class of each rank.
fn profile_number(class: impl Fn(usize) -> usize) -> usize {
    (0..RANKS).fold(0, |number, rank| number * CLASSES + class(rank))
}

/// A number for each pair whose sum is at most [`FILES`].
fn class(own: usize, other: usize) -> usize {
    own * (2 * FILES as usize + 3 - own) / 2 + other
}

/// The distance of a draw.
pub const DRAWN: u8 = u8::MAX;

/// The result that a distance encodes. Odd ones are wins for the side to move.
pub const fn cell_of(distance: u8) -> Cell {
    match distance {
        DRAWN => Cell::DRAW,
        plies if plies % 2 == 1 => Cell::win(plies as u16),
        plies => Cell::loss(plies as u16),
    }
}

/// The distance if a side has no men left: 0 (lost) if it is to move; otherwise 1 (won), or 0 if
/// the side to move cannot move.
pub fn distance_without_men(position: &Position) -> Option<u8> {
    let side = position.side_to_move();
    if position.men(side).is_empty() {
        Some(0)
    } else if position.men(!side).is_empty() {
        Some(u8::from(position.has_legal_moves()))
    } else {
        None
    }
}

/// The distances of consecutive boards of a rank profile, each with its positions by the numbers of
/// their forbidden steps.
#[derive(PartialEq, Eq, Debug)]
pub struct BoardDistances {
    first: usize,
    /// The offset of each board's positions. A board that is not stored has none.
    starts: Vec<u32>,
    /// The plies to the end of each position, or [`DRAWN`].
    pub distances: Vec<u8>,
}

impl BoardDistances {
    /// The positions of these boards, all drawn. `u32` offsets suffice for a profile of ten men.
    pub fn new(profile: &Profile, boards: std::ops::Range<usize>) -> BoardDistances {
        let first = boards.start;
        let mut count = 0;
        let starts = boards.map(|number| {
            let start = count;
            let board = profile.board(number);
            if board.is_canonical() {
                count += board.step_choices().into_iter().product::<usize>() as u32;
            }
            start
        });
        let starts = starts.collect();
        BoardDistances { first, starts, distances: vec![DRAWN; count as usize] }
    }

    pub fn start(&self, board: usize) -> usize {
        self.starts.get(board.wrapping_sub(self.first)).map_or(usize::MAX, |&start| start as usize)
    }

    #[inline]
    pub fn index_of(&self, view: &View) -> usize {
        self.start(view.board_number()).saturating_add(view.steps_number())
    }

    #[inline]
    pub fn distance(&self, view: &View) -> u8 {
        self.distances.get(self.index_of(view)).copied().unwrap_or(DRAWN)
    }

    /// The distance of a stored board without forbidden steps.
    pub fn of_board(&self, board: Board) -> u8 {
        self.distances.get(self.start(board.number())).copied().unwrap_or(DRAWN)
    }

    pub fn part(&self, boards: &std::ops::Range<usize>) -> &[u8] {
        let all = self.distances.len();
        let [start, end] = [boards.start, boards.end].map(|board| self.start(board).min(all));
        &self.distances[start..end]
    }

    pub fn bytes(&self) -> usize {
        self.starts.len() * size_of::<u32>() + self.distances.len()
    }
}
