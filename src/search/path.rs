//! The path from the root to the current node, with the notes along it.

use arrayvec::ArrayVec;

use super::history::PieceTo;
use super::picker::MoveStack;
use super::stack::Stack;
use qirkat_game::distance::{MAX_PLY, Ply};
use qirkat_game::{GameHistory, Searchable, Terminal};

/// Where a thread is in the tree.
pub(super) struct Path<G: Searchable> {
    pub stack: Stack<G::Move>,
    /// The game so far, and the path from the root.
    pub history: GameHistory,
    pub principal: PrincipalVariation<G>,
    /// The moves of the nodes on the path, as far as they are generated.
    pub moves: MoveStack<G::Move>,
    /// Before this ply no null move is tried.
    pub null_move_from: Ply,
}

impl<G: Searchable> Path<G> {
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

    /// Notes a move of this piece that leads to `next`; none is a null move.
    #[inline]
    pub fn enter(&mut self, position: &G, ply: Ply, piece_to: PieceTo, next: &G) {
        self.stack[ply].piece_to = piece_to;
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

type Line<M> = ArrayVec<M, { MAX_PLY as usize }>;

/// The principal variation, kept as a triangle: the best line found below each ply of the
/// current path.
pub(super) struct PrincipalVariation<G: Searchable> {
    lines: Vec<Line<G::Move>>,
}

impl<G: Searchable> PrincipalVariation<G> {
    fn new() -> PrincipalVariation<G> {
        PrincipalVariation { lines: vec![Line::new(); usize::from(MAX_PLY) + 2] }
    }

    /// The best line from the root.
    pub fn root_line(&self) -> &[G::Move] {
        &self.lines[0]
    }

    /// No line is known from this ply on.
    #[inline]
    pub fn clear(&mut self, ply: Ply) {
        self.lines[ply.index()].clear();
    }

    /// The best line at this ply is the move and then the best line below.
    pub fn extend(&mut self, ply: Ply, mv: G::Move) {
        let (above, below) = self.lines.split_at_mut(ply.index() + 1);
        let (Some(line), Some(rest)) = (above.last_mut(), below.first()) else { return };
        line.clear();
        line.push(mv);
        line.extend(rest.iter().copied().take(usize::from(MAX_PLY) - 1));
    }
}

/// Whether a position that a search has come to is dead, repeated, or drawn by
/// the number of reversible plies without being lost.
///
/// One repetition is enough within the searched path, since what was possible
/// once is possible again; positions before the root have to come for the third
/// time.
#[inline]
pub(super) fn is_drawn_by_rule<G: Searchable>(
    position: &G,
    history: &GameHistory,
    ply: Ply,
) -> bool {
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
