//! Reviews in the background, of games and of tries in exercises; endings; training. They search by
//! themselves, so that a game or an analysis goes on meanwhile.

use std::time::Duration;

use crate::page::backend::ReviewJob;
use crate::page::endings::{LADDER, Truth, best_move, ending, ending_after, play};
use crate::page::exercise::{Answer, Goal, Judgement, Task, puzzle_after};
use crate::page::protocol::{ExerciseRequest, Reply, ReviewRequest, TrainRequest, Tried};
use crate::page::review::{JobResources, ReviewNews, ReviewTask, Reviewed};
use crate::page::session::searching::AnalysisSettings;
use crate::page::session::{Session, Shared};
use crate::page::shown::{Shown, read_moves};
use crate::page::store::LoadError;
use crate::page::training::mistake_in;
use qirkat_game::Rules;
use qirkat_rules::pgn::{PgnGame, PgnMove};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant};
use qirkat_system::host::{Instant, random};
use qirkat_system::machine::cores;

/// Plies of a game that can be reviewed. More would take hours, and the longest real
/// games are far from it.
const MAX_PLIES: usize = 1200;
/// Milliseconds for each move.
const TIMES: (u32, u32) = (1, 10_000);
/// How often the page is told how far a review has come.
const NEWS_INTERVAL: Duration = Duration::from_millis(150);

/// The reviews of a session: of its game, and of a try in an exercise.
#[derive(Default)]
pub(super) struct Reviews {
    begun: u64,
    whole: Option<WholeReview>,
    pub(super) trial: Option<Trial>,
}

/// A review of the game, in progress.
struct WholeReview {
    job: ReviewJob,
    plies: usize,
    next_news: Instant,
}

impl Reviews {
    /// A number that no review had before.
    pub(super) fn next_number(&mut self) -> u64 {
        self.begun += 1;
        self.begun
    }

    pub(super) fn stop(&mut self) {
        self.whole = None;
        self.trial = None;
    }
}

impl Session {
    pub(super) fn answer_review(&mut self, request: &ReviewRequest) {
        match *request {
            ReviewRequest::Begin { time } => self.begin_review(time),
            ReviewRequest::Stop => {
                self.reviews.whole = None;
                self.send_progress(None);
            }
        }
    }

    /// Reviews the main line, in place of an analysis.
    fn begin_review(&mut self, time: u32) {
        if self.record.is_being_played() {
            return self.note("The game is still being played. End it to review it.");
        }
        let game = self.record.to_pgn();
        let plies = game.moves.len();
        if plies == 0 {
            return self.note("There is no move to review.");
        }
        if plies > MAX_PLIES {
            let text = format!("a game of {plies} plies is too long: the limit is {MAX_PLIES}");
            return self.send(&Reply::Error { text });
        }
        self.reviews.whole = None;
        self.stop_search();
        self.stop_sweep();
        self.analysing = false;
        self.threat = false;
        // What the analysis had is free for the review.
        self.thinker = None;
        let AnalysisSettings { threads, hash, .. } = self.settings;
        let time = Duration::from_millis(time.clamp(TIMES.0, TIMES.1).into());
        // It ends in a minute, and takes all cores where nobody has chosen.
        let threads = threads.unwrap_or_else(cores);
        let resources = JobResources { time, threads, hash };
        let number = self.reviews.next_number();
        let tables = self.tables.clone();
        match self.start_review(ReviewTask { number, game, resources, gives_reasons: true, tables })
        {
            Ok(job) => {
                self.reviews.whole = Some(WholeReview { job, plies, next_news: Instant::now() });
                self.send_progress(Some([0, plies]));
            }
            Err(text) => self.send(&Reply::Error { text }),
        }
        self.send_state();
    }

    pub(super) fn start_review(&self, task: ReviewTask) -> Result<ReviewJob, String> {
        let Shared { backend, allowance, .. } = &self.shared;
        ReviewJob::start(task, &**backend, allowance, &self.own_events)
    }

    /// Whether a review goes on; says so, since nothing else is searched meanwhile.
    pub(super) fn is_reviewing(&mut self) -> bool {
        let reviewing = self.reviews.whole.is_some();
        if reviewing {
            self.note("The game is being reviewed. Stop the review to analyse.");
        }
        reviewing
    }

    pub(super) fn review_progress(&mut self, number: u64, news: ReviewNews) {
        let whole = self.reviews.whole.as_ref();
        let of_whole_game = whole.is_some_and(|whole| whole.job.number() == number);
        match news {
            ReviewNews::Left(left) if of_whole_game => self.send_progress_if_due(left),
            ReviewNews::Left(_) => {}
            ReviewNews::Done(review) if of_whole_game => self.keep_review(*review),
            ReviewNews::Done(review) => self.trial_reviewed(number, &review),
            ReviewNews::Failed(text) if of_whole_game => {
                self.reviews.whole = None;
                self.send_progress(None);
                self.send(&Reply::Error { text });
            }
            ReviewNews::Failed(text) => self.trial_failed(number, text),
        }
    }

    fn send_progress_if_due(&mut self, left: usize) {
        let now = Instant::now();
        if let Some(whole) = self.reviews.whole.as_mut().filter(|whole| whole.next_news <= now) {
            whole.next_news = now + NEWS_INTERVAL;
            let plies = whole.plies;
            self.send_progress(Some([plies.saturating_sub(left), plies]));
        }
    }

    /// Keeps a review that has ended, and tells it. The game may have gone on: it is the
    /// review of the game as it was.
    fn keep_review(&mut self, review: Reviewed) {
        self.reviews.whole = None;
        self.send_progress(None);
        if !review.is_complete {
            let text = "the review ended before it was through the game".to_owned();
            return self.send(&Reply::Error { text });
        }
        self.shared.store.keep_review(&self.record.id, &review.kept);
        self.send(&Reply::Review { kept: Some(review.kept) });
    }

    /// Tells the review that is kept with the game, if there is one: the page expects
    /// none of a game that it has just been told.
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
}

/// The resources for judging a try: a few short searches of one thread.
const RESOURCES: JobResources =
    JobResources { time: Duration::from_millis(250), threads: 1, hash: 8 };

/// A try that is being judged, as a review of a game with one move.
pub(super) struct Trial {
    job: ReviewJob,
    number: u32,
    goal: Goal,
    position: AnyPosition,
    mv: AnyMove,
}

impl Session {
    pub(super) fn answer_exercise(&mut self, request: &ExerciseRequest) {
        match request {
            ExerciseRequest::Endings => self.list_endings(),
            ExerciseRequest::Draw { number, ending } => self.draw_ending(*number, ending),
            ExerciseRequest::Best { number, task: Task::Ending { game, fen, moves } } => {
                self.hint_in_ending(*number, (*game, fen, moves));
            }
            ExerciseRequest::Best { .. } => {}
            ExerciseRequest::SetUp { number, task: Task::Ending { game, fen, moves } } => {
                self.set_up_ending(*number, *game, fen, moves);
            }
            ExerciseRequest::Try { number, task: Task::Ending { game, fen, moves }, text } => {
                self.try_in_ending(*number, (*game, fen, moves), text);
            }
            ExerciseRequest::SetUp { number, task } => self.set_up(*number, task),
            ExerciseRequest::Try { number, task, text } => self.try_move(*number, task, text),
        }
    }

    /// The position of an exercise, the move before it, and what is to be done.
    fn exercise(&self, task: &Task) -> Result<(AnyPosition, Option<AnyMove>, Goal), String> {
        match task {
            Task::Position { game, fen } => {
                let parsed = game.read_fen(fen).map_err(|error| error.to_string())?;
                Ok((parsed.position, None, Goal::Legal))
            }
            Task::Ending { game, fen, moves } => {
                let game = ending_after(*game, fen, moves)?;
                Ok((*game.position(), game.moves().last().copied(), Goal::Legal))
            }
            Task::Puzzle { game, id, moves } => puzzle_after(*game, id, moves),
            Task::Mistake { id, ply } => {
                let review = self.shared.store.review(id);
                let review = review.map_err(|error| format!("the review of the game: {error}"))?;
                let mistake = mistake_in(&review, *ply)?;
                Ok((mistake.position, mistake.last, Goal::NoLoss))
            }
        }
    }

    fn set_up(&mut self, number: u32, task: &Task) {
        self.reviews.trial = None;
        match self.exercise(task) {
            Ok((position, last, _)) => {
                let position = Box::new(shown(&position, last));
                self.send(&Reply::Exercise { number, position });
            }
            Err(text) => self.send(&Reply::Error { text }),
        }
    }

    /// Judges a move: at once if only the rules count, else by a short search.
    fn try_move(&mut self, number: u32, task: &Task, text: &str) {
        self.reviews.trial = None;
        let (position, goal) = match self.exercise(task) {
            Ok((position, _, goal)) => (position, goal),
            Err(text) => return self.refuse(number, text),
        };
        let outcome = AnyGame::from_position(position).outcome();
        let read = match outcome {
            Some(outcome) => Err(format!("the game is over: {outcome}")),
            None => position.read_move(text).map_err(|error| error.to_string()),
        };
        let mv = match read {
            Ok(mv) => mv,
            Err(text) => return self.refuse(number, text),
        };
        if goal == Goal::Legal {
            let tried = Tried {
                judgement: Judgement::Legal,
                text: position.san(mv),
                mv: Some(mv.to_string()),
                position: Some(shown(&position.after(mv), Some(mv))),
                ..refused(number, String::new())
            };
            return self.send(&Reply::Tried(Box::new(tried)));
        }
        let mut game = PgnGame::from_position(position);
        game.moves.push(PgnMove::from(mv));
        let job = self.reviews.next_number();
        let tables = self.tables.clone();
        // Whoever tries a move waits for the judgement, and is shown no reasons.
        let task =
            ReviewTask { number: job, game, resources: RESOURCES, gives_reasons: false, tables };
        match self.start_review(task) {
            Ok(job) => self.reviews.trial = Some(Trial { job, number, goal, position, mv }),
            Err(text) => self.refuse(number, text),
        }
    }

    pub(super) fn refuse(&mut self, number: u32, text: String) {
        self.send(&Reply::Tried(Box::new(refused(number, text))));
    }

    /// Tells that a try could not be reviewed, and why.
    pub(super) fn trial_failed(&mut self, job: u64, text: String) {
        let is_it = |trial: &mut Trial| trial.job.number() == job;
        if let Some(trial) = self.reviews.trial.take_if(is_it) {
            self.refuse(trial.number, text);
        }
    }

    /// Tells what a try is worth that has been reviewed.
    pub(super) fn trial_reviewed(&mut self, job: u64, review: &Reviewed) {
        let is_it = |trial: &mut Trial| trial.job.number() == job;
        let Some(trial) = self.reviews.trial.take_if(is_it) else { return };
        let Trial { number, goal, position, mv, .. } = trial;
        let Some(found) = &review.first else {
            return self.refuse(number, "the move could not be judged".to_owned());
        };
        let after = position.after(mv);
        let line = read_moves(&position, &found.line);
        let answer = Answer::of(&after, line.get(1..).unwrap_or_default());
        let tried = Tried {
            number,
            judgement: goal.judge(mv, found),
            text: position.san(mv),
            mv: Some(mv.to_string()),
            position: Some(shown(&after, Some(mv))),
            answer: Some(answer),
            loss: (100.0 * found.loss).round() as u32,
            mate: found.mate,
        };
        self.send(&Reply::Tried(Box::new(tried)));
    }
}

pub(super) fn shown(position: &AnyPosition, last: Option<AnyMove>) -> Shown {
    Shown::of(position, last, AnyGame::from_position(*position).outcome())
}

/// A try that is not legal or cannot be judged, and why.
fn refused(number: u32, text: String) -> Tried {
    let judgement = Judgement::Refused;
    Tried { number, judgement, text, mv: None, position: None, answer: None, loss: 0, mate: None }
}

impl Session {
    pub(super) fn list_endings(&mut self) {
        self.send(&Reply::Endings { endings: LADDER });
    }

    /// Draws a position of an ending by chance.
    pub(super) fn draw_ending(&mut self, number: u32, id: &str) {
        let drawn = ending(id).and_then(|ending| {
            let position = ending.draw(&self.tables, random())?;
            Some(Reply::EndingDrawn { number, game: ending.game, fen: position.fen() })
        });
        let nothing = || Reply::Error { text: "there is no such ending".to_owned() };
        self.send(&drawn.unwrap_or_else(nothing));
    }

    /// Tells the position of an ending after some moves, and what it is worth.
    pub(super) fn set_up_ending(
        &mut self,
        number: u32,
        game: Variant,
        fen: &str,
        moves: &[String],
    ) {
        match ending_after(game, fen, moves) {
            Ok(game) => {
                let truth = best_move(&self.tables, &game).map(|best| Truth::of(&best));
                self.send(&Reply::EndingTold { number, truth, best: truth });
                let last = game.moves().last().copied();
                let position = Box::new(shown(game.position(), last));
                self.send(&Reply::Exercise { number, position });
            }
            Err(text) => self.send(&Reply::Error { text }),
        }
    }

    /// Judges a move in an ending, and tells the longest defence.
    pub(super) fn try_in_ending(
        &mut self,
        number: u32,
        (game, fen, moves): (Variant, &str, &[String]),
        text: &str,
    ) {
        let game = match ending_after(game, fen, moves) {
            Ok(game) => game,
            Err(text) => return self.refuse(number, text),
        };
        let position = *game.position();
        let read = match game.outcome() {
            Some(outcome) => Err(format!("the game is over: {outcome}")),
            None => position.read_move(text).map_err(|error| error.to_string()),
        };
        let mv = match read {
            Ok(mv) => mv,
            Err(text) => return self.refuse(number, text),
        };
        let Some(played) = play(&self.tables, &game, mv, random()) else {
            return self.refuse(number, "the tables do not know this position".to_owned());
        };
        let judgement = match (played.wins, played.is_over) {
            (true, true) => Judgement::Solved,
            (true, false) => Judgement::Right,
            (false, _) => Judgement::Wrong,
        };
        let mut game = game;
        game.play(mv);
        let after = *game.position();
        let (truth, best) = (Some(played.truth), Some(played.best));
        self.send(&Reply::EndingTold { number, truth, best });
        let tried = Tried {
            number,
            judgement,
            text: position.san(mv),
            mv: Some(mv.to_string()),
            position: Some(shown(&after, Some(mv))),
            answer: played.reply.map(|reply| Answer::of(&after, &[reply])),
            loss: 0,
            mate: None,
        };
        self.send(&Reply::Tried(Box::new(tried)));
    }

    /// Tells the best move of an ending.
    pub(super) fn hint_in_ending(
        &mut self,
        number: u32,
        (game, fen, moves): (Variant, &str, &[String]),
    ) {
        let best = ending_after(game, fen, moves).ok().and_then(|game| {
            let best = best_move(&self.tables, &game)?;
            Some((best.mv.to_string(), game.position().san(best.mv)))
        });
        if let Some((text, san)) = best {
            self.send(&Reply::EndingHint { number, text, san });
        }
    }
}

impl Session {
    pub(super) fn train(&mut self, request: &TrainRequest) {
        let trainer = &self.shared.trainer;
        let reply = match request {
            TrainRequest::Due { today } => Reply::Due(trainer.due(*today)),
            TrainRequest::Overview { today, others } => {
                Reply::Training(Box::new(trainer.overview(*today, *others)))
            }
            TrainRequest::Puzzles { game } => {
                Reply::Puzzles { game: *game, counts: trainer.counts(*game) }
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
