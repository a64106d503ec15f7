//! Self-play of two processes, as in an XBoard match: every move and the final claim are checked.

use std::time::{Duration, Instant};

use super::claims::claim;
use super::engine::Engine;
use super::grammar::{Thinking, is_claim};
use qirkat_testing::effort;
use qirkat_testing::games::{Game, Random, Standing};

/// No game is longer, since captures and pawn moves must come within a hundred plies.
const LONGEST: usize = 700;

/// Plays one game; returns the number of moves.
fn play(
    white: &mut Engine,
    black: &mut Engine,
    opening: &Game,
    setting: &str,
    clock: Option<u64>,
) -> usize {
    let mut game = Game::start();
    for engine in [&mut *white, &mut *black] {
        engine.answer(&format!("new\nrandom\nvariant chesquerque\n{setting}\nforce"));
    }
    for text in opening.command().split_whitespace().skip(3) {
        for engine in [&mut *white, &mut *black] {
            engine.silently(&format!("usermove {text}"));
        }
        game.play(text);
    }
    let mut clocks = clock.map(|centis| [Duration::from_millis(centis * 10); 2]);
    let mut last: Option<String> = None;
    for turn in 0..LONGEST {
        let side = (opening.plies() + turn) % 2;
        let engine = if side == 0 { &mut *white } else { &mut *black };
        let mut text = String::new();
        if let Some(clocks) = clocks {
            let [own, other] = [clocks[side], clocks[1 - side]].map(|left| left.as_millis() / 10);
            text += &format!("time {own}\notim {other}\n");
        }
        text += &match &last {
            Some(last) if turn > 1 => format!("usermove {last}"),
            Some(last) => format!("usermove {last}\ngo"),
            None => "go".to_owned(),
        };
        let from = Instant::now();
        let said = engine.answer(&text);
        if let Some(clocks) = &mut clocks {
            clocks[side] = clocks[side].saturating_sub(from.elapsed());
        }
        for line in said.iter().filter_map(|line| Thinking::parse(line)) {
            assert!(!line.moves.is_empty(), "{line:?}");
        }
        let rest = engine.take_move(&mut game, said);
        let command = game.command();
        last = command.rsplit(' ').next().map(str::to_owned);
        if game.standing() != Standing::Open {
            let wanted = claim(&game);
            if !matches!(&rest[..], [only] if is_claim(only) && only.starts_with(wanted)) {
                engine.fail(&format!("{wanted} is claimed in {}", game.fen()));
            }
            // The other side gets the move and the result.
            let other = if side == 0 { &mut *black } else { &mut *white };
            let said = other.answer(&format!("usermove {}", last.expect("a move")));
            let said: Vec<String> =
                said.into_iter().filter(|l| Thinking::parse(l).is_none()).collect();
            if !matches!(&said[..], [only] if is_claim(only) && only.starts_with(wanted)) {
                other.fail(&format!("{wanted} is claimed in {}", game.fen()));
            }
            for engine in [white, black] {
                engine.silently(&format!("result {wanted}over}}\nforce"));
                engine.expect_position(&game);
            }
            return turn;
        }
        if !rest.iter().all(|line| line == "offer draw" || line.starts_with("Hint: ")) {
            engine.fail(&format!("more than a move: {rest:?}"));
        }
    }
    panic!("the game does not end: {}", game.fen());
}

fn matches(seed: u64, settings: [&str; 2], clock: Option<u64>, games: usize) {
    let mut random = Random::seeded(seed);
    let (mut one, mut other) = (Engine::greeted(), Engine::greeted());
    for round in 0..games {
        let opening = Game::start().wander(&mut random, 1 + 2 * round);
        let setting = settings[round % 2];
        if round % 2 == 0 {
            play(&mut one, &mut other, &opening, setting, clock);
        } else {
            play(&mut other, &mut one, &opening, setting, clock);
        }
    }
}

#[test]
fn games_by_depth() {
    matches(41, ["st 5\nsd 3\npost\neasy", "st 5\nsd 4\nnopost\neasy"], None, effort([2, 4, 4]));
}

#[test]
fn games_by_the_clock() {
    matches(42, ["level 0 0:01 0\npost\neasy", "level 40 0:01 0\nnopost\neasy"], Some(30), 2);
}

#[test]
fn games_with_pondering() {
    matches(43, ["level 0 0:01 0\npost\nhard", "st 5\nsd 3\nnopost\nhard"], Some(30), 2);
}
