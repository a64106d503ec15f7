use super::games::{expect_each_once, expect_no_fault, tags};
use super::script::{Behaviour, GOOD, SCRIPT, in_mid_game};
use crate::run::{Folder, each};
use qirkat_testing::effort;

/// Games against Qirkat, half of them with each colour.
fn games() -> usize {
    effort([2, 4, 4])
}

/// Seconds per move in tests that wait for the timeout.
const SECONDS_TO_WAIT: u32 = 1;
/// Seconds per move in tests that never reach it.
const MANY_SECONDS: u32 = 20;

/// Plays in this protocol with this concurrency and these seconds per move for the script.
fn play(behaviour: Behaviour, proto: &str, at_once: usize, seconds: u32) -> (Folder, String) {
    let games = games();
    let folder = behaviour.folder();
    let out = folder.play(&format!(
        "match {SCRIPT} proto={proto} st={seconds} -engine name=Qirkat cmd=QIRKAT depth=1 option.Hash=1 \
         -games {games} -concurrency {at_once} -maxmoves 12 -pgnout games.pgn"
    ));
    expect_each_once(&folder, "games.pgn", games);
    (folder, out)
}

fn loses(behaviour: Behaviour, proto: &str, termination: &str, reason: &str) {
    // Timeouts use no CPU, so all run at once; the others run in two rounds.
    let waits = reason == "loses on time";
    let games = games();
    let at_once = if waits { games } else { games / 2 };
    let (folder, out) =
        play(behaviour, proto, at_once, if waits { SECONDS_TO_WAIT } else { MANY_SECONDS });
    let pgn = folder.read("games.pgn");
    assert_eq!(tags(&pgn, "Termination"), vec![termination; games], "{out}");
    let ends = tags(&pgn, "Result").into_iter().zip(tags(&pgn, "Reason"));
    for (white, (result, found)) in tags(&pgn, "White").iter().zip(ends) {
        let (color, lost) = if white == "Script" { ("White", "0-1") } else { ("Black", "1-0") };
        assert!(found.starts_with(&format!("{color} {reason}")), "{found}");
        assert_eq!(result, lost);
    }
    assert!(out.contains(&format!("Games: {games}, Wins: 0, Losses: {games}, Draws: 0")), "{out}");
}

const CRASH: (&str, &str) = ("abandoned", "disconnects");
const LATE: (&str, &str) = ("time forfeit", "loses on time");

fn foul(reason: &str) -> (&'static str, &str) {
    ("rules infraction", reason)
}

#[test]
fn engines_that_misbehave_in_mid_game_lose() {
    let cases = [
        (in_mid_game!("kill -9 $$"), CRASH),
        (in_mid_game!("sleep 1000"), LATE),
        (in_mid_game!(r"printf 'best move e2e4\n\377\376\000\n{}\n'"), LATE),
        (in_mid_game!(r#"echo 'bestmove x"y}\z[;'"#), foul(r#"makes an illegal move: x\"y}\\z[;"#)),
        (in_mid_game!("echo bestmove e1a9"), foul("makes an illegal move: e1a9")),
        (in_mid_game!("sleep 3; honest"), LATE),
        (in_mid_game!("exec >&-"), CRASH),
        (in_mid_game!("last=$(honest); exec 0<&-; echo $last; sleep 1000"), CRASH),
        // A child process keeps the pipe open.
        (in_mid_game!("sleep 1000 & exit 1"), CRASH),
        // The last line has no newline. The move counts; the next one never comes.
        (in_mid_game!(r#"printf '%s' "$(honest)"; exit 0"#), CRASH),
        (in_mid_game!("yes 'info depth 1 score cp 5 pv e2e4' | flood"), LATE),
        (in_mid_game!("yes readyok | flood"), LATE),
        (in_mid_game!("honest; yes 'bestmove e1a9'"), foul("makes an illegal move: e1a9")),
        (in_mid_game!(r"yes bestmove | tr -d '\n' | flood"), LATE),
    ];
    // In long tests a flood ends only with the engine.
    let (bounded, endless) = ("flood() { head -c 1000000; sleep 1000; }", "flood() { cat; }");
    let start = effort([bounded, endless, endless]);
    each(&cases, |&(go, (termination, reason))| {
        loses(Behaviour { start, go, ..GOOD }, "uci", termination, reason);
    });
}

#[test]
fn engines_of_xboard_that_misbehave_lose() {
    let cases = [
        (in_mid_game!("kill -9 $$"), CRASH),
        (in_mid_game!("yes '9 0 1 2 e2e4' | head -c 100000; sleep 1000"), LATE),
        (in_mid_game!("echo move e1a9"), foul("makes an illegal move: e1a9")),
        (in_mid_game!("echo 'move best;'"), foul("makes an illegal move: best;")),
        (in_mid_game!("echo 'Illegal move: e2e4'"), foul("takes a legal move for illegal: e2e4")),
        (in_mid_game!("echo '1/2-1/2 {so be it}'"), foul("claims a result that is not there: 1/2")),
        (in_mid_game!("echo resign"), ("normal", "resigns")),
        // Too early, while its opponent is to move.
        (in_mid_game!("honest; echo resign"), ("normal", "resigns")),
    ];
    each(&cases, |&(go, (termination, reason))| {
        loses(Behaviour { go, ..GOOD }, "xboard", termination, reason);
    });
}

/// Nothing that the arbiter may treat as a fault.
#[test]
fn harmless_oddities_are_accepted() {
    let long_line =
        r"if [ $moves = 2 ]; then yes info | head -c 5000000 | tr -d '\n'; echo; fi; honest";
    let cases = [
        GOOD,
        Behaviour { go: "yes readyok | head -c 100000; honest", ..GOOD },
        Behaviour { go: long_line, ..GOOD },
        Behaviour { isready: "sleep 1; echo readyok", ..GOOD },
        // Ignores `quit`, SIGTERM and the end of input, or leaves a child behind.
        Behaviour { start: "trap '' TERM INT HUP", quit: ":", ..GOOD },
        Behaviour { start: "trap 'sleep 1000' EXIT", quit: "sleep 1000", ..GOOD },
        Behaviour { start: "sleep 1000 &", ..GOOD },
    ];
    each(&cases, |&behaviour| {
        let (folder, _) = play(behaviour, "uci", games() / 2, MANY_SECONDS);
        expect_no_fault(&folder);
    });
}

#[test]
fn an_engine_may_exit_after_each_game() {
    // It does not exit while it is to move, so it does not lose.
    let go = "honest; if [ $moves = 8 ]; then exit 0; fi";
    let (folder, out) = play(Behaviour { go, ..GOOD }, "uci", 1, MANY_SECONDS);
    expect_no_fault(&folder);
    // The exit after the last game is not reported.
    let told = format!("Restarted after a fault between games: Script, {} times\n", games() - 1);
    assert!(out.contains(&told), "{out}");
}
