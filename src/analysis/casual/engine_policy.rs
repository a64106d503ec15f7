//! The engine's policy towards people: the time it takes, and when it agrees to a draw.

use std::time::Duration;

use qirkat_engine::SearchLimits;
use qirkat_game::score::Score;
use qirkat_search::Clock;

/// Time lost between the engine's move and its clock.
const OVERHEAD: Duration = Duration::from_millis(20);
/// The time of a search for a hint.
const HINT: Duration = Duration::from_millis(1000);
/// The engine takes a draw when it stands no better than this, for the side it
/// plays: at once, and after this many moves.
const CONTENT_WITH_DRAW: Score = Score::centipawns(-50);
const CONTENT_WITH_DRAW_LATER: Score = Score::centipawns(10);
const LATER: u16 = 40;

/// The limits of the search for the engine's move: its clock, or without one the time for
/// a move.
pub(super) fn reply_limits(clock: Option<Clock>, think: Duration) -> SearchLimits {
    let mut limits = match clock {
        Some(clock) => SearchLimits::clock(clock, OVERHEAD),
        None => SearchLimits::movetime(think),
    };
    limits.hurry_single_reply = true;
    limits
}

/// The limits of the search for a hint.
pub fn hint_limits() -> SearchLimits {
    SearchLimits::movetime(HINT)
}

/// Whether the engine agrees to a draw, by the score of its last search and the number of
/// the move to come: when it does not hope for more.
pub(super) fn accepts_draw(last_score: Option<Score>, move_number: u16) -> bool {
    let content = if move_number > LATER { CONTENT_WITH_DRAW_LATER } else { CONTENT_WITH_DRAW };
    last_score.is_some_and(|score| score <= content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_taken_by_who_hopes_for_no_more() {
        for (centipawns, number, taken) in
            [(0, 10, false), (-50, 10, true), (10, 41, true), (10, 40, false), (11, 60, false)]
        {
            let score = Some(Score::centipawns(centipawns));
            assert_eq!(accepts_draw(score, number), taken, "{centipawns} at move {number}");
        }
        assert!(!accepts_draw(None, 60), "before it has thought at all");
    }

    #[test]
    fn a_clock_bounds_more_than_the_time_for_a_move() {
        let clock =
            Clock { remaining: Duration::ZERO, increment: Duration::ZERO, moves_to_go: None };
        let think = Duration::from_secs(2);
        assert_eq!(reply_limits(Some(clock), think).time.hard, Some(Duration::ZERO));
        assert_eq!(reply_limits(None, think).time.hard, Some(think));
    }
}
