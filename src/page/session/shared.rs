//! What all sessions have in common.

use std::sync::Arc;

use crate::allowance::Allowance;
use crate::backend::Backend;
use crate::open_games::OpenGames;
use crate::openings::KnownOpenings;
use crate::store::Store;
use crate::watched_match::WatchedMatch;

/// What all sessions have in common.
#[derive(Clone)]
pub struct Shared {
    /// The games that are kept.
    pub(crate) store: Store,
    /// Which tab has opened which game.
    pub(crate) open: OpenGames,
    /// What searches may use.
    pub(crate) allowance: Allowance,
    /// The file of games in which openings are looked up.
    pub(crate) openings: KnownOpenings,
    /// The match that can be watched, if there is one.
    pub(crate) watch: Option<Arc<dyn WatchedMatch>>,
    /// What searches and reviews.
    pub(crate) backend: Arc<dyn Backend>,
}

impl Shared {
    /// What a host gives its sessions: games, what searches and reviews, and perhaps a match
    /// to watch.
    pub fn new(
        store: Store,
        backend: Arc<dyn Backend>,
        watch: Option<Arc<dyn WatchedMatch>>,
    ) -> Shared {
        Shared {
            store,
            open: OpenGames::default(),
            allowance: Allowance::of_this_machine(),
            openings: KnownOpenings::default(),
            watch,
            backend,
        }
    }
}
