//! One session: a game, the engine as an opponent, and the user's commands. Screen and line mode
//! both use it; it never blocks.

use std::path::Path;
use std::sync::Arc;

use super::background::{Background, News, Opponent, ReviewTask, Wanted, page};
use super::command::{self, Command};
use super::game_files::{self, PlaceInFile, SavedGame, USUAL_FILE};
use super::played_game::PlayedGame;
use super::{PlayOptions, Side, move_input};
use crate::shared::terminal;
use qirkat_analysis::casual::{Strength, clock_text, points_of};
use qirkat_analysis::review::{Advice, AnalystBudget, EngineAnalyst, GameReview, advise};
use qirkat_game::{Color, Rules};
use qirkat_rules::pgn::{MoveNumber, PgnGame};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    Reply,
    Hint,
}

pub(crate) struct Session {
    options: Arc<PlayOptions>,
    pub game: PlayedGame,
    pub strength: Strength,
    /// Created when first needed.
    opponent: Option<Opponent>,
    /// The move shown as a hint, until the next move.
    pub hint: Option<AnyMove>,
    hint_search: Option<Background<Option<Advice>>>,
    review: Option<ReviewTask>,
    /// The last review, and the game that it is about.
    reviewed: Option<(PgnGame, GameReview)>,
    /// Whether Black is at the bottom.
    pub flipped: bool,
    pub is_saved: bool,
    /// Its place in the file for automatic saving.
    place: Option<PlaceInFile>,
    /// Whether the user was warned that saving fails.
    has_warned: bool,
    /// Messages not yet shown.
    news: Vec<News>,
}

impl Session {
    pub fn new(options: Arc<PlayOptions>, start: AnyPosition) -> Session {
        let people = options.side.unwrap_or_default().people();
        let game = PlayedGame::new(start, people, options.tc);
        Session::with(options, game)
    }

    /// A session that resumes a game from a file. Options override the file.
    pub fn going_on(options: Arc<PlayOptions>, record: PgnGame) -> Session {
        let strength = options.strength().or(strength_in(&record));
        let game = PlayedGame::going_on(record, options.side.map(Side::people), options.tc);
        let mut session = Session::with(options, game);
        session.strength = strength.unwrap_or(Strength::USUAL);
        session
    }

    fn with(options: Arc<PlayOptions>, game: PlayedGame) -> Session {
        Session {
            flipped: is_seen_by_black(&game),
            game,
            strength: options.strength().unwrap_or(Strength::USUAL),
            opponent: None,
            hint: None,
            hint_search: None,
            review: None,
            reviewed: None,
            is_saved: true,
            place: None,
            has_warned: false,
            news: Vec::new(),
            options,
        }
    }

    pub fn file(&self) -> Option<&Path> {
        self.options.pgn.as_deref()
    }

    /// What the engine is searching for, if it is searching.
    pub fn thinks(&self) -> Option<Purpose> {
        match (&self.opponent, &self.hint_search) {
            (Some(opponent), _) if opponent.is_running => Some(Purpose::Reply),
            (_, hint) => hint.as_ref().map(|_| Purpose::Hint),
        }
    }

    /// A review's progress: moves done, and moves in total.
    pub fn review_progress(&self) -> Option<(u64, usize)> {
        self.review.as_ref().map(ReviewTask::progress)
    }

    pub fn is_busy(&self) -> bool {
        self.thinks().is_some() || self.review.is_some()
    }

    /// Starts the game: the engine may move first, or the game may be over.
    pub fn begin(&mut self) -> Vec<News> {
        let name = self.strength.name();
        let who = match self.game.play.people {
            [true, true] => "two players at one board".to_owned(),
            [true, false] => format!("you play White against {name}"),
            _ => format!("you play Black against {name}"),
        };
        let variant = self.game.position().variant().title();
        let example = self.example();
        let going_on = self.last_move().map(|last| format!(" It goes on after {last}."));
        let going_on = going_on.unwrap_or_default();
        self.say(format!("{variant}, {who}.{going_on} Type a move such as {example}, or help."));
        self.go_on();
        std::mem::take(&mut self.news)
    }

    fn say(&mut self, text: String) {
        self.news.push(News::Said(text));
    }

    fn refuse(&mut self, reason: &str) {
        self.news.push(News::refused(reason));
    }

    fn last_move(&self) -> Option<String> {
        let mut before = self.game.state.clone();
        let mv = before.undo()?;
        Some(numbered(before.position(), mv))
    }

    fn example(&self) -> String {
        let position = self.game.position();
        let moves = position.legal_moves();
        moves.get(moves.len() / 2).map_or_else(|| "e4".to_owned(), |&mv| position.san(mv))
    }

    pub fn obey(&mut self, command: Command) -> Vec<News> {
        match command {
            Command::Move(text) => self.make_move(&text),
            Command::Hint => self.look_for_hint(),
            Command::TakeBack => self.take_back(),
            Command::Flip => {
                self.flipped = !self.flipped;
                self.news.push(News::Board);
            }
            Command::OfferDraw => self.offer_draw(),
            Command::Resign => self.resign(),
            Command::Graph => self.begin_review(Wanted::Graph),
            Command::Review => self.begin_review(Wanted::Report),
            Command::Load(path) => self.load(path.as_deref()),
            Command::Save(path) => self.save(path.as_deref()),
            Command::New(side, variant) => self.begin_again(side, variant),
            Command::Strength(strength) => {
                self.strength = strength;
                self.say(format!("{} from the next move on.", strength.name()));
            }
            Command::Moves(from) => self.list_moves(from.as_deref()),
            Command::Board => self.news.push(News::Board),
            Command::Pieces => self.news.push(News::Page {
                title: "Where everything stands".to_owned(),
                text: move_input::in_words(self.game.position()),
            }),
            Command::Clocks => self.say(self.clocks_in_words()),
            Command::Help => {
                self.news.push(News::Page {
                    title: "Help".to_owned(),
                    text: command::help(terminal::width()),
                });
            }
            Command::Quit => self.news.push(News::Leave),
        }
        std::mem::take(&mut self.news)
    }

    pub fn look(&mut self) -> Vec<News> {
        if self.game.play.check_clocks(self.game.side_to_move()) {
            self.stop_thinking();
            self.tell_end();
        }
        match self.opponent.as_mut().and_then(Opponent::found) {
            Some(Some(mv)) if self.game.is_engines_turn() => self.play(mv),
            Some(None) => self.refuse("the engine has found no move"),
            _ => {}
        }
        if let Some(result) = self.hint_search.as_mut().and_then(Background::result) {
            self.hint_search = None;
            self.tell_hint(result);
        }
        if let Some(result) = self.review.as_mut().and_then(|task| task.work.result())
            && let Some(task) = self.review.take()
        {
            match result {
                Ok(review) => {
                    self.reviewed = Some((task.game, review));
                    self.show_review(task.wanted);
                }
                Err(error) => self.refuse(&format!("{error:#}")),
            }
        }
        std::mem::take(&mut self.news)
    }
}

fn is_seen_by_black(game: &PlayedGame) -> bool {
    game.play.people == [false, true]
}

fn strength_in(record: &PgnGame) -> Option<Strength> {
    ["White", "Black"].into_iter().find_map(|tag| Strength::of_name(record.tag(tag)?))
}

/// A legal move with its number, as in `3. Nc3` and `3...Nc6`.
fn numbered(position: &AnyPosition, mv: AnyMove) -> String {
    let number = MoveNumber::of(position).to_string();
    let space = if number.ends_with("...") { "" } else { " " };
    format!("{number}{space}{}", position.san(mv))
}

impl Session {
    pub fn make(&mut self, mv: AnyMove) -> Vec<News> {
        self.news = self.look();
        if self.may_move() {
            self.play(mv);
        }
        std::mem::take(&mut self.news)
    }

    pub fn make_move(&mut self, text: &str) {
        self.news = self.look();
        if !self.may_move() {
            return;
        }
        match move_input::read(self.game.position(), text) {
            Ok(mv) => self.play(mv),
            // It names no point, so it is probably a mistyped command.
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

    pub fn play(&mut self, mv: AnyMove) {
        self.stop_thinking();
        let by_engine = self.game.is_engines_turn();
        let text = numbered(self.game.position(), mv);
        self.game.play(mv);
        self.is_saved = false;
        self.hint = None;
        self.news.push(News::Moved { text, by_engine });
        self.write_down();
        self.go_on();
    }

    /// Continues from the current position: the game may be over, or the engine to move.
    pub fn go_on(&mut self) {
        if self.game.ending().is_some() {
            return self.tell_end();
        }
        if self.game.is_engines_turn() {
            self.think();
        }
    }

    pub fn tell_end(&mut self) {
        let Some(ending) = self.game.ending() else { return };
        self.news
            .push(News::Ended(format!("The game is over: {}, {}.", ending.reason, ending.result)));
        if self.options.pgn.is_some() && !self.is_saved {
            self.save(None);
        }
    }

    fn think(&mut self) {
        let variant = self.game.position().variant();
        self.opponent.take_if(|opponent| opponent.variant() != variant);
        if self.opponent.is_none() {
            self.opponent = match Opponent::new(variant, &self.options.resources) {
                Ok(opponent) => Some(opponent),
                Err(error) => return self.news.push(cannot_think(&error)),
            };
        }
        let side = self.game.side_to_move();
        let limits = self.game.play.reply_limits(side, side, self.options.think());
        let Some(opponent) = &mut self.opponent else { return };
        if let Err(error) = opponent.think(&self.game.state, limits, self.strength) {
            self.news.push(cannot_think(&error));
        }
    }

    pub fn stop_thinking(&mut self) {
        if let Some(opponent) = &mut self.opponent {
            opponent.stop();
        }
        self.hint_search = None;
    }

    pub fn look_for_hint(&mut self) {
        if self.may_move() {
            self.hint_search = None;
            match look_for_good_move(&self.game.state, &self.options) {
                Ok(search) => self.hint_search = Some(search),
                Err(error) => self.news.push(cannot_think(&error)),
            }
        }
    }

    pub fn tell_hint(&mut self, found: anyhow::Result<Option<Advice>>) {
        match found {
            Ok(Some(Advice { mv, text })) => {
                self.hint = Some(mv);
                self.say(format!("Hint: {text}"));
            }
            Ok(None) => self.refuse("the engine has found no move"),
            Err(error) => self.news.push(cannot_think(&error)),
        }
    }

    pub fn take_back(&mut self) {
        match self.game.take_back() {
            0 => self.refuse("there is no move of yours to take back"),
            plies => {
                self.stop_thinking();
                self.hint = None;
                self.is_saved = self.game.state.moves().is_empty();
                self.write_down();
                let moves = if plies == 1 { "a move" } else { "two moves" };
                self.say(format!("Took back {moves}."));
                self.go_on();
            }
        }
    }

    pub fn resign(&mut self) {
        if self.game.ending().is_some() {
            self.refuse("the game is over");
        } else {
            self.game.play.resign(self.game.side_to_move());
            self.end();
        }
    }

    /// Between people a draw is agreed; the engine accepts unless it expects more.
    pub fn offer_draw(&mut self) {
        if self.game.ending().is_some() {
            return self.refuse("the game is over");
        }
        let score = self.opponent.as_ref().and_then(|opponent| opponent.last_score);
        if self.game.play.offer_draw(score, self.game.state.position()) {
            self.end();
        } else {
            self.say("The engine would like to play on.".to_owned());
        }
    }

    fn end(&mut self) {
        self.stop_thinking();
        self.is_saved = self.game.state.moves().is_empty();
        self.tell_end();
    }
}

fn cannot_think(error: &anyhow::Error) -> News {
    News::refused(&format!("the engine cannot think: {error:#}"))
}

/// Nodes of a hint's search; those that verify its description take many times as many. Together
/// they take a few seconds at most.
const HINT_NODES: u64 = 40_000;

fn look_for_good_move(
    game: &AnyGame,
    options: &Arc<PlayOptions>,
) -> anyhow::Result<Background<Option<Advice>>> {
    let (game, options) = (game.clone(), Arc::clone(options));
    Background::start("hint", move |stop| {
        let variant = game.position().variant();
        let mut analyst = EngineAnalyst::new(AnalystBudget::Nodes(HINT_NODES), 1, stop);
        analyst.begin(variant, || options.resources.searcher(variant))?;
        Ok(advise(&game, &mut analyst))
    })
}

impl Session {
    pub fn begin_again(&mut self, side: Option<Side>, variant: Option<Variant>) {
        let people = side.map_or(self.game.play.people, Side::people);
        let variant = variant.unwrap_or(self.game.position().variant());
        self.change_game(PlayedGame::new(variant.start(), people, self.options.tc));
    }

    /// Replaces this game by the last unfinished one of a file.
    pub fn load(&mut self, path: Option<&Path>) {
        let path = path.or(self.file()).unwrap_or(Path::new(USUAL_FILE));
        let SavedGame { record, fault } = match game_files::find(path, None) {
            Ok(saved) => saved,
            Err(error) => return self.refuse(&format!("cannot load {error:#}")),
        };
        if let Some(fault) = fault {
            self.say(format!("{}: {fault}, left out.", path.display()));
        }
        self.strength = strength_in(&record).unwrap_or(self.strength);
        self.change_game(PlayedGame::going_on(record, None, None));
    }

    fn change_game(&mut self, game: PlayedGame) {
        self.stop_thinking();
        if let Some(kept) = self.keep() {
            self.say(kept);
        }
        self.opponent = None;
        self.review = None;
        self.hint = None;
        self.is_saved = true;
        self.place = None;
        self.flipped = is_seen_by_black(&game);
        self.game = game;
        self.news = self.begin();
        self.news.push(News::Board);
    }

    pub fn record(&self) -> PgnGame {
        self.game.to_pgn(&self.strength.name())
    }

    pub fn save(&mut self, path: Option<&Path>) {
        if self.game.sans().is_empty() {
            return self.refuse("there are no moves to save yet");
        }
        let path = path.or(self.file()).unwrap_or(Path::new(USUAL_FILE)).to_owned();
        let is_usual = self.file() == Some(&path);
        let place = if is_usual { &mut self.place } else { &mut None };
        match game_files::write_down(&path, place, &self.game.to_pgn(&self.strength.name())) {
            Ok(()) => {
                self.is_saved = true;
                self.say(format!("The game was added to {}.", path.display()));
            }
            Err(error) => self.refuse(&format!("cannot save to {error:#}")),
        }
    }

    /// Saves the current game to the file for automatic saving, so that it is never lost.
    pub fn write_down(&mut self) {
        let Some(path) =
            self.options.pgn.as_deref().filter(|path| !path.exists() || path.is_file())
        else {
            return;
        };
        let record = self.game.to_pgn(&self.strength.name());
        if let Err(error) = game_files::write_down(path, &mut self.place, &record)
            && !std::mem::replace(&mut self.has_warned, true)
        {
            self.refuse(&format!("cannot save to {error:#}"));
        }
    }

    /// Saves an unsaved game, and reports the file.
    pub fn keep(&mut self) -> Option<String> {
        if self.is_saved {
            return None;
        }
        self.is_saved = true;
        let record = self.record();
        let fault = match self.options.pgn.as_deref() {
            Some(path) => match game_files::write_down(path, &mut self.place, &record) {
                Ok(()) => return Some(kept_in(path)),
                Err(error) => format!("Not saved to {error:#}. "),
            },
            None => String::new(),
        };
        Some(match game_files::rescue(&record) {
            Ok(path) => format!("{fault}{}", kept_in(&path)),
            Err(error) => format!("{fault}The game could not be kept: {error:#}."),
        })
    }
}

fn kept_in(path: &Path) -> String {
    format!("The game is kept in {}.", path.display())
}

const LIST_WIDTH: usize = 78;

impl Session {
    pub fn begin_review(&mut self, wanted: Wanted) {
        let record = self.record();
        if record.moves.is_empty() {
            return self.refuse("there is nothing to review yet");
        }
        if let Some((known, _)) = &mut self.reviewed
            && known.moves == record.moves
        {
            // The result may be new.
            *known = record;
            return self.show_review(wanted);
        }
        if let Some(task) = &mut self.review
            && task.game.moves == record.moves
        {
            task.wanted = wanted;
            return;
        }
        // A running review is about other moves.
        self.review = None;
        match ReviewTask::start(record, wanted, &self.options) {
            Ok(task) => {
                self.review = Some(task);
                self.say("Going through the moves ...".to_owned());
            }
            Err(error) => self.refuse(&format!("{error:#}")),
        }
    }

    pub fn show_review(&mut self, wanted: Wanted) {
        if let Some((game, review)) = &self.reviewed {
            self.news.push(page(game, review, wanted, self.options.ascii));
        }
    }

    /// Cancels a review or hint search; returns whether there was one.
    pub fn break_off(&mut self) -> bool {
        let reviewing = self.review.take().is_some();
        let hinting = self.hint_search.take().is_some();
        reviewing || hinting
    }

    pub fn list_moves(&mut self, from: Option<&str>) {
        let position = self.game.position();
        if let Some(point) = from
            && let Some(reason) = move_input::why_not_from(position, point)
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
        self.news.push(News::Page { title: "Moves".to_owned(), text });
    }

    pub fn clocks_in_words(&self) -> String {
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

#[cfg(test)]
pub(super) mod tests;
