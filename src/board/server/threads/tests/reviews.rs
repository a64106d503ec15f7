//! Reviews: of games, of what is none, broken off, and beside other tabs.

use std::path::PathBuf;

use super::*;

const GAME: &str = "[White \"Ann\"]\n\n1. e4 e6 {solid} 2. d3 1-0";

/// A tab with a game out of PGN.
fn tab_with(shared: &Shared, number: u64, pgn: &str) -> (Tab, Value) {
    let mut tab = Tab::open(shared, number);
    tab.ask(&json!({"do": "settings", "lines": 1, "threads": 1, "hash": 1}));
    tab.ask(&json!({"do": "import", "pgn": pgn}));
    let state = tab.hear("state");
    (tab, state["id"].clone())
}

/// The file of the review of a game.
fn review_file(folder: &TempDir, id: &Value) -> PathBuf {
    folder.path().join(format!("{}.review.json", id.as_str().expect("a name")))
}

fn begin(time: u32) -> Value {
    json!({"do": "review", "what": "begin", "time": time})
}

/// A game of this many plies in which nothing happens, and of which tables know nothing.
fn long_game(plies: usize) -> String {
    let mut text = "[FEN \"4k4/1p7/9/9/9/9/9/R6P1/4K4 w - - 0 1\"]\n\n".to_owned();
    for move_text in ["Kd1", "Kd9", "Ke1", "Ke9"].iter().cycle().take(plies) {
        text.push_str(move_text);
        text.push(' ');
    }
    text + "*\n"
}

#[test]
fn a_review_is_told_and_kept_with_the_game() {
    let (shared, folder) = shared();
    let (mut tab, id) = tab_with(&shared, 1, GAME);
    tab.ask(&begin(1));
    assert_eq!(tab.hear("reviewing")["progress"], json!([0, 3]));
    let kept = tab.hear("review")["kept"].clone();
    assert_eq!(kept["review"]["moves"].as_array().map(Vec::len), Some(3));
    assert_eq!(kept["review"]["unreviewed"], 0);
    assert_eq!(kept["review"]["moves"][1]["san"], "e6");
    assert!(review_file(&folder, &id).exists());
    let pgn = kept["pgn"].as_str().expect("a game");
    assert!(pgn.contains("[%eval ") && pgn.contains("solid") && pgn.contains("Annotator"), "{pgn}");
    drop(tab);
    let mut again = Tab::open(&shared, 2);
    again.ask(&json!({"do": "open", "id": id}));
    assert_eq!(again.hear("review")["kept"], kept);
    again.ask(&two_players("chesquerque"));
    again.ask(&json!({"do": "forget", "id": id}));
    again.hear("forgotten");
    assert!(!review_file(&folder, &id).exists());
}

#[test]
fn what_cannot_be_reviewed_is_refused_in_words() {
    let mut tab = Tab::alone();
    tab.ask(&begin(1));
    assert_eq!(tab.hear("note")["text"], "There is no move to review.");
    tab.ask(&two_players("chesquerque"));
    tab.play(0, &["e2e4"]);
    tab.ask(&begin(1));
    assert_eq!(tab.hear("note")["text"], "The game is still being played. End it to review it.");
    tab.ask(&json!({"do": "import", "pgn": long_game(1201)}));
    tab.ask(&begin(1));
    let text = tab.hear("error")["text"].clone();
    assert_eq!(text, "a game of 1201 plies is too long: the limit is 1200");
    for request in [
        json!({"do": "review"}),
        json!({"do": "review", "what": "begin"}),
        json!({"do": "review", "what": "begin", "time": -1}),
        json!({"do": "review", "what": "begin", "time": 1, "fen": "x"}),
        json!({"do": "review", "what": "everything"}),
    ] {
        tab.ask(&request);
        let text = tab.hear("error")["text"].clone();
        assert!(text.as_str().is_some_and(|text| text.contains("not understood")), "{request}");
    }
}

#[test]
fn a_review_stops_when_told_and_holds_up_nothing() {
    let (shared, _folder) = shared();
    let (mut tab, _) = tab_with(&shared, 1, &long_game(40));
    tab.ask(&begin(u32::MAX));
    assert_eq!(tab.hear("reviewing")["progress"], json!([0, 40]));
    tab.ask(&json!({"do": "analyse", "on": true}));
    let note = tab.hear("note")["text"].clone();
    assert_eq!(note, "The game is being reviewed. Stop the review to analyse.");
    tab.ask(&json!({"do": "sweep"}));
    tab.hear("note");
    tab.ask(&json!({"do": "goto", "node": 3}));
    tab.state_where(|state| state["node"] == 3);
    let mut other = Tab::open(&shared, 2);
    other.ask(&two_players("masonic"));
    other.state_where(|state| !state["play"].is_null());
    other.play(0, &["e2f4"]);
    tab.ask(&begin(u32::MAX));
    assert_eq!(tab.hear("reviewing")["progress"], json!([0, 40]));
    tab.ask(&json!({"do": "review", "what": "stop"}));
    assert!(tab.hear("reviewing")["progress"].is_null());
    tab.ask(&json!({"do": "review", "what": "stop"}));
    assert!(tab.hear("reviewing")["progress"].is_null());
    tab.ask(&json!({"do": "analyse", "on": true}));
    tab.hear("lines");
}

/// Dropping a tab waits for its thread: the review has ended by then.
#[test]
fn a_review_ends_with_its_tab_and_with_its_game() {
    let (shared, folder) = shared();
    let (mut tab, id) = tab_with(&shared, 1, &long_game(40));
    tab.ask(&begin(u32::MAX));
    tab.hear("reviewing");
    let mut thief = Tab::open(&shared, 2);
    thief.ask(&json!({"do": "open", "id": id}));
    tab.hear("taken-over");
    thief.ask(&begin(u32::MAX));
    while thief.hear("reviewing")["progress"].is_null() {}
    drop(thief);
    drop(tab);
    assert!(!review_file(&folder, &id).exists());
}

/// A variation that is tried meanwhile does not change what is reviewed.
#[test]
fn the_game_may_go_on_while_it_is_reviewed() {
    let (shared, _folder) = shared();
    let (mut tab, _) = tab_with(&shared, 1, GAME);
    tab.ask(&begin(100));
    tab.hear("reviewing");
    tab.ask(&json!({"do": "remove", "node": 3}));
    tab.ask(&json!({"do": "move", "node": 2, "text": "b3"}));
    let kept = tab.hear("review")["kept"].clone();
    assert_eq!(kept["review"]["moves"][2]["san"], "d3");
}
