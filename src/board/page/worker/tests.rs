//! A session and its workers, with what goes between them carried by hand.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde_json::{Value, json};

use super::job::JobRunner;
use super::{ENGINE, KeptFile, WorkerHost, WorkerTab};
use crate::page::tests::{BAD_OPENING, REPLY_TIMEOUT, TestPage, length, text_of};
use qirkat_engine::book::Book;
use qirkat_game::Rules;
use qirkat_rules::variant::Variant;
use qirkat_tablebase::AllTables;

/// Notes of all that a session has had done outside of it.
#[derive(Default)]
struct Notes {
    jobs: Mutex<VecDeque<(u32, String)>>,
    ended: Mutex<Vec<u32>>,
    kept: Mutex<Vec<String>>,
    replies: Mutex<VecDeque<String>>,
    reports: Mutex<VecDeque<String>>,
    /// The files that were wanted.
    fetched: Mutex<Vec<String>>,
}

impl WorkerHost for Notes {
    fn start(&self, worker: u32, job: &str) {
        self.jobs.lock().push_back((worker, job.to_owned()));
    }

    fn end(&self, worker: u32) {
        self.ended.lock().push(worker);
    }

    fn fetch(&self, name: &str, number: u32) {
        let mut fetched = self.fetched.lock();
        assert_eq!(number as usize, fetched.len());
        fetched.push(name.to_owned());
    }

    fn keep(&self, name: &str, text: Option<&str>) {
        self.kept.lock().push(format!("{name} {}", text.is_some()));
    }
}

struct Page {
    tab: WorkerTab,
    notes: Arc<Notes>,
    runner: JobRunner,
}

impl Page {
    fn open(kept: &Value) -> Page {
        let notes = Arc::new(Notes::default());
        let kept: Vec<KeptFile> = serde_json::from_value(kept.clone()).expect("files");
        let (replies, reports) = (Arc::clone(&notes), Arc::clone(&notes));
        let reply = move |text| {
            replies.replies.lock().push_back(text);
            true
        };
        let report = move |text: &str| reports.reports.lock().push_back(text.to_owned());
        let tab = WorkerTab::open(kept, Arc::clone(&notes) as Arc<_>, Box::new(reply));
        Page { tab, notes, runner: JobRunner::new(Arc::new(report)) }
    }

    fn job(&self) -> Option<(u32, String)> {
        self.notes.jobs.lock().pop_front()
    }

    /// Does all jobs, and lets the session hear of them.
    fn work(&mut self) {
        while let Some((_, job)) = self.job() {
            self.runner.run(&job).expect("a job");
            self.deliver();
        }
    }

    fn deliver(&mut self) {
        let reports = std::mem::take(&mut *self.notes.reports.lock());
        for report in reports {
            self.tab.receive_from_worker(&report);
        }
        self.tab.poll();
    }
}

impl TestPage for Page {
    fn ask(&mut self, request: Value) {
        self.tab.receive_from_page(request.to_string());
        self.tab.poll();
    }

    fn next_reply(&mut self) -> Option<String> {
        let end = Instant::now() + REPLY_TIMEOUT;
        while self.notes.replies.lock().is_empty() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(2));
            self.tab.poll();
        }
        self.notes.replies.lock().pop_front()
    }
}

fn against_engine(game: &str) -> Value {
    json!({"do": "new", "game": game, "people": [true, false], "elo": 500})
}

fn make_move(node: u64, text: &str) -> Value {
    json!({"do": "move", "node": node, "text": text})
}

#[test]
fn another_worker_finds_the_engines_move() {
    for (game, first) in [("chesquerque", "e4"), ("masonic", "e2f4"), ("alquerque", "c2c3")] {
        let mut page = Page::open(&json!([]));
        assert_eq!(page.hear("hello")["background"], false);
        page.ask(against_engine(game));
        page.ask(make_move(0, first));
        assert_eq!(page.state_where(|state| state["node"] == 1)["play"]["thinking"], true);
        page.work();
        let state = page.state_where(|state| state["node"] == 2);
        assert_eq!(state["position"]["turn"], "white", "{game}");
        assert!(page.notes.kept.lock().len() > 2);
    }
}

#[test]
fn a_search_that_is_stopped_loses_its_worker_and_is_heard_no_more() {
    let mut page = Page::open(&json!([]));
    page.ask(json!({"do": "new", "game": "chesquerque", "fen": "k8/9/9/9/9/9/9/9/K7R b - - 0 1"}));
    page.ask(json!({"do": "analyse", "on": true}));
    let (worker, _) = page.job().expect("a job");
    assert_eq!(worker, ENGINE);
    let moves = ["a9b9", "i1i2", "a9b9"].map(|text| ["chesquerque", text]);
    let report = json!({"report": "line", "number": 1, "moves": moves, "line": {
        "depth": 3, "selective_depth": 5, "rank": 1, "score": 40, "bound": "lower", "nodes": 99,
        "time": {"secs": 0, "nanos": 1_000_000}, "hashfull": 0, "tablebase_hits": 0,
        "is_drawn": false}});
    page.tab.receive_from_worker(&report.to_string());
    page.tab.poll();
    let best = page.hear("lines")["lines"][0].clone();
    let shown = ["san", "cp", "bound"].map(|key| &best[key]);
    assert_eq!(json!(shown), json!([["Kb9", "Ri2"], -40, "<"]));
    assert!(page.notes.ended.lock().is_empty());
    page.ask(make_move(0, "Kb9"));
    assert_eq!(*page.notes.ended.lock(), [ENGINE]);
    assert!(page.job().is_some(), "the next position is searched");
    page.notes.replies.lock().clear();
    page.tab.receive_from_worker(&report.to_string());
    page.tab.receive_from_worker("{");
    page.tab.poll();
    assert!(page.notes.replies.lock().is_empty());
    // What ends a sweep says so.
    for what in ["hint", "settings"] {
        page.ask(json!({"do": "sweep"}));
        page.state_where(|state| state["sweeping"] == true);
        page.ask(json!({"do": what, "lines": 1, "threads": 1, "hash": 1}));
        page.state_where(|state| state["sweeping"] == false);
    }
}

#[test]
fn a_worker_that_breaks_down_stops_the_play_until_the_user_goes_on() {
    let mut page = Page::open(&json!([]));
    page.ask(against_engine("chesquerque"));
    page.ask(make_move(0, "e4"));
    assert!(page.job().is_some());
    page.tab.crashed(ENGINE);
    page.tab.poll();
    assert!(text_of(&page.hear("error")["text"]).contains("crashed"));
    assert_eq!(page.state_where(|state| state["play"]["paused"] == true)["node"], 1);
    assert!(page.job().is_none(), "it is not tried again and again");
    page.ask(json!({"do": "pause", "on": false}));
    page.work();
    page.state_where(|state| state["node"] == 2);
}

#[test]
fn reviews_have_workers_of_their_own() {
    let mut page = Page::open(&json!([]));
    page.ask(json!({"do": "settings", "lines": 1, "threads": 1, "hash": 1}));
    page.ask(json!({"do": "import", "pgn": "1. e4 e6 {solid} (1... d6) 2. d3 1-0"}));
    page.ask(json!({"do": "review", "what": "begin", "time": 1}));
    page.work();
    let kept = page.hear("review")["kept"].clone();
    assert_eq!(length(&kept["review"]["moves"]), 3);
    assert_eq!(*page.notes.ended.lock(), [1]);
    page.ask(json!({"do": "review", "what": "begin", "time": 1}));
    let (worker, _) = page.job().expect("a job");
    page.tab.crashed(worker);
    page.tab.poll();
    page.hear("error");
    let task = json!({"kind": "puzzle", "game": "chesquerque", "id": "mate-2-01", "moves": []});
    page.ask(json!({"do": "exercise", "what": "try", "number": 9, "task": task, "text": "Ai7"}));
    page.work();
    assert_eq!(page.hear("tried")["judgement"], "right");
}

#[test]
fn games_that_were_kept_are_opened_and_faulty_ones_left_alone() {
    let mut page = Page::open(&json!([]));
    page.ask(json!({"do": "new", "game": "chesquerque", "people": [true, true]}));
    page.ask(make_move(0, "e4"));
    let id = page.state_where(|state| state["node"] == 1)["id"].clone();
    let record = json!({"game": "chesquerque", "start": "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1",
        "nodes": [{"parent": 0, "move": ""}, {"parent": 0, "move": "a1b1"}], "current": 1,
        "play": null, "tags": [], "result": "*"});
    let name = format!("{}.json", text_of(&id));
    let mut again = Page::open(&json!([
        {"name": name, "time": 5, "text": record.to_string()},
        {"name": "abcdefghijkm.json", "time": 9, "text": "{"},
    ]));
    again.ask(json!({"do": "open", "id": null}));
    assert_eq!(again.hear("state")["position"]["turn"], "black");
    again.ask(json!({"do": "list"}));
    assert_eq!(length(&again.hear("games")["games"]), 1);
}

const CERTIFICATE: &[u8] = include_bytes!("../../../../engine-config/tables/start.alquerque.cert");

/// The engine at full strength asks for it, one that is held back plays without.
#[test]
fn the_engine_plays_alquerque_by_the_certificate() {
    let is_carried = AllTables::with_embedded().alquerque.certificates() > 0;
    let faulty: &[u8] = b"<!doctype html>";
    for (elo, file) in
        [(json!(500), CERTIFICATE), (json!(null), CERTIFICATE), (json!(null), faulty)]
    {
        let is_wanted = elo.is_null();
        let is_known = is_wanted && (is_carried || file == CERTIFICATE);
        let mut page = Page::open(&json!([]));
        page.ask(json!({"do": "new", "game": "alquerque", "people": [false, true], "elo": elo}));
        let fetched = page.notes.fetched.lock().len();
        assert_eq!(fetched, usize::from(is_wanted && !is_carried));
        page.runner.hold_certificate(file.to_vec());
        let (_, job) = page.job().expect("a job");
        page.runner.run(&job).expect("a job");
        let reports = std::mem::take(&mut *page.notes.reports.lock());
        let last: Value = serde_json::from_str(&reports[reports.len() - 2]).expect("JSON");
        let (first, score) = (&last["moves"][0][1], last["line"]["score"].as_i64());
        let is_certain = first == "c2c3" && score.is_some_and(|score| score > 30_000);
        assert_eq!(is_certain, is_known, "{last}");
    }
}

/// It is fetched when Alquerque is first looked at, unless the program carries it, and once.
#[test]
fn the_certificate_tells_what_the_moves_of_alquerque_are_worth() {
    let is_carried = AllTables::with_embedded().alquerque.certificates() > 0;
    for file in [CERTIFICATE, b"", b"<!doctype html>"] {
        let mut page = Page::open(&json!([]));
        let fetched = |page: &Page| page.notes.fetched.lock().len();
        page.ask(json!({"do": "new", "game": "chesquerque"}));
        page.ask(json!({"do": "known", "node": 0}));
        assert_eq!(page.hear("known")["known"], json!([]));
        page.ask(json!({"do": "new", "game": "alquerque"}));
        assert_eq!(fetched(&page), 0);
        page.ask(json!({"do": "known", "node": 0}));
        if !is_carried {
            assert_eq!(page.hear("known")["waits"], true);
            page.ask(json!({"do": "known", "node": 0}));
            assert_eq!(page.hear("known")["waits"], true);
            assert_eq!(fetched(&page), 1);
            assert_eq!(page.tab.receive_fetched(0, file.to_vec()), file == CERTIFICATE);
            page.tab.poll();
        }
        let told = page.hear("known");
        assert_eq!(told["waits"], false, "{told}");
        if is_carried || file == CERTIFICATE {
            let best = ["text", "result", "moves", "bound"].map(|key| &told["known"][0][key]);
            assert_eq!(json!(best), json!(["c2c3", "win", 47, true]), "{told}");
            assert_eq!(length(&told["unknown"]), 3, "{told}");
        } else {
            assert_eq!((&told["known"], &told["unknown"]), (&json!([]), &json!([])));
        }
    }
}

/// The book is fetched when moves are first asked for, once. A review then says where it is left.
#[test]
fn the_opening_book_tells_what_the_moves_are_worth() {
    let book = |game: Variant| Book::embedded(game).expect("a book").to_bytes();
    let [right, other] = [Variant::Masonic, Variant::Alquerque].map(book);
    for (file, fault) in [
        (right.as_slice(), None),
        (&[], None),
        (b"<html>", Some("not an")),
        (&other, Some("another")),
    ] {
        let mut page = Page::open(&json!([]));
        page.ask(json!({"do": "new", "game": "masonic"}));
        assert!(page.notes.fetched.lock().is_empty());
        for _ in 0..2 {
            page.ask(json!({"do": "book", "node": 0}));
            assert_eq!(page.hear("book")["waits"], true);
        }
        assert_eq!(*page.notes.fetched.lock(), ["masonic.book"]);
        assert!(!page.tab.receive_fetched(0, file.to_vec()));
        page.tab.poll();
        if let Some(fault) = fault {
            assert!(text_of(&page.hear("error")["text"]).contains(fault));
        }
        let told = page.hear("book");
        let is_right = file == right;
        assert_eq!((&told["waits"], &told["has_book"]), (&json!(false), &json!(is_right)));
        let moves = if is_right { Variant::Masonic.start().legal_moves().len() } else { 0 };
        assert_eq!(length(&told["moves"]), moves, "{told}");
        page.ask(json!({"do": "import", "pgn": BAD_OPENING}));
        page.ask(json!({"do": "review", "what": "begin", "time": 1}));
        page.work();
        let left = &page.hear("review")["kept"]["review"]["left_book"];
        assert_eq!(left["ply"], if is_right { json!(1) } else { json!(null) }, "{left}");
    }
}

#[test]
fn nothing_is_known_of_a_game_that_is_played() {
    let mut page = Page::open(&json!([]));
    page.ask(json!({"do": "new", "game": "chesquerque", "people": [true, true],
        "fen": "9/9/9/3k5/9/9/9/5B3/4K4 w - - 0 1"}));
    page.ask(json!({"do": "known", "node": 0}));
    page.ask(json!({"do": "book", "node": 0}));
    page.ask(json!({"do": "break-off"}));
    page.hear("state");
    let is_told = |page: &Page| {
        let replies = page.notes.replies.lock();
        replies.iter().any(|text| text.contains(r#""known""#) || text.contains(r#""book""#))
    };
    assert!(!is_told(&page));
    page.ask(json!({"do": "known", "node": 0}));
    assert_eq!(page.hear("known")["known"][0]["moves"], 16);
}

/// What one tab trains the others know, and none overwrites what another has kept.
#[test]
fn files_of_other_tabs_are_taken_up() {
    let mut page = Page::open(&json!([]));
    let grade = |id: &str| {
        let item = json!({"kind": "puzzle", "game": "chesquerque", "id": id});
        json!({"do": "train", "what": "grade", "today": 5, "item": item, "grade": "failed"})
    };
    let due = json!({"do": "train", "what": "due", "today": 6});
    let card = json!({"item": {"kind": "puzzle", "game": "chesquerque", "id": "win-01"},
        "due": 6, "distance": 1, "solved": 0, "growth": 2.5});
    let receive = |page: &mut Page, text: Value| {
        let file = json!({"name": "training.json", "time": 1, "text": text});
        page.tab.receive_file(serde_json::from_value::<KeptFile>(file).expect("a file"));
    };
    receive(&mut page, json!(json!({"version": 1, "cards": [card]}).to_string()));
    page.ask(grade("win-02"));
    assert_eq!(page.hear("graded")["next"], 6);
    page.ask(due.clone());
    assert_eq!(page.hear("due")["puzzles"], 2);
    receive(&mut page, Value::Null);
    page.ask(due.clone());
    assert_eq!(page.hear("due")["puzzles"], 0);
}
