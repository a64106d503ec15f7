//! Iterative deepening: repeats the search one ply deeper until a limit is reached.

use super::control::Stopped;
use super::root::RootMoves;
use super::search_limits::CANDIDATES;
use super::search_report::{Reporter, SearchLine, SearchResult};
use super::short_mates::ShortMates;
use super::transposition_table::Bound;
use super::worker::{MoveOf, Root, Window, Worker, is_drawn_by_rule};
use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, Evaluator, GameState, Outcome, Rules, Searchable, Terminal};

/// Plies searched beyond twice the length of a mate if there is time.
const MATE_EXTRA_PLIES: u16 = 4;

/// The result of one thread, and its line ready to report.
pub(super) struct ThreadResult<G: Searchable> {
    pub result: SearchResult<G>,
    pub line: Option<SearchLine<G>>,
}

impl<E: Evaluate> Worker<'_, E> {
    /// Iterates until a limit is reached. The thread with the reporter ends the others.
    pub fn deepen(
        mut self,
        mut reporter: Option<&mut Reporter<'_, E::Game>>,
    ) -> ThreadResult<E::Game> {
        if self.root.is_empty() {
            return ThreadResult { result: SearchResult::default(), line: None };
        }
        let limits = self.task.limits;
        let shown = limits.multi_pv.get().min(self.root.len());
        let candidates = if limits.handicap.is_some() { CANDIDATES } else { 1 };
        let lines = shown.max(candidates.min(self.root.len()));
        let last = self.last_depth();
        let mut timing = Timing { best: None, unchanged: 0, last_score: Score::DRAW };
        let mut mates = reporter
            .as_ref()
            .and_then(|_| ShortMates::new(self.task.game.position(), &self.root, limits));
        // Helpers start at different depths, and fill the table ahead of the first thread.
        let mut depth = Depth(1 + (self.index % 2) as i16);
        let mut finished = Depth::default();
        'iterations: while depth <= last {
            for rank in 0..lines {
                let result = self.search_line(rank, depth);
                self.root.sort_from(rank);
                if result.is_err() {
                    if let Some(reporter) = reporter.as_deref_mut() {
                        self.report_unfinished(lines, shown, depth, finished, reporter);
                    }
                    break 'iterations;
                }
            }
            finished = depth;
            if let Some(mates) = &mut mates {
                self.look_for_mate(mates, depth);
            }
            self.root.complete_iteration(lines);
            if let Some(reporter) = reporter.as_deref_mut() {
                for rank in 0..shown {
                    self.report(reporter, rank, depth);
                }
                if self.is_last(depth, timing.factor_after(&self.root)) {
                    break;
                }
            }
            depth = depth + Depth(1);
        }
        if reporter.is_some() {
            self.task.control.end_search();
        }
        self.counters.report_nodes();
        if let Some(handicap) = &limits.handicap {
            self.root.choose_by(handicap, self.task.game.position());
        }
        let line = Some(self.line(0, finished.max(self.root.reported_depth)));
        let mut result = self.root.result(finished);
        result.ponder = result.ponder.or_else(|| self.reply_in_table(result.best?));
        ThreadResult { result, line }
    }

    /// The reply to a move from the transposition table: the ponder move if the search was stopped
    /// during a fail high, when the line has only one move.
    fn reply_in_table(&self, best: MoveOf<E>) -> Option<MoveOf<E>> {
        let next = self.task.game.position().after(best);
        let entry = self.tt.probe(&next, Ply::ROOT.next())?;
        next.unpack(entry.mv).filter(|&reply| next.is_legal(reply))
    }

    /// Searches one MultiPV line with an aspiration window, widened until the score is inside.
    fn search_line(&mut self, rank: usize, depth: Depth) -> Result<(), Stopped> {
        if self.root.at(rank).is_proved {
            return Ok(());
        }
        let params = self.params();
        let expected = self.root.at(rank).last_score;
        self.root.rank = rank;
        self.root.depth = depth;
        let mut half = params.aspiration_window;
        let mut window = Window::FULL;
        if depth.plies() >= params.aspiration_depth && !expected.is_mate() {
            window = Window { alpha: expected - half, beta: expected + half };
        }
        // Each fail high reduces the depth of the re-search by a ply.
        let mut reduced = Depth(0);
        loop {
            let before = self.root.begin(rank);
            let searched = (depth - reduced).max(Depth(1));
            let position = self.task.game.position();
            let result = self.negamax::<Root>(position, searched, Ply::ROOT, window, false);
            let score = match result {
                Ok(score) => score,
                Err(stopped) => {
                    self.root.undo_begin(rank, before);
                    return Err(stopped);
                }
            };
            self.root.sort_from(rank);
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

    /// Reports the best line if an interrupted iteration changed it, or all if it was the first.
    fn report_unfinished(
        &mut self,
        lines: usize,
        shown: usize,
        depth: Depth,
        finished: Depth,
        reporter: &mut Reporter<'_, E::Game>,
    ) {
        if finished == Depth::default() {
            let (position, evaluator) = (self.task.game.position(), &mut self.evaluator);
            self.root.score_unsearched(lines, &mut |mv| {
                -evaluator.evaluate(&position.after(mv), Ply::ROOT.next())
            });
            for rank in 0..shown {
                self.report(reporter, rank, depth);
            }
        } else if lines > 1 {
            // Lines of two iterations must not be mixed.
            self.root.restore_completed();
        } else if self.root.first_line_changed() {
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
        // A mate in n moves is 2n - 1 plies away, plus one to see that there is no escape.
        let by_mate = limits.mate.map_or(Depth::MAX, |moves| {
            Depth(moves.saturating_mul(2).min(Depth::MAX.0 as u16) as i16)
        });
        by_depth.min(by_mate).clamp(Depth(1), Depth::MAX)
    }

    fn is_last(&self, depth: Depth, time_factor: f64) -> bool {
        let limits = &self.task.limits;
        let best = self.root.best_score();
        if let Some(moves) = limits.mate
            && best.moves_to_mate().is_some_and(|found| found > 0 && found as u16 <= moves)
        {
            return true;
        }
        // Dead position: no depth finds a mate.
        if self.task.game.position().is_dead() {
            return true;
        }
        let nodes = self.counters.progress().0 - self.task.control.nodes_before_search();
        if limits.soft_nodes.is_some_and(|most| nodes >= most) {
            return true;
        }
        let control = self.task.control;
        let on_the_clock = limits.time.soft.is_some();
        let single_reply = limits.hurry_single_reply && on_the_clock && self.root.len() == 1;
        control.end_unless_pondering(
            single_reply
                || self.mate_is_certain(depth)
                || control.soft_limit_passed(limits.time, time_factor),
        )
    }

    /// Whether a mate is certain enough to end a timed search: proved, or shorter than the iteration
    /// is deep. With a fixed time per move, an unproved mate needs an iteration deeper than twice
    /// its length, since late moves are reduced.
    fn mate_is_certain(&self, depth: Depth) -> bool {
        let limits = self.task.limits;
        let Some(plies) = self.root.best_score().plies_to_mate().map(i16::unsigned_abs) else {
            return false;
        };
        let is_proved = self.root.at(0).is_proved;
        let depth = depth.0.unsigned_abs();
        let only_time =
            limits.time.hard.is_some() && limits.depth.is_none() && limits.nodes.is_none();
        if limits.time.soft.is_some() {
            is_proved || plies < depth
        } else {
            only_time
                && limits.is_single_line()
                && (is_proved || 2 * plies + MATE_EXTRA_PLIES < depth)
        }
    }
}

/// Time factor by the number of iterations for which the best move has stayed the same.
const STABILITY: [f64; 6] = [1.6, 1.3, 1.1, 0.95, 0.85, 0.8];
/// Time factor if the best move used none of the nodes, and what is subtracted if it used all.
const NO_SHARE_FACTOR: f64 = 2.0;
const SHARE_WEIGHT: f64 = 1.5;
/// A fall by this many centipawns would double the time if [`FALL_FACTORS`] did not limit it.
const DOUBLING_FALL: f64 = 100.0;
/// The least and the greatest time factor for a falling score.
const FALL_FACTORS: (f64, f64) = (0.8, 1.6);

/// Time management: easy moves get less time, unclear ones more.
struct Timing<G: Searchable> {
    best: Option<G::Move>,
    /// Iterations for which the best move has stayed the same.
    unchanged: usize,
    last_score: Score,
}

impl<G: Searchable> Timing<G> {
    /// The factor for the planned time after another iteration.
    fn factor_after(&mut self, root: &RootMoves<G>) -> f64 {
        let best = Some(root.first_move(0));
        let score = root.best_score();
        self.unchanged = if best == self.best { self.unchanged + 1 } else { 0 };
        let fall = if self.best.is_some() { self.last_score - score } else { 0 };
        self.best = best;
        self.last_score = score;
        let stability = STABILITY[self.unchanged.min(STABILITY.len() - 1)];
        let share = NO_SHARE_FACTOR - SHARE_WEIGHT * root.best_share();
        let fall = (1.0 + f64::from(fall) / DOUBLING_FALL).clamp(FALL_FACTORS.0, FALL_FACTORS.1);
        stability * share * fall
    }
}

impl<E: Evaluate> Worker<'_, E> {
    pub fn update_root_move(
        &mut self,
        mv: MoveOf<E>,
        score: Score,
        window: Window,
        is_first: bool,
        nodes_before: u64,
    ) {
        if is_first || score > window.alpha {
            self.path.extend_line(Ply::ROOT, mv);
        }
        let nodes = self.counters.nodes - nodes_before;
        let line = self.path.root_line();
        let Some(root_move) = self.root.find_mut(mv) else { return };
        root_move.nodes += nodes;
        if !root_move.is_proved && (is_first || score > window.alpha) {
            root_move.score = score;
            root_move.bound = window.bound_of(score);
            root_move.line.clear();
            root_move.line.extend_from_slice(line);
        }
    }

    /// The line of the root move at `rank`, ready to report.
    pub fn line(&self, rank: usize, depth: Depth) -> SearchLine<E::Game> {
        let root_move = self.root.at(rank);
        let (nodes, time) = self.counters.progress();
        let mut moves = root_move.line.clone();
        let score = root_move.score;
        let mut bound = root_move.bound;
        let mut is_drawn = false;
        if bound == Bound::Exact {
            bound = bound_by_line(self.task.game, score, &moves);
        }
        if score == Score::DRAW {
            // Judged by the rules alone, for which a single repetition is no draw.
            let mut end = self.task.game.clone();
            moves.iter().for_each(|&mv| end.play(mv));
            let ends_drawn = matches!(end.outcome(), Some(Outcome::Draw(_)));
            let end = end.position();
            is_drawn = bound == Bound::Exact && (ends_drawn || self.is_tablebase_draw(end));
            // Match tools read a score of zero with a line of one move as a move that draws the
            // game at once. Where it does not, a reply is added; where the draw is certain, one
            // that keeps it.
            if moves.len() == 1 && !ends_drawn {
                let replies = end.legal_moves();
                let keeps = |&&mv: &&MoveOf<E>| !is_drawn || self.is_tablebase_draw(&end.after(mv));
                moves.extend(replies.iter().find(keeps).or(replies.first()));
            }
        }
        SearchLine {
            depth,
            selective_depth: self.counters.selective_depth.max(Ply::ROOT.next()),
            rank: rank + 1,
            score,
            bound,
            nodes,
            time,
            hashfull: self.task.tt.hashfull(),
            tablebase_hits: self.task.control.tablebase_hits(),
            moves,
            is_drawn,
        }
    }
}

/// The bound of a line's score: a mate is exact only if the line ends in it.
pub(super) fn bound_by_line<G: Searchable>(
    game: &GameState<G>,
    score: Score,
    line: &[G::Move],
) -> Bound {
    if !score.is_mate() || ends_in_mate(game, score, line) {
        Bound::Exact
    } else if score.is_win() {
        Bound::Lower
    } else {
        Bound::Upper
    }
}

/// Whether a line ends in the mate that its score announces, without a draw before it.
fn ends_in_mate<G: Searchable>(game: &GameState<G>, score: Score, line: &[G::Move]) -> bool {
    let (mut end, mut ply) = (game.clone(), Ply::ROOT);
    let is_drawn = line.iter().any(|&mv| {
        end.play(mv);
        ply = ply.next();
        is_drawn_by_rule(end.position(), end.history(), ply)
    });
    score.plies_to_mate().is_some_and(|plies| usize::from(plies.unsigned_abs()) == line.len())
        && !is_drawn
        && end.position().without_moves() == Terminal::Lost
        && !end.position().has_legal_moves()
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::chesquerque::Game;

    #[test]
    fn a_mate_is_complete_if_its_line_ends_in_it() {
        let start = "k8/9/K8/9/9/9/9/8R/9 w - - 0 1";
        for (fen, line, plies, is_whole) in [
            (start, "i2i9", 1, true),
            (start, "i2i9", 3, false),
            (start, "i2h2", 1, false),
            (start, "i2h2 a9b9", 2, false),
            (start, "i2h2 a9b9 h2h9", 3, true),
            (start, "i2h2 a9b9 h2h8", 3, false),
            (&start.replace("0 1", "99 60"), "i2i9", 1, true),
            (&start.replace("0 1", "98 60"), "i2h2 a9b9 h2h9", 3, false),
        ] {
            let game = Game::from_position(fen.parse().expect("a FEN"));
            let line: Vec<_> = line.split(' ').map(|mv| mv.parse().expect("a move")).collect();
            assert_eq!(ends_in_mate(&game, Score::mating_at(Ply(plies)), &line), is_whole, "{fen}");
        }
    }
}
