//! One tab of the browser: its state, the requests it handles in order, and what it reports about
//! its game. On a server each has a thread; a page without a server calls [`Session::handle`] and
//! [`Session::poll`].

mod exercising;
mod friends;
mod playing;
mod searching;
mod studying;

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::Map;

use qirkat_engine::book::Book;
use qirkat_engine::{ELO_RANGE, SearchLine};
use qirkat_game::score::Score;
use qirkat_game::{Color, Rules};
use qirkat_rules::pgn::PgnGame;
use qirkat_rules::variant::{AnyPosition, Variant};
use qirkat_system::host::Instant;
use qirkat_system::machine::{cores, megabytes_of_memory};
use qirkat_tablebase::AllTables;

use crate::page::backend::{
    Backend, BackgroundEngine, Event, OnDemandFile, PoolShare, ResourcePool, ReviewJob,
};
use crate::page::exercise::Goal;
use crate::page::friends::Friends;
use crate::page::game_tree::{GameTree, NodeId, ROOT};
use crate::page::openings::{OpeningLoader, OpeningStatistics};
use crate::page::pgn_tree::note_shapes;
use crate::page::protocol::{
    EndingShown, Hello, JudgedMove, Offer, PlayState, Replies, Reply, Request, ReviewRequest, Seat,
    State, TreeNode,
};
use crate::page::record::{PlayedGame, Record};
use crate::page::shown::{MatchView, PositionShown, WatchedMatch, side_word};
use crate::page::store::{SaveFailure, Store};
use crate::page::training::Trainer;

/// Invalid messages before the connection is closed.
const MAX_BAD_MESSAGES: u32 = 100;

const MAX_COMMENT: usize = 4000;
const MAX_NAGS: usize = 8;

pub struct Session {
    shared: Shared,
    number: u64,
    events: Receiver<Event>,
    own_events: Sender<Event>,
    replies: Replies,
    record: Record,
    searching: Searching,
    study: Study,
    reviews: Reviews,
    tables: AllTables,
    last_score: Option<Score>,
    offers: Offers,
    may_ponder: bool,
    /// The last save failure reported to the page.
    trouble: Option<SaveFailure>,
    bad_messages: u32,
    is_over: bool,
}

impl Session {
    pub fn new(
        shared: Shared,
        number: u64,
        (own_events, events): (Sender<Event>, Receiver<Event>),
        replies: Replies,
    ) -> Session {
        Session {
            tables: shared.tables.clone(),
            shared,
            number,
            events,
            own_events,
            replies,
            record: Record::new(GameTree::new(Variant::default().start())),
            searching: Searching::default(),
            study: Study::default(),
            reviews: Reviews::default(),
            last_score: None,
            offers: Offers::default(),
            may_ponder: false,
            trouble: None,
            bad_messages: 0,
            is_over: false,
        }
    }

    /// Handles events until the tab is closed, then saves the game.
    pub fn run(mut self) {
        self.greet();
        let mut next: Option<Instant> = None;
        while !self.is_over() {
            let event = match next {
                Some(at) => self.events.recv_timeout(at.saturating_duration_since(Instant::now())),
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

    /// Whether the page is no longer served: it is closed, reads too slowly, or sent too many
    /// invalid messages.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    pub fn greet(&mut self) {
        let hello = Hello {
            watch: self.shared.watch.as_ref().map(|watch| watch.view().file.clone()),
            invites: self.shared.friends.maker.is_some(),
            preferences: self.shared.store.preferences(),
            ..self.shared.hello(None)
        };
        self.send(&Reply::Hello(Box::new(hello)));
    }

    /// Runs whatever is due, and returns when to call it again if no event arrives.
    pub fn poll(&mut self) -> Option<Instant> {
        self.check_clocks();
        self.stop_pondering_if_due();
        self.send_lines_if_due();
        self.send_match_if_due();
        self.release_if_idle();
        self.save_again(false);
        let flag = self.running_play();
        let flag = flag.and_then(|play| play.game.clocks.flag_at(self.side_to_play()));
        let match_due = self.study.watching.as_ref().map(|watching| watching.due);
        let Searching { lines_due, release_at, .. } = self.searching;
        let saving = self.shared.store.next_try();
        [flag, match_due, lines_due, release_at, self.search_end(), saving]
            .into_iter()
            .flatten()
            .min()
    }

    /// Handles all events that have arrived.
    pub fn handle_waiting(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            self.handle(event);
        }
    }

    /// Sends a message. A page that reads too slowly is dropped.
    fn send(&mut self, reply: &Reply) {
        match serde_json::to_string(reply) {
            Ok(text) => self.is_over |= !(self.replies)(text),
            Err(error) => log::error!("a reply cannot be written: {error}"),
        }
    }

    fn fail(&mut self, error: impl ToString) {
        self.send(&Reply::Error { text: error.to_string() });
    }

    fn note(&mut self, text: impl Into<String>) {
        self.send(&Reply::Note { text: text.into() });
    }

    fn play(&self) -> Option<&PlayedGame> {
        self.record.play.as_ref()
    }

    fn running_play(&self) -> Option<&PlayedGame> {
        self.play().filter(|play| play.game.is_running())
    }

    /// The side to move in the play, or in the position shown.
    fn side_to_play(&self) -> Color {
        let node = self.play().map_or(self.record.current, |play| play.last);
        self.record.tree.get(node).map_or(Color::White, |node| node.position.side_to_move())
    }

    fn save(&self) {
        self.shared.store.save(&self.record);
    }

    /// Retries failed saves, if the user asks for it or a retry is due. The result is always sent
    /// if the user asked, otherwise only if it has changed.
    fn save_again(&mut self, wanted: bool) {
        let store = &self.shared.store;
        if wanted || store.next_try().is_some_and(|due| due <= Instant::now()) {
            store.try_again();
        }
        let trouble = store.trouble();
        if wanted || self.trouble != trouble {
            self.trouble.clone_from(&trouble);
            self.send(&Reply::Unsaved { trouble });
        }
    }

    fn leave(&mut self) {
        self.stop_searching();
        self.reviews.stop();
        let side = self.side_to_play();
        if let Some(play) = &mut self.record.play {
            play.game.clocks.run(side, false);
        }
        self.save();
        self.offers = Offers::default();
        if self.shared.open.close(&self.record.id, self.number) && self.running_play().is_some() {
            self.send_to_guests(&Reply::Away);
        }
    }

    /// Leaves the game that is open and opens this one.
    fn open_record(&mut self, record: Record) {
        self.leave();
        if record.variant != self.record.variant {
            self.searching.engine = None;
        }
        self.last_score = None;
        self.searching.lines.clear();
        self.study.known_node = None;
        self.study.book_node = None;
        // A game that was read is this session's already, or another's that waits for it by now.
        self.shared.open.open(&record.id, self.number, &self.own_events);
        self.record = record;
        self.save();
        self.continue_play();
        self.send_all();
        self.send_review();
    }

    pub fn handle(&mut self, event: Event) {
        match event {
            Event::Request(text, _permit) => match serde_json::from_str(&text) {
                Ok(request) => self.answer(request),
                Err(error) => {
                    self.bad_messages += 1;
                    self.fail(format!("the message was not understood: {error}"));
                    self.is_over |= self.bad_messages > MAX_BAD_MESSAGES;
                }
            },
            Event::Guest(number, message) => self.hear_guest(number, message),
            Event::Line(number, line) => self.take_line(number, *line),
            Event::Finished(number, result) => self.take_result(number, &result),
            Event::Broken(number) => self.search_failed(number),
            Event::Review(number, event) => self.review_progress(number, event),
            Event::Openings(number, progress) => self.openings_progress(number, progress),
            Event::Fetched(file, bytes) => self.take_fetched(file, &bytes),
            Event::Leave(id, done) => {
                // Another game may have been opened meanwhile.
                if id == self.record.id {
                    self.leave();
                    self.record = Record::new(GameTree::new(self.record.variant.start()));
                    self.send(&Reply::TakenOver);
                }
                drop(done);
            }
            Event::Closed => self.is_over = true,
        }
    }

    fn answer(&mut self, request: Request) {
        match request {
            Request::Open { id } => self.open(id),
            Request::List => self.begin_list(),
            Request::ListMore => self.list_next_games(),
            Request::Save => self.save_again(true),
            Request::Forget { id } => self.forget(&id),
            Request::New(new) => self.begin(&new),
            Request::Move { node, text } => self.make_move(node, &text),
            Request::Goto { node } => self.go_to(node),
            Request::TakeBack if self.is_shared() => self.act_here(Act::Offer(Offer::TakeBack)),
            Request::TakeBack => self.take_back(1),
            Request::Hint | Request::Analyse { on: true, .. } if self.plays_friend() => {
                self.note("Hints and analysis are off while friends play.");
            }
            Request::Hint => self.give_hint(),
            Request::Resign if self.is_shared() => self.act_here(Act::Resign),
            Request::Resign => self.resign(),
            Request::OfferDraw if self.is_shared() => self.act_here(Act::Offer(Offer::Draw)),
            Request::OfferDraw => self.offer_draw(),
            Request::Answer { offer, accept } => self.act_here(Act::Answer(offer, accept)),
            Request::Share { seat } => self.share(seat),
            Request::EndLink { seat } => self.end_link(seat),
            Request::Links => self.send_links(),
            Request::Pause { on: true } if self.is_shared() => {
                self.note("A game with a friend on another device is not paused.");
            }
            Request::Pause { on } => self.pause(on),
            Request::BreakOff => {
                // Friends must not follow the analysis that comes next.
                self.shared.friends.end(&self.record.id, None);
                self.break_off();
            }
            Request::Analyse { on, threat } => self.analyse(on, threat.unwrap_or_default()),
            // The engine helps nobody in a game.
            Request::Values { .. } if self.record.is_being_played() => {}
            Request::Values { node } => self.send_values(node),
            Request::Point { node, point } => self.send_point(node, &point),
            Request::Known { node } => self.send_known_moves(node),
            Request::Book { node } => self.send_book_moves(node),
            Request::Sweep => self.begin_sweep(),
            Request::Settings { lines, threads, hash } => self.set_analysis(lines, threads, hash),
            Request::SavePreferences { preferences: it } => self.shared.store.save_preferences(&it),
            Request::Comment { node, text } => {
                self.edit(node, |node| node.comment = text.chars().take(MAX_COMMENT).collect());
            }
            Request::SetShapes { number, node, shapes } => {
                self.study.last_shapes_number = number;
                self.edit(node, |node| note_shapes(&mut node.notes, &shapes));
            }
            Request::Mark { node, nags } => {
                self.edit(node, |node| node.nags = nags.into_iter().take(MAX_NAGS).collect());
            }
            Request::Promote { node } => self.promote(node),
            Request::Remove { node } => self.remove(node),
            Request::CheckFen { game, fen } => self.check_fen(game, fen),
            Request::Import { pgn } => self.import(&pgn),
            Request::OpenImported { index } => self.open_imported(index),
            Request::Export => self.export(),
            Request::ExportKept { id } => self.export_kept(id),
            Request::Review(ReviewRequest::Begin { time }) => self.begin_review(time),
            Request::Review(ReviewRequest::Stop) => self.stop_review(),
            Request::Exercise(request) => self.answer_exercise(&request),
            Request::Train(request) => self.train(&request),
            Request::Ponder { on } => self.let_ponder(on),
            Request::Watch { on } => self.watch(on),
            Request::OpenWatched { game } => self.open_watched(game),
            Request::LoadOpenings { name } => self.load_openings(&name),
            Request::OpeningsChunk { text, last } => self.receive_openings_chunk(text, last),
            Request::ForgetOpenings => self.forget_openings(),
        }
    }

    /// Sends all moves, then the shown move and the state, with nothing slow in between.
    pub(super) fn send_all(&mut self) {
        let tree = self.tree();
        self.send(&tree);
        let mut for_guests = None;
        self.each_guest(|guest| {
            guest.send(for_guests.get_or_insert_with(|| self.tree_for_guests()))
        });
        self.send_state();
    }

    fn tree(&self) -> Reply {
        let nodes = self.record.tree.nodes().map(TreeNode::of).collect();
        Reply::Tree { nodes, drawn: self.study.last_shapes_number }
    }

    /// The moves without what the engine and the owner think of them.
    fn tree_for_guests(&self) -> Reply {
        let nodes = self.record.tree.nodes().map(|node| TreeNode::of(node).without_notes());
        Reply::Tree { nodes: nodes.collect(), drawn: 0 }
    }

    /// Sends the move shown and the state of the play.
    pub(super) fn send_state(&mut self) {
        let seats = self.seats();
        let state = self.state_at(self.record.current, seats);
        self.send(&Reply::State(Box::new(state)));
        self.send_state_to_guests(None);
        self.send_openings();
    }

    /// The state as a page shows it at a node, where friends play these sides.
    fn state_at(&self, node: NodeId, friends: [Option<bool>; 2]) -> State {
        let game = self.record.tree.game_at(node);
        let outcome = game.outcome();
        let last = game.moves().last().copied();
        let side = self.side_to_play();
        let play = self.play().map(|play| PlayState {
            people: play.game.people,
            elo: play.elo,
            last: play.last,
            left: (play.game.clocks.left(Color::White, side))
                .zip(play.game.clocks.left(Color::Black, side))
                .map(Into::into),
            running: play.game.clocks.are_running().then_some(side_word(side)),
            paused: play.game.paused,
            thinking: self.searches_for(Purpose::EngineMove),
            pondering: self.searches_for(Purpose::Ponder),
            result: play.game.ending.as_ref().map(|ending| ending.result.text()),
            reason: play.game.ending.as_ref().map(|ending| ending.reason.clone()),
            friends,
            offer: self.offers.open.map(|(offer, by)| (offer, side_word(by))),
        });
        // Finding the ending plays through the main line.
        let ending = if play.is_none() { self.record.ending() } else { None };
        let ending =
            ending.map(|ending| EndingShown { node: self.record.tree.end_of_main_line(), ending });
        State {
            id: self.record.id.clone(),
            game: self.record.variant,
            node,
            position: PositionShown::of(game.position(), last, outcome),
            start: self.record.tree.get(ROOT).map_or_else(String::new, |root| root.position.fen()),
            play,
            analysing: self.searching.analysing,
            threat: self.searching.threat,
            sweeping: self.searching.sweep_length > 0,
            players: ["White", "Black"].map(|name| self.record.tag(name)),
            ending,
        }
    }
}

/// What players of a game between friends have offered each other.
#[derive(Default)]
struct Offers {
    open: Option<(Offer, Color)>,
    /// Those that were declined, and after which move: they are not made again there.
    declined: Vec<(Offer, Color, NodeId)>,
}

/// What a player of a game between friends does besides moving.
#[derive(Clone, Copy, Debug)]
enum Act {
    Resign,
    Offer(Offer),
    Answer(Offer, bool),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct AnalysisSettings {
    lines: usize,
    threads: Option<usize>,
    hash: usize,
}

impl Default for AnalysisSettings {
    fn default() -> AnalysisSettings {
        AnalysisSettings { lines: 3, threads: None, hash: 32 }
    }
}

struct EngineHandle {
    engine: Box<dyn BackgroundEngine>,
    _share: PoolShare,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    EngineMove,
    Ponder,
    Hint,
    Analysis(NodeId),
    /// The other side's best move at a node if it were its turn.
    Threat(NodeId),
    Sweep(NodeId),
}

#[derive(Default)]
struct Searching {
    engine: Option<EngineHandle>,
    settings: AnalysisSettings,
    search: Option<Search>,
    searches: u64,
    analysing: bool,
    threat: bool,
    lines: Vec<SearchLine>,
    lines_due: Option<Instant>,
    sweep: VecDeque<NodeId>,
    /// How many nodes the sweep started with; zero without a sweep.
    sweep_length: usize,
    release_at: Option<Instant>,
}

struct Search {
    number: u64,
    purpose: Purpose,
    position: AnyPosition,
    ends: Option<Instant>,
}

#[derive(Default)]
struct Reviews {
    begun: u64,
    whole: Option<WholeReview>,
    pending: Option<PendingMove>,
}

struct WholeReview {
    job: ReviewJob,
    plies: usize,
    next_report: Instant,
}

/// A try being judged, as a review of a game with one move.
struct PendingMove {
    job: ReviewJob,
    goal: Goal,
    /// What is known of it before the review, which fills in the rest.
    tried: JudgedMove,
}

impl Reviews {
    fn stop(&mut self) {
        self.whole = None;
        self.pending = None;
    }
}

/// What the page looks through: imported games, the list, openings, a match.
#[derive(Default)]
struct Study {
    imported: Vec<PgnGame>,
    /// The imported games that were opened, by index, and their saved names.
    picked: BTreeMap<usize, String>,
    /// Games still to be listed, with the time each was saved.
    to_list: VecDeque<(String, Duration)>,
    opening_load: Option<OpeningLoad>,
    opening_loads: u64,
    /// Whether the page shows opening statistics, to be cleared when the file is closed.
    openings_sent: bool,
    watching: Option<Watching>,
    /// The files that were asked for, and whether they are still awaited.
    fetches: BTreeMap<OnDemandFile, bool>,
    /// The books that were fetched.
    books: BTreeMap<Variant, Book>,
    /// The node whose known moves the page asked for last.
    known_node: Option<NodeId>,
    book_node: Option<NodeId>,
    /// The number of the last `SetShapes`.
    last_shapes_number: u32,
}

#[derive(Debug)]
struct OpeningLoad {
    number: u64,
    loader: OpeningLoader,
    share: PoolShare,
}

#[derive(Debug)]
struct Watching {
    last_sent: Option<Arc<MatchView>>,
    due: Instant,
}

/// One hash table may take at most the machine's memory divided by this.
const TABLE_MEMORY_SHARE: usize = 8;

fn most_megabytes() -> usize {
    (megabytes_of_memory() / TABLE_MEMORY_SHARE).max(1)
}

/// The statistics of an opening file, and their share of memory.
type CountedOpenings = Arc<(OpeningStatistics, PoolShare)>;

#[derive(Clone)]
pub struct Shared {
    pub(crate) store: Store,
    pub(crate) open: OpenGames,
    pub(crate) pool: ResourcePool,
    pub(crate) openings: Arc<Mutex<Option<CountedOpenings>>>,
    pub(crate) trainer: Arc<Trainer>,
    pub(crate) watch: Option<Arc<dyn WatchedMatch>>,
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) tables: AllTables,
    pub(crate) friends: Friends,
}

impl Shared {
    /// Combines what a host provides: saved games, the backend, and perhaps a match to watch.
    pub fn new(
        store: Store,
        backend: Arc<dyn Backend>,
        watch: Option<Arc<dyn WatchedMatch>>,
    ) -> Shared {
        Shared {
            trainer: Arc::new(Trainer::new(store.clone())),
            store,
            open: OpenGames::default(),
            pool: ResourcePool::of_this_machine(),
            openings: Arc::default(),
            watch,
            backend,
            tables: AllTables::with_embedded(),
            friends: Friends::default(),
        }
    }

    fn hello(&self, seat: Option<Seat>) -> Hello {
        Hello {
            elo: [ELO_RANGE.0, ELO_RANGE.1],
            threads: cores(),
            hash: most_megabytes(),
            background: self.backend.has_threads(),
            watch: None,
            invites: false,
            seat,
            preferences: Map::new(),
        }
    }
}

/// How long a tab may take to leave a game.
const LEAVE_TIMEOUT: Duration = Duration::from_secs(3);

type Holder = (u64, Sender<Event>);

/// The sessions with open games, by game name.
#[derive(Clone, Default)]
pub(crate) struct OpenGames(Arc<Mutex<HashMap<String, Holder>>>);

impl OpenGames {
    /// Gives a game to a session unless one has it; returns whether none had it.
    pub fn open(&self, id: &str, session: u64, events: &Sender<Event>) -> bool {
        match self.0.lock().entry(id.to_owned()) {
            Entry::Vacant(free) => {
                free.insert((session, events.clone()));
                true
            }
            Entry::Occupied(_) => false,
        }
    }

    pub fn is_open(&self, id: &str) -> bool {
        self.0.lock().contains_key(id)
    }

    /// A session has left a game; returns whether it was the one that had it.
    pub fn close(&self, id: &str, session: u64) -> bool {
        let mut open = self.0.lock();
        let is_held = open.get(id).is_some_and(|(holder, _)| *holder == session);
        if is_held {
            open.remove(id);
        }
        is_held
    }

    /// Passes something to the session that has a game; returns false if none has.
    pub fn tell(&self, id: &str, event: Event) -> bool {
        self.0.lock().get(id).is_some_and(|(_, events)| events.send(event).is_ok())
    }

    /// Gives a game to a session. If another has it, makes that leave it, and waits until it is
    /// saved.
    pub fn take_over(&self, id: &str, session: u64, events: &Sender<Event>) {
        let earlier = self.0.lock().insert(id.to_owned(), (session, events.clone()));
        let Some((_, earlier)) = earlier.filter(|(holder, _)| *holder != session) else { return };
        let (done, left) = channel();
        if earlier.send(Event::Leave(id.to_owned(), done)).is_ok() {
            // The other session drops its sender when it has left or ended.
            let _ = left.recv_timeout(LEAVE_TIMEOUT);
        }
    }
}
