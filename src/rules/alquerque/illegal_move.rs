//! Parses moves, and explains why a move is illegal, in words that teach the rules.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use qirkat_game::text::Excerpt;
use qirkat_game::{Color, ReadMove, Rules};
use thiserror::Error;

use super::chain::{MAX_JUMPS, Move, StepOrJump};
use super::generate::JumpingMan;
use super::point::{Bitboard, Direction, Point};
use super::position::Position;

type MoveTextError = qirkat_game::MoveTextError<IllegalMove>;

/// Why a move is illegal, in words that teach the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalMove {
    #[error("no man stands on {0}")]
    NoMan(Point),
    #[error("it is {to_move:?}'s turn, and the man on {from} is {:?}'s", !*to_move)]
    WrongColor { to_move: Color, from: Point },
    #[error("{to} is neither the next point along a line from {from} nor the one beyond it")]
    OutOfReach { from: Point, to: Point },
    #[error("no diagonal line leads from {from} to {to}")]
    NoDiagonalLine { from: Point, to: Point },
    #[error("a step ends the move: nothing can follow it on {0}")]
    GoesOnAfterStep(Point),
    #[error("a move goes on by jumps only, and {from}{to} is a step")]
    StepsAfterJump { from: Point, to: Point },
    #[error("the man on {0} has reached its last rank and does not step any more")]
    LastRank(Point),
    #[error("a man never steps back")]
    StepsBack,
    #[error("the first jump of a move never goes back")]
    JumpsBack,
    #[error("a man stands on {0}")]
    NotEmpty(Point),
    #[error("no man stands on {0} to be jumped over")]
    NothingToCapture(Point),
    #[error("the man on {0} has already been captured by this move")]
    AlreadyCaptured(Point),
    #[error("your own man stands on {0}, and only the enemy's are jumped over")]
    OwnMan(Point),
    #[error("a jump is compulsory, such as {0}")]
    JumpIsCompulsory(Move),
    #[error("the move is not over: the man must jump on from {from}, as to {to}")]
    MustJumpOn {
        from: Point,
        /// A possible next target.
        to: Point,
    },
    #[error("the man on {from} has just come from {to} and may not step back at once")]
    StepsWhereItCameFrom {
        from: Point,
        /// Its previous point.
        to: Point,
    },
}

impl Position {
    /// Why a move over these points is illegal; none if it is legal. At least two points are
    /// expected.
    fn reason_against(&self, points: &[Point]) -> Option<IllegalMove> {
        let &[from, next, ref later @ ..] = points else { return None };
        let us = self.side_to_move;
        match self.man_on(from) {
            None => return Some(IllegalMove::NoMan(from)),
            Some(color) if color != us => {
                return Some(IllegalMove::WrongColor { to_move: us, from });
            }
            Some(_) => {}
        }
        match StepOrJump::between(from, next) {
            StepOrJump::Step(_) if !later.is_empty() => Some(IllegalMove::GoesOnAfterStep(next)),
            StepOrJump::Step(direction) => self.reason_against_step(from, direction, next),
            StepOrJump::Jump(..) => self.reason_against_jumps(points),
            StepOrJump::Neither => Some(out_of_reach(from, next)),
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
            let (direction, over) = match StepOrJump::between(from, to) {
                StepOrJump::Jump(direction, over) => (direction, over),
                StepOrJump::Step(_) => return Some(IllegalMove::StepsAfterJump { from, to }),
                StepOrJump::Neither => return Some(out_of_reach(from, to)),
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

impl ReadMove for Position {
    type IllegalMove = IllegalMove;

    /// Reads a legal move, given as all points that the man visits, such as `c2c3` or `c3e5e3`.
    ///
    /// # Errors
    /// When the text is not a move, or not a legal one.
    fn read_move(&self, text: &str) -> Result<Move, MoveTextError> {
        let points = read_points(text).map_err(MoveTextError::Malformed)?;
        if let Some(reason) = self.reason_against(&points) {
            return Err(MoveTextError::Illegal(reason));
        }
        Move::from_points(&points).ok_or_else(|| MoveTextError::Malformed(TOO_SHORT.to_owned()))
    }

    fn why_illegal(&self, mv: Move) -> Option<IllegalMove> {
        if self.is_legal(mv) {
            return None;
        }
        let points: Vec<Point> = mv.points().collect();
        self.reason_against(&points)
    }
}

const TOO_SHORT: &str = "a move names all points that the man visits, such as c2c3 or c3e5e3";

fn read_points(text: &str) -> Result<ArrayVec<Point, { MAX_JUMPS + 1 }>, String> {
    let mut points = ArrayVec::new();
    let mut rest = text.chars();
    while !rest.as_str().is_empty() {
        let pair: String = rest.by_ref().take(2).collect();
        let point = Point::parse(&pair)
            .ok_or_else(|| format!("`{}` is not a point from a1 to e5", Excerpt::of(&pair)))?;
        points
            .try_push(point)
            .map_err(|_| format!("no man jumps more than {MAX_JUMPS} times in a move"))?;
    }
    if points.len() < 2 { Err(TOO_SHORT.to_owned()) } else { Ok(points) }
}
