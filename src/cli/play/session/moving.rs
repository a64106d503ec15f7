//! Moves of people and of the engine, hints, and how games end.

use std::sync::Arc;

use super::{Session, numbered};
use crate::play::background::Background;
use crate::play::move_input;
use crate::play::news::News;
use crate::play::opponent::Opponent;
use crate::play::options::PlayOptions;
use qirkat_analysis::review::{Advice, AnalystBudget, EngineAnalyst, advise};
use qirkat_rules::variant::{AnyGame, AnyMove};

impl Session {
    /// Makes a whole legal move of a person.
    pub fn make(&mut self, mv: AnyMove) -> Vec<News> {
        let mut news = self.look();
        if self.may_move(&mut news) {
            self.play(mv, &mut news);
        }
        news
    }

    pub(super) fn make_move(&mut self, text: &str, news: &mut Vec<News>) {
        news.extend(self.look());
        if !self.may_move(news) {
            return;
        }
        match move_input::read(self.game.position(), text) {
            Ok(mv) => self.play(mv, news),
            // It names no point: rather a word than a move.
            Err(reason)
                if !text.contains(|letter: char| letter.is_ascii_digit() || letter == '-') =>
            {
                news.push(News::refused(&format!("{reason}; `help` lists what can be typed")));
            }
            Err(reason) => news.push(News::refused(&reason)),
        }
    }

    /// Whether a person may move; otherwise it is told why not.
    fn may_move(&self, news: &mut Vec<News>) -> bool {
        if let Some(ending) = self.game.ending() {
            let reason = format!("the game is over: {}; `new` begins another", ending.reason);
            news.push(News::refused(&reason));
            return false;
        }
        if self.game.is_engines_turn() {
            news.push(News::refused("it is the engine's turn"));
            return false;
        }
        true
    }

    /// Makes a legal move of either side.
    pub(super) fn play(&mut self, mv: AnyMove, news: &mut Vec<News>) {
        self.stop_thinking();
        let by_engine = self.game.is_engines_turn();
        let text = numbered(self.game.position(), mv);
        self.game.play(mv);
        self.is_saved = false;
        self.hint = None;
        news.push(News::Moved { text, by_engine });
        self.write_down(news);
        self.go_on(news);
    }

    /// The game goes on where it stands: it may be over, or it is the engine's turn.
    pub(super) fn go_on(&mut self, news: &mut Vec<News>) {
        if self.game.ending().is_some() {
            return self.tell_end(news);
        }
        if self.game.is_engines_turn() {
            self.think(news);
        }
    }

    pub(super) fn tell_end(&mut self, news: &mut Vec<News>) {
        let Some(ending) = self.game.ending() else { return };
        news.push(News::Ended(format!("The game is over: {}, {}.", ending.reason, ending.result)));
        if self.options.pgn.is_some() && self.is_unsaved() {
            self.save(None, news);
        }
    }

    fn think(&mut self, news: &mut Vec<News>) {
        let variant = self.game.position().variant();
        self.opponent.take_if(|opponent| opponent.variant() != variant);
        if self.opponent.is_none() {
            self.opponent = match Opponent::new(variant, &self.options.resources) {
                Ok(opponent) => Some(opponent),
                Err(error) => return news.push(cannot_think(&error)),
            };
        }
        let limits = self.game.reply_limits(self.options.think());
        let Some(opponent) = &mut self.opponent else { return };
        if let Err(error) = opponent.think(self.game.state(), limits, self.strength) {
            news.push(cannot_think(&error));
        }
    }

    pub(super) fn stop_thinking(&mut self) {
        if let Some(opponent) = &mut self.opponent {
            opponent.stop();
        }
        self.hint_search = None;
    }

    pub(super) fn look_for_hint(&mut self, news: &mut Vec<News>) {
        if self.may_move(news) {
            self.hint_search = None;
            match look_for_good_move(self.game.state(), &self.options) {
                Ok(search) => self.hint_search = Some(search),
                Err(error) => news.push(cannot_think(&error)),
            }
        }
    }

    pub(super) fn tell_hint(
        &mut self,
        found: anyhow::Result<Option<Advice>>,
        news: &mut Vec<News>,
    ) {
        match found {
            Ok(Some(Advice { mv, text })) => {
                self.hint = Some(mv);
                news.push(News::Said(format!("Hint: {text}")));
            }
            Ok(None) => news.push(News::refused("the engine has found no move")),
            Err(error) => news.push(cannot_think(&error)),
        }
    }

    pub(super) fn take_back(&mut self, news: &mut Vec<News>) {
        match self.game.take_back() {
            0 => news.push(News::refused("there is no move of yours to take back")),
            plies => {
                self.stop_thinking();
                self.hint = None;
                self.is_saved = self.game.is_empty();
                self.write_down(news);
                let moves = if plies == 1 { "a move" } else { "two moves" };
                news.push(News::Said(format!("Took back {moves}.")));
                self.go_on(news);
            }
        }
    }

    pub(super) fn resign(&mut self, news: &mut Vec<News>) {
        if self.game.ending().is_some() {
            news.push(News::refused("the game is over"));
        } else {
            self.game.resign();
            self.end(news);
        }
    }

    /// Between people a draw is agreed; the engine takes it when it hopes for no more.
    pub(super) fn offer_draw(&mut self, news: &mut Vec<News>) {
        if self.game.ending().is_some() {
            return news.push(News::refused("the game is over"));
        }
        if self.game.offer_draw(self.opponent.as_ref().and_then(Opponent::last_score)) {
            self.end(news);
        } else {
            news.push(News::Said("The engine would like to play on.".to_owned()));
        }
    }

    /// The game was ended otherwise than by a move.
    fn end(&mut self, news: &mut Vec<News>) {
        self.stop_thinking();
        self.is_saved = self.game.is_empty();
        self.tell_end(news);
    }
}

fn cannot_think(error: &anyhow::Error) -> News {
    News::refused(&format!("the engine cannot think: {error:#}"))
}

/// Positions that a search for a hint visits; those that check what is said of it, many times
/// as many. All of them together take some seconds at most.
const HINT_NODES: u64 = 40_000;

/// Begins to look for a good move where a game stands.
///
/// # Errors
/// When there is no thread for it.
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
