//! Positions as numbers: all but the clocks, and nothing hashed.

use super::bitboard::Bitboard;
use super::forbidden::ForbiddenStep;
use super::point::Point;
use super::position::Position;
use qirkat_game::{Color, Key};

/// What repeats when a position repeats, in 63 bits: men, side to move and forbidden steps.
/// Two positions have the same state if they are the same but for their clocks.
///
/// From the lowest bit: White's men, 25 bits, `a1` first, along the ranks; Black's men; the
/// step forbidden to White, 6 bits; the step forbidden to Black; 1 where Black is to move. A
/// forbidden step is 0 where there is none, else 1 + twice the index of the point where the
/// man stands, and one more to the east.
///
/// ```
/// use qirkat_rules::alquerque::Position;
///
/// let position = Position::start();
/// assert_eq!(position.state().position(), Some(position));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State(pub u64);

const POINTS: u32 = Point::COUNT as u32;
const STEP_BITS: u32 = 6;
const STEPS_AT: u32 = 2 * POINTS;
const SIDE_AT: u32 = STEPS_AT + 2 * STEP_BITS;

impl Position {
    /// All but the clocks.
    pub fn state(&self) -> State {
        let [white, black] = self.men.map(|men| u64::from(men.dense()));
        let [of_white, of_black] = self.forbidden.map(step_code);
        let side = self.side_to_move.index() as u64;
        State(
            white
                | black << POINTS
                | of_white << STEPS_AT
                | of_black << (STEPS_AT + STEP_BITS)
                | side << SIDE_AT,
        )
    }
}

impl State {
    /// The position with this state and with clocks at their beginning; none where men stand
    /// on one another, or a forbidden step would not be possible otherwise.
    pub fn position(self) -> Option<Position> {
        let field = |at: u32, bits: u32| self.0 >> at & ((1 << bits) - 1);
        let [white, black] = [0, POINTS].map(|at| Bitboard::from_dense(field(at, POINTS) as u32));
        let side_to_move = match self.0 >> SIDE_AT {
            0 => Color::White,
            1 => Color::Black,
            _ => return None,
        };
        if (white & black).any() {
            return None;
        }
        let mut position = Position {
            men: [white, black],
            key: Key::default(),
            halfmove_clock: 0,
            fullmove_number: 1,
            side_to_move,
            forbidden: [None; 2],
        };
        for (color, at) in Color::ALL.into_iter().zip([STEPS_AT, STEPS_AT + STEP_BITS]) {
            let code = field(at, STEP_BITS);
            if code != 0 {
                position.forbidden[color.index()] =
                    Some(position.if_possible(color, step_of_code(code))?);
            }
        }
        position.key = position.key_from_scratch();
        Some(position)
    }
}

fn step_code(step: Option<ForbiddenStep>) -> u64 {
    step.map_or(0, |step| 1 + 2 * step.from().index() as u64 + u64::from(step.to() > step.from()))
}

fn step_of_code(code: u64) -> Option<ForbiddenStep> {
    let from = Point::from_index((code - 1) as usize / 2)?;
    let files = if code.is_multiple_of(2) { 1 } else { -1 };
    ForbiddenStep::between(from, from.offset(files, 0)?)
}
