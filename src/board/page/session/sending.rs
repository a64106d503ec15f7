//! The messages to a tab about its game.

use super::Session;
use super::searching::Purpose;
use crate::page::game_tree::ROOT;
use crate::page::reply::{EndingShown, PlayState, Reply, State};
use crate::page::shown::{Shown, side_word};
use qirkat_game::Color;

impl Session {
    /// Sends the moves of the game.
    pub(super) fn send_tree(&mut self) {
        let tree = Reply::tree(&self.record.tree);
        self.send(&tree);
    }

    /// Sends which move is shown and how the play stands.
    pub(super) fn send_state(&mut self) {
        let node = self.record.current;
        let game = self.record.tree.game_at(node);
        let outcome = game.outcome();
        let last = game.moves().last().copied();
        let thinking = matches!(&self.search, Some(search) if search.purpose == Purpose::Reply);
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
            thinking,
            pondering: self.is_pondering(),
            result: play.game.ending.as_ref().map(|ending| ending.result.text()),
            reason: play.game.ending.as_ref().map(|ending| ending.reason.clone()),
        });
        // Looking for it plays the main line through.
        let ending = if play.is_none() { self.record.ending() } else { None };
        let ending =
            ending.map(|ending| EndingShown { node: self.record.tree.end_of_main_line(), ending });
        let state = State {
            id: self.record.id.clone(),
            game: self.record.variant,
            node,
            position: Shown::of(game.position(), last, outcome),
            start: self.record.tree.get(ROOT).map_or_else(String::new, |root| root.position.fen()),
            play,
            analysing: self.analysing,
            threat: self.threat,
            sweeping: self.sweep_length > 0,
            players: ["White", "Black"].map(|name| self.record.tag(name)),
            ending,
        };
        self.send(&Reply::State(Box::new(state)));
        self.send_openings();
    }
}
