//! The prover against a slow solver: keys, tries, all variations, and all lines of helpmates.

use qirkat_game::Rules;
use qirkat_problem::{
    Aim, Continuation, ProofControl, ProofTable, Solution, SolveOptions, Stipulation, Variation,
    solve,
};
use qirkat_rules::variant::{AnyMove, AnyPosition, Variant};

use super::random_positions::random_positions;
use super::{keys, slow, sorted};
use qirkat_testing::effort;

/// One in this many selfmates without a solution is compared.
const SELFMATES_COMPARED: usize = 100;

/// Solves many positions with one small table, so that entries are replaced.
struct Solver {
    table: ProofTable,
    options: SolveOptions,
    /// How many had a solution.
    found: usize,
}

impl Solver {
    fn new(aim: Aim, moves: u8) -> Solver {
        let stipulation = Stipulation::new(aim, moves).expect("few moves");
        let usual = SolveOptions::new(stipulation);
        let options = SolveOptions { tries: 2, set_play: true, ..usual };
        Solver { table: ProofTable::new(1).expect("a megabyte"), options, found: 0 }
    }

    fn solution(&mut self, position: &AnyPosition) -> Solution {
        let solution = solve(position, &self.options, &self.table, &ProofControl::never());
        let solution = solution.expect("a game with mate");
        assert!(solution.is_proved(), "{position}");
        self.found += usize::from(solution.solved.is_some());
        solution
    }

    /// A direct mate or selfmate.
    fn assert_agrees(&mut self, position: &AnyPosition) {
        let (aim, moves) = (self.options.stipulation.aim(), self.options.stipulation.moves());
        let solution = self.solution(position);
        let expected = slow::shortest(aim, position, moves);
        let length = expected.as_ref().map(|(length, _)| *length);
        assert_eq!(solution.solved.map(Stipulation::moves), length, "{position} {aim:?}");
        let expected = expected.map(|(_, keys)| sorted(keys)).unwrap_or_default();
        assert_eq!(keys(&solution), expected, "{position} {aim:?}");
        for key in &solution.keys {
            assert_play(aim, position, key);
        }
        if length.is_none_or(|length| length == moves) {
            assert_tries(aim, position, moves, &solution);
        }
        if let Some(set_play) = &solution.set_play {
            assert!(!position.in_check(), "{position}");
            assert!(set_play.iter().all(|it| it.continuations.len() < 500), "{position}");
        }
    }
}

fn read(position: &AnyPosition, text: &str) -> AnyMove {
    position.read_move(text).expect("a legal move")
}

/// Every reply is listed with all its shortest continuations.
fn assert_play(aim: Aim, position: &AnyPosition, key: &Continuation) {
    let after = position.after(read(position, &key.mv.uci));
    let Some(play) = &key.play else {
        assert!(after.legal_moves().is_empty(), "{position} {}", key.mv.san);
        return;
    };
    assert_eq!(play.check, after.in_check());
    let replies = sorted(play.variations.iter().map(|it| &it.defence.uci));
    assert_eq!(replies, sorted(after.legal_moves()), "{position}");
    for variation in &play.variations {
        assert_answers(aim, &after, variation, key.moves - 1);
    }
}

fn assert_answers(aim: Aim, position: &AnyPosition, variation: &Variation, moves: u8) {
    let after = position.after(read(position, &variation.defence.uci));
    let answers = sorted(variation.continuations.iter().map(|it| &it.mv.uci));
    if aim == Aim::SelfMate && slow::is_mated(&after) {
        assert!(answers.is_empty(), "{position}");
        return;
    }
    let (length, expected) = slow::shortest(aim, &after, moves).expect("the key solves");
    assert_eq!(answers, sorted(expected), "{after}");
    for continuation in &variation.continuations {
        assert_eq!(continuation.moves, length, "{after}");
        assert_play(aim, &after, continuation);
    }
}

/// Tries are exactly the moves that have one or two refutations, and a reply that does not refute.
fn assert_tries(aim: Aim, position: &AnyPosition, moves: u8, solution: &Solution) {
    let mut expected = Vec::new();
    for mv in position.legal_moves() {
        let after = position.after(mv);
        let refutations = slow::refutations(aim, &after, moves - 1);
        let replies = after.legal_moves().len();
        if (1..=2).contains(&refutations.len()) && refutations.len() < replies {
            expected.push((mv.to_string(), sorted(refutations)));
        }
    }
    expected.sort();
    let mut found: Vec<(String, Vec<String>)> = solution
        .tries
        .iter()
        .map(|it| (it.mv.uci.clone(), sorted(it.refutations.iter().map(|mv| &mv.uci))))
        .collect();
    found.sort();
    assert_eq!(found, expected, "{position}");
}

fn assert_forced(variant: Variant, aim: Aim, moves: u8, count: usize, least: usize) {
    let mut solver = Solver::new(aim, moves);
    let seed = 10 * u64::from(moves);
    for position in random_positions(variant, seed, count, true) {
        solver.assert_agrees(&position);
    }
    assert!(solver.found >= least, "only {} of {count} have a solution", solver.found);
}

#[test]
fn direct_mates_agree_with_the_slow_solver() {
    assert_forced(Variant::Chesquerque, Aim::DirectMate, 1, effort([60, 1000, 5000]), 5);
    assert_forced(Variant::Chesquerque, Aim::DirectMate, 2, effort([50, 500, 2000]), 5);
    assert_forced(Variant::Chesquerque, Aim::DirectMate, 3, effort([10, 100, 500]), 1);
    assert_forced(Variant::Masonic, Aim::DirectMate, 2, effort([20, 300, 1000]), 2);
}

#[test]
fn selfmates_agree_with_the_slow_solver() {
    for (moves, count, least) in
        [(1, effort([20_000, 50_000, 200_000]), 5), (2, effort([3000, 9000, 30_000]), 1)]
    {
        let (mut solver, mut compared) = (Solver::new(Aim::SelfMate, moves), 0);
        let positions = random_positions(Variant::Chesquerque, moves.into(), count, false);
        for (number, position) in positions.iter().map(AnyPosition::flipped).enumerate() {
            // Selfmates are rare: only some of the positions without one are compared.
            let has_solution = solver.solution(&position).solved.is_some();
            if has_solution && compared < 100 || number % SELFMATES_COMPARED == 0 {
                compared += usize::from(has_solution);
                solver.assert_agrees(&position);
            }
        }
        assert!(compared >= least, "s#{moves}: only {compared}");
    }
}

#[test]
fn helpmates_agree_with_the_slow_solver() {
    for (text, count, least) in [
        ("h#0.5", effort([100, 500, 2000]), 5),
        ("h#1", effort([100, 500, 2000]), 5),
        ("h#1.5", effort([40, 200, 1000]), 5),
        ("h#2", effort([12, 100, 500]), 3),
    ] {
        let stipulation: Stipulation = text.parse().expect("a stipulation");
        let is_half = text.ends_with(".5");
        let mut solver = Solver::new(Aim::HelpMate, 1);
        solver.options = SolveOptions { stipulation, ..solver.options };
        for position in random_positions(Variant::Chesquerque, 5, count, is_half) {
            let solution = solver.solution(&position);
            let plies = (2 - stipulation.plies() % 2..=stipulation.plies()).step_by(2);
            let expected =
                plies.map(|plies| slow::help(&position, plies)).find(|it| !it.is_empty());
            let mut expected: Vec<Vec<String>> = expected
                .unwrap_or_default()
                .iter()
                .map(|line| line.iter().map(ToString::to_string).collect())
                .collect();
            let mut found: Vec<Vec<String>> = solution
                .lines
                .iter()
                .map(|line| line.iter().map(|mv| mv.uci.clone()).collect())
                .collect();
            found.sort();
            expected.sort();
            expected.truncate(1000.max(found.len()));
            assert_eq!(found.len(), expected.len(), "{position} {text}");
            assert!(found.len() == 1000 || found == expected, "{position} {text}");
        }
        assert!(solver.found >= least, "{text}: only {}", solver.found);
    }
}
