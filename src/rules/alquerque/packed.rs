//! Moves in 16 bits, for the transposition table.
//!
//! Steps and moves of up to three jumps have numbers of their own. Longer
//! ones are hashed into the rest, so two of them may share a number; the
//! number is then read as one of the jumps that are legal.

use std::ops::ControlFlow;

use super::chain::Move;
use super::direction::Direction;
use super::point::Point;
use super::position::Position;
use qirkat_game::PackedMove;

/// Directions of the first three jumps: one digit for each, base 8.
const DIRECTIONS: u64 = Direction::COUNT as u64;
/// Jumps that have numbers of their own, and the number of ways they can go.
const MAX_EXACT_JUMPS: usize = 3;
const ONE_JUMP: u64 = DIRECTIONS;
const TWO_JUMPS: u64 = DIRECTIONS * DIRECTIONS;
const THREE_JUMPS: u64 = DIRECTIONS * DIRECTIONS * DIRECTIONS;
/// Numbers for each starting point: a step, then one, two and three jumps.
const PER_POINT: u64 = DIRECTIONS + ONE_JUMP + TWO_JUMPS + THREE_JUMPS;
/// Where the numbers of longer moves begin. No move has number 0.
const HASHED: u64 = 1 + Point::PLACES as u64 * PER_POINT;
/// The count of numbers for longer moves.
const HASHED_COUNT: u64 = (1 << 16) - HASHED;
/// An odd number to hash with (as in Knuth's multiplicative hashing).
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

pub(super) fn pack(mv: Move) -> PackedMove {
    let number = if mv.jumps() > MAX_EXACT_JUMPS {
        let hash = mv.bits().wrapping_mul(MULTIPLIER) >> 32;
        HASHED + hash % HASHED_COUNT
    } else {
        let digits = mv.directions().map(|direction| direction.index() as u64);
        let way = digits.fold(0, |way, digit| way * DIRECTIONS + digit);
        let before = match mv.jumps() {
            0 => 0,
            1 => DIRECTIONS,
            2 => DIRECTIONS + ONE_JUMP,
            _ => DIRECTIONS + ONE_JUMP + TWO_JUMPS,
        };
        1 + u64::from(mv.from().place()) * PER_POINT + before + way
    };
    PackedMove(number as u16)
}

impl Position {
    /// The move that a number stands for: any step, or a legal jump.
    pub(super) fn unpack_move(&self, packed: PackedMove) -> Option<Move> {
        let number = u64::from(packed.0).checked_sub(1)?;
        if number + 1 >= HASHED {
            return self.hashed_jump(packed);
        }
        let from = Point::from_place((number / PER_POINT) as u8)?;
        let rest = number % PER_POINT;
        match rest.checked_sub(DIRECTIONS) {
            None => step(from, Direction::from_bits(rest)),
            Some(rest) => exact_jump(from, rest).filter(|&mv| self.is_legal(mv)),
        }
    }

    /// The first legal jump with this number.
    fn hashed_jump(&self, packed: PackedMove) -> Option<Move> {
        let found = self.try_for_each_jump(&mut |mv| {
            if mv.jumps() > MAX_EXACT_JUMPS && pack(mv) == packed {
                ControlFlow::Break(mv)
            } else {
                ControlFlow::Continue(())
            }
        });
        found.break_value()
    }
}

fn step(from: Point, direction: Direction) -> Option<Move> {
    let (files, ranks) = direction.step();
    from.offset(files, ranks).map(|_| Move::step(from, direction))
}

/// One to three jumps, if they stay on the board.
fn exact_jump(from: Point, rest: u64) -> Option<Move> {
    let (way, jumps) = if rest < ONE_JUMP {
        (rest, 1)
    } else if rest < ONE_JUMP + TWO_JUMPS {
        (rest - ONE_JUMP, 2)
    } else {
        (rest - ONE_JUMP - TWO_JUMPS, 3)
    };
    let mut at = from;
    let mut mv = Move::start(from);
    for digit in (0..jumps).rev() {
        let direction = Direction::from_bits(way / DIRECTIONS.pow(digit));
        let (files, ranks) = direction.step();
        at = at.offset(2 * files, 2 * ranks)?;
        mv = mv.with_jump(direction);
    }
    Some(mv)
}
