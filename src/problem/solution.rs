//! The solution of a problem.

use qirkat_rules::variant::{AnyMove, AnyPosition, Member};

use super::stipulation::Stipulation;

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct WrittenMove {
    pub uci: String,
    pub san: String,
}

impl WrittenMove {
    pub(super) fn of<G: Member>(position: &G, mv: G::Move) -> WrittenMove {
        let (position, mv): (AnyPosition, AnyMove) = ((*position).into(), mv.into());
        WrittenMove { uci: mv.to_string(), san: position.san(mv) }
    }

    pub(super) fn line<G: Member>(position: &G, line: &[G::Move]) -> Vec<WrittenMove> {
        let mut position = *position;
        line.iter()
            .map(|&mv| {
                let written = WrittenMove::of(&position, mv);
                position.make(mv);
                written
            })
            .collect()
    }
}

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Continuation {
    #[serde(flatten)]
    pub mv: WrittenMove,
    /// Moves of the attacker that the aim takes from here, this one among them.
    pub moves: u8,
    /// The play after it, as far as it was asked for; none after a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play: Option<Play>,
}

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Play {
    pub check: bool,
    /// How the attacker would go on if the defender could pass: what is threatened. None
    /// after a check, which has to be answered, and in zugzwang.
    pub threats: Vec<Continuation>,
    /// Every reply, in the order of the generator.
    pub variations: Vec<Variation>,
}

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Variation {
    pub defence: WrittenMove,
    /// All moves that go on in the fewest moves: more than one is a dual. None where a
    /// reply itself does what a selfmate wants, or, in set play, where nothing follows.
    pub continuations: Vec<Continuation>,
    /// Whether every threat is still there, so that the reply defends against nothing.
    pub follows_threat: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Try {
    #[serde(flatten)]
    pub mv: WrittenMove,
    pub refutations: Vec<WrittenMove>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    Complete,
    /// It was stopped. Solutions with fewer plies than this there are none.
    Stopped {
        excluded_below: u16,
    },
}

#[derive(Clone, Debug)]
pub struct Solution {
    pub position: AnyPosition,
    pub stipulation: Stipulation,
    pub proof: Proof,
    /// The stipulation that the solutions fulfil, with fewer moves where there are short
    /// ones; none where there is no solution.
    pub solved: Option<Stipulation>,
    pub keys: Vec<Continuation>,
    /// First moves that are not decided, where the proof was stopped.
    pub open: Vec<WrittenMove>,
    /// First moves with few refutations, if they were asked for.
    pub tries: Vec<Try>,
    /// The play if the other side begins, if it was asked for and is possible: in a
    /// helpmate there are lines instead.
    pub set_play: Option<Vec<Variation>>,
    pub lines: Vec<Vec<WrittenMove>>,
    /// Lines of a helpmate without its first move, if they were asked for and are possible.
    pub set_lines: Option<Vec<Vec<WrittenMove>>>,
    /// The longest defence against the first key, where not all variations are shown.
    pub main_line: Vec<WrittenMove>,
    /// Whether the variations are whole; they were broken off where they were too many, or
    /// the proof was stopped.
    pub has_all_variations: bool,
    pub nodes: u64,
}

impl Solution {
    pub(super) fn nothing(position: AnyPosition, stipulation: Stipulation) -> Solution {
        Solution {
            position,
            stipulation,
            proof: Proof::Complete,
            solved: None,
            keys: Vec::new(),
            open: Vec::new(),
            tries: Vec::new(),
            set_play: None,
            lines: Vec::new(),
            set_lines: None,
            main_line: Vec::new(),
            has_all_variations: true,
            nodes: 0,
        }
    }

    pub fn is_proved(&self) -> bool {
        self.proof == Proof::Complete
    }
}
