//! The WebSocket of one tab, and the thread that answers it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::page::{Event, Session, Shared};

/// Replies that wait for a slow page at most.
const MAX_REPLIES: usize = 512;
/// Their bytes at most, but for the last of them.
const MAX_REPLY_BYTES: usize = 8 << 20;
/// Requests that wait for a session at most; more are left in the socket.
const MAX_REQUESTS: usize = 32;
/// A longer request counts for several, so that a few large ones fill the queue too.
const REQUEST_BYTES: usize = 128 << 10;
/// How long a page may leave a reply unread when there is no room for more.
const PATIENCE: Duration = Duration::from_secs(15);
/// How often a page is asked whether it is still there.
const PULSE: Duration = Duration::from_secs(20);
/// How often it may leave that unanswered. Browsers answer for their pages, also for those
/// that sleep in the background.
const MOST_UNANSWERED: u32 = 3;

/// Where a session puts its replies.
struct Outbox {
    replies: mpsc::Sender<String>,
    bytes: Arc<AtomicUsize>,
}

/// The replies that the page has not read yet.
struct Unread {
    replies: mpsc::Receiver<String>,
    bytes: Arc<AtomicUsize>,
}

impl Outbox {
    fn new() -> (Outbox, Unread) {
        let (sender, replies) = mpsc::channel(MAX_REPLIES);
        let bytes = Arc::default();
        (Outbox { replies: sender, bytes: Arc::clone(&bytes) }, Unread { replies, bytes })
    }

    /// Adds a reply; false where the page has left too much unread.
    fn add(&self, text: String) -> bool {
        let has_room = self.bytes.fetch_add(text.len(), Ordering::SeqCst) < MAX_REPLY_BYTES;
        has_room && self.replies.try_send(text).is_ok()
    }
}

impl Unread {
    /// A reply of this many bytes was read.
    fn take_off(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::SeqCst);
    }
}

/// The number of requests that one of this many bytes counts for.
fn weight(bytes: usize) -> u32 {
    (1 + bytes / REQUEST_BYTES).min(MAX_REQUESTS) as u32
}

/// A session's thread, ended when dropped.
struct SessionThread {
    events: Sender<Event>,
    thread: Option<JoinHandle<()>>,
}

impl SessionThread {
    fn start(shared: Shared, number: u64, outbox: Outbox) -> Option<SessionThread> {
        let (events, received) = channel();
        let session = Session::new(
            shared,
            number,
            (events.clone(), received),
            Box::new(move |text| outbox.add(text)),
        );
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
        // It may have ended by itself.
        let _ = self.events.send(Event::Closed);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the thread of a tab has panicked");
        }
    }
}

/// Serves a tab until it is closed.
pub(super) async fn serve(mut socket: WebSocket, shared: Shared, number: u64) {
    let (outbox, mut unread) = Outbox::new();
    let permits = Arc::new(Semaphore::new(MAX_REQUESTS));
    let Some(session) = SessionThread::start(shared, number, outbox) else { return };
    log::info!("tab {number} is open");
    // A request for which the session has no room yet.
    let mut held: Option<String> = None;
    let mut pulse = interval(PULSE);
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut unanswered = 0;
    loop {
        let needed = weight(held.as_ref().map_or(0, String::len));
        tokio::select! {
            reply = unread.replies.recv() => {
                let Some(text) = reply else { break };
                let bytes = text.len();
                let sent = timeout(PATIENCE, socket.send(Message::Text(text.into()))).await;
                if !matches!(sent, Ok(Ok(()))) {
                    break;
                }
                unread.take_off(bytes);
            }
            message = socket.recv(), if held.is_none() => {
                unanswered = 0;
                match message {
                    Some(Ok(Message::Text(text))) => held = Some(text.as_str().to_owned()),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    // Nothing that the page says is binary.
                    _ => break,
                }
            }
            // As long as a request waits, nothing is read, and no answer either.
            _ = pulse.tick(), if held.is_none() => {
                let sent = timeout(PATIENCE, socket.send(Message::Ping(Bytes::new()))).await;
                if unanswered == MOST_UNANSWERED || !matches!(sent, Ok(Ok(()))) {
                    break;
                }
                unanswered += 1;
            }
            permit = Arc::clone(&permits).acquire_many_owned(needed), if held.is_some() => {
                let (Ok(permit), Some(text)) = (permit, held.take()) else { break };
                if session.events.send(Event::Request(text, Box::new(permit))).is_err() {
                    break;
                }
            }
        }
    }
    // Ending a session may take as long as its search takes to stop.
    let ended = tokio::task::spawn_blocking(move || drop(session)).await;
    if ended.is_err() {
        log::error!("a tab has not ended in good order");
    }
    let farewell = CloseFrame { code: close_code::NORMAL, reason: "".into() };
    // The tab may be gone.
    let _ = timeout(PATIENCE, socket.send(Message::Close(Some(farewell)))).await;
    log::info!("tab {number} is closed");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_reads_nothing_is_given_up_by_number_and_by_size() {
        let (outbox, _unread) = Outbox::new();
        let many = (0..2 * MAX_REPLIES).take_while(|_| outbox.add("x".to_owned())).count();
        assert_eq!(many, MAX_REPLIES);
        let large = || "x".repeat(MAX_REPLY_BYTES / 2);
        let (outbox, mut unread) = Outbox::new();
        assert!(outbox.add(large()) && outbox.add(large()));
        let read = unread.replies.try_recv().expect("a reply");
        unread.take_off(read.len());
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
