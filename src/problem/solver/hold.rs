//! Strategies that never lose: closed sets of positions.

use std::collections::HashMap;

use qirkat_game::Rules;
use qirkat_rules::alquerque::{Position, State};
use qirkat_tablebase::alquerque::{Decision, sorted_moves};

use crate::solver::node::Node;
use crate::solver::prover::{OnNodes, Prover, ProverError};

/// How often it is begun anew where a position turns out to be lost after all.
const MOST_ATTEMPTS: usize = 100;

/// A strategy for the other side than the prover's that never loses a position: a move for each
/// position that the prover's side can bring about. Nobody has to come to an end in it, so the
/// clock and repetition make it a draw. None where there is no such strategy, or none was found.
///
/// The prover excludes a win only as far as it looks along ranks. So each position is asked for
/// as one of its own, as if a jump or step forward had led there.
pub fn hold(
    prover: &mut Prover<'_>,
    root: &Position,
    on_nodes: OnNodes<'_>,
) -> Result<Option<Vec<Decision>>, ProverError> {
    for _ in 0..MOST_ATTEMPTS {
        match try_to_hold(prover, root, on_nodes)? {
            Held::All(decisions) => return Ok(Some(decisions)),
            Held::RootIsLost => return Ok(None),
            // What was not won as far as the search looked now is.
            Held::NotAll => prover.forget_numbers()?,
        }
    }
    Ok(None)
}

enum Held {
    All(Vec<Decision>),
    /// Another position is lost.
    NotAll,
    RootIsLost,
}

fn try_to_hold(
    prover: &Prover<'_>,
    root: &Position,
    on_nodes: OnNodes<'_>,
) -> Result<Held, ProverError> {
    let is_lost =
        |position: &Position| prover.is_won(position, Node::fresh(position.state()), on_nodes);
    if is_lost(root)? {
        return Ok(Held::RootIsLost);
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
            return Ok(Held::NotAll);
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
        // What is known to hold first, and what needs the fewest positions more.
        choices.sort_by_key(|&(is_unknown, new, choice, _)| (is_unknown, new, choice));
        let mut chosen = None;
        for (_, _, choice, next) in choices {
            if !prover.is_won(&next, node.after(&next), on_nodes)? {
                chosen = Some((choice, next));
                break;
            }
        }
        let Some((choice, next)) = chosen else { return Ok(Held::NotAll) };
        let choice = choice as u16;
        decided.insert(state, Decision { state, choice, plies: 0, progress: 0 });
        waiting.push(next);
    }
    Ok(Held::All(decided.into_values().collect()))
}
