//! Games of people against the engine or each other, in the browser or the terminal. A
//! [`CasualGame`] holds the players, the clocks and the result; the user interface keeps the moves.

mod clocks;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use self::clocks::clock_command;
pub use self::clocks::{Clocks, TimeRule, clock_text};
use qirkat_engine::{ELO_RANGE, FULL_SKILL, SearchLimits, Settings};
use qirkat_game::score::Score;
use qirkat_game::{Color, GameResult, Outcome, Rules};
use qirkat_rules::pgn::PgnGame;
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Place};

/// The names of the points that a move visits, and the promotion letter.
pub fn points_of(mv: AnyMove) -> (Vec<String>, Option<char>) {
    (mv.places().iter().map(Place::to_string).collect(), mv.promotion())
}

/// A person's game against the engine or another person: the players, the clocks and the result.
/// The user interface keeps its moves, in a list or a tree, and passes in the game when they
/// matter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CasualGame {
    /// Whether people play White and Black; otherwise the engine does.
    pub people: [bool; 2],
    #[serde(flatten)]
    pub clocks: Clocks,
    pub paused: bool,
    pub ending: Option<Ending>,
}

impl CasualGame {
    pub fn new(people: [bool; 2], rule: Option<TimeRule>) -> CasualGame {
        CasualGame { people, clocks: Clocks::new(rule), paused: false, ending: None }
    }

    pub fn is_running(&self) -> bool {
        self.ending.is_none()
    }

    pub fn is_engine(&self, side: Color) -> bool {
        !self.people[side.index()]
    }

    fn person(&self, to_move: Color) -> Color {
        match self.people {
            [true, false] => Color::White,
            [false, true] => Color::Black,
            _ => to_move,
        }
    }

    /// Records a move made at this position and ply. Returns the clock as a PGN comment, if there
    /// are clocks.
    pub fn moved(&mut self, before: &AnyPosition, ply: usize) -> Option<String> {
        let mover = before.side_to_move();
        self.clocks.moved(mover, ply);
        self.paused = false;
        self.clocks.left(mover, !mover).map(clock_command)
    }

    /// Continues the game unless the rules have ended it. The clocks start after the first move.
    pub fn go_on(&mut self, game: &AnyGame) {
        self.ending = game.outcome().map(Ending::by_rule);
        let runs = self.is_running() && !self.paused && !game.moves().is_empty();
        self.clocks.run(game.position().side_to_move(), runs);
    }

    pub fn pause(&mut self, to_move: Color) {
        self.paused = true;
        self.clocks.run(to_move, false);
    }

    /// Ends it other than by a move.
    pub fn end(&mut self, ending: Ending, to_move: Color) {
        self.clocks.run(to_move, false);
        self.ending = Some(ending);
    }

    pub fn resign(&mut self, to_move: Color) {
        self.end(Ending::resigned(self.person(to_move)), to_move);
    }

    /// Offers a draw: the engine accepts if it hopes for no more, by the score of its last search;
    /// between people it is agreed. Returns whether the game is drawn now.
    pub fn offer_draw(&mut self, score: Option<Score>, position: &AnyPosition) -> bool {
        let is_draw =
            self.people == [true, true] || accepts_draw(score, position.fullmove_number());
        if is_draw {
            self.end(Ending::agreed_draw(), position.side_to_move());
        }
        is_draw
    }

    /// Ends the game if the side to move has no time left; returns whether that just happened.
    pub fn check_clocks(&mut self, to_move: Color) -> bool {
        let fell = self.is_running() && self.clocks.has_flag_fallen(to_move);
        if fell {
            self.end(Ending::flag_fell(to_move), to_move);
        }
        fell
    }

    /// Takes moves back until a person is to move, and restores the clocks. Returns how many plies
    /// the caller must undo: none if no person has moved.
    pub fn take_back(&mut self, game: &AnyGame) -> usize {
        let to_move = game.position().side_to_move();
        let plies = game.moves().len();
        let side_before = |back: usize| if back.is_multiple_of(2) { to_move } else { !to_move };
        let back = (1..=plies).find(|&back| !self.is_engine(side_before(back))).unwrap_or(0);
        if back > 0 {
            self.clocks.take_back_to(plies - back);
            self.ending = None;
        }
        back
    }

    /// The limits of the search for this side's move; `think` applies without clocks.
    pub fn reply_limits(&self, side: Color, to_move: Color, think: Duration) -> SearchLimits {
        let mut limits = match self.clocks.reading(side, to_move) {
            Some(clock) => SearchLimits::clock(clock, OVERHEAD),
            None => SearchLimits::movetime(think),
        };
        limits.hurry_single_reply = true;
        limits
    }
}

/// The tags that say how a game ended, see [`Ending::note`].
pub const ENDING_TAGS: [&str; 2] = ["Termination", "Reason"];
/// The value of `Termination` for a game that was simply played out.
const NO_REASON: &str = "normal";

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ending {
    pub result: GameResult,
    pub reason: String,
}

impl Ending {
    pub fn by_rule(outcome: Outcome) -> Ending {
        Ending { result: outcome.into(), reason: outcome.to_string() }
    }

    pub fn resigned(side: Color) -> Ending {
        Ending { result: GameResult::won_by(!side), reason: format!("{side:?} resigns") }
    }

    pub fn flag_fell(side: Color) -> Ending {
        Ending { result: GameResult::won_by(!side), reason: format!("{side:?} has no time left") }
    }

    pub fn agreed_draw() -> Ending {
        Ending { result: GameResult::Draw, reason: "draw by agreement".to_owned() }
    }

    /// Writes how the game ended to its tags: `Termination` for programs, a reason in words for
    /// people.
    pub fn note(&self, game: &mut PgnGame) {
        let on_time = Color::ALL.into_iter().any(|side| *self == Ending::flag_fell(side));
        game.set_tag("Termination", if on_time { "time forfeit" } else { NO_REASON });
        game.set_tag("Reason", self.reason.as_str());
    }

    pub fn reason_in(tag: impl Fn(&str) -> Option<String>) -> Option<String> {
        let termination = || tag("Termination").filter(|it| !it.eq_ignore_ascii_case(NO_REASON));
        tag("Reason").or_else(termination).filter(|reason| !reason.is_empty())
    }
}

/// Time lost between the engine's move and its clock.
const OVERHEAD: Duration = Duration::from_millis(20);
const HINT: Duration = Duration::from_millis(1000);
/// The engine accepts a draw if its score is no better than this: at any time, and after this many
/// moves.
const CONTENT_WITH_DRAW: Score = Score::centipawns(-50);
const CONTENT_WITH_DRAW_LATER: Score = Score::centipawns(10);
const LATE_IN_GAME: u16 = 40;

pub fn hint_limits() -> SearchLimits {
    SearchLimits::movetime(HINT)
}

/// Whether the engine agrees to a draw, by the score of its last search and the number of the next
/// move.
fn accepts_draw(last_score: Option<Score>, move_number: u16) -> bool {
    let content =
        if move_number > LATE_IN_GAME { CONTENT_WITH_DRAW_LATER } else { CONTENT_WITH_DRAW };
    last_score.is_some_and(|score| score <= content)
}

/// The engine's name at full strength, and its prefix otherwise.
const NAME: &str = "Qirkat";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// A level, as in UCI's `Skill Level`.
    Level(u32),
    /// A rating, as in `UCI_Elo`.
    Elo(u32),
}

impl Strength {
    pub const FULL: Strength = Strength::Level(FULL_SKILL);

    /// The default: a newcomer can beat it.
    pub const USUAL: Strength = Strength::Level(3);

    pub fn name(self) -> String {
        match self {
            Strength::FULL => NAME.to_owned(),
            Strength::Level(level) => format!("{NAME} (level {level})"),
            Strength::Elo(elo) => format!("{NAME} ({elo})"),
        }
    }

    /// The strength in a player's name, if that is the engine's.
    pub fn of_name(name: &str) -> Option<Strength> {
        let rest = name.strip_prefix(NAME)?.trim();
        let number = |text: &str, (least, most)| {
            text.parse().ok().filter(|number| (least..=most).contains(number))
        };
        let said = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let level = said.and_then(|said| number(said.strip_prefix("level ")?, (0, FULL_SKILL)));
        let elo = said.and_then(|said| number(said, ELO_RANGE));
        Some(level.map(Strength::Level).or(elo.map(Strength::Elo)).unwrap_or(Strength::FULL))
    }

    pub fn apply(self, settings: &mut Settings) {
        match self {
            Strength::Level(level) => {
                settings.limit_strength = false;
                settings.skill_level = level;
            }
            Strength::Elo(elo) => {
                settings.limit_strength = true;
                settings.elo = elo;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_lines::play;
    use qirkat_rules::variant::Variant;

    fn game(moves: &str) -> AnyGame {
        let mut game = Variant::Chesquerque.new_game();
        play(&mut game, moves);
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
            let mut play = CasualGame::new(people, None);
            assert_eq!(play.take_back(&game(moves)), back, "{people:?} {moves}");
        }
    }

    #[test]
    fn whoever_has_no_time_left_has_lost() {
        let rule = TimeRule { base: 1000, increment: 0 };
        let mut play = CasualGame::new([true, true], Some(rule));
        play.go_on(&game(""));
        assert!(!play.check_clocks(Color::White) && !play.clocks.are_running());
        play.go_on(&game("e4"));
        play.clocks.left[1] = 0;
        assert!(play.check_clocks(Color::Black) && !play.check_clocks(Color::Black), "told once");
        assert_eq!(play.ending, Some(Ending::flag_fell(Color::Black)));
    }

    #[test]
    fn a_draw_is_taken_by_who_hopes_for_no_more() {
        for (centipawns, number, taken) in
            [(0, 10, false), (-50, 10, true), (10, 41, true), (10, 40, false), (11, 60, false)]
        {
            let score = Some(Score::centipawns(centipawns));
            assert_eq!(accepts_draw(score, number), taken, "{centipawns} at move {number}");
        }
        assert!(!accepts_draw(None, 60), "before it has thought at all");
    }

    #[test]
    fn a_clock_bounds_more_than_the_time_for_a_move() {
        let think = Duration::from_secs(2);
        let none_left = TimeRule { base: 0, increment: 0 };
        for (rule, time) in [(Some(none_left), Duration::ZERO), (None, think)] {
            let limits = CasualGame::new([true, false], rule).reply_limits(
                Color::Black,
                Color::White,
                think,
            );
            assert_eq!(limits.time.hard, Some(time));
        }
    }

    #[test]
    fn a_strength_is_known_by_its_name() {
        for strength in [Strength::FULL, Strength::USUAL, Strength::Level(0), Strength::Elo(1500)] {
            assert_eq!(Strength::of_name(&strength.name()), Some(strength));
        }
        for (name, strength) in [
            ("You", None),
            ("", None),
            ("Qirkat 0.1.0", Some(Strength::FULL)),
            ("Qirkat (level 99)", Some(Strength::FULL)),
        ] {
            assert_eq!(Strength::of_name(name), strength, "{name}");
        }
    }
}
