//! The legal move generator, and legality of a single move. Steps and first jumps are found for all
//! men at once. Further jumps are tried one by one, on the board that the previous one leaves.

use std::ops::ControlFlow;

use qirkat_game::{Color, MoveFilter};

use super::chain::Move;
use super::point::{Bitboard, Direction, Point};
use super::position::Position;
use crate::Side;

/// The board from the side to move's view.
#[derive(Clone, Copy)]
struct MoverView {
    own: Bitboard,
    enemy: Bitboard,
    empty: Bitboard,
}

impl MoverView {
    /// The points, occupied or not, from which an enemy man can be jumped over in a direction.
    #[inline]
    fn jump_starts(&self, direction: Direction) -> Bitboard {
        let back = direction.opposite();
        let free_behind = self.enemy & self.empty.shifted(back);
        free_behind.shifted(back) & direction.lines()
    }

    #[inline]
    fn jumpers<S: Side>(&self) -> Bitboard {
        let starts = const { Direction::onward(S::COLOR) }
            .into_iter()
            .map(|direction| self.jump_starts(direction));
        self.own & starts.fold(Bitboard::EMPTY, |all, some| all | some)
    }

    /// The number of chains of jumps.
    ///
    /// Most chains end with their first jump, and those are counted for all men at once. The
    /// changes made by the first jump do not affect the second: its start and the captured man are
    /// straight behind.
    #[inline]
    fn count_jumps<S: Side>(&self) -> u64 {
        let starts = Direction::ALL.map(|direction| self.jump_starts(direction));
        // Unrolled, so that each direction is a constant.
        self.count_jumps_in::<S, 0>(&starts)
            + self.count_jumps_in::<S, 1>(&starts)
            + self.count_jumps_in::<S, 2>(&starts)
            + self.count_jumps_in::<S, 3>(&starts)
            + self.count_jumps_in::<S, 4>(&starts)
    }

    /// The chains that begin in one of the forward or sideways directions.
    #[inline]
    fn count_jumps_in<S: Side, const NUMBER: usize>(
        &self,
        starts: &[Bitboard; Direction::COUNT],
    ) -> u64 {
        let direction = const { Direction::onward(S::COLOR)[NUMBER] };
        let back = const { Direction::onward(S::COLOR)[NUMBER].opposite() };
        let mut continues = Bitboard::EMPTY;
        for next in Direction::ALL {
            if next != back {
                continues |= starts[next.index()];
            }
        }
        let jumpers = self.own & starts[direction.index()];
        let landings = jumpers.shifted(direction).shifted(direction);
        let mut count = u64::from((landings & !continues).len());
        for to in landings & continues {
            let over = to.bit().shifted(back);
            let from = over.shifted(back);
            let man =
                JumpingMan { at: to, enemy: self.enemy ^ over, empty: self.empty | from | over };
            count += man.count_ways();
        }
        count
    }

    #[inline]
    fn step_targets<S: Side>(&self, direction: Direction) -> Bitboard {
        let steppers = self.own & !const { Bitboard::last_rank(S::COLOR) } & direction.lines();
        steppers.shifted(direction) & self.empty
    }

    #[inline]
    fn jumps<S: Side, B>(
        &self,
        jumpers: Bitboard,
        sink: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for from in jumpers {
            let man = JumpingMan { at: from, enemy: self.enemy, empty: self.empty | from.bit() };
            for (over, to) in man.jumps_over(FIRST_JUMPABLE[S::COLOR.index()][from.slot()]) {
                let mv = Move::start(from).with_jump(direction_to(from, over));
                man.after(over, to).continue_jumping(mv, sink)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// A man in the middle of a chain of jumps. It is not on the board itself, and captured men are
/// removed at once.
#[derive(Clone, Copy)]
pub(super) struct JumpingMan {
    pub at: Point,
    pub enemy: Bitboard,
    pub empty: Bitboard,
}

impl JumpingMan {
    /// The jumps over enemies on some points: the point jumped over, and the target.
    #[inline]
    fn jumps_over(self, points: Bitboard) -> impl Iterator<Item = (Point, Point)> {
        let enemies = points & self.enemy;
        let jumps = enemies.into_iter().map(move |over| (over, beyond(self.at, over)));
        jumps.filter(move |&(_, to)| self.empty.contains(to))
    }

    #[inline]
    pub fn next_jumps(self) -> impl Iterator<Item = (Point, Point)> {
        self.jumps_over(JUMPABLE[self.at.slot()])
    }

    #[inline]
    pub fn after(&self, over: Point, to: Point) -> JumpingMan {
        JumpingMan { at: to, enemy: self.enemy ^ over.bit(), empty: self.empty | over.bit() }
    }

    fn count_ways(self) -> u64 {
        let ways = self.next_jumps().map(|(over, to)| self.after(over, to).count_ways());
        ways.sum::<u64>().max(1)
    }

    fn continue_jumping<B>(
        &self,
        mv: Move,
        sink: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut continues = false;
        for (over, to) in self.next_jumps() {
            continues = true;
            let longer = mv.with_jump(direction_to(self.at, over));
            self.after(over, to).continue_jumping(longer, sink)?;
        }
        if continues { ControlFlow::Continue(()) } else { sink(mv) }
    }
}

impl Position {
    #[inline]
    fn view<S: Side>(&self) -> MoverView {
        let own = self.men(S::COLOR);
        let enemy = self.men(!S::COLOR);
        MoverView { own, enemy, empty: !(own | enemy) }
    }

    /// Whether the side to move can jump, and therefore must.
    #[inline]
    pub fn can_jump(&self) -> bool {
        match_side!(self.side_to_move, Own => self.view::<Own>().jumpers::<Own>().any())
    }

    /// Calls `sink` with each legal jump until it breaks.
    #[inline]
    pub(super) fn try_for_each_jump<B>(
        &self,
        sink: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match_side!(self.side_to_move, Own => {
            let view = self.view::<Own>();
            view.jumps::<Own, B>(view.jumpers::<Own>(), sink)
        })
    }

    #[inline]
    pub(super) fn generate<S: Side>(&self, filter: MoveFilter, sink: &mut impl FnMut(Move)) {
        let view = self.view::<S>();
        let jumpers = view.jumpers::<S>();
        if jumpers.is_empty() {
            if filter != MoveFilter::Noisy {
                self.steps::<S>(&view, sink);
            }
        } else if filter != MoveFilter::Quiet {
            let _: ControlFlow<()> = view.jumps::<S, _>(jumpers, &mut |mv| {
                sink(mv);
                ControlFlow::Continue(())
            });
        }
    }

    /// Calls `sink` with the steps, if no jump is compulsory.
    #[inline]
    fn steps<S: Side>(&self, view: &MoverView, sink: &mut impl FnMut(Move)) {
        let forbidden = self.forbidden_step(S::COLOR).map(|step| step.as_move());
        for direction in const { Direction::onward(S::COLOR) } {
            for to in view.step_targets::<S>(direction) {
                let from = Point::at_bit(to.bit_index().wrapping_add_signed(-direction.delta()));
                let mv = Move::step(from, direction);
                if Some(mv) != forbidden {
                    sink(mv);
                }
            }
        }
    }

    #[inline]
    pub(super) fn count<S: Side>(&self) -> u64 {
        let view = self.view::<S>();
        if view.jumpers::<S>().any() {
            return view.count_jumps::<S>();
        }
        let steps = const { Direction::onward(S::COLOR) }
            .map(|direction| view.step_targets::<S>(direction).len());
        // The forbidden step is otherwise legal, so it was counted.
        let forbidden = u32::from(self.forbidden_step(S::COLOR).is_some());
        u64::from(steps.into_iter().sum::<u32>() - forbidden)
    }

    pub(super) fn step_is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        self.empty().contains(mv.to())
            && mv.first_direction().lines().contains(mv.from())
            && !Bitboard::last_rank(us).contains(mv.from())
            && self.forbidden_step(us).map(|step| step.as_move()) != Some(mv)
            && !self.can_jump()
    }

    pub(super) fn jumps_are_legal(&self, mv: Move) -> bool {
        let from = mv.from();
        let enemy = self.men(!self.side_to_move);
        let mut man = JumpingMan { at: from, enemy, empty: self.empty() | from.bit() };
        for (over, to) in mv.jump_legs() {
            if !(JUMPABLE[man.at.slot()] & man.enemy).contains(over) || !man.empty.contains(to) {
                return false;
            }
            man = man.after(over, to);
        }
        man.next_jumps().next().is_none()
    }

    #[inline]
    pub(super) fn has_moves<S: Side>(&self) -> bool {
        let view = self.view::<S>();
        let forbidden = self.forbidden_step(S::COLOR);
        let allowed = |direction: Direction| {
            let targets = view.step_targets::<S>(direction);
            match forbidden {
                Some(step) if step.direction() == direction => targets & !step.to().bit(),
                _ => targets,
            }
        };
        const { Direction::onward(S::COLOR) }.into_iter().any(|direction| allowed(direction).any())
            || view.jumpers::<S>().any()
    }
}

type Sets = [Bitboard; Point::SLOTS];

/// The points that a man on each point can jump over in the middle of a chain, ignoring other men.
static JUMPABLE: Sets = jumpable(&Direction::ALL);
/// The same for the first jump of each side's men.
static FIRST_JUMPABLE: [Sets; 2] =
    [jumpable(&Direction::onward(Color::White)), jumpable(&Direction::onward(Color::Black))];

const fn jumpable(directions: &[Direction]) -> Sets {
    let mut table = [Bitboard::EMPTY; Point::SLOTS];
    let mut index = 0;
    while let Some(from) = Point::from_index(index) {
        let mut over = 0;
        let mut number = 0;
        while number < directions.len() {
            let direction = directions[number];
            let (files, ranks) = direction.step();
            if direction.lines().contains(from)
                && from.offset(2 * files, 2 * ranks).is_some()
                && let Some(next) = from.offset(files, ranks)
            {
                over |= next.bit().bits();
            }
            number += 1;
        }
        table[from.slot()] = Bitboard::from_bits(over);
        index += 1;
    }
    table
}

const REACH: u8 = Direction::REACH as u8;

/// Directions by difference of bit indices, from `-REACH`. Other differences are never looked up.
static DIRECTIONS: [Direction; 2 * REACH as usize + 1] = {
    let mut table = [Direction::North; 2 * REACH as usize + 1];
    let mut number = 0;
    while number < Direction::COUNT {
        let direction = Direction::ALL[number];
        table[(direction.delta() + REACH as i8) as usize] = direction;
        number += 1;
    }
    table
};

#[inline]
pub(super) fn direction_to(from: Point, neighbour: Point) -> Direction {
    DIRECTIONS[usize::from(neighbour.bit_index() + REACH - from.bit_index())]
}

/// The point beyond `over`, seen from `from`. A jump must be possible.
#[inline]
pub(super) const fn beyond(from: Point, over: Point) -> Point {
    Point::at_bit(2 * over.bit_index() - from.bit_index())
}
