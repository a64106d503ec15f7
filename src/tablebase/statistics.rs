//! What is counted of the positions of a table.

use qirkat_game::DRAWING_PLIES;

use crate::value::{Cell, TableResult};

/// The statistics of the positions with one side to move. Every position counts, including mirror
/// images.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideStatistics {
    pub wins: u64,
    /// Won positions that the 100-ply rule makes a draw.
    pub cursed_wins: u64,
    pub draws: u64,
    /// Lost positions that the 100-ply rule makes a draw.
    pub blessed_losses: u64,
    pub losses: u64,
    /// The longest win for the side to move, in plies to mate, and the index of such a position,
    /// for [`Tables::position`](crate::Tables::position).
    pub longest_win: Option<(u16, u64)>,
    /// The longest loss for the side to move, likewise.
    pub longest_loss: Option<(u16, u64)>,
    /// The longest distance to a zeroing move or mate, whichever side wins; in Alquerque, the most
    /// plies to the next jump, step forward or end.
    pub longest_zeroing: Option<(u16, u64)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// With White to move and with Black to move; in Alquerque White is the side with more men.
    pub sides: [SideStatistics; 2],
    /// Mutual zugzwangs: positions in which each side does worse when it is to move, ignoring the
    /// 100-ply rule.
    pub zugzwangs: u64,
    /// The index of a mutual zugzwang, preferably a full one.
    pub zugzwang: Option<u64>,
    /// Mutual zugzwangs in which whichever side is to move loses.
    pub full_zugzwangs: u64,
}

impl Statistics {
    const NUMBERS: usize = 2 * (5 + 3 * 2) + 3;
    /// Bytes of statistics in a file: numbers of eight bytes.
    pub(super) const SIZE: usize = 8 * Self::NUMBERS;

    /// The numbers in file order. A missing one is `u64::MAX`.
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut numbers = Vec::new();
        for side in &self.sides {
            let counts =
                [side.wins, side.cursed_wins, side.draws, side.blessed_losses, side.losses];
            numbers.extend(counts);
            for longest in [side.longest_win, side.longest_loss, side.longest_zeroing] {
                let (plies, index) = longest
                    .map_or((u64::MAX, u64::MAX), |(plies, index)| (u64::from(plies), index));
                numbers.extend([plies, index]);
            }
        }
        numbers.extend([self.zugzwangs, self.full_zugzwangs, self.zugzwang.unwrap_or(u64::MAX)]);
        numbers.into_iter().flat_map(u64::to_le_bytes).collect()
    }

    pub(super) fn from_bytes(bytes: &[u8; Self::SIZE]) -> Statistics {
        let mut numbers = bytes.as_chunks().0.iter().map(|&number| u64::from_le_bytes(number));
        let mut next = || numbers.next().unwrap_or(u64::MAX);
        let sides = [(); 2].map(|()| {
            let [wins, cursed_wins, draws, blessed_losses, losses] = [(); 5].map(|()| next());
            let [longest_win, longest_loss, longest_zeroing] = [(); 3].map(|()| {
                let (plies, index) = (next(), next());
                u16::try_from(plies).ok().map(|plies| (plies, index))
            });
            SideStatistics {
                wins,
                cursed_wins,
                draws,
                blessed_losses,
                losses,
                longest_win,
                longest_loss,
                longest_zeroing,
            }
        });
        let (zugzwangs, full_zugzwangs) = (next(), next());
        let zugzwang = Some(next()).filter(|&index| index != u64::MAX);
        Statistics { sides, zugzwangs, zugzwang, full_zugzwangs }
    }

    /// Adds those of positions with higher indices.
    pub(crate) fn add(&mut self, more: &Statistics) {
        for (side, more) in self.sides.iter_mut().zip(&more.sides) {
            side.wins += more.wins;
            side.cursed_wins += more.cursed_wins;
            side.draws += more.draws;
            side.blessed_losses += more.blessed_losses;
            side.losses += more.losses;
            keep_longer(&mut side.longest_win, more.longest_win);
            keep_longer(&mut side.longest_loss, more.longest_loss);
            keep_longer(&mut side.longest_zeroing, more.longest_zeroing);
        }
        if self.zugzwang.is_none() || self.full_zugzwangs == 0 && more.full_zugzwangs > 0 {
            self.zugzwang = more.zugzwang.or(self.zugzwang);
        }
        self.zugzwangs += more.zugzwangs;
        self.full_zugzwangs += more.full_zugzwangs;
    }

    /// Removes the distances to mate, which results do not tell.
    pub(crate) fn forget_distances_to_mate(&mut self) {
        for side in &mut self.sides {
            (side.longest_win, side.longest_loss) = (None, None);
        }
    }

    /// Counts a position if it is a mutual zugzwang, from its results with White and with Black to
    /// move.
    pub(crate) fn count_zugzwang(
        &mut self,
        [white, black]: [Cell; 2],
        weight: u64,
        index: impl Fn() -> u64,
    ) {
        let (white, black) = (white.rank().signum(), black.rank().signum());
        if white < -black {
            self.zugzwangs += weight;
            let is_full = white < 0 && black < 0;
            let is_better = is_full && self.full_zugzwangs == 0;
            self.full_zugzwangs += if is_full { weight } else { 0 };
            if is_better || self.zugzwang.is_none() {
                self.zugzwang = Some(index());
            }
        }
    }
}

/// Keeps the longer of two distances; of equals, the first.
pub(crate) fn keep_longer(longest: &mut Option<(u16, u64)>, more: Option<(u16, u64)>) {
    if more.map(|it| it.0) > longest.map(|it| it.0) {
        *longest = more;
    }
}

impl SideStatistics {
    /// The counter of positions with this result.
    pub(crate) const fn count_of(&mut self, result: TableResult) -> &mut u64 {
        match result {
            TableResult::Win => &mut self.wins,
            TableResult::CursedWin => &mut self.cursed_wins,
            TableResult::Draw => &mut self.draws,
            TableResult::BlessedLoss => &mut self.blessed_losses,
            TableResult::Loss => &mut self.losses,
        }
    }

    /// Counts a position that represents `weight` positions. Without `dtz`, the distance to zeroing
    /// is counted elsewhere.
    pub(crate) fn count(
        &mut self,
        dtm: Cell,
        dtz: Option<u16>,
        weight: u64,
        index: impl Fn() -> u64,
    ) {
        let is_late = dtz.is_some_and(|plies| plies > DRAWING_PLIES);
        *self.count_of(dtm.result(is_late).unwrap_or(TableResult::Draw)) += weight;
        let longest = match dtm {
            cell if cell.is_win() => &mut self.longest_win,
            cell if cell.is_loss() => &mut self.longest_loss,
            _ => return,
        };
        let lengths = [(longest, Some(dtm.plies())), (&mut self.longest_zeroing, dtz)];
        for (longest, plies) in lengths {
            if plies > longest.map(|(known, _)| known) {
                *longest = plies.map(|plies| (plies, index()));
            }
        }
    }
}
