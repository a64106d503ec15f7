//! How well moves have done so far, learned while searching: the history
//! heuristic (J. Schaeffer, "The History Heuristic and Alpha-Beta Search
//! Enhancements in Practice", 1989), by move, by capture and by the moves
//! before ("continuation history").

use super::huge_pages;
use crate::position::{Color, Move, PieceKind, Point, Position};

/// Entries stay within this on either side of zero.
const MOST: i32 = 16_384;

/// Moves an entry towards a bound; the nearer it is, the less ("gravity"), so
/// that surprises count for more than confirmations.
#[inline]
pub(super) fn learn(entry: &mut i16, bonus: i32, most: i32) {
    let bonus = bonus.clamp(-most, most);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / most) as i16;
}

/// A man of a side that has gone to a point: all that is remembered of a move
/// when later moves are looked up by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arrival(u16);

impl Arrival {
    /// Arrivals there are, none included.
    const COUNT: usize = 2 * PieceKind::COUNT * Point::COUNT + 1;
    /// No move, or a null move.
    pub const NONE: Arrival = Arrival(Self::COUNT as u16 - 1);

    #[inline]
    pub fn new(color: Color, kind: PieceKind, to: Point) -> Arrival {
        let piece = color.index() * PieceKind::COUNT + kind.index();
        Arrival((piece * Point::COUNT + to.index()) as u16)
    }

    /// What the move does here.
    #[inline]
    pub fn of(position: &Position, mv: Move) -> Arrival {
        match position.kind_on(mv.from) {
            Some(kind) => Arrival::new(position.side_to_move(), kind, mv.to),
            None => Arrival::NONE,
        }
    }

    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// A table of one number for each pair of arrivals.
    pub fn pair_table() -> Box<[i16]> {
        let table = vec![0; Self::COUNT * Self::COUNT].into_boxed_slice();
        huge_pages::prefer(&table);
        table
    }

    #[inline]
    pub fn pair_index(self, next: Arrival) -> usize {
        self.index() * Self::COUNT + next.index()
    }
}

/// The moves one, two and four plies before, by which the next are judged.
pub(super) type MovesBefore = [Arrival; 3];

/// What one thread has learned about moves.
pub(super) struct MoveHistory {
    /// By side, from and to.
    quiet: Box<[i16]>,
    /// By arrival and what was captured.
    noisy: Box<[i16]>,
    /// By an arrival and the one that followed it.
    continuation: Box<[i16]>,
}

/// Kinds of prey, none (a promotion) included.
const PREYS: usize = PieceKind::COUNT;

#[inline]
fn quiet_index(side: Color, mv: Move) -> usize {
    (side.index() * Point::COUNT + mv.from.index()) * Point::COUNT + mv.to.index()
}

#[inline]
fn noisy_index(position: &Position, mv: Move) -> usize {
    // Kings are never captured, so theirs is the place of no prey.
    let prey = position.captured(mv).unwrap_or(PieceKind::King);
    Arrival::of(position, mv).index() * PREYS + prey.index()
}

impl MoveHistory {
    pub fn new() -> MoveHistory {
        let table = |size: usize| vec![0; size].into_boxed_slice();
        MoveHistory {
            quiet: table(2 * Point::COUNT * Point::COUNT),
            noisy: table(Arrival::COUNT * PREYS),
            continuation: Arrival::pair_table(),
        }
    }

    pub fn forget(&mut self) {
        self.quiet.fill(0);
        self.noisy.fill(0);
        self.continuation.fill(0);
    }

    /// How well a quiet move has done, after these moves.
    #[inline]
    pub fn quiet(&self, position: &Position, mv: Move, before: &MovesBefore) -> i32 {
        let arrival = Arrival::of(position, mv);
        let followed: i32 = before
            .iter()
            .map(|before| i32::from(self.continuation[before.pair_index(arrival)]))
            .sum();
        i32::from(self.quiet[quiet_index(position.side_to_move(), mv)]) + followed
    }

    /// How well a capture or promotion has done.
    #[inline]
    pub fn noisy(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.noisy[noisy_index(position, mv)])
    }

    pub fn learn_quiet(&mut self, position: &Position, mv: Move, before: &MovesBefore, bonus: i32) {
        learn(&mut self.quiet[quiet_index(position.side_to_move(), mv)], bonus, MOST);
        let arrival = Arrival::of(position, mv);
        for earlier in before.iter().filter(|&&earlier| earlier != Arrival::NONE) {
            learn(&mut self.continuation[earlier.pair_index(arrival)], bonus, MOST);
        }
    }

    pub fn learn_noisy(&mut self, position: &Position, mv: Move, bonus: i32) {
        learn(&mut self.noisy[noisy_index(position, mv)], bonus, MOST);
    }
}
