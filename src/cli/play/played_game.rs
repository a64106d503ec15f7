//! A game being played: moves, clocks, and how it ends. It knows no engine and no screen.

use super::strength::Strength;
use qirkat_analysis::casual::{Clocks, Ending, TimeRule, clock_command};
use qirkat_engine::time_text::{Unit, read_time};
use qirkat_game::text::one_line;
use qirkat_game::{Color, GameResult, Rules};
use qirkat_notation::pgn::{PgnGame, PgnMove, parted, said_by};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition};
use qirkat_search::Clock;
use qirkat_system::host::today;

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
    /// The game on paper, with the clock of the mover behind each move.
    record: PgnGame,
}

impl PlayedGame {
    /// A game from a position, which may be over at once.
    pub fn new(start: AnyPosition, people: [bool; 2], rule: Option<TimeRule>) -> PlayedGame {
        let game = AnyGame::from_position(start);
        let mut record = PgnGame::from_position(start);
        record.set_tag("Event", "Played in the terminal");
        record.set_tag("Date", today());
        PlayedGame {
            ending: game.outcome().map(Ending::by_rule),
            game,
            people,
            clocks: Clocks::new(rule),
            sans: Vec::new(),
            record,
        }
    }

    /// A game from a file, as it stands behind its last move. Who plays, and the clocks,
    /// are as in the file where nobody says otherwise. Clocks stand still until the next
    /// move, as at the start of a game.
    pub fn going_on(
        mut record: PgnGame,
        people: Option<[bool; 2]>,
        rule: Option<TimeRule>,
    ) -> PlayedGame {
        let game = record.final_game();
        let ending = game.outcome().map(Ending::by_rule).or_else(|| ending_in(&record));
        let is_engine =
            SIDES.map(|tag| record.tag(tag).is_some_and(|name| Strength::of_name(name).is_some()));
        let people = people.unwrap_or(match is_engine {
            // A game of engines is gone on with by a person.
            [true, true] => [true, false],
            is_engine => is_engine.map(|is_engine| !is_engine),
        });
        let clocks = rule.map_or_else(|| clocks_in(&record), |rule| Clocks::new(Some(rule)));
        let is_persons = |tag: &str| {
            SIDES
                .iter()
                .position(|side| *side == tag)
                .is_none_or(|side| people[side] && !is_engine[side])
        };
        record.tags.retain(|(tag, _)| tag != "Termination" && is_persons(tag));
        let moves: Vec<AnyMove> = record.moves.iter().map(|played| played.mv).collect();
        PlayedGame { sans: record.start.san_line(&moves), game, people, clocks, ending, record }
    }

    /// The moves and positions.
    pub fn state(&self) -> &AnyGame {
        &self.game
    }

    /// Where it stands.
    pub fn position(&self) -> &AnyPosition {
        self.game.position()
    }

    /// Whether the only person has Black.
    pub fn is_seen_by_black(&self) -> bool {
        self.people == [false, true]
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
        let left = self.clocks.left(mover, !mover);
        self.record.moves.push(PgnMove { comment: left.map(clock_command), ..PgnMove::from(mv) });
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
            self.record.moves.pop();
        }
        self.ending = None;
        self.clocks.running_since = None;
        self.clocks.run(self.side_to_move(), !self.sans.is_empty());
        back
    }

    /// The game on paper; the engine has this name.
    pub fn to_pgn(&self, engine: &str) -> PgnGame {
        let mut record = self.record.clone();
        for (tag, color) in SIDES.into_iter().zip(Color::ALL) {
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
        record
    }

    /// Who plays a side, where the engine has this name.
    pub fn player(&self, color: Color, engine: &str) -> String {
        let side = color.index();
        match (self.people, self.record.tag(SIDES[side])) {
            (people, _) if !people[side] => engine.to_owned(),
            (_, Some(name)) => name.to_owned(),
            ([true, true], None) => format!("{color:?} player"),
            (_, None) => "You".to_owned(),
        }
    }
}

/// The tags with the names of the players.
const SIDES: [&str; 2] = ["White", "Black"];

/// How a game ended by its record.
fn ending_in(record: &PgnGame) -> Option<Ending> {
    let reason = || match record.result.winner() {
        Some(winner) => format!("{winner:?} won"),
        None => "drawn".to_owned(),
    };
    let termination = record.tag("Termination").map(|reason| one_line(reason, LONGEST_REASON));
    (record.result != GameResult::Unfinished)
        .then(|| Ending { result: record.result, reason: termination.unwrap_or_else(reason) })
}

/// The clocks of a record behind its last move; none where it tells of no such clocks as
/// there are here.
fn clocks_in(record: &PgnGame) -> Clocks {
    let mut clocks = Clocks::new(record.tag("TimeControl").and_then(time_control));
    let first = record.start.side_to_move();
    for (ply, played) in record.moves.iter().enumerate() {
        let side = if ply % 2 == 0 { first } else { !first };
        if let Some(left) = played.comment.as_deref().and_then(clock_in) {
            clocks.left[side.index()] = left;
        }
    }
    clocks
}

/// As in `300+3`, the seconds of PGN.
fn time_control(text: &str) -> Option<TimeRule> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let milliseconds = |text: &str| {
        let time = read_time(text, Unit::Seconds).ok().filter(|_| !text.contains(':'))?;
        u32::try_from(time.as_millis()).ok()
    };
    let rule = TimeRule { base: milliseconds(base)?, increment: milliseconds(increment)? };
    (rule == rule.bounded()).then_some(rule)
}

/// The milliseconds of `[%clk 0:04:57]` in a comment.
fn clock_in(comment: &str) -> Option<u32> {
    let (commands, _) = parted(comment);
    let clock = commands.into_iter().find_map(|command| said_by(command, "clk"))?;
    let (hours, rest) = clock.split_once(':')?;
    let hours: u32 = hours.parse().ok().filter(|&hours| hours <= MOST_HOURS)?;
    let time = read_time(rest, Unit::Minutes).ok()?;
    u32::try_from(time.as_millis()).ok()?.checked_add(hours * 3_600_000)
}

/// More hours are on no clock.
const MOST_HOURS: u32 = 999;
/// Characters of a reason that are shown at most.
const LONGEST_REASON: usize = 80;

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::variant::Variant;

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
    fn a_game_from_a_file_goes_on_as_it_stood() {
        let text = "[Event \"Evening\"]\n[Date \"2026.01.02\"]\n[White \"Qirkat (level 5)\"]\n\
                    [Black \"Ann\"]\n[TimeControl \"300+3\"]\n\n\
                    1. e4 {good [%clk 0:04:57]} e6 {[%clk 0:05:01.5]} 2. d3 *\n";
        let record = read(text);
        let game = PlayedGame::going_on(record.clone(), None, None);
        assert_eq!(game.people(), [false, true]);
        assert_eq!(game.sans(), ["e4", "e6", "d3"]);
        assert_eq!(game.left(Color::White), Some(297_000));
        assert_eq!(game.left(Color::Black), Some(301_500));
        assert_eq!(game.player(Color::Black, "Qirkat"), "Ann");
        // What was in the file is still there when it is saved again.
        assert_eq!(game.to_pgn("Qirkat (level 5)").to_string(), record.to_string());
        let rule = TimeRule { base: 60_000, increment: 0 };
        let other = PlayedGame::going_on(record, Some([true, true]), Some(rule));
        assert_eq!(other.left(Color::Black), Some(60_000));
        assert_eq!(other.player(Color::White, "Qirkat"), "White player");
        for (players, people) in [
            ("[White \"Ann\"]\n[Black \"Ben\"]\n", [true, true]),
            ("[White \"Qirkat\"]\n[Black \"Qirkat\"]\n", [true, false]),
            ("", [true, true]),
        ] {
            let record = read(&format!("{players}[TimeControl \"40/7200\"]\n\n1. e4 *\n"));
            let game = PlayedGame::going_on(record, None, None);
            assert_eq!((game.people(), game.left(Color::White)), (people, None), "{players}");
        }
        // One that is over can be gone on with by taking back.
        let over = "[White \"You\"]\n[Black \"Qirkat\"]\n[Termination \"White resigns\"]\n\n1. e4 e6 0-1\n";
        let mut over = PlayedGame::going_on(read(over), None, None);
        assert_eq!(over.ending().map(|ending| ending.reason.as_str()), Some("White resigns"));
        assert_eq!(over.take_back(), 2);
        assert_eq!(over.to_pgn("Qirkat").tag("Termination"), None);
    }

    fn read(text: &str) -> PgnGame {
        let mut games = qirkat_notation::pgn::PgnReader::new(text.as_bytes());
        games.next().expect("a game").expect("a sound one").game
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
