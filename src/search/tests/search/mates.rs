//! Every mate that a search reports has a complete line that ends in mate, and every draw that it
//! reports as certain is one.

use std::sync::Arc;

use qirkat_evaluation::{AlquerqueEvaluation, Evaluation, MasonicEvaluation};
use qirkat_game::{
    Evaluate, GameState, KnownResult, Outcome, Rules, Searchable, Tablebase, Terminal, mate_in_one,
};
use qirkat_rules::chesquerque::Game;
use qirkat_rules::{alquerque, chesquerque, masonic};
use qirkat_search::{Bound, SearchControl, SearchLimits, SearchLine, Searcher};
use qirkat_tablebase::Tables;
use qirkat_tablebase::alquerque::MenTables;
use qirkat_testing::effort;
use qirkat_testing::games::Random;

/// The number of positions; each test searches a fraction of it.
fn positions() -> usize {
    effort([3_000, 40_000, 2_000_000])
}

/// The fault of a line with a mate score, if any.
fn fault<G: Searchable>(game: &GameState<G>, line: &SearchLine<G>) -> Option<String> {
    let plies = line.score.plies_to_mate().filter(|_| line.bound == Bound::Exact)?;
    if line.moves.len() != usize::from(plies.unsigned_abs()) {
        return Some(format!("{} of {plies} plies", line.moves.len()));
    }
    let mut end = game.clone();
    for (ply, &mv) in line.moves.iter().enumerate() {
        if end.outcome().is_some() || !end.position().is_legal(mv) {
            return Some(format!("no move at ply {ply}"));
        }
        end.play(mv);
    }
    if end.position().has_legal_moves() || end.position().without_moves() == Terminal::Drawn {
        return Some("no mate at its end".to_owned());
    }
    // A mate in two is checked against every reply.
    let next = game.position().after(line.moves[0]);
    let is_forced = plies != 3
        || !G::HAS_CHECKMATE
        || next.legal_moves().iter().all(|&mv| mate_in_one(&next.after(mv)).is_some());
    (!is_forced).then(|| "not forced".to_owned())
}

/// Whether a line is reported as a certain draw that neither rules nor tables confirm: a second
/// occurrence does not end a game.
fn is_false_draw<G: Searchable>(
    game: &GameState<G>,
    line: &SearchLine<G>,
    tables: Option<&dyn Tablebase<G>>,
) -> bool {
    let mut end = game.clone();
    line.moves.iter().for_each(|&mv| end.play(mv));
    let known = || tables.and_then(|tables| tables.known(end.position()));
    line.is_drawn
        && !matches!(end.outcome(), Some(Outcome::Draw(_)))
        && known() != Some(KnownResult::Draw)
}

/// Searches the positions of games with good and bad moves, with a table that is never cleared, and
/// endgame tables if given. Returns the number of reported mates.
fn search_games<E: Evaluate + Default>(
    starts: &[E::Game],
    tables: Option<Arc<dyn Tablebase<E::Game>>>,
    positions: usize,
) -> usize {
    let mut searcher = Searcher::<E>::new().expect("a searcher");
    searcher.set_tablebase(tables.clone());
    let mut random = Random::seeded(1);
    let new_game = |random: &mut Random| GameState::from_position(*random.pick(starts));
    let mut game = new_game(&mut random);
    let mut mates = 0;
    for number in 0..positions {
        if number % 1_000 == 0 {
            searcher.set_threads(1 + number / 1_000 % 2).expect("threads");
        }
        if game.outcome().is_some() || game.moves().len() > 300 {
            game = new_game(&mut random);
        }
        let lines = *random.pick(&[1, 1, 2, 3, 5]);
        let limits = match random.below(4) {
            0 => SearchLimits::depth(1 + random.below(4) as i16),
            _ if random.chance(4) => SearchLimits::nodes(4_000),
            _ => SearchLimits::nodes(20 + random.below(500) as u64),
        };
        let limits = limits.with_multi_pv(lines);
        let legal = game.position().legal_moves();
        let mut wanted = Vec::new();
        if random.chance(10) {
            wanted.extend((0..3).map(|_| *random.pick(&legal)));
        }
        let mut report = |line: &SearchLine<E::Game>| {
            mates += usize::from(line.score.is_mate() && line.bound == Bound::Exact);
            let is_false_draw = is_false_draw(&game, line, tables.as_deref());
            let fault = fault(&game, line);
            if let Some(fault) = fault.or_else(|| is_false_draw.then(|| "no draw".to_owned())) {
                let moves: Vec<String> = line.moves.iter().map(|mv| mv.to_string()).collect();
                panic!(
                    "{fault}: depth {} line {} of {lines} {} {moves:?} of {}, {limits:?}",
                    line.depth,
                    line.rank,
                    line.score,
                    game.position()
                );
            }
        };
        let control = SearchControl::default();
        let result = searcher.search_under(&control, &game, &wanted, &limits, &mut report);
        let mv =
            if random.chance(40) { *random.pick(&legal) } else { result.best.expect("a move") };
        game.play(mv);
    }
    mates
}

#[test]
fn mates_in_chesquerque_have_complete_lines() {
    let positions = positions() / 2;
    let start = chesquerque::Position::start();
    assert!(search_games::<Evaluation>(&[start], None, positions) > positions / 10);
}

#[test]
fn mates_in_masonic_chess_have_complete_lines() {
    let positions = positions() / 2;
    let start = masonic::Position::start();
    assert!(search_games::<MasonicEvaluation>(&[start], None, positions) > positions / 10);
}

#[test]
fn wins_in_alquerque_have_complete_lines() {
    let positions = positions() / 20;
    let start = alquerque::Position::start();
    let tables = Arc::new(MenTables::with_embedded());
    assert!(
        search_games::<AlquerqueEvaluation>(&[start], Some(tables), positions) > positions / 10
    );
}

#[test]
fn tablebase_mates_have_complete_lines() {
    let positions = positions() / 20;
    let chesquerque =
        ["4k4/9/9/4p4/9/9/9/4R4/4K4 w - - 0 1", "4k4/9/9/4p4/9/9/9/3A5/4K4 w - - 60 90"];
    let chesquerque = chesquerque.map(|fen| fen.parse().expect("a FEN"));
    let tables = Arc::new(Tables::with_embedded());
    assert!(search_games::<Evaluation>(&chesquerque, Some(tables), positions) > positions / 10);
    let masonic = ["3qk3/8/8/8/8/8/4p3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4R3/4K3 w - - 60 90"];
    let masonic = masonic.map(|fen| fen.parse().expect("a FEN"));
    let tables = Arc::new(Tables::with_embedded());
    assert!(search_games::<MasonicEvaluation>(&masonic, Some(tables), positions) > positions / 10);
}

/// A proved mate is one of several lines, even if another of the same length was found.
#[test]
fn a_proved_mate_keeps_its_score_in_multi_pv() {
    let fen = "9/1Pp1nkpr1/5pn2/8p/9/5q3/7PP/6P1K/9 b - - 0 45";
    let mut game = Game::from_position(fen.parse().expect("a FEN"));
    let mut searcher = Searcher::<Evaluation>::new().expect("a searcher");
    let mut search = |game: &Game, limits: &SearchLimits| {
        let mut scores = Vec::new();
        searcher.search_reporting(game, limits, &mut |line| {
            assert_eq!(fault(game, line), None);
            scores.push(line.score.to_string());
        });
        scores
    };
    search(&game, &SearchLimits::nodes(4_000).with_multi_pv(2));
    for text in ["h8h3", "g2g3"] {
        game.play_text(text).expect("a move");
    }
    let scores = search(&game, &SearchLimits::depth(20).with_multi_pv(2));
    assert_eq!(scores[scores.len() - 2..], ["mate 2", "mate 2"]);
}

/// For some of these limits the search stops right after the mate in three is proved.
#[test]
fn a_proved_mate_has_its_complete_line_at_once() {
    let fen = "bk7/8p/1p5p1/pnpR4n/5p3/P3r1PP1/1P3P2P/2P2K3/3Q4R w - - 0 36";
    let game = Game::from_position(fen.parse().expect("a FEN"));
    let mut mates = 0;
    for nodes in (1_000..8_000).step_by(100) {
        let mut searcher = Searcher::<Evaluation>::new().expect("a searcher");
        let limits = SearchLimits::nodes(nodes).with_multi_pv(5);
        searcher.search_reporting(&game, &limits, &mut |line| {
            assert_eq!(fault(&game, line), None, "{nodes} nodes");
            mates += usize::from(line.score.is_mate());
        });
    }
    assert!(mates > 0);
}
