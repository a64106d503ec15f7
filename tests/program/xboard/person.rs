//! A person with a mouse.

use qirkat::chesquerque::{Color, Game, Move, Point};

use super::table::Table;
use qirkat_game::Rules;

/// Moves that the person makes, in as many games as it takes.
const MOVES: usize = 16;

fn point(text: &str) -> Point {
    Point::parse(text).expect("a point of the board")
}

/// A move of the piece that has most of them.
fn choose_freest(game: &Game) -> Move {
    let moves = game.position().legal_moves();
    let freedom = |mv: &&Move| moves.iter().filter(|other| other.from == mv.from).count();
    let playable = moves.iter().filter(|mv| mv.promotion.is_none());
    *playable.max_by_key(freedom).expect("the game goes on")
}

/// Some move that is not bad at sight: a capture if there is one.
fn choose(game: &Game, number: usize) -> Move {
    let position = game.position();
    let moves: Vec<Move> =
        position.legal_moves().into_iter().filter(|mv| mv.promotion.is_none()).collect();
    let captures: Vec<Move> =
        moves.iter().copied().filter(|&mv| position.captured(mv).is_some()).collect();
    let choice = if captures.is_empty() { moves } else { captures };
    choice[number * 7 % choice.len()]
}

/// Clicks through a game against the engine; drops beside the marked points
/// are refused with a reason, and a move can be taken back.
#[test]
#[ignore = "needs a screen: scripts/test-xboard"]
fn a_person_plays_by_mouse() {
    let mut table = Table::open(&["--time", "5+1"], &["-searchDepth", "2"]);
    let mut game = Game::default();

    // A pawn does not go three points, and the player is told why until the
    // next click.
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
    assert_eq!(game.position().side_to_move(), Color::White);
    table.expect_shown(game.position());
    table.picture("game");

    // One more move, taken back together with its answer.
    let before = *game.position();
    let mv = choose(&game, MOVES);
    table.make(mv);
    game.play(mv);
    table.reply(&game);
    table.press("ctrl+x");
    table.wait_for(">first : remove");
    table.expect_shown(&before);
}
