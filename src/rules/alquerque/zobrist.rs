//! Zobrist keys of positions: men, side to move and forbidden steps
//! (A. Zobrist, "A New Hashing Method with Application for Game Playing",
//! 1970).

use super::forbidden::ForbiddenStep;
use super::point::Point;
use qirkat_game::splitmix::splitmix64;
use qirkat_game::{Color, Key};

struct Keys {
    men: [[u64; Point::PLACES]; 2],
    forbidden: [[u64; ForbiddenStep::COUNT]; 2],
    black_to_move: u64,
}

static KEYS: Keys = {
    let mut state = 0x2545_F491_4F6C_DD1D;
    let mut keys = Keys {
        men: [[0; Point::PLACES]; 2],
        forbidden: [[0; ForbiddenStep::COUNT]; 2],
        black_to_move: splitmix64(&mut state),
    };
    let mut color = 0;
    while color < 2 {
        let mut place = 0;
        while place < Point::PLACES {
            keys.men[color][place] = splitmix64(&mut state);
            place += 1;
        }
        // No forbidden step changes nothing.
        let mut step = 1;
        while step < ForbiddenStep::COUNT {
            keys.forbidden[color][step] = splitmix64(&mut state);
            step += 1;
        }
        color += 1;
    }
    keys
};

#[inline]
pub(super) fn man(color: Color, point: Point) -> Key {
    Key(KEYS.men[color.index()][point.slot()])
}

#[inline]
pub(super) fn forbidden(color: Color, step: Option<ForbiddenStep>) -> Key {
    Key(KEYS.forbidden[color.index()][ForbiddenStep::number(step)])
}

#[inline]
pub(super) fn black_to_move() -> Key {
    Key(KEYS.black_to_move)
}
