//! A game played in the terminal: its moves, its record, and the file that it is saved to or
//! resumed from. It does not depend on engine or screen.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use indicatif::ProgressBar;

use crate::shared::files::{AtPath, check_not_compressed};
use crate::shared::games::{check_format, open_games};
use qirkat_analysis::casual::{CasualGame, Clocks, ENDING_TAGS, GameEnding, Strength, TimeControl};
use qirkat_game::text::{counted, one_line};
use qirkat_game::{Color, GameResult, Rules};
use qirkat_rules::pgn::{PgnError, PgnGame, PgnMove, PgnReader};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition};
use qirkat_system::host::today;
use qirkat_system::output_file::open_exclusive;

#[derive(Clone, Debug)]
pub(crate) struct PlayedGame {
    pub state: AnyGame,
    pub casual: CasualGame,
    /// The game as PGN, with the mover's clock after each move.
    record: PgnGame,
}

impl PlayedGame {
    pub fn new(start: AnyPosition, people: [bool; 2], control: Option<TimeControl>) -> PlayedGame {
        let mut record = PgnGame::from_position(start);
        record.set_tag("Event", "Played in the terminal");
        record.set_tag("Date", today());
        let mut casual = CasualGame::new(people, control);
        let state = AnyGame::from_position(start);
        casual.go_on(&state);
        PlayedGame { state, casual, record }
    }

    /// Resumes a game from a file after its last move. Players and clocks are the file's unless
    /// given. Clocks start with the next move, as at the start of a game.
    pub fn resumed(
        mut record: PgnGame,
        people: Option<[bool; 2]>,
        control: Option<TimeControl>,
    ) -> PlayedGame {
        let state = record.final_game();
        let is_engine = PLAYER_TAGS
            .map(|tag| record.tag(tag).is_some_and(|name| Strength::of_name(name).is_some()));
        let people = people.unwrap_or(match is_engine {
            // A game between engines is continued by a person.
            [true, true] => [true, false],
            is_engine => is_engine.map(|is_engine| !is_engine),
        });
        let mut casual = CasualGame::new(people, control);
        if control.is_none() {
            casual.clocks = Clocks::of_record(&record);
        }
        casual.ending = state.outcome().map(GameEnding::by_rule).or_else(|| ending_in(&record));
        // The tag of a player stays if it names a person, and a person plays on.
        let stays = |tag: &str| {
            PLAYER_TAGS
                .iter()
                .position(|player| *player == tag)
                .is_none_or(|side| people[side] && !is_engine[side])
        };
        record.tags.retain(|(tag, _)| !ENDING_TAGS.contains(&tag.as_str()) && stays(tag));
        PlayedGame { state, casual, record }
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

    pub fn ending(&self) -> Option<&GameEnding> {
        self.casual.ending.as_ref()
    }

    pub fn is_engines_turn(&self) -> bool {
        self.casual.is_running() && self.casual.is_engine(self.side_to_move())
    }

    /// A side's remaining milliseconds; `None` without clocks.
    pub fn left(&self, side: Color) -> Option<u32> {
        self.casual.clocks.left(side, self.side_to_move())
    }

    pub fn play(&mut self, mv: AnyMove) {
        let comment = self.casual.moved(self.state.position(), self.state.moves().len());
        self.record.moves.push(PgnMove { comment, ..PgnMove::from(mv) });
        self.state.play(mv);
        self.casual.go_on(&self.state);
    }

    /// Takes back moves until a person is to move. Returns the number of plies; 0 if no person has
    /// moved.
    pub fn take_back(&mut self) -> usize {
        let back = self.casual.take_back(&self.state);
        for _ in 0..back {
            self.state.undo();
            self.record.moves.pop();
        }
        if back > 0 {
            self.casual.go_on(&self.state);
        }
        back
    }

    pub fn to_pgn(&self, engine: &str) -> PgnGame {
        let mut record = self.record.clone();
        for (tag, color) in PLAYER_TAGS.into_iter().zip(Color::ALL) {
            record.set_tag(tag, self.player(color, engine));
        }
        if let Some(control) = self.casual.clocks.control {
            record.set_tag("TimeControl", control.to_string());
        }
        if let Some(ending) = &self.casual.ending {
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
        match (self.casual.people, self.record.tag(PLAYER_TAGS[side])) {
            (people, _) if !people[side] => engine.to_owned(),
            (_, Some(name)) => name.to_owned(),
            ([true, true], None) => format!("{color:?} player"),
            (_, None) => "You".to_owned(),
        }
    }
}

pub(crate) const PLAYER_TAGS: [&str; 2] = ["White", "Black"];

fn ending_in(record: &PgnGame) -> Option<GameEnding> {
    let reason = || match record.result.winner() {
        Some(winner) => format!("{winner:?} won"),
        None => "drawn".to_owned(),
    };
    let given = GameEnding::reason_in(|tag| Some(one_line(record.tag(tag)?, LONGEST_REASON)));
    (record.result != GameResult::Unfinished)
        .then(|| GameEnding { result: record.result, reason: given.unwrap_or_else(reason) })
}

const LONGEST_REASON: usize = 80;

/// The default game file, in the current folder.
pub(crate) const DEFAULT_FILE: &str = "qirkat-games.pgn";

/// Bytes that show the format of a file.
const FORMAT_BYTES: u64 = 1 << 12;

/// Where and how the game being played was last written to its file.
pub(crate) struct SavedText {
    start: u64,
    text: String,
}

/// Checks that games can be added to a file, without creating it.
pub(crate) fn check_writable(path: &Path) -> anyhow::Result<()> {
    let is_new = !path.exists();
    open_to_save(path).at_path(path)?;
    if is_new { fs::remove_file(path).at_path(path) } else { Ok(()) }
}

/// Saves the current game: over its earlier version, or at the end of the file if another program
/// changed it. A game without moves is removed.
pub(crate) fn save(
    path: &Path,
    saved: &mut Option<SavedText>,
    game: &PgnGame,
) -> anyhow::Result<()> {
    try_to_write(path, saved, game).at_path(path)
}

fn try_to_write(path: &Path, saved: &mut Option<SavedText>, game: &PgnGame) -> anyhow::Result<()> {
    let mut file = open_to_save(path)?;
    if !file.metadata()?.is_file() {
        return Ok(file.write_all(game.to_string().as_bytes())?);
    }
    let length = file.metadata()?.len();
    let mut start = length;
    if let Some(saved) = saved {
        let mut there = Vec::new();
        file.seek(SeekFrom::Start(saved.start))?;
        (&file).take(saved.text.len() as u64 + 1).read_to_end(&mut there)?;
        if there == saved.text.as_bytes() {
            start = saved.start;
        }
    }
    // The previous writer may have left no blank line.
    let gap = if start > 0 { "\n" } else { "" };
    let text = if game.moves.is_empty() { String::new() } else { format!("{gap}{game}") };
    // If the program is killed, the earlier moves are still in the file.
    file.set_len(length.min(start + text.len() as u64))?;
    file.seek(SeekFrom::Start(start))?;
    file.write_all(text.as_bytes())?;
    *saved = Some(SavedText { start, text });
    Ok(())
}

fn open_to_save(path: &Path) -> anyhow::Result<File> {
    check_not_compressed(path)?;
    let options = &mut OpenOptions::new();
    let file = open_exclusive(path, options.create(true).read(true).write(true))?;
    if file.metadata()?.is_file() {
        let mut start = Vec::new();
        (&file).take(FORMAT_BYTES).read_to_end(&mut start)?;
        check_format(&start)?;
    }
    Ok(file)
}

/// Appends a game that was left unsaved to a file in the user's data folder; returns its path.
pub(crate) fn rescue(game: &PgnGame) -> anyhow::Result<PathBuf> {
    let base = dirs::data_dir().unwrap_or_else(std::env::temp_dir);
    let folder = base.join("qirkat").join("play");
    fs::create_dir_all(&folder).at_path(&folder)?;
    let path = folder.join("unsaved.pgn");
    save(&path, &mut None, game)?;
    Ok(path)
}

/// The last unfinished games of a file that are remembered.
const MAX_OPEN: usize = 100;

#[derive(Debug)]
pub(crate) struct SavedGame {
    pub record: PgnGame,
    /// The last game of the file that could not be read, if any.
    pub fault: Option<PgnError>,
}

/// The game with this number in a file, from 1; without a number, the last unfinished game that was
/// not continued later.
pub(crate) fn find_saved(path: &Path, number: Option<u64>) -> anyhow::Result<SavedGame> {
    let name = path.display();
    // A pipe or a device might never end.
    if !path.metadata().at_path(path)?.is_file() {
        bail!("{name}: not a regular file");
    }
    let mut games = 0;
    let mut fault = None;
    let mut open: Vec<PgnGame> = Vec::new();
    for read in PgnReader::new(open_games(path, &ProgressBar::hidden())?) {
        games += 1;
        let is_wanted = number == Some(games);
        match read {
            Ok(read) if is_wanted => return Ok(SavedGame { record: read.game, fault: None }),
            Ok(_) if number.is_some() => {}
            Ok(read) => {
                open.retain(|known| !is_continued_by(known, &read.game));
                let is_over = || read.game.final_game().outcome().is_some();
                if read.game.result == GameResult::Unfinished && !is_over() {
                    open.push(read.game);
                    // Each game is compared with all of these.
                    if open.len() > MAX_OPEN {
                        open.remove(0);
                    }
                }
            }
            Err(error) if is_wanted || matches!(error, PgnError::Io(_)) => {
                return Err(error).at_path(path);
            }
            Err(error) => fault = Some(error),
        }
    }
    match (open.pop(), number, fault) {
        (Some(record), _, fault) => Ok(SavedGame { record, fault }),
        (None, _, Some(fault)) if games == 1 => Err(fault).at_path(path),
        (None, ..) if games == 0 => bail!("{name} has no game"),
        (None, Some(number), _) => bail!("{name} has {}, not {number}", counted(games, "game")),
        (None, None, _) => {
            let games = counted(games, "game");
            bail!("{name}: {games}, none unfinished; --number N takes one of them")
        }
    }
}

/// Whether `later` continues this game, as in a file with several saves of a game.
fn is_continued_by(game: &PgnGame, later: &PgnGame) -> bool {
    let is_same = |tag| game.tag(tag) == later.tag(tag);
    game.start == later.start
        && PLAYER_TAGS.into_iter().chain(["Date"]).all(is_same)
        && game.moves.len() <= later.moves.len()
        && game.moves.iter().zip(&later.moves).all(|(one, other)| one.mv == other.mv)
}

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
        game.casual.resign(game.side_to_move());
        assert_eq!(game.to_pgn("Qirkat").result, GameResult::BlackWins);
        assert!(!game.is_engines_turn());
        assert_eq!(game.take_back(), 2);
        assert!(game.ending().is_none() && game.state.moves().is_empty());
        assert!(game.to_pgn("").moves.is_empty());
    }

    #[test]
    fn pgn_tells_players_clocks_and_end() {
        let control = TimeControl { base: 300_000, increment: 3000 };
        let start = Variant::Chesquerque.start();
        let mut game = PlayedGame::new(start, [false, true], Some(control));
        game.play(start.read_move("e4").expect("a move"));
        game.casual.resign(game.side_to_move());
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
        assert_eq!(game.casual.people, [false, true]);
        assert_eq!(game.sans(), ["e4", "e6", "d3"]);
        assert_eq!(game.left(Color::White), Some(297_000));
        assert_eq!(game.left(Color::Black), Some(301_500));
        assert_eq!(game.player(Color::Black, "Qirkat"), "Ann");
        // What was in the file is still there when it is saved again.
        assert_eq!(game.to_pgn("Qirkat (level 5)").to_string(), record.to_string());
        // When Black takes back a move, the clocks show again what they showed before it.
        let mut back = game.clone();
        assert_eq!(back.take_back(), 2);
        assert_eq!(Color::ALL.map(|side| back.left(side)), [297_000, 300_000].map(Some));
        let control = TimeControl { base: 60_000, increment: 0 };
        let other = PlayedGame::resumed(record, Some([true, true]), Some(control));
        assert_eq!(other.left(Color::Black), Some(60_000));
        assert_eq!(other.player(Color::White, "Qirkat"), "White player");
        for (players, people) in [
            ("[White \"Ann\"]\n[Black \"Ben\"]\n", [true, true]),
            ("[White \"Qirkat\"]\n[Black \"Qirkat\"]\n", [true, false]),
            ("", [true, true]),
        ] {
            let record = read(&format!("{players}[TimeControl \"40/7200\"]\n\n1. e4 *\n"));
            let game = PlayedGame::resumed(record, None, None);
            assert_eq!((game.casual.people, game.left(Color::White)), (people, None), "{players}");
        }
        let mut late = PlayedGame::new(Variant::Chesquerque.start(), [true; 2], Some(control));
        late.casual.end(GameEnding::flag_fell(late.position()), Color::White);
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
        let mut games = PgnReader::new(text.as_bytes());
        games.next().expect("a game").expect("a sound one").game
    }

    /// A game with these moves behind the first.
    fn game(moves: &str) -> PgnGame {
        read(&format!("1. e4 {moves} *"))
    }

    /// A game that is being played stands once in its file, however often it is written, behind the
    /// others, and behind what others add meanwhile.
    #[test]
    fn a_game_is_written_again_where_it_stands() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        check_writable(&path).expect("it can be written");
        assert!(!path.exists());
        fs::write(&path, "1. d4 *").expect("a file");
        let mut saved = None;
        let games = |expected: &[usize]| {
            let text = fs::read_to_string(&path).expect("a file");
            let found =
                PgnReader::new(text.as_bytes()).map(|read| read.expect(&text).game.moves.len());
            assert_eq!(found.collect::<Vec<_>>(), expected, "{text}");
        };
        for moves in ["", "e6", "e6 2. d4 d6", "e6"] {
            save(&path, &mut saved, &game(moves)).expect("a game");
            games(&[1, game(moves).moves.len()]);
        }
        save(&path, &mut saved, &PgnGame::default()).expect("nothing");
        games(&[1]);
        save(&path, &mut saved, &game("e6")).expect("a game");
        save(&path, &mut None, &game("d6 2. f4")).expect("another game");
        save(&path, &mut saved, &game("e6 2. d4")).expect("a game");
        games(&[1, 2, 3, 3]);
        let folder = save(folder.path(), &mut None, &PgnGame::default());
        assert!(folder.is_err(), "a folder is no file");
    }

    #[test]
    fn the_last_game_that_is_not_over_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        let game = |moves: &str| format!("[White \"You\"]\n[Black \"Qirkat\"]\n\n{moves}\n\n");
        for (games, number, found) in [
            (vec!["1. e4 *", "1. d4 1-0"], None, Ok(1)),
            (vec!["1. e4 *", "1. d4 d6 *", "1. f4 0-1"], None, Ok(2)),
            // Saved twice, and at last to the end.
            (vec!["1. e4 *", "1. d4 d6 *", "1. d4 d6 2. e4 1/2-1/2"], None, Ok(1)),
            (vec!["1. e4 *", "1. e4 e6 *", "1. e4 e6 2. d4 *"], None, Ok(3)),
            (vec!["1. e4 *", "1. d4 d6 2. e4 1-0"], Some(2), Ok(3)),
            (vec!["1. e4 *"], Some(2), Err("has 1 game, not 2")),
            (vec!["1. e4 1-0", "1. d4 0-1"], None, Err("2 games, none unfinished; --number N")),
            (vec!["1. e4 *", "1. e9 *"], None, Ok(1)),
            (vec!["1. e4 *", "1. e9 *"], Some(2), Err("game 2, line 9")),
            (vec!["1. e9 *"], None, Err("game 1, line 4")),
            (vec![], None, Err("has no game")),
        ] {
            let text: String = games.iter().map(|moves| game(moves)).collect();
            fs::write(&path, text).expect("a file");
            match (find_saved(&path, number), found) {
                (Ok(saved), Ok(plies)) => {
                    assert_eq!(saved.record.moves.len(), plies, "{games:?}");
                    assert_eq!(saved.fault.is_some(), games.contains(&"1. e9 *"), "{games:?}");
                }
                (Err(error), Err(words)) => {
                    assert!(format!("{error:#}").contains(words), "{games:?}: {error:#}");
                }
                (found, expected) => panic!("{games:?}: {found:?}, not {expected:?}"),
            }
        }
        assert!(find_saved(folder.path(), None).is_err(), "a folder is no file");
    }
}
