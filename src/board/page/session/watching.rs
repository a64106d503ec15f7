//! A match that is watched: told to the page as it goes on, and its games opened.

use std::sync::Arc;
use std::time::Duration;

use super::Session;
use crate::page::record::Record;
use crate::page::reply::Reply;
use crate::page::watched_match::{MatchView, WatchedGame};
use qirkat_system::host::Instant;

/// How often a page is told what is new.
const INTERVAL: Duration = Duration::from_millis(250);

/// The match as a page that watches knows it.
#[derive(Debug)]
pub(super) struct Watching {
    /// The view that it was told last.
    told: Option<Arc<MatchView>>,
    /// When it is to be told more.
    pub(super) due: Instant,
}

impl Session {
    /// Tells the page of the match from now on, or no more.
    pub(super) fn watch(&mut self, on: bool) {
        let on = on && self.shared.watch.is_some();
        self.watching = on.then(|| Watching { told: None, due: Instant::now() });
    }

    /// Tells what is new of the match, but not more often than somebody can see.
    pub(super) fn send_match_if_due(&mut self) {
        let (Some(watching), Some(watch)) = (&mut self.watching, &self.shared.watch) else {
            return;
        };
        if watching.due > Instant::now() {
            return;
        }
        watching.due = Instant::now() + INTERVAL;
        let view = watch.view();
        let is_old = watching.told.as_ref().is_some_and(|told| Arc::ptr_eq(told, &view));
        if !is_old {
            watching.told = Some(Arc::clone(&view));
            self.send(&Reply::Match { view: Box::new(MatchView::clone(&view)) });
        }
    }

    /// Opens a game of the match, as far as it has been played, to be looked through.
    pub(super) fn open_watched(&mut self, wanted: WatchedGame) {
        let game = self.shared.watch.as_ref().and_then(|watch| watch.game(wanted));
        let Some(game) = game else { return self.note("That game is not there any more.") };
        match Record::from_pgn(&game) {
            Ok(mut record) => {
                record.current = record.tree.end_of_main_line();
                self.take_up(record);
            }
            Err(error) => self.send(&Reply::Error { text: error.to_string() }),
        }
    }
}
