//! Engine against engine.

use std::fs;
use std::time::Duration;

use qirkat::chesquerque::{Game, Move};

use super::table::{Table, pieces};
use qirkat_game::Rules;

/// Two games run to their end without anybody touching them, and XBoard's idea
/// of the last position is ours.
#[test]
#[ignore = "needs a screen: scripts/test-xboard"]
fn engines_play_each_other() {
    let options = ["--match", "--games", "2", "--time", "0:02+0.02", "--pgn", "games.pgn"];
    let mut table = Table::open(&options, &["-spf", "positions.fen"]);
    table.picture("match");
    // At the end the last position stays until the user has seen it.
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

    // Each game's moves, as the engines sent them.
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
