//! The conditions of a match game: clocks, limits, adjudication and checks.

use std::sync::atomic::AtomicBool;

use super::adjudication::AdjudicationRules;
use super::opening::Opening;
use super::punctuality::Punctuality;
use super::search_info::Thought;
use super::time_control::{GameClock, TimeControl};
use qirkat_rules::variant::AnyMove;
use qirkat_tablebase::AllTables;

/// Hears of a move as it is made, of what its player thought, and of what White's and
/// Black's clocks show then.
pub type MoveListener<'a> = dyn Fn(AnyMove, &Thought, [&GameClock; 2]) + 'a;

/// The conditions of a match game.
pub struct GameRules<'a> {
    /// Where it begins.
    pub opening: &'a Opening,
    /// White's and Black's time control.
    pub controls: [TimeControl; 2],
    /// When it ends early.
    pub adjudication: AdjudicationRules,
    /// Endgame tables that end it where they know the result.
    pub tables: Option<&'a AllTables>,
    /// What comes of lines that make no sense.
    pub line_check: LineCheck,
    /// Who watches whether the machine is too busy, if anybody does.
    pub punctuality: Option<&'a Punctuality>,
    /// Who hears of each move that a player makes, if anybody does. No clock runs
    /// meanwhile.
    pub on_move: Option<&'a MoveListener<'a>>,
    /// Raised when it is to be broken off.
    pub stop: &'a AtomicBool,
}

/// What comes of lines that make no sense.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LineCheck {
    /// Nobody looks at them.
    Off,
    /// They are counted.
    #[default]
    Warn,
    /// They lose the game.
    Lose,
}
