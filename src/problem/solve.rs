//! Solves a problem from its stipulation to its solution.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use qirkat_game::Rules;
use qirkat_rules::variant::{AnyMove, AnyPosition};

use super::help::help_lines;
use super::mate_game::{MateGame, ProblemError, in_mate_game, played};
use super::mate_prover::MateProver;
use super::proof_control::{ProofControl, ProofStep, SharedControl, Stopped, share_tasks};
use super::proof_table::ProofTable;
use super::solution::{Continuation, PlayBuilder, Proof, Solution, Try, WrittenMove};
use super::stipulation::{Aim, Stipulation};

/// Problems of up to this many moves are shown in full by default.
const SHORT: u8 = 3;

#[derive(Clone, Debug)]
pub struct SolveRequest {
    pub stipulation: Stipulation,
    /// Threads; one without the feature `threads`.
    pub threads: usize,
    /// The most refutations of a first move that counts as a try; 0 for no tries.
    pub tries: usize,
    /// Whether to show the set play: what follows if the other side begins.
    pub set_play: bool,
    /// The attacker's moves after the key that are shown with all variations.
    pub variations: u8,
    /// Solutions that a sound problem has, if no keys are stated.
    pub solutions: usize,
    pub stated_keys: Vec<AnyMove>,
}

impl SolveRequest {
    /// All keys, and all variations of short problems.
    pub fn new(stipulation: Stipulation) -> SolveRequest {
        let moves = stipulation.moves();
        SolveRequest {
            stipulation,
            threads: 1,
            tries: 0,
            set_play: false,
            variations: if moves <= SHORT { moves } else { 1 },
            solutions: 1,
            stated_keys: Vec::new(),
        }
    }
}

/// Solves a problem. What the table holds also helps with the next problem.
pub fn solve(
    position: &AnyPosition,
    request: &SolveRequest,
    table: &ProofTable,
    control: &ProofControl<'_>,
) -> Result<Solution, ProblemError> {
    table.age();
    let shared = SharedControl::new(*control);
    in_mate_game!(position, own => if request.stipulation.aim().is_forced() {
        solve_forced(own, request, table, &shared)
    } else {
        solve_lines(own, request, table, &shared)
    })
}

fn solve_forced<G: MateGame>(
    position: &G,
    request: &SolveRequest,
    table: &ProofTable,
    shared: &SharedControl<'_>,
) -> Solution {
    let stipulation = request.stipulation;
    let (aim, moves) = (stipulation.aim(), stipulation.moves());
    let mut solution = Solution::nothing((*position).into(), stipulation);
    let attacker = position.side_to_move();
    let prover = |_| MateProver::new(aim, attacker, table, shared);
    let mut provers: Vec<_> = (0..request.threads.max(1)).map(prover).collect();
    let (mut first, mut length) = (Vec::new(), 0);
    // Longer solutions need no search once a move solves or is undecided.
    while length < moves && first.iter().all(|(_, status)| matches!(status, MoveStatus::Fails(_))) {
        length += 1;
        let most = if length == moves { request.tries } else { 0 };
        first = first_moves(&mut provers, position, length, most);
    }
    let solved = stipulation.with_moves(length);
    let with_status = |status| -> Vec<G::Move> {
        first.iter().filter(|it| it.1 == status).map(|it| it.0).collect()
    };
    let (keys, open) = (with_status(MoveStatus::Solves), with_status(MoveStatus::Open));
    if !open.is_empty() {
        solution.proof = Proof::Stopped { excluded_below: solved.plies() };
        solution.open = open.into_iter().map(|mv| WrittenMove::of(position, mv)).collect();
    }
    solution.solved = (!keys.is_empty()).then_some(solved);
    if length == moves {
        solution.tries = first.iter().filter_map(|it| as_try(position, it)).collect();
    }
    if let Some(prover) = provers.first_mut() {
        let mut builder = PlayBuilder::new(prover);
        add_play(&mut builder, &mut solution, position, &keys, request);
        solution.has_all_variations &= builder.is_whole;
    }
    solution.has_all_variations &= !shared.is_stopped();
    solution.nodes = provers.iter().map(|it| it.nodes).sum();
    solution
}

fn as_try<G: MateGame>(position: &G, (mv, status): &FirstMove<G>) -> Option<Try> {
    let MoveStatus::Fails(refutations) = status else { return None };
    let next = played(position, *mv);
    // If every reply refutes it, it is no try.
    let is_try = !refutations.is_empty() && next.count_legal_moves() > refutations.len() as u64;
    let refutations = refutations.iter().map(|&mv| WrittenMove::of(&next, mv));
    is_try.then(|| Try { mv: WrittenMove::of(position, *mv), refutations: refutations.collect() })
}

/// Adds the play after the keys, and the set play, except what a stop prevents.
fn add_play<G: MateGame>(
    builder: &mut PlayBuilder<'_, '_, G>,
    solution: &mut Solution,
    position: &G,
    keys: &[G::Move],
    request: &SolveRequest,
) {
    let stipulation = request.stipulation;
    let length = solution.solved.map_or(0, Stipulation::moves);
    for &key in keys {
        let bare = Continuation { mv: WrittenMove::of(position, key), moves: length, play: None };
        let grown = builder.continuation(position, key, length, request.variations);
        solution.keys.push(grown.unwrap_or(bare));
    }
    if let Some(&key) = keys.first()
        && request.variations.saturating_add(1) < length
        && let Ok(line) = builder.main_line(position, key, length)
    {
        solution.main_line = WrittenMove::line(position, &line);
    }
    if request.set_play && !position.must_respond() {
        let (moves, shown) = (stipulation.moves() - 1, request.variations.max(1));
        let variations = builder.variations(&position.after_null_move(), moves, shown, &[]);
        solution.set_play = variations.ok();
    }
}

fn solve_lines<G: MateGame>(
    position: &G,
    request: &SolveRequest,
    table: &ProofTable,
    shared: &SharedControl<'_>,
) -> Solution {
    let stipulation = request.stipulation;
    let (threads, aim) = (request.threads, stipulation.aim());
    let mut solution = Solution::nothing((*position).into(), stipulation);
    for length in stipulation.lengths() {
        let found = help_lines(position, aim, length, threads, table, shared, &mut solution.nodes);
        if !found.lines.is_empty() {
            solution.solved = Some(stipulation.with_plies(length));
            solution.lines =
                found.lines.iter().map(|line| WrittenMove::line(position, line)).collect();
        }
        if !found.is_complete {
            solution.proof = Proof::Stopped { excluded_below: length };
        }
        if !found.is_complete || !found.lines.is_empty() {
            break;
        }
    }
    let plies = stipulation.set_plies();
    if request.set_play && !position.must_respond() && plies > 0 {
        let passed = position.after_null_move();
        let found = help_lines(&passed, aim, plies, threads, table, shared, &mut solution.nodes);
        solution.has_all_variations &= found.is_complete;
        let lines = found.lines.iter().map(|line| WrittenMove::line(&passed, line));
        solution.set_lines = found.is_complete.then(|| lines.collect());
    }
    solution
}

#[derive(PartialEq)]
enum MoveStatus<M> {
    Solves,
    /// Refuted by these replies: listed only if requested and complete.
    Fails(Vec<M>),
    Open,
}

type FirstMove<G> = (<G as Rules>::Move, MoveStatus<<G as Rules>::Move>);

struct Candidate<G: MateGame> {
    mv: G::Move,
    next: G,
    slot: usize,
    replies: Vec<G::Move>,
    /// Indices of the replies that refute it.
    refutations: Mutex<Vec<usize>>,
    refutation_count: AtomicUsize,
    /// Replies not searched yet.
    open: AtomicUsize,
}

impl<G: MateGame> Candidate<G> {
    fn new(prover: &MateProver<'_, G>, position: &G, mv: G::Move) -> Candidate<G> {
        let next = played(position, mv);
        let replies = prover.moves(&next);
        Candidate {
            mv,
            next,
            slot: position.piece_to(mv),
            open: AtomicUsize::new(replies.len()),
            replies,
            refutations: Mutex::new(Vec::new()),
            refutation_count: AtomicUsize::new(0),
        }
    }

    fn status(&self, most: usize, is_reached: bool) -> MoveStatus<G::Move> {
        if self.replies.is_empty() {
            return if is_reached { MoveStatus::Solves } else { MoveStatus::Fails(Vec::new()) };
        }
        let is_over = self.open.load(Ordering::Relaxed) == 0;
        if self.refutation_count.load(Ordering::Relaxed) == 0 {
            return if is_over { MoveStatus::Solves } else { MoveStatus::Open };
        }
        let mut numbers = self.refutations.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if !is_over || numbers.len() > most {
            numbers.clear();
        }
        numbers.sort_unstable();
        MoveStatus::Fails(numbers.into_iter().map(|at| self.replies[at]).collect())
    }
}

/// Tests every first move with this many moves to go, itself included. Threads take tasks in turn:
/// a whole move, or, to find up to `most` refutations, a single reply. The first reply to each move
/// comes first, then the second, and so on, until a move has more refutations than that.
fn first_moves<G: MateGame>(
    provers: &mut [MateProver<'_, G>],
    position: &G,
    moves: u8,
    most: usize,
) -> Vec<FirstMove<G>> {
    let Some(prover) = provers.first() else { return Vec::new() };
    let shared = prover.shared;
    let candidates: Vec<Candidate<G>> =
        prover.moves(position).into_iter().map(|mv| Candidate::new(prover, position, mv)).collect();
    let tasks = tasks(&candidates, most);
    let plies = 2 * u16::from(moves) - u16::from(!prover.aim.is_for_other());
    shared.report(ProofStep::Length { plies, parts: tasks.len() as u64 });
    share_tasks(provers, tasks.len(), &|prover, task| {
        let (number, reply) = tasks[task];
        let is_done = examine(prover, &candidates[number], reply, moves - 1, most).is_ok();
        if is_done {
            shared.report(ProofStep::Part);
        }
        is_done
    });
    let is_reached = |next: &G| provers.first().is_some_and(|it| it.is_reached_by_attacker(next));
    candidates.iter().map(|it| (it.mv, it.status(most, is_reached(&it.next)))).collect()
}

/// The tasks: indices of first moves, and of replies if these are wanted.
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

fn examine<G: MateGame>(
    prover: &mut MateProver<'_, G>,
    candidate: &Candidate<G>,
    reply: Option<usize>,
    moves: u8,
    most: usize,
) -> Result<(), Stopped> {
    if prover.shared.is_stopped() {
        return Err(Stopped);
    }
    match reply {
        None if prover.all_defences_fail(&candidate.next, moves, candidate.slot)? => {
            candidate.open.store(0, Ordering::Relaxed);
        }
        None => candidate.refutation_count.store(1, Ordering::Relaxed),
        Some(_) if candidate.refutation_count.load(Ordering::Relaxed) > most => {}
        Some(reply) => {
            if !prover.is_answered(&candidate.next, candidate.replies[reply], moves)? {
                let refutations = candidate.refutations.lock();
                refutations.unwrap_or_else(PoisonError::into_inner).push(reply);
                candidate.refutation_count.fetch_add(1, Ordering::Relaxed);
            }
            candidate.open.fetch_sub(1, Ordering::Relaxed);
        }
    }
    Ok(())
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateProof {
    /// The side to move mates: a line of its shortest mate with the longest defence.
    Mate(Vec<AnyMove>),
    NoMate,
    Stopped,
}

/// Finds the shortest mate of the side to move in up to `most` moves, and returns the node count.
/// Draws by rule are ignored.
///
/// ```
/// use qirkat_problem::{MateProof, ProofTable, ProofControl, shortest_mate};
/// use qirkat_rules::variant::Variant;
///
/// let position = Variant::Chesquerque.read_fen("4k4/9/9/9/9/9/R8/1R7/4K4 w - - 0 1")?.position;
/// let table = ProofTable::new(1)?;
/// let (proof, _) = shortest_mate(&position, 2, &table, &ProofControl::never())?;
/// assert!(matches!(proof, MateProof::Mate(line) if line.len() == 3));
/// let (proof, _) = shortest_mate(&position, 1, &table, &ProofControl::never())?;
/// assert_eq!(proof, MateProof::NoMate);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn shortest_mate(
    position: &AnyPosition,
    most: u8,
    table: &ProofTable,
    control: &ProofControl<'_>,
) -> Result<(MateProof, u64), ProblemError> {
    in_mate_game!(position, own => mate_of(own, most, table, control))
}

fn mate_of<G: MateGame>(
    position: &G,
    most: u8,
    table: &ProofTable,
    control: &ProofControl<'_>,
) -> (MateProof, u64) {
    table.age();
    let shared = SharedControl::new(*control);
    let attacker = position.side_to_move();
    let mut prover = MateProver::new(Aim::DIRECT_MATE, attacker, table, &shared);
    let proof = match line(position, most, &mut prover) {
        Ok(Some(line)) => MateProof::Mate(line.into_iter().map(Into::into).collect()),
        Ok(None) => MateProof::NoMate,
        Err(Stopped) => MateProof::Stopped,
    };
    (proof, prover.nodes)
}

fn line<G: MateGame>(
    position: &G,
    most: u8,
    prover: &mut MateProver<'_, G>,
) -> Result<Option<Vec<G::Move>>, Stopped> {
    for length in 1..=most {
        if prover.attack(position, length)?
            && let Some(key) = prover.first_solving(position, length)?
        {
            return PlayBuilder::new(prover).main_line(position, key, length).map(Some);
        }
    }
    Ok(None)
}
