//! What all sessions have in common.

use std::sync::Arc;

use crate::allowance::Allowance;
use crate::backend::Backend;
use crate::open_games::OpenGames;
use crate::openings::KnownOpenings;
use crate::store::Store;
use crate::watch::MatchWatch;

/// What all sessions have in common.
#[derive(Clone)]
pub(crate) struct Shared {
    /// The games that are kept.
    pub store: Store,
    /// Which tab has opened which game.
    pub open: OpenGames,
    /// What searches may use.
    pub allowance: Allowance,
    /// The file of games in which openings are looked up.
    pub openings: KnownOpenings,
    /// The match that can be watched, if there is one.
    pub watch: Option<MatchWatch>,
    /// What searches and reviews.
    pub backend: Arc<dyn Backend>,
}
