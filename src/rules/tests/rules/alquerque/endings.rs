use qirkat_game::ReadMove;
use qirkat_rules::alquerque::{Color, DrawReason, Game, Outcome};

use super::read;

#[test]
fn outcomes_without_history_are_correct() {
    let drawn = Some(Outcome::Draw(DrawReason::HundredPlies));
    for (fen, outcome) in [
        ("m4/5/5/5/5 w - - 0 1", Some(Outcome::NoPieces(Color::Black))),
        ("5/5/5/5/5 b - - 0 1", Some(Outcome::NoPieces(Color::White))),
        ("M4/5/2m2/5/5 w - - 0 1", Some(Outcome::Blocked(Color::Black))),
        ("5/m4/m4/M4/5 w a2b2 - 1 9", Some(Outcome::Blocked(Color::Black))),
        ("5/m4/m4/M4/5 w - - 1 9", None),
        // Only the side to move needs men.
        ("5/5/2M2/5/5 w - - 0 1", None),
        // A loss comes before a draw.
        ("M4/5/2m2/5/5 w - - 100 80", Some(Outcome::Blocked(Color::Black))),
        ("5/5/2M2/5/m4 w - - 100 80", drawn),
        ("5/5/2M2/5/m4 w - - 99 80", None),
        ("5/3m1/2M2/5/5 w - - 100 80", drawn),
    ] {
        let game = Game::from_position(read(fen));
        assert_eq!(game.outcome(), outcome, "{fen}");
    }
}

fn played(fen: &str, moves: &str) -> String {
    let mut game = Game::from_position(read(fen));
    for text in moves.split_whitespace() {
        let mv = game.position().read_move(text).expect(text);
        game.play(mv);
    }
    game.position().fen()
}

#[test]
fn moves_set_the_clock_and_forbidden_steps() {
    for (fen, moves, after) in [
        ("m4/5/2M2/5/5 w - - 7 3", "c3d3", "m4/5/3M1/5/5 b - d3c3 8 3"),
        ("m4/5/2M2/5/5 w - - 7 3", "c3d3 a5b5", "1m3/5/3M1/5/5 w d3c3 b5a5 9 4"),
        // A step of another man lifts the first man's ban.
        ("m4/5/2M2/5/M4 w - - 7 3", "c3d3 a5b5 a1a2 b5c5", "2m2/5/3M1/M4/5 w - c5b5 1 5"),
        // A step forward and a jump forbid nothing and reset the clock.
        ("m4/5/2M2/5/5 w - - 7 3", "c3d4", "m4/3M1/5/5/5 b - - 0 3"),
        ("m4/5/2Mm1/5/5 w - - 7 3", "c3e3", "m4/5/4M/5/5 b - - 0 3"),
        // The forbidden step is dropped when its man is captured.
        ("m4/2m2/5/3M1/5 w - - 7 3", "d2d3 c4d4 d3d5", "m2M1/5/5/5/5 b - - 0 4"),
        ("5/1m3/5/2M2/5 w - - 7 3", "c2b2 b4b3 b2b4", "5/1M3/5/5/5 b - - 0 4"),
        // It stays forbidden while its target is free, and is dropped when the target is occupied.
        ("5/5/1m3/2M2/5 w - - 7 3", "c2d2 b3c3", "5/5/2m2/3M1/5 w d2c2 c3b3 9 4"),
        ("5/5/m4/1m3/2M2 w - - 7 3", "c1d1 b2c1", "5/5/m4/5/2mM1 w - - 0 4"),
        // A jump sideways forbids no step back.
        ("m4/5/2Mm1/5/m4 w - - 0 1", "c3e3 a5b5", "1m3/5/4M/5/m4 w - b5a5 1 2"),
        // The other step is forbidden for one move only.
        ("m4/5/2M2/5/5 w - - 7 3", "c3d3 a5b5 d3e3", "1m3/5/4M/5/5 b b5a5 e3d3 10 4"),
        ("m4/5/2M2/5/5 w - - 7 3", "c3d3 a5b5 d3d4", "1m3/3M1/5/5/5 b b5a5 - 0 4"),
        ("m4/4m/3M1/5/5 w d3c3 e4d4 2 7", "d3e3", "m4/4m/4M/5/5 b e4d4 e3d3 3 7"),
        ("m4/4m/3M1/5/5 w d3c3 e4d4 2 7", "d3d4", "m4/3Mm/5/5/5 b - - 0 7"),
        ("5/4m/4m/4M/2M2 w - - 0 1", "e2d2 e3e2", "5/4m/5/3Mm/2M2 w - - 0 2"),
        // A chain of jumps, and one back to its starting point beside a man that is not captured.
        ("5/1m3/5/1m1m1/M4 w - - 7 3", "a1c3a5", "M4/5/5/3m1/5 b - - 0 3"),
        ("3m1/2m1m/2Mm1/5/m4 w - - 9 1", "c3e3e5c5c3", "5/5/2M2/5/m4 b - - 0 1"),
        // A chain around to its starting point.
        ("m4/5/1m3/1mm2/2M2 w - - 0 1", "c1a3c3c1", "m4/5/5/5/2M2 b - - 0 1"),
    ] {
        assert_eq!(played(fen, moves), after, "{fen} {moves}");
    }
}

#[test]
fn threefold_repetition_is_a_draw() {
    // Two men each take turns.
    let mut game = Game::from_position(read("m1m2/5/5/5/M1M2 w - - 0 1"));
    let round = "a1b1 a5b5 c1d1 c5d5 b1a1 b5a5 d1c1 d5c5";
    let mut outcomes = Vec::new();
    for text in round.split_whitespace().cycle().take(24) {
        let mv = game.position().read_move(text).expect(text);
        game.play(mv);
        outcomes.push(game.outcome());
    }
    let third = outcomes.iter().position(Option::is_some);
    // Steps are forbidden to both sides only after the second move of a round, so that is the first
    // position to recur.
    assert_eq!(third.map(|index| index + 1), Some(18), "{outcomes:?}");
    assert_eq!(outcomes[17], Some(Outcome::Draw(DrawReason::Repetition)));
}
