use crate::engine::{Engine, Room};
use crate::info::Score;
use qirkat_testing::effort;
use qirkat_testing::games::{Game, START, Standing, both, mirrored, turned, with_halfmove};

const MATES_IN_ONE: [&str; 3] = [
    "9/9/9/2Q6/9/9/1k7/3K5/9 w - - 0 60",
    "9/9/9/9/9/1R5K1/9/7k1/R8 w - - 0 60",
    "2R6/9/9/3K5/1k7/6P2/2p6/9/9 w - - 0 60",
];

const MATES_IN_TWO: [&str; 3] = [
    "k8/9/9/1K4Q2/9/9/9/9/9 w - - 0 60",
    "7k1/9/5K3/8R/9/9/9/9/9 w - - 0 60",
    "9/9/7P1/9/3R5/9/6K2/3p5/7k1 w - - 0 60",
];

const MATES_IN_THREE: [&str; 3] = [
    "9/9/9/9/9/3K5/9/8Q/4k4 w - - 0 60",
    "9/9/2K6/9/9/k8/9/A8/9 w - - 0 60",
    "9/9/9/9/9/5B3/2K6/k8/9 w - - 0 60",
];

const MATED: [&str; 3] = [
    "9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60",
    "1k7/KB7/9/9/9/9/9/9/9 b - - 0 60",
    "9/9/4P4/9/6p2/9/9/K8/1k5R1 b - - 0 60",
];

const STALEMATE: [&str; 3] = [
    "9/3Q5/9/8K/9/8k/9/9/9 b - - 0 60",
    "9/9/9/9/9/9/1k7/K2B5/9 b - - 0 60",
    "9/9/9/9/9/5p3/5k3/4P1RK1/9 b - - 0 60",
];

#[test]
fn a_finished_game_has_no_move() {
    let mut engine = Engine::shared();
    let gos = [
        "go depth 3",
        "go movetime 50",
        "go nodes 100",
        "go wtime 1000 btime 1000",
        "go mate 2",
        "go depth 0",
        "go foo",
        "go movetime -1",
        "go searchmoves e2e4 depth 1",
    ];
    for (fens, standing) in [(&MATED, Standing::Mated), (&STALEMATE, Standing::Drawn)] {
        for (index, fen) in both(fens).iter().enumerate() {
            let game = Game::from_fen(fen);
            assert_eq!(game.standing(), standing, "{fen}");
            for go in [gos[0], gos[index % gos.len()], gos[(index * 5 + 3) % gos.len()]] {
                let answer = engine.search(&game, go);
                assert_eq!(answer.best, "(none)", "{go} in {fen}");
            }
            // Mate takes precedence over the hundred plies.
            let late = Game::from_fen(&with_halfmove(fen, 150));
            engine.search(&late, "go depth 2");
        }
    }
    let played = Game::from_fen(MATES_IN_ONE[0]).moves("c6c3");
    assert_eq!(played.standing(), Standing::Mated);
    assert_eq!(engine.search(&played, "go depth 2").best, "(none)");
    for (fen, score) in [(MATED[0], "mate 0"), (STALEMATE[0], "cp 0")] {
        engine.say(&format!("position fen {fen}\ngo depth 1"));
        let lines = engine.until("bestmove", |line| line.starts_with("bestmove"));
        let said: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(said, [&format!("info depth 0 score {score}"), "bestmove (none)"]);
    }
}

#[test]
fn short_mates_have_their_length() {
    let mut engine = Engine::shared();
    let in_one = MATES_IN_ONE.map(|fen| [0, 99].map(|clock| (with_halfmove(fen, clock), 1)));
    let lost = [
        ("9/9/5Q3/9/9/9/9/6K2/8k b - - 0 60", -1),
        ("9/6B1k/7K1/9/9/9/9/9/9 b - - 0 60", -1),
        ("9/5Q3/7k1/9/9/5K3/9/9/9 b - - 0 60", -2),
    ];
    let others = MATES_IN_TWO.map(|fen| (fen, 2)).into_iter().chain(lost);
    let others = others.map(|(fen, moves)| (fen.to_owned(), moves));
    for (fen, moves) in in_one.into_iter().flatten().chain(others) {
        for fen in both(&[fen.as_str()]) {
            let depth = if moves == 1 { 1 } else { 12 };
            let answer = engine.search(&Game::from_fen(&fen), &format!("go depth {depth}"));
            assert_eq!(answer.score(), Score::Mate(moves), "{fen}");
        }
    }
}

#[test]
fn mates_survive_the_hash_table() {
    let mut engine = Engine::shared();
    for fen in both(&MATES_IN_THREE).into_iter().step_by(effort([3, 1, 1])) {
        let mut game = Game::from_fen(&fen);
        let mut left = 4;
        while game.standing() == Standing::Open {
            let answer = engine.search(&game, "go depth 12");
            let Score::Mate(moves) = answer.score() else {
                panic!("the mate is lost in {}: {:?}", game.fen(), answer.score());
            };
            assert!(moves > 0 && moves < left, "mate in {moves} after {left}: {}", game.fen());
            left = moves;
            game.play(&answer.best);
            if game.standing() == Standing::Open {
                let answer = engine.search(&game, "go depth 5");
                let is_lost = matches!(answer.score(), Score::Mate(m) if m < 0 && -m < left);
                assert!(is_lost, "{}", game.fen());
                game.play(&answer.best);
            }
        }
        assert_eq!(game.standing(), Standing::Mated, "{fen}");
    }
}

/// White is lost except for one move, which repeats a position for the third time: moves before the
/// root count. Without them there is no draw.
#[test]
fn moves_before_the_root_count_for_repetition() {
    let mut engine = Engine::shared();
    let shuffle = "e9f9 b1a1 f9e9 a1b1 e9f9 b1a1 f9e9";
    for is_turned in [false, true] {
        let turn = |fen: &str| {
            if is_turned { mirrored(fen) } else { fen.to_owned() }
        };
        let text = |moves: &str| if is_turned { turned(moves) } else { moves.to_owned() };
        let start = turn("4k4/9/9/9/7q1/9/9/9/1K7 b - - 3 60");
        let game = Game::from_fen(&start).moves(&text(shuffle));
        assert_eq!(game.standing(), Standing::Open);
        engine.silently("ucinewgame");
        for go in ["go depth 1", "go depth 3", "go nodes 3000"] {
            let answer = engine.search(&game, go);
            assert_eq!(answer.best, text("a1b1"), "{go}");
            assert_eq!(answer.score(), Score::Centipawns(0), "{go}");
            assert_eq!(answer.last().pv.len(), 1, "the draw ends the line");
        }
        engine.silently("ucinewgame");
        let fresh = Game::from_fen(&game.fen());
        let score = engine.search(&fresh, "go depth 2").score();
        assert!(score.worth() < -100, "without the moves before it is lost, not {score:?}");
    }
}

#[test]
fn the_hundredth_ply_draws() {
    let mut engine = Engine::shared();
    for fen in both(&MATES_IN_TWO[..2]) {
        engine.silently("ucinewgame");
        let game = Game::from_fen(&with_halfmove(&fen, 99));
        let answer = engine.search(&game, "go depth 4");
        assert_eq!(answer.score(), Score::Centipawns(0), "{fen}");
        assert_eq!(answer.last().pv.len(), 1, "{fen}");
        engine.silently("ucinewgame");
        let game = Game::from_fen(&with_halfmove(&fen, 98));
        let score = engine.search(&game, "go depth 4").score();
        assert_ne!(score, Score::Mate(2), "{fen}");
    }
}

#[test]
fn halfmove_clocks_are_kept_apart_in_the_hash_table() {
    let room = Room::shared();
    let (draw, mate) = (Score::Centipawns(0), Score::Mate(2));
    let orders = [[(98, draw), (97, mate), (0, mate)], [(0, mate), (97, mate), (98, draw)]];
    for fen in both(&["8k/5K3/9/9/9/9/1R7/9/9 w - - 0 60"]) {
        for order in orders {
            let mut engine = room.engine();
            for (clock, expected) in order {
                let game = Game::from_fen(&with_halfmove(&fen, clock));
                let answer = engine.search(&game, "go depth 12");
                assert_eq!(answer.score(), expected, "{} in {order:?}", game.fen());
            }
        }
    }
}

/// `score cp 0` with a single move means a drawn game, so a search of one ply in an even position
/// must not report it. Every answer is checked for this; these positions are likely to fail.
#[test]
fn even_positions_are_not_reported_as_draws() {
    let mut engine = Engine::shared();
    for fen in [
        START,
        "4k4/4r4/9/9/9/9/9/4R4/4K4 w - - 0 1",
        "4k4/p3p3p/9/9/9/9/9/P3P3P/4K4 w - - 0 1",
        "r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq - 0 1",
        "4k4/9/2b6/9/9/9/2B6/9/4K4 w - - 98 80",
        "4k4/9/2n6/9/9/9/2N6/9/4K4 b - - 0 1",
    ] {
        let game = Game::from_fen(fen);
        for go in ["go depth 1", "go nodes 1", "go nodes 30", "go movetime 1", "go depth 2"] {
            engine.silently("ucinewgame");
            engine.search(&game, go);
        }
    }
    // Only the second occurrence: by moves alone, and because castling rights were lost.
    for moves in
        ["e2e4 e8e6 e1e2 e9e8 e2e1 e8e9", "e2e4 e8e6 e1e2 e9e8 e2e1 e8e9 e1e2 e9e8 e2e1 e8e9"]
    {
        let game = Game::start().moves(moves);
        assert_eq!(game.standing(), Standing::Open);
        for text in game.legal() {
            engine.search(&game, &format!("go searchmoves {text} depth 1"));
        }
        engine.search(&game, "go depth 3");
    }
}

#[test]
fn drawn_lines_have_no_chances() {
    let mut engine = Engine::shared();
    engine.silently("setoption name UCI_ShowWDL value true");
    engine.wdl = true;
    let drawn = Some([0, 1000, 0]);
    for fen in both(&["4k4/9/9/9/9/9/9/9/4K4 w - - 0 1", "4k4/9/2n6/9/9/9/6N2/9/4K4 w - - 0 1"]) {
        let game = Game::from_fen(&fen);
        for go in ["go depth 30", "go movetime 300", "go nodes 100000", "go wtime 9000 btime 9000"]
        {
            let answer = engine.search(&game, go);
            let lines: Vec<_> = answer.infos.iter().map(|info| (info.depth, info.wdl)).collect();
            assert_eq!(lines, [(Some(1), drawn)], "{go} in {fen}");
        }
        engine.begin(&game, "go infinite");
        engine.still_searching(crate::limits::WATCH);
        engine.stop(&game);
    }
    // Black's best is to repeat, or to capture the last pawn.
    for fen in ["9/9/9/9/9/9/k8/1N7/3K5 b - - 0 60", "9/9/9/9/1k7/1P7/9/9/5K3 b - - 0 60"] {
        let answer = engine.search(&Game::from_fen(fen), "go depth 4");
        assert_eq!((answer.score(), answer.last().wdl), (Score::Centipawns(0), drawn), "{fen}");
    }
    let answer = engine.search(&Game::start(), "go depth 4");
    assert_ne!(answer.last().wdl, drawn, "the game is open");
}

#[test]
fn a_certain_mate_ends_a_search_by_time() {
    let mut engine = Engine::shared();
    engine.silently("setoption name TablePath value <none>");
    let game = Game::from_fen(MATES_IN_TWO[0]);
    let answer = engine.search(&game, "go movetime 30000");
    assert_eq!((answer.score(), answer.depth()), (Score::Mate(2), 5));
    assert_eq!(engine.search(&game, "go depth 20").depth(), 20);
}
