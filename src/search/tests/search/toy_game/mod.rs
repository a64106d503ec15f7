//! The search is generic: a very different game is searched by the same code and compared with
//! plain minimax.

mod toy;

use std::collections::HashMap;

use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;
use qirkat_game::{Color, GameState, Rules, Searchable};
use qirkat_search::{SearchLimits, SearchLine, Searcher};
use qirkat_testing::effort;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use toy::{Toy, ToyEvaluation};

/// Positions after some random moves that have a legal move.
fn positions(count: usize, seed: u64) -> Vec<Toy> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = Toy::start();
        for _ in 0..rng.random_range(0..14) {
            if let Some(&mv) = position.moves().choose(&mut rng) {
                position.make(mv);
            }
        }
        if position.has_legal_moves() {
            positions.push(position);
        }
    }
    positions
}

/// Minimax without pruning, to a fixed depth, after which captures are played out: the search
/// extends its lines by the same rules.
fn minimax(position: &Toy, depth: i16, ply: Ply) -> Score {
    let moves = position.moves();
    if moves.is_empty() {
        return Score::mated_at(ply);
    }
    let must_respond = position.must_respond();
    if depth <= 0 && !must_respond {
        return Score::DRAW;
    }
    let below = if must_respond { depth } else { depth - 1 };
    let scores = moves.into_iter().map(|mv| -minimax(&position.after(mv), below, ply.next()));
    scores.max().expect("there are moves")
}

#[test]
fn full_width_scores_match_minimax() {
    let mut searcher =
        Searcher::with_evaluation(ToyEvaluation::Nothing).expect("a megabyte or two");
    let (mut wins, mut losses, mut open) = (0, 0, 0);
    for mut position in positions(40, 1) {
        position.distinguishes_paths = true;
        let game = GameState::from_position(position);
        for depth in 1..=4 {
            searcher.clear().expect("memory for the table");
            // A mate limit so high that it never stops the search; it only disables pruning.
            let mut limits = SearchLimits::depth(Depth(depth));
            limits.mate = Some(1000);
            let mut last = None;
            let result = searcher.search_reporting(&game, &limits, &mut |line: &SearchLine<_>| {
                last = Some((line.score, line.moves.clone()));
            });
            let expected = minimax(&position, result.depth.0, Ply::ROOT);
            assert_eq!(result.score, expected, "{position:?} to depth {depth}");
            let (score, line) = last.expect("a line is reported");
            assert_eq!(score, expected);
            follow(&position, &line);
            match expected {
                score if score.is_win() => wins += 1,
                score if score.is_loss() => losses += 1,
                _ => open += 1,
            }
        }
    }
    assert!(wins > 10 && losses > 10 && open > 10, "{wins} {losses} {open}");
}

/// Plays a line, which must be legal.
fn follow(position: &Toy, line: &[toy::Way]) {
    let mut position = *position;
    for &mv in line {
        assert!(position.is_legal(mv), "{position:?} {mv}");
        position.make(mv);
    }
}

/// The exact value of a position: positive if the side to move wins, negative if it loses; larger
/// the sooner the game ends.
type Solved = HashMap<([u16; 2], Color), i32>;
const LOST: i32 = -1000;

fn solve(position: &Toy, solved: &mut Solved) -> i32 {
    if let Some(&value) = solved.get(&(position.men, position.side)) {
        return value;
    }
    let moves = position.moves().into_iter();
    let value = moves
        .map(|mv| {
            let value = -solve(&position.after(mv), solved);
            value - value.signum()
        })
        .max()
        .unwrap_or(LOST);
    solved.insert((position.men, position.side), value);
    value
}

#[test]
fn exactly_the_forced_wins_are_found() {
    let count = effort([20, 60, 60]);
    let mut solved = Solved::new();
    for threads in [1, 2] {
        let evaluation = ToyEvaluation::Men;
        let mut searcher =
            Searcher::with_resources(evaluation, threads, 1).expect("threads and a megabyte");
        let (mut found, mut decided) = (0, 0);
        for position in positions(count, 2) {
            let value = solve(&position, &mut solved);
            let plies = (-LOST - value.abs()) as i16;
            let game = GameState::from_position(position);
            for depth in [1, 3, 6, plies + 4] {
                let result = searcher.search(&game, &SearchLimits::depth(depth));
                let best = result.best.expect("there is a legal move");
                assert!(position.is_legal(best));
                if result.score.is_mate() {
                    assert_eq!(result.score.is_win(), value > 0, "{position:?} to depth {depth}");
                }
                if depth > plies {
                    decided += 1;
                    found += usize::from(result.score.is_mate());
                }
                if result.score.is_win() {
                    let next = solve(&position.after(best), &mut solved);
                    assert!(next < 0, "{position:?}: {best} does not win");
                }
            }
        }
        // Two threads prune differently each time by sharing table entries, and may see a long win
        // slightly later.
        let least = if threads == 1 { decided } else { decided * 9 / 10 };
        assert!(decided > count && found >= least, "{found} of {decided} on {threads} threads");
    }
}
