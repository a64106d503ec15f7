//! Reads moves as people and programs write them, and says why one is not legal, in words that
//! teach the rules.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use qirkat_game::text::Excerpt;
use qirkat_game::{Color, ReadMove};
use thiserror::Error;

use super::chain::{Leap, MAX_JUMPS, Move};
use super::generate::JumpingMan;
use super::point::{Bitboard, Direction, Point};
use super::position::Position;

/// Why a move is not legal, in words that teach the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalMove {
    /// No man stands there.
    #[error("no man stands on {0}")]
    NoMan(Point),
    /// The man there belongs to the other side.
    #[error("it is {to_move:?}'s turn, and the man on {from} is {:?}'s", !*to_move)]
    WrongColor {
        /// Whose turn it is.
        to_move: Color,
        /// Where the man stands.
        from: Point,
    },
    /// Neither a step nor a jump, whatever stands there.
    #[error("{to} is neither the next point along a line from {from} nor the one beyond it")]
    OutOfReach {
        /// Where the man is.
        from: Point,
        /// Where it is to go.
        to: Point,
    },
    /// There is no diagonal line between plain points.
    #[error("no diagonal line leads from {from} to {to}")]
    NoDiagonalLine {
        /// Where the man is.
        from: Point,
        /// Where it is to go.
        to: Point,
    },
    /// More points after a step.
    #[error("a step ends the move: nothing can follow it on {0}")]
    GoesOnAfterStep(Point),
    /// Jumps, and then a step.
    #[error("a move goes on by jumps only, and {from}{to} is a step")]
    StepsAfterJump {
        /// Where the man is.
        from: Point,
        /// Where it is to go.
        to: Point,
    },
    /// A step of a man on its last rank.
    #[error("the man on {0} has reached its last rank and does not step any more")]
    LastRank(Point),
    /// A step towards its own side.
    #[error("a man never steps back")]
    StepsBack,
    /// A first jump towards its own side.
    #[error("the first jump of a move never goes back")]
    JumpsBack,
    /// The target is occupied.
    #[error("a man stands on {0}")]
    NotEmpty(Point),
    /// No man to jump over.
    #[error("no man stands on {0} to be jumped over")]
    NothingToCapture(Point),
    /// The man has been captured earlier in this move.
    #[error("the man on {0} has already been captured by this move")]
    AlreadyCaptured(Point),
    /// Men of one side never capture each other.
    #[error("your own man stands on {0}, and only the enemy's are jumped over")]
    OwnMan(Point),
    /// A step where a jump is possible.
    #[error("a jump is compulsory, such as {0}")]
    JumpIsCompulsory(Move),
    /// Jumps that end too early.
    #[error("the move is not over: the man must jump on from {from}, as to {to}")]
    MustJumpOn {
        /// Where the man is.
        from: Point,
        /// One of the points where it can go.
        to: Point,
    },
    /// A step that undoes the man's last one.
    #[error("the man on {from} has just come from {to} and may not step back at once")]
    StepsWhereItCameFrom {
        /// Where the man stands.
        from: Point,
        /// Where it stood.
        to: Point,
    },
}

impl Position {
    /// Why a move is not legal here; nothing if it is.
    pub fn why_illegal(&self, mv: Move) -> Option<IllegalMove> {
        if self.is_legal(mv) {
            return None;
        }
        let points: Vec<Point> = mv.points().collect();
        self.reason_against(&points)
    }

    /// Why a move over these points is not legal; nothing if it is. At least
    /// two points are expected.
    pub(super) fn reason_against(&self, points: &[Point]) -> Option<IllegalMove> {
        let &[from, next, ref later @ ..] = points else { return None };
        let us = self.side_to_move;
        match self.man_on(from) {
            None => return Some(IllegalMove::NoMan(from)),
            Some(color) if color != us => {
                return Some(IllegalMove::WrongColor { to_move: us, from });
            }
            Some(_) => {}
        }
        match Leap::between(from, next) {
            Leap::Step(_) if !later.is_empty() => Some(IllegalMove::GoesOnAfterStep(next)),
            Leap::Step(direction) => self.reason_against_step(from, direction, next),
            Leap::Jump(..) => self.reason_against_jumps(points),
            Leap::Neither => Some(out_of_reach(from, next)),
        }
    }

    fn reason_against_step(
        &self,
        from: Point,
        direction: Direction,
        to: Point,
    ) -> Option<IllegalMove> {
        let us = self.side_to_move;
        if Bitboard::last_rank(us).contains(from) {
            return Some(IllegalMove::LastRank(from));
        }
        if !direction.is_onward(us) {
            return Some(IllegalMove::StepsBack);
        }
        if self.man_on(to).is_some() {
            return Some(IllegalMove::NotEmpty(to));
        }
        if let Some(jump) = self.jump_instead_of(from) {
            return Some(IllegalMove::JumpIsCompulsory(jump));
        }
        let forbidden =
            self.forbidden_step(us).filter(|step| (step.from(), step.to()) == (from, to));
        forbidden.map(|_| IllegalMove::StepsWhereItCameFrom { from, to })
    }

    /// A legal jump, by the man on this point if it has one.
    fn jump_instead_of(&self, from: Point) -> Option<Move> {
        let mut first = None;
        let own = self.try_for_each_jump(&mut |jump| {
            first = first.or(Some(jump));
            if jump.from() == from { ControlFlow::Break(jump) } else { ControlFlow::Continue(()) }
        });
        own.break_value().or(first)
    }

    fn reason_against_jumps(&self, points: &[Point]) -> Option<IllegalMove> {
        let us = self.side_to_move;
        let &[from, ..] = points else { return None };
        let enemy = self.men(!us);
        let mut man = JumpingMan { at: from, enemy, empty: self.empty() | from.bit() };
        for (number, leg) in points.windows(2).enumerate() {
            let (from, to) = (leg[0], leg[1]);
            let (direction, over) = match Leap::between(from, to) {
                Leap::Jump(direction, over) => (direction, over),
                Leap::Step(_) => return Some(IllegalMove::StepsAfterJump { from, to }),
                Leap::Neither => return Some(out_of_reach(from, to)),
            };
            if !man.enemy.contains(over) {
                return Some(if enemy.contains(over) {
                    IllegalMove::AlreadyCaptured(over)
                } else if self.men(us).contains(over) {
                    IllegalMove::OwnMan(over)
                } else {
                    IllegalMove::NothingToCapture(over)
                });
            }
            if !man.empty.contains(to) {
                return Some(IllegalMove::NotEmpty(to));
            }
            if number == 0 && !direction.is_onward(us) {
                return Some(IllegalMove::JumpsBack);
            }
            man = man.after(over, to);
        }
        let next = man.next_jumps().next();
        next.map(|(_, to)| IllegalMove::MustJumpOn { from: man.at, to })
    }
}

fn out_of_reach(from: Point, to: Point) -> IllegalMove {
    let files = from.file().abs_diff(to.file());
    if files == from.rank().abs_diff(to.rank()) && (1..=2).contains(&files) {
        IllegalMove::NoDiagonalLine { from, to }
    } else {
        IllegalMove::OutOfReach { from, to }
    }
}

/// Why a text is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveTextError {
    /// It is not made of points.
    #[error(transparent)]
    Form(#[from] MoveFormError),
    /// It is, but the move is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

/// Why a text is not made of points.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveFormError {
    /// Something in it is not a point.
    #[error("`{0}` is not a point from a1 to e5")]
    Point(Excerpt),
    /// A move has two points at least.
    #[error("a move names all points that the man visits, such as c2c3 or c3e5e3")]
    TooShort,
    /// No man can jump so often.
    #[error("no man jumps more than {MAX_JUMPS} times in a move")]
    TooLong,
}

impl Position {
    /// Reads a legal move, written by all the points that the man visits, such
    /// as `c2c3` or `c3e5e3`.
    ///
    /// # Errors
    /// When the text is no move, or no legal one.
    pub fn read_move(&self, text: &str) -> Result<Move, MoveTextError> {
        let points = read_points(text)?;
        if let Some(reason) = self.reason_against(&points) {
            return Err(reason.into());
        }
        Move::from_points(&points).ok_or_else(|| MoveFormError::TooShort.into())
    }
}

impl ReadMove for Position {
    type IllegalMove = IllegalMove;
    type MoveTextError = MoveTextError;

    fn read_move(&self, text: &str) -> Result<Move, MoveTextError> {
        self.read_move(text)
    }

    fn why_illegal(&self, mv: Move) -> Option<IllegalMove> {
        self.why_illegal(mv)
    }
}

fn read_points(text: &str) -> Result<ArrayVec<Point, { MAX_JUMPS + 1 }>, MoveFormError> {
    let mut points = ArrayVec::new();
    let mut rest = text.chars();
    while !rest.as_str().is_empty() {
        let pair: String = rest.by_ref().take(2).collect();
        let point = Point::parse(&pair).ok_or_else(|| MoveFormError::Point(Excerpt::of(&pair)))?;
        points.try_push(point).map_err(|_| MoveFormError::TooLong)?;
    }
    if points.len() < 2 { Err(MoveFormError::TooShort) } else { Ok(points) }
}
