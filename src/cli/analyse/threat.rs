//! What the other side threatens: its best line if the side to move passed.

use std::time::Duration;

use qirkat_engine::{AnySearcher, SearchLimits, SearchLine};
use qirkat_rules::variant::{AnyGame, AnyPosition, CannotPass};
use qirkat_search::{SearchControl, TimeBudget};

/// The part of the nodes and the time of an analysis that its threat may take.
const SHARE: u32 = 5;
/// The time for it where nothing bounds the analysis.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// A threat, or why there can be none.
pub(super) enum Threat {
    /// The position after a pass, and the best line there.
    Line(Box<AnyPosition>, SearchLine),
    /// Nobody can pass here, for this reason.
    Impossible(CannotPass),
}

/// Looks for the threat in the position where a game stands.
pub(super) fn find(
    searcher: &mut AnySearcher,
    control: &SearchControl,
    game: &AnyGame,
    limits: &SearchLimits,
) -> Threat {
    let passed = match game.position().passed() {
        Ok(passed) => passed,
        Err(why) => return Threat::Impossible(why),
    };
    let bounded = limits.depth.is_some() || limits.nodes.is_some() || limits.time.hard.is_some();
    let time = limits.time.hard.map(|time| time / SHARE);
    let hard = if bounded { time } else { Some(USUAL_TIME) };
    let mut shared = SearchLimits::time(TimeBudget { soft: None, hard });
    shared.depth = limits.depth;
    shared.nodes = limits.nodes.map(|nodes| nodes.div_ceil(SHARE.into()));
    let mut found = None;
    let game = AnyGame::from_position(passed);
    searcher.search_under(control, &game, &[], &shared, &mut |line: &SearchLine| {
        found = Some(line.clone());
    });
    found.map_or(Threat::Impossible(CannotPass::NoReply), |line| {
        Threat::Line(Box::new(passed), line)
    })
}
