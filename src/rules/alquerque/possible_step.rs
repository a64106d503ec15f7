//! Whether a forbidden step would otherwise be possible.

use super::bitboard::Bitboard;
use super::forbidden::ForbiddenStep;
use super::point::Point;
use super::position::Position;
use super::side::last_rank;
use qirkat_game::Color;

/// Where each step begins and ends, by [`ForbiddenStep::number`].
static ENDS: [(Bitboard, Bitboard); ForbiddenStep::COUNT] = {
    let mut ends = [(Bitboard::EMPTY, Bitboard::EMPTY); ForbiddenStep::COUNT];
    let mut index = 0;
    while index < 2 * Point::COUNT as u8 {
        let point = index / 2;
        let from = Point::new(point % Point::FILES, point / Point::FILES);
        let (right, files) = if index % 2 == 1 { (1, 1) } else { (0, -1) };
        if let Some(to) = from.offset(files, 0) {
            ends[1 + 2 * from.place() as usize + right] = (from.bit(), to.bit());
        }
        index += 1;
    }
    ends
};

impl Position {
    /// The step, if the side could make it on this board but for the ban and compulsory
    /// jumps.
    #[inline]
    pub(super) fn if_possible(
        &self,
        color: Color,
        step: Option<ForbiddenStep>,
    ) -> Option<ForbiddenStep> {
        let (from, to) = ENDS[ForbiddenStep::number(step)];
        let leaves = self.men(color) & !last_rank(color) & from;
        let lands = self.empty() & to;
        step.filter(|_| leaves.any() & lands.any())
    }
}
