//! Sessions by their requests and replies on threads and files of this machine, without a
//! socket.

mod exercises;
mod reviews;

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{Semaphore, mpsc};

use super::Threads;
use crate::page::{Event, Session, Shared, Store, WatchedMatch};
use crate::server::folder::Folder;
use crate::server::watch::MatchWatch;

/// How long a reply may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A session and what a page would know of it.
struct Tab {
    shared: Shared,
    events: Sender<Event>,
    replies: mpsc::Receiver<String>,
    permits: Arc<Semaphore>,
    thread: Option<JoinHandle<()>>,
    /// Where its games are kept, if no other tab shares that.
    _folder: Option<TempDir>,
}

impl Tab {
    fn open(shared: &Shared, number: u64) -> Tab {
        let (events, received) = channel();
        let (sender, replies) = mpsc::channel(512);
        let session = Session::new(
            shared.clone(),
            number,
            (events.clone(), received),
            Box::new(move |text| sender.try_send(text).is_ok()),
        );
        let thread = Some(std::thread::spawn(move || session.run()));
        let (shared, permits) = (shared.clone(), Arc::new(Semaphore::new(64)));
        Tab { shared, events, replies, permits, thread, _folder: None }
    }

    fn alone() -> Tab {
        let (shared, folder) = shared();
        let mut tab = Tab::open(&shared, 1);
        tab._folder = Some(folder);
        tab
    }

    fn ask(&self, request: &Value) {
        let permit = Arc::clone(&self.permits).try_acquire_owned().expect("a permit");
        self.events.send(Event::Request(request.to_string(), Box::new(permit))).expect("a session");
    }

    /// The next reply of a kind.
    fn hear(&mut self, kind: &str) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let Ok(text) = self.replies.try_recv() else {
                assert!(Instant::now() < end, "no reply `{kind}`");
                std::thread::sleep(Duration::from_millis(2));
                continue;
            };
            let reply: Value = serde_json::from_str(&text).expect("JSON");
            if reply["say"] == kind {
                return reply;
            }
        }
    }

    /// The next state in which something holds.
    fn state_where(&mut self, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            let state = self.hear("state");
            if holds(&state) {
                return state;
            }
        }
    }

    /// Makes moves where the last state says one looks.
    fn play(&mut self, mut node: u64, moves: &[&str]) -> Value {
        let mut state = Value::Null;
        for text in moves {
            self.ask(&json!({"do": "move", "node": node, "text": text}));
            state = self.state_where(|state| state["node"] != node);
            node = state["node"].as_u64().expect("a node");
        }
        state
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

fn two_players(game: &str) -> Value {
    json!({"do": "new", "game": game, "people": [true, true]})
}

#[test]
fn legal_moves_are_told_and_others_refused_with_the_rule() {
    let mut tab = Tab::alone();
    tab.ask(&two_players("chesquerque"));
    let state = tab.state_where(|state| !state["play"].is_null());
    assert_eq!(state["position"]["legal"].as_array().map(Vec::len), Some(18));
    tab.ask(&json!({"do": "move", "node": 0, "text": "a1a5"}));
    assert_eq!(tab.hear("refused")["reason"], "the way is blocked on a2");
    let state = tab.play(0, &["e2e4", "e6"]);
    assert_eq!(state["position"]["last"], json!(["e8", "e6"]));
    tab.ask(&json!({"do": "take-back"}));
    assert_eq!(tab.state_where(|state| state["position"]["turn"] == "black")["node"], 1);
}

#[test]
fn a_series_of_jumps_is_told_point_by_point() {
    let mut tab = Tab::alone();
    let fen = "5/1m1m1/5/1m3/M4 w - - 0 1";
    tab.ask(&json!({"do": "new", "game": "alquerque", "fen": fen}));
    let state = tab.state_where(|state| state["game"] == "alquerque");
    let moves = state["position"]["legal"].as_array().expect("moves");
    assert!(moves.iter().all(|mv| mv["capture"] == true), "{moves:?}");
    assert!(moves.iter().any(|mv| mv["points"].as_array().map(Vec::len) > Some(2)), "{moves:?}");
}

#[test]
fn the_engine_answers_and_its_strength_is_kept() {
    let mut tab = Tab::alone();
    tab.ask(&json!({"do": "new", "game": "masonic", "people": [true, false], "elo": 500}));
    tab.state_where(|state| state["play"]["elo"] == 500);
    tab.ask(&json!({"do": "move", "node": 0, "text": "e2f4"}));
    let state = tab.state_where(|state| state["node"] == 2);
    assert_eq!(state["position"]["turn"], "white");
    assert_eq!(state["play"]["thinking"], false);
}

#[test]
fn a_game_is_found_again_and_open_in_one_tab_only() {
    let mut first = Tab::alone();
    first.ask(&two_players("chesquerque"));
    let id = first.state_where(|state| !state["play"].is_null())["id"].clone();
    first.play(0, &["e2e4", "e8e6"]);
    let mut second = Tab::open(&first.shared, 2);
    second.ask(&json!({"do": "open", "id": id}));
    assert_eq!(second.state_where(|state| state["id"] == id)["node"], 2);
    first.hear("taken-over");
    second.play(2, &["d2d3"]);
    drop(second);
    let mut third = Tab::open(&first.shared, 3);
    third.ask(&json!({"do": "open"}));
    assert_eq!(third.state_where(|state| state["id"] == id)["node"], 3);
}

#[test]
fn whoever_has_no_time_left_loses() {
    let mut tab = Tab::alone();
    let mut new = two_players("chesquerque");
    new["clock"] = json!({"base": 1000, "increment": 0});
    tab.ask(&new);
    tab.state_where(|state| !state["play"].is_null());
    tab.play(0, &["e2e4"]);
    let state = tab.state_where(|state| !state["play"]["result"].is_null());
    assert_eq!(state["play"]["result"], "1-0");
    assert_eq!(state["play"]["reason"], "Black has no time left");
    // The clocks come back with the move, and the game goes on.
    tab.ask(&json!({"do": "take-back"}));
    let state = tab.state_where(|state| state["play"]["result"].is_null());
    assert_eq!((&state["node"], &state["play"]["left"]), (&json!(0), &json!([1000, 1000])));
}

#[test]
fn analysis_sends_lines_and_stops_when_asked() {
    let mut tab = Tab::alone();
    tab.ask(&json!({"do": "new", "game": "chesquerque"}));
    tab.ask(&json!({"do": "settings", "lines": 2, "threads": 1, "hash": 1}));
    tab.ask(&json!({"do": "analyse", "on": true}));
    let lines = tab.hear("lines");
    assert_eq!(lines["node"], 0);
    assert!(lines["lines"][0]["san"].as_array().is_some_and(|moves| !moves.is_empty()));
    tab.ask(&json!({"do": "analyse", "on": true, "threat": true}));
    while tab.hear("lines")["threat"] != true {}
    tab.ask(&json!({"do": "analyse", "on": false}));
    tab.state_where(|state| state["analysing"] == false);
}

#[test]
fn games_are_read_and_written_down() {
    let mut tab = Tab::alone();
    tab.ask(&json!({"do": "import", "pgn": "1. e4 e6 {solid} 2. d3 1-0"}));
    tab.hear("tree");
    tab.ask(&json!({"do": "export"}));
    let written = tab.hear("written");
    assert!(
        written["pgn"].as_str().is_some_and(|text| text.contains("1. e4 e6 {solid} 2. d3 1-0"))
    );
    tab.ask(&json!({"do": "import", "pgn": "1. e5 *"}));
    assert_eq!(tab.hear("imported")["faults"].as_array().map(Vec::len), Some(1));
    let fen = "9/9/9/9/9/9/9/9/9 w - - 0 1";
    tab.ask(&json!({"do": "check", "game": "chesquerque", "fen": fen}));
    let checked = tab.hear("checked");
    assert!(checked["fen"].is_null() && checked["text"].is_string(), "{checked}");
}

#[test]
fn variations_come_in_and_go_out() {
    let mut tab = Tab::alone();
    let line = "1. e4 (1. d4 $1 {better} 1... d7 (1... d6)) 1... e6 *";
    tab.ask(&json!({"do": "import", "pgn": line}));
    assert_eq!(tab.hear("tree")["nodes"].as_array().map(Vec::len), Some(6));
    tab.ask(&json!({"do": "export"}));
    let written = tab.hear("written");
    assert!(written["pgn"].as_str().is_some_and(|text| text.contains(line)), "{written}");
    tab.ask(&json!({"do": "import", "pgn": "1. e4 (1. e5) e6 *"}));
    assert_eq!(
        tab.hear("note")["text"],
        "Not all could be read in 1 place; the rest is in comments"
    );
}

#[test]
fn the_engine_ponders_and_a_hit_is_answered() {
    let mut tab = Tab::alone();
    tab.ask(&json!({"do": "settings", "lines": 1, "threads": 1, "hash": 1}));
    tab.ask(&json!({"do": "ponder", "on": true}));
    let fen = "4k4/9/9/9/9/9/9/R8/1R2K4 b - - 0 1";
    let people = [false, true];
    tab.ask(
        &json!({"do": "new", "game": "chesquerque", "fen": fen, "people": people, "think": 50}),
    );
    let state = tab.state_where(|state| state["position"]["turn"] == "black");
    let node = state["node"].as_u64().expect("a node");
    // The engine has answered before it ponders.
    tab.play(node, &["e9d9"]);
    let state = tab.state_where(|state| state["play"]["pondering"] == true);
    assert_eq!(state["position"]["turn"], "black");
    assert_eq!(state["play"]["thinking"], false);
    // Whatever is played, hit or not, the engine answers.
    let node = state["node"].as_u64().expect("a node");
    let text = state["position"]["legal"][0]["text"].as_str().expect("a move").to_owned();
    tab.ask(&json!({"do": "move", "node": node, "text": text}));
    tab.state_where(|state| state["play"]["last"].as_u64() >= Some(node + 2));
    tab.ask(&json!({"do": "ponder", "on": false}));
    tab.ask(&json!({"do": "goto", "node": 0}));
    tab.state_where(|state| state["node"] == 0 && state["play"]["pondering"] == false);
}

#[test]
fn openings_are_counted_and_told_of_each_position() {
    let mut tab = Tab::alone();
    tab.ask(&json!({"do": "openings-piece", "text": "nobody has asked for it", "last": true}));
    tab.ask(&json!({"do": "load-openings", "name": "games.pgn"}));
    assert_eq!(tab.hear("openings-wanted")["games"], 0);
    let text = "1. e4 e6 1-0\n\n1. d3 *\n\n1. e4 d6 0-1\n";
    tab.ask(&json!({"do": "openings-piece", "text": text, "last": true}));
    let here = tab.hear("openings")["here"].clone();
    assert_eq!((&here["games"], &here["file"]), (&json!(3), &json!("games.pgn")));
    assert_eq!(here["moves"][0]["san"], "e4");
    assert_eq!(here["moves"][0]["black"], 1);
    tab.play(0, &["e4"]);
    let moves = tab.hear("openings")["here"]["moves"].clone();
    assert_eq!(moves.as_array().map(Vec::len), Some(2), "{moves}");
    // Another tab knows them too, until one closes the file.
    let mut other = Tab::open(&tab.shared, 2);
    other.ask(&json!({"do": "goto", "node": 0}));
    assert_eq!(other.hear("openings")["here"]["games"], 3);
    tab.ask(&json!({"do": "forget-openings"}));
    assert!(tab.hear("openings")["here"].is_null());
    other.ask(&json!({"do": "goto", "node": 0}));
    assert!(other.hear("openings")["here"].is_null());
}

#[test]
fn a_match_is_told_and_its_games_are_opened() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("match.pgn");
    std::fs::write(&path, "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e6 1-0\n\n").expect("room");
    let watch = Arc::new(MatchWatch::start(path).expect("a thread"));
    let shared = shared_in(&folder, Some(watch));
    let mut tab = Tab::open(&shared, 1);
    assert_eq!(tab.hear("hello")["watch"], "match.pgn");
    tab.ask(&json!({"do": "watch", "on": true}));
    let view = loop {
        let view = tab.hear("match")["view"].clone();
        if view["games"] == 1 {
            break view;
        }
    };
    assert_eq!(view["table"][0]["name"], "A");
    assert_eq!(view["finished"][0]["result"], "1-0");
    tab.ask(&json!({"do": "open-watched", "game": {"finished": 1}}));
    tab.state_where(|state| state["node"] == 2);
    tab.ask(&json!({"do": "open-watched", "game": {"running": 1}}));
    assert_eq!(tab.hear("note")["text"], "That game is not there any more.");
}

/// A disk that takes nothing is told, as long as that lasts, and no game is lost meanwhile.
#[cfg(unix)]
#[test]
fn what_cannot_be_saved_is_told_and_saved_later() {
    let (shared, folder) = shared();
    let mut tab = Tab::open(&shared, 1);
    std::fs::remove_dir_all(folder.path()).expect("a folder");
    tab.ask(&two_players("chesquerque"));
    let id = tab.state_where(|state| !state["play"].is_null())["id"].clone();
    let trouble = tab.hear("unsaved")["trouble"].clone();
    assert_eq!(trouble["games"], 1);
    assert!(trouble["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{trouble}");
    tab.play(0, &["e2e4"]);
    // Another game does not push it out, and a reload finds it.
    tab.ask(&two_players("alquerque"));
    assert_eq!(tab.hear("unsaved")["trouble"]["games"], 2);
    drop(tab);
    let mut again = Tab::open(&shared, 2);
    again.ask(&json!({"do": "open", "id": id}));
    assert_eq!(again.state_where(|state| state["id"] == id)["node"], 1);
    assert_eq!(again.hear("unsaved")["trouble"]["games"], 2);
    std::fs::create_dir(folder.path()).expect("a folder");
    again.ask(&json!({"do": "save"}));
    assert!(again.hear("unsaved")["trouble"].is_null());
    let written = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(written, 2);
}

#[test]
fn all_games_are_listed_and_those_that_cannot_be_read_named() {
    let (shared, folder) = shared();
    let mut tab = Tab::open(&shared, 1);
    let pgn = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 1-0\n";
    tab.ask(&json!({"do": "import", "pgn": pgn}));
    let id = tab.hear("state")["id"].clone();
    let kept = folder.path().join(format!("{}.json", id.as_str().expect("a name")));
    let ids = ('a'..='z')
        .filter(|letter| !"lo".contains(*letter))
        .flat_map(|first| ('2'..='9').map(move |second| format!("abcdefghjk{first}{second}")));
    for id in ids.take(149) {
        std::fs::copy(&kept, folder.path().join(format!("{id}.json"))).expect("room");
    }
    for letter in 'a'..='n' {
        let name = format!("abcdefghjm2{}.json", if letter == 'l' { 'z' } else { letter });
        std::fs::write(folder.path().join(name), "{").expect("room");
    }
    tab.ask(&json!({"do": "list"}));
    let (mut games, mut unreadable) = (Vec::new(), Vec::new());
    loop {
        let piece = tab.hear("games");
        games.extend(piece["games"].as_array().expect("games").clone());
        unreadable.extend(piece["unreadable"].as_array().expect("files").clone());
        if piece["left"] == 0 {
            break;
        }
        tab.ask(&json!({"do": "list-more"}));
    }
    assert_eq!((games.len(), unreadable.len()), (150, 14));
    assert_eq!(games[0]["players"], json!(["Ann", "Bob"]));
    assert!(
        unreadable
            .iter()
            .all(|file| file["file"].as_str().is_some_and(|name| name.ends_with(".json")))
    );
    tab.ask(&json!({"do": "forget", "id": unreadable[0]["id"]}));
    assert_eq!(tab.hear("forgotten")["id"], unreadable[0]["id"]);
}

#[test]
fn a_game_with_clocks_is_written_down_with_them() {
    let (shared, _folder) = shared();
    let mut tab = Tab::open(&shared, 1);
    let mut new = two_players("chesquerque");
    new["clock"] = json!({"base": 300_000, "increment": 3000});
    tab.ask(&new);
    let state = tab.state_where(|state| !state["play"].is_null());
    tab.play(0, &["e2e4", "e8e6"]);
    tab.ask(&json!({"do": "take-back"}));
    tab.state_where(|state| state["node"] == 1);
    tab.play(1, &["e8e6"]);
    drop(tab);
    let mut again = Tab::open(&shared, 2);
    again.ask(&json!({"do": "open", "id": state["id"]}));
    again.ask(&json!({"do": "export"}));
    let written = again.hear("written")["pgn"].clone();
    let pgn = written.as_str().expect("a text");
    assert!(pgn.contains("[TimeControl \"300+3\"]"), "{pgn}");
    let moves = pgn.split("\n\n").nth(1).expect("moves");
    let clock = "{[%clk 0:05:0";
    assert!(moves.starts_with(&format!("1. e4 {clock}0]}} 1... e6 {clock}")), "{pgn}");
    assert_eq!(moves.matches("%clk").count(), 2, "{pgn}");
}

#[test]
fn what_a_file_notes_of_moves_is_told_apart_from_words() {
    let mut tab = Tab::alone();
    let moves = "1. e4 {book} 1... e6 {+0.26/2 0.001s} 2. d3\n\
                 {[%eval 0.35,18] [%clk 0:04:59] [%cal Ge2e4] quiet} *";
    tab.ask(&json!({"do": "import", "pgn": moves}));
    let nodes = tab.hear("tree")["nodes"].clone();
    assert!(nodes[1]["comment"].is_null() && nodes[1]["notes"] == json!(["book"]), "{nodes}");
    assert!(nodes[2]["comment"].is_null(), "{nodes}");
    assert_eq!(nodes[2]["eval"], json!({"cp": -26, "depth": 2}));
    assert_eq!((&nodes[3]["comment"], &nodes[3]["clock"]), (&json!("quiet"), &json!("0:04:59")));
    assert_eq!(nodes[3]["shapes"][0], json!({"from": "e2", "to": "e4", "brush": "green"}));
    tab.ask(&json!({"do": "comment", "node": 3, "text": "loud"}));
    tab.hear("tree");
    tab.ask(&json!({"do": "export"}));
    let written = tab.hear("written")["pgn"].clone();
    let wanted = moves.replace("quiet", "loud").replace('\n', " ");
    let found = written.as_str().expect("a text").replace('\n', " ");
    assert!(found.contains(&wanted), "{found}");
}
