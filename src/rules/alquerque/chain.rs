//! A move: the path of one man, a step or a chain of jumps.

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

use arrayvec::ArrayVec;
use derive_more::{Debug, Display};
use qirkat_game::ParseError;

use super::point::{Bitboard, Direction, Point};

/// The most jumps that a move can have: a man comes to points of one kind only (by the parity of
/// file and rank), and jumps over the others. At most 16 of those have points on both sides.
pub const MAX_JUMPS: usize = 16;

/// A move: where the man starts, and a step or a chain of jumps in some directions. All
/// the points it visits are on the board.
///
/// Moves with different paths are different moves, even if they lead to the same position.
///
/// ```
/// use qirkat_rules::alquerque::Move;
///
/// let mv: Move = "c3e5e3".parse()?;
/// assert_eq!(mv.jumps(), 2);
/// assert_eq!(mv.to_string(), "c3e5e3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// Five bits of the start, five of the number of jumps (none: a step), then
// three for each direction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[debug("{self}")]
pub struct Move(u64);

/// Bits of the starting point, and of the number of jumps behind it.
const POINT_BITS: u32 = 5;
/// The bits that one more jump adds.
const JUMP: u64 = 1 << POINT_BITS;
/// Where the directions begin, and the bits that each takes.
const DIRECTIONS_AT: u32 = 2 * POINT_BITS;
const DIRECTION_BITS: u32 = 3;

impl Move {
    /// A move that is legal nowhere, since no man is captured twice: the null move.
    pub(crate) const NULL: Move =
        Move::start(Point::new(0, 0)).with_jump(Direction::North).with_jump(Direction::South);

    /// A step to the next point, which must be on the board.
    #[inline]
    pub(super) const fn step(from: Point, direction: Direction) -> Move {
        Move(from.place() as u64 | (direction.index() as u64) << DIRECTIONS_AT)
    }

    /// The beginning of a move that jumps, to be used with [`Move::with_jump`].
    #[inline]
    pub(super) const fn start(from: Point) -> Move {
        Move(from.place() as u64)
    }

    /// The same with one more jump, which must stay on the board.
    #[inline]
    pub(super) const fn with_jump(self, direction: Direction) -> Move {
        let shift = DIRECTIONS_AT + DIRECTION_BITS * self.jumps() as u32;
        Move((self.0 | (direction.index() as u64) << shift) + JUMP)
    }

    /// Where the man stands.
    #[inline]
    pub const fn from(self) -> Point {
        Point::at_place((self.0 & (JUMP - 1)) as u8)
    }

    /// Where it ends.
    #[inline]
    pub fn to(self) -> Point {
        if !self.is_jump() {
            return self.step_to();
        }
        self.jump_legs().last().map_or(self.from(), |(_, to)| to)
    }

    #[inline]
    pub(super) const fn step_to(self) -> Point {
        let delta = Direction::delta_of_bits(self.0 >> DIRECTIONS_AT);
        Point::at_place(self.from().place().wrapping_add_signed(delta))
    }

    /// The number of men it captures; none if it is a step.
    #[inline]
    pub const fn jumps(self) -> usize {
        (self.0 >> POINT_BITS & (JUMP - 1)) as usize
    }

    /// Whether it is a jump, which captures.
    #[inline]
    pub const fn is_jump(self) -> bool {
        self.jumps() > 0
    }

    /// The direction of the step, or of the first jump.
    #[inline]
    pub const fn first_direction(self) -> Direction {
        Direction::from_bits(self.0 >> DIRECTIONS_AT)
    }

    /// The direction of the step, or of the last jump.
    #[inline]
    pub const fn last_direction(self) -> Direction {
        let before = self.jumps().saturating_sub(1) as u32;
        Direction::from_bits(self.0 >> (DIRECTIONS_AT + DIRECTION_BITS * before))
    }

    /// The direction of the step, or those of the jumps.
    pub fn directions(self) -> impl Iterator<Item = Direction> {
        let bits = self.0 >> DIRECTIONS_AT;
        (0..self.jumps().max(1) as u32)
            .map(move |leg| Direction::from_bits(bits >> (DIRECTION_BITS * leg)))
    }

    /// The jumps, one after the other: over which point, and where to.
    #[inline]
    pub fn jump_legs(self) -> impl Iterator<Item = (Point, Point)> {
        let mut at = self.from().place();
        let mut directions = self.0 >> DIRECTIONS_AT;
        (0..self.jumps()).map(move |_| {
            let delta = Direction::delta_of_bits(directions);
            directions >>= DIRECTION_BITS;
            let over = at.wrapping_add_signed(delta);
            at = over.wrapping_add_signed(delta);
            (Point::at_place(over), Point::at_place(at))
        })
    }

    /// The points the man visits, its start included.
    pub fn points(self) -> impl Iterator<Item = Point> {
        let step = (!self.is_jump()).then(|| self.step_to());
        let visited = self.jump_legs().map(|(_, to)| to).chain(step);
        std::iter::once(self.from()).chain(visited)
    }

    /// The points of the men that it captures.
    #[inline]
    pub fn captured(self) -> Bitboard {
        self.jump_legs().map(|(over, _)| over).collect()
    }

    /// The move that visits these points. None if they are not one step along
    /// a line, or jumps. It need not be legal anywhere.
    pub fn from_points(points: &[Point]) -> Option<Move> {
        let &[from, next, ref later @ ..] = points else { return None };
        if let Leap::Step(direction) = Leap::between(from, next) {
            return later.is_empty().then(|| Move::step(from, direction));
        }
        if points.len() > MAX_JUMPS + 1 {
            return None;
        }
        points.windows(2).try_fold(Move::start(from), |mv, leg| {
            match Leap::between(leg[0], leg[1]) {
                Leap::Jump(direction, _) => Some(mv.with_jump(direction)),
                Leap::Step(_) | Leap::Neither => None,
            }
        })
    }

    /// Reads the points of a move, such as `c2c3` or `c3e5e3`. It need not be legal anywhere.
    pub fn parse(text: &str) -> Option<Move> {
        let mut points = ArrayVec::<Point, { MAX_JUMPS + 1 }>::new();
        for pair in text.as_bytes().chunks(2) {
            points.try_push(Point::from_bytes(pair)?).ok()?;
        }
        Move::from_points(&points)
    }

    #[inline]
    pub(super) const fn bits(self) -> u64 {
        self.0
    }
}

/// How a man can get from one point to another in one go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leap {
    Step(Direction),
    /// The one after the next along a line, and the point between.
    Jump(Direction, Point),
    Neither,
}

impl Leap {
    pub fn between(from: Point, to: Point) -> Leap {
        let files = to.file().abs_diff(from.file());
        let ranks = to.rank().abs_diff(from.rank());
        let Some(direction) = Direction::of_line(from, to) else { return Leap::Neither };
        let (dx, dy) = direction.step();
        match (files.max(ranks), from.offset(dx, dy)) {
            (1, _) => Leap::Step(direction),
            (2, Some(over)) => Leap::Jump(direction, over),
            _ => Leap::Neither,
        }
    }
}

impl FromStr for Move {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Move, ParseError> {
        let expected = "a move such as `c2c3` or `c3e5e3`";
        Move::parse(text).ok_or_else(|| ParseError::new(expected, text))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.points().try_for_each(|point| write!(f, "{point}"))
    }
}

/// A step sideways that is forbidden to a side at its next move, because it
/// would undo its last one. Steps forward cannot be undone anyway.
// One more than twice the starting point's place, and one more again to the right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display)]
#[debug("{self}")]
#[display("{}", self.as_move())]
pub struct ForbiddenStep(NonZeroU8);

impl ForbiddenStep {
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

    pub(super) fn flipped(self) -> Option<ForbiddenStep> {
        ForbiddenStep::between(self.from().flipped(), self.to().flipped())
    }

    pub(super) fn mirrored(self) -> Option<ForbiddenStep> {
        ForbiddenStep::between(self.from().mirrored(), self.to().mirrored())
    }
}
