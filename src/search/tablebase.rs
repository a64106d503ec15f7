//! What endgame tables know, in the search.
//!
//! In the tree a known position is a leaf: its score is exact. At the root the tables
//! answer by themselves where they know a win or a loss, with the shortest mate and the
//! whole line to it; where they know a draw, only the moves that keep it are searched,
//! since some are harder to meet than others.

use super::search_limits::SearchLimits;
use super::search_report::{Reporter, SearchLine, SearchResult};
use super::search_task::SearchTask;
use super::table_entry::Bound;
use super::worker::Worker;
use qirkat_game::distance::{Depth, MAX_PLY, Ply};
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, Game, KnownResult, Outcome, Rules, Tablebase};

impl<E: Evaluate> Worker<'_, E> {
    /// The score of a position that endgame tables know.
    #[inline]
    pub fn known_score(&self, position: &E::Game, ply: Ply) -> Option<Score> {
        let tables = self.task.tables?;
        if tables.may_know(position) { self.probe(tables, position, ply) } else { None }
    }

    /// Whether endgame tables know a position for a draw.
    pub fn is_table_draw(&self, position: &E::Game) -> bool {
        let tables = self.task.tables.filter(|tables| tables.may_know(position));
        tables.is_some_and(|tables| tables.known(position) == Some(KnownResult::Draw))
    }

    #[cold]
    fn probe(
        &self,
        tables: &dyn Tablebase<E::Game>,
        position: &E::Game,
        ply: Ply,
    ) -> Option<Score> {
        // A mate on the board is seen without a table, and counts more.
        let known = tables.known(position).filter(|known| *known != KnownResult::Loss(0))?;
        self.task.control.count_table_hit();
        Some(known.score_at(ply))
    }
}

/// What tables know of the root.
pub(super) enum RootKnowledge<G: Rules> {
    /// Nothing that spares the search.
    Nothing,
    /// A draw, kept by these moves only.
    Draw(Vec<G::Move>),
    /// All there is to know.
    Answer(SearchResult<G>),
}

/// Asks the tables at the root. Where they know a win or a loss, the lines are reported.
pub(super) fn probe_root<E: Evaluate>(
    task: &SearchTask<'_, E>,
    reporter: &mut dyn Reporter<E::Game>,
) -> RootKnowledge<E::Game> {
    let position = task.position;
    let Some(tables) = task.tables.filter(|tables| tables.may_know(position)) else {
        return RootKnowledge::Nothing;
    };
    let Some(mut moves) = tables.ranked_moves(position) else { return RootKnowledge::Nothing };
    let SearchLimits { search_moves, multi_pv, .. } = task.limits;
    moves.retain(|(mv, _)| search_moves.is_empty() || search_moves.contains(mv));
    note_draws(task, &mut moves);
    task.control.count_table_hit();
    let Some(&(best, known)) = moves.first() else { return RootKnowledge::Nothing };
    if known == KnownResult::Draw {
        // Who asks for several lines wants to see the others too.
        moves.retain(|(_, known)| *known == KnownResult::Draw || *multi_pv > 1);
        return RootKnowledge::Draw(moves.into_iter().map(|(mv, _)| mv).collect());
    }
    let mut ponder = None;
    for (rank, &(mv, known)) in moves.iter().enumerate().take((*multi_pv).max(1)) {
        let line = known_line(tables, position, mv, known);
        ponder = ponder.or(if rank == 0 { line.get(1).copied() } else { None });
        reporter.line(&SearchLine {
            depth: Depth(1),
            selective_depth: Ply(line.len() as u16),
            rank: rank + 1,
            score: known.root_score(),
            bound: Bound::Exact,
            nodes: moves.len() as u64,
            time: task.control.elapsed(),
            hashfull: task.table.hashfull(),
            table_hits: task.control.table_hits(),
            moves: line,
            is_drawn: known == KnownResult::Draw,
        });
    }
    RootKnowledge::Answer(SearchResult {
        best: Some(best),
        ponder,
        score: known.root_score(),
        nodes: moves.len() as u64,
        depth: Depth(1),
    })
}

/// The tables know nothing of the game so far: a move that draws by repetition, or by
/// the clock, is worth a draw. The best moves come first again.
fn note_draws<E: Evaluate>(
    task: &SearchTask<'_, E>,
    moves: &mut [(<E::Game as Rules>::Move, KnownResult)],
) {
    let mut history = task.history.clone();
    history.push(task.position);
    for (mv, known) in moves.iter_mut() {
        if matches!(task.position.after(*mv).outcome(&history), Some(Outcome::Draw(_))) {
            *known = KnownResult::Draw;
        }
    }
    moves.sort_by_key(|(_, known)| match known {
        KnownResult::Win(plies) => (0, *plies),
        KnownResult::Draw => (1, 0),
        KnownResult::Loss(plies) => (2, u16::MAX - plies),
    });
}

/// The line that a move begins when both sides play perfectly, up to the mate.
fn known_line<G: Game>(
    tables: &dyn Tablebase<G>,
    root: &G,
    first: G::Move,
    known: KnownResult,
) -> Vec<G::Move> {
    let mut line = vec![first];
    let mut position = root.after(first);
    let mut expected = known.after_move();
    while expected != KnownResult::Draw && line.len() < usize::from(MAX_PLY) {
        let next = expected.after_move();
        let follows = |mv: &G::Move| tables.known(&position.after(*mv)) == Some(next);
        let Some(mv) = position.legal_moves().into_iter().find(follows) else { break };
        line.push(mv);
        position.make(mv);
        expected = next;
    }
    line
}
