//! The thread that follows a match, and what it has found.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::cross_table::CrossTable;
use super::followed_file::FollowedFile;
use super::running_games::{running_game, running_games};
use crate::page::{FinishedGame, MatchView, WatchedGame, WatchedMatch};
use qirkat_arena::{number_of, pair_of};
use qirkat_rules::pgn::PgnGame;

/// How often the files are looked at.
const INTERVAL: Duration = Duration::from_millis(250);
/// How often a view is made while a long file is read.
const VIEW_INTERVAL: Duration = Duration::from_millis(500);
/// Finished games that are listed and can be opened.
const MOST_LISTED: usize = 200;
const LONGEST_REASON: usize = 120;

#[derive(Debug)]
pub(crate) struct MatchWatch(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    /// Made anew when anything changes.
    view: Arc<MatchView>,
    running: Vec<PgnGame>,
    /// Where in the file the listed games begin, by their places.
    begins: VecDeque<(u64, u64)>,
}

impl MatchWatch {
    /// Begins to follow the match whose games stand in this file, or will.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(path: PathBuf) -> io::Result<MatchWatch> {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let shared = Arc::new(Shared { path: path.clone(), found: Mutex::default() });
        let told = Told::nothing_of(name);
        shared.found.lock().view = Arc::new(told.view.clone());
        let file = FollowedFile::new(path);
        let follower = Follower { shared: Arc::downgrade(&shared), file, told };
        std::thread::Builder::new().name("watch".to_owned()).spawn(move || follower.follow())?;
        Ok(MatchWatch(shared))
    }
}

impl WatchedMatch for MatchWatch {
    fn view(&self) -> Arc<MatchView> {
        Arc::clone(&self.0.found.lock().view)
    }

    fn game(&self, wanted: WatchedGame) -> Option<PgnGame> {
        let found = self.0.found.lock();
        match wanted {
            WatchedGame::Running(number) => {
                found.running.iter().find(|game| number_of(game) == Some(number)).cloned()
            }
            WatchedGame::Finished(place) => {
                let &(_, begin) = found.begins.iter().find(|&&(known, _)| known == place)?;
                drop(found);
                FollowedFile::game_at(&self.0.path, begin)
            }
        }
    }
}

/// The match as far as the files have told it.
struct Told {
    table: CrossTable,
    begins: VecDeque<(u64, u64)>,
    view: MatchView,
}

impl Told {
    fn nothing_of(file: String) -> Told {
        let view = MatchView { file, ..MatchView::default() };
        Told { table: CrossTable::default(), begins: VecDeque::new(), view }
    }

    /// Counts a finished game.
    fn add(&mut self, begin: u64, game: &PgnGame) {
        let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
        let (white, black) = (tag("White"), tag("Black"));
        self.table.add([&white, &black], game.result, pair_of(game));
        self.view.games += 1;
        let reason = game.tag("Reason").unwrap_or_default();
        let finished = FinishedGame {
            place: self.view.games,
            number: number_of(game),
            game: game.start.variant(),
            white,
            black,
            result: game.result,
            reason: reason.chars().take(LONGEST_REASON).collect(),
            moves: game.moves.len().div_ceil(2),
        };
        self.view.finished.insert(0, finished);
        self.view.finished.truncate(MOST_LISTED);
        self.begins.push_front((self.view.games, begin));
        self.begins.truncate(MOST_LISTED);
    }
}

/// Follows the match as long as anybody watches.
struct Follower {
    shared: Weak<Shared>,
    file: FollowedFile,
    told: Told,
}

impl Follower {
    fn follow(mut self) {
        while self.look() {
            std::thread::sleep(INTERVAL);
        }
    }

    /// Looks what is new; false when nobody watches any more.
    fn look(&mut self) -> bool {
        let Some(path) = self.shared.upgrade().map(|shared| shared.path.clone()) else {
            return false;
        };
        // First the running games: one that ends meanwhile is seen twice, not missed.
        let running = running_games(&path);
        let trouble = match self.read_on() {
            Ok(()) => None,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Some("there is no such file yet".to_owned())
            }
            Err(error) => Some(error.to_string()),
        };
        let view = &mut self.told.view;
        view.trouble = trouble;
        let is_over = |number| view.finished.iter().any(|game| game.number == Some(number));
        let goes_on = |game: &PgnGame| number_of(game).is_some_and(|number| !is_over(number));
        let running: Option<Vec<PgnGame>> =
            running.map(|games| games.into_iter().filter(goes_on).collect());
        view.running =
            running.as_ref().map(|games| games.iter().filter_map(running_game).collect());
        self.show(Some(running.unwrap_or_default()))
    }

    /// Reads what has come, and shows a long file while it is read.
    fn read_on(&mut self) -> io::Result<()> {
        if self.file.begins_anew()? {
            self.told = Told::nothing_of(std::mem::take(&mut self.told.view.file));
        }
        loop {
            let end = Instant::now() + VIEW_INTERVAL;
            let mut is_late = false;
            let told = &mut self.told;
            self.file.read_on(|begin, game| {
                told.add(begin, &game);
                is_late = Instant::now() >= end;
                !is_late
            })?;
            if !is_late || !self.show(None) {
                return Ok(());
            }
        }
    }

    /// Shows what was told, if it is anything new; false when nobody watches.
    fn show(&mut self, running: Option<Vec<PgnGame>>) -> bool {
        let Some(shared) = self.shared.upgrade() else { return false };
        self.told.view.table = self.told.table.rows();
        self.told.view.faults = self.file.faults();
        let mut found = shared.found.lock();
        if *found.view != self.told.view {
            found.view = Arc::new(self.told.view.clone());
            found.begins.clone_from(&self.told.begins);
        }
        if let Some(running) = running {
            found.running = running;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::SystemTime;

    use super::*;

    /// How long the thread may take on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(60);

    fn wait_until(watch: &MatchWatch, holds: impl Fn(&MatchView) -> bool) -> Arc<MatchView> {
        let end = Instant::now() + PATIENCE;
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
        let shown = fs::File::options().write(true).open(&live).expect("the file");
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
    }
}
