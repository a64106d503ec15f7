use std::fs;
use std::time::Duration;

use super::table::{Table, pieces};
use qirkat::chesquerque::{Game, Move, Point, Position};
use qirkat_game::Rules;

/// The user's moves, over as many games as needed.
const MOVES: usize = 16;

fn point(text: &str) -> Point {
    Point::parse(text).expect("a point of the board")
}

/// A move of the piece with the most moves.
fn choose_freest(game: &Game) -> Move {
    let moves = game.position().legal_moves();
    let freedom = |mv: &&Move| moves.iter().filter(|other| other.from == mv.from).count();
    let playable = moves.iter().filter(|mv| mv.promotion.is_none());
    *playable.max_by_key(freedom).expect("the game goes on")
}

/// A plausible move: a capture if there is one.
fn choose(game: &Game, number: usize) -> Move {
    let position = game.position();
    let moves: Vec<Move> =
        position.legal_moves().into_iter().filter(|mv| mv.promotion.is_none()).collect();
    let captures: Vec<Move> =
        moves.iter().copied().filter(|&mv| position.captured(mv).is_some()).collect();
    let choice = if captures.is_empty() { moves } else { captures };
    choice[number * 7 % choice.len()]
}

/// Plays a game against the engine by clicks; drops on unmarked points are refused with a reason,
/// and a move can be taken back.
#[test]
#[ignore = "needs a screen: scripts/test-xboard"]
fn a_person_plays_by_mouse() {
    let mut table = Table::open(&["--tc", "5+1"], &["-searchDepth", "2"]);
    let mut game = Game::default();

    // A pawn cannot go three points, and the reason is shown until the next click.
    table.forget_wire();
    table.click(point("e2"));
    let marked =
        "TTTTTTTTT/TTTTTTTTT/TTTTTTTTT/TTTTTTTTT/TTTTTTTTT/TTTTYTTTT/TTTTYTTTT/TTTTTTTTT/TTTTTTTTT";
    table.wait_for(&format!("highlight {marked}"));
    table.click(point("e5"));
    table.wait_for("telluser e2e5 is illegal: a pawn on a plain point moves");
    table.window_named("^Note$");
    table.picture_of_screen("illegal-move");
    table.expect_shown(game.position());
    table.click(point("h2"));
    table.expect_no_window("^Note$");
    table.click(point("h2"));

    // The first move is taken back with its reply: a later reply may end the game.
    let mv = choose(&game, MOVES);
    table.make(mv);
    let mut taken_back = game.clone();
    taken_back.play(mv);
    table.reply(&taken_back);
    table.press("ctrl+x");
    table.wait_for(">first : remove");
    table.expect_shown(game.position());

    for number in 0..MOVES {
        if game.outcome().is_some() {
            game = Game::default();
            table.press("ctrl+n");
            table.wait_for("pong ");
        }
        let in_the_middle = number == MOVES / 2;
        let mv = if in_the_middle { choose_freest(&game) } else { choose(&game, number) };
        table.lift(mv.from);
        if in_the_middle {
            table.picture("legal-points");
        }
        table.put(mv);
        game.play(mv);
        if game.outcome().is_none() {
            let reply = table.reply(&game);
            game.play(reply);
        }
    }
    table.expect_shown(game.position());
    table.picture("game");
}

/// A pawn dragged to the last rank becomes the piece chosen on the way, or a queen without a
/// choice.
#[test]
#[ignore = "needs a screen: scripts/test-xboard"]
fn promotions_are_dragged() {
    let fen = "4k4/P6P1/9/9/9/9/9/9/4K4 w - - 0 1";
    let mut table = Table::open(&[], &["-searchDepth", "1"]);
    table.paste(fen);
    let mut game = Game::from_position(Position::from_fen(fen).expect("a sound position").position);
    for (text, pulls) in [("a8a9n", 2), ("e9d8", 0), ("h8h9q", 0)] {
        let mv = Move::parse(text).expect(text);
        match mv.promotion {
            Some(_) => table.promote_by_drag(mv.from, mv.to, pulls),
            None => table.make(mv),
        }
        game.play(mv);
        table.expect_shown(game.position());
    }
}

#[test]
#[ignore = "needs a screen: scripts/test-xboard"]
fn special_moves_work_by_mouse() {
    let fen = "4k4/P5p2/9/7P1/9/9/9/9/R3K3R b KQ - 0 1";
    let mut table = Table::open(&[], &["-searchDepth", "1"]);
    table.paste(fen);
    let position = Position::from_fen(fen).expect("a sound position").position;
    let mut game = Game::from_position(position);
    table.expect_shown(game.position());
    // In a pasted position the user moves both sides.
    for text in ["g8g6", "h6g7", "e9e8", "e1h1", "e8d8"] {
        let mv = Move::parse(text).expect(text);
        assert!(game.position().is_legal(mv), "{text}");
        table.make(mv);
        game.play(mv);
        table.expect_shown(game.position());
    }
    table.picture("castled");
    let promotion = Move::parse("a8a9a").expect("a promotion");
    table.promote(promotion.from, promotion.to, 1);
    game.play(promotion);
    table.expect_shown(game.position());
}

#[test]
#[ignore = "needs a screen: scripts/test-xboard"]
fn points_stand_as_far_apart_as_wanted() {
    for size in [40, 71, 80] {
        let table = Table::open(&["--size", &size.to_string()], &[]);
        let (_, [_, _, width, _]) = table.window();
        assert_eq!(width / i32::from(Point::FILES), size);
        table.picture(&format!("size-{size}"));
    }
}

/// Two games run to their end by themselves, and XBoard shows the right final position.
#[test]
#[ignore = "needs a screen: scripts/test-xboard"]
fn engines_play_each_other() {
    let options = ["--match", "--games", "2", "--tc", "0:02+0.02", "--pgn", "games.pgn"];
    let mut table = Table::open(&options, &["-spf", "positions.fen"]);
    table.picture("match");
    // The final position stays until the user has seen it.
    let (message, _) = table.window_named("^Exiting$");
    table.picture_of_screen("end-of-match");
    std::thread::sleep(Duration::from_secs(3));
    table.window();
    table.press_in(&message, "Return");
    table.wait_for_end(Duration::from_secs(60));

    let games =
        fs::read_to_string(table.folder.path().join("games.pgn")).expect("games are written");
    let results: Vec<&str> = games.lines().filter(|line| line.starts_with("[Result ")).collect();
    assert_eq!(results.len(), 2, "{games}");
    assert!(results.iter().all(|result| !result.contains('*')), "{results:?}");

    // The moves of each game, as sent by the engines.
    let mut replayed: Vec<Game> = Vec::new();
    for line in table.wire() {
        if line.contains(">first : new") {
            replayed.push(Game::default());
        }
        let sent = line.split_once("<first : move ").or(line.split_once("<second: move "));
        if let (Some((_, text)), Some(game)) = (sent, replayed.last_mut()) {
            let mv = Move::parse(text.trim()).expect("moves are written by their points");
            assert!(game.position().is_legal(mv), "{mv} in {}", game.position());
            game.play(mv);
        }
    }
    replayed.retain(|game| !game.history().is_empty());
    assert_eq!(replayed.len(), 2);
    let positions = fs::read_to_string(table.folder.path().join("positions.fen"))
        .expect("positions are written");
    for game in &replayed {
        assert!(game.outcome().is_some(), "the game ended early: {}", game.position());
        assert!(positions.contains(&pieces(game.position())), "{} in {positions}", game.position());
    }
}

#[test]
#[ignore = "needs a screen: scripts/test-xboard"]
fn analysis_shows_lines() {
    let mut table = Table::open(&["--analyse"], &[]);
    table.wait_for("<first : 10 ");
    let mut game = Game::default();
    for text in ["e2e4", "d8d6"] {
        let mv = Move::parse(text).expect(text);
        table.make(mv);
        game.play(mv);
        // Lines for the new position start with a legal move.
        let line = table.wait_for("<first : 8 ");
        let first = line.split_ascii_whitespace().nth(7).and_then(Move::parse);
        assert!(first.is_some_and(|mv| game.position().is_legal(mv)), "{line}");
    }
    table.picture("analysis");

    // The lines are beside the board and do not hide it.
    let (_, [board_x, _, board_width, _]) = table.window();
    let (_, [lines_x, _, lines_width, _]) = table.window_named("^Engine output$");
    assert!(
        board_x + board_width < lines_x || lines_x + lines_width < board_x,
        "board {board_x}+{board_width}, lines {lines_x}+{lines_width}"
    );
    assert_eq!(table.count_new("<first : move"), 0, "an analysis makes no moves");
}
