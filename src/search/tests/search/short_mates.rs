use qirkat_evaluation::Evaluation;
use qirkat_game::distance::Ply;
use qirkat_game::score::Score;
use qirkat_rules::chesquerque::{Game, Move};
use qirkat_search::{SearchControl, SearchLimits, Searcher};

/// A ladder mate: 1.Ra8 and 2.Rb9#, among others.
const LADDER: &str = "4k4/9/9/9/9/9/R8/1R7/4K4 w - - 0 1";

fn mv(text: &str) -> Move {
    text.parse().expect("a move")
}

fn score(game: &Game, moves: &[&str]) -> Score {
    let moves: Vec<Move> = moves.iter().map(|text| mv(text)).collect();
    let (control, limits) = (SearchControl::default(), SearchLimits::depth(5));
    let mut searcher = Searcher::<Evaluation>::new().expect("a searcher");
    searcher.search_under(&control, game, &moves, &limits, &mut |_| {}).score
}

#[test]
fn mates_after_a_repetition_are_not_reported() {
    let fen = "3k5/R8/9/9/9/9/9/1R7/4K4 w - - 0 1";
    let mut game = Game::from_position(fen.parse().expect("a FEN"));
    game.play(mv("a8a3"));
    game.play(mv("d9e9"));
    // After 1.Ra8 Kd9 the first position would occur for the second time.
    assert_eq!(score(&game, &["a3a8"]), Score::mating_at(Ply(3)));
    for text in ["a3a8", "e9d9", "a8a3", "d9e9"] {
        game.play(mv(text));
    }
    assert_eq!(score(&game, &["a3a8"]), Score::DRAW);
    assert_eq!(score(&game, &[]), Score::mating_at(Ply(3)), "by another way");
}

#[test]
fn only_searchmoves_are_proved() {
    let game = Game::from_position(LADDER.parse().expect("a FEN"));
    for (moves, is_mate) in
        [(&["a3a8"][..], true), (&["e1e2", "a3a8"], true), (&["e1e2", "e1d1"], false)]
    {
        assert_eq!(score(&game, moves) == Score::mating_at(Ply(3)), is_mate, "{moves:?}");
    }
}
