//! Exercises: moves to learn the rules by, puzzles, mistakes, training, and hostile requests.

use super::*;

fn set_up(number: u32, task: &Value) -> Value {
    json!({"do": "exercise", "what": "set-up", "number": number, "task": task})
}

fn try_move(number: u32, task: &Value, text: &str) -> Value {
    json!({"do": "exercise", "what": "try", "number": number, "task": task, "text": text})
}

/// The judgement of a try, once it is as it should be: it is searched for a moment, which a busy
/// machine may not give it at once.
fn judged(tab: &mut Tab, task: &Value, text: &str, is_right: impl Fn(&Value) -> bool) -> Value {
    let end = Instant::now() + PATIENCE;
    loop {
        tab.ask(&try_move(1, task, text));
        let tried = tab.hear("tried");
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
    tab.ask(&set_up(7, &task));
    let exercise = tab.hear("exercise");
    assert_eq!((&exercise["number"], &exercise["position"]["turn"]), (&json!(7), &json!("white")));
    tab.ask(&try_move(8, &task, "e4f5"));
    let refused = tab.hear("tried");
    assert_eq!((&refused["number"], &refused["judgement"]), (&json!(8), &json!("refused")));
    assert!(refused["text"].as_str().is_some_and(|text| text.len() > 10), "{refused}");
    tab.ask(&try_move(9, &task, "e4e5"));
    let legal = tab.hear("tried");
    assert_eq!((&legal["judgement"], &legal["text"]), (&json!("legal"), &json!("Be5")));
    assert_eq!(legal["position"]["turn"], "black");
}

#[test]
fn a_mate_is_played_to_its_end_and_a_wrong_move_refuted() {
    let mut tab = Tab::alone();
    let right = judged(&mut tab, &puzzle("mate-2-01", &[]), "h8i7", |tried| {
        tried["judgement"] == "right" && tried["mate"] == 2
    });
    let [reply, mate] =
        [0_usize, 1].map(|at| right["answer"]["texts"][at].as_str().expect("a move"));
    let on = puzzle("mate-2-01", &["h8i7", reply]);
    tab.ask(&set_up(2, &on));
    assert_eq!(tab.hear("exercise")["position"]["turn"], "black");
    let solved = judged(&mut tab, &on, mate, |tried| tried["judgement"] == "solved");
    assert!(solved["position"]["outcome"].is_string());
    judged(&mut tab, &puzzle("mate-5-01", &[]), "d5d2", |tried| {
        let is_answered = tried["answer"]["san"].as_array().is_some_and(|line| !line.is_empty());
        assert!(tried["judgement"] != "right" && tried["judgement"] != "solved", "{tried}");
        is_answered
    });
}

#[test]
fn better_moves_than_those_of_the_game_are_known() {
    let mut tab = Tab::alone();
    let fen = "4k4/9/9/9/9/9/9/q8/R3K4 w - - 0 1";
    tab.ask(&json!({"do": "import", "pgn": format!("[FEN \"{fen}\"]\n\n1. Kd1 Qa8 *")}));
    let id = tab.state_where(|state| state["position"]["fen"] == fen)["id"].clone();
    tab.ask(&json!({"do": "review", "what": "begin", "time": 20}));
    tab.hear("review");
    let mistake = json!({"kind": "mistake", "id": id, "ply": 1});
    tab.ask(&set_up(1, &mistake));
    assert_eq!(tab.hear("exercise")["position"]["fen"], fen);
    judged(&mut tab, &mistake, "Kd1", |tried| tried["judgement"] == "wrong");
    judged(&mut tab, &mistake, "Rxa2", |tried| tried["judgement"] == "solved");
    for ply in [0, 3, 4, u32::MAX] {
        tab.ask(&set_up(4, &json!({"kind": "mistake", "id": id, "ply": ply})));
        let text = "the review of this game has no such mistake any more";
        assert_eq!(tab.hear("error")["text"], text, "{ply}");
    }
}

/// A try leaves alone what the engine thinks about in a game.
#[test]
fn an_exercise_does_not_disturb_a_game() {
    let mut tab = Tab::alone();
    tab.ask(&json!({"do": "new", "game": "alquerque", "people": [true, false], "elo": 500}));
    tab.state_where(|state| !state["play"].is_null());
    tab.ask(&json!({"do": "move", "node": 0, "text": "c2c3"}));
    tab.ask(&try_move(1, &puzzle("mate-2-01", &[]), "h8i7"));
    tab.state_where(|state| state["node"] == 2);
}

#[test]
fn hostile_exercises_are_refused() {
    let mut tab = Tab::alone();
    let position = |fen: &str| json!({"kind": "position", "game": "chesquerque", "fen": fen});
    let long = "9/".repeat(100_000);
    for task in [
        position(""),
        position("9/9/9/9/9/9/9/9/9 w - - 0 1"),
        position(&long),
        puzzle("../../etc/passwd", &[]),
        puzzle("mate-2-01", &["h8i7"]),
        puzzle("mate-2-01", &["x"; 1000]),
        json!({"kind": "mistake", "id": "abcdefghijkm", "ply": 1}),
        json!({"kind": "mistake", "id": "../../etc/passwd", "ply": 1}),
    ] {
        tab.ask(&set_up(1, &task));
        tab.hear("error");
        tab.ask(&try_move(2, &task, "e2e4"));
        assert_eq!(tab.hear("tried")["judgement"], "refused");
    }
    for request in [
        json!({"do": "exercise"}),
        json!({"do": "exercise", "what": "solve"}),
        json!({"do": "exercise", "what": "set-up", "number": -1, "task": position("x")}),
        json!({"do": "exercise", "what": "set-up", "number": 1, "task": {"kind": "file"}}),
        json!({"do": "exercise", "what": "try", "number": 1, "task": puzzle("x", &[])}),
    ] {
        tab.ask(&request);
        let text = tab.hear("error")["text"].clone();
        assert!(text.as_str().is_some_and(|text| text.contains("not understood")), "{request}");
    }
    // Only the last of many tries is judged.
    for number in 0..10 {
        tab.ask(&try_move(number, &puzzle("mate-2-01", &[]), "h8i7"));
    }
    assert_eq!(tab.hear("tried")["number"], 9);
}

/// What is failed comes again on the next day, in other tabs too; the mistakes of a game that
/// was played and reviewed here are among it.
#[test]
fn what_is_failed_comes_again() {
    let mut tab = Tab::alone();
    let train = |what: &str, more: Value| {
        let mut request = json!({"do": "train", "what": what, "today": 20_000});
        for (name, value) in more.as_object().expect("an object") {
            request[name] = value.clone();
        }
        request
    };
    let fen = "4k4/9/9/9/9/9/9/q8/R3K4 w - - 0 1";
    tab.ask(&json!({"do": "new", "game": "chesquerque", "fen": fen, "people": [true, true]}));
    let id = tab.state_where(|state| state["position"]["fen"] == fen)["id"].clone();
    tab.ask(&json!({"do": "move", "node": 0, "text": "Kd1"}));
    tab.ask(&json!({"do": "move", "node": 1, "text": "Qxa1"}));
    tab.ask(&json!({"do": "resign"}));
    tab.state_where(|state| state["play"]["result"] == "0-1");
    tab.ask(&json!({"do": "review", "what": "begin", "time": 20}));
    tab.hear("review");
    tab.ask(&train("overview", json!({"others": false})));
    let overview = tab.hear("training");
    assert_eq!((&overview["mistakes"], &overview["fresh"]), (&json!(1), &json!(1)), "{overview}");
    assert_eq!(
        overview["habits"]["chesquerque"]["pieces"]["k"],
        json!({"mistakes": 1, "moves": 1})
    );
    tab.ask(&train("next", json!({"want": {"kind": "mistakes", "others": false}, "after": null})));
    let posed = tab.hear("posed");
    assert_eq!((&posed["posed"]["id"], &posed["posed"]["move"]["san"]), (&id, &json!("Kd1")));
    let item = json!({"kind": "mistake", "id": id, "ply": 1});
    tab.ask(&train("grade", json!({"item": item, "grade": "failed"})));
    assert_eq!(tab.hear("graded")["next"], 20_001);
    let mut other = Tab::open(&tab.shared, 2);
    other.ask(&json!({"do": "train", "what": "due", "today": 20_001}));
    assert_eq!(other.hear("due")["mistakes"], 1);
    for request in [
        json!({"do": "train", "what": "due"}),
        json!({"do": "train", "what": "due", "today": -1}),
        json!({"do": "train", "what": "grade", "today": 1, "item": {"kind": "file"}, "grade": "failed"}),
        train("next", json!({"want": {"kind": "puzzles", "game": "go"}, "after": null})),
    ] {
        other.ask(&request);
        let text = other.hear("error")["text"].clone();
        assert!(text.as_str().is_some_and(|text| text.contains("not understood")), "{request}");
    }
}
