//! The search stack: the notes at each ply of the current path.

use std::ops::{Index, IndexMut};

use super::history::{MovesBefore, PieceTo};
use qirkat_game::distance::{MAX_PLY, Ply};
use qirkat_game::score::Score;

/// The stack of a thread that searches. Deep enough for the deepest line: a
/// node takes about 1.2 kB of the stack in a release build, and up to four of
/// them share a ply (singular extension, null move and its verification), so
/// that 128 plies stay below a megabyte.
pub const SEARCH_STACK_BYTES: usize = 4 << 20;

/// Notes at one ply.
#[derive(Clone, Copy)]
pub(super) struct Frame<M> {
    /// Whether the side to move must respond to a threat: see
    /// [`Searchable::must_respond`](qirkat_game::Searchable::must_respond).
    pub must_respond: bool,
    /// The corrected static evaluation; none where the side must respond.
    pub evaluation: Option<Score>,
    /// The move that leads on from here.
    pub piece_to: PieceTo,
    /// The excluded move, while a search tests whether it is singular.
    pub excluded: Option<M>,
    /// Beta cutoffs at this ply since the node two plies before began.
    pub cutoffs: u32,
}

/// Plies before the root that may be read.
const BEFORE: usize = 4;
/// Plies after the last that may be written to.
const AFTER: usize = 4;

/// The frames of all plies, with room on both ends, so that nobody has to
/// check whether there is a ply before.
pub(super) struct Stack<M> {
    frames: [Frame<M>; BEFORE + MAX_PLY as usize + AFTER],
}

impl<M: Copy> Stack<M> {
    pub fn new() -> Stack<M> {
        let empty = Frame {
            must_respond: false,
            evaluation: None,
            piece_to: PieceTo::NONE,
            excluded: None,
            cutoffs: 0,
        };
        Stack { frames: [empty; BEFORE + MAX_PLY as usize + AFTER] }
    }

    /// The notes of some plies before; at most four.
    #[inline]
    pub fn before(&self, ply: Ply, plies: usize) -> &Frame<M> {
        &self.frames[BEFORE + ply.index() - plies]
    }

    /// The notes of some plies later; at most four.
    #[inline]
    pub fn after(&mut self, ply: Ply, plies: usize) -> &mut Frame<M> {
        &mut self.frames[BEFORE + ply.index() + plies]
    }

    /// The moves that continuation history at this ply goes by.
    #[inline]
    pub fn moves_before(&self, ply: Ply) -> MovesBefore {
        [1, 2, 4].map(|plies| self.before(ply, plies).piece_to)
    }

    /// Whether the static evaluation has risen since the side's last turn.
    #[inline]
    pub fn is_improving(&self, ply: Ply) -> bool {
        let Some(now) = self[ply].evaluation else { return false };
        let earlier = self.before(ply, 2).evaluation.or(self.before(ply, 4).evaluation);
        earlier.is_none_or(|earlier| now > earlier)
    }
}

impl<M: Copy> Index<Ply> for Stack<M> {
    type Output = Frame<M>;

    #[inline]
    fn index(&self, ply: Ply) -> &Frame<M> {
        self.before(ply, 0)
    }
}

impl<M: Copy> IndexMut<Ply> for Stack<M> {
    #[inline]
    fn index_mut(&mut self, ply: Ply) -> &mut Frame<M> {
        self.after(ply, 0)
    }
}
