//! The conduct of a game besides its result: how the players kept to
//! their time and to what they said, and how long the arbiter took.

use std::collections::BTreeMap;
use std::time::Duration;

use qirkat_rules::variant::AnyPosition;

use crate::players::{EngineFault, LineComplaint, LineFault};

/// How a player behaved in a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Conduct {
    /// Its moves, those of the opening not counted.
    pub moves: u64,
    /// Why it had to be started again for the game, if not for a fault that
    /// had lost the one before.
    pub restarted: Option<EngineFault>,
    /// Moves at which it showed lines with such faults.
    pub line_faults: BTreeMap<LineFault, u64>,
    /// The first of each kind.
    pub examples: Vec<LineExample>,
    /// The most by which it took longer than its clock or the time for a move
    /// allowed.
    pub worst_overshoot: Duration,
    /// The largest part of the time it had that it took for a move.
    pub largest_share: f64,
    /// The longest that the machine kept it waiting for a core during a move
    /// with a time limit.
    pub longest_wait: Duration,
}

/// A line that makes no sense, and where it was shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineExample {
    pub complaint: LineComplaint,
    pub fen: String,
}

/// The arbiter's own time: from the arrival of an answer to the next question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overhead {
    /// How often it was taken.
    pub count: u64,
    pub total: Duration,
    pub worst: Duration,
}

impl Conduct {
    pub(super) fn note_time(&mut self, used: Duration, allowed: Duration) {
        self.worst_overshoot = self.worst_overshoot.max(used.saturating_sub(allowed));
        let share = used.as_secs_f64() / allowed.as_secs_f64();
        if share.is_finite() {
            self.largest_share = self.largest_share.max(share);
        }
    }

    pub(super) fn note_lines(&mut self, position: &AnyPosition, complaints: &[LineComplaint]) {
        for complaint in complaints {
            let count = self.line_faults.entry(complaint.fault).or_default();
            *count += 1;
            if *count == 1 {
                let (complaint, fen) = (complaint.clone(), position.fen());
                self.examples.push(LineExample { complaint, fen });
            }
        }
    }
}

impl Overhead {
    pub(super) fn note(&mut self, time: Duration) {
        self.count += 1;
        self.total += time;
        self.worst = self.worst.max(time);
    }
}
