use super::games::{expect_each_once, tags};
use crate::run::Folder;

const LINE: &str = "match -engine name=A cmd=QIRKAT -engine name=B cmd=QIRKAT -each tc=0.5 \
                    timemargin=60000 option.Hash=1 -concurrency 2 -maxmoves 24 -pgnout games.pgn";

#[test]
fn running_games_are_shown_until_they_end() {
    let folder = Folder::new();
    let mut running = folder.start(&format!("{LINE} -live"));
    let mut shown = String::new();
    running.wait_until("a game is shown with its moves", || {
        shown = folder.read("games.pgn.live");
        shown.contains("[WhiteClock ") && shown.contains(" *")
    });
    let ended = running.finish();
    assert_eq!(ended.code, Some(0), "{}\n{}", ended.out, ended.err);
    assert!(tags(&shown, "Result").iter().all(|result| result == "*"), "{shown}");
    let numbers = tags(&shown, "GameNumber");
    assert!(!numbers.is_empty() && numbers.iter().all(|number| ["1", "2"].contains(&&**number)));
    assert!(!tags(&shown, "WhiteClock").is_empty(), "{shown}");
    folder.write("shown.pgn", &shown);
    folder.play("pgn check shown.pgn");
    assert!(!folder.has("games.pgn.live"));
    expect_each_once(&folder, "games.pgn", 2);
}

#[test]
fn an_interrupted_match_leaves_no_running_game() {
    let folder = Folder::new();
    let mut running = folder.start(&format!("{LINE} -rounds 50 -live"));
    running.wait_until("games are shown", || folder.has("games.pgn.live"));
    assert_eq!(running.interrupt().code, Some(130));
    assert!(!folder.has("games.pgn.live"));
}
