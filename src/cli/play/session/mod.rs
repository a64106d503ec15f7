//! One sitting: a game, the engine as an opponent, and what a person asks for. Screen and
//! line mode both talk to it; it never waits.

mod keeping;
mod moving;
mod telling;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use super::command::{self, Command};
use super::news::News;
use super::opponent::{Opponent, Purpose};
use super::options::PlayOptions;
use super::piece_letters;
use super::played_game::PlayedGame;
use super::review_task::{ReviewTask, Wanted};
use super::strength::Strength;
use crate::game::Rules;
use crate::pgn::PgnGame;
use crate::review::GameReview;
use crate::variant::{AnyMove, AnyPosition};

/// One sitting.
pub(super) struct Session {
    options: Arc<PlayOptions>,
    game: PlayedGame,
    strength: Strength,
    /// Made when it is needed first.
    opponent: Option<Opponent>,
    hint: Option<AnyMove>,
    review: Option<ReviewTask>,
    /// The last review and the moves that it is about.
    reviewed: Option<(PgnGame, GameReview)>,
    flipped: bool,
    /// Whether the game as it stands is in a file.
    is_saved: bool,
}

impl Session {
    /// A session with a game that begins at a position.
    pub fn new(options: Arc<PlayOptions>, start: AnyPosition) -> Session {
        let people = options.side.people();
        Session {
            game: PlayedGame::new(start, people, options.tc),
            strength: options.strength(),
            opponent: None,
            hint: None,
            review: None,
            reviewed: None,
            flipped: people == [false, true],
            is_saved: true,
            options,
        }
    }

    /// The game.
    pub fn game(&self) -> &PlayedGame {
        &self.game
    }

    /// What the engine is called.
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

    /// What the engine thinks about, if it thinks.
    pub fn thinks(&self) -> Option<Purpose> {
        self.opponent.as_ref().and_then(Opponent::running)
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
        let mut news = vec![News::Said(format!(
            "{variant}, {who}. Type a move such as {}, or help.",
            self.example()
        ))];
        self.go_on(&mut news);
        news
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
                news.push(News::Page { title: "Help".to_owned(), text: command::help() });
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
            Some((Purpose::Reply, Some(mv))) if self.game.is_engines_turn() => {
                self.play(mv, &mut news);
            }
            Some((_, None)) => news.push(News::refused("the engine has found no move")),
            Some((Purpose::Hint, Some(mv))) => {
                self.hint = Some(mv);
                news.push(News::Said(format!("Hint: {}", self.game.position().san(mv))));
            }
            _ => {}
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
