//! Every first move of a problem: whether it solves, and if not, what refutes it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::mate_game::{MateGame, played};
use super::prover::Prover;
use super::teamwork::on_all;
use super::watch::{ProofStep, Stopped};

/// The fate of a first move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fate<M> {
    Solves,
    /// These replies refute it; none where it has come to nothing by itself.
    Fails {
        /// The replies.
        refutations: Vec<M>,
        is_complete: bool,
    },
    /// The proof was stopped before.
    Open,
}

/// A first move and what is known of it.
pub(super) struct FirstMove<M> {
    pub mv: M,
    pub fate: Fate<M>,
}

/// A first move while it is looked at.
struct Candidate<G: MateGame> {
    mv: G::Move,
    next: G,
    slot: usize,
    replies: Vec<G::Move>,
    /// Numbers of replies that refute it.
    refutations: Mutex<Vec<usize>>,
    refuted: AtomicUsize,
    /// Replies that were not looked at yet.
    open: AtomicUsize,
}

impl<G: MateGame> Candidate<G> {
    fn new(position: &G, mv: G::Move) -> Candidate<G> {
        let next = played(position, mv);
        let replies = next.legal_moves();
        Candidate {
            mv,
            next,
            slot: position.piece_to(mv),
            open: AtomicUsize::new(replies.len()),
            replies,
            refutations: Mutex::new(Vec::new()),
            refuted: AtomicUsize::new(0),
        }
    }

    fn refute(&self, reply: usize) {
        self.refutations.lock().unwrap_or_else(PoisonError::into_inner).push(reply);
        self.refuted.fetch_add(1, Ordering::Relaxed);
    }

    fn fate(&self, most: usize, wants_dead_end: bool) -> Fate<G::Move> {
        let none = Fate::Fails { refutations: Vec::new(), is_complete: true };
        if self.replies.is_empty() {
            return if wants_dead_end { Fate::Solves } else { none };
        }
        let is_over = self.open.load(Ordering::Relaxed) == 0;
        if self.refuted.load(Ordering::Relaxed) == 0 {
            return if is_over { Fate::Solves } else { Fate::Open };
        }
        let mut numbers = self.refutations.lock().unwrap_or_else(PoisonError::into_inner).clone();
        numbers.sort_unstable();
        let is_complete = is_over && (1..=most).contains(&numbers.len());
        let refutations = numbers.into_iter().map(|at| self.replies[at]).collect();
        Fate::Fails { refutations, is_complete }
    }
}

/// Looks at every first move with this many moves to go, itself among them. All threads take
/// their parts in turn: a whole move each; or, where up to `most` refutations are wanted, a
/// reply each, until there are more: first one to each move, and so on.
pub(super) fn first_moves<G: MateGame>(
    provers: &mut [Prover<'_, G>],
    position: &G,
    moves: u8,
    most: usize,
) -> Vec<FirstMove<G::Move>> {
    let candidates: Vec<Candidate<G>> =
        position.legal_moves().into_iter().map(|mv| Candidate::new(position, mv)).collect();
    let tasks = tasks(&candidates, most);
    let Some(watched) = provers.first().map(|it| it.watched) else { return Vec::new() };
    let plies = 2 * u16::from(moves) - 1;
    watched.report(ProofStep::Length { plies, parts: tasks.len() as u64 });
    let taken = AtomicUsize::new(0);
    on_all(provers, &|prover| {
        while let Some(&(number, reply)) = tasks.get(taken.fetch_add(1, Ordering::Relaxed)) {
            if look_at(prover, &candidates[number], reply, moves - 1, most).is_err() {
                return;
            }
            watched.report(ProofStep::Part);
        }
    });
    let wants_dead_end = |next: &G| provers.first().is_some_and(|it| it.wants_dead_end(next));
    candidates
        .iter()
        .map(|it| FirstMove { mv: it.mv, fate: it.fate(most, wants_dead_end(&it.next)) })
        .collect()
}

/// The tasks: numbers of first moves, and of replies where these are wanted.
fn tasks<G: MateGame>(candidates: &[Candidate<G>], most: usize) -> Vec<(usize, Option<usize>)> {
    let with_reply = move |reply: usize| {
        candidates
            .iter()
            .enumerate()
            .filter(move |(_, it)| reply < it.replies.len())
            .map(move |(number, _)| (number, reply))
    };
    if most == 0 {
        return with_reply(0).map(|(number, _)| (number, None)).collect();
    }
    let replies = candidates.iter().map(|it| it.replies.len()).max().unwrap_or_default();
    (0..replies).flat_map(with_reply).map(|(number, reply)| (number, Some(reply))).collect()
}

fn look_at<G: MateGame>(
    prover: &mut Prover<'_, G>,
    candidate: &Candidate<G>,
    reply: Option<usize>,
    moves: u8,
    most: usize,
) -> Result<(), Stopped> {
    if prover.watched.is_stopped() {
        return Err(Stopped);
    }
    match reply {
        None if prover.is_defenceless(&candidate.next, moves, candidate.slot)? => {
            candidate.open.store(0, Ordering::Relaxed);
        }
        None => candidate.refuted.store(1, Ordering::Relaxed),
        Some(_) if candidate.refuted.load(Ordering::Relaxed) > most => {}
        Some(reply) => {
            if !prover.is_answered(&candidate.next, candidate.replies[reply], moves)? {
                candidate.refute(reply);
            }
            candidate.open.fetch_sub(1, Ordering::Relaxed);
        }
    }
    Ok(())
}
