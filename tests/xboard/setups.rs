//! Castling, en passant and promotion, from a position set up by hand.

use qirkat::position::{Game, Move, Position};

use crate::table::Table;

#[test]
#[ignore = "needs a screen: scripts/test-xboard"]
fn special_moves_work_by_mouse() {
    let fen = "4k4/P5p2/9/7P1/9/9/9/9/R3K3R b KQ - 0 1";
    let mut table = Table::open(&[], &["-searchDepth", "1"]);
    table.paste(fen);
    let position = Position::from_fen(fen).expect("a sound position").position;
    let mut game = Game::from_position(position);
    table.expect_shown(game.position());
    // A pasted position is one to move both sides' men in.
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
