//! Codes a grid in which Black has a lone king, distance by distance instead of cell by cell.
//!
//! Distances are found in the order of retrograde analysis, the shortest first. With Black to move,
//! a position is lost if all replies lose, and these are in the same [`Grid`]; then every position
//! from which the attacker can move there is won. So five of six wins follow from shorter ones and
//! need not be coded. For each of the others, in which another piece wins, it is coded at each
//! distance whether it is won now, predicted from the states of its neighbours so far
//! ([`ContextModel`]).

use qirkat_rules::chess::{ChessPosition, Square, SquareSet};

use super::cell_coder::{KnownDistances, Numbers};
use super::context_model::{CONTEXTS, ContextModel, hash};
use super::grids::{Grid, king_steps};
use super::range_coder::RangeCoder;
use crate::chess_game::{ChessBoardGame, points};

#[derive(Clone, Copy)]
pub enum Measure<'a> {
    Mate,
    /// Distances to zeroing, with the numbers for distances to mate.
    Zeroing(&'a Numbers),
}

// The states of a neighbour.
const NO_CELL: u8 = 0; // Not stored.
const OPEN: u8 = 1; // Not known.
const IMPLIED: u8 = 2; // Won by retrograde analysis.
const CODED: u8 = 3; // Won as coded.
const LAST_DISTANCE: u8 = 4; // Won at the previous distance.
const EARLIER: u8 = 5; // Won before.

// Where the contexts of decisions coded by `code_plain` begin; `code_is_won` uses those below.
const CONTINUES: usize = 1024;
const CAPTURES_LOSE: usize = 1536;

/// A cell: the points of the attacker and of Black's king.
type Points<G> = (<G as ChessPosition>::Square, <G as ChessPosition>::Square);

pub struct RetrogradeCoder<'a, 'b, G: ChessBoardGame> {
    grid: &'a Grid<G>,
    measure: Measure<'a>,
    model: &'a mut ContextModel,
    coder: &'a mut RangeCoder<'b>,
    known: &'a KnownDistances<'a>,
    limit: u16,
    /// The state of each cell, with a margin around the board.
    states: Vec<u8>,
    open: Vec<G::Bitboard>,
    /// Cells whose distances are known, and the positions with Black to move in which all replies
    /// were found to lose (a capture may still save Black).
    found: Vec<G::Bitboard>,
    lost: Vec<G::Bitboard>,
    /// Cells of this distance and of the previous one.
    found_now: Vec<Points<G>>,
    found_before: Vec<Points<G>>,
    /// Positions with Black to move that are lost in one ply less than the next distance; `follow`
    /// takes back the attacker's moves to them.
    ready: Vec<Points<G>>,
    /// The same for the distance after that.
    ready_later: Vec<Points<G>>,
    plies: Vec<u16>,
}

impl<'a, 'b, G: ChessBoardGame> RetrogradeCoder<'a, 'b, G> {
    /// Points of a rank, and of the board, with a margin.
    const RANK_STRIDE: usize = G::Square::FILES as usize + 2;
    const BOARD_SIZE: usize = Self::RANK_STRIDE * (G::Square::RANKS as usize + 2);

    /// The index of a cell in `states`.
    #[inline]
    fn index_of(attacker: G::Square, lone: G::Square) -> usize {
        let square = |point: G::Square| {
            (usize::from(point.rank()) + 1) * Self::RANK_STRIDE + usize::from(point.file()) + 1
        };
        square(attacker) * Self::BOARD_SIZE + square(lone)
    }

    pub fn new(
        grid: &'a Grid<G>,
        measure: Measure<'a>,
        model: &'a mut ContextModel,
        coder: &'a mut RangeCoder<'b>,
        known: &'a KnownDistances<'a>,
        is_wide: bool,
    ) -> Self {
        let nothing = || vec![G::Bitboard::EMPTY; G::Square::COUNT];
        let mut states = vec![NO_CELL; Self::BOARD_SIZE * Self::BOARD_SIZE];
        let mut open = nothing();
        for attacker in points::<G>() {
            for lone in grid.stored(attacker.index()) {
                let is_won = match measure {
                    Measure::Mate => true,
                    Measure::Zeroing(dtm) => dtm.get(grid.cell(attacker, lone)) > 0,
                };
                if is_won {
                    open[attacker.index()] |= G::Bitboard::of(lone);
                    states[Self::index_of(attacker, lone)] = OPEN;
                }
            }
        }
        RetrogradeCoder {
            grid,
            measure,
            model,
            coder,
            known,
            limit: if is_wide { 0xFFF } else { 254 },
            states,
            open,
            found: nothing(),
            lost: nothing(),
            found_now: Vec::new(),
            found_before: Vec::new(),
            ready: Vec::new(),
            ready_later: Vec::new(),
            plies: vec![0; G::Square::COUNT * G::Square::COUNT],
        }
    }

    /// The plies in which White wins, for each cell; zero if it does not.
    pub fn code_all(mut self) -> Vec<u16> {
        let step = match self.measure {
            Measure::Mate => 2,
            Measure::Zeroing(_) => 1,
        };
        self.find_known();
        let mut plies = 1;
        while plies <= self.limit && self.continues(plies) {
            self.follow(plies);
            self.code_distance(plies);
            self.find_lost(plies);
            plies += step;
        }
        self.plies
    }

    /// The plies in which White wins; zero if it does not.
    #[inline]
    fn wins_in(&self, attacker: G::Square, lone: G::Square) -> u16 {
        let number = self.known.number(self.grid.cell(attacker, lone));
        match self.measure {
            Measure::Mate => number.saturating_sub(1),
            Measure::Zeroing(_) => number,
        }
    }

    fn continues(&mut self, plies: u16) -> bool {
        let is_open = self.open.iter().any(|lone| lone.any());
        if !is_open || matches!(self.measure, Measure::Zeroing(_)) {
            return is_open;
        }
        let continues = points::<G>().any(|attacker| {
            let is_won = |lone: G::Square| self.wins_in(attacker, lone) >= plies;
            self.open[attacker.index()].into_iter().any(is_won)
        });
        let context =
            CONTINUES + usize::from(plies.min(255)) * 2 + usize::from(self.ready.is_empty());
        self.model.code_plain(self.coder, context, continues)
    }

    /// Finds all that is known before anything is coded: mates, and forced captures.
    fn find_known(&mut self) {
        for attacker in points::<G>().filter(|&attacker| !self.grid.occupied.contains(attacker)) {
            for lone in points::<G>() {
                if !self.grid.can_stand(attacker, lone) || self.grid.replies(attacker, lone).any() {
                    continue;
                }
                let has_captures = self.grid.captures(attacker, lone).any();
                match self.measure {
                    Measure::Mate => {
                        if !has_captures && self.grid.checks_black(attacker, lone) {
                            self.ready.push((attacker, lone));
                        }
                    }
                    Measure::Zeroing(_) => {
                        if has_captures && self.captures_lose(attacker, lone, 1) {
                            self.ready_later.push((attacker, lone));
                        }
                    }
                }
            }
        }
        if let Measure::Zeroing(dtm) = self.measure {
            for attacker in points::<G>() {
                for lone in self.open[attacker.index()] {
                    if dtm.get(self.grid.cell(attacker, lone)) == 2 {
                        self.mark_won(attacker, lone, 1, IMPLIED);
                    }
                }
            }
        }
    }

    #[inline]
    fn mark_won(&mut self, attacker: G::Square, lone: G::Square, plies: u16, state: u8) {
        self.open[attacker.index()] ^= G::Bitboard::of(lone);
        self.found[attacker.index()] |= G::Bitboard::of(lone);
        self.states[Self::index_of(attacker, lone)] = state;
        self.plies[self.grid.cell(attacker, lone)] = plies;
        self.found_now.push((attacker, lone));
    }

    /// Marks as won all cells from which the attacker can move to a lost position.
    fn follow(&mut self, plies: u16) {
        let ready = std::mem::take(&mut self.ready);
        for &(attacker, lone) in &ready {
            for from in self.grid.attacker_moves(attacker, lone) {
                if self.open[from.index()].contains(lone) {
                    self.mark_won(from, lone, plies, IMPLIED);
                }
            }
        }
        self.ready = ready;
        self.ready.clear();
        std::mem::swap(&mut self.ready, &mut self.ready_later);
    }

    /// Codes for each remaining cell whether it is won at this distance.
    fn code_distance(&mut self, plies: u16) {
        for attacker in points::<G>() {
            for lone in self.open[attacker.index()] {
                if self.code_is_won(attacker, lone, plies) {
                    self.mark_won(attacker, lone, plies, CODED);
                }
            }
        }
    }

    #[inline]
    fn code_is_won(&mut self, attacker: G::Square, lone: G::Square, plies: u16) -> bool {
        let is_it = self.wins_in(attacker, lone) == plies;
        let index = Self::index_of(attacker, lone);
        let state = |index: usize| u64::from(self.states[index]);
        // The states at these two offsets, backwards and forwards.
        let four = |one: usize, other: usize| {
            [state(index - one), state(index + one), state(index - other), state(index + other)]
        };
        let orthogonal = |by: usize| four(by, by * Self::RANK_STRIDE);
        let diagonal = |by: usize| four(by * (Self::RANK_STRIDE - 1), by * (Self::RANK_STRIDE + 1));
        let (attacker_moves, steps) = (orthogonal(Self::BOARD_SIZE), orthogonal(1));
        let near = attacker_moves.iter().chain(&steps).filter(|&&it| it > u64::from(OPEN)).count();
        let replies = self.grid.replies(attacker, lone).len().min(7);
        let has_captures = self.grid.captures(attacker, lone).any();
        let way_out = u64::from(replies << 1) | u64::from(has_captures);
        let plies_left = match self.measure {
            Measure::Mate => 0,
            Measure::Zeroing(dtm) => {
                let mate = u64::from(dtm.get(self.grid.cell(attacker, lone)) - 1);
                (mate + 2).saturating_sub(u64::from(plies)).min(15)
            }
        };
        let distance = u64::from(plies.min(63));
        if near == 0 {
            let context =
                (distance.min(15) << 4 | way_out) as usize + (plies_left.min(3) << 8) as usize;
            return self.model.code_plain(self.coder, context, is_it);
        }
        let join = |start: u64, states: &[u64]| states.iter().fold(start, |all, it| all * 6 + it);
        let (attacker_index, lone_index) = (attacker.index() as u64, lone.index() as u64);
        // Even for diagonal points, odd for plain ones.
        let parities = (attacker_index % 2) * 2 + lone_index % 2;
        let (diagonal_moves, diagonal_steps) = (diagonal(Self::BOARD_SIZE), diagonal(1));
        let contexts: [u64; CONTEXTS] = [
            hash(hash(join(join(0, &attacker_moves), &steps[..2]), parities), plies_left),
            hash(hash(join(join(0, &steps), &attacker_moves[..2]), distance), plies_left),
            hash(hash(join(join(0, &attacker_moves), &diagonal_moves), attacker_index), plies_left),
            hash(hash(join(join(0, &steps), &diagonal_steps), lone_index), plies_left),
            hash(hash(way_out, distance), plies_left << 8 | near as u64),
            hash(
                hash(join(0, &[attacker_moves[0], attacker_moves[2], steps[0], steps[2]]), way_out),
                plies_left << 8 | parities,
            ),
            hash(
                hash(
                    join(0, &[attacker_moves[1], attacker_moves[3], steps[1], steps[3]]),
                    attacker_index,
                ),
                plies_left << 8 | distance,
            ),
        ];
        self.model.code(self.coder, &contexts, near * 16 + plies.min(15) as usize, is_it)
    }

    /// Finds the positions with Black to move that are lost now that this distance is coded.
    fn find_lost(&mut self, plies: u16) {
        let mut now = std::mem::take(&mut self.found_now);
        let mut changed = vec![G::Bitboard::EMPTY; G::Square::COUNT];
        for &(attacker, lone) in &now {
            changed[attacker.index()] |= king_steps::<G>(lone);
        }
        for attacker in points::<G>() {
            for lone in changed[attacker.index()] & !self.lost[attacker.index()] {
                let left = self.grid.replies(attacker, lone) & !self.found[attacker.index()];
                if left.any() || !self.grid.can_stand(attacker, lone) {
                    continue;
                }
                self.lost[attacker.index()] |= G::Bitboard::of(lone);
                let has_captures = self.grid.captures(attacker, lone).any();
                let is_lost = match self.measure {
                    Measure::Mate => !has_captures,
                    Measure::Zeroing(_) => {
                        !has_captures || self.captures_lose(attacker, lone, plies + 1)
                    }
                };
                if is_lost {
                    match self.measure {
                        Measure::Mate => self.ready.push((attacker, lone)),
                        // The next distance is that of Black's reply.
                        Measure::Zeroing(_) => self.ready_later.push((attacker, lone)),
                    }
                }
            }
        }
        for (attacker, lone) in self.found_before.drain(..) {
            self.states[Self::index_of(attacker, lone)] = EARLIER;
        }
        for &(attacker, lone) in &now {
            self.states[Self::index_of(attacker, lone)] = LAST_DISTANCE;
        }
        std::mem::swap(&mut self.found_before, &mut now);
        self.found_now = now;
    }

    fn captures_lose(&mut self, attacker: G::Square, lone: G::Square, plies: u16) -> bool {
        let lose = self.known.loses_in(self.grid.cell(attacker, lone)) == Some(plies);
        let context = CAPTURES_LOSE
            + usize::from(plies.min(31)) * 8
            + self.grid.captures(attacker, lone).len().min(3) as usize * 2
            + usize::from(self.grid.checks_black(attacker, lone));
        self.model.code_plain(self.coder, context, lose)
    }
}
