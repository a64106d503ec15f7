//! A certificate: a strategy that wins, which can be checked without knowing how it was found.

use std::collections::HashMap;

use qirkat_game::{Color, Rules};
use qirkat_rules::alquerque::{Move, Position, State};
use thiserror::Error;

use crate::prover::Prover;

/// A strategy for the winner: what it does in each position that the other side can bring
/// about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The side that wins.
    pub winner: Color,
    /// The position that it wins.
    pub root: State,
    /// By rising state: the positions with the winner to move that can come up.
    pub decisions: Vec<Decision>,
}

/// A position with the winner to move, and what it does there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The position.
    pub state: State,
    /// The place of the move among the legal moves, in the order of their texts.
    pub choice: u16,
    /// At most so many plies to the end. It falls, so no position comes up twice.
    pub plies: u16,
    /// At most so many plies to the next jump, step forward or end.
    pub progress: u16,
}

/// Why there is no certificate.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CertificateError {
    /// The position has not been proved, or only up to a cycle.
    #[error("no win is known of {0}")]
    NotProved(Box<Position>),
}

impl Certificate {
    /// The strategy that a prover knows for a position that it has proved. Down to the end of
    /// the game: what tables know is written out.
    ///
    /// # Errors
    /// When the position has not been proved.
    pub fn new(prover: &Prover<'_>, root: &Position) -> Result<Certificate, CertificateError> {
        let winner = prover.winner();
        let bound = |position: &Position| {
            let not_proved = || CertificateError::NotProved(Box::new(*position));
            prover.bound(position).ok_or_else(not_proved)
        };
        // The positions of the winner, with the move that ends soonest.
        let mut chosen: HashMap<State, (u16, Position, Choice)> = HashMap::new();
        let mut waiting = vec![*root];
        bound(root)?;
        while let Some(position) = waiting.pop() {
            if position.side_to_move() != winner {
                for mv in position.legal_moves() {
                    waiting.push(position.after(mv));
                }
                continue;
            }
            if chosen.contains_key(&position.state()) {
                continue;
            }
            let choices = sorted_moves(&position).into_iter().enumerate().filter_map(|(at, mv)| {
                let next = position.after(mv);
                Some((prover.bound(&next)?, Choice { place: at as u16, next }))
            });
            let Some((_, choice)) = choices.min_by_key(|&(bound, _)| bound) else {
                return Err(CertificateError::NotProved(Box::new(position)));
            };
            waiting.push(choice.next);
            chosen.insert(position.state(), (bound(&position)?, position, choice));
        }
        // What ends sooner comes first, so that what follows is known.
        let mut order: Vec<_> = chosen.into_values().collect();
        order.sort_unstable_by_key(|&(bound, position, _)| (bound, position.state()));
        let mut decided: HashMap<State, Decision> = HashMap::with_capacity(order.len());
        for (_, position, choice) in order {
            let (mut plies, mut progress) = (1, 1);
            let moved_on = choice.next.halfmove_clock() == 0;
            for mv in choice.next.legal_moves() {
                let reply = choice.next.after(mv);
                let Some(after) = decided.get(&reply.state()) else {
                    return Err(CertificateError::NotProved(Box::new(reply)));
                };
                plies = plies.max(after.plies + 2);
                let replied_on = reply.halfmove_clock() == 0;
                let to_progress = if replied_on { 2 } else { after.progress + 2 };
                progress = if moved_on { 1 } else { progress.max(to_progress) };
            }
            let decision =
                Decision { state: position.state(), choice: choice.place, plies, progress };
            decided.insert(decision.state, decision);
        }
        let mut decisions: Vec<Decision> = decided.into_values().collect();
        decisions.sort_unstable_by_key(|decision| decision.state);
        Ok(Certificate { winner, root: root.state(), decisions })
    }

    /// The move of the winner in a position that can come up.
    pub fn choice(&self, position: &Position) -> Option<Move> {
        let decision = self.decision(position.state())?;
        sorted_moves(position).get(usize::from(decision.choice)).copied()
    }

    /// What the winner does in a position.
    pub fn decision(&self, state: State) -> Option<&Decision> {
        let at = self.decisions.binary_search_by_key(&state, |decision| decision.state).ok()?;
        self.decisions.get(at)
    }
}

/// A move of the winner, and where it leads.
#[derive(Clone, Copy)]
struct Choice {
    place: u16,
    next: Position,
}

/// The legal moves in the order of their texts, by which a [`Decision`] names one.
pub(crate) fn sorted_moves(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves();
    moves.sort_by_cached_key(ToString::to_string);
    moves
}
