//! Analysis mode.

use qirkat::chesquerque::{Game, Move};

use super::table::Table;
use qirkat_game::Rules;

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
        // Lines for the new position begin with a move that is legal there.
        let line = table.wait_for("<first : 8 ");
        let first = line.split_ascii_whitespace().nth(7).and_then(Move::parse);
        assert!(first.is_some_and(|mv| game.position().is_legal(mv)), "{line}");
    }
    table.picture("analysis");

    // The lines stand beside the board and do not hide it.
    let (_, [board_x, _, board_width, _]) = table.window();
    let (_, [lines_x, _, lines_width, _]) = table.window_named("^Engine output$");
    assert!(
        board_x + board_width < lines_x || lines_x + lines_width < board_x,
        "board {board_x}+{board_width}, lines {lines_x}+{lines_width}"
    );
    assert_eq!(table.count_new("<first : move"), 0, "an analysis makes no moves");
}
