//! What the other side threatens: its best line if the side to move passed.

use std::time::Duration;

use crate::engine::{AnySearcher, SearchLimits, SearchLine};
use crate::game::Rules;
use crate::search::{SearchControl, TimeBudget};
use crate::variant::{AnyGame, AnyPosition};

/// The part of the nodes and the time of an analysis that its threat may take.
const SHARE: u32 = 5;
/// The time for it where nothing bounds the analysis.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// A threat, or why there can be none.
pub(super) enum Threat {
    /// The position after a pass, and the best line there.
    Line(Box<AnyPosition>, SearchLine),
    /// Nobody can pass here, for this reason.
    Impossible(&'static str),
}

/// Looks for the threat in the position where a game stands.
pub(super) fn find(
    searcher: &mut AnySearcher,
    control: &SearchControl,
    game: &AnyGame,
    limits: &SearchLimits,
) -> Threat {
    let passed = match passed(game.position()) {
        Ok(passed) => passed,
        Err(why) => return Threat::Impossible(why),
    };
    let bounded = limits.depth.is_some() || limits.nodes.is_some() || limits.time.hard.is_some();
    let time = limits.time.hard.map(|time| time / SHARE);
    let limits = SearchLimits {
        depth: limits.depth,
        nodes: limits.nodes.map(|nodes| nodes.div_ceil(SHARE.into())),
        time: TimeBudget { soft: None, hard: if bounded { time } else { Some(USUAL_TIME) } },
        ..SearchLimits::default()
    };
    let mut found = None;
    let game = AnyGame::from_position(passed);
    searcher.search_under(control, &game, &limits, &mut |line: &SearchLine| {
        found = Some(line.clone());
    });
    found.map_or(Threat::Impossible("the other side has no legal move"), |line| {
        Threat::Line(Box::new(passed), line)
    })
}

/// The position after the side to move has passed ("null move").
fn passed(position: &AnyPosition) -> Result<AnyPosition, &'static str> {
    if position.in_check() {
        return Err("the side to move is in check");
    }
    let passed: AnyPosition = match position {
        AnyPosition::Chesquerque(position) => position.play_null().into(),
        AnyPosition::Masonic(position) => position.play_null().into(),
        AnyPosition::Alquerque(_) => return Err("nobody may pass in this game"),
    };
    if passed.has_legal_moves() { Ok(passed) } else { Err("the other side has no legal move") }
}
