//! Searches for the engine under test, and its answers.

use std::time::Duration;

use super::answer::Answer;
use super::connection::Silence;
use super::examinee::Examinee;
use super::finding::{Objection, Outcome, quoted};
use super::setup::Setup;
use qirkat_game::{ReadMove, Rules};
use qirkat_rules::chesquerque::Move;

impl Examinee<'_> {
    /// Sets up a position and starts a search. Late answers to earlier searches are
    /// skipped.
    pub fn go(&mut self, setup: &Setup, go: &str) -> Outcome {
        self.ready(self.examiner.patience.set_up())?;
        self.send(&setup.command())?;
        self.send(go)
    }

    /// Waits for `bestmove`.
    pub fn answer(&mut self, limit: Duration) -> Outcome<Answer> {
        let (before, line) = self.expect("bestmove", limit)?;
        let took = line.arrived.saturating_duration_since(self.connection.last_sent);
        let infos = before.into_iter().filter(|line| line.begins_with("info"));
        Ok(Answer { infos: infos.map(|line| line.text).collect(), took, ..Answer::of(line) })
    }

    /// Waits this long for `bestmove`, then sends `stop`; also returns whether the move came
    /// without it.
    pub fn answer_or_stop(&mut self, time: Duration) -> Outcome<(Answer, bool)> {
        let until = self.connection.last_sent + time;
        loop {
            match self.connection.next_line(until) {
                Ok(line) if line.begins_with("bestmove") => {
                    self.settle();
                    return Ok((Answer::of(line), true));
                }
                Ok(_) => {}
                Err(Silence::Late) => break,
                Err(Silence::Interrupted) => return Err(Objection::Interrupted),
                Err(Silence::Ended(fate)) => return Err(self.fault("`bestmove`", fate)),
            }
        }
        self.send("stop")?;
        Ok((self.answer(self.examiner.patience.prompt())?, false))
    }

    /// A search of any small size, which is bounded twice, for engines that
    /// keep only one of the limits. The answer is legal.
    pub fn think(&mut self, setup: &Setup) -> Outcome<Answer> {
        self.go(setup, "go depth 2 movetime 50")?;
        let answer = self.answer(self.examiner.patience.search())?;
        self.expect_legal(setup, &answer)?;
        Ok(answer)
    }

    /// The move of an answer, which must be legal and written as it should be.
    pub fn expect_legal(&self, setup: &Setup, answer: &Answer) -> Outcome<Move> {
        let read = Move::parse(&answer.best);
        let good = read.filter(|mv| mv.to_string() == answer.best);
        good.filter(|&mv| setup.position().is_legal(mv)).ok_or_else(|| {
            let expected = format!("a legal move for {:?}", setup.position().side_to_move());
            let reason = read.and_then(|mv| setup.position().why_illegal(mv));
            let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
            self.fault(expected, format!("{}{reason}", quoted(&answer.line)))
        })
    }
}
