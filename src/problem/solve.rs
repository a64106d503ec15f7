//! Solves a problem from its stipulation to its solution.

use qirkat_rules::variant::{AnyMove, AnyPosition};

use super::first_moves::{Fate, FirstMove, first_moves};
use super::help::help_lines;
use super::mate_game::{MateGame, ProblemError, in_mate_game, played};
use super::proof_table::ProofTable;
use super::prover::Prover;
use super::solution::{Proof, Solution, Try, Variation, WrittenMove};
use super::stipulation::{Aim, Stipulation};
use super::tree::Tree;
use super::watch::{Watch, Watched};

/// Problems up to this many moves are shown whole if nobody says otherwise.
const SHORT: u8 = 3;

/// The questions to a problem.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    pub stipulation: Stipulation,
    /// Threads that look for it; one without the feature `threads`.
    pub threads: usize,
    /// First moves with up to this many refutations are told as tries; 0: none.
    pub tries: usize,
    /// The set play is told, too: what follows if the other side begins.
    pub set_play: bool,
    /// Moves of the attacker behind the key that are shown with all variations.
    pub variations: u8,
    /// Solutions that a sound problem has, where no keys are stated.
    pub solutions: usize,
    /// The keys that the problem is said to have, if any.
    pub stated_keys: Vec<AnyMove>,
}

impl SolveOptions {
    /// All keys, and all variations of short problems.
    pub fn new(stipulation: Stipulation) -> SolveOptions {
        let moves = stipulation.moves();
        SolveOptions {
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

/// Solves a problem; what the table knows helps, and goes on helping with the next.
///
/// # Errors
/// When the game has no mate.
pub fn solve(
    position: &AnyPosition,
    options: &SolveOptions,
    table: &ProofTable,
    watch: &Watch<'_>,
) -> Result<Solution, ProblemError> {
    in_mate_game!(position, own => solve_own(own, options, table, watch))
}

fn solve_own<G: MateGame>(
    position: &G,
    options: &SolveOptions,
    table: &ProofTable,
    watch: &Watch<'_>,
) -> Solution {
    table.age();
    let watched = Watched::new(*watch);
    if options.stipulation.aim() == Aim::HelpMate {
        solve_together(position, options, table, &watched)
    } else {
        solve_forced(position, options, table, &watched)
    }
}

/// Solves a direct mate or a selfmate.
fn solve_forced<G: MateGame>(
    position: &G,
    options: &SolveOptions,
    table: &ProofTable,
    watched: &Watched<'_>,
) -> Solution {
    let stipulation = options.stipulation;
    let (aim, moves) = (stipulation.aim(), stipulation.moves());
    let mut solution = Solution::nothing((*position).into(), stipulation);
    let attacker = position.side_to_move();
    let mut provers: Vec<Prover<'_, G>> =
        (0..options.threads.max(1)).map(|_| Prover::new(aim, attacker, table, watched)).collect();
    let (mut first, mut length) = (Vec::new(), 0);
    while length < moves && !first.iter().any(decides) {
        length += 1;
        let most = if length == moves { options.tries } else { 0 };
        first = first_moves(&mut provers, position, length, most);
    }
    let solved = stipulation.with_moves(length);
    if first.iter().any(|it| it.fate == Fate::Open) {
        solution.proof = Proof::Stopped { excluded_below: solved.plies() };
        let open = first.iter().filter(|it| it.fate == Fate::Open);
        solution.open = open.map(|it| WrittenMove::of(position, it.mv)).collect();
    }
    let keys: Vec<G::Move> =
        first.iter().filter(|it| it.fate == Fate::Solves).map(|it| it.mv).collect();
    solution.solved = (!keys.is_empty()).then_some(solved);
    if length == moves {
        solution.tries = tries(position, &first, options.tries);
    }
    if let Some(prover) = provers.first_mut() {
        let mut tree = Tree::new(prover);
        add_play(&mut tree, &mut solution, position, &keys, options);
        solution.has_all_variations &= tree.is_whole;
    }
    solution.has_all_variations &= !watched.is_stopped();
    solution.nodes = provers.iter().map(|it| it.nodes).sum();
    solution
}

/// Whether nothing longer has to be looked at.
fn decides<M: PartialEq>(first: &FirstMove<M>) -> bool {
    matches!(first.fate, Fate::Solves | Fate::Open)
}

fn tries<G: MateGame>(position: &G, first: &[FirstMove<G::Move>], most: usize) -> Vec<Try> {
    let as_try = |it: &FirstMove<G::Move>| match &it.fate {
        Fate::Fails { refutations, is_complete: true }
            if (1..=most).contains(&refutations.len()) =>
        {
            let next = played(position, it.mv);
            // Where every reply refutes, nothing was tried.
            let is_try = next.count_legal_moves() > refutations.len() as u64;
            let written = refutations.iter().map(|&mv| WrittenMove::of(&next, mv));
            let (mv, refutations) = (WrittenMove::of(position, it.mv), written.collect());
            is_try.then_some(Try { mv, refutations })
        }
        _ => None,
    };
    first.iter().filter_map(as_try).collect()
}

/// Adds the play after the keys and before them. What a stop leaves out is missing.
fn add_play<G: MateGame>(
    tree: &mut Tree<'_, '_, G>,
    solution: &mut Solution,
    position: &G,
    keys: &[G::Move],
    options: &SolveOptions,
) {
    let stipulation = options.stipulation;
    let length = solution.solved.map_or(0, Stipulation::moves);
    for &key in keys {
        let grown = tree.continuation(position, key, length, options.variations);
        solution.keys.push(grown.unwrap_or_else(|_| Tree::bare(position, key, length)));
    }
    if let Some(&key) = keys.first()
        && options.variations + 1 < length
        && let Ok(line) = tree.main_line(position, key, length)
    {
        solution.main_line = WrittenMove::line(position, &line);
    }
    if options.set_play && !position.must_respond() {
        let (moves, shown) = (stipulation.moves() - 1, options.variations.max(1));
        let variations = tree.variations(&position.passed(), moves, shown, &[]);
        let is_for_self = stipulation.aim() == Aim::SelfMate;
        // The mate of a selfmate may come at once.
        let follows = |it: &Variation| {
            !it.continuations.is_empty() || is_for_self && it.defence.san.ends_with('#')
        };
        let kept = |all: Vec<Variation>| all.into_iter().filter(follows).collect();
        solution.set_play = variations.ok().map(kept);
    }
}

fn solve_together<G: MateGame>(
    position: &G,
    options: &SolveOptions,
    table: &ProofTable,
    watched: &Watched<'_>,
) -> Solution {
    let stipulation = options.stipulation;
    let (threads, plies) = (options.threads, stipulation.plies());
    let mut solution = Solution::nothing((*position).into(), stipulation);
    for length in stipulation.lengths() {
        let found = help_lines(position, length, threads, table, watched, &mut solution.nodes);
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
    if options.set_play && !position.must_respond() && plies > 1 {
        let passed = position.passed();
        let found = help_lines(&passed, plies - 1, threads, table, watched, &mut solution.nodes);
        solution.has_all_variations &= found.is_complete;
        let lines = found.lines.iter().map(|line| WrittenMove::line(&passed, line));
        solution.set_lines = found.is_complete.then(|| lines.collect());
    }
    solution
}
