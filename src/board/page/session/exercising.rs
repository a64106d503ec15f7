//! Reviews of games, and of tries in exercises, endings and training. A try is judged by a search
//! of its own, while a game or an analysis goes on; the review of a whole game ends the analysis
//! and takes its resources.

use std::time::Duration;

use crate::page::backend::{JobResources, ReviewEvent, ReviewJob, ReviewTask, Reviewed};
use crate::page::endings::{ENDGAMES, ProvenResult, best_move, endgame_at, endgame_named, play};
use crate::page::exercise::{Continuation, Goal, Judgement, Task, puzzle_after};
use crate::page::protocol::{ExerciseRequest, JudgedMove, Reply, TrainRequest};
use crate::page::session::{AnalysisSettings, PendingMove, Session, Shared, WholeReview};
use crate::page::shown::PositionShown;
use crate::page::store::LoadError;
use crate::page::training::mistake_in;
use qirkat_analysis::review::LeftBook;
use qirkat_game::Rules;
use qirkat_rules::pgn::{PgnGame, PgnMove};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition};
use qirkat_system::host::{Instant, random};
use qirkat_system::machine::cores;

/// The most plies of a game to review. More would take hours; real games are far shorter.
const MAX_PLIES: usize = 1200;
/// Bounds of the milliseconds per move.
const TIME_BOUNDS: (u32, u32) = (1, 10_000);
const PROGRESS_INTERVAL: Duration = Duration::from_millis(150);
/// The resources for judging a try: a few short searches on one thread.
const JUDGING_RESOURCES: JobResources =
    JobResources { time: Duration::from_millis(250), threads: 1, hash: 8 };

impl Session {
    pub(super) fn stop_review(&mut self) {
        self.reviews.whole = None;
        self.send_progress(None);
    }

    pub(super) fn begin_review(&mut self, time: u32) {
        if self.record.is_being_played() {
            return self.note("The game is still being played. End it to review it.");
        }
        let game = self.record.to_pgn();
        let plies = game.moves.len();
        if plies == 0 {
            return self.note("There is no move to review.");
        }
        if game.moves.iter().any(|played| played.mv.is_null()) {
            return self.note("A game in which a side passes cannot be reviewed.");
        }
        if plies > MAX_PLIES {
            let text = format!("a game of {plies} plies is too long: the limit is {MAX_PLIES}");
            return self.fail(text);
        }
        self.reviews.whole = None;
        self.stop_searching();
        // Frees the analysis's resources for the review.
        self.searching.engine = None;
        let AnalysisSettings { threads, hash, .. } = self.searching.settings;
        let time = Duration::from_millis(time.clamp(TIME_BOUNDS.0, TIME_BOUNDS.1).into());
        // By default all cores: the user waits for it.
        let threads = threads.unwrap_or_else(cores);
        match self.start_review(game, JobResources { time, threads, hash }, true) {
            Ok(job) => {
                self.reviews.whole = Some(WholeReview { job, plies, next_report: Instant::now() });
                self.send_progress(Some([0, plies]));
            }
            Err(text) => self.fail(text),
        }
        self.send_state();
    }

    /// Starts a review in the background, if there is room.
    fn start_review(
        &mut self,
        game: PgnGame,
        resources: JobResources,
        gives_reasons: bool,
    ) -> Result<ReviewJob, String> {
        self.reviews.begun += 1;
        let number = self.reviews.begun;
        let left_book = LeftBook::of(&game, self.book(game.start.variant()));
        let Shared { backend, pool, .. } = &self.shared;
        let share = pool.take(resources.threads, resources.hash)?;
        let tables = self.tables.clone();
        let task = ReviewTask { number, game, resources, gives_reasons, left_book, tables };
        Ok(ReviewJob { number, _running: backend.review(task, &self.own_events)?, _share: share })
    }

    pub(super) fn review_progress(&mut self, number: u64, event: ReviewEvent) {
        let whole = self.reviews.whole.as_ref();
        let of_whole_game = whole.is_some_and(|whole| whole.job.number == number);
        match event {
            ReviewEvent::Left(left) => {
                let now = Instant::now();
                let whole = self.reviews.whole.as_mut().filter(|whole| whole.next_report <= now);
                if let Some(whole) = whole.filter(|_| of_whole_game) {
                    whole.next_report = now + PROGRESS_INTERVAL;
                    let plies = whole.plies;
                    self.send_progress(Some([plies.saturating_sub(left), plies]));
                }
            }
            ReviewEvent::Ended(review) if of_whole_game => self.keep_review(*review),
            ReviewEvent::Ended(review) => self.judge_reviewed(number, *review),
        }
    }

    /// Saves and sends a finished review, of the game as it was: it may have changed.
    fn keep_review(&mut self, review: Result<Reviewed, String>) {
        self.stop_review();
        match review {
            Ok(Reviewed { is_complete: true, kept, .. }) => {
                self.shared.store.keep_review(&self.record.id, &kept);
                self.send(&Reply::Review { kept: Some(kept) });
            }
            Ok(_) => self.fail("the review ended before it was through the game"),
            Err(text) => self.fail(text),
        }
    }

    /// Sends the saved review. If there is none, nothing is sent: with the new game's state the
    /// page has dropped the review of the game before.
    pub(super) fn send_review(&mut self) {
        match self.shared.store.review(&self.record.id) {
            Ok(kept) => self.send(&Reply::Review { kept: Some(kept) }),
            Err(LoadError::Name | LoadError::Gone) => {}
            Err(error) => self.note(format!("The review of this game cannot be read: {error}")),
        }
    }

    fn send_progress(&mut self, progress: Option<[usize; 2]>) {
        self.send(&Reply::Reviewing { progress });
    }

    pub(super) fn answer_exercise(&mut self, request: &ExerciseRequest) {
        match request {
            ExerciseRequest::Endings => self.send(&Reply::Endings { endings: ENDGAMES }),
            ExerciseRequest::NewEnding { number, ending } => self.new_ending(*number, ending),
            ExerciseRequest::Best { number, task } => self.hint_in_ending(*number, task),
            ExerciseRequest::SetUp { number, task } => self.set_up(*number, task),
            ExerciseRequest::Try { number, task, text } => {
                if let Err(text) = self.try_move(*number, task, text) {
                    self.send(&Reply::Tried(Box::new(JudgedMove::refused(*number, text))));
                }
            }
        }
    }

    fn exercise(&self, task: &Task) -> Result<(AnyGame, Goal), String> {
        match task {
            Task::Position { game, fen } => {
                let parsed = game.read_fen(fen).map_err(|error| error.to_string())?;
                Ok((AnyGame::from_position(parsed.position), Goal::Legal))
            }
            Task::Ending { game, fen, moves } => Ok((endgame_at(*game, fen, moves)?, Goal::Win)),
            Task::Puzzle { game, id, moves } => puzzle_after(*game, id, moves),
            Task::Mistake { id, ply } => {
                let review = self.shared.store.review(id);
                let review = review.map_err(|error| format!("the review of the game: {error}"))?;
                Ok((mistake_in(&review, *ply)?.game, Goal::NoLoss))
            }
        }
    }

    fn set_up(&mut self, number: u32, task: &Task) {
        self.reviews.pending = None;
        match self.exercise(task) {
            Ok((game, goal)) => {
                if goal == Goal::Win {
                    let truth = best_move(&self.tables, &game).map(|best| ProvenResult::of(&best));
                    self.send(&Reply::EndingAnswer { number, truth, best: truth });
                }
                let position = Box::new(shown(game.position(), game.moves().last().copied()));
                self.send(&Reply::Exercise { number, position });
            }
            Err(text) => self.fail(text),
        }
    }

    /// Judges a move: at once by the rules or the tables, otherwise with a short search.
    fn try_move(&mut self, number: u32, task: &Task, text: &str) -> Result<(), String> {
        self.reviews.pending = None;
        let (game, goal) = self.exercise(task)?;
        let position = *game.position();
        // Only in endings does the history count; in other exercises the position stands alone.
        let played = if goal == Goal::Win { &game } else { &AnyGame::from_position(position) };
        if let Some(outcome) = played.outcome() {
            return Err(format!("the game is over: {outcome}"));
        }
        let mv = position.read_move(text).map_err(|error| error.to_string())?;
        let after = position.after(mv);
        let mut tried = JudgedMove {
            judgement: Judgement::Legal,
            mv: Some(mv.to_string()),
            position: Some(shown(&after, Some(mv))),
            ..JudgedMove::refused(number, position.san(mv))
        };
        match goal {
            Goal::Legal => {}
            Goal::Win => {
                let played = play(&self.tables, &game, mv, random());
                let played = played.ok_or("the tables do not know this position")?;
                tried.judgement = match (played.wins, played.is_over) {
                    (true, true) => Judgement::Solved,
                    (true, false) => Judgement::Right,
                    (false, _) => Judgement::Wrong,
                };
                tried.answer = played.reply.map(|reply| Continuation::of(&after, &[reply]));
                let (truth, best) = (Some(played.truth), Some(played.best));
                self.send(&Reply::EndingAnswer { number, truth, best });
            }
            Goal::Solution(..) | Goal::NoLoss => {
                let mut game = PgnGame::from_position(position);
                game.moves.push(PgnMove::from(mv));
                // The user waits for the judgement, and reasons are not shown.
                let job = self.start_review(game, JUDGING_RESOURCES, false)?;
                self.reviews.pending = Some(PendingMove { job, goal, tried });
                return Ok(());
            }
        }
        self.send(&Reply::Tried(Box::new(tried)));
        Ok(())
    }

    /// Sends the judgement of a reviewed try, or why it could not be judged.
    fn judge_reviewed(&mut self, job: u64, review: Result<Reviewed, String>) {
        let is_it = |pending: &mut PendingMove| pending.job.number == job;
        let Some(pending) = self.reviews.pending.take_if(is_it) else { return };
        let PendingMove { goal, mut tried, .. } = pending;
        let unjudged = || "the move could not be judged".to_owned();
        let found = review.and_then(|review| review.first.ok_or_else(unjudged));
        match found {
            Ok(found) => {
                let moves = found.line.moves.get(1..).unwrap_or_default();
                tried.judgement = goal.judge(&found);
                tried.answer = Some(Continuation::of(&found.position.after(found.played), moves));
                tried.loss = (100.0 * found.loss).round() as u32;
                tried.mate = found.line.score.moves_to_mate();
            }
            Err(text) => tried = JudgedMove::refused(tried.number, text),
        }
        self.send(&Reply::Tried(Box::new(tried)));
    }

    fn new_ending(&mut self, number: u32, id: &str) {
        let reply = endgame_named(id).and_then(|endgame| {
            let position = endgame.random_position(&self.tables, random())?;
            Some(Reply::EndingPosition { number, game: endgame.game, fen: position.fen() })
        });
        match reply {
            Some(reply) => self.send(&reply),
            None => self.fail("no table here has such an ending"),
        }
    }

    /// Sends the best move of an ending; other exercises have no known one.
    fn hint_in_ending(&mut self, number: u32, task: &Task) {
        let Task::Ending { game, fen, moves } = task else { return };
        let Ok(game) = endgame_at(*game, fen, moves) else { return };
        if let Some(best) = best_move(&self.tables, &game) {
            let (text, san) = (best.mv.to_string(), game.position().san(best.mv));
            self.send(&Reply::EndingHint { number, text, san });
        }
    }

    pub(super) fn train(&mut self, request: &TrainRequest) {
        let trainer = &self.shared.trainer;
        let reply = match request {
            TrainRequest::Due { today } => Reply::Due(trainer.due(*today)),
            TrainRequest::Overview { today, others } => {
                Reply::Training(Box::new(trainer.overview(*today, *others)))
            }
            TrainRequest::Puzzles { game } => Reply::Puzzles(trainer.counts(*game)),
            TrainRequest::Results => {
                let (results, left) = trainer.results();
                Reply::Results { results, left }
            }
            TrainRequest::Next { today, want, after } => {
                let (posed, left) = trainer.next(want, after.as_ref(), *today, random());
                Reply::Posed { posed, left }
            }
            TrainRequest::Grade { today, item, grade } => {
                Reply::Graded(trainer.grade(item, *grade, *today))
            }
        };
        self.send(&reply);
    }
}

fn shown(position: &AnyPosition, last: Option<AnyMove>) -> PositionShown {
    PositionShown::of(position, last, AnyGame::from_position(*position).outcome())
}
