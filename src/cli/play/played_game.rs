//! A game being played: moves, clocks, and how it ends. It knows no engine and no screen.

use crate::casual::{Clocks, Ending, TimeRule, clock_command};
use crate::game::{Color, GameResult, Rules};
use crate::host::today;
use crate::pgn::{PgnGame, PgnMove};
use crate::search::Clock;
use crate::variant::{AnyGame, AnyMove, AnyPosition};

/// A game being played.
#[derive(Clone, Debug)]
pub(super) struct PlayedGame {
    game: AnyGame,
    /// Whether people play White and Black; the engine plays the rest.
    people: [bool; 2],
    clocks: Clocks,
    ending: Option<Ending>,
    /// The moves as people write them.
    sans: Vec<String>,
    /// Milliseconds that the mover had left behind each move.
    left: Vec<Option<u32>>,
    /// The day it began, as PGN writes it.
    date: String,
}

impl PlayedGame {
    /// A game from a position, which may be over at once.
    pub fn new(start: AnyPosition, people: [bool; 2], rule: Option<TimeRule>) -> PlayedGame {
        let game = AnyGame::from_position(start);
        PlayedGame {
            ending: game.outcome().map(Ending::by_rule),
            game,
            people,
            clocks: Clocks::new(rule),
            sans: Vec::new(),
            left: Vec::new(),
            date: today(),
        }
    }

    /// The moves and positions.
    pub fn state(&self) -> &AnyGame {
        &self.game
    }

    /// Where it stands.
    pub fn position(&self) -> &AnyPosition {
        self.game.position()
    }

    /// Whose turn it is.
    pub fn side_to_move(&self) -> Color {
        self.position().side_to_move()
    }

    /// Whether people play White and Black.
    pub fn people(&self) -> [bool; 2] {
        self.people
    }

    /// The moves as people write them.
    pub fn sans(&self) -> &[String] {
        &self.sans
    }

    /// How it has ended, if it has.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Whether the engine has to move.
    pub fn is_engines_turn(&self) -> bool {
        self.ending.is_none() && !self.people[self.side_to_move().index()]
    }

    /// The side of the person that gives up or offers a draw.
    pub fn person(&self) -> Color {
        match self.people {
            [true, false] => Color::White,
            [false, true] => Color::Black,
            _ => self.side_to_move(),
        }
    }

    /// Milliseconds that a side has left; none without clocks.
    pub fn left(&self, side: Color) -> Option<u32> {
        self.clocks.left(side, self.side_to_move())
    }

    /// What the clock of the side to move shows a search.
    pub fn reading(&self) -> Option<Clock> {
        self.clocks.reading(self.side_to_move(), self.side_to_move())
    }

    /// Makes a legal move. The first one has all the time in the world.
    pub fn play(&mut self, mv: AnyMove) {
        let mover = self.side_to_move();
        self.sans.push(self.position().san(mv));
        self.clocks.moved(mover);
        self.game.play(mv);
        self.left.push(self.clocks.left(mover, !mover));
        self.ending = self.game.outcome().map(Ending::by_rule);
        self.clocks.run(self.side_to_move(), self.ending.is_none());
    }

    /// Ends the game of a side that has no time left; whether that has happened just now.
    pub fn check_clocks(&mut self) -> bool {
        let side = self.side_to_move();
        let fell = self.ending.is_none() && self.clocks.has_flag_fallen(side);
        if fell {
            self.end(Ending::flag_fell(side));
        }
        fell
    }

    /// Ends it otherwise than by a move.
    pub fn end(&mut self, ending: Ending) {
        self.clocks.run(self.side_to_move(), false);
        self.ending = Some(ending);
    }

    /// Takes moves back until a person has the move again. How many plies: none when there
    /// is no move of a person. Time that has passed stays passed.
    pub fn take_back(&mut self) -> usize {
        let plies = self.game.moves().len();
        let mut side = self.side_to_move();
        let mut back = 0;
        while back < plies {
            back += 1;
            side = !side;
            if self.people[side.index()] {
                break;
            }
        }
        if back == 0 || !self.people[side.index()] {
            return 0;
        }
        self.clocks.run(self.side_to_move(), false);
        for _ in 0..back {
            self.game.undo();
            self.sans.pop();
            self.left.pop();
        }
        self.ending = None;
        self.clocks.running_since = None;
        self.clocks.run(self.side_to_move(), !self.sans.is_empty());
        back
    }

    /// The game on paper; the engine has this name.
    pub fn to_pgn(&self, engine: &str) -> PgnGame {
        let mut record = PgnGame::from_position(*self.game.start());
        record.set_tag("Event", "Played in the terminal");
        record.set_tag("Date", self.date.as_str());
        for (tag, color) in [("White", Color::White), ("Black", Color::Black)] {
            record.set_tag(tag, self.player(color, engine));
        }
        if let Some(rule) = self.clocks.rule {
            record.set_tag("TimeControl", rule.to_string());
        }
        if let Some(ending) = &self.ending {
            record.result = ending.result;
            record.set_tag("Termination", ending.reason.as_str());
        } else {
            record.result = GameResult::Unfinished;
        }
        let moves = self.game.moves().iter().zip(&self.left);
        record.moves = moves
            .map(|(&mv, &left)| PgnMove { comment: left.map(clock_command), ..PgnMove::from(mv) })
            .collect();
        record
    }

    /// Who plays a side, where the engine has this name.
    pub fn player(&self, color: Color, engine: &str) -> String {
        match (self.people, self.people[color.index()]) {
            ([true, true], _) => format!("{color:?} player"),
            (_, true) => "You".to_owned(),
            (_, false) => engine.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::Variant;

    fn played(people: [bool; 2], moves: &str) -> PlayedGame {
        let mut game = PlayedGame::new(Variant::Chesquerque.start(), people, None);
        for text in moves.split_whitespace() {
            let mv = game.position().read_move(text).expect(text);
            game.play(mv);
        }
        game
    }

    #[test]
    fn taking_back_leads_to_the_persons_move() {
        for (people, moves, back) in [
            ([true, false], "", 0),
            ([true, false], "e4", 1),
            ([true, false], "e4 e6", 2),
            ([true, false], "e4 e6 d3", 1),
            ([false, true], "e4", 0),
            ([false, true], "e4 e6", 1),
            ([true, true], "e4 e6", 1),
        ] {
            let mut game = played(people, moves);
            let plies = game.sans().len();
            assert_eq!(game.take_back(), back, "{people:?} {moves}");
            assert_eq!(game.sans().len(), plies - back);
            assert_eq!(game.state().moves().len(), plies - back);
            assert!(back == 0 || game.people()[game.side_to_move().index()]);
        }
    }

    #[test]
    fn a_game_that_was_given_up_can_be_gone_on_with() {
        let mut game = played([true, false], "e4 e6");
        game.end(Ending::resigned(game.person()));
        assert_eq!(game.to_pgn("Qirkat").result, GameResult::BlackWins);
        assert!(!game.is_engines_turn());
        assert_eq!(game.take_back(), 2);
        assert_eq!(game.ending(), None);
    }

    #[test]
    fn pgn_tells_players_clocks_and_end() {
        let rule = TimeRule { base: 300_000, increment: 3000 };
        let start = Variant::Chesquerque.start();
        let mut game = PlayedGame::new(start, [false, true], Some(rule));
        game.play(start.read_move("e4").expect("a move"));
        game.end(Ending::resigned(Color::Black));
        let text = game.to_pgn("Qirkat (level 3)").to_string();
        for words in [
            "[White \"Qirkat (level 3)\"]",
            "[Black \"You\"]",
            "[TimeControl \"300+3\"]",
            "[Termination \"Black resigns\"]",
            "1. e4 {[%clk 0:05:00]} 1-0",
        ] {
            assert!(text.contains(words), "no {words} in {text}");
        }
    }

    #[test]
    fn whoever_has_no_time_left_has_lost() {
        let rule = TimeRule { base: 1000, increment: 0 };
        let start = Variant::Chesquerque.start();
        let mut game = PlayedGame::new(start, [true, true], Some(rule));
        assert!(!game.check_clocks());
        game.play(start.read_move("e4").expect("a move"));
        game.clocks.left[1] = 0;
        assert!(game.check_clocks() && !game.check_clocks(), "it is told once");
        assert_eq!(game.ending().map(|ending| ending.result), Some(GameResult::WhiteWins));
    }
}
