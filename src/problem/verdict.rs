//! The verdict on a problem: whether it is sound.

use super::solution::{Proof, Solution, WrittenMove};
use super::solve::SolveOptions;
use super::stipulation::Aim;

/// Whether a problem is as it should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VerdictKind {
    /// As many solutions as there should be, or just those that were stated.
    Sound,
    /// Other solutions, too.
    Cooked,
    /// A solution in fewer moves.
    Short,
    /// None, or not what was stated.
    NoSolution,
    /// The proof was stopped before that was known.
    NotProved,
}

impl VerdictKind {
    /// The word for it, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            VerdictKind::Sound => "sound",
            VerdictKind::Cooked => "cooked",
            VerdictKind::Short => "short solution",
            VerdictKind::NoSolution => "no solution",
            VerdictKind::NotProved => "not proved",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    pub kind: VerdictKind,
    /// Keys that were not stated; all keys where none was stated and there are too many.
    pub cooks: Vec<WrittenMove>,
    /// Stated keys that do not solve, as UCI writes them.
    pub failing: Vec<String>,
}

impl Verdict {
    pub fn is_sound(&self) -> bool {
        self.kind == VerdictKind::Sound
    }
}

impl Solution {
    /// Judges the problem by what was wanted of it.
    pub fn verdict(&self, options: &SolveOptions) -> Verdict {
        let wanted = options.solutions;
        let is_help = self.stipulation.aim() == Aim::HelpMate;
        let stated: Vec<String> = match is_help {
            true => Vec::new(),
            false => options.stated_keys.iter().map(ToString::to_string).collect(),
        };
        let is_stated = |key: &WrittenMove| stated.contains(&key.uci);
        let keys = || self.keys.iter().map(|key| &key.mv);
        let is_over = self.is_proved();
        let failing: Vec<String> = stated
            .iter()
            .filter(|text| is_over && !keys().any(|key| key.uci == **text))
            .cloned()
            .collect();
        let count = if is_help { self.lines.len() } else { self.keys.len() };
        let has_cooks =
            if stated.is_empty() { count > wanted } else { keys().any(|key| !is_stated(key)) };
        let is_short = self.solved.is_some_and(|solved| solved != self.stipulation);
        let kind = if is_short {
            VerdictKind::Short
        } else if has_cooks && (stated.is_empty() || failing.len() < stated.len()) {
            VerdictKind::Cooked
        } else if let Proof::Stopped { .. } = self.proof {
            VerdictKind::NotProved
        } else if count == 0 || !failing.is_empty() || stated.is_empty() && count < wanted {
            VerdictKind::NoSolution
        } else {
            VerdictKind::Sound
        };
        let cooks = if has_cooks {
            keys().filter(|key| !is_stated(key)).cloned().collect()
        } else {
            Vec::new()
        };
        Verdict { kind, cooks, failing }
    }
}
