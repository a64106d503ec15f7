//! Castling, en passant and promotion, from a position set up by hand.

use qirkat::chesquerque::{Game, Move, Point, Position};

use super::table::Table;
use qirkat_game::Rules;

/// A pawn is dragged to the last rank and becomes what was chosen on the way;
/// one that is just carried there becomes a queen.
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
    // A pasted position is one to move both sides' pieces in.
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

/// Points stand as far apart as they should, also where XBoard need not
/// resize its window.
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
