//! The checks. Each starts the engine anew, so that no fault spoils another check, and
//! ignores what another one tests.

mod answers;
mod go_limits;
mod handshake;
mod leaving;
mod odd_input;
mod pondering;
mod positions;
mod set_options;
mod stopping;

use crate::compliance::examiner::{Check, Examiner, Outcome};

const NOTHING: &[&str] = &[];
const GREETS: &[&str] = &["uci"];
const LIVES: &[&str] = &["uci", "ready"];
const MOVES: &[&str] = &["uci", "ready", "startpos"];
const TELLS: &[&str] = &["uci", "ready", "startpos", "info"];

const fn check(
    name: &'static str,
    title: &'static str,
    after: &'static [&'static str],
    make: fn(&Examiner<'_>) -> Outcome,
) -> Check {
    Check { name, title, after, make }
}

/// All checks, in the order they are run.
pub static CHECKS: &[Check] = &[
    check("uci", "answers `uci` with `uciok`", NOTHING, handshake::uci),
    check("silence", "says nothing before `uci`", GREETS, handshake::silence),
    check("identity", "says `id name` and `id author`, once each", GREETS, handshake::identity),
    check("options", "announces its options in good form", GREETS, handshake::options),
    check("variant", "has `chesquerque` among `UCI_Variant`", GREETS, handshake::variant),
    check("ready", "answers each `isready` with one `readyok`", GREETS, handshake::ready),
    check("startpos", "moves in `position startpos`", LIVES, positions::startpos),
    check("option-values", "takes the bounds of every option", MOVES, set_options::values),
    check("option-errors", "survives unknown options and bad values", LIVES, set_options::errors),
    check("garbage", "survives empty lines and unknown commands", LIVES, odd_input::garbage),
    check("long-line", "survives a line of a million letters", LIVES, odd_input::long_line),
    check("bytes", "survives bytes that are not UTF-8", LIVES, odd_input::bytes),
    check("debug", "takes `debug on`, `debug off` and `register later`", LIVES, odd_input::debug),
    check(
        "blanks",
        "takes blanks, tabs and CR LF between and behind words",
        MOVES,
        odd_input::blanks,
    ),
    check("moves", "moves after `position startpos moves`", MOVES, positions::moves),
    check("new-game", "takes `ucinewgame`, again and again", MOVES, positions::new_game),
    check("fen", "moves in `position fen`, for both sides", MOVES, positions::fen),
    check("points", "knows each of the 81 points", MOVES, positions::points),
    check("castling", "follows castling on both wings", MOVES, positions::castling),
    check("en-passant", "follows and makes captures en passant", MOVES, positions::en_passant),
    check("promotion", "follows and makes promotions", MOVES, positions::promotion),
    check("bad-fen", "survives malformed positions", MOVES, positions::bad_fen),
    check("bad-moves", "survives illegal moves in `position`", MOVES, positions::bad_moves),
    check("long-game", "moves after hundreds of moves", MOVES, positions::long_game),
    check("draws", "moves though a draw could be claimed", MOVES, positions::draws),
    check("depth", "keeps `go depth`", MOVES, go_limits::depth),
    check("nodes", "keeps `go nodes`", MOVES, go_limits::nodes),
    check("movetime", "keeps `go movetime`", MOVES, go_limits::move_time),
    check("clock", "keeps within its own clock", MOVES, go_limits::clock),
    check("odd-limits", "answers at odd clocks and limits", MOVES, go_limits::odd),
    check("mate", "answers `go mate`", MOVES, go_limits::mate),
    check("searchmoves", "keeps `go searchmoves`", MOVES, go_limits::search_moves),
    check("infinite", "searches on until `stop`, then answers", MOVES, stopping::infinite),
    check("one-answer", "answers each `go` with one `bestmove`", MOVES, stopping::one_answer),
    check("idle-stop", "does not answer `stop` without a search", MOVES, stopping::idle_stop),
    check("early-stop", "answers `stop` at once behind `go`", MOVES, stopping::early_stop),
    check("late-stop", "answers once when `stop` comes late", MOVES, stopping::late_stop),
    check("ready-searching", "answers `isready` and searches on", MOVES, stopping::ready_searching),
    check("double-go", "survives `go` during a search", MOVES, stopping::double_go),
    check("new-position", "survives `position` in a search", MOVES, stopping::new_position),
    check("ponder", "ponders until `ponderhit` or `stop`", MOVES, pondering::ponder),
    check(
        "ponder-race",
        "answers `ponderhit` and `stop` at once behind `go`",
        MOVES,
        pondering::race,
    ),
    check("info", "writes `info` lines in good form", MOVES, answers::info),
    check("info-order", "depth, nodes and time never fall", MOVES, answers::info_order),
    check("pv", "shows lines of legal moves", MOVES, answers::pv),
    check("ponder-move", "expects a legal reply", MOVES, answers::ponder_move),
    check("multipv", "shows as many lines as `MultiPV` says", TELLS, answers::multi_pv),
    check("mated", "has no move when mated", MOVES, answers::mated),
    check("stalemated", "has no move in stalemate", MOVES, answers::stalemated),
    check("idle", "is quiet when nothing is asked of it", MOVES, leaving::idle),
    check("memory", "takes no more memory from game to game", MOVES, leaving::memory),
    check("quit", "ends at `quit`", GREETS, leaving::quit),
    check("quit-searching", "ends at `quit` in a search", MOVES, leaving::quit_searching),
    check("quit-pondering", "ends at `quit` while pondering", MOVES, leaving::quit_pondering),
    check("end-of-input", "ends with its input", GREETS, leaving::end_of_input),
    check("end-searching", "ends with its input in a search", MOVES, leaving::end_searching),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_good_and_checks_come_after_what_they_need() {
        for (index, check) in CHECKS.iter().enumerate() {
            let is_plain = |letter: char| letter.is_ascii_lowercase() || letter == '-';
            assert!(check.name.chars().all(is_plain), "{check:?}");
            assert!(check.name.len() <= 15 && check.title.len() <= 60, "{check:?}");
            let earlier = &CHECKS[..index];
            assert!(earlier.iter().all(|other| other.name != check.name), "{check:?}");
            for needed in check.after {
                assert!(earlier.iter().any(|other| other.name == *needed), "{check:?}");
            }
        }
    }
}
