//! What all sessions have in common.

use std::sync::Arc;

use crate::web::allowance::Allowance;
use crate::web::backend::Backend;
use crate::web::open_games::OpenGames;
use crate::web::openings::KnownOpenings;
use crate::web::store::Store;
use crate::web::watch::MatchWatch;

/// What all sessions have in common.
#[derive(Clone)]
pub(in crate::web) struct Shared {
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
