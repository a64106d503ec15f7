//! The strategy of a win that was proved, as small as is found quickly.

use std::collections::HashMap;

use qirkat_game::Rules;
use qirkat_rules::alquerque::{Position, State};
use qirkat_tablebase::alquerque::{Certificate, Decision, sorted_moves};
use thiserror::Error;

use crate::solver::prover::Prover;

/// By how much more a position costs in a strategy, where it is a ply farther from the end. With
/// it the start takes a seventh fewer positions than with the shortest way everywhere.
const COST_OF_A_PLY: f64 = 1.1;

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CertificateError {
    /// The position has not been proved, or only up to a cycle.
    #[error("no win is known of {0}")]
    NotProved(Box<Position>),
}

/// The strategy that a prover knows for a position that it has proved. Down to the end of the
/// game: what tables know is written out.
///
/// # Errors
/// When the position has not been proved.
pub fn winning_strategy(
    prover: &Prover<'_>,
    root: &Position,
) -> Result<Certificate, CertificateError> {
    let mut strategy = Strategy { prover, chosen: HashMap::new() };
    strategy.choose(root)?;
    Ok(Certificate::new(Some(prover.winner()), root.state(), strategy.decisions()?))
}

/// The positions of the winner that can come up, each with its move.
struct Strategy<'p> {
    prover: &'p Prover<'p>,
    chosen: HashMap<State, Chosen>,
}

struct Chosen {
    bound: u16,
    place: u16,
    /// Where the move leads.
    next: Position,
}

impl Strategy<'_> {
    fn bound(&self, position: &Position) -> Result<u16, CertificateError> {
        let not_proved = || CertificateError::NotProved(Box::new(*position));
        self.prover.won(position).map(|won| won.plies).ok_or_else(not_proved)
    }

    /// Chooses moves for all positions that can come up.
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
            for (place, mv) in sorted_moves(&position).into_iter().enumerate() {
                let next = position.after(mv);
                let Some(after) = self.prover.won(&next).filter(|after| after.plies < bound) else {
                    continue;
                };
                let cost = self.cost(&next, after.plies);
                if best.as_ref().is_none_or(|&(least, _)| cost < least) {
                    best = Some((cost, Chosen { bound, place: place as u16, next }));
                }
            }
            let not_proved = || CertificateError::NotProved(Box::new(position));
            let (_, chosen) = best.ok_or_else(not_proved)?;
            waiting.push(chosen.next);
            self.chosen.insert(state, chosen);
        }
        Ok(())
    }

    /// What a move costs: the positions that are needed for it and not yet there. Those that are
    /// far from the end need many others.
    fn cost(&self, next: &Position, bound: u16) -> f64 {
        let replies = next.legal_moves().into_iter().map(|mv| next.after(mv));
        let new = replies.filter(|reply| !self.chosen.contains_key(&reply.state()));
        let plies = new.map(|reply| self.prover.won(&reply).map_or(0, |won| won.plies));
        let cost: f64 = plies.map(|plies| COST_OF_A_PLY.powi(plies.into())).sum();
        // Where all are there, the shortest way is taken.
        cost + f64::from(bound) / f64::from(u16::MAX)
    }

    /// The decisions with the least numbers that hold.
    fn decisions(self) -> Result<Vec<Decision>, CertificateError> {
        // What ends sooner comes first, so that what follows is known.
        let mut order: Vec<(State, Chosen)> = self.chosen.into_iter().collect();
        order.sort_unstable_by_key(|(state, chosen)| (chosen.bound, *state));
        let mut decided: HashMap<State, Decision> = HashMap::with_capacity(order.len());
        for (state, Chosen { place, next, .. }) in order {
            let (mut plies, mut progress) = (1, 1);
            let moved_on = next.halfmove_clock() == 0;
            for mv in next.legal_moves() {
                let reply = next.after(mv);
                let Some(after) = decided.get(&reply.state()) else {
                    return Err(CertificateError::NotProved(Box::new(reply)));
                };
                plies = plies.max(after.plies + 2);
                let replied_on = reply.halfmove_clock() == 0;
                let to_progress = if replied_on { 2 } else { after.progress + 2 };
                progress = if moved_on { 1 } else { progress.max(to_progress) };
            }
            decided.insert(state, Decision { state, choice: place, plies, progress });
        }
        Ok(decided.into_values().collect())
    }
}
