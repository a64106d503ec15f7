//! Sessions by their requests and replies on threads and files of this machine, without a
//! socket.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Instant;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::Threads;
use crate::page::tests::{BAD_OPENING, REPLY_TIMEOUT, TestPage, length, text_of};
use crate::page::{Event, LinkMaker, Session, Shared, Store, WatchedMatch};
use crate::server::folder::Folder;
use crate::server::guard::new_token;
use crate::server::watch::MatchWatch;

/// A session and what a page would know of it.
struct Tab {
    shared: Shared,
    events: Sender<Event>,
    replies: Receiver<String>,
    thread: Option<JoinHandle<()>>,
    /// Where its games are kept, if no other tab shares that.
    _folder: Option<TempDir>,
}

impl Tab {
    fn open(shared: &Shared, number: u64) -> Tab {
        let ((events, received), (sender, replies)) = (channel(), channel());
        let send = Box::new(move |text| sender.send(text).is_ok());
        let session = Session::new(shared.clone(), number, (events.clone(), received), send);
        let thread = Some(std::thread::spawn(move || session.run()));
        Tab { shared: shared.clone(), events, replies, thread, _folder: None }
    }

    fn alone() -> Tab {
        let (shared, folder) = shared();
        let mut tab = Tab::open(&shared, 1);
        tab._folder = Some(folder);
        tab
    }
}

impl TestPage for Tab {
    fn ask(&mut self, request: Value) {
        self.events.send(Event::Request(request.to_string(), Box::new(()))).expect("a session");
    }

    fn next_reply(&mut self) -> Option<String> {
        self.replies.recv_timeout(REPLY_TIMEOUT).ok()
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        let _ = self.events.send(Event::Closed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("no panic");
        }
    }
}

fn shared() -> (Shared, TempDir) {
    let folder = tempfile::tempdir().expect("a folder for the test");
    (shared_in(&folder, None), folder)
}

fn shared_in(folder: &TempDir, watch: Option<Arc<dyn WatchedMatch>>) -> Shared {
    let files = Folder::open(folder.path()).expect("a folder for games");
    Shared::new(Store::new(Arc::new(files)), Arc::new(Threads), watch)
}

fn import(pgn: &str) -> Value {
    json!({"do": "import", "pgn": pgn})
}

#[test]
fn legal_moves_are_told_and_others_refused_with_the_rule() {
    let mut tab = Tab::alone();
    assert_eq!(length(&tab.begin("chesquerque")["position"]["legal"]), 18);
    let refused = tab.get(json!({"do": "move", "node": 0, "text": "a1a5"}), "refused");
    assert_eq!(refused["reason"], "the path is blocked on a2");
    assert_eq!(tab.play(0, &["e2e4", "e6"])["position"]["last"], json!(["e8", "e6"]));
    tab.ask(json!({"do": "take-back"}));
    assert_eq!(tab.state_where(|state| state["position"]["turn"] == "black")["node"], 1);
    // A series of jumps is told point by point.
    tab.ask(json!({"do": "new", "game": "alquerque", "fen": "5/1m1m1/5/1m3/M4 w - - 0 1"}));
    let state = tab.state_where(|state| state["game"] == "alquerque");
    let moves = state["position"]["legal"].as_array().expect("moves");
    assert!(moves.iter().all(|mv| mv["capture"] == true), "{moves:?}");
    assert!(moves.iter().any(|mv| length(&mv["points"]) > 2), "{moves:?}");
}

#[test]
fn the_engine_answers_and_its_strength_is_kept() {
    let mut tab = Tab::alone();
    tab.ask(json!({"do": "new", "game": "masonic", "people": [true, false], "elo": 500}));
    tab.state_where(|state| state["play"]["elo"] == 500);
    tab.ask(json!({"do": "move", "node": 0, "text": "e2f4"}));
    // A try in an exercise leaves alone what the engine thinks about.
    tab.ask(try_move(1, &puzzle("mate-2-01", &[]), "h8i7"));
    let state = tab.state_where(|state| state["node"] == 2);
    assert_eq!(state["position"]["turn"], "white");
    assert_eq!(state["play"]["thinking"], false);
}

#[test]
fn a_game_is_found_again_and_open_in_one_tab_only() {
    let mut first = Tab::alone();
    let id = first.begin("chesquerque")["id"].clone();
    first.play(0, &["e2e4", "e8e6"]);
    let mut second = Tab::open(&first.shared, 2);
    second.ask(json!({"do": "open", "id": id}));
    assert_eq!(second.state_where(|state| state["id"] == id)["node"], 2);
    first.hear("taken-over");
    // Who has another game by then does not leave that.
    let other = first.begin("masonic")["id"].clone();
    first.events.send(Event::Leave(text_of(&id).to_owned(), channel().0)).expect("a session");
    assert_eq!(first.play(0, &["e2f4"])["id"], other);
    second.play(2, &["d2d3"]);
    drop(second);
    let mut third = Tab::open(&first.shared, 3);
    third.ask(json!({"do": "open"}));
    assert_eq!(third.state_where(|state| state["id"] == id)["node"], 3);
}

#[test]
fn whoever_has_no_time_left_loses() {
    let mut tab = Tab::alone();
    let clock = json!({"base": 1000, "increment": 0});
    tab.ask(json!({"do": "new", "game": "chesquerque", "people": [true, true], "clock": clock}));
    tab.state_where(|state| !state["play"].is_null());
    tab.play(0, &["e2e4"]);
    let state = tab.state_where(|state| !state["play"]["result"].is_null());
    assert_eq!(state["play"]["result"], "1-0");
    assert_eq!(state["play"]["reason"], "Black has no time left");
    // The clocks come back with the move, and the game goes on.
    tab.ask(json!({"do": "take-back"}));
    let state = tab.state_where(|state| state["play"]["result"].is_null());
    assert_eq!((&state["node"], &state["play"]["left"]), (&json!(0), &json!([1000, 1000])));
}

#[test]
fn analysis_sends_lines_and_stops_when_asked() {
    let mut tab = Tab::alone();
    tab.ask(json!({"do": "new", "game": "chesquerque"}));
    tab.ask(json!({"do": "settings", "lines": 2, "threads": 1, "hash": 1}));
    let lines = tab.get(json!({"do": "analyse", "on": true}), "lines");
    assert_eq!(lines["node"], 0);
    assert!(length(&lines["lines"][0]["san"]) > 0, "{lines}");
    tab.ask(json!({"do": "analyse", "on": true, "threat": true}));
    while tab.hear("lines")["threat"] != true {}
    tab.ask(json!({"do": "analyse", "on": false}));
    tab.state_where(|state| state["analysing"] == false);
}

#[test]
fn games_are_read_and_written_down() {
    let mut tab = Tab::alone();
    for text in [
        "1. e4 e6 {solid} 2. d3 1-0",
        "1. e4 (1. d4 $1 {better} 1... d7 (1... d6)) 1... e6 *",
        "1. e4 {book} 1... e6 {+0.26/2 0.001s} 2. d3 {[%eval 0.35,18] [%clk 0:04:59] [%cal Ge2e4] quiet} *",
    ] {
        tab.get(import(text), "tree");
        let written = tab.export();
        assert!(written.contains(text), "{written}");
    }
    // What a file notes of moves is told apart from words.
    let nodes = &tab.get(json!({"do": "comment", "node": 3, "text": "loud"}), "tree")["nodes"];
    assert!(nodes[1]["comment"].is_null() && nodes[1]["notes"] == json!(["book"]), "{nodes}");
    assert!(nodes[2]["comment"].is_null(), "{nodes}");
    assert_eq!(nodes[2]["eval"], json!({"cp": -26, "depth": 2}));
    assert_eq!((&nodes[3]["comment"], &nodes[3]["clock"]), (&json!("loud"), &json!("0:04:59")));
    assert_eq!(nodes[3]["shapes"][0], json!({"from": "e2", "to": "e4", "brush": "green"}));
    assert!(tab.export().contains("[%cal Ge2e4] loud} *"));
    assert_eq!(length(&tab.get(import("1. e5 *"), "imported")["faults"]), 1);
    let note = "Text that could not be read is in comments: 1 place";
    assert_eq!(tab.get(import("1. e4 (1. e5) e6 *"), "note")["text"], note);
    let fen = "9/9/9/9/9/9/9/9/9 w - - 0 1";
    let checked =
        tab.get(json!({"do": "check-fen", "game": "chesquerque", "fen": fen}), "fen-checked");
    assert!(checked["fen"].is_null() && checked["text"].is_string(), "{checked}");
}

#[test]
fn the_engine_ponders_and_a_hit_is_answered() {
    let mut tab = Tab::alone();
    tab.ask(json!({"do": "settings", "lines": 1, "threads": 1, "hash": 1}));
    tab.ask(json!({"do": "ponder", "on": true}));
    tab.ask(json!({
        "do": "new", "game": "chesquerque", "fen": "4k4/9/9/9/9/9/9/R8/1R2K4 b - - 0 1",
        "people": [false, true], "think": 50,
    }));
    let state = tab.state_where(|state| state["position"]["turn"] == "black");
    // The engine has answered before it ponders.
    tab.play(state["node"].as_u64().expect("a node"), &["e9d9"]);
    let state = tab.state_where(|state| state["play"]["pondering"] == true);
    assert_eq!(state["position"]["turn"], "black");
    assert_eq!(state["play"]["thinking"], false);
    // Whatever is played, hit or not, the engine answers.
    let node = state["node"].as_u64().expect("a node");
    let text = &state["position"]["legal"][0]["text"];
    tab.ask(json!({"do": "move", "node": node, "text": text}));
    tab.state_where(|state| state["play"]["last"].as_u64() >= Some(node + 2));
    tab.ask(json!({"do": "ponder", "on": false}));
    tab.ask(json!({"do": "goto", "node": 0}));
    tab.state_where(|state| state["node"] == 0 && state["play"]["pondering"] == false);
}

#[test]
fn openings_are_counted_and_told_of_each_position() {
    let mut tab = Tab::alone();
    tab.ask(json!({"do": "openings-chunk", "text": "not asked for", "last": true}));
    let wanted = tab.get(json!({"do": "load-openings", "name": "games.pgn"}), "openings-wanted");
    assert_eq!(wanted["games"], 0);
    // A chunk may end anywhere.
    let chunk =
        |text: &str, last: bool| json!({"do": "openings-chunk", "text": text, "last": last});
    tab.get(chunk("1. e4 e6 1-0\n\n1. e4 e5 *\n\n1. d", false), "openings-wanted");
    let told = tab.get(chunk("3 *\n\n1. e4 d6 0-1\n", true), "openings");
    let here = &told["here"];
    assert_eq!((&here["games"], &here["file"]), (&json!(3), &json!("games.pgn")));
    assert_eq!(here["faults"], 1);
    assert_eq!(here["moves"][0]["san"], "e4");
    assert_eq!(here["moves"][0]["results"], json!([1, 0, 1, 0]));
    tab.play(0, &["e4"]);
    assert_eq!(length(&tab.hear("openings")["here"]["moves"]), 2);
    // Another tab knows them too, until one closes the file.
    let mut other = Tab::open(&tab.shared, 2);
    let show = json!({"do": "goto", "node": 0});
    assert_eq!(other.get(show.clone(), "openings")["here"]["games"], 3);
    assert!(tab.get(json!({"do": "forget-openings"}), "openings")["here"].is_null());
    assert!(other.get(show, "openings")["here"].is_null());
}

#[test]
fn a_match_is_told_and_its_games_are_opened() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("match.pgn");
    std::fs::write(&path, "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e6 1-0\n\n").expect("room");
    let watch = Arc::new(MatchWatch::start(path).expect("a thread"));
    let mut tab = Tab::open(&shared_in(&folder, Some(watch)), 1);
    assert_eq!(tab.hear("hello")["watch"], "match.pgn");
    tab.ask(json!({"do": "watch", "on": true}));
    let view = loop {
        let view = tab.hear("match")["view"].clone();
        if view["games"] == 1 {
            break view;
        }
    };
    assert_eq!(view["table"][0]["name"], "A");
    assert_eq!(view["finished"][0]["result"], "1-0");
    tab.ask(json!({"do": "open-watched", "game": {"finished": 1}}));
    tab.state_where(|state| state["node"] == 2);
    let note = tab.get(json!({"do": "open-watched", "game": {"running": 1}}), "note");
    assert_eq!(note["text"], "That game is not there any more.");
}

/// A disk that takes nothing is told, as long as that lasts, and no game is lost meanwhile.
#[cfg(unix)]
#[test]
fn what_cannot_be_saved_is_told_and_saved_later() {
    let (shared, folder) = shared();
    let mut tab = Tab::open(&shared, 1);
    std::fs::remove_dir_all(folder.path()).expect("a folder");
    let id = tab.begin("chesquerque")["id"].clone();
    let trouble = tab.hear("unsaved")["trouble"].clone();
    assert!(trouble["games"] == 1 && !text_of(&trouble["reason"]).is_empty(), "{trouble}");
    tab.play(0, &["e2e4"]);
    // Another game does not push it out, and a reload finds it.
    tab.begin("alquerque");
    assert_eq!(tab.hear("unsaved")["trouble"]["games"], 2);
    drop(tab);
    let mut again = Tab::open(&shared, 2);
    again.ask(json!({"do": "open", "id": id}));
    assert_eq!(again.state_where(|state| state["id"] == id)["node"], 1);
    assert_eq!(again.hear("unsaved")["trouble"]["games"], 2);
    std::fs::create_dir(folder.path()).expect("a folder");
    assert!(again.get(json!({"do": "save"}), "unsaved")["trouble"].is_null());
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2);
}

#[test]
fn all_games_are_listed_and_those_that_cannot_be_read_named() {
    let (shared, folder) = shared();
    let mut tab = Tab::open(&shared, 1);
    let pgn = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 1-0\n";
    let id = tab.get(import(pgn), "state")["id"].clone();
    let file = |id: &str| folder.path().join(format!("{id}.json"));
    // More than are listed at once.
    let ids = ('2'..='9').flat_map(|a| ('2'..='9').map(move |b| format!("abcdefghjk{a}{b}")));
    for id_of_copy in ids {
        std::fs::copy(file(text_of(&id)), file(&id_of_copy)).expect("room");
    }
    for name in ["abcdefghjm2a", "my game", "preferences", "training", "abcdefghijkm.review"] {
        std::fs::write(file(name), "{").expect("room");
    }
    std::fs::write(file("abcdefghjm2b"), b"\xff").expect("room");
    tab.ask(json!({"do": "list"}));
    let (mut games, mut unreadable) = (Vec::new(), Vec::new());
    loop {
        let piece = tab.hear("games");
        games.extend(piece["games"].as_array().expect("games").clone());
        unreadable.extend(piece["unreadable"].as_array().expect("files").clone());
        if piece["left"] == 0 {
            break;
        }
        tab.ask(json!({"do": "list-more"}));
    }
    assert_eq!(games.len(), 65);
    assert_eq!(games[0]["players"], json!(["Ann", "Bob"]));
    unreadable.sort_by_key(|file| file["file"].to_string());
    let named = |file: &Value| format!("{} {}", text_of(&file["file"]), file["id"].is_null());
    let names: Vec<String> = unreadable.iter().map(named).collect();
    let wanted = ["abcdefghjm2a.json false", "abcdefghjm2b.json false", "my game.json true"];
    assert_eq!(names, wanted);
    assert!(unreadable.iter().all(|file| !text_of(&file["reason"]).is_empty()));
    let forgotten = tab.get(json!({"do": "forget", "id": unreadable[0]["id"]}), "forgotten");
    assert_eq!(forgotten["id"], unreadable[0]["id"]);
}

#[test]
fn a_game_with_clocks_is_written_down_with_them() {
    let mut tab = Tab::alone();
    let clock = json!({"base": 300_000, "increment": 3000});
    tab.ask(json!({"do": "new", "game": "chesquerque", "people": [true, true], "clock": clock}));
    let state = tab.state_where(|state| !state["play"].is_null());
    tab.play(0, &["e2e4", "e8e6"]);
    tab.ask(json!({"do": "take-back"}));
    tab.state_where(|state| state["node"] == 1);
    tab.play(1, &["e8e6"]);
    let mut again = Tab::open(&tab.shared, 2);
    again.ask(json!({"do": "open", "id": state["id"]}));
    let pgn = again.export();
    assert!(pgn.contains("[TimeControl \"300+3\"]"), "{pgn}");
    let clock = "{[%clk 0:05:0";
    assert!(pgn.contains(&format!("  1. e4 {clock}0]}} 1... e6 {clock}")), "{pgn}");
    assert_eq!(pgn.matches("%clk").count(), 2, "{pgn}");
}

const GAME: &str = "[White \"Ann\"]\n\n1. e4 e6 {solid} 2. d3 1-0";

/// A tab with a game out of PGN.
fn tab_with(shared: &Shared, number: u64, pgn: &str) -> (Tab, Value) {
    let mut tab = Tab::open(shared, number);
    tab.ask(json!({"do": "settings", "lines": 1, "threads": 1, "hash": 1}));
    let id = tab.get(import(pgn), "state")["id"].clone();
    (tab, id)
}

fn review_file(folder: &TempDir, id: &Value) -> PathBuf {
    folder.path().join(format!("{}.review.json", text_of(id)))
}

fn review(time: u32) -> Value {
    json!({"do": "review", "what": "begin", "time": time})
}

/// A game of this many plies in which nothing happens, and of which tables know nothing.
fn long_game(plies: usize) -> String {
    let moves: Vec<&str> = ["Kd1", "Kd9", "Ke1", "Ke9"].into_iter().cycle().take(plies).collect();
    format!("[FEN \"4k4/1p7/9/9/9/9/9/R6P1/4K4 w - - 0 1\"]\n\n{} *\n", moves.join(" "))
}

#[test]
fn a_review_is_told_and_kept_with_the_game() {
    let (shared, folder) = shared();
    let (mut tab, id) = tab_with(&shared, 1, GAME);
    assert_eq!(tab.get(review(1), "reviewing")["progress"], json!([0, 3]));
    let kept = tab.hear("review")["kept"].clone();
    assert_eq!((length(&kept["review"]["moves"]), &kept["review"]["unreviewed"]), (3, &json!(0)));
    assert_eq!(kept["review"]["moves"][1]["san"], "e6");
    assert!(review_file(&folder, &id).exists());
    for part in ["[%eval ", "solid", "Annotator"] {
        assert!(text_of(&kept["pgn"]).contains(part), "{kept}");
    }
    drop(tab);
    let mut again = Tab::open(&shared, 2);
    assert_eq!(again.get(json!({"do": "open", "id": id}), "review")["kept"], kept);
    again.begin("chesquerque");
    again.get(json!({"do": "forget", "id": id}), "forgotten");
    assert!(!review_file(&folder, &id).exists());
    again.ask(import(BAD_OPENING));
    again.ask(review(1));
    let kept = &again.hear("review")["kept"];
    assert_eq!(kept["review"]["left_book"]["ply"], 1, "{kept}");
    let pgn = text_of(&kept["pgn"]).replace('\n', " ");
    assert!(pgn.contains(" Leaves the book, which plays "), "{kept}");
}

#[test]
fn what_cannot_be_reviewed_is_refused_in_words() {
    let mut tab = Tab::alone();
    assert_eq!(tab.get(review(1), "note")["text"], "There is no move to review.");
    tab.begin("chesquerque");
    tab.play(0, &["e2e4"]);
    let note = "The game is still being played. End it to review it.";
    assert_eq!(tab.get(review(1), "note")["text"], note);
    tab.ask(import(&long_game(1201)));
    let text = "a game of 1201 plies is too long: the limit is 1200";
    assert_eq!(tab.get(review(1), "error")["text"], text);
    tab.refuses(&[
        json!({"do": "review"}),
        json!({"do": "review", "what": "begin"}),
        json!({"do": "review", "what": "begin", "time": -1}),
        json!({"do": "review", "what": "begin", "time": 1, "fen": "x"}),
        json!({"do": "review", "what": "everything"}),
    ]);
}

#[test]
fn a_review_stops_when_told_and_holds_up_nothing() {
    let (shared, _folder) = shared();
    let (mut tab, _) = tab_with(&shared, 1, &long_game(40));
    assert_eq!(tab.get(review(u32::MAX), "reviewing")["progress"], json!([0, 40]));
    let note = tab.get(json!({"do": "analyse", "on": true}), "note");
    assert_eq!(note["text"], "The game is being reviewed. Stop the review to analyse.");
    tab.get(json!({"do": "sweep"}), "note");
    tab.ask(json!({"do": "goto", "node": 3}));
    tab.state_where(|state| state["node"] == 3);
    let mut other = Tab::open(&shared, 2);
    other.begin("masonic");
    other.play(0, &["e2f4"]);
    assert_eq!(tab.get(review(u32::MAX), "reviewing")["progress"], json!([0, 40]));
    for _ in 0..2 {
        let stop = json!({"do": "review", "what": "stop"});
        assert!(tab.get(stop, "reviewing")["progress"].is_null());
    }
    tab.get(json!({"do": "analyse", "on": true}), "lines");
}

/// Dropping a tab waits for its thread: the review has ended by then.
#[test]
fn a_review_ends_with_its_tab_and_with_its_game() {
    let (shared, folder) = shared();
    let (mut tab, id) = tab_with(&shared, 1, &long_game(40));
    tab.get(review(u32::MAX), "reviewing");
    let mut thief = Tab::open(&shared, 2);
    thief.ask(json!({"do": "open", "id": id}));
    tab.hear("taken-over");
    thief.ask(review(u32::MAX));
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
    tab.get(review(100), "reviewing");
    tab.ask(json!({"do": "remove", "node": 3}));
    tab.ask(json!({"do": "move", "node": 2, "text": "b3"}));
    assert_eq!(tab.hear("review")["kept"]["review"]["moves"][2]["san"], "d3");
}

fn set_up(task: &Value) -> Value {
    json!({"do": "exercise", "what": "set-up", "number": 7, "task": task})
}

fn try_move(number: u32, task: &Value, text: &str) -> Value {
    json!({"do": "exercise", "what": "try", "number": number, "task": task, "text": text})
}

/// The judgement of a try, once it is as it should be: it is searched for a moment, which a busy
/// machine may not give it at once.
fn judged(tab: &mut Tab, task: &Value, text: &str, is_right: impl Fn(&Value) -> bool) -> Value {
    let end = Instant::now() + REPLY_TIMEOUT;
    loop {
        let tried = tab.get(try_move(1, task, text), "tried");
        if is_right(&tried) {
            return tried;
        }
        assert!(Instant::now() < end, "{text}: {tried}");
    }
}

fn puzzle(id: &str, moves: &[&str]) -> Value {
    json!({"kind": "puzzle", "game": "chesquerque", "id": id, "moves": moves})
}

#[test]
fn the_rules_answer_at_once() {
    let mut tab = Tab::alone();
    let fen = "2k6/9/9/9/9/4B4/9/9/1K7 w - - 0 1";
    let task = json!({"kind": "position", "game": "chesquerque", "fen": fen});
    let exercise = tab.get(set_up(&task), "exercise");
    assert_eq!((&exercise["number"], &exercise["position"]["turn"]), (&json!(7), &json!("white")));
    let refused = tab.get(try_move(8, &task, "e4f5"), "tried");
    assert_eq!((&refused["number"], &refused["judgement"]), (&json!(8), &json!("refused")));
    assert!(text_of(&refused["text"]).len() > 10, "{refused}");
    let legal = tab.get(try_move(9, &task, "e4e5"), "tried");
    assert_eq!((&legal["judgement"], &legal["text"]), (&json!("legal"), &json!("Be5")));
    assert_eq!(legal["position"]["turn"], "black");
}

#[test]
fn a_mate_is_played_to_its_end_and_a_wrong_move_refuted() {
    let mut tab = Tab::alone();
    let right = judged(&mut tab, &puzzle("mate-2-01", &[]), "h8i7", |tried| {
        tried["judgement"] == "right" && tried["mate"] == 2
    });
    let [reply, mate] = [0_usize, 1].map(|at| text_of(&right["answer"]["texts"][at]));
    let on = puzzle("mate-2-01", &["h8i7", reply]);
    assert_eq!(tab.get(set_up(&on), "exercise")["position"]["turn"], "black");
    let solved = judged(&mut tab, &on, mate, |tried| tried["judgement"] == "solved");
    assert!(solved["position"]["outcome"].is_string());
    judged(&mut tab, &puzzle("mate-5-01", &[]), "d5d2", |tried| {
        assert!(tried["judgement"] != "right" && tried["judgement"] != "solved", "{tried}");
        length(&tried["answer"]["san"]) > 0
    });
}

/// White leaves a queen alone that it could take.
const QUEEN: &str = "4k4/9/9/9/9/9/9/q8/R3K4 w - - 0 1";

#[test]
fn better_moves_than_those_of_the_game_are_known() {
    let mut tab = Tab::alone();
    tab.ask(import(&format!("[FEN \"{QUEEN}\"]\n\n1. Kd1 Qa8 *")));
    let id = tab.state_where(|state| state["position"]["fen"] == QUEEN)["id"].clone();
    tab.get(review(20), "review");
    let mistake = |ply: u32| json!({"kind": "mistake", "id": id, "ply": ply});
    assert_eq!(tab.get(set_up(&mistake(1)), "exercise")["position"]["fen"], QUEEN);
    judged(&mut tab, &mistake(1), "Kd1", |tried| tried["judgement"] == "wrong");
    judged(&mut tab, &mistake(1), "Rxa2", |tried| tried["judgement"] == "solved");
    for ply in [0, 3, 4, u32::MAX] {
        let text = "the review of this game has no such mistake any more";
        assert_eq!(tab.get(set_up(&mistake(ply)), "error")["text"], text, "{ply}");
    }
}

#[test]
fn hostile_exercises_are_refused() {
    let mut tab = Tab::alone();
    let position = |fen: &str| json!({"kind": "position", "game": "chesquerque", "fen": fen});
    let ending = |fen: &str, moves: &[&str]| json!({"kind": "ending", "game": "chesquerque", "fen": fen, "moves": moves});
    for task in [
        position(""),
        position("9/9/9/9/9/9/9/9/9 w - - 0 1"),
        position(&"9/".repeat(100_000)),
        ending("", &["e1e2"]),
        ending("9/9/9/3k5/9/9/9/5B3/4K4 w - - 0 1", &["e1e9"]),
        ending("9/9/9/3k5/9/9/9/5B3/4K4 w - - 0 1", &[""; 500]),
        puzzle("../../etc/passwd", &[]),
        puzzle("mate-2-01", &["h8i7"]),
        puzzle("mate-2-99", &[]),
        puzzle("mate-2-01", &["h8i7", "h8i7"]),
        puzzle("mate-2-01", &["\u{202e}", ""]),
        puzzle("mate-2-01", &["x"; 1000]),
        json!({"kind": "mistake", "id": "abcdefghijkm", "ply": 1}),
        json!({"kind": "mistake", "id": "../../etc/passwd", "ply": 1}),
    ] {
        tab.get(set_up(&task), "error");
        assert_eq!(tab.get(try_move(2, &task, "e2e4"), "tried")["judgement"], "refused");
    }
    tab.refuses(&[
        json!({"do": "exercise"}),
        json!({"do": "exercise", "what": "solve"}),
        json!({"do": "exercise", "what": "set-up", "number": -1, "task": position("x")}),
        json!({"do": "exercise", "what": "set-up", "number": 1, "task": {"kind": "file"}}),
        json!({"do": "exercise", "what": "try", "number": 1, "task": puzzle("x", &[])}),
    ]);
    // Only the last of many tries is judged.
    for number in 0..10 {
        tab.ask(try_move(number, &puzzle("mate-2-01", &[]), "h8i7"));
    }
    assert_eq!(tab.hear("tried")["number"], 9);
}

/// What is failed comes again on the next day, in other tabs too; the mistakes of a game that
/// was played and reviewed here are among it.
#[test]
fn what_is_failed_comes_again() {
    let mut tab = Tab::alone();
    let people = [true, true];
    tab.ask(json!({"do": "new", "game": "chesquerque", "fen": QUEEN, "people": people}));
    let id = tab.state_where(|state| state["position"]["fen"] == QUEEN)["id"].clone();
    tab.play(0, &["Kd1", "Qxa1"]);
    tab.ask(json!({"do": "resign"}));
    tab.state_where(|state| state["play"]["result"] == "0-1");
    tab.get(review(20), "review");
    let today = 20_000;
    let overview = json!({"do": "train", "what": "overview", "today": today, "others": false});
    let overview = tab.get(overview, "training");
    assert_eq!((&overview["mistakes"], &overview["fresh"]), (&json!(1), &json!(1)), "{overview}");
    let habits = &overview["habits"]["chesquerque"]["pieces"]["k"];
    assert_eq!(*habits, json!({"mistakes": 1, "moves": 1}));
    let next = |want: Value| json!({"do": "train", "what": "next", "today": today, "want": want, "after": null});
    let posed = tab.get(next(json!({"kind": "mistakes", "others": false})), "posed");
    assert_eq!((&posed["posed"]["id"], &posed["posed"]["move"]["san"]), (&id, &json!("Kd1")));
    let item = json!({"kind": "mistake", "id": id, "ply": 1});
    let grade =
        json!({"do": "train", "what": "grade", "today": today, "item": item, "grade": "failed"});
    assert_eq!(tab.get(grade, "graded")["next"], today + 1);
    let mut other = Tab::open(&tab.shared, 2);
    let due = json!({"do": "train", "what": "due", "today": today + 1});
    assert_eq!(other.get(due, "due")["mistakes"], 1);
    other.refuses(&[
        json!({"do": "train", "what": "due"}),
        json!({"do": "train", "what": "due", "today": -1}),
        json!({"do": "train", "what": "grade", "today": 1, "item": {"kind": "file"}, "grade": "failed"}),
        next(json!({"kind": "puzzles", "game": "go"})),
    ]);
}

/// A friend on another device, and what the page there would know.
struct Friend {
    shared: Shared,
    number: u64,
    game: String,
    replies: Receiver<String>,
}

impl Friend {
    /// Comes by the link for a seat that a tab has made.
    fn invited(tab: &mut Tab, seat: &str) -> Friend {
        let links = tab.get(json!({"do": "share", "seat": seat}), "links")["links"].clone();
        let link = links.as_array().expect("links").iter().find(|link| link["seat"] == seat);
        let address = text_of(&link.expect("a link")["address"]).to_owned();
        Friend::by(&tab.shared, &address).expect("a good link")
    }

    fn by(shared: &Shared, address: &str) -> Option<Friend> {
        let token = address.trim_end_matches('/').rsplit('/').next().expect("a token");
        let (sender, replies) = channel();
        let send = Box::new(move |text| sender.send(text).is_ok());
        let (number, game) = shared.friend_comes(|known| known == token, send)?;
        Some(Friend { shared: shared.clone(), number, game, replies })
    }

    /// Whether the link or the connection has ended, once all replies are read.
    fn has_ended(&self) -> bool {
        loop {
            if let Err(end) = self.replies.recv_timeout(REPLY_TIMEOUT) {
                return end == RecvTimeoutError::Disconnected;
            }
        }
    }
}

impl TestPage for Friend {
    fn ask(&mut self, request: Value) {
        let message = (request.to_string(), Box::new(()) as Box<dyn Send>);
        self.shared.friend_says(self.number, &self.game, Some(message));
    }

    fn next_reply(&mut self) -> Option<String> {
        self.replies.recv_timeout(REPLY_TIMEOUT).ok()
    }
}

impl Drop for Friend {
    fn drop(&mut self) {
        self.shared.friend_goes(self.number, &self.game);
    }
}

/// A tab in which a game of two people is played that friends may join.
fn host() -> (Tab, Value, TempDir) {
    let (mut shared, folder) = shared();
    shared.friends.maker = Some(Arc::new(LinkMaker {
        base: "http://here/".to_owned(),
        is_local: true,
        token: || new_token().ok(),
        code: |_| None,
    }));
    let mut tab = Tab::open(&shared, 1);
    let id = tab.begin("chesquerque")["id"].clone();
    (tab, id, folder)
}

fn at(node: u64) -> impl Fn(&Value) -> bool {
    move |state| state["node"] == node
}

#[test]
fn a_friend_plays_one_side_and_does_no_more() {
    let (mut tab, _, _folder) = host();
    let mut friend = Friend::invited(&mut tab, "black");
    let hello = friend.hear("hello");
    assert_eq!((&hello["seat"], &hello["preferences"]), (&json!("black"), &json!({})));
    let state = friend.state_where(at(0));
    assert_eq!(state["play"]["friends"], json!([true, null]));
    tab.state_where(|state| state["play"]["friends"] == json!([null, true]));
    for request in [
        json!({"do": "new", "game": "chesquerque"}),
        json!({"do": "analyse", "on": true}),
        json!({"do": "open"}),
        json!({"do": "list"}),
        json!({"do": "export"}),
        json!({"do": "import", "pgn": "*"}),
        json!({"do": "pause", "on": true}),
        json!({"do": "break-off"}),
        json!({"do": "comment", "node": 0, "text": "x"}),
        json!({"do": "save-preferences", "preferences": {}}),
        json!({"do": "share", "seat": "white"}),
        json!({"do": "links"}),
        json!("resign"),
    ] {
        let error = friend.get(request.clone(), "error");
        assert!(text_of(&error["text"]).contains("does not allow"), "{request}: {error}");
    }
    let theirs = "it is your friend's turn";
    let white = json!({"do": "move", "node": 0, "text": "e2e4"});
    assert_eq!(friend.get(white.clone(), "refused")["reason"], theirs);
    tab.ask(white);
    friend.state_where(at(1));
    let black = json!({"do": "move", "node": 1, "text": "e8e6"});
    assert_eq!(tab.get(black.clone(), "refused")["reason"], theirs);
    friend.get(json!({"do": "move", "node": 1, "text": "e2e4"}), "refused");
    friend.ask(black);
    tab.state_where(at(2));
    friend.state_where(at(2));
    // Who looks back stays there, and sees no other position than the tab does.
    friend.ask(json!({"do": "goto", "node": 1}));
    friend.state_where(at(1));
    tab.ask(json!({"do": "move", "node": 2, "text": "d2d3"}));
    assert_eq!(friend.hear("state")["node"], 1);
    let note = tab.get(json!({"do": "analyse", "on": true}), "note");
    assert_eq!(note["text"], "Hints and analysis are off while friends play.");
    // One who looks on can do nothing at all.
    let mut watcher = Friend::invited(&mut tab, "watch");
    assert_eq!(watcher.state_where(at(3))["play"]["friends"], json!([true, true]));
    for request in [json!({"do": "resign"}), json!({"do": "move", "node": 3, "text": "d8d7"})] {
        watcher.get(request, "error");
    }
    watcher.ask(json!({"do": "goto", "node": 0}));
    watcher.state_where(at(0));
    friend.ask(json!({"do": "resign"}));
    let ended = tab.state_where(|state| !state["play"]["result"].is_null());
    assert_eq!(ended["play"]["reason"], "Black resigns");
    let over = friend.get(json!({"do": "move", "node": 3, "text": "d8d7"}), "refused");
    assert_eq!(over["reason"], "the game is over");
}

#[test]
fn offers_are_answered_by_the_other_side() {
    let (mut tab, _, _folder) = host();
    let mut friend = Friend::invited(&mut tab, "black");
    let offered = |what: &'static str, by: &'static str| {
        move |state: &Value| state["play"]["offer"] == json!([what, by])
    };
    let nothing_offered = |state: &Value| state["play"]["offer"].is_null();
    let note = friend.get(json!({"do": "take-back"}), "note");
    assert_eq!(note["text"], "There is no move of yours to take back.");
    tab.ask(json!({"do": "move", "node": 0, "text": "e2e4"}));
    friend.state_where(at(1));
    tab.ask(json!({"do": "take-back"}));
    friend.state_where(offered("take-back", "white"));
    // Whoever has asked cannot answer, and other moves make it void.
    tab.ask(json!({"do": "answer", "offer": "take-back", "accept": true}));
    friend.ask(json!({"do": "move", "node": 1, "text": "e8e6"}));
    let state = tab.state_where(at(2));
    assert!(nothing_offered(&state), "{state}");
    friend.ask(json!({"do": "offer-draw"}));
    tab.state_where(offered("draw", "black"));
    // An answer to another offer is none.
    tab.ask(json!({"do": "answer", "offer": "take-back", "accept": true}));
    tab.ask(json!({"do": "answer", "offer": "draw", "accept": false}));
    assert_eq!(friend.hear("note")["text"], "Your friend would like to play on.");
    friend.state_where(nothing_offered);
    assert_eq!(friend.get(json!({"do": "offer-draw"}), "note")["text"], "That was declined.");
    // White is to move: with its own move that of Black goes back, too.
    tab.ask(json!({"do": "take-back"}));
    friend.state_where(offered("take-back", "white"));
    friend.ask(json!({"do": "answer", "offer": "take-back", "accept": true}));
    assert_eq!(tab.state_where(at(0))["position"]["turn"], "white");
    friend.state_where(at(0));
    tab.ask(json!({"do": "offer-draw"}));
    friend.state_where(offered("draw", "white"));
    // To offer the same is to accept.
    friend.ask(json!({"do": "offer-draw"}));
    let ended = tab.state_where(|state| !state["play"]["result"].is_null());
    assert_eq!(ended["play"]["reason"], "draw by agreement");
}

#[test]
fn friends_come_back_and_links_end() {
    let (mut tab, id, _folder) = host();
    let links = tab.get(json!({"do": "share", "seat": "black"}), "links")["links"].clone();
    let address = text_of(&links[0]["address"]).to_owned();
    let shared = tab.shared.clone();
    let mut friend = Friend::by(&shared, &address).expect("a link");
    friend.state_where(at(0));
    drop(friend);
    tab.state_where(|state| state["play"]["friends"] == json!([null, false]));
    tab.ask(json!({"do": "move", "node": 0, "text": "e2e4"}));
    let mut friend = Friend::by(&shared, &address).expect("a link");
    friend.state_where(at(1));
    // The tab loses its connection, or opens another game.
    drop(tab);
    friend.hear("away");
    let note = friend.get(json!({"do": "move", "node": 1, "text": "e8e6"}), "note");
    assert_eq!(note["text"], "Nothing was done: your friend is not here.");
    let mut tab = Tab::open(&shared, 2);
    tab.ask(json!({"do": "open", "id": id}));
    friend.state_where(at(1));
    friend.ask(json!({"do": "move", "node": 1, "text": "e8e6"}));
    tab.state_where(at(2));
    tab.begin("masonic");
    friend.hear("away");
    tab.ask(json!({"do": "open", "id": id}));
    friend.state_where(at(2));
    // Of many tabs by one link the oldest goes.
    let more: Vec<_> = (0..8).map(|_| Friend::by(&shared, &address).expect("a link")).collect();
    friend.hear("taken-over");
    assert!(friend.has_ended());
    let ended = tab.get(json!({"do": "end-link", "seat": "black"}), "links");
    assert_eq!(ended["links"], json!([]));
    assert!(more.iter().all(Friend::has_ended));
    assert!(Friend::by(&shared, &address).is_none());
    tab.play(2, &["d2d3", "d8d7"]);
    // One who sends nothing but garbage is thrown out.
    let mut hostile = Friend::invited(&mut tab, "white");
    (0..200).for_each(|_| hostile.ask(json!({"do": "fly"})));
    assert!(hostile.has_ended());
    // No other game can be shared.
    tab.ask(json!({"do": "new", "game": "chesquerque", "people": [true, false]}));
    tab.state_where(|state| state["play"]["people"] == json!([true, false]));
    let note = tab.get(json!({"do": "share", "seat": "black"}), "note");
    assert_eq!(note["text"], "Only a game of two people can be shared.");
}
