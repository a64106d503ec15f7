//! A user who does anything a GUI allows, in any order, with pondering on and off: on each of its
//! turns the engine gives one legal move or a claim, and otherwise nothing.

use super::claims::claim;
use super::engine::Engine;
use super::grammar::{Thinking, is_claim};
use qirkat_testing::effort;
use qirkat_testing::games::{Game, MIDDLE, Random, START, Standing};

/// Near the end of games of every kind, so that ends occur.
const SHORT: [&str; 7] = [
    START,
    MIDDLE,
    "4k4/P1r4p1/9/9/9/9/p7P/9/R3K3R w KQ - 0 1",
    "4k4/4r4/9/9/9/9/9/4R4/4K4 w - - 88 90",
    "9/9/2Q6/9/9/1k7/9/3K1n3/9 b - - 0 60",
    "9/9/9/9/5k3/9/2p6/2K6/9 w - - 0 60",
    "9/9/9/2Q6/9/9/1k7/3K5/9 w - - 0 60",
];

const IN_PASSING: [&str; 5] = ["?", "hint", "put e4", "computer", "time 50\notim 50"];

/// The GUI's state.
struct Table {
    engine: Engine,
    fen: &'static str,
    moves: Vec<String>,
    /// Whether the engine plays the side not to move.
    plays: bool,
    limit: &'static str,
    /// The numbers of the engine's moves and claims.
    moved: usize,
    claimed: usize,
}

impl Table {
    fn game(&self) -> Game {
        Game::from_fen(self.fen).moves(&self.moves.join(" "))
    }

    fn engine_turn(&mut self, text: &str) {
        let mut game = self.game();
        let said = self.engine.answer(text);
        let said: Vec<String> = said.into_iter().filter(|line| !is_talk(line)).collect();
        let mut rest = if game.standing() == Standing::Open {
            let rest = self.engine.take_move(&mut game, said);
            self.moves.extend(game.command().rsplit(' ').next().map(str::to_owned));
            self.plays = true;
            self.moved += 1;
            rest
        } else {
            said
        };
        if game.standing() != Standing::Open {
            let claimed = rest.pop();
            if !claimed.is_some_and(|line| is_claim(&line) && line.starts_with(claim(&game))) {
                self.engine.fail(&format!("the end is claimed in {}", game.fen()));
            }
            self.claimed += 1;
            self.quietly("result * {over}\nforce");
            self.plays = false;
        }
        if !rest.is_empty() {
            self.engine.fail(&format!("one thing at a time, not {rest:?}"));
        }
    }

    fn quietly(&mut self, text: &str) {
        let said = self.engine.answer(text);
        if let Some(line) = said.iter().find(|line| !is_talk(line)) {
            self.engine.fail(&format!("unasked after {text:?}: {line}"));
        }
    }

    fn act(&mut self, random: &mut Random) {
        let legal = self.game().legal();
        match random.below(16) {
            0 => {
                self.plays = false;
                self.fen = SHORT[random.below(SHORT.len())];
                self.moves.clear();
                let text = format!("force\nnew\nforce\nsetboard {}\n{}", self.fen, self.limit);
                self.quietly(&text);
            }
            1 => {
                self.plays = false;
                self.quietly("force");
            }
            2 => self.quietly(random.pick::<&str>(&["hard", "easy", "post", "nopost"])),
            3 => self.quietly(random.pick::<&str>(&IN_PASSING)),
            4 => {
                let told =
                    self.engine.answer(random.pick::<&str>(&["foo", "usermove a1i9", "lift z1"]));
                let for_the_player = |line: &str| line.starts_with("telluser ");
                let told = told.iter().filter(|line| !is_talk(line) && !for_the_player(line));
                assert_eq!(told.count(), 1, "one line for what is wrong");
            }
            5 => self.engine_turn("time 40\notim 40\ngo"),
            6 if self.game().standing() == Standing::Open => {
                self.plays = true;
                self.quietly("playother");
            }
            7 if self.plays && self.moves.len() >= 2 => {
                self.moves.truncate(self.moves.len() - 2);
                self.quietly("remove");
            }
            8 if !self.moves.is_empty() => {
                self.plays = false;
                self.moves.pop();
                self.quietly("force\nundo");
            }
            9 => {
                self.plays = false;
                self.quietly("force\nanalyze");
                for _ in 0..random.below(4) {
                    let legal = self.game().legal();
                    if random.chance(30) && !self.moves.is_empty() {
                        self.moves.pop();
                        self.engine.say("undo");
                    } else if !legal.is_empty() {
                        let text = random.pick(&legal).clone();
                        self.engine.say(&format!("usermove {text}"));
                        self.moves.push(text);
                    }
                }
                self.quietly("exit");
            }
            _ if legal.is_empty() => {}
            _ => {
                let text = random.pick(&legal).clone();
                self.moves.push(text.clone());
                let now = random.pick::<&str>(&["", "", "\n?", "\nhint"]);
                if self.plays {
                    self.engine_turn(&format!("time 40\notim 40\nusermove {text}{now}"));
                } else {
                    self.quietly(&format!("usermove {text}"));
                }
            }
        }
    }
}

fn is_talk(line: &str) -> bool {
    Thinking::parse(line).is_some() || line.starts_with("Hint: ") || line.starts_with("# ")
}

#[test]
fn commands_work_in_any_order() {
    let mut random = Random::seeded(44);
    let (mut moved, mut claimed) = (0, 0);
    for round in 0..effort([2, 6, 1000]) {
        let mut engine = Engine::greeted();
        let limit = ["sd 2", "level 0 0:01 0"][round % 2];
        engine.silently(limit);
        let (fen, moves) = (START, Vec::new());
        let mut table = Table { engine, fen, moves, plays: true, limit, moved: 0, claimed: 0 };
        for step in 0..effort([80, 150, 150]) {
            table.act(&mut random);
            if step % 10 == 0 {
                let game = table.game();
                table.engine.expect_position(&game);
            }
        }
        moved += table.moved;
        claimed += table.claimed;
    }
    assert!(
        moved > 20 && claimed > effort([0, 2, 2]),
        "{moved} moves and {claimed} claims are too few"
    );
}
