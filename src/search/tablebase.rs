//! Tablebase probes in the search.
//!
//! In the tree a known position is a leaf with an exact score. At the root a known win or loss is
//! answered without a search, with the shortest mate and the whole line to it. In a known draw only
//! the moves that keep it are searched, since some are harder to answer than others; and in a win or
//! loss of unknown length those that keep it, since the search must find the way.

use std::cmp::Reverse;
use std::mem::discriminant;

use super::deepening::bound_by_line;
use super::search_report::{Reporter, SearchLine, SearchResult};
use super::worker::{MoveOf, SearchTask, Worker};
use qirkat_game::distance::{Depth, MAX_PLY, Ply};
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, KnownResult, Outcome, Rules, Searchable, Tablebase};

impl<E: Evaluate> Worker<'_, E> {
    #[inline]
    pub fn known_score(&self, position: &E::Game, ply: Ply, depth: Depth) -> Option<Score> {
        let tablebase = self.task.tablebase?;
        if tablebase.may_know(position, depth) {
            self.probe(tablebase, position, ply)
        } else {
            None
        }
    }

    pub fn is_tablebase_draw(&self, position: &E::Game) -> bool {
        let may_know = |it: &&dyn Tablebase<E::Game>| it.may_know(position, Depth::MAX);
        let tablebase = self.task.tablebase.filter(may_know);
        tablebase.is_some_and(|tablebase| tablebase.known(position) == Some(KnownResult::Draw))
    }

    #[cold]
    fn probe(
        &self,
        tablebase: &dyn Tablebase<E::Game>,
        position: &E::Game,
        ply: Ply,
    ) -> Option<Score> {
        // The search detects checkmate on the board itself, and scores it higher.
        let known =
            tablebase.known(position).filter(|known| *known != KnownResult::Loss(Some(0)))?;
        self.task.control.count_tablebase_hit();
        Some(known.score_at(ply))
    }
}

pub(super) enum RootProbe<G: Rules> {
    Unknown,
    /// Search only these moves: those that keep a draw, or a win or loss of unknown length; all with
    /// MultiPV.
    Among(Vec<G::Move>),
    /// The best line, known; the other requested lines must be searched.
    Best(SearchLine<G>),
    Decided(SearchResult<G>),
}

/// Probes the tablebase at the root, and reports the lines of a known win or loss.
pub(super) fn probe_root<E: Evaluate>(
    task: &SearchTask<'_, E>,
    reporter: &mut Reporter<'_, E::Game>,
) -> RootProbe<E::Game> {
    let position = task.game.position();
    let Some(tablebase) = task.tablebase else { return RootProbe::Unknown };
    if !tablebase.may_know(position, Depth::MAX) {
        return probe_strategy(task, tablebase, reporter);
    }
    let Some(mut moves) = tablebase.ranked_moves(position) else { return RootProbe::Unknown };
    let multi_pv = task.limits.multi_pv.get();
    moves.retain(|(mv, _)| task.search_moves.is_empty() || task.search_moves.contains(mv));
    apply_history_draws(task, &mut moves);
    task.control.count_tablebase_hit();
    let Some(&(_, known)) = moves.first() else { return RootProbe::Unknown };
    if matches!(known, KnownResult::Draw | KnownResult::Win(None) | KnownResult::Loss(None)) {
        // With MultiPV the other moves are wanted too.
        moves.retain(|(_, it)| discriminant(it) == discriminant(&known) || multi_pv > 1);
        return RootProbe::Among(moves.into_iter().map(|(mv, _)| mv).collect());
    }
    let nodes = moves.len() as u64;
    let lines = moves.into_iter().take(multi_pv).enumerate().map(|(rank, (mv, known))| {
        let line = known_line(task, tablebase, mv, known);
        SearchLine { rank: rank + 1, ..root_line(task, nodes, known, line) }
    });
    let lines: Vec<_> = lines.inspect(|line| reporter(line)).collect();
    RootProbe::Decided(lines.first().map(SearchResult::of_line).unwrap_or_default())
}

fn root_line<E: Evaluate>(
    task: &SearchTask<'_, E>,
    nodes: u64,
    known: KnownResult,
    line: Vec<MoveOf<E>>,
) -> SearchLine<E::Game> {
    let score = known.root_score();
    SearchLine {
        bound: bound_by_line(task.game, score, &line),
        nodes,
        time: task.control.elapsed(),
        hashfull: task.tt.hashfull(),
        tablebase_hits: task.control.tablebase_hits(),
        is_drawn: known == KnownResult::Draw,
        ..SearchLine::new(Depth(1), score, line)
    }
}

/// Probes a stored winning strategy. One of the side to move gives its move alone; one of the
/// opponent gives all moves, the longest defence first.
fn probe_strategy<E: Evaluate>(
    task: &SearchTask<'_, E>,
    tablebase: &dyn Tablebase<E::Game>,
    reporter: &mut Reporter<'_, E::Game>,
) -> RootProbe<E::Game> {
    let position = task.game.position();
    let multi_pv = task.limits.multi_pv.get();
    let known = match tablebase.winning_move(position) {
        Some((mv, plies)) => Some(vec![(mv, KnownResult::Win(Some(plies)))]),
        None => losing_moves(tablebase, position),
    };
    let mut moves = known.unwrap_or_default();
    moves.retain(|(mv, _)| task.search_moves.is_empty() || task.search_moves.contains(mv));
    // The strategy ignores the game so far: if that lets a move draw, the search decides.
    let mut history = task.game.history().clone();
    history.push(position);
    let is_drawn = |mv| matches!(position.after(mv).outcome(&history), Some(Outcome::Draw(_)));
    let can_draw = moves.iter().any(|&(mv, _)| is_drawn(mv));
    let Some(&(best, known)) = moves.first().filter(|_| !can_draw) else {
        return RootProbe::Unknown;
    };
    task.control.count_tablebase_hit();
    let line = root_line(task, 1, known, strategy_line(tablebase, position, best));
    let has_others = match task.search_moves {
        [] => position.count_legal_moves() > 1,
        chosen => chosen.iter().any(|&mv| mv != best),
    };
    if matches!(known, KnownResult::Win(_)) && multi_pv > 1 && has_others {
        return RootProbe::Best(line);
    }
    reporter(&line);
    for (rank, &(mv, known)) in (2..=multi_pv).zip(&moves[1..]) {
        let line = strategy_line(tablebase, position, mv);
        reporter(&SearchLine { rank, ..root_line(task, 1, known, line) });
    }
    RootProbe::Decided(SearchResult::of_line(&line))
}

/// The line of a strategy: the winner's moves, and the longest defences.
fn strategy_line<G: Searchable>(
    tablebase: &dyn Tablebase<G>,
    root: &G,
    first: G::Move,
) -> Vec<G::Move> {
    let mut line = vec![first];
    let mut position = root.after(first);
    while line.len() < usize::from(MAX_PLY) {
        let next = tablebase.winning_move(&position).map(|(mv, _)| mv);
        let reply = || losing_moves(tablebase, &position)?.first().map(|&(mv, _)| mv);
        let Some(mv) = next.or_else(reply) else { break };
        line.push(mv);
        position.make(mv);
    }
    line
}

/// All moves, if the opponent's strategy wins against each, the longest defence first.
fn losing_moves<G: Searchable>(
    tablebase: &dyn Tablebase<G>,
    position: &G,
) -> Option<Vec<(G::Move, KnownResult)>> {
    let plies = |mv| tablebase.winning_move(&position.after(mv)).map(|(_, plies)| (mv, plies));
    let moves: Option<Vec<(G::Move, u16)>> =
        position.legal_moves().into_iter().map(plies).collect();
    let mut moves = moves?;
    moves.sort_by_key(|&(_, plies)| Reverse(plies));
    Some(moves.into_iter().map(|(mv, plies)| (mv, KnownResult::Loss(Some(plies + 1)))).collect())
}

/// The tablebase ignores the game so far: moves that draw by repetition, or by the 100-ply rule,
/// are set to a draw, and the moves sorted again.
fn apply_history_draws<E: Evaluate>(
    task: &SearchTask<'_, E>,
    moves: &mut [(MoveOf<E>, KnownResult)],
) {
    let mut history = task.game.history().clone();
    history.push(task.game.position());
    for (mv, known) in moves.iter_mut() {
        let next = task.game.position().after(*mv);
        if matches!(next.outcome(&history), Some(Outcome::Draw(_))) {
            *known = KnownResult::Draw;
        }
    }
    moves.sort_by_key(|(_, known)| match known {
        KnownResult::Win(plies) => (0, plies.unwrap_or(u16::MAX)),
        KnownResult::Draw => (1, 0),
        KnownResult::Loss(plies) => (2, u16::MAX - plies.unwrap_or(u16::MAX)),
    });
}

/// The line of a move with perfect play up to the mate, avoiding draws that the game so far causes.
fn known_line<E: Evaluate>(
    task: &SearchTask<'_, E>,
    tablebase: &dyn Tablebase<E::Game>,
    first: MoveOf<E>,
    known: KnownResult,
) -> Vec<MoveOf<E>> {
    let mut line = vec![first];
    let mut history = task.game.history().clone();
    history.push(task.game.position());
    let mut position = task.game.position().after(first);
    let mut expected = known.after_move();
    while expected != KnownResult::Draw && line.len() < usize::from(MAX_PLY) {
        let next = expected.after_move();
        history.push(&position);
        let follows = |mv: &MoveOf<E>| {
            let after = position.after(*mv);
            tablebase.known(&after) == Some(next)
                && !matches!(after.outcome(&history), Some(Outcome::Draw(_)))
        };
        let Some(mv) = position.legal_moves().into_iter().find(follows) else { break };
        line.push(mv);
        position.make(mv);
        expected = next;
    }
    line
}
