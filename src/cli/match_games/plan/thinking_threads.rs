//! How many cores one game keeps busy.

use qirkat_arena::Contestant;

/// Threads that think at a time in a game. Only one engine does, unless one
/// ponders.
pub(in crate::match_games) fn threads_of_game(contestants: &[Contestant]) -> usize {
    let threads = |contestant: &Contestant| {
        let options = &contestant.setup.options;
        let option = options.iter().find(|(name, _)| name.eq_ignore_ascii_case("threads"));
        option.and_then(|(_, value)| value.as_ref()?.parse().ok()).unwrap_or(1_usize)
    };
    let ponders = contestants.iter().any(|contestant| contestant.setup.ponder);
    let thinking = if ponders { 2 } else { 1 };
    contestants.iter().map(threads).max().unwrap_or(1).max(1).saturating_mul(thinking)
}
