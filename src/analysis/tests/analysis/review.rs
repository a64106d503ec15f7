//! Reviews of games: marks, reasons and what must hold for any game.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use qirkat_analysis::review::{
    AnalystBudget, AnnotationStyle, EngineAnalyst, GameReview, LeftBook, Mark, MoveReview, advise,
    annotate, line_of, refute, review_game,
};
use qirkat_engine::AnySearcher;
use qirkat_engine::book::{Book, BookEntry, BookResults};
use qirkat_evaluation::{AnyEvaluation, Chances};
use qirkat_game::Rules;
use qirkat_game::score::Score;
use qirkat_game::splitmix::splitmix64;
use qirkat_rules::pgn::{Notation, PgnGame, PgnReader};
use qirkat_rules::variant::{AnyGame, AnyMove, Variant};
use qirkat_search::ResourceError;
use qirkat_tablebase::AllTables;

use qirkat_testing::effort;

fn analyst_within(
    budget: AnalystBudget,
    variant: Variant,
    has_tables: bool,
    stop: &Arc<AtomicBool>,
) -> EngineAnalyst {
    let mut analyst = EngineAnalyst::new(budget, 0, Arc::clone(stop));
    let searcher = || -> Result<AnySearcher, ResourceError> {
        let mut searcher = AnySearcher::with_resources(AnyEvaluation::embedded(variant), 1, 1)?;
        searcher.set_tablebases(has_tables.then(AllTables::with_embedded));
        Ok(searcher)
    };
    analyst.begin(variant, searcher).expect("a searcher");
    analyst
}

fn analyst(variant: Variant, nodes: u64) -> EngineAnalyst {
    analyst_within(AnalystBudget::Nodes(nodes), variant, false, &Arc::default())
}

fn game(text: &str) -> PgnGame {
    let read = PgnReader::new(text.as_bytes()).next().expect("a game");
    read.unwrap_or_else(|error| panic!("{error}: {text}")).game
}

/// A book in which 1. e4 e6 2. d4 is a line, 1... d7 loses much, and 1. d4 little.
#[test]
fn where_a_game_leaves_the_book_is_told() {
    let start = Variant::Chesquerque.start();
    let after = |moves: &str| {
        let mut position = start;
        for text in moves.split_whitespace() {
            position.make(position.read_move(text).expect(text));
        }
        position.key()
    };
    let entries = [
        ("", 30, true),
        ("e4", -30, true),
        ("d4", -12, false),
        ("h4", 0, false),
        ("e4 e6", 30, true),
        ("e4 d7", 90, false),
        ("e4 e6 d4", -30, false),
    ];
    let entries = entries.map(|(moves, score, is_expanded)| {
        let results = BookResults::default();
        (after(moves), BookEntry { score: Score::centipawns(score), is_expanded, results })
    });
    let book = Book::new(Variant::Chesquerque, "by hand", entries);
    for (moves, left) in [
        ("e4 e6 d4", None),
        ("e4 e6 d4 d7", Some((3, None))),
        ("e4 d7", Some((1, Some("e6")))),
        ("e4 e6 c4", Some((2, Some("d4")))),
        ("d4", None),
        ("d4 d7", Some((1, None))),
        ("h4 d7", Some((0, Some("e4")))),
    ] {
        let record = game(&format!("{moves} *"));
        let mut analyst = analyst(Variant::Chesquerque, 50).without_reasons();
        let left_book = LeftBook::of(&record, Some(&book));
        let review = GameReview { left_book, ..review_game(&record, &mut analyst) };
        let told = review.left_book.map(|left| {
            let position = &review.moves[left.at].position;
            (left.at, left.best.map(|best| position.san(best)))
        });
        assert_eq!(told, left.map(|(at, best)| (at, best.map(str::to_owned))), "{moves}");
        let annotated = annotate(&record, &review, AnnotationStyle::default());
        for (at, played) in annotated.moves.iter().enumerate() {
            let comment = played.comment.as_deref().unwrap_or_default();
            let says = comment.contains("Leaves the book, ");
            assert_eq!(says, left.is_some_and(|(left, _)| left == at), "{moves}: {comment}");
        }
        assert_eq!(annotate(&annotated, &review, AnnotationStyle::default()), annotated);
    }
    let record = game("[FEN \"4k4/9/9/9/9/9/9/R8/4K4 w - - 0 1\"]\n\n1. Ra3 *");
    assert_eq!(LeftBook::of(&record, Some(&book)), None);
}

fn review(text: &str, nodes: u64) -> GameReview {
    review_by(text, AnalystBudget::Nodes(nodes), false)
}

fn review_with_tables(text: &str) -> GameReview {
    review_by(text, AnalystBudget::Nodes(2_000), true)
}

fn review_by(text: &str, budget: AnalystBudget, has_tables: bool) -> GameReview {
    let game = game(text);
    let mut analyst = analyst_within(budget, game.start.variant(), has_tables, &Arc::default());
    let review = review_game(&game, &mut analyst);
    is_known_again(&game, &review);
    review
}

fn reason(review: &MoveReview) -> &str {
    review.reason.as_deref().unwrap_or_default()
}

#[test]
fn reasons_say_what_the_board_shows() {
    let cases: [(&str, &str, Option<Mark>, &[&str]); 6] = [
        // A rook is put where it is taken, instead of taking.
        (
            "4k4/9/9/r8/9/9/9/9/R3K4 w - - 0 1",
            "Ra5",
            Some(Mark::Blunder),
            &["Black's Rxa5 then wins a rook.", "Better was Rxa6", " wins a rook."],
        ),
        // A mate is missed in a game that stays won.
        ("9/9/7Q1/9/9/9/9/8k/7K1 w - - 0 60", "Qa7", None, &[" was mate."]),
        // Into a mate.
        (
            "R8/7k1/9/9/9/9/r8/8r/4K4 w - - 0 1",
            "Rf9",
            Some(Mark::Blunder),
            &["Black's Ra1# is mate.", "Better was Rxa3"],
        ),
        // The rook must take, or a won game is a draw; but anybody sees that.
        ("4k4/9/9/r8/9/9/9/9/R3K4 b - - 0 1", "Rxa1+", None, &[]),
        // Nothing to say about a move that loses nothing.
        ("4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1", "Ra8", None, &[]),
        // A queen is made too late.
        ("9/P3k4/9/9/9/9/4r4/9/K8 w - - 0 1", "Kb1", Some(Mark::Blunder), &["a9=Q"]),
    ];
    for (fen, mv, mark, words) in cases {
        let review = review(&format!("[FEN \"{fen}\"]\n\n{mv} *\n"), 5_000);
        let only = &review.moves[0];
        assert_eq!(only.mark, mark, "{fen} {mv}: {only:?}");
        assert!(!only.is_only_move, "{fen} {mv}");
        for words in words {
            assert!(reason(only).contains(words), "{fen} {mv}: {}", reason(only));
        }
    }
}

#[test]
fn marks_are_the_same_without_reasons() {
    let blunder = game("[FEN \"4k4/9/9/9/9/9/9/q8/R3K4 w - - 0 1\"]\n\nKd1 *\n");
    let [with, without] = [false, true].map(|is_brief| {
        let analyst = analyst(blunder.start.variant(), 1_000);
        let mut analyst = if is_brief { analyst.without_reasons() } else { analyst };
        review_game(&blunder, &mut analyst).moves.remove(0)
    });
    assert!(with.mark == Some(Mark::Blunder) && with.reason.is_some(), "{with:?}");
    assert_eq!((without.mark, without.loss, without.reason), (with.mark, with.loss, None));
}

/// However much there is to say about a game, its review ends in time: many of these moves are
/// blunders, each with reasons that would take a hundred times its share. A busy machine may be
/// late.
#[test]
fn a_review_with_its_reasons_keeps_its_time() {
    let (time, late) = (Duration::from_millis(10), 2);
    let game = random_game(Variant::Chesquerque, 3, 40);
    let budget = AnalystBudget::Time(time);
    let mut analyst = analyst_within(budget, Variant::Chesquerque, false, &Arc::default());
    let begun = Instant::now();
    let review = review_game(&game, &mut analyst);
    let taken = begun.elapsed();
    assert!(review.is_complete());
    let marked = review.moves.iter().filter(|found| found.mark.is_some()).count();
    assert!(marked > 3, "{marked}");
    assert!(taken < late * 2 * time * game.moves.len() as u32, "{taken:?}, {marked} marked");
}

/// A pawn and its king against a king: what tables know is certain, and judges the moves.
#[test]
fn tables_judge_the_endings_that_they_know() {
    let text = "[FEN \"9/9/9/4k4/9/9/9/4P4/4K4 w - - 0 1\"]\n\n1. e3 Ke7 2. Kd2 Kd7 3. Kd3 *\n";
    let moves = review_with_tables(text).moves;
    assert_eq!(
        reason(&moves[0]),
        "Throws away a won ending, a mate in 25. Now it is a draw. \
         Better was Kd2, which mates in 25."
    );
    assert_eq!((moves[0].mark, moves[0].loss), (Some(Mark::Blunder), 0.5));
    assert_eq!(moves[0].white_chances_before(), Chances::WON);
    let last = moves.last().expect("moves");
    for review in &moves {
        let chances = review.white_chances();
        assert!([Chances::WON, Chances::DRAWN].contains(&chances), "{chances:?}");
        assert_eq!(review.mark.is_some(), review.loss > 0.0);
    }
    assert!(!last.is_only_move || last.loss == 0.0);
    // Only one square keeps the draw: the tables know that every other move loses.
    let text = "[FEN \"9/9/9/4k4/9/4P4/9/9/4K4 b - - 0 1\"]\n\n1... Ke7 2. Kd2 Kd7 *\n";
    let moves = review_with_tables(text).moves;
    assert!(moves[0].is_only_move, "{:?}", moves[0]);
    assert!(reason(&moves[0]).starts_with("The only move: the next best, "), "{moves:?}");
    let text = "[FEN \"9/9/9/4k4/9/4P4/9/9/4K4 b - - 0 1\"]\n\n1... Kd6 *\n";
    let moves = review_with_tables(text).moves;
    assert!(reason(&moves[0]).starts_with("Loses a drawn ending: White mates in "), "{moves:?}");
    let better = "Better was Ke7, the only good move: it holds a drawn ending.";
    assert!(reason(&moves[0]).contains(better), "{moves:?}");
}

#[test]
fn men_are_lost_by_jumps() {
    // Jumps go on, and one man more or less is not claimed.
    let early = review("[Variant \"Alquerque\"]\n\n1. d3c3 b3d3 *\n", 3_000);
    assert!(early.moves[0].mark >= Some(Mark::Mistake), "{:?}", early.moves[0]);
    assert!(!reason(&early.moves[0]).contains("man"), "{}", reason(&early.moves[0]));
    assert_eq!(early.moves[1].mark, None);
    let fen = "m1m2/2mmm/MM2m/4M/m2MM b a5b5 - 0 12";
    let text = format!("[Variant \"Alquerque\"]\n[FEN \"{fen}\"]\n\n12... e3d2 *\n");
    let three = review_with_tables(&text);
    let words = reason(&three.moves[0]);
    assert!(words.contains("White's e1c3e5e3 then wins three men. Better was "), "{words}");
}

#[test]
fn a_draw_by_repetition_lets_a_win_slip() {
    let text = "[FEN \"4k4/9/9/9/9/9/9/Q8/4K4 w - - 0 1\"]\n\n\
                Ke2 Ke8 Ke1 Ke9 Ke2 Ke8 Ke1 Ke9 1/2-1/2\n";
    let review = review(text, 1_000);
    let slip = &review.moves[6];
    assert!(slip.missed_win && slip.mark == Some(Mark::Blunder), "{slip:?}");
    assert!(reason(slip).contains("a draw by threefold repetition"), "{}", reason(slip));
    assert!(review.moves[7].is_only_move, "{:?}", review.moves[7]);
    assert!(review.moves[..6].iter().all(|review| review.mark.is_none()));
    assert_eq!(review.moves[7].white_chances(), Chances::DRAWN);
}

#[test]
fn draws_are_called_what_they_are() {
    let fen = |pawns: &str, clock| {
        let rest = "rn1qkabnr/ppppppppp/9/9/9/9";
        format!("[FEN \"{rest}/{pawns}/RNBQKABNR w KQkq - {clock} 60\"]\n\n")
    };
    let (home, moved) = ("9/PPPPPPPPP", "P8/1PPPPPPPP");
    let repeats = "a3 e7 Ra2 Ke8 Ra1 Ke9 Ra2 Ke8 Ra1 Ke9 Ra2 Ke8 Ra1 *\n";
    for (text, words) in [
        (fen(home, 0) + repeats, "Leads to a draw by threefold repetition."),
        (fen(moved, 99) + "Ra2 *\n", "Leads to a draw by 100 plies without"),
        (fen(moved, 98) + "Ra2 *\n", "then leads to a draw by 100 plies without"),
    ] {
        let review = review_with_tables(&text);
        let last = review.moves.last().expect("a move");
        assert!(reason(last).contains(words), "{text}{}", reason(last));
        assert_eq!(last.white_chances(), Chances::DRAWN, "{text}");
        for review in &review.moves {
            assert!(!reason(review).contains("ending"), "{text}{}", reason(review));
        }
        let other = last.alternative.as_ref().expect("a choice");
        assert_ne!(other.chances, Chances::DRAWN, "{text}");
    }
}

/// The next review of the game takes away all that this one says.
fn is_known_again(game: &PgnGame, review: &GameReview) {
    let once = annotate(game, review, AnnotationStyle::default());
    let twice = annotate(&once, review, AnnotationStyle::default());
    assert_eq!(once.to_string(), twice.to_string());
}

fn random_game(variant: Variant, seed: u64, plies: usize) -> PgnGame {
    let (mut state, mut game) = (seed, variant.new_game());
    while game.moves().len() < plies && game.outcome().is_none() {
        let moves = game.position().legal_moves();
        game.play(moves[splitmix64(&mut state) as usize % moves.len()]);
    }
    let mut record = PgnGame::from_position(*game.start());
    record.moves = game.moves().iter().map(|&mv| mv.into()).collect();
    record
}

#[test]
fn what_holds_for_any_game() {
    for variant in Variant::ALL {
        for seed in 0..effort([3, 30, 300]) {
            let game = random_game(variant, seed + 1, 40);
            let mut analyst = analyst(variant, 200);
            let left = Arc::new(Mutex::new(Vec::new()));
            let noted = Arc::clone(&left);
            analyst.on_reviewed(move |left| noted.lock().expect("no panic").push(left));
            let review = review_game(&game, &mut analyst);
            assert!(review.is_complete() && review.moves.len() == game.moves.len());
            let counted: Vec<usize> = (0..game.moves.len()).rev().collect();
            assert_eq!(*left.lock().expect("no panic"), counted);
            holds(&game, &review);
        }
    }
}

fn holds(game: &PgnGame, review: &GameReview) {
    let mut position = game.start;
    for (ply, (played, found)) in game.moves.iter().zip(&review.moves).enumerate() {
        assert_eq!((found.position, found.played), (position, played.mv));
        assert!((0.0..=1.0).contains(&found.loss), "{found:?}");
        assert_eq!(found.mark, Mark::of_loss(found.loss));
        assert_eq!(found.line.moves.first(), Some(&played.mv));
        assert_eq!(position.san_line(&found.line.moves).len(), found.line.moves.len());
        if let Some(other) = &found.alternative {
            assert_ne!(other.moves.first(), Some(&played.mv));
            assert_eq!(position.san_line(&other.moves).len(), other.moves.len());
        } else {
            assert_eq!(position.count_legal_moves(), 1);
        }
        // Nobody has to guess whose move is meant, and nothing contradicts itself.
        let words = reason(found);
        assert_eq!(found.mark.is_some(), words.contains("Better was "), "{words}");
        let is_bad = words.contains("loses less") || words.contains("more resistance");
        assert!(!is_bad || !words.contains(" only "), "{words}");
        // What a move leads to is what the next position is worth.
        if let Some(next) = review.moves.get(ply + 1) {
            assert_eq!(found.white_chances(), next.white_chances_before(), "{ply}");
        }
        position = position.after(played.mv);
    }
    is_known_again(game, review);
    for notation in Notation::ALL {
        let annotated = annotate(game, review, AnnotationStyle::default());
        let text = annotated.written_in(notation).to_string();
        let read = PgnReader::new(text.as_bytes()).next().expect("a game");
        let read = read.unwrap_or_else(|error| panic!("{error}: {text}"));
        let moves = |game: &PgnGame| game.moves.iter().map(|played| played.mv).collect::<Vec<_>>();
        assert_eq!(moves(&read.game), moves(game), "{text}");
        assert_eq!(read.unread.len(), 0, "{text}");
        for (played, found) in read.game.moves.iter().zip(&review.moves) {
            // The better move stands beside a marked one, and no move has two variations
            // with the same beginning.
            let firsts: Vec<AnyMove> = played.variations.iter().map(|line| line[0].mv).collect();
            let better = found.alternative.as_ref().and_then(|other| other.moves.first());
            assert!(found.mark.is_none() || firsts.last() == better, "{text}");
            assert!(!firsts.contains(&played.mv), "{text}");
        }
    }
}

#[test]
fn a_review_that_is_broken_off_keeps_the_end() {
    let game = random_game(Variant::Chesquerque, 5, 30);
    let stop = Arc::new(AtomicBool::new(false));
    let budget = AnalystBudget::Nodes(100);
    let mut analyst = analyst_within(budget, Variant::Chesquerque, false, &stop);
    let raised = Arc::clone(&stop);
    analyst.on_reviewed(move |left| raised.store(left <= 20, Ordering::Relaxed));
    let review = review_game(&game, &mut analyst);
    assert_eq!((review.unreviewed, review.moves.len()), (20, game.moves.len() - 20));
    let last = review.moves.last().expect("some were reviewed");
    assert_eq!(Some(last.played), game.moves.last().map(|played| played.mv));
    let annotated = annotate(&game, &review, AnnotationStyle::default());
    let commented = |played: &qirkat_rules::pgn::PgnMove| played.comment.is_some();
    let count = annotated.moves.iter().filter(|&played| commented(played)).count();
    assert_eq!(count, review.moves.len());
    assert!(!commented(&annotated.moves[0]));
}

#[test]
fn annotations_keep_what_was_there() {
    let text = "[FEN \"4k4/9/9/r8/9/9/9/9/R3K4 w - - 0 1\"]\n\n\
                {Before} 1. Ra5! $14 {[%clk 0:01:02] [%eval 9.9] mine} (1. Kd1 {old}) Rxa5 *\n";
    let game = game(text);
    let review = review(text, 1_000);
    for (drop_comments, words) in [(false, true), (true, false)] {
        let style = AnnotationStyle { drop_comments, ..AnnotationStyle::default() };
        let annotated = annotate(&game, &review, style);
        let first = &annotated.moves[0];
        let comment = first.comment.as_deref().unwrap_or_default();
        assert_eq!(first.nags, [1, 14, Mark::Blunder.nag()], "{comment}");
        assert!(comment.starts_with("[%eval #-") || comment.starts_with("[%eval -"), "{comment}");
        assert!(comment.contains("[%clk 0:01:02]") && !comment.contains("9.9"), "{comment}");
        assert_eq!(comment.ends_with("mine"), words, "{comment}");
        assert_eq!(annotated.opening_comment.is_some(), words);
        let [old, better] = &first.variations[..] else { panic!("{:?}", first.variations) };
        assert_eq!(old[0].comment.is_some(), words);
        assert_ne!(old[0].mv, better[0].mv);
        // The next review takes back its own mark alone, and sets it again.
        let again = annotate(&annotated, &review, AnnotationStyle::default());
        assert_eq!(again.moves[0].nags, first.nags);
    }
}

#[test]
fn what_refutes_a_move_is_shown() {
    let fen = "[FEN \"4k4/9/9/r8/9/9/9/9/R3K4 w - - 0 1\"]";
    let text = |moves: &str| {
        let text = format!("{fen}\n\n{moves} *\n");
        let review = review(&text, 1_000);
        annotate(&game(&text), &review, AnnotationStyle::default()).to_string()
    };
    let departs = text("1. Ra5 Ke8 2. Ke2");
    assert!(departs.contains("(1... Rxa5"), "{departs}");
    let ends = text("1. Ra5").replace('\n', " ");
    assert!(ends.contains(" After Ra5: Rxa5"), "{ends}");
    assert!(ends.contains("(1. Rxa6"), "{ends}");
}

#[test]
fn views_are_whites() {
    let text = "[FEN \"4k4/9/9/9/9/9/9/9/R3K4 b - - 0 1\"]\n\n1... Ke8 2. Ra8+ *\n";
    for review in review(text, 500).moves {
        assert!(review.white_score() > Score::centipawns(200), "{review:?}");
        assert!(review.white_chances().expected() > 0.9);
    }
    let mate = "[FEN \"9/7k1/9/9/9/9/r8/8r/4K4 b - - 0 1\"]\n\n1... Ra1# 0-1\n";
    let mate = annotate(&game(mate), &review(mate, 500), AnnotationStyle::default());
    assert!(mate.to_string().contains("{[%eval #-1,"), "{mate}");
    assert_eq!(GameReview::default().white_expectations(), Vec::<f64>::new());
    assert!(review("[Event \"none\"]\n\n*", 100).moves.is_empty());
}

#[test]
fn wrong_answers_are_refuted() {
    let (rooks, ladder) =
        ("4k4/9/9/r8/9/9/9/9/R3K4 w - - 0 1", "4k4/9/9/9/9/9/R8/1R7/4K4 w - - 0 1");
    for (fen, wanted, played, reason) in [
        (rooks, "Rxa6", "Ra5", "Black's Rxa5 then wins a rook."),
        (rooks, "Rxa6", "Ke2", "Black's Rxa1 then wins a rook."),
        (ladder, "Ra8", "Ra7", "It mates only in 3."),
    ] {
        let start = Variant::Chesquerque.read_fen(fen).expect(fen).position;
        let game = AnyGame::from_position(start);
        let mv = |text| start.read_move(text).expect(text);
        let stop = Arc::new(AtomicBool::new(false));
        let budget = AnalystBudget::Nodes(3_000);
        let mut analyst = analyst_within(budget, Variant::Chesquerque, false, &stop);
        let refutation = refute(&game, mv(played), mv(wanted), &mut analyst).expect("an answer");
        assert!(refutation.reason.starts_with(reason), "{played}: {}", refutation.reason);
        assert!(!refutation.reason.contains(wanted), "{}", refutation.reason);
        assert_eq!(refutation.line.moves[0], mv(played));
        let line = line_of(&game, mv(wanted), &mut analyst).expect("an answer");
        assert!(line.score > refutation.line.score, "{played}");
        stop.store(true, Ordering::Relaxed);
        assert_eq!(refute(&game, mv(played), mv(wanted), &mut analyst), None, "broken off");
    }
}

#[test]
fn advice_tells_what_a_move_does() {
    for (variant, fen, told) in [
        (Variant::Chesquerque, "4k4/9/4K4/9/9/9/9/9/R8 w - - 0 1", "Ra9# is mate."),
        (Variant::Chesquerque, "4k4/9/9/9/n8/9/9/9/R3K4 w - - 0 1", "Rxa5 wins a knight."),
        (Variant::Chesquerque, "4k4/9/9/9/4b4/9/9/9/R3K4 w - - 0 1", " saves the rook."),
        (Variant::Chesquerque, "k8/9/9/9/9/9/9/r8/2K6 w - - 0 1", ""),
        (
            Variant::Chesquerque,
            "9/3p1kp1p/A4p3/9/3P5/PP7/K3p2P1/6n1P/9 b - - 0 48",
            "e2. The only move: the next best, f6, leaves a lost game.",
        ),
        (Variant::Alquerque, "5/1m3/2M2/5/5 w - - 0 1", "c3a5 wins the game at once."),
    ] {
        let position = variant.read_fen(fen).expect(fen).position;
        let game = AnyGame::from_position(position);
        let stop = Arc::new(AtomicBool::new(false));
        let mut analyst = analyst_within(AnalystBudget::Nodes(8_000), variant, false, &stop);
        let advice = advise(&game, &mut analyst).expect("a move");
        assert!(position.is_legal(advice.mv) && advice.text.ends_with(told), "{fen}: {advice:?}");
        assert!(advice.text.starts_with(&position.san(advice.mv)), "{fen}: {advice:?}");
        stop.store(true, Ordering::Relaxed);
        assert_eq!(advise(&game, &mut analyst), None);
    }
}
