//! A move: the path of one man, a step or a chain of jumps.

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

use arrayvec::ArrayVec;
use derive_more::{Debug, Display};
use qirkat_game::ParseError;

use super::point::{Bitboard, Direction, Point};

/// The most jumps of a move. A jump keeps the parity of the man's file and that of its rank, and
/// leads over a point where one or both are different, at most once over each. Wherever the man
/// starts, at most 16 such points lie midway between two that it can visit.
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
// Five bits for the start, five for the number of jumps (0 for a step), then three for each
// direction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[debug("{self}")]
pub struct Move(u64);

/// Bits of the starting point, and of the number of jumps after it.
const POINT_BITS: u32 = 5;
/// A one in the field for the number of jumps.
const JUMP: u64 = 1 << POINT_BITS;
/// The first bit of the directions, and bits per direction.
const DIRECTIONS_AT: u32 = 2 * POINT_BITS;
const DIRECTION_BITS: u32 = 3;

impl Move {
    /// The null move, encoded as a move that is never legal, since no man is captured twice.
    pub(crate) const NULL: Move =
        Move::start(Point::new(0, 0)).with_jump(Direction::North).with_jump(Direction::South);

    /// A step to a neighbour, which must be on the board.
    #[inline]
    pub(super) const fn step(from: Point, direction: Direction) -> Move {
        Move(from.bit_index() as u64 | (direction.index() as u64) << DIRECTIONS_AT)
    }

    /// The start of a jumping move, to be used with [`Move::with_jump`].
    #[inline]
    pub(super) const fn start(from: Point) -> Move {
        Move(from.bit_index() as u64)
    }

    /// The move with one more jump, which must stay on the board.
    #[inline]
    pub(super) const fn with_jump(self, direction: Direction) -> Move {
        let shift = DIRECTIONS_AT + DIRECTION_BITS * self.jumps() as u32;
        Move((self.0 | (direction.index() as u64) << shift) + JUMP)
    }

    #[inline]
    pub const fn from(self) -> Point {
        Point::at_bit((self.0 & (JUMP - 1)) as u8)
    }

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
        Point::at_bit(self.from().bit_index().wrapping_add_signed(delta))
    }

    /// The number of men it captures; 0 for a step.
    #[inline]
    pub const fn jumps(self) -> usize {
        (self.0 >> POINT_BITS & (JUMP - 1)) as usize
    }

    #[inline]
    pub const fn is_jump(self) -> bool {
        self.jumps() > 0
    }

    #[inline]
    pub const fn first_direction(self) -> Direction {
        Direction::from_bits(self.0 >> DIRECTIONS_AT)
    }

    #[inline]
    pub const fn last_direction(self) -> Direction {
        let before = self.jumps().saturating_sub(1) as u32;
        Direction::from_bits(self.0 >> (DIRECTIONS_AT + DIRECTION_BITS * before))
    }

    pub fn directions(self) -> impl Iterator<Item = Direction> {
        let bits = self.0 >> DIRECTIONS_AT;
        (0..self.jumps().max(1) as u32)
            .map(move |leg| Direction::from_bits(bits >> (DIRECTION_BITS * leg)))
    }

    /// The jumps in order: the point jumped over, and the target.
    #[inline]
    pub fn jump_legs(self) -> impl Iterator<Item = (Point, Point)> {
        let mut at = self.from().bit_index();
        let mut directions = self.0 >> DIRECTIONS_AT;
        (0..self.jumps()).map(move |_| {
            let delta = Direction::delta_of_bits(directions);
            directions >>= DIRECTION_BITS;
            let over = at.wrapping_add_signed(delta);
            at = over.wrapping_add_signed(delta);
            (Point::at_bit(over), Point::at_bit(at))
        })
    }

    /// The visited points, including the start.
    pub fn points(self) -> impl Iterator<Item = Point> {
        let step = (!self.is_jump()).then(|| self.step_to());
        let visited = self.jump_legs().map(|(_, to)| to).chain(step);
        std::iter::once(self.from()).chain(visited)
    }

    #[inline]
    pub fn captured(self) -> Bitboard {
        self.jump_legs().map(|(over, _)| over).collect()
    }

    /// The move that visits these points. None if they are neither a step along a line nor jumps.
    /// It may be illegal.
    pub fn from_points(points: &[Point]) -> Option<Move> {
        let &[from, next, ref later @ ..] = points else { return None };
        if let StepOrJump::Step(direction) = StepOrJump::between(from, next) {
            return later.is_empty().then(|| Move::step(from, direction));
        }
        if points.len() > MAX_JUMPS + 1 {
            return None;
        }
        points.windows(2).try_fold(Move::start(from), |mv, leg| {
            match StepOrJump::between(leg[0], leg[1]) {
                StepOrJump::Jump(direction, _) => Some(mv.with_jump(direction)),
                StepOrJump::Step(_) | StepOrJump::Neither => None,
            }
        })
    }

    /// Reads the points of a move, such as `c2c3` or `c3e5e3`. It may be illegal.
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

/// How a man can move from one point to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StepOrJump {
    Step(Direction),
    /// The target is two points away along a line, with this point between.
    Jump(Direction, Point),
    Neither,
}

impl StepOrJump {
    pub fn between(from: Point, to: Point) -> StepOrJump {
        let files = to.file().abs_diff(from.file());
        let ranks = to.rank().abs_diff(from.rank());
        let Some(direction) = Direction::of_line(from, to) else { return StepOrJump::Neither };
        let (dx, dy) = direction.step();
        match (files.max(ranks), from.offset(dx, dy)) {
            (1, _) => StepOrJump::Step(direction),
            (2, Some(over)) => StepOrJump::Jump(direction, over),
            _ => StepOrJump::Neither,
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

/// A step sideways that is forbidden to a side at its next move, because it would undo its last
/// one. Steps forward cannot be undone anyway. The value is 1 + twice the bit index of the
/// starting point, plus 1 for a step east.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display)]
#[debug("{self}")]
#[display("{}", self.as_move())]
pub struct ForbiddenStep(NonZeroU8);

impl ForbiddenStep {
    pub(super) const COUNT: usize = 2 * Point::SLOTS + 1;

    /// The step that undoes a sideways step. Branch-free: a branch would be mispredicted every
    /// third time.
    #[inline]
    pub(super) fn undoing(step: Move) -> Option<ForbiddenStep> {
        let direction = step.first_direction();
        // What undoes a step west, the only sideways direction after south, leads to the right.
        let to_the_right = u8::from(direction.index() > Direction::South.index());
        let number = 1 + 2 * step.step_to().bit_index() + to_the_right;
        NonZeroU8::new(number * u8::from(direction.is_sideways())).map(ForbiddenStep)
    }

    pub(super) fn between(from: Point, to: Point) -> Option<ForbiddenStep> {
        let back = Move::from_points(&[to, from])?;
        if back.is_jump() { None } else { ForbiddenStep::undoing(back) }
    }

    /// The index in tables of [`ForbiddenStep::COUNT`] entries; 0 means no step.
    #[inline]
    pub(super) fn number(step: Option<ForbiddenStep>) -> usize {
        step.map_or(0, |step| usize::from(step.0.get()))
    }

    #[inline]
    const fn index(self) -> u8 {
        self.0.get() - 1
    }

    #[inline]
    pub const fn as_move(self) -> Move {
        Move::step(self.from(), self.direction())
    }

    #[inline]
    pub const fn from(self) -> Point {
        Point::at_bit(self.index() / 2)
    }

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
