//! Playing: moves of people and of the engine, clocks, and how games end.

use super::Session;
use super::searching::Purpose;
use crate::game_tree::{GameTree, NodeId, ROOT};
use crate::move_notes::note_clock;
use crate::play::Play;
use crate::record::Record;
use crate::reply::Reply;
use crate::request::NewGame;
use crate::store::engine_name;
use qirkat_analysis::casual::{
    Clocks, Ending, TimeRule, accepts_draw, clock_command, hint_limits, reply_limits,
};
use qirkat_engine::{ELO_RANGE, SearchResult};
use qirkat_game::{Color, Rules};
use qirkat_notation::pgn::GameResult;
use qirkat_rules::variant::{AnyMove, AnyPosition};
use qirkat_system::host::today;

/// Milliseconds for a move of the engine when nobody says more.
const THINK: u32 = 2000;
/// And at most.
const MOST_THINK: u32 = 10 * 60 * 1000;

impl Session {
    /// Begins a game in place of the one that is here.
    pub(super) fn begin(&mut self, new: &NewGame) {
        let start = match self.start_of(new) {
            Ok(start) => start,
            Err(text) => return self.send(&Reply::Error { text }),
        };
        let mut record = Record::new(GameTree::new(start));
        record.play = new.people.map(|people| Play {
            people,
            elo: new.elo.map(|elo| elo.clamp(ELO_RANGE.0, ELO_RANGE.1)),
            think: new.think.unwrap_or(THINK).clamp(1, MOST_THINK),
            clocks: Clocks::new(new.clock.map(TimeRule::bounded)),
            paused: false,
            ending: None,
            last: ROOT,
        });
        if let Some(play) = &record.play {
            let name = |person: bool| if person { "You".to_owned() } else { engine_name(play.elo) };
            record.tags = vec![
                ("Event".to_owned(), "Played in the browser".to_owned()),
                ("Date".to_owned(), today()),
                ("White".to_owned(), name(play.people[0])),
                ("Black".to_owned(), name(play.people[1])),
            ];
            if let Some(rule) = play.clocks.rule {
                record.tags.push(("TimeControl".to_owned(), rule.to_string()));
            }
        }
        self.take_up(record);
    }

    fn start_of(&mut self, new: &NewGame) -> Result<AnyPosition, String> {
        let Some(fen) = &new.fen else { return Ok(new.game.start()) };
        let parsed = new.game.read_fen(fen).map_err(|error| error.to_string())?;
        if let Some(notice) = parsed.notice {
            self.note(notice);
        }
        Ok(parsed.position)
    }

    /// Makes a move of a person: in the play where it stands, otherwise anywhere.
    pub(super) fn make_move(&mut self, node: NodeId, text: &str) {
        let Some(position) = self.record.tree.get(node).map(|node| node.position) else {
            return self.send_state();
        };
        if let Some(play) = self.play().filter(|play| play.is_running()) {
            let reason = if node != play.last {
                Some("the game has gone on from there: look at its last position to move")
            } else if play.is_engine(position.side_to_move()) {
                Some("it is the engine's turn")
            } else {
                None
            };
            if let Some(reason) = reason {
                self.send(&Reply::Refused { reason: reason.to_owned() });
                return self.send_state();
            }
        }
        if let Some(outcome) = self.record.tree.game_at(node).outcome() {
            self.send(&Reply::Refused { reason: format!("the game is over: {outcome}") });
            return self.send_state();
        }
        match position.read_move(text) {
            Ok(mv) => self.play_move(node, mv),
            Err(error) => {
                self.send(&Reply::Refused { reason: error.to_string() });
                self.send_state();
            }
        }
    }

    /// Makes a legal move.
    fn play_move(&mut self, node: NodeId, mv: AnyMove) {
        let added = match self.record.tree.add(node, mv) {
            Ok(added) => added,
            Err(error) => {
                self.send(&Reply::Error { text: error.to_string() });
                return self.send_state();
            }
        };
        // Somebody who looks at an earlier position goes on doing so.
        if self.record.current == node {
            self.record.current = added;
        }
        let mover = self.record.tree.get(node).map(|node| node.position.side_to_move());
        let playing = self.record.play.as_mut().filter(|play| play.is_running()).zip(mover);
        if let Some((play, mover)) = playing {
            play.clocks.moved(mover);
            play.paused = false;
            play.last = added;
            let left = play.clocks.left(mover, !mover);
            if let Some((node, left)) = self.record.tree.get_mut(added).zip(left) {
                note_clock(&mut node.notes, clock_command(left));
            }
            self.record.tree.promote(added);
            self.send_tree();
            self.go_on_playing();
        } else {
            self.send_tree();
            self.search_where_one_looks();
        }
        self.save();
        self.send_state();
    }

    /// The play goes on where it stands: it may be over, or it is the engine's
    /// turn, or a clock runs.
    pub(super) fn go_on_playing(&mut self) {
        let Some(play) = self.play().filter(|play| play.is_running()) else { return };
        let (last, elo, paused) = (play.last, play.elo, play.paused);
        let game = self.record.tree.game_at(last);
        let has_pondered = self.has_pondered_on(game.position()) && !paused;
        if !has_pondered {
            self.stop_search();
        }
        self.stop_sweep();
        self.analysing = false;
        self.threat = false;
        let side = game.position().side_to_move();
        if let Some(outcome) = game.outcome() {
            return self.end_play(Ending::by_rule(outcome));
        }
        // The first move has all the time in the world.
        let clocks_run = !paused && !game.moves().is_empty();
        let Some(play) = &mut self.record.play else { return };
        play.clocks.run(side, clocks_run);
        if has_pondered {
            self.take_ponder_hit();
        } else if play.is_engine(side) && !paused {
            let limits = reply_limits(play.clocks.reading(side, side), play.time_to_think());
            self.start_search(Purpose::Reply, &game, limits, elo);
        }
    }

    /// The engine has found its move.
    pub(super) fn reply_found(&mut self, result: &SearchResult) {
        let Some(play) = self.play().filter(|play| play.is_running()) else { return };
        let last = play.last;
        self.check_clocks();
        let running = self.play().is_some_and(Play::is_running);
        if let (Some(best), true) = (result.best, running) {
            self.play_move(last, best);
            if let Some(expected) = result.ponder {
                self.ponder_on(expected);
            }
        }
    }

    /// Ends the play.
    pub(super) fn end_play(&mut self, ending: Ending) {
        self.stop_search();
        let side = self.side_to_play();
        if let Some(play) = &mut self.record.play {
            play.clocks.run(side, false);
            play.ending = Some(ending);
        }
        self.save();
    }

    /// A side that has no time left has lost.
    pub(super) fn check_clocks(&mut self) {
        let side = self.side_to_play();
        let Some(play) = self.play().filter(|play| play.is_running()) else { return };
        if play.clocks.has_flag_fallen(side) {
            self.end_play(Ending::flag_fell(side));
            self.send_state();
        }
    }

    /// Takes moves back until the person that wants it has the move again.
    pub(super) fn take_back(&mut self) {
        let Some(play) = self.record.play.as_mut() else { return };
        let mut at = play.last;
        let tree = &self.record.tree;
        let before = |id: NodeId| tree.get(id).and_then(|node| node.parent);
        let is_person = |id: NodeId| {
            tree.get(id).is_some_and(|node| play.people[node.position.side_to_move().index()])
        };
        while let Some(parent) = before(at) {
            at = parent;
            if is_person(at) {
                break;
            }
        }
        if at == play.last || !is_person(at) {
            return self.note("There is no move of yours to take back.");
        }
        let side = self.side_to_play();
        if let Some(play) = &mut self.record.play {
            play.clocks.run(side, false);
            play.clocks.running_since = None;
            play.ending = None;
            play.last = at;
        }
        self.record.current = at;
        self.go_on_playing();
        self.save();
        self.send_tree();
        self.send_state();
    }

    /// Looks for a good move of the person.
    pub(super) fn give_hint(&mut self) {
        let replying = self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Reply);
        let game = self.record.tree.game_at(self.record.current);
        if replying || self.analysing || game.outcome().is_some() {
            return;
        }
        self.start_search(Purpose::Hint, &game, hint_limits(), None);
    }

    /// The side of the person that gives up or offers a draw.
    fn person(&self) -> Color {
        match self.play().map(|play| play.people) {
            Some([true, false]) => Color::White,
            Some([false, true]) => Color::Black,
            _ => self.side_to_play(),
        }
    }

    pub(super) fn resign(&mut self) {
        if self.play().is_some_and(Play::is_running) {
            let side = self.person();
            self.end_play(Ending::resigned(side));
            self.send_state();
        }
    }

    /// Takes a draw when the engine does not hope for more; between people it is
    /// agreed.
    pub(super) fn consider_draw(&mut self) {
        let Some(play) = self.play().filter(|play| play.is_running()) else { return };
        let between_people = play.people == [true, true];
        let number = self.record.tree.get(play.last).map(|node| node.position.fullmove_number());
        if between_people || accepts_draw(self.last_score, number.unwrap_or(1)) {
            self.end_play(Ending::agreed_draw());
            self.send_state();
        } else {
            self.note("The engine would like to play on.");
        }
    }

    pub(super) fn pause(&mut self, on: bool) {
        let side = self.side_to_play();
        let Some(play) = self.record.play.as_mut().filter(|play| play.is_running()) else { return };
        play.paused = on;
        if on {
            play.clocks.run(side, false);
            self.stop_search();
        } else {
            self.go_on_playing();
        }
        self.save();
        self.send_state();
    }

    /// Ends the play without a result.
    pub(super) fn break_off(&mut self) {
        if self.play().is_some_and(Play::is_running) {
            let reason = "broken off".to_owned();
            self.end_play(Ending { result: GameResult::Unfinished, reason });
        }
        self.send_state();
    }
}
