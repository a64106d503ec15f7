//! The solution of a problem, as data.

use qirkat_rules::variant::{AnyMove, AnyPosition, VariantGame};

use super::stipulation::Stipulation;

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct WrittenMove {
    pub uci: String,
    pub san: String,
}

impl WrittenMove {
    pub(super) fn of<G: VariantGame>(position: &G, mv: G::Move) -> WrittenMove {
        let (position, mv): (AnyPosition, AnyMove) = ((*position).into(), mv.into());
        WrittenMove { uci: mv.to_string(), san: position.san(mv) }
    }

    pub(super) fn line<G: VariantGame>(position: &G, line: &[G::Move]) -> Vec<WrittenMove> {
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
    /// Moves of the attacker to the aim, this one included.
    pub moves: u8,
    /// The play after it, as far as requested; none after a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play: Option<Play>,
}

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Play {
    pub check: bool,
    /// The threats: how the attacker would continue if the defender passed. Empty after a check,
    /// which must be answered, and in zugzwang.
    pub threats: Vec<Continuation>,
    /// Every reply, in the order of the generator.
    pub variations: Vec<Variation>,
}

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Variation {
    pub defence: WrittenMove,
    /// All shortest continuations: more than one is a dual. Empty if a reply itself fulfils a
    /// selfmate, or, in set play, if nothing follows.
    pub continuations: Vec<Continuation>,
    /// Whether every threat remains, so that the reply defends against nothing.
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
    /// It was stopped. No solution has fewer plies than this.
    Stopped {
        excluded_below: u16,
    },
}

#[derive(Clone, Debug)]
pub struct Solution {
    pub position: AnyPosition,
    pub stipulation: Stipulation,
    pub proof: Proof,
    /// The stipulation that the solutions fulfil, with fewer moves if there are short ones; none if
    /// there is no solution.
    pub solved: Option<Stipulation>,
    pub keys: Vec<Continuation>,
    /// First moves left undecided when the proof was stopped.
    pub open: Vec<WrittenMove>,
    /// First moves with few refutations, if requested.
    pub tries: Vec<Try>,
    /// The play if the other side begins, if requested and possible: a helpmate has `set_lines`
    /// instead.
    pub set_play: Option<Vec<Variation>>,
    pub lines: Vec<Vec<WrittenMove>>,
    /// A helpmate's lines without its first move, if requested and possible.
    pub set_lines: Option<Vec<Vec<WrittenMove>>>,
    /// The longest defence against the first key, if not all variations are shown.
    pub main_line: Vec<WrittenMove>,
    /// Whether the variations are complete; they are cut off if too many, or if the proof was
    /// stopped.
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
