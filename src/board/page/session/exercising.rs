//! Exercises: positions to find a move in, and what a try is worth. They have a
//! search of their own, so that a game or an analysis goes on meanwhile.

use qirkat_game::Rules;
use std::time::Duration;

use super::Session;
use crate::page::backend::ReviewJob;
use crate::page::endings::ending_after;
use crate::page::exercise::{Answer, Goal, Judgement, Task, puzzle_after};
use crate::page::reply::{Reply, Tried};
use crate::page::request::ExerciseRequest;
use crate::page::review::Reviewed;
use crate::page::review::{JobResources, ReviewTask};
use crate::page::shown::Shown;
use crate::page::shown::read_moves;
use crate::page::training::mistake_in;
use qirkat_rules::pgn::{PgnGame, PgnMove};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition};

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
