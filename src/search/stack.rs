//! What a search notes at each ply of the path it is on.

use std::ops::{Index, IndexMut};

use super::history::{Arrival, MovesBefore};
use super::{Ply, Score};
use crate::distance::MAX_PLY;
use crate::position::Move;

/// Notes at one ply.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The corrected evaluation; nothing in check.
    pub evaluation: Option<Score>,
    /// The move that leads on from here.
    pub arrival: Arrival,
    /// A move left out, to see whether another is as good.
    pub excluded: Option<Move>,
    /// How many nodes at this ply have cut since the node two plies before began.
    pub cutoffs: u32,
}

const EMPTY: Frame =
    Frame { in_check: false, evaluation: None, arrival: Arrival::NONE, excluded: None, cutoffs: 0 };

/// Plies before the root that may be asked for.
const BEFORE: usize = 4;
/// Plies after the last that may be written to.
const AFTER: usize = 4;

/// The notes of all plies, with room on both ends, so that no one need ask
/// whether there is a ply before.
pub(super) struct Stack {
    frames: [Frame; BEFORE + MAX_PLY as usize + AFTER],
}

impl Stack {
    pub fn new() -> Stack {
        Stack { frames: [EMPTY; BEFORE + MAX_PLY as usize + AFTER] }
    }

    /// The notes of some plies before; at most four.
    #[inline]
    pub fn before(&self, ply: Ply, plies: usize) -> &Frame {
        &self.frames[BEFORE + ply.index() - plies]
    }

    /// The notes of some plies later; at most four.
    #[inline]
    pub fn after(&mut self, ply: Ply, plies: usize) -> &mut Frame {
        &mut self.frames[BEFORE + ply.index() + plies]
    }

    /// The moves by which those of this ply are judged.
    #[inline]
    pub fn moves_before(&self, ply: Ply) -> MovesBefore {
        [1, 2, 4].map(|plies| self.before(ply, plies).arrival)
    }

    /// Whether things go better for the side to move than at its last turn.
    #[inline]
    pub fn is_improving(&self, ply: Ply) -> bool {
        let Some(now) = self[ply].evaluation else { return false };
        let earlier = self.before(ply, 2).evaluation.or(self.before(ply, 4).evaluation);
        earlier.is_none_or(|earlier| now > earlier)
    }
}

impl Index<Ply> for Stack {
    type Output = Frame;

    #[inline]
    fn index(&self, ply: Ply) -> &Frame {
        self.before(ply, 0)
    }
}

impl IndexMut<Ply> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: Ply) -> &mut Frame {
        self.after(ply, 0)
    }
}
