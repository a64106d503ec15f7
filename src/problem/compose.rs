//! Helps to compose: which neighbours of a position have exactly one solution.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use qirkat_rules::variant::AnyPosition;

use super::help::help_lines;
use super::mate_game::{MateGame, ProblemError, in_mate_game};
use super::neighbours::{Neighbour, neighbours};
use super::proof_table::ProofTable;
use super::prover::Prover;
use super::solution::WrittenMove;
use super::stipulation::{Aim, Stipulation};
use super::teamwork::on_all;
use super::watch::{ProofStep, Stopped, Watch, Watched};

/// The problem that is looked for among neighbours.
#[derive(Clone, Debug)]
pub struct ComposeOptions {
    /// The stipulation, in exactly its number of moves.
    pub stipulation: Stipulation,
    /// Threads that look; one without the feature `threads`.
    pub threads: usize,
}

/// A neighbour with exactly one solution.
#[derive(Clone, Debug)]
pub struct Composed {
    pub neighbour: Neighbour,
    /// The key, or the whole line of a helpmate.
    pub solution: Vec<WrittenMove>,
}

/// Looks at every neighbour of a position, and hands those with exactly one key for the
/// stipulation, and none that is shorter, to `found`, as they come. Returns how many
/// neighbours were looked at, and how many there are.
///
/// # Errors
/// When the game has no mate.
pub fn compose(
    position: &AnyPosition,
    options: &ComposeOptions,
    table: &ProofTable,
    watch: &Watch<'_>,
    found: &(dyn Fn(Composed) + Sync),
) -> Result<(usize, usize), ProblemError> {
    in_mate_game!(position, own => walk(own, options, table, watch, found))
}

fn walk<G: MateGame>(
    position: &G,
    options: &ComposeOptions,
    table: &ProofTable,
    watch: &Watch<'_>,
    found: &(dyn Fn(Composed) + Sync),
) -> (usize, usize) {
    table.age();
    let watched = Watched::new(*watch);
    let neighbours = neighbours(&(*position).into());
    let stipulation = options.stipulation;
    watched
        .report(ProofStep::Length { plies: stipulation.plies(), parts: neighbours.len() as u64 });
    let (taken, looked_at) = (AtomicUsize::new(0), AtomicUsize::new(0));
    // Found ones come one at a time.
    let telling = Mutex::new(());
    let aim = match stipulation.aim() {
        Aim::SelfMate => Aim::SelfMate,
        Aim::DirectMate | Aim::HelpMate => Aim::DirectMate,
    };
    let attacker = position.side_to_move();
    let mut provers: Vec<Prover<'_, G>> =
        (0..options.threads.max(1)).map(|_| Prover::new(aim, attacker, table, &watched)).collect();
    on_all(&mut provers, &|prover| {
        while let Some(neighbour) = neighbours.get(taken.fetch_add(1, Ordering::Relaxed)) {
            // Small ones end before anybody has asked whether to stop.
            if watched.must_stop() {
                return;
            }
            let Some(own) = G::own_position(&neighbour.position) else { continue };
            let Ok(solution) = only_solution(own, stipulation, prover, table) else { return };
            if let Some(solution) = solution {
                let told = telling.lock().unwrap_or_else(PoisonError::into_inner);
                found(Composed { neighbour: neighbour.clone(), solution });
                drop(told);
            }
            looked_at.fetch_add(1, Ordering::Relaxed);
            watched.report(ProofStep::Part);
        }
    });
    (looked_at.into_inner(), neighbours.len())
}

/// The only solution of a position, if there is exactly one and none is shorter.
fn only_solution<G: MateGame>(
    position: &G,
    stipulation: Stipulation,
    prover: &mut Prover<'_, G>,
    table: &ProofTable,
) -> Result<Option<Vec<WrittenMove>>, Stopped> {
    if stipulation.aim() == Aim::HelpMate {
        return only_line(position, stipulation, prover, table);
    }
    let moves = stipulation.moves();
    if prover.attack(position, moves - 1)? || !prover.attack(position, moves)? {
        return Ok(None);
    }
    let mut only = None;
    for mv in position.legal_moves() {
        if prover.solves(position, mv, moves)? {
            if only.is_some() {
                return Ok(None);
            }
            only = Some(mv);
        }
    }
    Ok(only.map(|mv| vec![WrittenMove::of(position, mv)]))
}

fn only_line<G: MateGame>(
    position: &G,
    stipulation: Stipulation,
    prover: &Prover<'_, G>,
    table: &ProofTable,
) -> Result<Option<Vec<WrittenMove>>, Stopped> {
    let outer = prover.watched;
    let silent = Watch { stop: &|| outer.must_stop(), report: &|_| () };
    let watched = Watched::new(silent);
    let plies = stipulation.plies();
    for length in stipulation.lengths() {
        let found = help_lines(position, length, 1, table, &watched, &mut 0);
        if !found.is_complete {
            return Err(Stopped);
        }
        match found.lines.as_slice() {
            [] => {}
            [line] if length == plies => return Ok(Some(WrittenMove::line(position, line))),
            _ => return Ok(None),
        }
    }
    Ok(None)
}
