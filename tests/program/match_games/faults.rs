//! Engines that misbehave lose their games, for the right reason, and the
//! match goes on.

use super::arbiter::Folder;
use super::games::{expect_each_once, tags};
use super::script::{Behaviour, GOOD, in_mid_game};
use qirkat_testing::effort;

/// Games against Qirkat, half of them with each colour.
fn games() -> usize {
    effort([2, 4, 4])
}

/// Seconds for each move: enough for honest moves on a busy machine.
const SECONDS: u32 = 2;
/// The same where the time runs out anyway.
const SECONDS_TO_WAIT: u32 = 1;
/// The same where much is done besides, and nobody has to wait until they are over.
const MANY_SECONDS: u32 = 20;

/// The games, so many at once, with so many seconds a move for the script.
fn play(behaviour: Behaviour, at_once: usize, seconds: u32) -> (Folder, String) {
    let games = games();
    let folder = Folder::new();
    let engine = behaviour.engine(&folder);
    let out = folder.play(&format!(
        "match {engine} st={seconds} -engine name=Qirkat cmd=QIRKAT depth=1 option.Hash=1 \
         -games {games} -concurrency {at_once} -maxmoves 12 -pgnout games.pgn"
    ));
    expect_each_once(&folder, "games.pgn", games);
    (folder, out)
}

fn loses(behaviour: Behaviour, termination: &str, reason: &str) {
    // Waiting takes no processor; what takes no time is done twice in a row.
    let waits = reason == "loses on time";
    let games = games();
    let at_once = if waits { games } else { games / 2 };
    let (folder, out) = play(behaviour, at_once, if waits { SECONDS_TO_WAIT } else { SECONDS });
    let pgn = folder.read("games.pgn");
    assert_eq!(tags(&pgn, "Termination"), vec![termination; games], "{out}");
    let whites = tags(&pgn, "White");
    let colors = || whites.iter().map(|white| white == "Script");
    let color = |is_white| if is_white { "White" } else { "Black" };
    let reasons: Vec<String> =
        colors().map(|is_white| format!("{} {reason}", color(is_white))).collect();
    for (found, reason) in tags(&pgn, "Reason").iter().zip(reasons) {
        assert!(found.starts_with(&reason), "{found}");
    }
    let results: Vec<&str> =
        colors().map(|is_white| if is_white { "0-1" } else { "1-0" }).collect();
    assert_eq!(tags(&pgn, "Result"), results);
    assert!(out.contains(&format!("Games: {games}, Wins: 0, Losses: {games}, Draws: 0")), "{out}");
}

/// Nothing the arbiter may complain about.
fn is_forgiven(behaviour: Behaviour) {
    let (folder, out) = play(behaviour, games() / 2, MANY_SECONDS);
    let ends = tags(&folder.read("games.pgn"), "Termination");
    assert!(ends.iter().all(|end| end == "normal" || end == "adjudication"), "{ends:?}\n{out}");
}

#[test]
fn a_good_engine_plays() {
    is_forgiven(GOOD);
}

#[test]
fn crash_in_mid_game() {
    loses(Behaviour { go: in_mid_game!("kill -9 $$"), ..GOOD }, "abandoned", "disconnects");
}

#[test]
fn hang_in_mid_game() {
    loses(Behaviour { go: in_mid_game!("sleep 1000"), ..GOOD }, "time forfeit", "loses on time");
}

#[test]
fn garbage_instead_of_a_move() {
    let go = in_mid_game!(r"printf 'best move e2e4\n\377\376\000\n{}\n'");
    loses(Behaviour { go, ..GOOD }, "time forfeit", "loses on time");
}

#[test]
fn no_move_in_bestmove() {
    let go = in_mid_game!(r#"echo 'bestmove x"y}\z[;'"#);
    loses(Behaviour { go, ..GOOD }, "rules infraction", r#"makes an illegal move: x\"y}\\z[;"#);
}

#[test]
fn illegal_move() {
    let go = in_mid_game!("echo bestmove e1a9");
    loses(Behaviour { go, ..GOOD }, "rules infraction", "makes an illegal move: e1a9");
}

#[test]
fn late_move() {
    let go = in_mid_game!("sleep 3; honest");
    loses(Behaviour { go, ..GOOD }, "time forfeit", "loses on time");
}

#[test]
fn closed_output() {
    let go = in_mid_game!("exec >&-");
    loses(Behaviour { go, ..GOOD }, "abandoned", "disconnects");
}

#[test]
fn closed_input() {
    let go = in_mid_game!("last=$(honest); exec 0<&-; echo $last; sleep 1000");
    loses(Behaviour { go, ..GOOD }, "abandoned", "disconnects");
}

#[test]
fn crash_that_leaves_a_child_at_the_pipe() {
    let go = in_mid_game!("sleep 1000 & exit 1");
    loses(Behaviour { go, ..GOOD }, "abandoned", "disconnects");
}

#[test]
fn the_last_line_has_no_end() {
    // The move counts; the next one never comes.
    let go = in_mid_game!(r#"printf '%s' "$(honest)"; exit 0"#);
    loses(Behaviour { go, ..GOOD }, "abandoned", "disconnects");
}

#[test]
fn flood_of_lines() {
    let go = in_mid_game!("yes 'info depth 1 score cp 5 pv e2e4'");
    loses(Behaviour { go, ..GOOD }, "time forfeit", "loses on time");
}

#[test]
fn flood_of_answers() {
    is_forgiven(Behaviour { go: "yes readyok | head -c 100000; honest", ..GOOD });
}

#[test]
fn endless_flood_of_answers() {
    let go = in_mid_game!("yes readyok");
    loses(Behaviour { go, ..GOOD }, "time forfeit", "loses on time");
}

#[test]
fn endless_flood_of_moves() {
    let go = in_mid_game!("honest; yes 'bestmove e1a9'");
    loses(Behaviour { go, ..GOOD }, "rules infraction", "makes an illegal move: e1a9");
}

#[test]
fn flood_without_line_ends() {
    let go = in_mid_game!(r"yes bestmove | tr -d '\n'");
    loses(Behaviour { go, ..GOOD }, "time forfeit", "loses on time");
}

#[test]
fn a_long_line_is_no_harm() {
    let go = r"if [ $moves = 2 ]; then yes info | head -c 20000000 | tr -d '\n'; echo; fi; honest";
    is_forgiven(Behaviour { go, ..GOOD });
}

#[test]
fn slow_to_get_ready() {
    is_forgiven(Behaviour { isready: "sleep 1; echo readyok", ..GOOD });
}

#[test]
fn ignores_quit_and_termination() {
    is_forgiven(Behaviour { start: "trap '' TERM INT HUP", quit: ":", ..GOOD });
}

#[test]
fn does_not_end_with_its_input() {
    let start = "trap 'sleep 1000' EXIT";
    is_forgiven(Behaviour { start, quit: "sleep 1000", ..GOOD });
}

#[test]
fn leaves_a_child_behind() {
    is_forgiven(Behaviour { start: "sleep 1000 &", ..GOOD });
}

#[test]
fn ends_after_each_game() {
    // Not while it is asked for anything: no reason to lose.
    let go = "honest; if [ $moves = 8 ]; then exit 0; fi";
    let (folder, out) = play(Behaviour { go, ..GOOD }, 1, SECONDS);
    let ends = tags(&folder.read("games.pgn"), "Termination");
    assert!(ends.iter().all(|end| end == "adjudication"), "{ends:?}\n{out}");
    // Of what came after the last game nobody hears.
    assert!(
        out.contains(&format!("Ended between games: Script, {} times\n", games() - 1)),
        "{out}"
    );
}
