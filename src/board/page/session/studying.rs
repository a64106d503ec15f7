//! Looking through games: navigation, variations, comments, PGN import and export, opening
//! statistics, tables, and a watched match.

use std::sync::Arc;
use std::time::Duration;

use crate::page::backend::{Event, OnDemandFile};
use crate::page::endings::Known;
use crate::page::game_tree::{Annotation, NodeId};
use crate::page::openings::{BookShown, LoadProgress, OpeningLoader, OpeningStatistics};
use crate::page::protocol::{OpeningMovesReply, Reply};
use crate::page::record::{Record, tag_shown};
use crate::page::session::{OpeningLoad, Purpose, Session, Watching};
use crate::page::shown::{MatchView, PointShown, WatchedGame};
use crate::page::store::LoadError;
use qirkat_engine::book::Book;
use qirkat_game::GameResult;
use qirkat_game::text::counted;
use qirkat_rules::pgn::PgnReader;
use qirkat_rules::variant::Variant;
use qirkat_system::host::Instant;
use qirkat_tablebase::alquerque::MenTables;

const MAX_GAMES: usize = 2000;
const LISTED_AT_ONCE: usize = 50;
/// The most faults shown for games that could not be read.
const MAX_FAULTS: usize = 20;
const MAX_FILE_NAME: usize = 120;
const MATCH_INTERVAL: Duration = Duration::from_millis(250);

impl Session {
    pub(super) fn send_point(&mut self, node: NodeId, point: &str) {
        let position = self.record.tree.position(node);
        if let Some(shown) = position.and_then(|at| PointShown::of(node, &at, point)) {
            self.send(&Reply::Point(shown));
        }
    }

    pub(super) fn open(&mut self, id: Option<String>) {
        if let Some(id) = id {
            if id == self.record.id && self.record.is_worth_keeping() {
                return self.send_all();
            }
            // Before it is read: another tab that wants it meanwhile waits for this one.
            self.shared.open.take_over(&id, self.number, &self.own_events);
            match self.shared.store.load(&id) {
                Ok(record) => return self.open_record(record),
                Err(LoadError::Gone | LoadError::Name) => {
                    self.note("That game is not there any more.");
                }
                Err(error) => self.fail(format!("that game cannot be read: {error}")),
            }
            self.shared.open.close(&id, self.number);
        }
        for (id, _) in self.shared.store.names() {
            if self.shared.open.open(&id, self.number, &self.own_events) {
                if let Ok(record) = self.shared.store.load(&id) {
                    return self.open_record(record);
                }
                self.shared.open.close(&id, self.number);
            }
        }
        // The empty game is saved with its first move.
        self.shared.open.open(&self.record.id, self.number, &self.own_events);
        self.send_all();
    }

    pub(super) fn forget(&mut self, id: &str) {
        if self.shared.open.is_open(id) {
            return self.note("This game is open.");
        }
        match self.shared.store.remove(id) {
            Ok(()) => {
                self.shared.friends.end(id, None);
                self.shared.trainer.forget(id);
                self.send(&Reply::Forgotten { id: id.to_owned() });
            }
            Err(error) => self.fail(format!("the game cannot be deleted: {error}")),
        }
    }

    pub(super) fn begin_list(&mut self) {
        self.study.to_list = self.shared.store.names().into();
        self.list_next_games();
    }

    /// Lists the next games. Not all at once, which would block the session: each is replayed.
    pub(super) fn list_next_games(&mut self) {
        let next = self.study.to_list.drain(..self.study.to_list.len().min(LISTED_AT_ONCE));
        let (mut games, mut unreadable) = (Vec::new(), Vec::new());
        for (id, time) in next {
            match self.shared.store.listed(&id, time) {
                Some(Ok(game)) => games.push(game),
                Some(Err(file)) => unreadable.push(file),
                None => {}
            }
        }
        self.send(&Reply::Games { games, unreadable, left: self.study.to_list.len() });
    }

    pub(super) fn go_to(&mut self, node: NodeId) {
        if self.record.tree.get(node).is_some() && node != self.record.current {
            self.record.current = node;
            if self.searching.analysing || self.searches_for(Purpose::Hint) {
                self.restart_analysis();
            }
        }
        self.send_state();
    }

    pub(super) fn edit(&mut self, node: NodeId, change: impl FnOnce(&mut Annotation)) {
        if let Some(node) = self.record.tree.get_mut(node) {
            change(&mut node.annotation);
        }
        self.changed();
    }

    pub(super) fn promote(&mut self, node: NodeId) {
        if self.may_rearrange() {
            self.record.tree.promote(node);
            self.changed();
        }
    }

    pub(super) fn remove(&mut self, node: NodeId) {
        if !self.may_rearrange() {
            return;
        }
        let before = self.record.tree.remove(node);
        if self.record.tree.get(self.record.current).is_none() {
            self.record.current = before;
            self.restart_analysis();
        }
        let last = self.play().map(|play| play.last);
        if last.is_some_and(|last| self.record.tree.get(last).is_none())
            && let Some(play) = &mut self.record.play
        {
            play.last = before;
        }
        self.changed();
    }

    /// Whether the moves may be edited; not while the game is played.
    fn may_rearrange(&mut self) -> bool {
        let playing = self.record.is_being_played();
        if playing {
            self.note("The game is still being played.");
        }
        !playing
    }

    fn changed(&mut self) {
        self.save();
        self.send_all();
    }

    pub(super) fn check_fen(&mut self, variant: Variant, fen: String) {
        let (known, text) = match variant.read_fen(&fen) {
            Ok(parsed) => (Some(parsed.position.fen()), parsed.notice.map(|it| it.to_string())),
            Err(error) => (None, Some(error.to_string())),
        };
        self.send(&Reply::FenChecked { asked: fen, fen: known, text });
    }

    /// Reads games. A single game is opened at once.
    pub(super) fn import(&mut self, pgn: &str) {
        let mut faults = Vec::new();
        self.study.imported.clear();
        self.study.picked.clear();
        let mut unread = 0;
        let mut reader = PgnReader::new(pgn.as_bytes());
        for read in reader.by_ref().take(MAX_GAMES) {
            match read {
                Ok(read) => {
                    unread += read.unread.len() as u64;
                    self.study.imported.push(read.game);
                }
                Err(error) if faults.len() < MAX_FAULTS => faults.push(error.to_string()),
                Err(_) => {}
            }
        }
        if reader.next().is_some() {
            self.note(format!("Only the first {MAX_GAMES} games were read"));
        }
        if unread > 0 {
            let places = counted(unread, "place");
            self.note(format!("Text that could not be read is in comments: {places}"));
        }
        if self.study.imported.len() == 1 && faults.is_empty() {
            return self.open_imported(0);
        }
        if self.study.imported.is_empty() && faults.is_empty() {
            faults.push("There is no game in this text.".to_owned());
        }
        let titles = self.study.imported.iter().map(|game| {
            // Isolates the name's writing direction.
            let tag =
                |name| format!("\u{2068}{}\u{2069}", tag_shown(game.tag(name).unwrap_or("?")));
            let result = match game.result {
                GameResult::Unfinished => String::new(),
                result => format!(", {result}"),
            };
            let moves = counted(game.moves.len().div_ceil(2) as u64, "move");
            format!("{} and {}{result}, {moves}", tag("White"), tag("Black"))
        });
        let games = titles.collect();
        self.send(&Reply::Imported { games, faults });
    }

    /// Opens an imported game. One opened before is restored as it was left.
    pub(super) fn open_imported(&mut self, index: usize) {
        let Some(game) = self.study.imported.get(index) else { return };
        let kept = self.study.picked.get(&index).filter(|id| self.shared.store.load(id).is_ok());
        if let Some(id) = kept.cloned() {
            return self.open(Some(id));
        }
        match Record::from_pgn(game) {
            Ok(record) => {
                self.study.picked.insert(index, record.id.clone());
                self.open_record(record);
            }
            Err(error) => self.fail(error),
        }
    }

    pub(super) fn export(&mut self) {
        let here = self.record.tree.get(self.record.current);
        let fen = here.map_or_else(String::new, |node| node.position.fen());
        let pgn = self.record.to_pgn().to_string();
        self.send(&Reply::Exported { pgn, fen });
    }

    pub(super) fn export_kept(&mut self, id: String) {
        let record = self.shared.store.load(&id).ok();
        let pgn = record.map(|record| record.to_pgn().to_string());
        self.send(&Reply::KeptExported { id, pgn });
    }

    pub(super) fn load_openings(&mut self, name: &str) {
        self.study.opening_load = None;
        // Only one file is kept at a time.
        *self.shared.openings.lock() = None;
        let share = match self.shared.pool.take(0, OpeningStatistics::MEGABYTES) {
            Ok(share) => share,
            Err(error) => return self.fail(error),
        };
        self.study.opening_loads += 1;
        let (number, events) = (self.study.opening_loads, self.own_events.clone());
        let name = name.chars().take(MAX_FILE_NAME).collect();
        let started = OpeningLoader::start(name, move |progress| {
            let _ = events.send(Event::Openings(number, progress));
        });
        match started {
            Ok(loader) => self.study.opening_load = Some(OpeningLoad { number, loader, share }),
            Err(error) => self.fail(error),
        }
    }

    pub(super) fn receive_openings_chunk(&mut self, text: String, is_last: bool) {
        let Some(load) = &self.study.opening_load else { return };
        if let Err(error) = load.loader.add(text, is_last) {
            self.study.opening_load = None;
            self.fail(error);
        }
    }

    pub(super) fn openings_progress(&mut self, number: u64, progress: LoadProgress) {
        let Some(load) = self.study.opening_load.take_if(|it| it.number == number) else { return };
        match progress {
            LoadProgress::More(games) => {
                self.study.opening_load = Some(load);
                self.send(&Reply::OpeningsWanted { games });
            }
            LoadProgress::Done(statistics) => {
                *self.shared.openings.lock() = Some(Arc::new((*statistics, load.share)));
                self.send_openings();
            }
        }
    }

    pub(super) fn forget_openings(&mut self) {
        self.study.opening_load = None;
        *self.shared.openings.lock() = None;
        self.send_openings();
    }

    /// Sends the moves played from the shown position; none while a game is played.
    pub(super) fn send_openings(&mut self) {
        let openings = self.shared.openings.lock().clone();
        let Some((statistics, _)) = openings.as_deref() else {
            // Another tab may have closed the file.
            if std::mem::take(&mut self.study.openings_sent) {
                self.send(&Reply::Openings { here: None });
            }
            return;
        };
        if self.record.is_being_played() {
            return;
        }
        let node = self.record.current;
        let Some(position) = self.record.tree.position(node) else { return };
        let here = OpeningMovesReply {
            node,
            file: statistics.name.clone(),
            games: statistics.games,
            faults: statistics.faults,
            plies: statistics.plies,
            is_full: statistics.is_full,
            moves: statistics.moves_from(&position),
        };
        self.study.openings_sent = true;
        self.send(&Reply::Openings { here: Some(Box::new(here)) });
    }

    /// Sends the known result of each move at a node. Nothing while the game is being played.
    pub(super) fn send_known_moves(&mut self, node: NodeId) {
        if self.record.is_being_played() || self.record.tree.get(node).is_none() {
            return;
        }
        self.study.known_node = Some(node);
        self.fetch_certificate_if_needed();
        let game = self.record.tree.game_at(node);
        let mut known = Known::of(node, &self.tables, &game);
        known.waits =
            self.record.variant == Variant::Alquerque && self.awaits(OnDemandFile::Certificate);
        self.send(&Reply::Known(known));
    }

    pub(super) fn fetch_certificate_if_needed(&mut self) {
        let is_needed = self.record.variant == Variant::Alquerque && !self.has_certificate();
        if is_needed {
            self.fetch(OnDemandFile::Certificate);
        }
    }

    /// Fetches a file, once.
    fn fetch(&mut self, file: OnDemandFile) {
        if !self.study.fetches.contains_key(&file) {
            let is_awaited = self.shared.backend.fetch(file, &self.own_events);
            self.study.fetches.insert(file, is_awaited);
        }
    }

    fn awaits(&self, file: OnDemandFile) -> bool {
        self.study.fetches.get(&file) == Some(&true)
    }

    pub(crate) fn has_certificate(&self) -> bool {
        self.tables.alquerque.certificates() > 0
    }

    pub(super) fn take_fetched(&mut self, file: OnDemandFile, bytes: &[u8]) {
        self.study.fetches.insert(file, false);
        match file {
            OnDemandFile::Certificate => self.take_certificate(bytes),
            OnDemandFile::Book(variant) => self.take_book(variant, bytes),
        }
    }

    fn take_book(&mut self, variant: Variant, bytes: &[u8]) {
        match Book::read(bytes) {
            Ok(book) if book.variant() == variant => {
                self.study.books.insert(variant, book);
            }
            Ok(_) => self.fail("the opening book: of another game"),
            Err(_) if bytes.is_empty() => {}
            Err(error) => self.fail(format!("the opening book: {error}")),
        }
        if let Some(node) = self.study.book_node {
            self.send_book_moves(node);
        }
    }

    /// The opening book of a game, if it is at hand.
    pub(super) fn book(&self, variant: Variant) -> Option<&Book> {
        self.shared.backend.book(variant).or_else(|| self.study.books.get(&variant))
    }

    /// Sends what the opening book knows of each move at a node. Nothing while the game is being
    /// played.
    pub(super) fn send_book_moves(&mut self, node: NodeId) {
        let Some(position) = self.record.tree.position(node) else { return };
        if self.record.is_being_played() {
            return;
        }
        self.study.book_node = Some(node);
        let variant = position.variant();
        if self.book(variant).is_none() {
            self.fetch(OnDemandFile::Book(variant));
        }
        let waits = self.awaits(OnDemandFile::Book(variant));
        let shown = BookShown::of(node, self.book(variant), &position, waits);
        self.send(&Reply::Book(shown));
    }

    fn take_certificate(&mut self, bytes: &[u8]) {
        let mut men = MenTables::with_embedded();
        match men.add_certificate(bytes) {
            Ok(()) => self.tables.alquerque = Arc::new(men),
            Err(_) if bytes.is_empty() => {}
            Err(error) => self.fail(format!("the certificate of Alquerque: {error}")),
        }
        if let Some(node) = self.study.known_node {
            self.send_known_moves(node);
        }
    }

    pub(super) fn watch(&mut self, on: bool) {
        let on = on && self.shared.watch.is_some();
        self.study.watching = on.then(|| Watching { last_sent: None, due: Instant::now() });
    }

    /// Sends news of the match, but not faster than anyone can see.
    pub(super) fn send_match_if_due(&mut self) {
        let (Some(watching), Some(watch)) = (&mut self.study.watching, &self.shared.watch) else {
            return;
        };
        if watching.due > Instant::now() {
            return;
        }
        watching.due = Instant::now() + MATCH_INTERVAL;
        let view = watch.view();
        let is_old = watching.last_sent.as_ref().is_some_and(|sent| Arc::ptr_eq(sent, &view));
        if !is_old {
            watching.last_sent = Some(Arc::clone(&view));
            self.send(&Reply::Match { view: Box::new(MatchView::clone(&view)) });
        }
    }

    pub(super) fn open_watched(&mut self, wanted: WatchedGame) {
        let game = self.shared.watch.as_ref().and_then(|watch| watch.game(wanted));
        let Some(game) = game else { return self.note("That game is not there any more.") };
        match Record::from_pgn(&game) {
            Ok(mut record) => {
                record.current = record.tree.end_of_main_line();
                self.open_record(record);
            }
            Err(error) => self.fail(error),
        }
    }
}
