//! Games of people against the engine or each other, in the browser or the terminal. A
//! [`CasualGame`] holds the players, the clocks and the result; the user interface keeps the moves.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use qirkat_engine::{ELO_RANGE, FULL_SKILL, SearchLimits, Settings, accepts_draw, clock_budget};
use qirkat_game::score::Score;
use qirkat_game::{Color, GameResult, Outcome, Rules};
use qirkat_rules::pgn::{PgnGame, command_value, split_comment};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Place};
use qirkat_search::Clock;
use qirkat_system::host::Instant;
use qirkat_system::time_text::{Unit, read_time};

/// The names of the points that a move visits, and the promotion letter.
pub fn points_of(mv: AnyMove) -> (Vec<String>, Option<char>) {
    (mv.places().iter().map(Place::to_string).collect(), mv.promotion())
}

/// A person's game against the engine or another person: the players, the clocks and the result.
/// The user interface keeps the moves and passes in the game where they are needed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CasualGame {
    /// Whether people play White and Black; otherwise the engine does.
    pub people: [bool; 2],
    #[serde(flatten)]
    pub clocks: Clocks,
    pub paused: bool,
    pub ending: Option<GameEnding>,
}

impl CasualGame {
    pub fn new(people: [bool; 2], control: Option<TimeControl>) -> CasualGame {
        CasualGame { people, clocks: Clocks::new(control), paused: false, ending: None }
    }

    pub fn is_running(&self) -> bool {
        self.ending.is_none()
    }

    pub fn is_engine(&self, side: Color) -> bool {
        !self.people[side.index()]
    }

    /// The side of the only person; the side to move if there are two or none.
    fn person(&self, to_move: Color) -> Color {
        match self.people {
            [true, false] => Color::White,
            [false, true] => Color::Black,
            _ => to_move,
        }
    }

    /// Records a move made at this position and ply. Returns the clock, if any, as a PGN comment.
    pub fn moved(&mut self, before: &AnyPosition, ply: usize) -> Option<String> {
        let mover = before.side_to_move();
        self.clocks.moved(mover, ply);
        self.paused = false;
        self.clocks.left(mover, !mover).map(clock_command)
    }

    /// Continues the game unless the rules have ended it. The clocks start after the first move.
    pub fn go_on(&mut self, game: &AnyGame) {
        self.ending = game.outcome().map(GameEnding::by_rule);
        let runs = self.is_running() && !self.paused && !game.moves().is_empty();
        self.clocks.run(game.position().side_to_move(), runs);
    }

    pub fn pause(&mut self, to_move: Color) {
        self.paused = true;
        self.clocks.run(to_move, false);
    }

    /// Ends the game other than by a move.
    pub fn end(&mut self, ending: GameEnding, to_move: Color) {
        self.clocks.run(to_move, false);
        self.ending = Some(ending);
    }

    pub fn resign(&mut self, to_move: Color) {
        self.end(GameEnding::resigned(self.person(to_move)), to_move);
    }

    /// Offers a draw: the engine accepts as [`accepts_draw`] says, by the score of its last search;
    /// between people a draw is agreed at once. Returns whether the game is drawn now.
    pub fn offer_draw(&mut self, score: Option<Score>, position: &AnyPosition) -> bool {
        let is_draw =
            self.people == [true, true] || accepts_draw(score, position.fullmove_number());
        if is_draw {
            let (result, reason) = (GameResult::Draw, "draw by agreement".to_owned());
            self.end(GameEnding { result, reason }, position.side_to_move());
        }
        is_draw
    }

    /// Ends the game if the side to move has no time left; returns whether that just happened.
    pub fn check_clocks(&mut self, position: &AnyPosition) -> bool {
        let to_move = position.side_to_move();
        let fell = self.is_running() && self.clocks.has_flag_fallen(to_move);
        if fell {
            self.end(GameEnding::flag_fell(position), to_move);
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

    /// The limits of the search for a move in this position, while the clock of `to_move` runs;
    /// `think` applies without clocks.
    pub fn reply_limits(
        &self,
        position: &AnyPosition,
        to_move: Color,
        think: Duration,
    ) -> SearchLimits {
        let mut limits = match self.clocks.reading(position.side_to_move(), to_move) {
            Some(clock) => SearchLimits::time(clock_budget(position, clock, OVERHEAD)),
            None => SearchLimits::movetime(think),
        };
        limits.hurry_single_reply = true;
        limits
    }
}

/// The tags that say how a game ended, see [`GameEnding::note`].
pub const ENDING_TAGS: [&str; 2] = ["Termination", "Reason"];
/// The value of `Termination` unless a flag fell.
const NORMAL: &str = "normal";

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameEnding {
    pub result: GameResult,
    pub reason: String,
}

impl GameEnding {
    pub fn by_rule(outcome: Outcome) -> GameEnding {
        GameEnding { result: outcome.into(), reason: outcome.to_string() }
    }

    pub fn resigned(side: Color) -> GameEnding {
        GameEnding { result: GameResult::won_by(!side), reason: format!("{side:?} resigns") }
    }

    /// The side to move has no time left. A bare king does not win that way (FIDE Laws, 6.9).
    pub fn flag_fell(position: &AnyPosition) -> GameEnding {
        let side = position.side_to_move();
        let reason = out_of_time(side);
        if position.is_bare_king(!side) {
            let reason = format!("{reason}, but a bare king cannot win");
            return GameEnding { result: GameResult::Draw, reason };
        }
        GameEnding { result: GameResult::won_by(!side), reason }
    }

    /// Writes how the game ended to its tags: `Termination` for programs, a reason for people.
    pub fn note(&self, game: &mut PgnGame) {
        let on_time =
            Color::ALL.into_iter().any(|side| self.reason.starts_with(&out_of_time(side)));
        game.set_tag("Termination", if on_time { "time forfeit" } else { NORMAL });
        game.set_tag("Reason", self.reason.as_str());
    }

    pub fn reason_in(tag: impl Fn(&str) -> Option<String>) -> Option<String> {
        let termination = || tag("Termination").filter(|it| !it.eq_ignore_ascii_case(NORMAL));
        tag("Reason").or_else(termination).filter(|reason| !reason.is_empty())
    }
}

fn out_of_time(side: Color) -> String {
    format!("{side:?} has no time left")
}

/// Time lost between the engine's move and stopping its clock.
const OVERHEAD: Duration = Duration::from_millis(20);

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

    pub fn of_name(name: &str) -> Option<Strength> {
        let rest = name.strip_prefix(NAME)?;
        if !rest.is_empty() && !rest.starts_with(' ') {
            return None;
        }
        let number = |text: &str, (least, most)| {
            text.parse().ok().filter(|number| (least..=most).contains(number))
        };
        let said = rest.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
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

/// Base time and increment in milliseconds; displayed in seconds, as in PGN's `TimeControl` tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, derive_more::Display)]
#[display("{}+{}", f64::from(*base) / 1000.0, f64::from(*increment) / 1000.0)]
pub struct TimeControl {
    pub base: u32,
    pub increment: u32,
}

impl TimeControl {
    const LONGEST: u32 = 24 * 60 * 60 * 1000;

    pub fn bounded(self) -> TimeControl {
        TimeControl {
            base: self.base.clamp(1000, Self::LONGEST),
            increment: self.increment.min(Self::LONGEST),
        }
    }

    /// Reads `300+3`: base time in this unit and optional increment in seconds; not clamped.
    pub fn read(text: &str, unit: Unit) -> Option<TimeControl> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let read = |text, unit| Some(milliseconds(read_time(text, unit).ok()?));
        Some(TimeControl { base: read(base, unit)?, increment: read(increment, Unit::Seconds)? })
    }

    /// What the `TimeControl` tag says; none if it is of an unsupported kind.
    fn of_tag(text: &str) -> Option<TimeControl> {
        let control = TimeControl::read(text, Unit::Seconds).filter(|_| !text.contains(':'))?;
        (control == control.bounded()).then_some(control)
    }
}

/// Milliseconds as clocks show them: `4:59` and `1:00:00`, and tenths in the last twenty seconds.
pub fn clock_text(left: u32) -> String {
    let (tenths, seconds) = (left / 100, left / 1000);
    match seconds {
        0..20 => format!("0:{:02}.{}", seconds, tenths % 10),
        20..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

/// The clock of a side with `left` milliseconds, as a PGN comment.
pub(super) fn clock_command(left: u32) -> String {
    let seconds = left / 1000;
    format!("[%clk {}:{:02}:{:02}]", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn clock_in(comment: &str) -> Option<u32> {
    /// Longer times are invalid.
    const MAX_HOURS: u32 = 999;
    let (commands, _) = split_comment(comment);
    let clock = commands.into_iter().find_map(|command| command_value(command, "clk"))?;
    let (hours, rest) = clock.split_once(':')?;
    let hours: u32 = hours.parse().ok().filter(|&hours| hours <= MAX_HOURS)?;
    let time = read_time(rest, Unit::Minutes).ok()?;
    u32::try_from(time.as_millis()).ok()?.checked_add(hours * 3_600_000)
}

/// The clocks of a game; they do not run where there is no time control.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Clocks {
    #[serde(rename = "clock")]
    pub control: Option<TimeControl>,
    /// Milliseconds that White and Black had left when their clocks last stopped;
    /// [`Clocks::left()`] counts a running one.
    pub left: [u32; 2],
    #[serde(skip)]
    running_since: Option<Instant>,
    /// Times after each ply, for taking moves back. The comments only have them to the second.
    #[serde(skip)]
    past: Vec<[u32; 2]>,
}

impl Clocks {
    pub fn new(control: Option<TimeControl>) -> Clocks {
        Clocks { control, left: at_start(control), running_since: None, past: Vec::new() }
    }

    /// The clocks of a record after its last move; without a time control if the record's is of an
    /// unsupported kind.
    pub fn of_record(record: &PgnGame) -> Clocks {
        let mut clocks = Clocks::new(record.tag("TimeControl").and_then(TimeControl::of_tag));
        let comments = record.moves.iter().map(|played| played.comment.as_deref());
        clocks.read_past(record.start.side_to_move(), comments);
        clocks.left = clocks.past.last().copied().unwrap_or(clocks.left);
        clocks
    }

    /// Reads the past times from the comments of a game's moves. `first` made the first move.
    pub fn read_past<'a>(&mut self, first: Color, comments: impl Iterator<Item = Option<&'a str>>) {
        let mut left = at_start(self.control);
        self.past = vec![left];
        for (ply, comment) in comments.enumerate() {
            let side = if ply.is_multiple_of(2) { first } else { !first };
            if let Some(shown) = comment.and_then(clock_in) {
                left[side.index()] = shown;
            }
            self.past.push(left);
        }
    }

    pub fn are_running(&self) -> bool {
        self.running_since.is_some()
    }

    pub fn left(&self, side: Color, to_move: Color) -> Option<u32> {
        self.control?;
        let spent = match self.running_since {
            Some(since) if side == to_move => since.elapsed(),
            _ => Duration::ZERO,
        };
        Some(self.left[side.index()].saturating_sub(milliseconds(spent)))
    }

    /// Starts or stops the clock of the side to move.
    pub fn run(&mut self, to_move: Color, run: bool) {
        if let Some(left) = self.left(to_move, to_move) {
            self.left[to_move.index()] = left;
            self.running_since = run.then(Instant::now);
        }
    }

    /// Records that a side has made the move of this ply: its clock stops and gets the increment.
    pub(super) fn moved(&mut self, side: Color, ply: usize) {
        let ran = self.are_running();
        self.run(side, false);
        if let Some(control) = self.control.filter(|_| ran) {
            let left = &mut self.left[side.index()];
            *left = left.saturating_add(control.increment);
        }
        // The game may have had no clocks before.
        self.past.resize(ply + 1, at_start(self.control));
        self.past.push(self.left);
    }

    /// Takes the clocks back to this ply: they stop and show the times of that ply.
    pub(super) fn take_back_to(&mut self, ply: usize) {
        self.running_since = None;
        self.left = self.past.get(ply).copied().unwrap_or(at_start(self.control));
    }

    pub fn flag_at(&self, to_move: Color) -> Option<Instant> {
        let left = Duration::from_millis(self.left[to_move.index()].into());
        self.running_since?.checked_add(left)
    }

    pub fn has_flag_fallen(&self, to_move: Color) -> bool {
        self.flag_at(to_move).is_some_and(|flag| flag <= Instant::now())
    }

    /// A side's clock, as input for a search; it may be the other side's turn.
    pub fn reading(&self, side: Color, to_move: Color) -> Option<Clock> {
        let control = self.control?;
        Some(Clock {
            remaining: Duration::from_millis(self.left(side, to_move)?.into()),
            increment: Duration::from_millis(control.increment.into()),
            moves_to_go: None,
        })
    }
}

fn at_start(control: Option<TimeControl>) -> [u32; 2] {
    [control.map_or(0, |control| control.base); 2]
}

fn milliseconds(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use qirkat_rules::variant::Variant;

    use super::*;
    use crate::test_lines::play;

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
        let control = TimeControl { base: 1000, increment: 0 };
        let mut play = CasualGame::new([true, true], Some(control));
        let start = game("");
        play.go_on(&start);
        assert!(!play.check_clocks(start.position()) && !play.clocks.are_running());
        let later = game("e4");
        play.go_on(&later);
        play.clocks.left[1] = 0;
        assert!(play.check_clocks(later.position()));
        assert!(!play.check_clocks(later.position()), "told once");
        for (variant, fen, result) in [
            (Variant::Chesquerque, "4k4/9/9/9/9/9/9/9/R3K4 w - -", GameResult::Draw),
            (Variant::Chesquerque, "4k4/9/9/9/9/9/9/9/R3K4 b - -", GameResult::WhiteWins),
            (Variant::Masonic, "k7/8/8/8/8/8/8/6NK w - -", GameResult::Draw),
            (Variant::Alquerque, "5/2m2/5/2M2/5 w - - 0 1", GameResult::BlackWins),
        ] {
            let position = variant.read_fen(fen).expect(fen).position;
            let ending = GameEnding::flag_fell(&position);
            assert_eq!(ending.result, result, "{fen}");
            let mut pgn = PgnGame::from_position(position);
            ending.note(&mut pgn);
            assert_eq!(pgn.tag("Termination"), Some("time forfeit"), "{fen}");
        }
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
    fn with_a_clock_the_time_for_a_move_does_not_apply() {
        let think = Duration::from_secs(2);
        let none_left = TimeControl { base: 0, increment: 0 };
        for (control, time) in [(Some(none_left), Duration::ZERO), (None, think)] {
            let play = CasualGame::new([true, false], control);
            let start = Variant::Chesquerque.start();
            let limits = play.reply_limits(&start, Color::White, think);
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
            ("Qirkatfan", None),
            ("Qirkat 0.1.0", Some(Strength::FULL)),
            ("Qirkat (level 99)", Some(Strength::FULL)),
        ] {
            assert_eq!(Strength::of_name(name), strength, "{name}");
        }
    }

    #[test]
    fn only_a_running_clock_loses_time_and_earns_the_increment() {
        let mut clocks = Clocks::new(Some(TimeControl { base: 10_000, increment: 700 }));
        clocks.moved(Color::White, 0);
        assert_eq!(clocks.left, [10_000, 10_000]);
        clocks.running_since = Instant::now().checked_sub(Duration::from_millis(4000));
        assert!(clocks.left(Color::White, Color::White).is_some_and(|left| left <= 6000));
        let remaining = |side| clocks.reading(side, Color::White).map(|clock| clock.remaining);
        assert_eq!(remaining(Color::Black), Some(Duration::from_secs(10)));
        assert!(remaining(Color::White).is_some_and(|left| left <= Duration::from_secs(6)));
        assert!(clocks.flag_at(Color::White).is_some_and(|flag| flag > Instant::now()));
        assert!(!clocks.has_flag_fallen(Color::White));
        clocks.moved(Color::White, 2);
        assert!((6000..=6700).contains(&clocks.left[0]), "{:?}", clocks.left);
        assert_eq!(clocks.flag_at(Color::Black), None);
    }

    /// Wherever moves are taken back to, the clocks show what they did there, and a move that is
    /// made again earns its increment as any other.
    #[test]
    fn clocks_come_back_as_they_were() {
        let mut clocks = Clocks::new(Some(TimeControl { base: 10_000, increment: 700 }));
        let mut shown = vec![clocks.left];
        let side = |ply: usize| if ply.is_multiple_of(2) { Color::White } else { Color::Black };
        let think = |clocks: &mut Clocks, ply: usize, milliseconds| {
            clocks.run(side(ply), true);
            clocks.running_since = Instant::now().checked_sub(Duration::from_millis(milliseconds));
        };
        for ply in 0..6 {
            think(&mut clocks, ply, 1000);
            clocks.moved(side(ply), ply);
            shown.push(clocks.left);
        }
        assert!(shown[6][0] < 9200 && shown[6][1] < 9200, "{shown:?}");
        // White's flag falls.
        think(&mut clocks, 6, 60_000);
        clocks.run(Color::White, false);
        assert_eq!(clocks.left[0], 0);
        for ply in [5, 4, 1, 0] {
            clocks.take_back_to(ply);
            assert_eq!((clocks.left, clocks.are_running()), (shown[ply], false), "{ply}");
        }
        clocks.take_back_to(4);
        think(&mut clocks, 4, 100);
        clocks.moved(Color::White, 4);
        let again = clocks.left[0];
        assert!(again > shown[4][0], "it has earned more than it took: {again}");
        clocks.take_back_to(5);
        assert_eq!(clocks.left[0], again, "as it was now, not before");
        // A game that goes on with clocks of its own begins with all its time.
        let mut new = Clocks::new(Some(TimeControl { base: 10_000, increment: 0 }));
        think(&mut new, 8, 1000);
        new.moved(Color::White, 8);
        for ply in [8, 3] {
            new.take_back_to(ply);
            assert_eq!(new.left, [10_000; 2], "{ply}");
        }
    }

    #[test]
    fn clocks_are_shown_and_written() {
        for (left, text) in [
            (0, "0:00.0"),
            (19_999, "0:19.9"),
            (20_000, "0:20"),
            (299_000, "4:59"),
            (3_600_000, "1:00:00"),
        ] {
            assert_eq!(clock_text(left), text);
        }
        assert_eq!(TimeControl { base: 300_000, increment: 3000 }.to_string(), "300+3");
        assert_eq!(TimeControl { base: 6000, increment: 100 }.to_string(), "6+0.1");
        assert_eq!(clock_command(3_723_999), "[%clk 1:02:03]");
    }

    #[test]
    fn without_clocks_nobody_runs_out_of_time() {
        let mut clocks = Clocks::new(None);
        clocks.run(Color::White, true);
        let reading = clocks.reading(Color::White, Color::White);
        assert_eq!((clocks.running_since, reading), (None, None));
        assert!(!clocks.has_flag_fallen(Color::White));
    }
}
