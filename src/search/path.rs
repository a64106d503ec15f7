//! The path from the root to the current node, and what is known along it.

use super::history::PieceTo;
use super::picker::MoveStack;
use super::principal::PrincipalVariation;
use super::stack::Stack;
use super::table_access::TableAccess;
use qirkat_game::distance::Ply;
use qirkat_game::{Game, GameHistory, Terminal};

/// Where a thread is in the tree.
pub(super) struct Path<G: Game> {
    pub stack: Stack<G::Move>,
    /// The game so far, and the path from the root.
    pub history: GameHistory,
    pub principal: PrincipalVariation<G>,
    /// The moves of the nodes on the path, as far as they are generated.
    pub moves: MoveStack<G::Move>,
    /// Before this ply no null move is tried.
    pub null_move_from: Ply,
}

impl<G: Game> Path<G> {
    pub fn new(root: &G, history: &GameHistory) -> Path<G> {
        let mut stack = Stack::new();
        stack[Ply::ROOT].must_respond = root.must_respond();
        Path {
            stack,
            history: history.clone(),
            principal: PrincipalVariation::new(),
            moves: MoveStack::new(),
            null_move_from: Ply::ROOT,
        }
    }

    /// Makes a move on `next`, a copy of the position, and notes it. The caller copies,
    /// since a position that is returned would be copied once more. [`Path::leave`] must
    /// follow when it has been searched.
    #[inline]
    pub fn enter(
        &mut self,
        position: &G,
        ply: Ply,
        mv: G::Move,
        next: &mut G,
        table: TableAccess<'_>,
    ) {
        next.make(mv);
        table.prefetch(next);
        self.stack[ply].piece_to = PieceTo::of(position, mv);
        self.stack.after(ply, 1).must_respond = next.must_respond();
        self.history.push(position);
    }

    /// Notes a null move that leads to `next`.
    #[inline]
    pub fn enter_null(&mut self, position: &G, ply: Ply, next: &G) {
        self.stack[ply].piece_to = PieceTo::NONE;
        self.stack.after(ply, 1).must_respond = next.must_respond();
        self.history.push(position);
    }

    /// Goes back by one move.
    #[inline]
    pub fn leave(&mut self) {
        self.history.pop();
    }

    /// Whether the position is drawn by rule, where it is not at the root.
    #[inline]
    pub fn is_draw(&self, position: &G, ply: Ply) -> bool {
        is_drawn_by_rule(position, &self.history, ply)
    }
}

/// Whether a position that a search has come to is dead, repeated, or drawn by
/// the number of reversible plies without being lost.
///
/// One repetition is enough within the searched path, since what was possible
/// once is possible again; positions before the root have to come for the third
/// time.
#[inline]
pub(super) fn is_drawn_by_rule<G: Game>(position: &G, history: &GameHistory, ply: Ply) -> bool {
    if position.is_dead() {
        return true;
    }
    if position.is_clock_drawn() {
        return position.without_moves() == Terminal::Drawn || position.has_legal_moves();
    }
    let mut repetitions = history.repetitions(position);
    repetitions
        .next()
        .is_some_and(|distance| distance < ply.index() || repetitions.next().is_some())
}
