//! One session: a game, the engine as an opponent, and the user's commands. Screen and line mode
//! both use it; it never blocks.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::anyhow;

use super::options::{PlayOptions, Side};
use super::played_game::{self, DEFAULT_FILE, PLAYER_TAGS, PlayedGame, SavedGame, SavedText};
use super::user_input;
use crate::shared::review_report::{self, ReportStyle};
use crate::shared::terminal;
use qirkat_analysis::casual::{Strength, clock_text, points_of};
use qirkat_analysis::review::{
    Advice, AnalystBudget, EngineAnalyst, GameReview, LeftBook, advise, review_game,
};
use qirkat_engine::book::Book;
use qirkat_engine::{AnySearcher, Background, ELO_RANGE, FULL_SKILL, SearchLine, Settings};
use qirkat_game::score::Score;
use qirkat_game::{Color, Rules};
use qirkat_rules::pgn::{MoveNumber, PgnGame};
use qirkat_rules::variant::{AnyMove, AnyPosition};
use qirkat_search::SearchControl;

/// Columns that the screen leaves free at either side of a page.
pub(crate) const PAGE_MARGIN: u16 = 1;
const LIST_WIDTH: usize = 78;

type Work<T> = Background<anyhow::Result<T>>;

/// The result of work that has ended.
fn result_of<T: Send + 'static>(work: &mut Work<T>) -> Option<anyhow::Result<T>> {
    let result = work.result()?;
    Some(result.unwrap_or_else(|_| Err(anyhow!("the search has failed"))))
}

/// How a review is shown.
#[derive(Clone, Copy)]
enum ReviewView {
    Graph,
    Report,
}

struct ReviewTask {
    view: ReviewView,
    game: PgnGame,
    done: Arc<AtomicU64>,
    work: Work<GameReview>,
}

/// Nodes of each search for a hint or a review. Verifying a hint's text takes many times more: a few
/// seconds. The review of a long game takes about ten seconds.
const NODES: u64 = 40_000;

pub(crate) struct Session {
    options: Arc<PlayOptions>,
    pub game: PlayedGame,
    pub strength: Strength,
    /// The engine, created when first needed.
    searcher: Option<Arc<Mutex<AnySearcher>>>,
    reply: Option<Work<(Option<AnyMove>, Option<Score>)>>,
    /// The score of the engine's last search, from the engine's side.
    last_score: Option<Score>,
    /// The move shown as a hint, until the next move.
    pub hint: Option<AnyMove>,
    hint_search: Option<Work<Option<Advice>>>,
    review: Option<ReviewTask>,
    /// The last review, and the game that it is about.
    reviewed: Option<(PgnGame, GameReview)>,
    /// Whether Black is at the bottom.
    pub flipped: bool,
    /// Whether moves or the result are not saved yet, apart from automatic saving.
    pub needs_saving: bool,
    /// How it was last written to the file for automatic saving.
    saved_text: Option<SavedText>,
    has_reported_autosave_fault: bool,
    notices: Vec<Notice>,
}

impl Session {
    pub fn new(options: Arc<PlayOptions>, start: AnyPosition) -> Session {
        let people = options.side.unwrap_or_default().people();
        let game = PlayedGame::new(start, people, options.tc);
        Session::with(options, game)
    }

    /// A session that resumes a game from a file. Options override the file.
    pub fn resumed(options: Arc<PlayOptions>, record: PgnGame) -> Session {
        let strength = options.strength().or(strength_in(&record));
        let game = PlayedGame::resumed(record, options.side.map(Side::people), options.tc);
        let mut session = Session::with(options, game);
        session.strength = strength.unwrap_or(Strength::USUAL);
        session
    }

    fn with(options: Arc<PlayOptions>, game: PlayedGame) -> Session {
        Session {
            flipped: is_black_below(&game),
            game,
            strength: options.strength().unwrap_or(Strength::USUAL),
            searcher: None,
            reply: None,
            last_score: None,
            hint: None,
            hint_search: None,
            review: None,
            reviewed: None,
            needs_saving: false,
            saved_text: None,
            has_reported_autosave_fault: false,
            notices: Vec::new(),
            options,
        }
    }

    pub fn file(&self) -> Option<&Path> {
        self.options.pgn.as_deref()
    }

    /// What the engine is doing, if it is searching.
    pub fn search_text(&self) -> Option<&'static str> {
        let replies = self.reply.as_ref().map(|_| "Qirkat thinks: ");
        replies.or(self.hint_search.as_ref().map(|_| "Looking for a hint: "))
    }

    /// A review's progress: moves done, and moves in total.
    pub fn review_progress(&self) -> Option<(u64, usize)> {
        let task = self.review.as_ref()?;
        Some((task.done.load(Ordering::Relaxed), task.game.moves.len()))
    }

    pub fn is_busy(&self) -> bool {
        self.search_text().is_some() || self.review.is_some()
    }

    /// Starts the game: the engine may move first, or the game may be over.
    pub fn start(&mut self) -> Vec<Notice> {
        let name = self.strength.name();
        let who = match self.game.casual.people {
            [true, true] => "two players at one board".to_owned(),
            [true, false] => format!("you play White against {name}"),
            _ => format!("you play Black against {name}"),
        };
        let variant = self.game.position().variant().title();
        let moves = self.game.position().legal_moves();
        let example = moves.get(moves.len() / 2);
        let example = example.map_or("e4".to_owned(), |&mv| self.game.position().san(mv));
        let mut before = self.game.state.clone();
        let last = before.undo().map(|mv| numbered(before.position(), mv));
        let resumed = last.map_or(String::new(), |last| format!(" It continues after {last}."));
        self.inform(format!("{variant}, {who}.{resumed} Type a move such as {example}, or help."));
        self.go_on();
        std::mem::take(&mut self.notices)
    }

    fn inform(&mut self, text: String) {
        self.notices.push(Notice::Message(text));
    }

    fn refuse(&mut self, reason: &str) {
        self.notices.push(Notice::refused(reason));
    }

    fn report_engine_error(&mut self, error: &anyhow::Error) {
        self.refuse(&format!("the engine cannot think: {error:#}"));
    }

    /// Executes a line: a command, or else a move.
    pub fn execute(&mut self, line: &str) -> Vec<Notice> {
        if let Err(reason) = self.try_to_execute(line) {
            self.refuse(&reason);
        }
        std::mem::take(&mut self.notices)
    }

    fn try_to_execute(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = user_input::split(line);
        if !rest.is_empty() && user_input::takes_no_argument(&word) {
            return Err(format!("nothing can follow `{word}`"));
        }
        let named = Some(rest).filter(|rest| !rest.is_empty());
        match word.as_str() {
            "hint" => self.look_for_hint(),
            "back" => self.take_back(),
            "flip" => {
                self.flipped = !self.flipped;
                self.notices.push(Notice::Board);
            }
            "draw" => self.offer_draw(),
            "resign" => self.resign(),
            "graph" => self.begin_review(ReviewView::Graph),
            "review" => self.begin_review(ReviewView::Report),
            "load" => self.load(named.map(path)),
            "save" => self.save(named.map(path)),
            "new" => {
                let (side, variant) = user_input::side_and_variant(rest)?;
                let people = side.map_or(self.game.casual.people, Side::people);
                let variant = variant.unwrap_or(self.game.position().variant());
                let game = PlayedGame::new(variant.start(), people, self.options.tc);
                self.change_game(game, self.strength);
            }
            "level" => {
                self.set_strength(Strength::Level(user_input::number(rest, (0, FULL_SKILL))?))
            }
            "elo" => self.set_strength(Strength::Elo(user_input::number(rest, ELO_RANGE)?)),
            "moves" => self.list_moves(named.map(str::to_lowercase).as_deref()),
            "board" => self.notices.push(Notice::Board),
            "pieces" => {
                let text = user_input::in_words(self.game.position());
                self.show("The pieces and their points", text);
            }
            "clock" => self.inform(self.clocks_in_words()),
            "help" => self.show("Help", user_input::help(terminal::width())),
            "quit" => self.notices.push(Notice::Leave),
            _ => self.make_move(line.trim()),
        }
        Ok(())
    }

    fn show(&mut self, title: &str, text: String) {
        self.notices.push(Notice::Page { title: title.to_owned(), text });
    }

    fn set_strength(&mut self, strength: Strength) {
        self.strength = strength;
        self.inform(format!("{} from the next move on.", strength.name()));
    }

    pub fn poll(&mut self) -> Vec<Notice> {
        if self.game.casual.check_clocks(self.game.state.position()) {
            self.end();
        }
        if let Some(result) = self.reply.as_mut().and_then(result_of) {
            self.reply = None;
            match result {
                Ok((Some(mv), score)) => {
                    self.last_score = score;
                    self.play(mv);
                }
                Ok((None, _)) => self.refuse("the engine has found no move"),
                Err(error) => self.report_engine_error(&error),
            }
        }
        if let Some(result) = self.hint_search.as_mut().and_then(result_of) {
            self.hint_search = None;
            match result {
                Ok(Some(Advice { mv, text })) => {
                    self.hint = Some(mv);
                    self.inform(format!("Hint: {text}"));
                }
                Ok(None) => self.refuse("the engine has found no move"),
                Err(error) => self.report_engine_error(&error),
            }
        }
        if let Some(result) = self.review.as_mut().and_then(|task| result_of(&mut task.work))
            && let Some(task) = self.review.take()
        {
            match result {
                Ok(review) => {
                    self.reviewed = Some((task.game, review));
                    self.show_review(task.view);
                }
                Err(error) => self.refuse(&format!("{error:#}")),
            }
        }
        std::mem::take(&mut self.notices)
    }

    pub fn make(&mut self, mv: AnyMove) -> Vec<Notice> {
        self.notices = self.poll();
        if self.may_move() {
            self.play(mv);
        }
        std::mem::take(&mut self.notices)
    }

    fn make_move(&mut self, text: &str) {
        self.notices = self.poll();
        if !self.may_move() {
            return;
        }
        match user_input::read(self.game.position(), text) {
            Ok(mv) => self.play(mv),
            // A text without a point is probably a mistyped command.
            Err(reason)
                if !text.contains(|letter: char| letter.is_ascii_digit() || letter == '-') =>
            {
                self.refuse(&format!("{reason}; `help` lists what can be typed"));
            }
            Err(reason) => self.refuse(&reason),
        }
    }

    /// Whether a person may move; otherwise reports why not.
    fn may_move(&mut self) -> bool {
        if let Some(ending) = self.game.ending() {
            let reason = format!("the game is over: {}; `new` begins another", ending.reason);
            self.refuse(&reason);
            return false;
        }
        if self.game.is_engines_turn() {
            self.refuse("it is the engine's turn");
            return false;
        }
        true
    }

    fn play(&mut self, mv: AnyMove) {
        self.stop_thinking();
        let by_engine = self.game.is_engines_turn();
        let text = numbered(self.game.position(), mv);
        self.game.play(mv);
        self.needs_saving = true;
        self.hint = None;
        self.notices.push(Notice::Moved { text, by_engine });
        self.autosave();
        self.go_on();
    }

    /// Continues from the current position: the game may be over, or the engine to move.
    fn go_on(&mut self) {
        if self.game.ending().is_some() {
            return self.announce_result();
        }
        if self.game.is_engines_turn() {
            match self.begin_reply() {
                Ok(reply) => self.reply = Some(reply),
                Err(error) => self.report_engine_error(&error),
            }
        }
    }

    fn announce_result(&mut self) {
        let Some(ending) = self.game.ending() else { return };
        self.notices.push(Notice::Ended(format!(
            "The game is over: {}, {}.",
            ending.reason, ending.result
        )));
        if self.options.pgn.is_some() && self.needs_saving {
            self.save(None);
        }
    }

    fn begin_reply(&mut self) -> anyhow::Result<Work<(Option<AnyMove>, Option<Score>)>> {
        let (game, think) = (&self.game, self.options.think());
        let mut limits = game.casual.reply_limits(game.position(), game.side_to_move(), think);
        let mut settings = Settings::default();
        self.strength.apply(&mut settings);
        limits.handicap = settings.handicap();
        let searcher = match &self.searcher {
            Some(searcher) => searcher,
            None => {
                let searcher = self.options.resources.searcher(self.game.position().variant())?;
                self.searcher.insert(Arc::new(Mutex::new(searcher)))
            }
        };
        let (searcher, game) = (Arc::clone(searcher), self.game.state.clone());
        let reply = Background::start("search", move |stop| {
            let mut searcher = searcher.lock().unwrap_or_else(PoisonError::into_inner);
            let mut score = None;
            let control = SearchControl::with_stop_flag(stop);
            let mut report = |line: &SearchLine| {
                if line.rank == 1 {
                    score = Some(line.score);
                }
            };
            let result = searcher.search_under(&control, &game, &[], &limits, &mut report);
            Ok((result.best, score))
        });
        Ok(reply?)
    }

    fn stop_thinking(&mut self) {
        self.reply = None;
        self.hint_search = None;
    }

    fn look_for_hint(&mut self) {
        if self.may_move() {
            self.hint_search = None;
            let (game, options) = (self.game.state.clone(), Arc::clone(&self.options));
            let search = Background::start("hint", move |stop| {
                let variant = game.position().variant();
                let mut analyst = EngineAnalyst::new(AnalystBudget::Nodes(NODES), 1, stop);
                analyst.begin(variant, || options.resources.searcher(variant))?;
                Ok(advise(&game, &mut analyst))
            });
            match search {
                Ok(search) => self.hint_search = Some(search),
                Err(error) => self.report_engine_error(&error.into()),
            }
        }
    }

    fn take_back(&mut self) {
        match self.game.take_back() {
            0 => self.refuse("there is no move of yours to take back"),
            plies => {
                self.stop_thinking();
                self.hint = None;
                self.needs_saving = !self.game.state.moves().is_empty();
                self.autosave();
                let moves = if plies == 1 { "a move" } else { "two moves" };
                self.inform(format!("Took back {moves}."));
                self.go_on();
            }
        }
    }

    fn resign(&mut self) {
        if self.game.ending().is_some() {
            self.refuse("the game is over");
        } else {
            self.game.casual.resign(self.game.side_to_move());
            self.end();
        }
    }

    /// Between people a draw is agreed; the engine accepts unless it expects more.
    fn offer_draw(&mut self) {
        if self.game.ending().is_some() {
            return self.refuse("the game is over");
        }
        if self.game.casual.offer_draw(self.last_score, self.game.state.position()) {
            self.end();
        } else {
            self.inform("The engine would like to play on.".to_owned());
        }
    }

    fn end(&mut self) {
        self.stop_thinking();
        self.needs_saving = !self.game.state.moves().is_empty();
        self.announce_result();
    }

    /// Replaces this game by the last unfinished one of a file.
    fn load(&mut self, path: Option<PathBuf>) {
        let path = self.file_or_default(path);
        let SavedGame { record, fault } = match played_game::find_saved(&path, None) {
            Ok(saved) => saved,
            Err(error) => return self.refuse(&format!("cannot load {error:#}")),
        };
        if let Some(fault) = fault {
            self.inform(format!("{}: {fault}, left out.", path.display()));
        }
        let strength = strength_in(&record).unwrap_or(self.strength);
        self.change_game(PlayedGame::resumed(record, None, None), strength);
    }

    fn change_game(&mut self, game: PlayedGame, strength: Strength) {
        self.stop_thinking();
        if let Some(message) = self.save_unsaved() {
            self.inform(message);
        }
        self.searcher = None;
        self.last_score = None;
        self.review = None;
        self.hint = None;
        self.needs_saving = false;
        self.saved_text = None;
        self.flipped = is_black_below(&game);
        (self.game, self.strength) = (game, strength);
        self.notices = self.start();
        self.notices.push(Notice::Board);
    }

    fn file_or_default(&self, path: Option<PathBuf>) -> PathBuf {
        path.unwrap_or_else(|| self.file().unwrap_or(Path::new(DEFAULT_FILE)).to_owned())
    }

    fn record(&self) -> PgnGame {
        self.game.to_pgn(&self.strength.name())
    }

    fn save(&mut self, path: Option<PathBuf>) {
        if self.game.sans().is_empty() {
            return self.refuse("there are no moves to save yet");
        }
        let (path, record) = (self.file_or_default(path), self.record());
        let is_own = self.file() == Some(&path);
        let saved_text = if is_own { &mut self.saved_text } else { &mut None };
        match played_game::save(&path, saved_text, &record) {
            Ok(()) => {
                self.needs_saving = false;
                self.inform(format!("The game was added to {}.", path.display()));
            }
            Err(error) => self.refuse(&format!("cannot save to {error:#}")),
        }
    }

    /// Saves the current game to the file for automatic saving, so that it is never lost.
    fn autosave(&mut self) {
        let record = self.record();
        if let Some(path) = &self.options.pgn
            && (!path.exists() || path.is_file())
            && let Err(error) = played_game::save(path, &mut self.saved_text, &record)
            && !std::mem::replace(&mut self.has_reported_autosave_fault, true)
        {
            self.refuse(&format!("cannot save to {error:#}"));
        }
    }

    /// Saves an unsaved game, and reports the file.
    pub fn save_unsaved(&mut self) -> Option<String> {
        if !std::mem::take(&mut self.needs_saving) {
            return None;
        }
        let record = self.record();
        let fault = match self.options.pgn.as_deref() {
            Some(path) => match played_game::save(path, &mut self.saved_text, &record) {
                Ok(()) => return Some(saved_in(path)),
                Err(error) => format!("Not saved to {error:#}. "),
            },
            None => String::new(),
        };
        Some(match played_game::rescue(&record) {
            Ok(path) => format!("{fault}{}", saved_in(&path)),
            Err(error) => format!("{fault}The game could not be saved: {error:#}."),
        })
    }

    fn begin_review(&mut self, view: ReviewView) {
        let record = self.record();
        if record.moves.is_empty() {
            return self.refuse("there is nothing to review yet");
        }
        if let Some((known, _)) = &mut self.reviewed
            && (known.start, &known.moves) == (record.start, &record.moves)
        {
            // The result may be new.
            *known = record;
            return self.show_review(view);
        }
        if let Some(task) = &mut self.review
            && task.game.moves == record.moves
        {
            task.view = view;
            return;
        }
        // A running review is about other moves.
        self.review = None;
        let done = Arc::<AtomicU64>::default();
        let (game, counter, options) =
            (record.clone(), Arc::clone(&done), Arc::clone(&self.options));
        let work = Background::start("review", move |stop| {
            let moves = game.moves.len() as u64;
            let mut analyst = EngineAnalyst::new(AnalystBudget::Nodes(NODES), moves, stop);
            let variant = game.start.variant();
            analyst.begin(variant, || options.resources.searcher(variant))?;
            analyst.on_reviewed(move |_| _ = counter.fetch_add(1, Ordering::Relaxed));
            let left_book = LeftBook::of(&game, Book::embedded(variant));
            Ok(GameReview { left_book, ..review_game(&game, &mut analyst) })
        });
        match work {
            Ok(work) => {
                self.review = Some(ReviewTask { view, game: record, done, work });
                self.inform("Reviewing the moves ...".to_owned());
            }
            Err(error) => self.refuse(&format!("{error:#}")),
        }
    }

    fn show_review(&mut self, view: ReviewView) {
        let Some((game, review)) = &self.reviewed else { return };
        let unicode = terminal::shows_unicode() && !self.options.ascii;
        let width = terminal::width() - 2 * usize::from(PAGE_MARGIN);
        let style = ReportStyle { all_moves: true, width, unicode };
        let (title, text) = match view {
            ReviewView::Graph => (
                "White's chances, by a search of each position",
                review_report::graph(review, width, unicode),
            ),
            ReviewView::Report => ("Review", review_report::text(game, 1, review, style)),
        };
        self.show(title, text);
    }

    /// Cancels a review or hint search; returns whether there was one.
    pub fn cancel_background(&mut self) -> bool {
        let reviewing = self.review.take().is_some();
        let hinting = self.hint_search.take().is_some();
        reviewing || hinting
    }

    fn list_moves(&mut self, from: Option<&str>) {
        let position = self.game.position();
        if let Some(point) = from
            && let Some(reason) = user_input::why_not_from(position, point)
        {
            return self.refuse(&reason);
        }
        let moves = position.legal_moves().into_iter();
        let moves = moves.filter(|&mv| {
            from.is_none_or(|from| points_of(mv).0.first().is_some_and(|point| point == from))
        });
        let mut written: Vec<String> = moves.map(|mv| position.san(mv)).collect();
        written.sort();
        if written.is_empty() {
            return self.refuse("there is no legal move");
        }
        let lead = format!("{} legal: ", written.len());
        let text = terminal::wrapped(&lead, &written, LIST_WIDTH.min(terminal::width()), 2);
        self.show("Moves", text);
    }

    fn clocks_in_words(&self) -> String {
        let side = |color: Color| {
            let left = self.game.left(color)?;
            Some(format!("{color:?} {}", clock_text(left)))
        };
        match (side(Color::White), side(Color::Black)) {
            (Some(white), Some(black)) => format!("{white}, {black}"),
            _ => "There are no clocks.".to_owned(),
        }
    }
}

fn is_black_below(game: &PlayedGame) -> bool {
    game.casual.people == [false, true]
}

fn strength_in(record: &PgnGame) -> Option<Strength> {
    PLAYER_TAGS.into_iter().find_map(|tag| Strength::of_name(record.tag(tag)?))
}

/// A legal move with its number, as in `3. Nc3` and `3...Nc6`.
fn numbered(position: &AnyPosition, mv: AnyMove) -> String {
    let number = MoveNumber::of(position).to_string();
    let space = if number.ends_with("...") { "" } else { " " };
    format!("{number}{space}{}", position.san(mv))
}

fn saved_in(path: &Path) -> String {
    format!("The game is saved in {}.", path.display())
}

/// A path; `~/` is expanded, since no shell has done so.
fn path(text: &str) -> PathBuf {
    match (text.strip_prefix("~/"), dirs::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(text),
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Notice {
    Message(String),
    Refused(String),
    /// A move was made, as in `3. Nc3`.
    Moved {
        text: String,
        by_engine: bool,
    },
    Ended(String),
    Page {
        title: String,
        text: String,
    },
    Board,
    Leave,
}

impl Notice {
    /// An error message as a sentence, with a capital and a full stop.
    pub fn refused(reason: &str) -> Notice {
        let mut letters = reason.chars();
        let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        let stop = if reason.ends_with(['.', '!', '?']) { "" } else { "." };
        Notice::Refused(format!("{first}{}{stop}", letters.as_str()))
    }
}

#[cfg(test)]
pub(super) mod tests;
