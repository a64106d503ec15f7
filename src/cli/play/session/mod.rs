//! One sitting: a game, the engine as an opponent, and what a person asks for. Screen and
//! line mode both talk to it; it never waits.

mod keeping;
mod moving;
mod telling;

use std::path::Path;
use std::sync::Arc;

use super::background::Background;
use super::command::{self, Command};
use super::news::News;
use super::opponent::Opponent;
use super::options::{PlayOptions, Side};
use super::piece_letters;
use super::played_game::PlayedGame;
use super::review::{ReviewTask, Wanted};
use super::saving::Place;
use crate::shared::terminal;
use qirkat_analysis::casual::Strength;
use qirkat_analysis::review::{Advice, GameReview};
use qirkat_game::Rules;
use qirkat_rules::pgn::{MoveNumber, PgnGame};
use qirkat_rules::variant::{AnyMove, AnyPosition};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// The engine's move.
    Reply,
    /// A good move for a person.
    Hint,
}

pub(super) struct Session {
    options: Arc<PlayOptions>,
    game: PlayedGame,
    strength: Strength,
    /// Made when it is needed first.
    opponent: Option<Opponent>,
    hint: Option<AnyMove>,
    hint_search: Option<Background<Option<Advice>>>,
    review: Option<ReviewTask>,
    /// The last review and the moves that it is about.
    reviewed: Option<(PgnGame, GameReview)>,
    flipped: bool,
    /// Whether the game as it stands is in a file.
    is_saved: bool,
    /// Where it stands in the file that games go to by themselves.
    place: Option<Place>,
    /// Whether it was told that the game cannot be written there.
    has_warned: bool,
}

impl Session {
    /// A session with a game that begins at a position.
    pub fn new(options: Arc<PlayOptions>, start: AnyPosition) -> Session {
        let people = options.side.unwrap_or_default().people();
        let game = PlayedGame::new(start, people, options.tc);
        Session::with(options, game)
    }

    /// A session that goes on with a game from a file. What the options say comes before
    /// what the file says.
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
            options,
        }
    }

    pub fn game(&self) -> &PlayedGame {
        &self.game
    }

    pub fn engine_name(&self) -> String {
        self.strength.name()
    }

    /// Whether the board is seen from Black's side.
    pub fn is_flipped(&self) -> bool {
        self.flipped
    }

    /// The move that was given as a hint, until another is made.
    pub fn hint(&self) -> Option<AnyMove> {
        self.hint
    }

    /// Whether there are moves that are in no file.
    pub fn is_unsaved(&self) -> bool {
        !self.is_saved
    }

    /// The file that games go to by themselves, if one was named.
    pub fn file(&self) -> Option<&Path> {
        self.options.pgn.as_deref()
    }

    /// The purpose for which the engine thinks, if it thinks.
    pub fn thinks(&self) -> Option<Purpose> {
        match (&self.opponent, &self.hint_search) {
            (Some(opponent), _) if opponent.is_running() => Some(Purpose::Reply),
            (_, hint) => hint.as_ref().map(|_| Purpose::Hint),
        }
    }

    /// How far a review has come: moves done, and moves in all.
    pub fn review_progress(&self) -> Option<(u64, usize)> {
        self.review.as_ref().map(ReviewTask::progress)
    }

    /// Whether something goes on that will be told when it is done.
    pub fn is_busy(&self) -> bool {
        self.thinks().is_some() || self.review.is_some()
    }

    /// Begins: the engine may have the first move, or the game may be over.
    pub fn begin(&mut self) -> Vec<News> {
        let name = self.engine_name();
        let who = match self.game.people() {
            [true, true] => "two players at one board".to_owned(),
            [true, false] => format!("you play White against {name}"),
            _ => format!("you play Black against {name}"),
        };
        let variant = self.game.position().variant().title();
        let example = self.example();
        let going_on = self.last_move().map(|last| format!(" It goes on after {last}."));
        let going_on = going_on.unwrap_or_default();
        let mut news = vec![News::Said(format!(
            "{variant}, {who}.{going_on} Type a move such as {example}, or help."
        ))];
        self.go_on(&mut news);
        news
    }

    /// The move that was made last, with its number.
    fn last_move(&self) -> Option<String> {
        let mut before = self.game.state().clone();
        let mv = before.undo()?;
        Some(numbered(before.position(), mv))
    }

    /// A move to show how they are written.
    fn example(&self) -> String {
        let position = self.game.position();
        let moves = position.legal_moves();
        moves.get(moves.len() / 2).map_or_else(|| "e4".to_owned(), |&mv| position.san(mv))
    }

    /// Does what a person wants.
    pub fn obey(&mut self, command: Command) -> Vec<News> {
        let mut news = Vec::new();
        match command {
            Command::Move(text) => self.make_move(&text, &mut news),
            Command::Hint => self.look_for_hint(&mut news),
            Command::TakeBack => self.take_back(&mut news),
            Command::Flip => {
                self.flipped = !self.flipped;
                news.push(News::Board);
            }
            Command::OfferDraw => self.offer_draw(&mut news),
            Command::Resign => self.resign(&mut news),
            Command::Graph => self.begin_review(Wanted::Graph, &mut news),
            Command::Review => self.begin_review(Wanted::Report, &mut news),
            Command::Load(path) => self.load(path.as_deref(), &mut news),
            Command::Save(path) => self.save(path.as_deref(), &mut news),
            Command::New(side, variant) => self.begin_again(side, variant, &mut news),
            Command::Strength(strength) => {
                self.strength = strength;
                news.push(News::Said(format!("{} from the next move on.", strength.name())));
            }
            Command::Moves(from) => self.list_moves(from.as_deref(), &mut news),
            Command::Board => news.push(News::Board),
            Command::Pieces => news.push(News::Page {
                title: "Where everything stands".to_owned(),
                text: piece_letters::in_words(self.game.position()),
            }),
            Command::Clocks => news.push(News::Said(self.clocks_in_words())),
            Command::Help => {
                news.push(News::Page {
                    title: "Help".to_owned(),
                    text: command::help(terminal::width()),
                });
            }
            Command::Quit => news.push(News::Leave),
        }
        news
    }

    /// Sees what has happened meanwhile.
    pub fn look(&mut self) -> Vec<News> {
        let mut news = Vec::new();
        if self.game.check_clocks() {
            self.stop_thinking();
            self.tell_end(&mut news);
        }
        match self.opponent.as_mut().and_then(Opponent::found) {
            Some(Some(mv)) if self.game.is_engines_turn() => self.play(mv, &mut news),
            Some(None) => news.push(News::refused("the engine has found no move")),
            _ => {}
        }
        if let Some(result) = self.hint_search.as_mut().and_then(Background::result) {
            self.hint_search = None;
            self.tell_hint(result, &mut news);
        }
        if let Some(result) = self.review.as_mut().and_then(ReviewTask::result)
            && let Some(task) = self.review.take()
        {
            match result {
                Ok(review) => {
                    self.reviewed = Some((task.game().clone(), review));
                    self.show_review(task.wanted(), &mut news);
                }
                Err(error) => news.push(News::refused(&format!("{error:#}"))),
            }
        }
        news
    }
}

/// Whether the only person has Black.
fn is_seen_by_black(game: &PlayedGame) -> bool {
    game.people() == [false, true]
}

/// How well the engine played a game of a file, by its name.
fn strength_in(record: &PgnGame) -> Option<Strength> {
    ["White", "Black"].into_iter().find_map(|tag| Strength::of_name(record.tag(tag)?))
}

/// A legal move with its number, as in `3. Nc3` and `3...Nc6`.
fn numbered(position: &AnyPosition, mv: AnyMove) -> String {
    let number = MoveNumber::of(position).to_string();
    let space = if number.ends_with("...") { "" } else { " " };
    format!("{number}{space}{}", position.san(mv))
}

#[cfg(test)]
pub(super) mod tests;
