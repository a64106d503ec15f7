//! Properties of material and placement: symmetric in sides and wings, and won endings are won.

use qirkat_evaluation::Evaluation;
use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_rules::chesquerque::{Color, Game, Outcome, Position};
use qirkat_search::{SearchLimits as Limits, Searcher};

use qirkat_testing::walk as random_walk;

const WALKS: u64 = 200;
const PLIES_PER_WALK: usize = 150;

fn walk(seed: u64) -> Vec<Position> {
    random_walk(seed, PLIES_PER_WALK, 0.4)
}

fn evaluate(position: &Position) -> Score {
    Evaluation::Material.evaluate(position)
}

fn mirrored(position: &Position) -> Position {
    let fen = position.fen();
    let (board, rest) = fen.split_once(' ').expect("a FEN has six fields");
    let board: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    let side = rest.split(' ').next().expect("a FEN has six fields");
    let fen = format!("{} {side} - - 0 1", board.join("/"));
    Position::from_fen(&fen).expect("a mirrored position is valid").position
}

#[test]
fn evaluation_is_symmetric_in_sides_and_wings() {
    for position in (0..WALKS).flat_map(walk) {
        assert_eq!(evaluate(&position), evaluate(&position.flipped()), "{position}");
        assert_eq!(evaluate(&position), evaluate(&mirrored(&position)), "{position}");
    }
}

#[test]
fn a_single_knight_is_no_advantage() {
    let alone = Position::from_fen("4k4/9/9/9/9/4p4/9/9/K3N4 w - - 0 1").expect("valid").position;
    assert!(evaluate(&alone).value() < 30, "{}", evaluate(&alone));
    let helped = Position::from_fen("4k4/9/9/9/9/4p4/9/P8/K3N4 w - - 0 1").expect("valid").position;
    assert!(evaluate(&helped).value() > 150, "{}", evaluate(&helped));
}

/// With a piece that can mate alone, a shallow search drives the lone king to a mating square well
/// before the 50-move limit.
#[test]
fn lone_kings_are_mated() {
    for fen in [
        "9/9/9/4k4/9/9/9/9/K3B4 w - - 0 1",
        "9/K8/9/9/9/7B1/9/3k5/9 w - - 0 1",
        "9/9/9/4k4/9/9/9/9/K4R3 w - - 0 1",
        "9/9/9/4k4/9/9/9/9/K3A4 w - - 0 1",
        "9/9/9/4k4/9/9/9/9/K4Q3 w - - 0 1",
    ] {
        let parsed = Position::from_fen(fen).expect("a valid FEN");
        let mut game = Game::from_position(parsed.position);
        let mut searcher =
            Searcher::with_evaluation(Evaluation::Material).expect("a few megabytes");
        while game.outcome().is_none() {
            let limits = Limits::depth(Depth(7));
            let result = searcher.search(&game, &limits);
            game.play(result.best.expect("a game that is not over has a move"));
        }
        assert_eq!(game.outcome(), Some(Outcome::Checkmate(Color::White)), "{fen}");
    }
}
