//! The board's server on this machine (`qirkat board`): it serves the page and runs each tab's
//! session ([`page`](crate::page)) on a thread of its own, which searches on more threads and saves
//! games in a folder.
//!
//! It knows neither rules nor requests: it passes messages between pages and sessions, and provides
//! threads, files, a match to watch and links for friends. It keeps out clients without a token,
//! pages of other hosts, and floods of connections and messages.
//!
//! Begin with [`Server`]; `connection` shows a message's path, `guard` checks who may send one. `api`
//! answers questions about positions over HTTP, if asked for.

mod address;
mod api;
mod connection;
mod folder;
mod guard;
pub(crate) mod threads;
mod watch;

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequestParts, Request, WebSocketUpgrade};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use parking_lot::Mutex;
use rand::rngs::SysError;
use thiserror::Error;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

use qirkat_game::text::counted;
use qirkat_system::machine::release_large_blocks;
use qirkat_tablebase::AllTables;

use crate::page::{
    KeptFiles, LinkMaker, QrCode, SaveFailure, Shared, SiteFile, Store, WatchedMatch, site_file,
};
use crate::server::address::{KeptAddress, RedirectPage};
use crate::server::api::Api;
use crate::server::connection::{ConnectionLimiter, ConnectionLimits, ConnectionPermit};
use crate::server::folder::Folder;
use crate::server::guard::{Guard, is_same, new_token, split_token};
use crate::server::threads::Threads;
use crate::server::watch::MatchWatch;

pub use crate::server::guard::{ListenAddress, ListenAddressError};

/// The most bytes of a message: a file of games is the longest.
const MAX_MESSAGE: usize = 4 << 20;
/// Friends move and answer, and send no files.
const MAX_FRIEND_MESSAGE: usize = 4 << 10;
const MAX_FRIENDS: usize = 32;
/// How long a friend's permit stays in use after the connection has ended, which limits reconnections.
const FRIEND_PAUSE: Duration = Duration::from_secs(1);
/// How long a request's headers may take: a connection that sends nothing is closed.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);
const POLL_INTERVAL: Duration = Duration::from_millis(50);
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug, Error)]
pub enum ServerError {
    #[error("cannot listen on {0}: {1}; --port names another port, --listen another address")]
    Address(SocketAddr, io::Error),
    #[error("{}: {reason}; --games names another folder for games", folder.display())]
    Folder { folder: PathBuf, reason: io::Error },
    #[error("{} not saved: {reason}", counted(*games as u64, "game"))]
    Unsaved { games: usize, reason: String },
    /// Without random bytes the token could be guessed.
    #[error("no random bytes for the token that guards the board: {0}")]
    Token(#[from] SysError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

pub struct ServerOptions {
    pub listen: ListenAddress,
    /// The port, 0 for any free one; if not given, that of earlier starts.
    pub port: Option<u16>,
    /// Whether to give up the address of earlier starts.
    pub new_address: bool,
    pub games: PathBuf,
    /// The games file of a match to watch. It may not exist yet.
    pub watch: Option<PathBuf>,
    /// The endgame tables of all searches and API answers.
    pub tables: AllTables,
    /// Whether anyone may ask the HTTP API about positions.
    pub api: bool,
}

pub struct Server {
    /// What the user should know of the address.
    pub notices: Vec<String>,
    games: Arc<Folder>,
    listener: TcpListener,
    store: Store,
    state: Arc<ServerState>,
}

struct ServerState {
    guard: Guard,
    shared: Shared,
    limits: ConnectionLimits,
    /// A permit for each tab that may still be opened.
    tabs: Arc<Semaphore>,
    /// The same for each friend, who takes one of these and one of the tabs.
    friends: Arc<Semaphore>,
    next_tab: AtomicU64,
    /// What leads the browser here, until its page has come.
    redirect: Mutex<Option<RedirectPage>>,
    api: Option<Arc<Api>>,
}

impl Server {
    /// Binds the server; it is reachable once it serves.
    pub fn bind(options: ServerOptions) -> Result<Server, ServerError> {
        let ServerOptions { listen, port, new_address, games: folder, watch, tables, api } =
            options;
        let games =
            Folder::open(&folder).map_err(|reason| ServerError::Folder { folder, reason })?;
        let games = Arc::new(games);
        let mut notices = Vec::new();
        let kept = KeptAddress::read(&games).unwrap_or_else(|fault| {
            let file = KeptAddress::file(&games);
            notices.push(format!("{}: {fault}; the board has a new address", file.display()));
            None
        });
        let mut kept = kept.filter(|_| !new_address);
        let wanted = port.or(kept.as_ref().map(|kept| kept.port)).unwrap_or(0);
        let bind = |port| {
            let address = SocketAddr::new(listen.ip, port);
            TcpListener::bind(address).map_err(|error| ServerError::Address(address, error))
        };
        let listener = match bind(wanted) {
            Err(_) if port.is_none() && wanted != 0 => {
                let other = bind(0)?;
                let now = other.local_addr()?.port();
                notices.push(format!(
                    "port {wanted} of the board's address is taken: the board has a new address, on port {now}"
                ));
                // Whoever has the port may have heard the token from a page left open.
                kept = None;
                other
            }
            bound => bound?,
        };
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let token = match kept {
            Some(kept) => kept.token,
            None => {
                let address = KeptAddress::new(port)?;
                if let Err(error) = address.keep(&games) {
                    notices.push(format!("the address is a new one next time: {error}"));
                }
                address.token
            }
        };
        let guard = Guard::new(&listen, port, token);
        let watch = watch.map(MatchWatch::start).transpose()?;
        let watch = watch.map(|watch| Arc::new(watch) as Arc<dyn WatchedMatch>);
        let store = Store::new(Arc::clone(&games) as Arc<dyn KeptFiles>);
        let links = LinkMaker {
            base: guard.base_for_others(),
            is_local: listen.is_loopback(),
            token: || new_token().ok(),
            code: qr_code,
        };
        let mut shared = Shared::new(store.clone(), Arc::new(Threads), watch);
        shared.friends.maker = Some(Arc::new(links));
        let api = api.then(|| Arc::new(Api::new(tables.clone())));
        shared.tables = tables;
        let limits = ConnectionLimits::of_this_process();
        let (tabs, next_tab) = (Arc::new(Semaphore::new(limits.tabs)), AtomicU64::new(0));
        let friends = Arc::new(Semaphore::new(MAX_FRIENDS));
        let redirect = Mutex::default();
        let state = ServerState { guard, shared, limits, tabs, friends, next_tab, redirect, api };
        Ok(Server { notices, games, listener, store, state: Arc::new(state) })
    }

    pub fn address(&self) -> String {
        self.state.guard.address()
    }

    /// Where the HTTP API answers, if it does.
    pub fn api_address(&self) -> Option<String> {
        self.state.api.as_ref().map(|_| self.state.guard.api_address())
    }

    /// A page on disk that leads a browser to the address, which is not to be among the arguments
    /// of a program. It is there until the board is open, or the server ends.
    pub fn opening_page(&self) -> io::Result<PathBuf> {
        let page = RedirectPage::write(&self.games, &self.address())?;
        let path = page.path.clone();
        *self.state.redirect.lock() = Some(page);
        Ok(path)
    }

    /// Serves until `stop` is raised, then stops all searches and saves all games.
    pub fn serve(self, stop: &AtomicBool) -> Result<(), ServerError> {
        release_large_blocks();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let state = Arc::clone(&self.state);
        let served = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            tokio::select! {
                () = accept_all(&listener, &self.state) => {}
                () = raised(stop) => {}
            }
            Ok(())
        });
        *state.redirect.lock() = None;
        // Drops what still runs, and with it each session.
        runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
        self.store.try_again();
        if let Some(SaveFailure { reason, games }) =
            self.store.trouble().filter(|trouble| trouble.games > 0)
        {
            return Err(ServerError::Unsaved { games, reason });
        }
        served
    }
}

async fn raised(flag: &AtomicBool) {
    while !flag.load(Ordering::Relaxed) {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

async fn accept_all(listener: &tokio::net::TcpListener, state: &Arc<ServerState>) {
    let limiter = ConnectionLimiter::new(state.limits.connections);
    loop {
        match accept(listener).await {
            Ok(stream) => limiter.admit(|permit| serve(stream, Arc::clone(state), permit)),
            Err(error) => {
                log::warn!("no connection: {error}");
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
            }
        }
    }
}

/// `TCP_NODELAY`: waiting for the page's acknowledgements delayed replies by 40 ms.
async fn accept(listener: &tokio::net::TcpListener) -> io::Result<TcpStream> {
    let (stream, _) = listener.accept().await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Answers a connection's requests until it ends or becomes a tab's.
async fn serve(stream: TcpStream, state: Arc<ServerState>, permit: Arc<ConnectionPermit>) {
    let Ok(client) = stream.peer_addr().map(|address| address.ip()) else { return };
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let (state, permit) = (Arc::clone(&state), Arc::clone(&permit));
        async move { Ok::<_, Infallible>(answer(&state, &permit, client, request.map(Body::new)).await) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
    let served = http.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
    if let Err(error) = served {
        log::debug!("a connection has ended: {error}");
    }
}

async fn answer(
    state: &Arc<ServerState>,
    permit: &ConnectionPermit,
    client: IpAddr,
    request: Request,
) -> Response {
    if let Some(api) = &state.api
        && let Some(name) = request.uri().path().strip_prefix(api::PATH)
    {
        return api.answer(client, request.method(), name, request.uri().query()).await;
    }
    let host = request.headers().get(header::HOST).cloned();
    let mut response = answer_without_security_headers(state, permit, request).await;
    let host = host.as_ref().and_then(|host| host.to_str().ok());
    state.guard.set_security_headers(response.headers_mut(), host);
    response
}

async fn answer_without_security_headers(
    state: &Arc<ServerState>,
    permit: &ConnectionPermit,
    request: Request,
) -> Response {
    let (mut parts, _body) = request.into_parts();
    if !state.guard.allows(&parts.headers) {
        return refusal(StatusCode::FORBIDDEN, "This server talks to its own page only.");
    }
    let path = parts.uri.path().to_owned();
    let is_link =
        |token: &str| state.shared.knows_link(|known| is_same(known.as_bytes(), token.as_bytes()));
    let (link, path) = if let Some(path) = state.guard.after_token(&path) {
        permit.mark_as_having_token();
        (None, path)
    } else if let Some((token, path)) = split_token(&path).filter(|(token, _)| is_link(token)) {
        (Some(token.to_owned()), path)
    } else {
        let text = "Please open the address that `qirkat board` has printed, all of it. \
                    The link of a friend may have ended: ask for another.";
        return refusal(StatusCode::FORBIDDEN, text);
    };
    if parts.method != Method::GET && parts.method != Method::HEAD {
        return refusal(StatusCode::METHOD_NOT_ALLOWED, "There is nothing to send here.");
    }
    if path == "socket" {
        return match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
            Ok(upgrade) => match link {
                Some(token) => let_friend_in(state, upgrade, token),
                None => open_tab(state, upgrade),
            },
            Err(rejection) => rejection.into_response(),
        };
    }
    // A page that was left open only asks for the head, and connects.
    if path.is_empty() && link.is_none() && parts.method == Method::GET {
        *state.redirect.lock() = None;
    }
    match site_file(path) {
        Some(file) => file_response(file, &parts.headers),
        None => refusal(StatusCode::NOT_FOUND, "There is no such page."),
    }
}

fn file_response(file: &'static SiteFile, request: &HeaderMap) -> Response {
    let kept = if file.is_immutable { "private, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [(header::CONTENT_TYPE, file.content_type), (header::CACHE_CONTROL, kept)];
    let accepted =
        request.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let takes_gzip =
        accepted.flat_map(|value| value.split(',')).any(|coding| coding.trim() == "gzip");
    match &file.gzip {
        Some(gzip) if takes_gzip => {
            let encoding = [(header::CONTENT_ENCODING, "gzip")];
            (headers, encoding, Body::from(gzip.as_slice())).into_response()
        }
        _ => (headers, Body::from(file.content.as_slice())).into_response(),
    }
}

fn open_tab(state: &Arc<ServerState>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(permit) = Arc::clone(&state.tabs).try_acquire_owned() else {
        return refusal(StatusCode::SERVICE_UNAVAILABLE, "Too many tabs are open.");
    };
    let shared = state.shared.clone();
    let number = state.next_tab.fetch_add(1, Ordering::SeqCst);
    let upgrade = upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    upgrade.on_upgrade(move |socket| async move {
        connection::serve(socket, shared, number).await;
        drop(permit);
    })
}

fn let_friend_in(state: &Arc<ServerState>, upgrade: WebSocketUpgrade, token: String) -> Response {
    let by_link = state.shared.admit_friend(|known| is_same(known.as_bytes(), token.as_bytes()));
    let permits = [&state.friends, &state.tabs].map(|some| Arc::clone(some).try_acquire_owned());
    let (Some(by_link), [Ok(friend), Ok(tab)]) = (by_link, permits) else {
        return refusal(StatusCode::SERVICE_UNAVAILABLE, "Too many friends are here.");
    };
    let shared = state.shared.clone();
    let upgrade = upgrade.max_message_size(MAX_FRIEND_MESSAGE).max_frame_size(MAX_FRIEND_MESSAGE);
    upgrade.on_upgrade(move |socket| async move {
        connection::serve_friend(socket, shared, token).await;
        tokio::time::sleep(FRIEND_PAUSE).await;
        drop((by_link, friend, tab));
    })
}

fn qr_code(address: &str) -> Option<QrCode> {
    let code = qrcodegen::QrCode::encode_text(address, qrcodegen::QrCodeEcc::Medium).ok()?;
    let modules = (0..code.size()).flat_map(|y| (0..code.size()).map(move |x| (x, y)));
    let dark = modules.filter(|&(x, y)| code.get_module(x, y));
    let path = dark.map(|(x, y)| format!("M{x} {y}h1v1h-1z")).collect();
    Some(QrCode { size: code.size().unsigned_abs(), path })
}

fn refusal(status: StatusCode, text: &'static str) -> Response {
    (status, text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn replies_are_sent_at_once() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let _client = TcpStream::connect(address).await.expect("a connection");
        let stream = accept(&listener).await.expect("a connection");
        assert!(stream.nodelay().expect("an option"));
    }
}
