//! Iterative deepening: the same search one ply deeper each time, until a
//! limit is reached.

use super::counters::Stopped;
use super::handicap::CANDIDATES;
use super::node::Root;
use super::search_report::Reporter;
use super::short_mates::ShortMates;
use super::timing::Timing;
use super::vote::Verdict;
use super::window::Window;
use super::worker::{MoveOf, Worker};
use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, Evaluator, Rules, Searchable};

/// Plies beyond twice the length of a mate to which it is looked over with time
/// to spare.
const MATE_CHECKED: u16 = 4;

impl<E: Evaluate> Worker<'_, E> {
    /// Deepens until a limit is reached. The thread with the reporter ends
    /// the others.
    pub fn deepen(mut self, mut reporter: Option<&mut Reporter<'_, E::Game>>) -> Verdict<E::Game> {
        let limits = self.task.limits;
        let shown = limits.multi_pv.get().min(self.root.moves.len().max(1));
        let candidates = if limits.handicap.is_some() { CANDIDATES } else { 1 };
        let wanted = shown.max(candidates.min(self.root.moves.len()));
        let last = self.last_depth();
        let mut timing = Timing::new();
        let mut mates = reporter
            .as_ref()
            .and_then(|_| ShortMates::new(self.task.game.position(), &self.root.moves, limits));
        // Helpers start on different depths, so that they run ahead of the
        // first thread and fill the table for it.
        let mut depth = Depth(1 + (self.index % 2) as i16);
        let mut finished = Depth::default();
        'iterations: while depth <= last && !self.root.moves.is_empty() {
            for rank in 0..wanted {
                let result = self.search_line(rank, depth);
                self.root.moves.rank_from(rank);
                if result.is_err() {
                    if let Some(reporter) = reporter.as_deref_mut() {
                        self.report_unfinished(wanted, shown, depth, finished, reporter);
                    }
                    break 'iterations;
                }
            }
            finished = depth;
            if let Some(mates) = &mut mates {
                self.look_for_mate(mates, depth);
            }
            self.root.moves.complete_iteration(wanted);
            if let Some(reporter) = reporter.as_deref_mut() {
                for rank in 0..shown {
                    self.report(reporter, rank, depth);
                }
                timing.note_iteration(&self.root.moves);
                if self.is_last(depth, &timing) {
                    break;
                }
            }
            depth = depth + Depth(1);
        }
        if reporter.is_some() && !self.root.moves.is_empty() {
            self.task.control.end_search();
        }
        self.counters.report_nodes();
        if let Some(handicap) = &limits.handicap {
            self.root.moves.choose_by(handicap, self.task.game.position());
        }
        let line = (!self.root.moves.is_empty())
            .then(|| self.line(0, finished.max(self.root.reported_depth)));
        let mut result = self.root.moves.result(finished);
        result.ponder = result.ponder.or_else(|| self.reply_in_table(result.best?));
        Verdict { result, line }
    }

    /// The reply to a move by the transposition table: what to expect where the search was stopped
    /// while the move was turning out better than thought, with a line of this move alone.
    fn reply_in_table(&self, best: MoveOf<E>) -> Option<MoveOf<E>> {
        let next = self.task.game.position().after(best);
        let entry = self.tt.probe(&next, Ply::ROOT.next())?;
        next.unpack(entry.mv).filter(|&reply| next.is_legal(reply))
    }

    /// Searches one of several lines with a window around the score it had,
    /// which is widened until the score lies within.
    fn search_line(&mut self, rank: usize, depth: Depth) -> Result<(), Stopped> {
        if self.root.moves.at(rank).is_proved {
            return Ok(());
        }
        let params = self.params();
        let expected = self.root.moves.at(rank).last_score;
        self.root.rank = rank;
        self.root.depth = depth;
        let mut half = params.aspiration_window;
        let mut window = Window::FULL;
        if depth.plies() >= params.aspiration_depth && !expected.is_mate() {
            window = Window { alpha: expected - half, beta: expected + half };
        }
        // Scores that turn out too good are looked at less deeply at first.
        let mut reduced = Depth(0);
        loop {
            let before = self.root.moves.begin(rank);
            let searched = (depth - reduced).max(Depth(1));
            let position = self.task.game.position();
            let result = self.negamax::<Root>(position, searched, Ply::ROOT, window, false);
            let score = match result {
                Ok(score) => score,
                Err(stopped) => {
                    self.root.moves.undo_begin(rank, before);
                    return Err(stopped);
                }
            };
            self.root.moves.rank_from(rank);
            if score <= window.alpha && window.alpha > Score::LOWEST {
                window.beta = Score::centipawns((window.alpha.value() + window.beta.value()) / 2);
                window.alpha = if score.is_mate() { Score::LOWEST } else { score - half };
                reduced = Depth(0);
            } else if score >= window.beta && window.beta < Score::INFINITE {
                window.beta = if score.is_mate() { Score::INFINITE } else { score + half };
                // At full width every depth must be proved.
                if !self.full_width {
                    reduced = reduced + Depth(1);
                }
            } else {
                return Ok(());
            }
            half += half * params.aspiration_growth / 128;
        }
    }

    /// Reports the first line again if the broken iteration changed it, and
    /// some line when not even one iteration was finished.
    fn report_unfinished(
        &mut self,
        wanted: usize,
        shown: usize,
        depth: Depth,
        finished: Depth,
        reporter: &mut Reporter<'_, E::Game>,
    ) {
        if finished == Depth::default() {
            let (position, evaluator) = (self.task.game.position(), &mut self.evaluator);
            self.root.moves.score_unsearched(wanted, &mut |mv| {
                -evaluator.evaluate(&position.after(mv), Ply::ROOT.next())
            });
            for rank in 0..shown {
                self.report(reporter, rank, depth);
            }
        } else if wanted > 1 {
            // Lines of two iterations do not go together.
            self.root.moves.restore_completed();
        } else if self.root.moves.first_line_changed() {
            self.report(reporter, 0, depth);
        }
    }

    fn report(&mut self, reporter: &mut Reporter<'_, E::Game>, rank: usize, depth: Depth) {
        self.root.reported_depth = depth;
        reporter(&self.line(rank, depth));
    }

    fn last_depth(&self) -> Depth {
        let limits = self.task.limits;
        let by_depth = limits.depth.unwrap_or(Depth::MAX);
        // A mate in n moves is 2n - 1 plies away, one more to see that there
        // is no way out.
        let by_mate = limits.mate.map_or(Depth::MAX, |moves| {
            Depth(moves.saturating_mul(2).min(Depth::MAX.0 as u16) as i16)
        });
        by_depth.min(by_mate).clamp(Depth(1), Depth::MAX)
    }

    /// Whether the finished iteration is the last.
    fn is_last(&self, depth: Depth, timing: &Timing<E::Game>) -> bool {
        let limits = &self.task.limits;
        let best = self.root.moves.best_score();
        if let Some(moves) = limits.mate
            && best.moves_to_mate().is_some_and(|found| found > 0 && found as u16 <= moves)
        {
            return true;
        }
        // Nobody can mate any more, however deep one looks.
        if self.task.game.position().is_dead() {
            return true;
        }
        let (nodes, _) = self.counters.progress();
        if limits.soft_nodes.is_some_and(|most| nodes >= most) {
            return true;
        }
        let control = self.task.control;
        let on_the_clock = limits.time.soft.is_some();
        let single_reply = limits.hurry_single_reply && on_the_clock && self.root.moves.len() == 1;
        control.may_answer(
            single_reply
                || self.mate_is_certain(depth)
                || control.soft_limit_passed(limits.time, timing.factor()),
        )
    }

    /// Whether a forced mate will not change any more, where only time bounds the
    /// search: it is proved, or a whole iteration reaches past it. With a clock that is enough;
    /// with time to spare the iterations go on to twice its length, since late
    /// moves are looked at less deeply.
    fn mate_is_certain(&self, depth: Depth) -> bool {
        let limits = self.task.limits;
        let Some(plies) = self.root.moves.best_score().plies_to_mate().map(i16::unsigned_abs)
        else {
            return false;
        };
        let is_proved = self.root.moves.at(0).is_proved;
        let depth = depth.0.unsigned_abs();
        let only_time =
            limits.time.hard.is_some() && limits.depth.is_none() && limits.nodes.is_none();
        if limits.time.soft.is_some() {
            is_proved || plies < depth
        } else {
            only_time && limits.is_single_line() && (is_proved || 2 * plies + MATE_CHECKED < depth)
        }
    }
}
