//! Opening statistics of a file of games, told of the position that one looks at.

use super::Session;
use crate::page::allowance::Share;
use crate::page::event::Event;
use crate::page::openings::{LoadProgress, OpeningLoader, OpeningStatistics};
use crate::page::reply::{OpeningsHere, Reply};

/// Letters of the name of a file.
const LONGEST_NAME: usize = 120;

/// A file that the page sends piece by piece.
#[derive(Debug)]
pub(super) struct OpeningLoad {
    number: u64,
    loader: OpeningLoader,
    share: Share,
}

impl Session {
    /// Begins to read a file. The page is asked for its pieces, one after the other.
    pub(super) fn load_openings(&mut self, name: &str) {
        self.opening_load = None;
        // Two files are not kept at a time.
        self.shared.openings.forget();
        let share = match self.shared.allowance.take(0, OpeningStatistics::MEGABYTES) {
            Ok(share) => share,
            Err(error) => return self.send(&Reply::Error { text: error.to_string() }),
        };
        self.opening_loads += 1;
        let (number, events) = (self.opening_loads, self.own_events.clone());
        let name = name.chars().take(LONGEST_NAME).collect();
        let started = OpeningLoader::start(name, move |progress| {
            // The tab may be closed.
            let _ = events.send(Event::Openings(number, progress));
        });
        match started {
            Ok(loader) => self.opening_load = Some(OpeningLoad { number, loader, share }),
            Err(error) => self.send(&Reply::Error { text: error.to_string() }),
        }
    }

    /// Takes the next piece of the file.
    pub(super) fn take_piece(&mut self, text: String, is_last: bool) {
        let Some(load) = &self.opening_load else { return };
        if let Err(error) = load.loader.add(text, is_last) {
            self.opening_load = None;
            self.send(&Reply::Error { text: error.to_string() });
        }
    }

    /// The thread that counts has told something.
    pub(super) fn openings_progress(&mut self, number: u64, progress: LoadProgress) {
        let Some(load) = self.opening_load.take_if(|load| load.number == number) else { return };
        match progress {
            LoadProgress::More(games) => {
                self.opening_load = Some(load);
                self.send(&Reply::OpeningsWanted { games });
            }
            LoadProgress::Done(statistics) => {
                self.shared.openings.replace(*statistics, load.share);
                self.send_openings();
            }
        }
    }

    /// Looks into no file any more.
    pub(super) fn forget_openings(&mut self) {
        self.opening_load = None;
        self.shared.openings.forget();
        self.send_openings();
    }

    /// Tells what was played where one looks; nothing while a game is played.
    pub(super) fn send_openings(&mut self) {
        let Some(statistics) = self.shared.openings.statistics() else {
            // Another tab may have closed the file.
            if std::mem::take(&mut self.openings_sent) {
                self.send(&Reply::Openings { here: None });
            }
            return;
        };
        if self.record.is_being_played() {
            return;
        }
        let node = self.record.current;
        let Some(position) = self.record.tree.get(node).map(|node| node.position) else { return };
        let here = OpeningsHere {
            node,
            file: statistics.name.clone(),
            games: statistics.games,
            faults: statistics.faults,
            plies: statistics.plies,
            is_full: statistics.is_full,
            moves: statistics.moves_from(&position),
        };
        self.openings_sent = true;
        self.send(&Reply::Openings { here: Some(Box::new(here)) });
    }
}
