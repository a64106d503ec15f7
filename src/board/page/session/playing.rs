//! Playing: moves of people and of the engine, clocks, pondering, and the end of a game.

use std::time::Duration;

use crate::page::game_tree::{GameTree, NodeId, ROOT};
use crate::page::pgn_tree::note_clock;
use crate::page::protocol::{NewGame, Reply};
use crate::page::record::{PlayedGame, Record};
use crate::page::session::{Purpose, Session};
use crate::page::store::engine_name;
use qirkat_analysis::casual::{CasualGame, GameEnding, TimeControl};
use qirkat_engine::{ELO_RANGE, SearchLimits, SearchResult};
use qirkat_game::{Color, Rules};
use qirkat_rules::pgn::GameResult;
use qirkat_rules::variant::{AnyMove, AnyPosition};
use qirkat_system::host::{Instant, today};

const THINK: u32 = 2000;
const HINT: Duration = Duration::from_millis(1000);
const MAX_THINK: u32 = 10 * 60 * 1000;
/// A person who thinks longer may have left.
const LONGEST_PONDERING: Duration = Duration::from_secs(10 * 60);

impl Session {
    pub(super) fn begin(&mut self, new: &NewGame) {
        let start = match self.start_of(new) {
            Ok(start) => start,
            Err(text) => return self.fail(text),
        };
        let mut record = Record::new(GameTree::new(start));
        record.play = new.people.map(|people| PlayedGame {
            game: CasualGame::new(people, new.clock.map(TimeControl::bounded)),
            elo: new.elo.map(|elo| elo.clamp(ELO_RANGE.0, ELO_RANGE.1)),
            think: new.think.unwrap_or(THINK).clamp(1, MAX_THINK),
            last: ROOT,
            helped: false,
        });
        if let Some(play) = &record.play {
            let name = |person: bool| if person { "You".to_owned() } else { engine_name(play.elo) };
            record.tags = vec![
                ("Event".to_owned(), "Played in the browser".to_owned()),
                ("Date".to_owned(), today()),
                ("White".to_owned(), name(play.game.people[0])),
                ("Black".to_owned(), name(play.game.people[1])),
            ];
            if let Some(time_control) = play.game.clocks.control {
                record.tags.push(("TimeControl".to_owned(), time_control.to_string()));
            }
        }
        self.open_record(record);
    }

    fn start_of(&mut self, new: &NewGame) -> Result<AnyPosition, String> {
        let Some(fen) = &new.fen else { return Ok(new.game.start()) };
        let parsed = new.game.read_fen(fen).map_err(|error| error.to_string())?;
        if let Some(notice) = parsed.notice {
            self.note(notice.to_string());
        }
        Ok(parsed.position)
    }

    /// Makes a person's move: while a game is played only at its last position, otherwise anywhere.
    pub(super) fn make_move(&mut self, node: NodeId, text: &str) {
        let Some(position) = self.record.tree.position(node) else { return self.send_state() };
        match self.person_move(node, &position, text, None) {
            Ok(mv) => self.play_move(node, mv),
            Err(reason) => {
                self.send(&Reply::Refused { reason });
                self.send_state();
            }
        }
    }

    /// The move that a person wants to make, here or as a friend with this side, or why it cannot
    /// be made.
    pub(super) fn person_move(
        &self,
        at: NodeId,
        from: &AnyPosition,
        text: &str,
        friend: Option<Color>,
    ) -> Result<AnyMove, String> {
        let side = from.side_to_move();
        if let Some(play) = self.running_play() {
            if at != play.last {
                let text = "the game has gone on from there: look at its last position to move";
                return Err(text.to_owned());
            }
            if play.game.is_engine(side) {
                return Err("it is the engine's turn".to_owned());
            }
            let is_theirs = self.seats()[side.index()].is_some();
            if friend.map_or(is_theirs, |own| own != side) {
                return Err("it is your friend's turn".to_owned());
            }
        } else if friend.is_some() {
            return Err("the game is over".to_owned());
        }
        if let Some(outcome) = self.record.tree.game_at(at).outcome() {
            return Err(format!("the game is over: {outcome}"));
        }
        from.read_move(text).map_err(|error| error.to_string())
    }

    pub(super) fn play_move(&mut self, node: NodeId, mv: AnyMove) {
        let added = match self.record.tree.add(node, mv) {
            Ok(added) => added,
            Err(error) => {
                self.fail(error);
                return self.send_state();
            }
        };
        // A user who looks at an earlier position stays there.
        if self.record.current == node {
            self.record.current = added;
        }
        self.take_guests_along(node, added);
        self.offers.open = None;
        if self.record.is_being_played()
            && let Some(play) = &mut self.record.play
        {
            play.last = added;
            let game = self.record.tree.game_at(node);
            let clock = play.game.moved(game.position(), game.moves().len());
            if let Some((node, clock)) = self.record.tree.get_mut(added).zip(clock) {
                note_clock(&mut node.annotation.notes, clock);
            }
            self.record.tree.promote(added);
            self.continue_play();
        } else {
            self.restart_analysis();
        }
        self.save();
        self.send_all();
    }

    /// Continues the play: it may be over, it may be the engine's turn, or a clock runs.
    pub(super) fn continue_play(&mut self) {
        let Some(play) = self.running_play() else { return };
        let paused = play.game.paused;
        let game = self.record.tree.game_at(play.last);
        let is_ponder_hit = self.searches_for(Purpose::Ponder)
            && self.searching.search.as_ref().is_some_and(|it| it.position == *game.position())
            && !paused;
        if !is_ponder_hit {
            self.stop_search();
        }
        self.stop_sweep();
        self.searching.analysing = false;
        self.searching.threat = false;
        let Some(play) = &mut self.record.play else { return };
        play.game.go_on(&game);
        let side = game.position().side_to_move();
        if !play.game.is_running() {
            self.stop_search();
            self.save();
        } else if is_ponder_hit {
            self.take_ponder_hit();
        } else if play.game.is_engine(side) && !paused {
            let think = Duration::from_millis(play.think.into());
            let (limits, elo) = (play.game.reply_limits(game.position(), side, think), play.elo);
            self.start_search(Purpose::EngineMove, &game, limits, elo);
        }
    }

    pub(super) fn engine_move_found(&mut self, result: &SearchResult) {
        self.check_clocks();
        let Some(last) = self.running_play().map(|play| play.last) else { return };
        if let Some(best) = result.best {
            self.play_move(last, best);
            if let Some(expected) = result.ponder {
                self.ponder_on(expected);
            }
        }
    }

    /// Changes a running play; if that ends it, saves and reports it. Returns whether it has ended.
    pub(super) fn end_by(
        &mut self,
        change: impl FnOnce(&mut CasualGame, &AnyPosition) -> bool,
    ) -> bool {
        let Some(play) = self.record.play.as_mut().filter(|play| play.game.is_running()) else {
            return false;
        };
        let Some(last) = self.record.tree.get(play.last) else { return false };
        let has_ended = change(&mut play.game, &last.position);
        if has_ended {
            self.offers.open = None;
            self.stop_search();
            self.save();
            self.send_state();
        }
        has_ended
    }

    pub(super) fn check_clocks(&mut self) {
        self.end_by(CasualGame::check_clocks);
    }

    /// Takes back moves until a person is to move again, `times` times.
    pub(super) fn take_back(&mut self, times: usize) {
        for _ in 0..times {
            let Some(play) = self.record.play.as_mut() else { return };
            let plies = play.game.take_back(&self.record.tree.game_at(play.last));
            if plies == 0 {
                return self.note("There is no move of yours to take back.");
            }
            play.helped = true;
            let mut taken = play.last;
            for _ in 1..plies {
                taken = self.record.tree.get(taken).and_then(|node| node.parent).unwrap_or(ROOT);
            }
            play.last = self.record.tree.remove(taken);
        }
        self.record.current = self.play().map_or(ROOT, |play| play.last);
        self.continue_play();
        self.save();
        self.send_all();
    }

    pub(super) fn give_hint(&mut self) {
        let replying = self.searches_for(Purpose::EngineMove);
        let game = self.record.tree.game_at(self.record.current);
        if replying || self.searching.analysing || game.outcome().is_some() {
            return;
        }
        if let Some(play) = self.record.play.as_mut().filter(|play| play.game.is_running()) {
            play.helped = true;
        }
        self.stop_sweep();
        self.start_search(Purpose::Hint, &game, SearchLimits::movetime(HINT), None);
        // A sweep and pondering have ended.
        self.send_state();
    }

    pub(super) fn resign(&mut self) {
        self.end_by(|game, position| {
            game.resign(position.side_to_move());
            true
        });
    }

    /// Offers a draw to the engine, which may decline; between two people at this board it is
    /// agreed at once.
    pub(super) fn offer_draw(&mut self) {
        let score = self.last_score;
        if self.record.is_being_played()
            && !self.end_by(|game, position| game.offer_draw(score, position))
        {
            self.note("The engine would like to play on.");
        }
    }

    pub(super) fn pause(&mut self, on: bool) {
        let side = self.side_to_play();
        let Some(play) = self.record.play.as_mut().filter(|play| play.game.is_running()) else {
            return;
        };
        if on {
            play.game.pause(side);
            self.stop_search();
        } else {
            play.game.paused = false;
            self.continue_play();
        }
        self.save();
        self.send_state();
    }

    pub(super) fn break_off(&mut self) {
        let has_ended = self.end_by(|game, position| {
            let reason = "broken off".to_owned();
            let ending = GameEnding { result: GameResult::Unfinished, reason };
            game.end(ending, position.side_to_move());
            true
        });
        if !has_ended {
            self.send_state();
        }
    }

    pub(super) fn let_ponder(&mut self, on: bool) {
        self.may_ponder = on && self.shared.backend.has_threads();
        if !self.may_ponder && self.searches_for(Purpose::Ponder) {
            self.stop_search();
            self.send_state();
        }
    }

    /// Ponders on the expected reply. An engine limited in strength would not gain from it.
    pub(super) fn ponder_on(&mut self, expected: AnyMove) {
        let is_free = self.may_ponder && self.searching.search.is_none();
        let play = self.running_play().filter(|play| !play.game.paused && play.elo.is_none());
        let Some(play) = play.filter(|_| is_free) else { return };
        let mut game = self.record.tree.game_at(play.last);
        let person = game.position().side_to_move();
        let is_sensible = !play.game.is_engine(person)
            && play.game.is_engine(!person)
            && game.position().is_legal(expected);
        if !is_sensible {
            return;
        }
        game.play(expected);
        if game.outcome().is_some() {
            return;
        }
        let think = Duration::from_millis(play.think.into());
        let mut limits = play.game.reply_limits(game.position(), person, think);
        limits.ponder = true;
        self.start_search(Purpose::Ponder, &game, limits, None);
        if let Some(search) = &mut self.searching.search {
            search.ends = Instant::now().checked_add(LONGEST_PONDERING);
        }
        self.send_state();
    }

    /// The expected reply was made: the ponder search now finds the engine's move.
    pub(super) fn take_ponder_hit(&mut self) {
        let best = self.searching.lines.iter().find(|line| line.rank == 1).map(|line| line.score);
        self.last_score = best.or(self.last_score);
        if let Some(search) = &mut self.searching.search {
            search.purpose = Purpose::EngineMove;
            search.ends = None;
        }
        if let Some(handle) = &self.searching.engine {
            handle.engine.ponder_hit();
        }
    }

    pub(super) fn stop_pondering_if_due(&mut self) {
        let is_due = |at: Instant| at <= Instant::now();
        if self.searches_for(Purpose::Ponder) && self.search_end().is_some_and(is_due) {
            self.stop_search();
            self.send_state();
        }
    }

    pub(super) fn search_end(&self) -> Option<Instant> {
        self.searching.search.as_ref()?.ends
    }
}
