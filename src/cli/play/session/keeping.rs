//! Games that are saved, kept, and followed by others.

use std::path::Path;

use super::{Session, is_seen_by_black, strength_in};
use crate::play::loading::{self, SavedGame};
use crate::play::news::News;
use crate::play::options::Side;
use crate::play::played_game::PlayedGame;
use crate::play::saving::{self, USUAL_FILE};
use qirkat_rules::pgn::PgnGame;
use qirkat_rules::variant::Variant;

impl Session {
    pub(super) fn begin_again(
        &mut self,
        side: Option<Side>,
        variant: Option<Variant>,
        news: &mut Vec<News>,
    ) {
        let people = side.map_or(self.game.people(), Side::people);
        let variant = variant.unwrap_or(self.game.position().variant());
        self.change_game(PlayedGame::new(variant.start(), people, self.options.tc), news);
    }

    /// Goes on with the last game of a file that is not over, in place of this one.
    pub(super) fn load(&mut self, path: Option<&Path>, news: &mut Vec<News>) {
        let path = path.or(self.file()).unwrap_or(Path::new(USUAL_FILE));
        let SavedGame { record, fault } = match loading::find(path, None) {
            Ok(saved) => saved,
            Err(error) => return news.push(News::refused(&format!("cannot load {error:#}"))),
        };
        if let Some(fault) = fault {
            news.push(News::Said(format!("{}: {fault}, left out.", path.display())));
        }
        self.strength = strength_in(&record).unwrap_or(self.strength);
        self.change_game(PlayedGame::going_on(record, None, None), news);
    }

    /// Begins with another game, and keeps the one before.
    fn change_game(&mut self, game: PlayedGame, news: &mut Vec<News>) {
        self.stop_thinking();
        if let Some(kept) = self.keep() {
            news.push(News::Said(kept));
        }
        self.opponent = None;
        self.review = None;
        self.hint = None;
        self.is_saved = true;
        self.place = None;
        self.flipped = is_seen_by_black(&game);
        self.game = game;
        news.extend(self.begin());
        news.push(News::Board);
    }

    pub(super) fn record(&self) -> PgnGame {
        self.game.to_pgn(&self.engine_name())
    }

    pub(super) fn save(&mut self, path: Option<&Path>, news: &mut Vec<News>) {
        if self.game.sans().is_empty() {
            return news.push(News::refused("there are no moves to save yet"));
        }
        let path = path.or(self.file()).unwrap_or(Path::new(USUAL_FILE)).to_owned();
        let is_usual = self.file() == Some(&path);
        let place = if is_usual { &mut self.place } else { &mut None };
        match saving::write_down(&path, place, &self.game.to_pgn(&self.strength.name())) {
            Ok(()) => {
                self.is_saved = true;
                news.push(News::Said(format!("The game was added to {}.", path.display())));
            }
            Err(error) => news.push(News::refused(&format!("cannot save to {error:#}"))),
        }
    }

    /// Writes the game down as it stands, where a file was named for that: so no end of the program
    /// loses it.
    pub(super) fn write_down(&mut self, news: &mut Vec<News>) {
        let Some(path) =
            self.options.pgn.as_deref().filter(|path| !path.exists() || path.is_file())
        else {
            return;
        };
        let record = self.game.to_pgn(&self.strength.name());
        if let Err(error) = saving::write_down(path, &mut self.place, &record)
            && !std::mem::replace(&mut self.has_warned, true)
        {
            news.push(News::refused(&format!("cannot save to {error:#}")));
        }
    }

    /// The person does not want the game to be kept.
    pub fn forget(&mut self) {
        self.is_saved = true;
    }

    /// Puts a game that nobody has saved where it is not lost, and tells where.
    pub fn keep(&mut self) -> Option<String> {
        if self.is_saved {
            return None;
        }
        self.is_saved = true;
        let record = self.record();
        let fault = match self.options.pgn.as_deref() {
            Some(path) => match saving::write_down(path, &mut self.place, &record) {
                Ok(()) => return Some(kept_in(path)),
                Err(error) => format!("Not saved to {error:#}. "),
            },
            None => String::new(),
        };
        Some(match saving::rescue(&record) {
            Ok(path) => format!("{fault}{}", kept_in(&path)),
            Err(error) => format!("{fault}The game could not be kept: {error:#}."),
        })
    }
}

fn kept_in(path: &Path) -> String {
    format!("The game is kept in {}.", path.display())
}
