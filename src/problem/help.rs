//! Help and series play: all lines in which both sides cooperate to reach the goal in exactly a
//! number of plies. In series play the other side passes, which it may not in check.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use qirkat_game::{MoveFilter, RankedMove, Rules};

use super::mate_game::{MateGame, played};
use super::proof_control::{ProofStep, SharedControl, Stopped, share_tasks};
use super::proof_table::{ProofTable, Record, salted};
use super::stipulation::Aim;

/// The most lines kept; a problem with more is hopelessly cooked.
pub(super) const MAX_LINES: usize = 1000;

pub(super) type Line<G> = Vec<<G as Rules>::Move>;

pub(super) struct HelpLines<G: MateGame> {
    pub lines: Vec<Line<G>>,
    /// Whether `lines` has all lines, or [`MAX_LINES`] of them.
    pub is_complete: bool,
}

/// One thread's search for lines.
struct LineSearch<'a, G: MateGame> {
    aim: Aim,
    table: &'a ProofTable,
    shared: &'a SharedControl<'a>,
    nodes: u64,
    path: Line<G>,
    found: Vec<Line<G>>,
    /// Move lists for reuse.
    lists: Vec<Vec<RankedMove<G::Move>>>,
}

/// Finds all lines of exactly this many plies, on this many threads. Nodes are added to `nodes`.
pub(super) fn help_lines<G: MateGame>(
    position: &G,
    aim: Aim,
    plies: u16,
    threads: usize,
    table: &ProofTable,
    shared: &SharedControl<'_>,
    nodes: &mut u64,
) -> HelpLines<G> {
    let tasks = first_pairs(position, aim, plies);
    shared.report(ProofStep::Length { plies, parts: tasks.len() as u64 });
    let is_broken_off = AtomicBool::new(false);
    let found: Mutex<Vec<(usize, Line<G>)>> = Mutex::new(Vec::new());
    let mut searches: Vec<LineSearch<'_, G>> =
        (0..threads.max(1)).map(|_| LineSearch::new(aim, table, shared)).collect();
    share_tasks(&mut searches, tasks.len(), &|search, number| {
        if shared.is_stopped() || search.extend(position, &tasks[number], plies).is_err() {
            is_broken_off.store(true, Ordering::Relaxed);
            return false;
        }
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        found.extend(search.found.drain(..).map(|line| (number, line)));
        let is_enough = found.len() >= MAX_LINES;
        drop(found);
        if !is_enough {
            shared.report(ProofStep::Part);
        }
        !is_enough
    });
    *nodes += searches.iter().map(|search| search.nodes).sum::<u64>();
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(number, _)| *number);
    let lines = found.into_iter().map(|(_, line)| line).take(MAX_LINES).collect();
    HelpLines { lines, is_complete: !is_broken_off.load(Ordering::Relaxed) }
}

/// The first moves, which threads take in turn: two plies, or one if the line is short.
fn first_pairs<G: MateGame>(position: &G, aim: Aim, plies: u16) -> Vec<Line<G>> {
    let first = position.legal_moves();
    if plies < 3 {
        return first.into_iter().map(|mv| vec![mv]).collect();
    }
    let pairs = |mv| {
        let next = next(position, mv, aim, plies);
        let replies = next.map(|next| next.legal_moves()).unwrap_or_default();
        replies.into_iter().map(move |reply| vec![mv, reply])
    };
    first.into_iter().flat_map(pairs).collect()
}

/// The position after a move that is not the last of this many plies; none if the move gives check
/// too early in a series.
fn next<G: MateGame>(position: &G, mv: G::Move, aim: Aim, plies: u16) -> Option<G> {
    let next = played(position, mv);
    if aim.passes(plies - 1) {
        return (!next.must_respond()).then(|| next.after_null_move());
    }
    Some(next)
}

impl<'a, G: MateGame> LineSearch<'a, G> {
    fn new(aim: Aim, table: &'a ProofTable, shared: &'a SharedControl<'a>) -> LineSearch<'a, G> {
        let (path, found, lists) = (Vec::new(), Vec::new(), Vec::new());
        LineSearch { aim, table, shared, nodes: 0, path, found, lists }
    }

    fn extend(&mut self, position: &G, begun: &Line<G>, plies: u16) -> Result<(), Stopped> {
        self.path.clear();
        let (mut position, mut left) = (*position, plies);
        for (at, &mv) in begun.iter().enumerate() {
            if at + 1 == usize::from(plies) {
                if self.aim.goal.is_reached_by(&position, mv) {
                    self.found.push(begun.clone());
                }
                return Ok(());
            }
            let Some(next) = next(&position, mv, self.aim, left) else { return Ok(()) };
            position = next;
            self.path.push(mv);
            left -= 1;
        }
        self.lines_of(&position, left).map(drop)
    }

    /// Adds the lines of exactly this many plies, and returns whether there are any.
    fn lines_of(&mut self, position: &G, plies: u16) -> Result<bool, Stopped> {
        self.shared.count(&mut self.nodes)?;
        if plies == 1 {
            return Ok(self.goals_at_once(position));
        }
        // A separate key per number of plies, since a line has exactly that many.
        let key = salted(position.key(), u64::from(plies) << 8 | self.aim.salt());
        if self.table.probe(key) != Record::UNKNOWN {
            return Ok(false);
        }
        let before = self.nodes;
        let mut moves = self.lists.pop().unwrap_or_default();
        position.push_moves(MoveFilter::All, &mut moves);
        let mut any = false;
        for &RankedMove { mv, .. } in &moves {
            let Some(next) = next(position, mv, self.aim, plies) else { continue };
            self.path.push(mv);
            any |= self.lines_of(&next, plies - 1)?;
            self.path.pop();
            if self.found.len() >= MAX_LINES {
                break;
            }
        }
        moves.clear();
        self.lists.push(moves);
        if !any {
            // A stored entry means no line.
            self.table.store(key, Record::UNKNOWN.with(0, false), self.nodes - before);
        }
        Ok(any)
    }

    fn goals_at_once(&mut self, position: &G) -> bool {
        let before = self.found.len();
        for mv in position.legal_moves() {
            if self.found.len() < MAX_LINES && self.aim.goal.is_reached_by(position, mv) {
                let mut line = self.path.clone();
                line.push(mv);
                self.found.push(line);
            }
        }
        self.found.len() > before
    }
}
