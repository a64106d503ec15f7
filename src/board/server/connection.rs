//! Connections: those without a tab, which are limited in number and time since anyone may open one
//! and send nothing; and the WebSocket of a tab with its session's thread, or of a friend.

use std::future::Future;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::AbortHandle;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::page::{Event, Session, Shared};
use crate::server::guard::is_same;

/// The longest time for a connection. A page that needs more time opens another.
const LONGEST_CONNECTION: Duration = Duration::from_secs(60);
/// File handles reserved for saving games, the listener and the runtime.
const RESERVED_HANDLES: usize = 24;
const MAX_TABS: usize = 128;
const MAX_CONNECTIONS: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ConnectionLimits {
    pub tabs: usize,
    pub connections: usize,
}

impl ConnectionLimits {
    /// As many as this process's file handles allow.
    pub fn of_this_process() -> ConnectionLimits {
        #[cfg(unix)]
        let handles = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        #[cfg(not(unix))]
        let handles: Option<u64> = None;
        let handles = handles.and_then(|handles| usize::try_from(handles).ok());
        ConnectionLimits::within(handles.unwrap_or(usize::MAX))
    }

    fn within(handles: usize) -> ConnectionLimits {
        let free = handles.saturating_sub(RESERVED_HANDLES);
        let connections = (free / 3).clamp(2, MAX_CONNECTIONS);
        ConnectionLimits { tabs: free.saturating_sub(connections).clamp(1, MAX_TABS), connections }
    }
}

/// The connections without a tab. If too many, the oldest without the token is closed, else the
/// oldest.
#[derive(Clone)]
pub(super) struct ConnectionLimiter(Arc<Mutex<OpenConnections>>);

struct OpenConnections {
    most: usize,
    next: u64,
    here: Vec<OpenConnection>,
}

struct OpenConnection {
    number: u64,
    has_token: bool,
    task: AbortHandle,
}

/// A connection's slot, freed when dropped.
pub(super) struct ConnectionPermit {
    limiter: ConnectionLimiter,
    number: u64,
}

impl ConnectionLimiter {
    pub fn new(most: usize) -> ConnectionLimiter {
        ConnectionLimiter(Arc::new(Mutex::new(OpenConnections { most, next: 0, here: Vec::new() })))
    }

    /// Serves a connection in the background until it ends, becomes a tab's, or must be closed.
    pub fn admit<F>(&self, serve: impl FnOnce(Arc<ConnectionPermit>) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let mut connections = self.0.lock();
        let number = connections.next;
        connections.next += 1;
        let permit = Arc::new(ConnectionPermit { limiter: self.clone(), number });
        let served = serve(Arc::clone(&permit));
        let task = tokio::spawn(async move {
            let _ = timeout(LONGEST_CONNECTION, served).await;
            drop(permit);
        });
        let goes = (connections.here.len() >= connections.most).then(|| {
            let oldest = connections.here.iter().position(|connection| !connection.has_token);
            connections.here.remove(oldest.unwrap_or(0))
        });
        let task = task.abort_handle();
        connections.here.push(OpenConnection { number, has_token: false, task });
        drop(connections);
        if let Some(connection) = goes {
            log::debug!("connection {} has to go", connection.number);
            connection.task.abort();
        }
    }
}

impl ConnectionPermit {
    pub fn mark_as_having_token(&self) {
        let mut connections = self.limiter.0.lock();
        if let Some(own) = connections.here.iter_mut().find(|it| it.number == self.number) {
            own.has_token = true;
        }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.limiter.0.lock().here.retain(|connection| connection.number != self.number);
    }
}

const MAX_REPLIES: usize = 512;
const MAX_REPLY_BYTES: usize = 8 << 20;
/// The most requests that wait for a session; more stay in the socket.
const MAX_REQUESTS: usize = 32;
/// The same of one friend: whoever has the game open should not have to wait.
const MAX_FRIEND_REQUESTS: usize = 8;
/// A longer request counts as several, so that a few large ones fill the queue, too.
const REQUEST_BYTES: usize = 128 << 10;
/// How long sending one message may take if the page does not read.
const SEND_TIMEOUT: Duration = Duration::from_secs(15);
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// How many pings in a row may go unanswered. Browsers answer even for sleeping pages.
const MAX_UNANSWERED: u32 = 3;

/// A reply, and its share of the bytes that may be queued.
type QueuedReply = (String, OwnedSemaphorePermit);

struct Outbox {
    replies: mpsc::Sender<QueuedReply>,
    room: Arc<Semaphore>,
}

impl Outbox {
    fn new() -> (Outbox, mpsc::Receiver<QueuedReply>) {
        let (replies, queue) = mpsc::channel(MAX_REPLIES);
        (Outbox { replies, room: Arc::new(Semaphore::new(MAX_REPLY_BYTES)) }, queue)
    }

    /// Adds a reply; returns false if too many are unread.
    fn add(&self, text: String) -> bool {
        let room = self.room.available_permits();
        let taken = Arc::clone(&self.room).try_acquire_many_owned(text.len().min(room) as u32);
        room > 0 && taken.is_ok_and(|taken| self.replies.try_send((text, taken)).is_ok())
    }
}

/// How many requests a request of this many bytes counts as.
fn weight(bytes: usize) -> u32 {
    (1 + bytes / REQUEST_BYTES).min(MAX_REQUESTS) as u32
}

struct SessionThread {
    events: Sender<Event>,
    thread: Option<JoinHandle<()>>,
}

impl SessionThread {
    fn start(shared: Shared, number: u64, outbox: Outbox) -> Option<SessionThread> {
        let (events, received) = channel();
        let replies = Box::new(move |text| outbox.add(text));
        let session = Session::new(shared, number, (events.clone(), received), replies);
        let thread = std::thread::Builder::new()
            .name(format!("tab {number}"))
            .spawn(move || session.run())
            .inspect_err(|error| log::error!("no thread for a tab: {error}"))
            .ok()?;
        Some(SessionThread { events, thread: Some(thread) })
    }
}

impl Drop for SessionThread {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.events.send(Event::Closed);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the thread of a tab has panicked");
        }
    }
}

pub(super) async fn serve(mut socket: WebSocket, shared: Shared, number: u64) {
    let (outbox, replies) = Outbox::new();
    let Some(session) = SessionThread::start(shared, number, outbox) else { return };
    log::info!("tab {number} is open");
    let pass_on =
        |text, permit| session.events.send(Event::Request(text, Box::new(permit))).is_ok();
    exchange(&mut socket, replies, MAX_REQUESTS, pass_on).await;
    // Stopping the session's search may take a while.
    let ended = tokio::task::spawn_blocking(move || drop(session)).await;
    if ended.is_err() {
        log::error!("a tab has not ended in good order");
    }
    close(socket).await;
    log::info!("tab {number} is closed");
}

/// Serves a friend who has come by the link with this token.
pub(super) async fn serve_friend(mut socket: WebSocket, shared: Shared, token: String) {
    let (outbox, replies) = Outbox::new();
    let matches = |known: &str| is_same(known.as_bytes(), token.as_bytes());
    let replies_to = Box::new(move |text| outbox.add(text));
    let Some((number, game_id)) = shared.friend_comes(matches, replies_to) else { return };
    log::info!("friend {number} has come");
    let pass_on = |text, permit: OwnedSemaphorePermit| {
        shared.friend_says(number, &game_id, Some((text, Box::new(permit))));
        true
    };
    exchange(&mut socket, replies, MAX_FRIEND_REQUESTS, pass_on).await;
    shared.friend_goes(number, &game_id);
    close(socket).await;
    log::info!("friend {number} has gone");
}

/// Sends replies and passes requests on, until the connection ends, replies end or a request is
/// not taken.
async fn exchange(
    socket: &mut WebSocket,
    mut replies: mpsc::Receiver<QueuedReply>,
    most_requests: usize,
    mut pass_on: impl FnMut(String, OwnedSemaphorePermit) -> bool,
) {
    let permits = Arc::new(Semaphore::new(most_requests));
    // A request that the session has no room for yet.
    let mut held: Option<String> = None;
    let mut ping = interval(PING_INTERVAL);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut unanswered = 0;
    loop {
        let needed = weight(held.as_ref().map_or(0, String::len));
        tokio::select! {
            reply = replies.recv() => {
                let Some((text, _room)) = reply else { break };
                let sent = timeout(SEND_TIMEOUT, socket.send(Message::Text(text.into()))).await;
                if !matches!(sent, Ok(Ok(()))) {
                    break;
                }
            }
            message = socket.recv(), if held.is_none() => {
                unanswered = 0;
                match message {
                    Some(Ok(Message::Text(text))) => held = Some(text.as_str().to_owned()),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    // The page sends no binary messages.
                    _ => break,
                }
            }
            // While a request is held, no pongs are read, so no pings are sent.
            _ = ping.tick(), if held.is_none() => {
                let sent = timeout(SEND_TIMEOUT, socket.send(Message::Ping(Bytes::new()))).await;
                if unanswered == MAX_UNANSWERED || !matches!(sent, Ok(Ok(()))) {
                    break;
                }
                unanswered += 1;
            }
            permit = Arc::clone(&permits).acquire_many_owned(needed), if held.is_some() => {
                let (Ok(permit), Some(text)) = (permit, held.take()) else { break };
                if !pass_on(text, permit) {
                    break;
                }
            }
        }
    }
}

async fn close(mut socket: WebSocket) {
    let farewell = CloseFrame { code: close_code::NORMAL, reason: "".into() };
    let _ = timeout(SEND_TIMEOUT, socket.send(Message::Close(Some(farewell)))).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;

    #[test]
    fn few_handles_leave_some_for_saving() {
        for (handles, tabs, connections) in
            [(usize::MAX, 128, 64), (1024, 128, 64), (256, 128, 64), (64, 27, 13), (10, 1, 2)]
        {
            let limits = ConnectionLimits { tabs, connections };
            assert_eq!(ConnectionLimits::within(handles), limits, "{handles}");
            assert!(tabs + connections + RESERVED_HANDLES <= handles || handles < RESERVED_HANDLES);
        }
    }

    #[tokio::test]
    async fn the_oldest_without_a_token_goes() {
        let limiter = ConnectionLimiter::new(3);
        let here =
            || limiter.0.lock().here.iter().map(|connection| connection.number).collect::<Vec<_>>();
        for number in 0..8 {
            limiter.admit(|permit| async move {
                if number < 2 {
                    permit.mark_as_having_token();
                }
                pending().await
            });
            tokio::task::yield_now().await;
        }
        assert_eq!(here(), [0, 1, 7]);
        // If all have the token, the oldest is closed, not the newcomer.
        let all = ConnectionLimiter::new(2);
        for _ in 0..4 {
            all.admit(|permit| async move {
                permit.mark_as_having_token();
                pending().await
            });
            tokio::task::yield_now().await;
        }
        let here: Vec<_> = all.0.lock().here.iter().map(|connection| connection.number).collect();
        assert_eq!(here, [2, 3]);
    }

    #[test]
    fn a_page_that_reads_nothing_is_given_up_by_number_and_by_size() {
        let (outbox, _unread) = Outbox::new();
        let many = (0..2 * MAX_REPLIES).take_while(|_| outbox.add("x".to_owned())).count();
        assert_eq!(many, MAX_REPLIES);
        let large = || "x".repeat(MAX_REPLY_BYTES / 2);
        let (outbox, mut unread) = Outbox::new();
        assert!(outbox.add(large()) && outbox.add(large()));
        drop(unread.try_recv().expect("a reply"));
        assert!(outbox.add(large()) && !outbox.add(large()));
        let (outbox, _unread) = Outbox::new();
        assert!(outbox.add("x".repeat(2 * MAX_REPLY_BYTES)), "a single one may be of any size");
    }

    #[test]
    fn large_requests_fill_the_queue_too() {
        for (bytes, requests) in [(0, 1), (100, 1), (1 << 20, 9), (4 << 20, 32), (1 << 30, 32)] {
            assert_eq!(weight(bytes), requests, "{bytes}");
        }
    }
}
