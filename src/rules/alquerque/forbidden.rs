//! The forbidden step, which would take a man back to where it came from.

use std::num::NonZeroU8;

use derive_more::{Debug, Display};

use super::chain::Move;
use super::direction::Direction;
use super::point::Point;

/// A step sideways that is forbidden to a side at its next move, because it
/// would undo its last one. Steps forward cannot be undone anyway.
// One more than twice the starting point's place, and one more again to the
// right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display)]
#[debug("{self}")]
#[display("{}", self.as_move())]
pub struct ForbiddenStep(NonZeroU8);

impl ForbiddenStep {
    /// Numbers of [`ForbiddenStep::number`] are below this.
    pub(super) const COUNT: usize = 2 * Point::PLACES + 1;

    /// The step that undoes a step, if it goes sideways.
    // Branch-free: a branch would be mispredicted every third time.
    #[inline]
    pub(super) fn undoing(step: Move) -> Option<ForbiddenStep> {
        let direction = step.first_direction();
        let to_the_right = u8::from(direction.index() > Direction::South.index());
        let number = 1 + 2 * step.step_to().place() + to_the_right;
        NonZeroU8::new(number * u8::from(direction.is_sideways())).map(ForbiddenStep)
    }

    /// The step between two neighbours along a rank.
    pub(super) fn between(from: Point, to: Point) -> Option<ForbiddenStep> {
        let back = Move::from_points(&[to, from])?;
        if back.is_jump() { None } else { ForbiddenStep::undoing(back) }
    }

    /// The place in tables of [`ForbiddenStep::COUNT`]; 0 is no step.
    #[inline]
    pub(super) fn number(step: Option<ForbiddenStep>) -> usize {
        step.map_or(0, |step| usize::from(step.0.get()))
    }

    #[inline]
    const fn index(self) -> u8 {
        self.0.get() - 1
    }

    /// The step as a move.
    #[inline]
    pub const fn as_move(self) -> Move {
        Move::step(self.from(), self.direction())
    }

    /// Where the man stands.
    #[inline]
    pub const fn from(self) -> Point {
        Point::at_place(self.index() / 2)
    }

    /// Where it may not go.
    #[inline]
    pub fn to(self) -> Point {
        self.as_move().to()
    }

    /// West or east.
    #[inline]
    pub const fn direction(self) -> Direction {
        if self.index() % 2 == 1 { Direction::East } else { Direction::West }
    }

    /// The step from the other side of the board.
    pub(super) fn flipped(self) -> Option<ForbiddenStep> {
        ForbiddenStep::between(self.from().flipped(), self.to().flipped())
    }

    pub(super) fn mirrored(self) -> Option<ForbiddenStep> {
        ForbiddenStep::between(self.from().mirrored(), self.to().mirrored())
    }
}
