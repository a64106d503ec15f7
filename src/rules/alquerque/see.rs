//! Static exchange evaluation for compulsory captures: the move, the reply if
//! it has to be a jump, and the longest jump back.
//!
//! Of the jumps in reply the one counts that leaves the mover the least. What
//! comes later is not looked at. So it sees a sacrifice of one man for two, and a jump
//! that exposes more men than it captures.

use qirkat_game::Rules;
use std::ops::ControlFlow;

use super::chain::Move;
use super::position::Position;

/// The value of a man, in centipawns.
pub const MAN_VALUE: i32 = 100;

/// Jumps of either side that are looked at. Where the other side has more, the
/// move loses; where the mover has more, the longest of the first ones counts.
const MAX_JUMPS_TRIED: usize = 32;

impl Position {
    /// Whether a legal move wins at least `threshold` centipawns, or loses no
    /// more than that if it is negative.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let won = MAN_VALUE * mv.jumps() as i32;
        let next = self.after(mv);
        let mut replies = 0;
        let all_hold = next.try_for_each_jump(&mut |reply| {
            replies += 1;
            let back = next.after(reply).longest_jump();
            let balance = won + MAN_VALUE * (back as i32 - reply.jumps() as i32);
            if balance < threshold || replies > MAX_JUMPS_TRIED {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        all_hold.is_continue() && (replies > 0 || won >= threshold)
    }

    /// The most men that the side to move can capture in one move.
    fn longest_jump(&self) -> usize {
        let (mut longest, mut tried) = (0, 0);
        let _: ControlFlow<()> = self.try_for_each_jump(&mut |mv| {
            longest = longest.max(mv.jumps());
            tried += 1;
            if tried > MAX_JUMPS_TRIED { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        longest
    }
}
