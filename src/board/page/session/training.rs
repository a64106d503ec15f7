//! Training: what comes next, and how it went. The trainer knows.

use super::Session;
use crate::page::reply::Reply;
use crate::page::request::TrainRequest;
use qirkat_system::host::random;

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
