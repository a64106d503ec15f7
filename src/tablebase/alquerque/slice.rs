//! The positions of one rank profile.

use qirkat_rules::alquerque::Position;

use super::ranks::{Board, Profile, View};
use crate::cell::Cell;

/// Neither side wins.
pub const DRAWN: u8 = u8::MAX;

/// The result that a distance stands for. Odd ones are won for the side to move.
pub const fn cell_of(distance: u8) -> Cell {
    match distance {
        DRAWN => Cell::DRAW,
        plies if plies % 2 == 1 => Cell::win(plies as u16),
        plies => Cell::loss(plies as u16),
    }
}

/// The distance where a side has no man left: who has to move then has lost, or has won, unless
/// it cannot move.
pub fn distance_without_men(position: &Position) -> Option<u8> {
    let side = position.side_to_move();
    if position.men(side).is_empty() {
        Some(0)
    } else if position.men(!side).is_empty() {
        Some(u8::from(position.has_legal_moves()))
    } else {
        None
    }
}

/// The distances of some of the boards of a rank profile, one after another by their numbers,
/// each with its positions by the numbers of their forbidden steps.
#[derive(PartialEq, Eq, Debug)]
pub struct Slice {
    /// The number of its first board.
    first: usize,
    /// Where the positions of each board begin. One without a number of its own has none.
    boards: Vec<u32>,
    /// In how many plies each position ends, or [`DRAWN`].
    pub distances: Vec<u8>,
}

impl Slice {
    /// The positions of these boards, all of one distance. Below 2³² there are room for all of
    /// a profile of ten men.
    pub fn new(profile: &Profile, boards: std::ops::Range<usize>, distance: u8) -> Slice {
        let first = boards.start;
        let mut count = 0;
        let boards = boards.map(|number| {
            let start = count;
            let board = profile.board(number);
            if board.is_numbered() {
                count += board.extent().into_iter().product::<usize>() as u32;
            }
            start
        });
        let boards = boards.collect();
        Slice { first, boards, distances: vec![distance; count as usize] }
    }

    /// Where the positions of a board begin.
    pub fn start(&self, board: usize) -> usize {
        self.boards.get(board.wrapping_sub(self.first)).map_or(usize::MAX, |&start| start as usize)
    }

    /// The place of a position.
    #[inline]
    pub fn place(&self, view: &View) -> usize {
        self.start(view.board()).saturating_add(view.steps())
    }

    /// The distance of a position; [`DRAWN`] where neither side wins.
    #[inline]
    pub fn distance(&self, view: &View) -> u8 {
        self.distances.get(self.place(view)).copied().unwrap_or(DRAWN)
    }

    /// The distance of a numbered board without forbidden steps.
    pub fn of_board(&self, board: Board) -> u8 {
        self.distances.get(self.start(board.number())).copied().unwrap_or(DRAWN)
    }

    /// The distances of some of the boards.
    pub fn part(&self, boards: &std::ops::Range<usize>) -> &[u8] {
        let all = self.distances.len();
        let [start, end] = [boards.start, boards.end].map(|board| self.start(board).min(all));
        &self.distances[start..end]
    }

    /// Bytes that it takes in memory.
    pub fn bytes(&self) -> usize {
        self.boards.len() * size_of::<u32>() + self.distances.len()
    }
}
