//! What the games between two players tell, pair by pair where colours are
//! exchanged, game by game where not.

use qirkat_arena::statistics::{Estimate, Sprt, SprtState};
use qirkat_arena::{HeadToHead, Schedule};

/// How strong the first of two players is.
pub(in crate::match_games) fn estimate(
    schedule: &Schedule,
    total: &HeadToHead,
) -> Option<Estimate> {
    total.estimate(schedule.is_paired())
}

/// The log-likelihood ratio of the sequential test.
pub(super) fn llr(sprt: &Sprt, schedule: &Schedule, total: &HeadToHead) -> f64 {
    if schedule.is_paired() { sprt.llr(&total.pairs) } else { sprt.llr_games(&total.games) }
}

/// What the sequential test says of two players so far.
pub(in crate::match_games) fn state(
    sprt: &Sprt,
    schedule: &Schedule,
    total: &HeadToHead,
) -> SprtState {
    if schedule.is_paired() { sprt.state(&total.pairs) } else { sprt.state_games(&total.games) }
}
