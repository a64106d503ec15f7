//! The prover against a slow solver: keys, tries, all variations, and all lines of help and series
//! play.

use qirkat_game::Rules;
use qirkat_problem::{
    Aim, Continuation, Genre, ProofControl, ProofTable, Solution, SolveRequest, Stipulation,
    Variation, solve,
};
use qirkat_rules::variant::{AnyMove, AnyPosition, Variant};

use super::random_positions::random_positions;
use super::slow::{self, PlainPosition};
use super::{keys, sorted};
use qirkat_testing::effort;
use qirkat_testing::reference::RefPosition;

/// One in this many selfmates without a solution is compared.
const SELFMATES_COMPARED: usize = 100;

/// Solves many positions with one small table, so that entries are replaced.
struct Solver {
    table: ProofTable,
    request: SolveRequest,
    /// How many had a solution.
    found: usize,
}

impl Solver {
    fn new(stipulation: &str) -> Solver {
        let stipulation = stipulation.parse().expect("a stipulation");
        let usual = SolveRequest::new(stipulation);
        let request = SolveRequest { tries: 2, set_play: true, ..usual };
        Solver { table: ProofTable::new(1).expect("a megabyte"), request, found: 0 }
    }

    fn solution(&mut self, position: &AnyPosition) -> Solution {
        let solution = solve(position, &self.request, &self.table, &ProofControl::never());
        let solution = solution.expect("a game with mate");
        assert!(solution.is_proved(), "{position}");
        self.found += usize::from(solution.solved.is_some());
        solution
    }

    fn assert_solutions<P: PlainPosition>(&mut self, position: &AnyPosition, plain: &P) {
        let stipulation = self.request.stipulation;
        let (aim, plies) = (stipulation.aim(), stipulation.plies());
        let solution = self.solution(position);
        let (found, expected) = if aim.is_forced() {
            let expected = slow::shortest(aim, plain, stipulation.moves());
            let expected = expected.map(|(_, keys)| sorted(keys)).unwrap_or_default();
            (keys(&solution), expected)
        } else {
            let (least, step) = match aim.genre {
                Genre::SeriesHelp => (2, 1),
                Genre::Series => (1, 1),
                _ => (2 - plies % 2, 2),
            };
            let mut all = (least..=plies).step_by(step).map(|plies| slow::lines(aim, plain, plies));
            let expected = all.find(|it| !it.is_empty()).unwrap_or_default();
            let found = solution.lines.iter().map(|line| joined(line.iter().map(|mv| &mv.uci)));
            (sorted(found), sorted(expected.into_iter().map(joined)))
        };
        if aim.genre == Genre::SeriesHelp
            && let (Some(set), Some(passed)) = (&solution.set_lines, plain.after_null_move())
        {
            assert_eq!(set.len(), slow::lines(aim, &passed, 1).len(), "{position} {stipulation}");
        }
        // No more lines are kept.
        if found.len() == 1000 && !aim.is_forced() {
            assert!(expected.len() >= 1000, "{position} {stipulation}");
        } else {
            assert_eq!(found, expected, "{position} {stipulation}");
        }
    }

    fn assert_agrees(&mut self, position: &AnyPosition) {
        let (aim, moves) = (self.request.stipulation.aim(), self.request.stipulation.moves());
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

fn joined(line: impl IntoIterator<Item: ToString>) -> String {
    line.into_iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

fn read(position: &AnyPosition, text: &str) -> AnyMove {
    position.read_move(text).expect("a legal move")
}

fn assert_play(aim: Aim, position: &AnyPosition, key: &Continuation) {
    let after = Rules::after(position, read(position, &key.mv.uci));
    let Some(play) = &key.play else {
        assert!(after.legal_moves().is_empty(), "{position} {}", key.mv.san);
        return;
    };
    assert_eq!(play.check, after.in_check());
    let replies = sorted(play.variations.iter().map(|it| &it.defence.uci));
    assert_eq!(replies, sorted(slow::allowed(aim, &after, false)), "{position}");
    for variation in &play.variations {
        assert_answers(aim, &after, variation, key.moves - 1);
    }
}

fn assert_answers(aim: Aim, position: &AnyPosition, variation: &Variation, moves: u8) {
    let after = Rules::after(position, read(position, &variation.defence.uci));
    let answers = sorted(variation.continuations.iter().map(|it| &it.mv.uci));
    if aim.genre != Genre::Direct && slow::is_reached(aim.goal, &after) {
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
    for mv in slow::allowed(aim, position, true) {
        let after = Rules::after(position, mv);
        let refutations = slow::refutations(aim, &after, moves - 1);
        let replies = slow::allowed(aim, &after, false).len();
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

#[test]
fn what_is_forced_agrees_with_the_slow_solver() {
    use Variant::{Chesquerque, Masonic};
    for (variant, text, count, least) in [
        (Chesquerque, "#1", effort([60, 1000, 5000]), 5),
        (Chesquerque, "#2", effort([50, 500, 2000]), 5),
        (Chesquerque, "#3", effort([10, 100, 500]), 1),
        (Masonic, "#2", effort([20, 300, 1000]), 2),
        (Chesquerque, "=1", effort([60, 1000, 5000]), 2),
        (Chesquerque, "=2", effort([50, 500, 2000]), 2),
        (Masonic, "=2", effort([20, 300, 1000]), 1),
    ] {
        let mut solver = Solver::new(text);
        let seed = 10 * u64::from(solver.request.stipulation.moves());
        for position in random_positions(variant, seed, count, true) {
            solver.assert_agrees(&position);
        }
        assert!(solver.found >= least, "{text}: only {} of {count}", solver.found);
    }
}

#[test]
fn what_the_other_side_must_do_agrees_with_the_slow_solver() {
    for (text, count, least) in [
        ("s#1", effort([20_000, 50_000, 200_000]), 5),
        ("s#2", effort([3000, 9000, 30_000]), 1),
        ("s=1", effort([3000, 9000, 30_000]), 1),
        ("r#1", effort([200, 1000, 5000]), 20),
        ("r#2", effort([50, 500, 2000]), 3),
        ("semi-r#2", effort([50, 500, 2000]), 3),
        ("r=2", effort([30, 300, 1000]), 3),
    ] {
        let (mut solver, mut compared) = (Solver::new(text), 0);
        let moves = solver.request.stipulation.moves();
        let positions = random_positions(Variant::Chesquerque, moves.into(), count, false);
        for (number, position) in positions.iter().map(AnyPosition::flipped).enumerate() {
            // Selfmates are rare: only some of the positions without one are compared.
            let has_solution = solver.solution(&position).solved.is_some();
            if has_solution && compared < 100 || number % SELFMATES_COMPARED == 0 {
                compared += usize::from(has_solution);
                solver.assert_agrees(&position);
            }
        }
        assert!(compared >= least, "{text}: only {compared}");
    }
}

#[test]
fn lines_agree_with_the_slow_solver() {
    for (text, count, least) in [
        ("h#0.5", effort([100, 500, 2000]), 5),
        ("h#1", effort([100, 500, 2000]), 5),
        ("h#1.5", effort([40, 200, 1000]), 5),
        ("h#2", effort([12, 100, 500]), 3),
        ("h=1.5", effort([40, 200, 1000]), 5),
        ("ser-h#2", effort([40, 200, 1000]), 5),
        ("ser-h#3", effort([10, 100, 300]), 1),
        ("ser-h=2", effort([40, 200, 1000]), 5),
        ("ser-#3", effort([10, 100, 500]), 5),
        ("ser-=2", effort([40, 200, 1000]), 5),
    ] {
        let mut solver = Solver::new(text);
        let begins =
            text.ends_with(".5") || solver.request.stipulation.aim().genre == Genre::Series;
        for position in random_positions(Variant::Chesquerque, 5, count, begins) {
            solver.assert_solutions(&position, &position);
        }
        assert!(solver.found >= least, "{text}: only {}", solver.found);
    }
}

/// Found with `problem compose`.
#[test]
fn composed_problems_have_one_solution() {
    for (fen, text) in [
        ("8k/8p/6KQR/9/9/9/9/9/9 w - - 0 1", "=2"),
        ("9/9/4N4/2k1p4/9/2K6/9/9/7Q1 b - - 0 1", "h=2"),
        ("8k/9/6KR1/9/9/9/9/9/Rr5q1 w - - 0 1", "r#2"),
        ("8k/9/6KR1/9/9/9/9/9/Rr5q1 w - - 0 1", "semi-r#2"),
        ("7qk/8p/6K1R/9/9/9/9/9/9 w - - 0 1", "r=2"),
        ("9/9/9/2k6/9/2K6/9/9/7Q1 b - - 0 1", "ser-h#3"),
        ("9/9/9/2k1p4/9/2K1N4/9/9/7Q1 b - - 0 1", "ser-h=3"),
        ("k3a4/9/2K6/9/9/9/9/9/7R1 w - - 0 1", "ser-#3"),
        ("8k/9/5qKR1/9/9/9/9/9/Rr7 w - - 0 1", "ser-=3"),
    ] {
        let mut solver = Solver::new(text);
        let position = Variant::Chesquerque.read_fen(fen).expect("a FEN").position;
        assert!(solver.solution(&position).verdict(&solver.request).is_sound(), "{text}");
        solver.assert_solutions(&position, &position);
    }
}

/// Every aim, by rules that share nothing with those of the prover.
#[test]
fn every_aim_agrees_with_the_reference_rules() {
    let mut found = 0;
    for variant in [Variant::Chesquerque, Variant::Masonic] {
        let count = effort([3, 60, 1000]);
        let positions =
            [true, false].map(|strong| random_positions(variant, 9, count, strong)).concat();
        for goal in ["#1", "=1"] {
            for genre in ["", "s", "r", "semi-r", "h", "ser-h", "ser-"] {
                let mut solver = Solver::new(&format!("{genre}{goal}"));
                for position in &positions {
                    let plain = RefPosition::from_fen(&position.fen()).expect("a FEN");
                    solver.assert_solutions(position, &plain);
                }
                found += solver.found;
            }
        }
    }
    assert!(found >= 10, "only {found} with a solution");
}
