//! The search for a hint.

use std::sync::Arc;
use std::time::Duration;

use super::background::Background;
use super::options::PlayOptions;
use crate::review::{Advice, AnalystBudget, EngineAnalyst, advise};
use crate::variant::AnyGame;

/// Time for each search: for the move, for the next best, for what is threatened.
const TIME: Duration = Duration::from_millis(400);

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
        let mut analyst = EngineAnalyst::new(AnalystBudget::Time(TIME), 1, stop);
        analyst.begin(variant, || options.resources.searcher(variant))?;
        Ok(advise(&game, &mut analyst))
    })
}
