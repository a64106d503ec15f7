//! A game played in the terminal: its moves and its record. It knows no engine and no screen.

use qirkat_analysis::casual::{CasualGame, Clocks, ENDING_TAGS, Ending, Strength, TimeRule};
use qirkat_game::text::one_line;
use qirkat_game::{Color, GameResult, Rules};
use qirkat_rules::pgn::{PgnGame, PgnMove};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition};
use qirkat_system::host::today;

#[derive(Clone, Debug)]
pub(crate) struct PlayedGame {
    pub state: AnyGame,
    pub play: CasualGame,
    /// The game as PGN, with the mover's clock after each move.
    record: PgnGame,
}

impl PlayedGame {
    pub fn new(start: AnyPosition, people: [bool; 2], rule: Option<TimeRule>) -> PlayedGame {
        let mut record = PgnGame::from_position(start);
        record.set_tag("Event", "Played in the terminal");
        record.set_tag("Date", today());
        let mut play = CasualGame::new(people, rule);
        let state = AnyGame::from_position(start);
        play.go_on(&state);
        PlayedGame { state, play, record }
    }

    /// Resumes a game from a file after its last move. Players and clocks are the file's unless
    /// given. Clocks stand still until the next move, as at the start of a game.
    pub fn resumed(
        mut record: PgnGame,
        people: Option<[bool; 2]>,
        rule: Option<TimeRule>,
    ) -> PlayedGame {
        let state = record.final_game();
        let is_engine =
            SIDES.map(|tag| record.tag(tag).is_some_and(|name| Strength::of_name(name).is_some()));
        let people = people.unwrap_or(match is_engine {
            // A game between engines is continued by a person.
            [true, true] => [true, false],
            is_engine => is_engine.map(|is_engine| !is_engine),
        });
        let mut play = CasualGame::new(people, rule);
        if rule.is_none() {
            play.clocks = Clocks::of_record(&record);
        }
        play.ending = state.outcome().map(Ending::by_rule).or_else(|| ending_in(&record));
        let is_persons = |tag: &str| {
            SIDES
                .iter()
                .position(|side| *side == tag)
                .is_none_or(|side| people[side] && !is_engine[side])
        };
        record.tags.retain(|(tag, _)| !ENDING_TAGS.contains(&tag.as_str()) && is_persons(tag));
        PlayedGame { state, play, record }
    }

    pub fn position(&self) -> &AnyPosition {
        self.state.position()
    }

    pub fn side_to_move(&self) -> Color {
        self.position().side_to_move()
    }

    pub fn sans(&self) -> Vec<String> {
        self.state.start().san_line(self.state.moves())
    }

    pub fn ending(&self) -> Option<&Ending> {
        self.play.ending.as_ref()
    }

    pub fn is_engines_turn(&self) -> bool {
        self.play.is_running() && self.play.is_engine(self.side_to_move())
    }

    /// A side's remaining milliseconds; `None` without clocks.
    pub fn left(&self, side: Color) -> Option<u32> {
        self.play.clocks.left(side, self.side_to_move())
    }

    pub fn play(&mut self, mv: AnyMove) {
        let comment = self.play.moved(self.state.position(), self.state.moves().len());
        self.record.moves.push(PgnMove { comment, ..PgnMove::from(mv) });
        self.state.play(mv);
        self.play.go_on(&self.state);
    }

    /// Takes back moves until a person is to move. Returns the number of plies; 0 if no person has
    /// moved.
    pub fn take_back(&mut self) -> usize {
        let back = self.play.take_back(&self.state);
        for _ in 0..back {
            self.state.undo();
            self.record.moves.pop();
        }
        if back > 0 {
            self.play.go_on(&self.state);
        }
        back
    }

    pub fn to_pgn(&self, engine: &str) -> PgnGame {
        let mut record = self.record.clone();
        for (tag, color) in SIDES.into_iter().zip(Color::ALL) {
            record.set_tag(tag, self.player(color, engine));
        }
        if let Some(rule) = self.play.clocks.rule {
            record.set_tag("TimeControl", rule.to_string());
        }
        if let Some(ending) = &self.play.ending {
            record.result = ending.result;
            ending.note(&mut record);
        } else {
            record.result = GameResult::Unfinished;
        }
        record
    }

    /// The name of a side's player; `engine` is the engine's.
    pub fn player(&self, color: Color, engine: &str) -> String {
        let side = color.index();
        match (self.play.people, self.record.tag(SIDES[side])) {
            (people, _) if !people[side] => engine.to_owned(),
            (_, Some(name)) => name.to_owned(),
            ([true, true], None) => format!("{color:?} player"),
            (_, None) => "You".to_owned(),
        }
    }
}

const SIDES: [&str; 2] = ["White", "Black"];

fn ending_in(record: &PgnGame) -> Option<Ending> {
    let reason = || match record.result.winner() {
        Some(winner) => format!("{winner:?} won"),
        None => "drawn".to_owned(),
    };
    let told = Ending::reason_in(|tag| Some(one_line(record.tag(tag)?, LONGEST_REASON)));
    (record.result != GameResult::Unfinished)
        .then(|| Ending { result: record.result, reason: told.unwrap_or_else(reason) })
}

const LONGEST_REASON: usize = 80;

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::variant::Variant;

    #[test]
    fn a_game_that_was_given_up_can_be_gone_on_with() {
        let start = Variant::Chesquerque.start();
        let mut game = PlayedGame::new(start, [true, false], None);
        for text in ["e4", "e6"] {
            game.play(game.position().read_move(text).expect(text));
        }
        game.play.resign(game.side_to_move());
        assert_eq!(game.to_pgn("Qirkat").result, GameResult::BlackWins);
        assert!(!game.is_engines_turn());
        assert_eq!(game.take_back(), 2);
        assert!(
            game.ending().is_none()
                && game.state.moves().is_empty()
                && game.to_pgn("").moves.is_empty()
        );
    }

    #[test]
    fn pgn_tells_players_clocks_and_end() {
        let rule = TimeRule { base: 300_000, increment: 3000 };
        let start = Variant::Chesquerque.start();
        let mut game = PlayedGame::new(start, [false, true], Some(rule));
        game.play(start.read_move("e4").expect("a move"));
        game.play.resign(game.side_to_move());
        let text = game.to_pgn("Qirkat (level 3)").to_string();
        for words in [
            "[White \"Qirkat (level 3)\"]",
            "[Black \"You\"]",
            "[TimeControl \"300+3\"]",
            "[Termination \"normal\"]\n[Reason \"Black resigns\"]",
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
        let game = PlayedGame::resumed(record.clone(), None, None);
        assert_eq!(game.play.people, [false, true]);
        assert_eq!(game.sans(), ["e4", "e6", "d3"]);
        assert_eq!(game.left(Color::White), Some(297_000));
        assert_eq!(game.left(Color::Black), Some(301_500));
        assert_eq!(game.player(Color::Black, "Qirkat"), "Ann");
        // What was in the file is still there when it is saved again.
        assert_eq!(game.to_pgn("Qirkat (level 5)").to_string(), record.to_string());
        // Nor is what the clocks showed before: Black takes back a move.
        let mut back = game.clone();
        assert_eq!(back.take_back(), 2);
        assert_eq!(Color::ALL.map(|side| back.left(side)), [297_000, 300_000].map(Some));
        let rule = TimeRule { base: 60_000, increment: 0 };
        let other = PlayedGame::resumed(record, Some([true, true]), Some(rule));
        assert_eq!(other.left(Color::Black), Some(60_000));
        assert_eq!(other.player(Color::White, "Qirkat"), "White player");
        for (players, people) in [
            ("[White \"Ann\"]\n[Black \"Ben\"]\n", [true, true]),
            ("[White \"Qirkat\"]\n[Black \"Qirkat\"]\n", [true, false]),
            ("", [true, true]),
        ] {
            let record = read(&format!("{players}[TimeControl \"40/7200\"]\n\n1. e4 *\n"));
            let game = PlayedGame::resumed(record, None, None);
            assert_eq!((game.play.people, game.left(Color::White)), (people, None), "{players}");
        }
        let mut late = PlayedGame::new(Variant::Chesquerque.start(), [true; 2], Some(rule));
        late.play.end(Ending::flag_fell(Color::White), Color::White);
        let late = late.to_pgn("Qirkat");
        assert_eq!(late.tag("Termination"), Some("time forfeit"));
        let reason = PlayedGame::resumed(late, None, None).ending().map(|it| it.reason.clone());
        assert_eq!(reason.as_deref(), Some("White has no time left"));
        // One that is over can be gone on with by taking back.
        let over = "[White \"You\"]\n[Black \"Qirkat\"]\n[Termination \"White resigns\"]\n\n1. e4 e6 0-1\n";
        let mut over = PlayedGame::resumed(read(over), None, None);
        assert_eq!(over.ending().map(|ending| ending.reason.as_str()), Some("White resigns"));
        assert_eq!(over.take_back(), 2);
        assert_eq!(over.to_pgn("Qirkat").tag("Termination"), None);
    }

    fn read(text: &str) -> PgnGame {
        let mut games = qirkat_rules::pgn::PgnReader::new(text.as_bytes());
        games.next().expect("a game").expect("a sound one").game
    }
}
