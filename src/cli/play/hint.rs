//! The search for a hint.

use std::sync::Arc;

use super::background::Background;
use super::options::PlayOptions;
use qirkat_analysis::review::{Advice, AnalystBudget, EngineAnalyst, advise};
use qirkat_rules::variant::AnyGame;

/// Positions that a search for a hint visits; those that check what is said of it, many times
/// as many. All of them together take some seconds at most.
const NODES: u64 = 40_000;

/// Begins to look for a good move where a game stands.
///
/// # Errors
/// When there is no thread for it.
pub(super) fn look(
    game: &AnyGame,
    options: &Arc<PlayOptions>,
) -> anyhow::Result<Background<Option<Advice>>> {
    let (game, options) = (game.clone(), Arc::clone(options));
    Background::start("hint", move |stop| {
        let variant = game.position().variant();
        let mut analyst = EngineAnalyst::new(AnalystBudget::Nodes(NODES), 1, stop);
        analyst.begin(variant, || options.resources.searcher(variant))?;
        Ok(advise(&game, &mut analyst))
    })
}
