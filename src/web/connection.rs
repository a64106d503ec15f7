//! The WebSocket of one tab, and the thread that answers it.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::timeout;

use super::event::Event;
use super::session::{Session, Shared};

/// Replies that wait for a slow page at most.
const MAX_REPLIES: usize = 512;
/// Requests that wait for a session at most; more are left in the socket.
const MAX_REQUESTS: usize = 32;
/// How long a page may leave a reply unread when there is no room for more.
const PATIENCE: Duration = Duration::from_secs(15);

/// A session's thread, ended when dropped.
struct SessionThread {
    events: Sender<Event>,
    thread: Option<JoinHandle<()>>,
}

impl SessionThread {
    fn start(shared: Shared, number: u64, replies: mpsc::Sender<String>) -> Option<SessionThread> {
        let (events, received) = channel();
        let session = Session::new(
            shared,
            number,
            (events.clone(), received),
            Box::new(move |text| replies.try_send(text).is_ok()),
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
    let (sender, mut replies) = mpsc::channel(MAX_REPLIES);
    let permits = Arc::new(Semaphore::new(MAX_REQUESTS));
    let Some(session) = SessionThread::start(shared, number, sender) else { return };
    log::info!("tab {number} is open");
    loop {
        tokio::select! {
            reply = replies.recv() => {
                let Some(text) = reply else { break };
                let sent = timeout(PATIENCE, socket.send(Message::Text(text.into()))).await;
                if !matches!(sent, Ok(Ok(()))) {
                    break;
                }
            }
            message = socket.recv(), if permits.available_permits() > 0 => {
                let text = match message {
                    Some(Ok(Message::Text(text))) => text.as_str().to_owned(),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    // Nothing that the page says is binary.
                    _ => break,
                };
                let Ok(permit) = Arc::clone(&permits).try_acquire_owned() else { break };
                if session.events.send(Event::Request(text, Box::new(permit))).is_err() {
                    break;
                }
            }
            () = tokio::time::sleep(Duration::from_millis(50)),
                if permits.available_permits() == 0 => {}
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
