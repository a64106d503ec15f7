//! Counts what the positions of a material come to.

use super::distance_tables::SolvedSlice;
use super::material::MenMaterial;
use super::ranks::Profile;
use super::slice::{DRAWN, Slice};
use crate::statistics::{SideStatistics, Statistics};

/// Counts the positions of one slice after another. Each position of the board counts, its
/// mirror image too, and with each step that can be forbidden. Mutual zugzwangs are counted
/// where none is, so that both sides look at the same position.
#[derive(Default)]
pub struct Counter(Statistics);

impl Counter {
    /// The sum of several.
    pub fn sum(parts: impl IntoIterator<Item = Counter>) -> Counter {
        let longer = |one: &mut Option<(u16, u64)>, other: Option<(u16, u64)>| {
            if one.map(|(plies, _)| plies) < other.map(|(plies, _)| plies) {
                *one = other;
            }
        };
        let mut sum = Statistics::default();
        for Counter(part) in parts {
            for (side, of_part) in sum.sides.iter_mut().zip(part.sides) {
                side.wins += of_part.wins;
                side.draws += of_part.draws;
                side.losses += of_part.losses;
                longer(&mut side.longest_win, of_part.longest_win);
                longer(&mut side.longest_loss, of_part.longest_loss);
                longer(&mut side.longest_zeroing, of_part.longest_zeroing);
            }
            let is_better = sum.full_zugzwangs == 0 && part.full_zugzwangs > 0;
            if is_better || sum.zugzwang.is_none() {
                sum.zugzwang = part.zugzwang;
            }
            sum.zugzwangs += part.zugzwangs;
            sum.full_zugzwangs += part.full_zugzwangs;
        }
        Counter(sum)
    }

    /// What the material comes to whose slices were counted. With as many men on either side
    /// Black's positions are White's.
    pub fn statistics(self, material: MenMaterial) -> Statistics {
        let Counter(mut statistics) = self;
        let [more, fewer] = material.sides();
        if more == fewer {
            statistics.sides[1] = statistics.sides[0];
        }
        statistics
    }

    /// Counts a slice. `turned` is the one in which the other side is to move.
    pub fn count(&mut self, solved: &SolvedSlice, turned: &Slice) {
        let SolvedSlice { profile, slice, run, run_at } = solved;
        let [own, other] = profile.men();
        let side = usize::from(own < other);
        for number in 0..profile.boards() {
            let board = profile.board(number);
            if !board.is_numbered() {
                continue;
            }
            let start = slice.start(number);
            let count = board.extent().into_iter().product::<usize>();
            let positions = start..start + count;
            for at in positions.clone() {
                let distance = slice.distances[at];
                let index = || state_of(profile, number, at - start);
                count_distance(&mut self.0.sides[side], distance, board.weight(), index);
            }
            if positions.contains(run_at) {
                let index = state_of(profile, number, run_at - start);
                self.0.sides[side].longest_zeroing = Some((u16::from(*run), index));
            }
            if side == 0 {
                let other = board.turned();
                let other = if other.is_numbered() { other } else { other.mirrored() };
                let [here, there] = [slice.of_board(board), turned.of_board(other)].map(worth);
                self.count_zugzwang([here, -there], board.weight(), || {
                    state_of(profile, number, 0)
                });
            }
        }
    }

    /// Counts a position by what it is worth to White with White and with Black to move.
    fn count_zugzwang(&mut self, [white, black]: [i8; 2], weight: u64, index: impl Fn() -> u64) {
        let Counter(statistics) = self;
        if white >= black {
            return;
        }
        let is_full = white < 0 && black > 0;
        if statistics.zugzwang.is_none() || (is_full && statistics.full_zugzwangs == 0) {
            statistics.zugzwang = Some(index());
        }
        statistics.zugzwangs += weight;
        statistics.full_zugzwangs += if is_full { weight } else { 0 };
    }
}

/// 1, 0 or -1: a win, a draw or a loss for the side to move.
const fn worth(distance: u8) -> i8 {
    match distance {
        DRAWN => 0,
        distance if distance % 2 == 1 => 1,
        _ => -1,
    }
}

fn count_distance(side: &mut SideStatistics, distance: u8, weight: u64, index: impl Fn() -> u64) {
    let plies = u16::from(distance);
    let longest = match worth(distance) {
        0 => {
            side.draws += weight;
            return;
        }
        1 => {
            side.wins += weight;
            &mut side.longest_win
        }
        _ => {
            side.losses += weight;
            &mut side.longest_loss
        }
    };
    if longest.is_none_or(|(known, _)| plies > known) {
        *longest = Some((plies, index()));
    }
}

/// The state of a position as the side to move sees it, by which statistics name it.
fn state_of(profile: &Profile, number: usize, steps: usize) -> u64 {
    profile.board(number).positions().nth(steps).map_or(u64::MAX, |position| position.state().0)
}
