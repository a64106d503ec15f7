//! Pondering: the engine thinks about the reply that it expects while a person has the
//! move. If that is played, what was thought counts.

use std::time::Duration;

use super::Session;
use super::searching::Purpose;
use qirkat_game::Rules;
use qirkat_rules::variant::{AnyMove, AnyPosition};
use qirkat_system::host::Instant;

/// A person who thinks longer than this may have gone away.
const LONGEST: Duration = Duration::from_secs(10 * 60);

impl Session {
    /// Lets the engine ponder from now on, or not.
    pub(super) fn let_ponder(&mut self, on: bool) {
        self.may_ponder = on && self.shared.backend.has_threads();
        if !self.may_ponder && self.is_pondering() {
            self.stop_search();
            self.send_state();
        }
    }

    /// Whether the engine thinks about a reply that it expects.
    pub(super) fn is_pondering(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Ponder)
    }

    /// Ponders on the reply that the engine expects of a person. An engine that is held
    /// back searches so little that it would gain nothing.
    pub(super) fn ponder_on(&mut self, expected: AnyMove) {
        let Some(play) = self.running_play() else { return };
        if !self.may_ponder || self.search.is_some() || play.game.paused || play.elo.is_some() {
            return;
        }
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
        let mut limits = play.game.reply_limits(!person, person, think);
        limits.ponder = true;
        self.start_search(Purpose::Ponder, &game, limits, None);
        if let Some(search) = &mut self.search {
            search.ends = Instant::now().checked_add(LONGEST);
        }
        self.send_state();
    }

    /// Whether the engine has pondered on just this position.
    pub(super) fn has_pondered_on(&self, position: &AnyPosition) -> bool {
        self.is_pondering()
            && self.search.as_ref().is_some_and(|search| search.position == *position)
    }

    /// The expected reply was made: what is thought of it becomes the engine's move.
    pub(super) fn take_ponder_hit(&mut self) {
        let best = self.lines.iter().find(|line| line.rank == 1).map(|line| line.score);
        self.last_score = best.or(self.last_score);
        if let Some(search) = &mut self.search {
            search.purpose = Purpose::Reply;
            search.ends = None;
        }
        if let Some(thinker) = &self.thinker {
            thinker.ponder_hit();
        }
    }

    /// Gives up pondering on a reply that does not come.
    pub(super) fn stop_pondering_if_due(&mut self) {
        let is_due = |at: Instant| at <= Instant::now();
        if self.is_pondering() && self.search_end().is_some_and(is_due) {
            self.stop_search();
            self.send_state();
        }
    }

    /// When a search is given up that nobody has waited for.
    pub(super) fn search_end(&self) -> Option<Instant> {
        self.search.as_ref()?.ends
    }
}
