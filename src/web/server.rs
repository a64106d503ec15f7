//! The server: the page, its files, and a WebSocket for each tab.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State, WebSocketUpgrade};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rand::rngs::SysError;
use thiserror::Error;

use super::allowance::Allowance;
use super::assets::asset;
use super::connection;
use super::guard::Guard;
use super::listen_address::ListenAddress;
use super::open_games::OpenGames;
use super::openings::KnownOpenings;
use super::session::Shared;
use super::store::Store;
use super::threads::Threads;
use super::watch::MatchWatch;

/// Tabs at once.
const MAX_TABS: usize = 128;
/// Bytes of a message: a file of games is the longest.
const MAX_MESSAGE: usize = 4 << 20;
/// How often the server looks whether it is to end.
const LOOK: Duration = Duration::from_millis(50);
/// How long tabs may take to end in good order.
const FAREWELL: Duration = Duration::from_secs(5);

/// Why there is no server.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The address or its port is not available; port 0 stands for any.
    #[error("cannot listen on {0}: {1}")]
    Address(SocketAddr, std::io::Error),
    /// Games cannot be kept.
    #[error("{}: {reason}", folder.display())]
    Folder {
        /// The folder where they should be.
        folder: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// The address would have no token that nobody can guess.
    #[error("no random bytes for the token that guards the board: {0}")]
    Token(#[from] SysError),
    /// The system refuses something else.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// What a server is to be.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Where it listens.
    pub listen: ListenAddress,
    /// The port, 0 for any that is free.
    pub port: u16,
    /// The folder in which games are kept.
    pub games: PathBuf,
    /// The file of games of a match that can be watched. It need not be there yet.
    pub watch: Option<PathBuf>,
}

/// A server that has its port and is ready to serve.
pub struct Server {
    listener: TcpListener,
    desk: Arc<Desk>,
}

/// What requests are answered with.
struct Desk {
    guard: Guard,
    shared: Shared,
    tabs: AtomicUsize,
    numbers: AtomicU64,
}

/// The place of a tab among [`MAX_TABS`], given back when dropped.
struct Seat(Arc<Desk>);

impl Desk {
    fn seat(self: &Arc<Desk>) -> Option<Seat> {
        let free = |tabs: usize| (tabs < MAX_TABS).then_some(tabs + 1);
        let taken = self.tabs.fetch_update(Ordering::SeqCst, Ordering::SeqCst, free);
        taken.ok().map(|_| Seat(Arc::clone(self)))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.tabs.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Server {
    /// A server that can be reached as soon as it serves.
    ///
    /// # Errors
    /// When it cannot have the address, the port or the folder.
    pub fn bind(options: ServerOptions) -> Result<Server, ServerError> {
        let ServerOptions { listen, port, games: folder, watch } = options;
        let store =
            Store::open(&folder).map_err(|reason| ServerError::Folder { folder, reason })?;
        let address = SocketAddr::new(listen.ip(), port);
        let listener =
            TcpListener::bind(address).map_err(|error| ServerError::Address(address, error))?;
        listener.set_nonblocking(true)?;
        let guard = Guard::new(&listen, listener.local_addr()?.port())?;
        let shared = Shared {
            store,
            open: OpenGames::default(),
            allowance: Allowance::of_this_machine(),
            openings: KnownOpenings::default(),
            watch: watch.map(MatchWatch::start).transpose()?,
            backend: Arc::new(Threads),
        };
        let (tabs, numbers) = (AtomicUsize::new(0), AtomicU64::new(0));
        Ok(Server { listener, desk: Arc::new(Desk { guard, shared, tabs, numbers }) })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        self.desk.guard.address()
    }

    /// Serves until `stop` is raised; then all searches are stopped and all games
    /// kept.
    ///
    /// # Errors
    /// When the system refuses what it takes.
    pub fn serve(self, stop: &AtomicBool) -> Result<(), ServerError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let served = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let router = Router::new().fallback(answer).with_state(self.desk);
            tokio::select! {
                served = axum::serve(listener, router) => served,
                () = raised(stop) => Ok(()),
            }
        });
        // What still runs is dropped, and with it each session.
        runtime.shutdown_timeout(FAREWELL);
        Ok(served?)
    }
}

/// Waits until a flag is raised.
async fn raised(flag: &AtomicBool) {
    while !flag.load(Ordering::Relaxed) {
        tokio::time::sleep(LOOK).await;
    }
}

/// Answers a request, if it comes from where it may.
async fn answer(State(desk): State<Arc<Desk>>, request: Request) -> Response {
    let host = request.headers().get(header::HOST).cloned();
    let mut response = answer_unguarded(&desk, request).await;
    let asked = host.as_ref().and_then(|host| host.to_str().ok());
    desk.guard.harden(response.headers_mut(), asked);
    response
}

async fn answer_unguarded(desk: &Arc<Desk>, request: Request) -> Response {
    let (mut parts, _body) = request.into_parts();
    if !desk.guard.knows(&parts.headers) {
        return refusal(StatusCode::FORBIDDEN, "This server talks to its own page only.");
    }
    let path = parts.uri.path().to_owned();
    let Some(path) = desk.guard.behind_token(&path) else {
        let text = "Please open the address that `qirkat board` has printed, all of it. \
                    It is a new one each time that it is started.";
        return refusal(StatusCode::FORBIDDEN, text);
    };
    if parts.method != Method::GET && parts.method != Method::HEAD {
        return refusal(StatusCode::METHOD_NOT_ALLOWED, "There is nothing to send here.");
    }
    if path == "socket" {
        return match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
            Ok(upgrade) => open_tab(desk, upgrade),
            Err(rejection) => rejection.into_response(),
        };
    }
    match asset(path) {
        Some(file) => {
            let kind = [(header::CONTENT_TYPE, file.content_type)];
            (kind, Body::from(file.content)).into_response()
        }
        None => refusal(StatusCode::NOT_FOUND, "There is no such page."),
    }
}

fn open_tab(desk: &Arc<Desk>, upgrade: WebSocketUpgrade) -> Response {
    let Some(seat) = desk.seat() else {
        return refusal(StatusCode::SERVICE_UNAVAILABLE, "Too many tabs are open.");
    };
    let shared = desk.shared.clone();
    let number = desk.numbers.fetch_add(1, Ordering::SeqCst);
    upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE).on_upgrade(
        move |socket| async move {
            connection::serve(socket, shared, number).await;
            drop(seat);
        },
    )
}

fn refusal(status: StatusCode, text: &'static str) -> Response {
    (status, text).into_response()
}
