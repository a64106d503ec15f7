//! The lobby: connections that belong to no tab. Anyone may open one and say nothing, so
//! there are few of them at a time and each has a time limit.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// How long a connection may take in all. A page that wants more opens another.
const LONGEST: Duration = Duration::from_secs(60);
/// File handles that are kept back: for saving games, the listener and what the runtime needs.
const KEPT_BACK: usize = 24;
const MAX_TABS: usize = 128;
/// Connections at once that belong to no tab.
const MAX_GUESTS: usize = 64;

/// How many connections there may be at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ConnectionLimits {
    pub tabs: usize,
    pub guests: usize,
}

impl ConnectionLimits {
    /// As many as the file handles of this process allow.
    pub fn of_this_process() -> ConnectionLimits {
        ConnectionLimits::within(most_handles())
    }

    fn within(handles: usize) -> ConnectionLimits {
        let free = handles.saturating_sub(KEPT_BACK);
        let guests = (free / 3).clamp(2, MAX_GUESTS);
        ConnectionLimits { tabs: free.saturating_sub(guests).clamp(1, MAX_TABS), guests }
    }
}

/// File handles that this process may have open at once.
fn most_handles() -> usize {
    #[cfg(unix)]
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    let limit = None;
    limit.and_then(|limit: u64| usize::try_from(limit).ok()).unwrap_or(usize::MAX)
}

/// The connections that belong to no tab. Where one is too many, the oldest goes that has not
/// told the token, or if all have, the oldest.
#[derive(Clone)]
pub(super) struct Lobby(Arc<Mutex<Guests>>);

struct Guests {
    most: usize,
    next: u64,
    /// The oldest first.
    here: Vec<Guest>,
}

struct Guest {
    number: u64,
    has_token: bool,
    task: AbortHandle,
}

/// The place of a connection, given back when dropped.
#[derive(Clone)]
pub(super) struct Place(Arc<Taken>);

struct Taken {
    lobby: Lobby,
    number: u64,
}

impl Lobby {
    /// An empty one for `most` guests.
    pub fn new(most: usize) -> Lobby {
        Lobby(Arc::new(Mutex::new(Guests { most, next: 0, here: Vec::new() })))
    }

    /// Serves a connection in the background until it ends, becomes a tab's, or has to go.
    pub fn admit<F>(&self, serve: impl FnOnce(Place) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let mut guests = self.0.lock();
        let number = guests.next;
        guests.next += 1;
        let place = Place(Arc::new(Taken { lobby: self.clone(), number }));
        let served = serve(place.clone());
        let task = tokio::spawn(async move {
            // Nobody waits for a connection that is given up.
            let _ = timeout(LONGEST, served).await;
            drop(place);
        });
        guests.here.push(Guest { number, has_token: false, task: task.abort_handle() });
        let goes = guests.one_too_many();
        drop(guests);
        if let Some(guest) = goes {
            log::debug!("connection {} has to go", guest.number);
            guest.task.abort();
        }
    }
}

impl Guests {
    /// Takes out the one that has to go, if there are too many.
    fn one_too_many(&mut self) -> Option<Guest> {
        let (_newcomer, older) = self.here.split_last()?;
        let goes = older.iter().position(|guest| !guest.has_token).unwrap_or(0);
        (self.here.len() > self.most).then(|| self.here.remove(goes))
    }
}

impl Place {
    /// Its connection has told the token.
    pub fn has_token(&self) {
        let Taken { lobby, number } = &*self.0;
        if let Some(guest) = lobby.0.lock().here.iter_mut().find(|guest| guest.number == *number) {
            guest.has_token = true;
        }
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.lobby.0.lock().here.retain(|guest| guest.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    #[test]
    fn few_handles_leave_some_for_saving() {
        for (handles, tabs, guests) in
            [(usize::MAX, 128, 64), (1024, 128, 64), (256, 128, 64), (64, 27, 13), (10, 1, 2)]
        {
            let limits = ConnectionLimits { tabs, guests };
            assert_eq!(ConnectionLimits::within(handles), limits, "{handles}");
            assert!(tabs + guests + KEPT_BACK <= handles || handles < KEPT_BACK);
        }
    }

    #[tokio::test]
    async fn the_oldest_without_a_token_goes() {
        let lobby = Lobby::new(3);
        let here = || lobby.0.lock().here.iter().map(|guest| guest.number).collect::<Vec<_>>();
        for number in 0..8 {
            lobby.admit(|place| async move {
                if number < 2 {
                    place.has_token();
                }
                pending().await
            });
            tokio::task::yield_now().await;
        }
        assert_eq!(here(), [0, 1, 7]);
        // Where all have told it, the oldest makes room, and not the one that comes.
        let all = Lobby::new(2);
        for _ in 0..4 {
            all.admit(|place| async move {
                place.has_token();
                pending().await
            });
            tokio::task::yield_now().await;
        }
        let here: Vec<_> = all.0.lock().here.iter().map(|guest| guest.number).collect();
        assert_eq!(here, [2, 3]);
    }
}
