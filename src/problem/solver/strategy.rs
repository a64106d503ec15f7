//! Strategies that win or hold a draw, kept small by a fast heuristic.

use std::collections::HashMap;

use qirkat_game::Rules;
use qirkat_rules::alquerque::{Position, State};
use qirkat_tablebase::alquerque::{Certificate, Decision, sorted_moves};
use thiserror::Error;

use crate::solver::node::Node;
use crate::solver::prover::{OnNodes, Prover, ProverError};

/// A position's cost in a strategy grows by this factor with each ply to the end. With it the start
/// needs a seventh fewer positions than with the shortest wins.
const COST_OF_A_PLY: f64 = 1.1;

/// The position has not been proved, or its proof runs in a cycle.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0} is not known to be won")]
pub struct CertificateError(Box<Position>);

/// The prover's strategy for a position that it has proved, down to the end of the game, including
/// what tables know.
///
/// # Errors
/// If the position has not been proved.
pub fn winning_strategy(
    prover: &Prover<'_>,
    root: &Position,
) -> Result<Certificate, CertificateError> {
    let mut strategy = Strategy { prover, chosen: HashMap::new() };
    strategy.choose(root)?;
    Ok(Certificate::new(Some(prover.winner()), root.state(), strategy.decisions()?))
}

/// The winner's positions that can occur, each with its move.
struct Strategy<'p> {
    prover: &'p Prover<'p>,
    chosen: HashMap<State, Chosen>,
}

struct Chosen {
    bound: u16,
    choice: u16,
    next: Position,
}

impl Strategy<'_> {
    fn bound(&self, position: &Position) -> Result<u16, CertificateError> {
        let not_proved = || CertificateError(Box::new(*position));
        self.prover.won(position).map(|won| won.plies).ok_or_else(not_proved)
    }

    fn choose(&mut self, root: &Position) -> Result<(), CertificateError> {
        self.bound(root)?;
        let mut waiting = vec![*root];
        while let Some(position) = waiting.pop() {
            if position.side_to_move() != self.prover.winner() {
                waiting.extend(position.legal_moves().into_iter().map(|mv| position.after(mv)));
                continue;
            }
            let state = position.state();
            if self.chosen.contains_key(&state) {
                continue;
            }
            let bound = self.bound(&position)?;
            let mut best = None;
            for (index, mv) in sorted_moves(&position).into_iter().enumerate() {
                let next = position.after(mv);
                let Some(after) = self.prover.won(&next).filter(|after| after.plies < bound) else {
                    continue;
                };
                let cost = self.cost(&next, after.plies);
                if best.as_ref().is_none_or(|&(least, _)| cost < least) {
                    best = Some((cost, Chosen { bound, choice: index as u16, next }));
                }
            }
            let not_proved = || CertificateError(Box::new(position));
            let (_, chosen) = best.ok_or_else(not_proved)?;
            waiting.push(chosen.next);
            self.chosen.insert(state, chosen);
        }
        Ok(())
    }

    /// The cost of a move: the new positions that it needs. Those far from the end need many more.
    fn cost(&self, next: &Position, bound: u16) -> f64 {
        let replies = next.legal_moves().into_iter().map(|mv| next.after(mv));
        let new = replies.filter(|reply| !self.chosen.contains_key(&reply.state()));
        let plies = new.map(|reply| self.prover.won(&reply).map_or(0, |won| won.plies));
        let cost: f64 = plies.map(|plies| COST_OF_A_PLY.powi(plies.into())).sum();
        // If none is new, the shortest win is chosen.
        cost + f64::from(bound) / f64::from(u16::MAX)
    }

    /// The decisions, with the smallest plies and progress that hold.
    fn decisions(self) -> Result<Vec<Decision>, CertificateError> {
        // Nearest to the end first, so that successors are known.
        let mut order: Vec<(State, Chosen)> = self.chosen.into_iter().collect();
        order.sort_unstable_by_key(|(state, chosen)| (chosen.bound, *state));
        let mut decided: HashMap<State, Decision> = HashMap::with_capacity(order.len());
        for (state, Chosen { choice, next, .. }) in order {
            let (mut plies, mut progress) = (1, 1);
            let is_progress = next.halfmove_clock() == 0;
            for mv in next.legal_moves() {
                let reply = next.after(mv);
                let Some(after) = decided.get(&reply.state()) else {
                    return Err(CertificateError(Box::new(reply)));
                };
                plies = plies.max(after.plies + 2);
                let reply_is_progress = reply.halfmove_clock() == 0;
                let to_progress = if reply_is_progress { 2 } else { after.progress + 2 };
                progress = if is_progress { 1 } else { progress.max(to_progress) };
            }
            decided.insert(state, Decision { state, choice, plies, progress });
        }
        Ok(decided.into_values().collect())
    }
}

/// How often the search restarts when a position turns out to be lost.
const MAX_ATTEMPTS: usize = 100;

/// A strategy with which the prover's opponent never loses a position: a move for each position
/// that the prover's side can reach. The game need not end: the clock and repetition make it a
/// draw. None if there is no such strategy, or none was found.
///
/// The prover excludes wins only within its run limit. So each position is proved separately, as if
/// right after a jump or step forward.
pub fn drawing_strategy(
    prover: &mut Prover<'_>,
    root: &Position,
    on_nodes: OnNodes<'_>,
) -> Result<Option<Vec<Decision>>, ProverError> {
    for _ in 0..MAX_ATTEMPTS {
        match search_draw(prover, root, on_nodes)? {
            DrawSearch::Held(decisions) => return Ok(Some(decisions)),
            DrawSearch::RootIsLost => return Ok(None),
            // A win was found where the search had excluded one: its numbers are outdated.
            DrawSearch::Retry => prover.forget_numbers()?,
        }
    }
    Ok(None)
}

enum DrawSearch {
    Held(Vec<Decision>),
    /// Another position is lost.
    Retry,
    RootIsLost,
}

fn search_draw(
    prover: &Prover<'_>,
    root: &Position,
    on_nodes: OnNodes<'_>,
) -> Result<DrawSearch, ProverError> {
    let is_lost =
        |position: &Position| prover.is_won(position, Node::fresh(position.state()), on_nodes);
    if is_lost(root)? {
        return Ok(DrawSearch::RootIsLost);
    }
    let mut decided: HashMap<State, Decision> = HashMap::new();
    let mut waiting = vec![*root];
    while let Some(position) = waiting.pop() {
        if position.side_to_move() == prover.winner() {
            waiting.extend(position.legal_moves().into_iter().map(|mv| position.after(mv)));
            continue;
        }
        let state = position.state();
        if decided.contains_key(&state) {
            continue;
        }
        if is_lost(&position)? {
            return Ok(DrawSearch::Retry);
        }
        let node = Node::fresh(state);
        let mut choices = Vec::new();
        for (choice, mv) in sorted_moves(&position).into_iter().enumerate() {
            let next = position.after(mv);
            let replies = next.legal_moves().into_iter().map(|mv| next.after(mv));
            let new = replies.filter(|reply| !decided.contains_key(&reply.state())).count();
            let is_known = prover.excludes(&next, node.after(&next));
            choices.push((!is_known, new, choice, next));
        }
        // Moves known to hold first, then those that need the fewest new positions.
        choices.sort_by_key(|&(is_unknown, new, choice, _)| (is_unknown, new, choice));
        let mut chosen = None;
        for (_, _, choice, next) in choices {
            if !prover.is_won(&next, node.after(&next), on_nodes)? {
                chosen = Some((choice, next));
                break;
            }
        }
        let Some((choice, next)) = chosen else { return Ok(DrawSearch::Retry) };
        let choice = choice as u16;
        decided.insert(state, Decision { state, choice, plies: 0, progress: 0 });
        waiting.push(next);
    }
    Ok(DrawSearch::Held(decided.into_values().collect()))
}
