//! Bounds that known cells set to others, by the moves that join them.
//!
//! White's result is the best that its moves lead to. So whatever the walker can go to from
//! a cell is no better for White than that cell is, and a cell from which it goes to the same
//! points can be no better than the best of these bounds. What Black's king can step to
//! bounds the points in the same way. In retrograde analysis such bounds are exact once all
//! is known; here they are the best guess there is while only some cells are.

use qirkat_rules::chess::Square;

use crate::chess_game::ChessTableGame;

/// A result as a number that is the lower, the better it is for White: wins by their
/// distance, then draws, then losses, the longest first. Zero is nothing known.
pub type Rank = u16;

const DRAW: Rank = 1 << 14;
/// Where a loss at once would rank.
const LOST: Rank = 1 << 15;
/// A reply and a move later.
const ROUND: Rank = 2;

/// The rank of a number for a distance to mate.
#[inline]
pub const fn rank_of(number: u16) -> Rank {
    match number {
        0 => DRAW,
        number if number % 2 == 0 => number,
        number => LOST - number,
    }
}

/// The number for a distance that a rank stands for.
#[inline]
pub const fn number_of(rank: Rank) -> u16 {
    match rank {
        DRAW => 0,
        rank if rank < DRAW => rank,
        rank => LOST - rank,
    }
}

/// The rank of a win or loss in this many plies to zeroing, with its number for the distance
/// to mate.
#[inline]
pub const fn rank_of_zeroing(dtm: u16, plies: u16) -> Rank {
    match dtm {
        0 => DRAW,
        dtm if dtm % 2 == 0 => plies + 1,
        _ => LOST - plies,
    }
}

/// The plies to zeroing of a rank, if it is of the same kind as a number for a distance to
/// mate.
#[inline]
pub const fn plies_of(rank: Rank, dtm: u16) -> Option<u16> {
    match rank {
        0 | DRAW => None,
        rank if rank < DRAW && dtm.is_multiple_of(2) => Some(rank - 1),
        rank if rank > DRAW && !dtm.is_multiple_of(2) => Some(LOST - rank),
        _ => None,
    }
}

/// The rank of the same a reply and a move earlier.
#[inline]
const fn earlier(rank: Rank) -> Rank {
    match rank {
        DRAW => DRAW,
        rank if rank < DRAW => rank + ROUND,
        rank => rank - ROUND,
    }
}

/// How far a bound can be trusted: sixteen kinds.
pub type Trust = u8;

/// For each point that the walker can go to, what is known of the position with it there and
/// Black to move: White gets no more than this.
pub struct Bounds(Vec<Rank>);

impl Bounds {
    /// Nothing is known of this many points.
    pub fn new(points: usize) -> Bounds {
        Bounds(vec![0; points])
    }

    /// Nothing is known any more.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// A reply leads from a point to a cell of this rank.
    #[inline]
    pub fn reply(&mut self, point: usize, rank: Rank) {
        self.0[point] = self.0[point].max(earlier(rank));
    }

    /// A cell from which the walker goes to these points has this rank.
    #[inline]
    pub fn note<G: ChessTableGame>(&mut self, targets: G::Bitboard, rank: Rank) {
        for to in targets {
            let bound = &mut self.0[to.index()];
            *bound = (*bound).max(rank);
        }
    }

    /// The best of the bounds of these points, zero if none is known, and how far it can be
    /// trusted: by how many are unknown, and how many give it.
    #[inline]
    pub fn best<G: ChessTableGame>(&self, targets: G::Bitboard) -> (Rank, Trust) {
        let mut best = Rank::MAX;
        let (mut unknown, mut agreeing) = (0u32, 0u8);
        for to in targets {
            match self.0[to.index()] {
                0 => unknown += 1,
                bound if bound < best => (best, agreeing) = (bound, 1),
                bound => agreeing += u8::from(bound == best),
            }
        }
        let unknown: u8 = match unknown {
            0 => 0,
            1 | 2 => 1,
            3..=5 => 2,
            _ => 3,
        };
        let best = if best == Rank::MAX { 0 } else { best };
        (best, unknown * 4 + agreeing.min(3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_in_order_and_lead_back() {
        let win = |plies: u16| rank_of(plies + 1);
        assert!(win(1) < win(31) && win(31) < rank_of(0));
        let loss = |plies: u16| rank_of(plies + 1);
        assert!(rank_of(0) < loss(40) && loss(40) < loss(2) && loss(2) < loss(0));
        for number in 0..4000 {
            assert_eq!(number_of(rank_of(number)), number);
            if number > 1 {
                let rank = rank_of_zeroing(number, 17);
                assert_eq!(plies_of(rank, number), Some(17));
                assert_eq!(plies_of(rank, number ^ 1), None);
            }
        }
        assert_eq!(number_of(earlier(rank_of(8))), 10);
        assert_eq!(number_of(earlier(rank_of(9))), 11);
        assert_eq!(earlier(rank_of(0)), rank_of(0));
    }
}
