//! The games being played, as `qirkat match -live` shows them.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::page::{RunningGame, side_word};
use qirkat_analysis::casual::points_of;
use qirkat_arena::{live_file, number_of};
use qirkat_game::{Color, Rules};
use qirkat_rules::pgn::{PgnGame, PgnReader};

/// A file that is older than this was left behind by a match that was killed.
const FRESH: Duration = Duration::from_secs(10);
/// Bytes of the file at most.
const MAX_BYTES: u64 = 8 << 20;
const MOST_GAMES: usize = 64;
/// Plies told of each game, besides the position.
const LAST_PLIES: usize = 12;
/// Letters of what an engine thinks.
const LONGEST_THOUGHT: usize = 40;

/// The games being played beside a file of finished ones; none where nobody shows them.
pub(super) fn running_games(games: &Path) -> Option<Vec<PgnGame>> {
    let path = live_file(games);
    let facts = fs::metadata(&path).ok()?;
    // A time in the future is of a clock that was set.
    let age = facts.modified().ok()?.elapsed().unwrap_or_default();
    if age > FRESH || facts.len() > MAX_BYTES {
        return None;
    }
    let text = fs::read(&path).ok()?;
    let read = PgnReader::new(text.as_slice()).flatten().take(MOST_GAMES);
    Some(read.map(|read| read.game).collect())
}

/// A game as it is shown; nothing of one without a number.
pub(super) fn running_game(pgn: &PgnGame) -> Option<RunningGame> {
    let game = pgn.final_game();
    let position = game.position();
    let name = |tag: &str| pgn.tag(tag).unwrap_or("?").to_owned();
    let left = |tag: &str| {
        let seconds: f64 = pgn.tag(tag)?.parse().ok()?;
        Some((1000.0 * seconds) as u64)
    };
    Some(RunningGame {
        number: number_of(pgn)?,
        game: position.variant(),
        names: [name("White"), name("Black")],
        left: [left("WhiteClock"), left("BlackClock")],
        thoughts: Color::ALL.map(|side| last_thought(pgn, side)),
        pieces: position.fen().split(' ').next().unwrap_or_default().to_owned(),
        turn: side_word(position.side_to_move()),
        last: game.moves().last().map_or_else(Vec::new, |&mv| points_of(mv).0),
        check: position.king_to_move().filter(|_| position.in_check()),
        moves: last_moves(pgn),
        plies: pgn.moves.len(),
    })
}

/// A side's thought of its last move: the comment of the arbiter up to its first
/// comma.
fn last_thought(pgn: &PgnGame, side: Color) -> Option<String> {
    let mut mover = pgn.start.side_to_move();
    let mut last = None;
    for played in &pgn.moves {
        if mover == side {
            last = played.comment.as_deref();
        }
        mover = !mover;
    }
    let thought = last?.split(',').next().unwrap_or_default();
    Some(thought.chars().take(LONGEST_THOUGHT).collect())
}

/// The last moves with their numbers.
fn last_moves(pgn: &PgnGame) -> String {
    let mut position = pgn.start;
    let mut words = Vec::new();
    let first = pgn.moves.len().saturating_sub(LAST_PLIES);
    for (ply, played) in pgn.moves.iter().enumerate() {
        if ply >= first {
            let number = position.fullmove_number();
            match position.side_to_move() {
                Color::White => words.push(format!("{number}.")),
                Color::Black if ply == first => words.push(format!("{number}…")),
                Color::Black => {}
            }
            words.push(position.san(played.mv));
        }
        position = position.after(played.mv);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> PgnGame {
        PgnReader::new(text.as_bytes()).next().expect("a game").expect("a good one").game
    }

    #[test]
    fn a_game_is_shown_as_it_stands() {
        let text = "[White \"A\"]\n[Black \"B\"]\n[GameNumber \"3\"]\n[WhiteClock \"1.250\"]\n\n\
                    1. e4 {book} e6 {+0.31/12 0.500s, n=5} 2. d3 {-0.20/9 0.1s} *";
        let shown = running_game(&game(text)).expect("it has a number");
        assert_eq!((shown.number, shown.plies, shown.turn), (3, 3, "black"));
        assert_eq!(shown.names, ["A", "B"]);
        assert_eq!(shown.left, [Some(1250), None]);
        let thoughts = shown.thoughts.map(|thought| thought.expect("a comment"));
        assert_eq!(thoughts, ["-0.20/9 0.1s", "+0.31/12 0.500s"]);
        assert_eq!(shown.last, ["d2", "d3"]);
        assert_eq!(shown.moves, "1. e4 e6 2. d3");
        assert_eq!(running_game(&game("1. e4 *")), None);
    }

    #[test]
    fn of_a_long_game_the_last_moves_are_told() {
        let fen = "[FEN \"4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1\"]";
        let round = "a1b1 e9e8 b1a1 e8e9 ".repeat(4);
        let text = format!("[GameNumber \"1\"]\n{fen}\n\n{round} a1b1 *");
        let shown = running_game(&game(&text));
        let moves = shown.expect("it has a number").moves;
        assert!(moves.starts_with("3… ") && moves.ends_with("9. Rb1"), "{moves}");
        assert_eq!(moves.split(' ').filter(|word| !word.contains(['.', '…'])).count(), LAST_PLIES);
    }
}
