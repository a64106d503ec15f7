//! One tab of the browser: a thread of its own that answers its requests in
//! their order. What it searches never holds up another tab.

mod analysing;
mod answering;
mod exercising;
mod openings;
mod playing;
mod pondering;
mod practising;
mod reviewing;
mod searching;
mod sending;
mod studying;
mod sweeping;
mod tables;
mod training;
mod watching;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use super::event::Event;
use super::game_tree::{GameTree, NodeId};
use super::record::{Play, Record};
use super::reply::Reply;
use super::store::Trouble;
use crate::page::allowance::Allowance;
use crate::page::backend::Backend;
use crate::page::open_games::OpenGames;
use crate::page::openings::KnownOpenings;
use crate::page::store::Store;
use crate::page::training::Trainer;
use crate::page::watched_match::WatchedMatch;
use analysing::most_megabytes;
use openings::OpeningLoad;
use qirkat_engine::{ELO_RANGE, SearchLine};
use qirkat_game::score::Score;
use qirkat_game::{Color, Rules};
use qirkat_rules::pgn::PgnGame;
use qirkat_rules::variant::Variant;
use qirkat_system::host::Instant;
use qirkat_system::machine::cores;
use qirkat_tablebase::AllTables;
use reviewing::Reviews;
use searching::AnalysisSettings;
use searching::{Search, Thinker};
use tables::Fetched;
use watching::Watching;

/// How often the lines of a search are told.
const LINES_INTERVAL: Duration = Duration::from_millis(120);

/// Sends a reply to the page; says whether the page takes it.
pub type Replies = Box<dyn FnMut(String) -> bool + Send>;

pub struct Session {
    shared: Shared,
    /// No other tab has it.
    number: u64,
    events: Receiver<Event>,
    /// For searches and reviews, which report by events.
    own_events: Sender<Event>,
    replies: Replies,
    /// The game that is open.
    record: Record,
    /// The engine, once it was needed.
    thinker: Option<Thinker>,
    settings: AnalysisSettings,
    search: Option<Search>,
    /// How many searches were started.
    searches: u64,
    /// Whether the user wants an analysis.
    analysing: bool,
    /// Whether that is of what the other side threatens.
    threat: bool,
    /// The latest lines of the analysis, the best first.
    lines: Vec<SearchLine>,
    /// When they are told.
    lines_due: Option<Instant>,
    /// Nodes that the sweep through the game has not evaluated yet.
    sweep: VecDeque<u32>,
    /// How many it had at first; zero without a sweep.
    sweep_length: usize,
    reviews: Reviews,
    /// What is known for certain.
    tables: AllTables,
    /// The certificate that may not be in the program.
    fetched: Fetched,
    /// Of which node was told last what is known.
    known_told: Option<NodeId>,
    /// The engine's score of the game being played, by which it answers a draw offer.
    last_score: Option<Score>,
    /// The games of a file from which the user chooses one.
    imported: Vec<PgnGame>,
    /// Those of them that were opened, by their places, and the names under which they are kept.
    picked: BTreeMap<usize, String>,
    /// Whether the engine may think on the user's time.
    may_ponder: bool,
    watching: Option<Watching>,
    /// The file of games that is being counted.
    opening_load: Option<OpeningLoad>,
    /// How many such files were begun.
    opening_loads: u64,
    /// Whether the page shows opening statistics, which end with their file.
    openings_sent: bool,
    /// Games that are still to be listed, with the time when each was kept.
    to_list: VecDeque<(String, Duration)>,
    /// The trouble with saving that the page was told last.
    trouble: Option<Trouble>,
    /// When the engine rests that has nothing to do.
    rest_at: Option<Instant>,
    /// Messages that were not understood.
    garbage: u32,
    /// Whether the page is closed or was given up.
    gone: bool,
}

impl Session {
    /// A session with an empty game.
    pub fn new(
        shared: Shared,
        number: u64,
        (own_events, events): (Sender<Event>, Receiver<Event>),
        replies: Replies,
    ) -> Session {
        Session {
            shared,
            number,
            events,
            own_events,
            replies,
            record: Record::new(GameTree::new(Variant::default().start())),
            thinker: None,
            settings: AnalysisSettings::default(),
            search: None,
            searches: 0,
            analysing: false,
            threat: false,
            lines: Vec::new(),
            lines_due: None,
            sweep: VecDeque::new(),
            sweep_length: 0,
            reviews: Reviews::default(),
            tables: AllTables::with_embedded(),
            fetched: Fetched::default(),
            known_told: None,
            last_score: None,
            imported: Vec::new(),
            picked: BTreeMap::new(),
            may_ponder: false,
            watching: None,
            opening_load: None,
            opening_loads: 0,
            openings_sent: false,
            to_list: VecDeque::new(),
            trouble: None,
            rest_at: None,
            garbage: 0,
            gone: false,
        }
    }

    /// Handles what comes until the tab is closed, then keeps the game.
    pub fn run(mut self) {
        self.greet();
        let mut next: Option<Instant> = None;
        while !self.is_over() {
            let event = match next {
                Some(at) => {
                    let left = at.saturating_duration_since(Instant::now());
                    self.events.recv_timeout(left)
                }
                None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(Event::Closed) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(event) => self.handle(event),
                Err(RecvTimeoutError::Timeout) => {}
            }
            next = self.poll();
        }
        self.leave();
    }

    /// Whether the page is listened to no more, since it is closed or says too much that is
    /// not understood.
    pub fn is_over(&self) -> bool {
        self.gone
    }

    /// Tells the page what there is.
    pub fn greet(&mut self) {
        self.send(&Reply::Hello {
            version: env!("CARGO_PKG_VERSION"),
            elo: [ELO_RANGE.0, ELO_RANGE.1],
            threads: cores(),
            hash: most_megabytes(),
            background: self.shared.backend.has_threads(),
            watch: self.shared.watch.as_ref().map(|watch| watch.view().file.clone()),
            preferences: self.shared.store.preferences(),
        });
    }

    /// Does what is due, and tells when it has to be called again though nothing comes.
    pub fn poll(&mut self) -> Option<Instant> {
        self.check_clocks();
        self.stop_pondering_if_due();
        self.send_lines_if_due();
        self.send_match_if_due();
        self.rest_if_idle();
        self.save_again_if_due();
        self.next_moment()
    }

    /// When something has to be done though nothing comes.
    fn next_moment(&self) -> Option<Instant> {
        let flag = self.running_play();
        let flag = flag.and_then(|play| play.game.clocks.flag_at(self.side_to_play()));
        let match_due = self.watching.as_ref().map(|watching| watching.due);
        let searching = self.lines_due.into_iter().chain(self.search_end()).chain(self.rest_at);
        let saving = self.shared.store.next_try();
        flag.into_iter().chain(searching).chain(match_due).chain(saving).min()
    }

    pub fn handle_waiting(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            self.handle(event);
        }
    }

    /// Sends a message. A page that reads too slowly is given up.
    fn send(&mut self, reply: &Reply) {
        match serde_json::to_string(reply) {
            Ok(text) => self.gone |= !(self.replies)(text),
            Err(error) => log::error!("a reply cannot be written: {error}"),
        }
    }

    fn note(&mut self, text: impl Into<String>) {
        self.send(&Reply::Note { text: text.into() });
    }

    fn play(&self) -> Option<&Play> {
        self.record.play.as_ref()
    }

    fn running_play(&self) -> Option<&Play> {
        self.play().filter(|play| play.game.is_running())
    }

    /// The side to move where the play stands, or where one looks.
    fn side_to_play(&self) -> Color {
        let node = self.play().map_or(self.record.current, |play| play.last);
        self.record.tree.get(node).map_or(Color::White, |node| node.position.side_to_move())
    }

    fn save(&self) {
        self.shared.store.save(&self.record);
    }

    /// Tries again to save what could not be saved, and tells the page how that stands.
    fn save_again(&mut self) {
        self.shared.store.try_again();
        self.trouble = self.shared.store.trouble();
        self.send(&Reply::Unsaved { trouble: self.trouble.clone() });
    }

    /// The same when it is due; the page is told what is new.
    fn save_again_if_due(&mut self) {
        let due = self.shared.store.next_try();
        if due.is_some_and(|due| due <= Instant::now()) {
            self.shared.store.try_again();
        }
        if self.trouble != self.shared.store.trouble() {
            self.trouble = self.shared.store.trouble();
            self.send(&Reply::Unsaved { trouble: self.trouble.clone() });
        }
    }

    /// Stops what runs, keeps the game and lets go of it.
    fn leave(&mut self) {
        self.stop_search();
        self.analysing = false;
        self.threat = false;
        self.stop_sweep();
        self.reviews.stop();
        let side = self.side_to_play();
        if let Some(play) = &mut self.record.play {
            play.game.clocks.run(side, false);
        }
        self.save();
        self.shared.open.close(&self.record.id, self.number);
    }

    /// Takes another game into this tab.
    fn take_up(&mut self, record: Record) {
        self.leave();
        if record.variant != self.record.variant {
            self.thinker = None;
        }
        self.last_score = None;
        self.lines.clear();
        self.known_told = None;
        self.shared.open.open(&record.id, self.number, &self.own_events);
        self.record = record;
        self.save();
        self.send_tree();
        self.go_on_playing();
        self.send_state();
        self.send_review();
    }
}

/// The things that all sessions have in common.
#[derive(Clone)]
pub struct Shared {
    /// The games that are kept.
    pub(crate) store: Store,
    /// Which tab has opened which game.
    pub(crate) open: OpenGames,
    pub(crate) allowance: Allowance,
    /// The file of games in which openings are looked up.
    pub(crate) openings: KnownOpenings,
    pub(crate) trainer: Arc<Trainer>,
    /// The match that can be watched, if there is one.
    pub(crate) watch: Option<Arc<dyn WatchedMatch>>,
    /// The backend that searches and reviews.
    pub(crate) backend: Arc<dyn Backend>,
}

impl Shared {
    /// Shares what a host gives its sessions: games, what searches and reviews, and perhaps a match
    /// to watch.
    pub fn new(
        store: Store,
        backend: Arc<dyn Backend>,
        watch: Option<Arc<dyn WatchedMatch>>,
    ) -> Shared {
        Shared {
            trainer: Arc::new(Trainer::new(store.clone())),
            store,
            open: OpenGames::default(),
            allowance: Allowance::of_this_machine(),
            openings: KnownOpenings::default(),
            watch,
            backend,
        }
    }
}
