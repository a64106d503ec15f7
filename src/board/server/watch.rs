//! Watches a match that another program plays: its finished games in a growing PGN file, and those
//! in progress as `qirkat match -live` writes them.
//!
//! A thread follows the files and builds a [`MatchView`], which sessions send to their pages. The
//! file is given on the command line: no page can choose one.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use std::{fs, io};

use parking_lot::Mutex;

use crate::page::{
    FinishedGame, MatchView, RunningGame, TableRow, WatchedGame, WatchedMatch, placement_of,
    side_word,
};
use qirkat_analysis::casual::points_of;
use qirkat_arena::{CrossTable, Ranking, game_number, live_file, pair_number};
use qirkat_game::{Color, Rules};
use qirkat_rules::pgn::{GameResult, MoveNumber, PgnError, PgnGame, PgnReader};
use qirkat_system::compression::{Decompressor, is_compressed};

const INTERVAL: Duration = Duration::from_millis(250);
/// The interval between updates of the view while a long file is read.
const VIEW_INTERVAL: Duration = Duration::from_millis(500);
const MAX_LISTED: usize = 200;
const LONGEST_REASON: usize = 120;

#[derive(Debug)]
pub(crate) struct MatchWatch {
    path: PathBuf,
    found: Arc<Mutex<Found>>,
}

#[derive(Debug, Default)]
struct Found {
    view: Arc<MatchView>,
    running: Vec<PgnGame>,
}

impl MatchWatch {
    /// Starts to follow the match whose games are in this file, which may not exist yet.
    pub fn start(path: PathBuf) -> io::Result<MatchWatch> {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let record = MatchRecord::empty(name);
        let found = Found { view: Arc::new(record.view.clone()), ..Found::default() };
        let found = Arc::new(Mutex::new(found));
        let file = FollowedFile::new(path.clone());
        let mut follower = Follower { found: Arc::downgrade(&found), file, record };
        std::thread::Builder::new().name("watch".to_owned()).spawn(move || {
            while follower.look() {
                std::thread::sleep(INTERVAL);
            }
        })?;
        Ok(MatchWatch { path, found })
    }
}

impl WatchedMatch for MatchWatch {
    fn view(&self) -> Arc<MatchView> {
        Arc::clone(&self.found.lock().view)
    }

    fn game(&self, wanted: WatchedGame) -> Option<PgnGame> {
        let found = self.found.lock();
        match wanted {
            WatchedGame::Running(number) => {
                found.running.iter().find(|game| game_number(game) == Some(number)).cloned()
            }
            WatchedGame::Finished(ordinal) => {
                let offset = found.view.finished.iter().find(|it| it.ordinal == ordinal)?.offset;
                drop(found);
                FollowedFile::game_at(&self.path, offset)
            }
        }
    }
}

struct MatchRecord {
    table: MatchTable,
    view: MatchView,
}

impl MatchRecord {
    fn empty(file: String) -> MatchRecord {
        let view = MatchView { file, ..MatchView::default() };
        MatchRecord { table: MatchTable::default(), view }
    }

    fn add(&mut self, offset: u64, game: &PgnGame) {
        let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
        let (white, black) = (tag("White"), tag("Black"));
        self.table.add([&white, &black], game.result, pair_number(game));
        self.view.games += 1;
        let reason = game.tag("Reason").unwrap_or_default();
        let finished = FinishedGame {
            ordinal: self.view.games,
            offset,
            number: game_number(game),
            game: game.start.variant(),
            white,
            black,
            result: game.result,
            reason: reason.chars().take(LONGEST_REASON).collect(),
            moves: game.moves.len().div_ceil(2),
        };
        self.view.finished.insert(0, finished);
        self.view.finished.truncate(MAX_LISTED);
    }
}

struct Follower {
    found: Weak<Mutex<Found>>,
    file: FollowedFile,
    record: MatchRecord,
}

impl Follower {
    /// Checks for news; returns false when nobody watches any more.
    fn look(&mut self) -> bool {
        if self.found.strong_count() == 0 {
            return false;
        }
        // Running games first: one that ends meanwhile is seen twice, not missed.
        let mut running = running_games(&self.file.path);
        let trouble = match self.read_on() {
            Ok(()) => None,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Some("there is no such file yet".to_owned())
            }
            Err(error) => Some(error.to_string()),
        };
        let view = &mut self.record.view;
        view.trouble = trouble;
        let is_over = |number| view.finished.iter().any(|game| game.number == Some(number));
        let goes_on = |game: &PgnGame| game_number(game).is_some_and(|number| !is_over(number));
        running.iter_mut().for_each(|games| games.retain(goes_on));
        view.running = running.as_ref().map(|it| it.iter().filter_map(running_game).collect());
        self.show(Some(running.unwrap_or_default()))
    }

    /// Reads what is new, and updates the view while a long file is read.
    fn read_on(&mut self) -> io::Result<()> {
        if self.file.was_truncated()? {
            self.record = MatchRecord::empty(std::mem::take(&mut self.record.view.file));
        }
        loop {
            let (mut end, mut is_late) = (None, false);
            let record = &mut self.record;
            self.file.read_on(|offset, game| {
                record.add(offset, &game);
                // The time runs from the first new game: to get there, a compressed file is
                // unpacked from its start each time, which may take long.
                let end = *end.get_or_insert_with(|| Instant::now() + VIEW_INTERVAL);
                is_late = Instant::now() >= end;
                !is_late
            })?;
            if !is_late || !self.show(None) {
                return Ok(());
            }
        }
    }

    /// Updates the view if anything has changed; returns false when nobody watches.
    fn show(&mut self, running: Option<Vec<PgnGame>>) -> bool {
        let Some(found) = self.found.upgrade() else { return false };
        self.record.view.table = self.record.table.rows();
        self.record.view.faults = self.file.faults;
        let mut found = found.lock();
        if *found.view != self.record.view {
            found.view = Arc::new(self.record.view.clone());
        }
        if let Some(running) = running {
            found.running = running;
        }
        true
    }
}

/// An older file is left over from a match that was killed.
const FRESH: Duration = Duration::from_secs(10);
const MAX_BYTES: u64 = 8 << 20;
const MAX_GAMES: usize = 64;
/// Plies sent of each game, besides the position.
const LAST_PLIES: usize = 12;
const LONGEST_THOUGHT: usize = 40;

/// The games in progress beside a file of finished ones; none if they are not written.
fn running_games(games: &Path) -> Option<Vec<PgnGame>> {
    let path = live_file(games);
    let facts = fs::metadata(&path).ok()?;
    // A time in the future means that the clock was set.
    let age = facts.modified().ok()?.elapsed().unwrap_or_default();
    if !facts.is_file() || age > FRESH || facts.len() > MAX_BYTES {
        return None;
    }
    let text = fs::read(&path).ok()?;
    let read = PgnReader::new(text.as_slice()).flatten().take(MAX_GAMES);
    Some(read.map(|read| read.game).collect())
}

fn running_game(pgn: &PgnGame) -> Option<RunningGame> {
    let game = pgn.final_game();
    let position = game.position();
    let name = |tag: &str| pgn.tag(tag).unwrap_or("?").to_owned();
    let left = |tag: &str| {
        let seconds: f64 = pgn.tag(tag)?.parse().ok()?;
        Some((1000.0 * seconds) as u64)
    };
    Some(RunningGame {
        number: game_number(pgn)?,
        game: position.variant(),
        names: [name("White"), name("Black")],
        left: [left("WhiteClock"), left("BlackClock")],
        thoughts: Color::ALL.map(|side| last_thought(pgn, side)),
        pieces: placement_of(position),
        turn: side_word(position.side_to_move()),
        last: game.moves().last().map_or_else(Vec::new, |&mv| points_of(mv).0),
        check: position.king_of_side_to_move().filter(|_| position.in_check()),
        moves: last_moves(pgn),
        plies: pgn.moves.len(),
    })
}

/// A side's thought on its last move: the arbiter's comment up to its first comma.
fn last_thought(pgn: &PgnGame, side: Color) -> Option<String> {
    let first = usize::from(pgn.start.side_to_move() != side);
    let last = pgn.moves.iter().skip(first).step_by(2).next_back()?;
    let thought = last.comment.as_deref()?.split(',').next().unwrap_or_default();
    Some(thought.chars().take(LONGEST_THOUGHT).collect())
}

fn last_moves(pgn: &PgnGame) -> String {
    let mut position = pgn.start;
    let mut words = Vec::new();
    let first = pgn.moves.len().saturating_sub(LAST_PLIES);
    for (ply, played) in pgn.moves.iter().enumerate() {
        if ply >= first {
            if ply == first || position.side_to_move() == Color::White {
                words.push(MoveNumber::of(&position).to_string().replace("...", "…"));
            }
            words.push(position.san(played.mv));
        }
        position = position.after(played.mv);
    }
    words.join(" ")
}

const BUFFER: usize = 1 << 16;
/// The most bytes after the last complete game, which are read again each time the file grows. More
/// cannot be one game, and are passed over.
const LONGEST_GAME: u64 = 16 << 20;

#[derive(Debug)]
struct FollowedFile {
    path: PathBuf,
    /// Where the last complete game ends, in the unpacked text.
    end: u64,
    /// The file's length when it was last read.
    seen: u64,
    /// Faulty or incomplete games that are followed by a complete one, or were passed over after
    /// [`LONGEST_GAME`] bytes.
    faults: u64,
}

impl FollowedFile {
    pub fn new(path: PathBuf) -> FollowedFile {
        FollowedFile { path, end: 0, seen: 0, faults: 0 }
    }

    /// Whether it has become shorter: then it is a new file and is read from the start.
    pub fn was_truncated(&mut self) -> io::Result<bool> {
        let length = self.path.metadata()?.len();
        let anew = length < self.seen;
        if anew {
            *self = FollowedFile::new(std::mem::take(&mut self.path));
        }
        Ok(anew)
    }

    /// Passes each new complete game and its offset to `on_game`, until that returns false.
    pub fn read_on(&mut self, mut on_game: impl FnMut(u64, PgnGame) -> bool) -> io::Result<()> {
        let file = File::open(&self.path)?;
        let length = file.metadata()?.len();
        if length == self.seen {
            return Ok(());
        }
        let start = self.end;
        // Counts the bytes read, which are more than the file's if it is compressed.
        let mut content = content_from(file, start)?.take(u64::MAX);
        let mut games = PgnReader::new(&mut content);
        let mut faults = 0;
        while let Some(read) = games.next() {
            match read {
                // Without a result it is still being written, or was cut off.
                Ok(read) if read.written_result.is_some() => {
                    let begin = std::mem::replace(&mut self.end, start + games.offset());
                    self.faults += std::mem::take(&mut faults);
                    if !on_game(begin, read.game) {
                        return Ok(());
                    }
                }
                Ok(_) | Err(PgnError::Game { .. }) => faults += 1,
                Err(PgnError::Io(error)) => return Err(error),
            }
        }
        self.seen = length;
        let read_end = start + (u64::MAX - content.limit());
        if read_end.saturating_sub(self.end) > LONGEST_GAME {
            self.end = read_end;
            self.faults += faults;
        }
        Ok(())
    }

    pub fn game_at(path: &Path, offset: u64) -> Option<PgnGame> {
        let games = PgnReader::new(content_from(File::open(path).ok()?, offset).ok()?);
        let whole = games.flatten().find(|read| read.written_result.is_some());
        whole.map(|read| read.game)
    }
}

/// The content of a file from this byte on, unpacked if it is compressed.
fn content_from(mut file: File, start: u64) -> io::Result<BufReader<Decompressor<File>>> {
    let is_compressed = is_compressed(&file)?;
    file.seek(SeekFrom::Start(if is_compressed { 0 } else { start }))?;
    let mut content = BufReader::with_capacity(BUFFER, Decompressor::new(file));
    if is_compressed {
        io::copy(&mut content.by_ref().take(start), &mut io::sink())?;
    }
    Ok(content)
}

/// The most players in a table; games of any others are only counted.
const MAX_PLAYERS: usize = 64;

#[derive(Debug, Default)]
struct MatchTable {
    names: Vec<String>,
    cross_table: CrossTable,
}

impl MatchTable {
    /// Counts a game by the names of White and Black. Without a result it counts for nobody.
    pub fn add(&mut self, [white, black]: [&str; 2], result: GameResult, pair: Option<usize>) {
        if let (Some(white), Some(black)) = (self.player(white), self.player(black)) {
            self.cross_table.add([white, black], result, pair);
        }
    }

    fn player(&mut self, name: &str) -> Option<usize> {
        let known = self.names.iter().position(|known| known == name);
        if known.is_none() && self.names.len() < MAX_PLAYERS {
            self.names.push(name.to_owned());
            return Some(self.names.len() - 1);
        }
        known
    }

    pub fn rows(&self) -> Vec<TableRow> {
        let ranking = self.cross_table.ranking(self.names.len());
        ranking.order.iter().map(|&player| self.row(player, &ranking)).collect()
    }

    fn row(&self, player: usize, ranking: &Ranking) -> TableRow {
        let total = self.cross_table.score(player);
        let elo = match self.names.len() {
            2 => {
                let total = self.cross_table.between(player, 1 - player);
                total.estimate(self.cross_table.are_paired()).map(|estimate| estimate.elo)
            }
            _ => ranking.ratings.get(player),
        };
        let cell = |&other: &usize| {
            let score = self.cross_table.between(player, other).games;
            (other != player).then(|| (score.points(), score.games()))
        };
        TableRow {
            name: self.names[player].clone(),
            wins: total.wins,
            draws: total.draws,
            losses: total.losses,
            points: total.points(),
            // JSON has no infinity, which is the Elo when all games are won.
            elo: elo
                .map(|elo| [elo.value, elo.error])
                .filter(|elo| elo.iter().all(|value| value.is_finite())),
            against: ranking.order.iter().map(cell).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    use crate::page::tests::REPLY_TIMEOUT;
    use qirkat_arena::{GameOutcome, Outcomes, Termination};
    use qirkat_system::compression::write_compressed;

    fn wait_until(watch: &MatchWatch, holds: impl Fn(&MatchView) -> bool) -> Arc<MatchView> {
        let end = Instant::now() + REPLY_TIMEOUT;
        loop {
            let view = watch.view();
            if holds(&view) {
                return view;
            }
            assert!(Instant::now() < end, "{view:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_match_is_watched_from_its_first_move_to_its_last() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("games.pgn");
        let live = folder.path().join("games.pgn.live");
        let game = |number: usize, moves: &str| {
            format!("[White \"A\"]\n[Black \"B\"]\n[GameNumber \"{number}\"]\n\n{moves}\n\n")
        };
        let watch = MatchWatch::start(path.clone()).expect("a thread");
        let view = wait_until(&watch, |view| view.trouble.is_some());
        assert_eq!((view.file.as_str(), view.running.is_none()), ("games.pgn", true));
        let text = [game(1, "1. e4 e6 *"), game(2, "1. d4 *")].concat();
        fs::write(&live, text).expect("room on the disk");
        // However slow the machine is, the match is not taken for one that was killed.
        let shown = File::options().write(true).open(&live).expect("the file");
        let later = SystemTime::now() + Duration::from_secs(3600);
        shown.set_modified(later).expect("a file system with times");
        wait_until(&watch, |view| view.running.as_ref().is_some_and(|games| games.len() == 2));
        let first = watch.game(WatchedGame::Running(1)).expect("it is played");
        assert_eq!(first.moves.len(), 2);
        // It ends: the one file is not written anew at once.
        fs::write(&path, game(1, "1. e4 e6 2. d3 1-0")).expect("room on the disk");
        let view = wait_until(&watch, |view| view.games == 1);
        let running = view.running.as_ref().expect("games");
        assert_eq!(running.iter().map(|game| game.number).collect::<Vec<_>>(), [2]);
        assert_eq!((view.table.len(), view.finished[0].moves), (2, 2));
        assert_eq!(view.trouble, None);
        let finished = watch.game(WatchedGame::Finished(1)).expect("it is listed");
        assert_eq!(finished.moves.len(), 3);
        assert_eq!(watch.game(WatchedGame::Finished(2)), None);
        assert_eq!(watch.game(WatchedGame::Running(1)), None);
        // The same in a compressed file.
        let packed = folder.path().join("games.pgn.gz");
        let text = [game(1, "1. e4 e6 2. d3 1-0"), game(2, "1. d4 0-1")].concat();
        let file = File::create(&packed).expect("room on the disk");
        write_compressed(&packed, file, |out| out.write_all(text.as_bytes())).expect("room");
        let watch = MatchWatch::start(packed).expect("a thread");
        assert_eq!(wait_until(&watch, |view| view.games == 2).trouble, None);
        let lengths = [1, 2].map(|ordinal| watch.game(WatchedGame::Finished(ordinal)));
        assert_eq!(lengths.map(|game| game.map_or(0, |game| game.moves.len())), [3, 1]);
    }

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
        let moves = running_game(&game(&text)).expect("it has a number").moves;
        assert!(moves.starts_with("3… ") && moves.ends_with("9. Rb1"), "{moves}");
        assert_eq!(moves.split(' ').filter(|word| !word.contains(['.', '…'])).count(), LAST_PLIES);
    }

    const FIRST: &str = "[White \"Ann\"]\n\n1. e4 e6 1-0\n\n";
    const SECOND: &str = "[White \"Ben\"]\n\n1. d4 *\n\n";

    fn read(file: &mut FollowedFile) -> Vec<(u64, String)> {
        let mut games = Vec::new();
        let add = |offset, game: PgnGame| {
            games.push((offset, game.tag("White").unwrap_or("?").to_owned()));
            true
        };
        file.read_on(add).expect("a file");
        games
    }

    #[test]
    fn games_are_told_once_and_only_when_they_are_whole() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("games.pgn");
        let mut file = FollowedFile::new(path.clone());
        assert!(file.read_on(|_, _| true).is_err());
        let whole = [FIRST, SECOND].concat();
        let mut told = Vec::new();
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).expect("room on the disk");
            assert!(!file.was_truncated().expect("a file"));
            told.append(&mut read(&mut file));
            assert_eq!(told.is_empty(), length + 2 < FIRST.len(), "{length}");
        }
        let second = told.get(1).expect("two games").0;
        assert_eq!(told, [(0, "Ann".to_owned()), (second, "Ben".to_owned())]);
        assert_eq!(file.faults, 0);
        let again = FollowedFile::game_at(&path, second).expect("the second");
        assert_eq!(again.tag("White"), Some("Ben"));
        // Another match, in a file of the same name.
        fs::write(&path, SECOND).expect("room on the disk");
        assert!(file.was_truncated().expect("a file"));
        assert_eq!(read(&mut file), [(0, "Ben".to_owned())]);
    }

    #[test]
    fn what_is_no_game_is_counted_and_passed_over() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("games.pgn");
        fs::write(&path, format!("[White \"Cut\"]\n\n1. e5 *\n\n{FIRST}{{open")).expect("room");
        let mut file = FollowedFile::new(path);
        assert_eq!(read(&mut file).len(), 1);
        assert_eq!(file.faults, 1);
        assert!(read(&mut file).is_empty());
    }

    #[test]
    fn each_game_is_counted_for_both_its_players() {
        use GameResult::*;
        let mut table = MatchTable::default();
        for (white, black, result) in [
            ("A", "B", BlackWins),
            ("B", "A", Draw),
            ("C", "B", WhiteWins),
            ("A", "C", Unfinished),
            ("C", "C", WhiteWins),
        ] {
            table.add([white, black], result, None);
        }
        let rows = table.rows();
        let lines: Vec<_> =
            rows.iter().map(|row| (row.name.as_str(), row.points, row.losses)).collect();
        assert_eq!(lines, [("C", 1.0, 0), ("B", 1.5, 1), ("A", 0.5, 1)]);
        assert_eq!(rows[1].against, [Some((0.0, 1)), None, Some((1.5, 2))]);
        assert_eq!(rows[0].elo, None, "nothing but wins");
    }

    /// The table has the same ranking and Elo as the report of the match, in any order of games.
    #[test]
    fn the_table_agrees_with_the_report() {
        use GameResult::*;
        let names = ["A", "B", "C"];
        let three =
            [(0, [0, 1], Draw), (0, [1, 0], BlackWins), (1, [2, 0], Draw), (1, [2, 1], WhiteWins)];
        let two = [
            (0, [0, 1], WhiteWins),
            (1, [1, 0], WhiteWins),
            (1, [0, 1], Draw),
            (0, [1, 0], Draw),
            (2, [0, 1], BlackWins),
        ];
        for (players, games) in [(3, &three[..]), (2, &two[..])] {
            let (mut table, mut outcomes) = (MatchTable::default(), Outcomes::default());
            for (number, &(pair, [white, black], result)) in games.iter().enumerate() {
                table.add([names[white], names[black]], result, Some(pair));
                let termination = Termination::Normal;
                outcomes.add(GameOutcome { number, pair, white, black, result, termination });
            }
            let ranking = outcomes.cross_table().ranking(players);
            for (row, player) in table.rows().into_iter().zip(ranking.order) {
                assert_eq!(row.name, names[player]);
                let elo = match players {
                    2 => {
                        let total = outcomes.head_to_head(player, Some(1 - player));
                        Some(total.estimate(true).expect("pairs").elo)
                    }
                    _ => ranking.ratings.get(player),
                };
                assert_eq!(row.elo, elo.map(|elo| [elo.value, elo.error]), "{}", row.name);
            }
        }
    }

    #[test]
    fn a_crowd_does_not_fill_the_memory() {
        let mut table = MatchTable::default();
        for number in 0..1000 {
            table.add([&number.to_string(), "A"], GameResult::Draw, None);
        }
        assert_eq!(table.rows().len(), MAX_PLAYERS);
    }
}
