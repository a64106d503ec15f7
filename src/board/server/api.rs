//! The HTTP API (`qirkat board --api`): what endgame tables and the opening books of the program
//! know of a position. It is for other programs and pages, so it takes no token; it knows nothing of
//! the games here. Its queries follow lila-tablebase and the opening explorer of lichess.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use serde::Serialize;
use serde_json::json;

use qirkat_analysis::position_data::{BookData, TableData};
use qirkat_engine::book::Book;
use qirkat_rules::variant::{AnyPosition, Variant};
use qirkat_tablebase::AllTables;

/// What the paths of the API begin with.
pub(super) const PATH: &str = "/api/";
/// Answers change with the program and its tables only.
const CACHE_CONTROL: &str = "public, max-age=3600";

pub(super) struct Api {
    tables: AllTables,
    limiter: Mutex<RateLimiter>,
}

/// A refusal, and why.
type Refused = (StatusCode, String);

impl Api {
    pub fn new(tables: AllTables) -> Api {
        let limiter = RateLimiter { began: Instant::now(), requests: HashMap::new() };
        Api { tables, limiter: Mutex::new(limiter) }
    }

    /// Answers a question by the name after [`PATH`] and its query.
    pub async fn answer(
        self: &Arc<Api>,
        client: IpAddr,
        method: &Method,
        name: &str,
        query: Option<&str>,
    ) -> Response {
        let admitted = self.limiter.lock().admit(client, Instant::now());
        if let Err(wait) = admitted {
            let text = format!("too many requests: {MAX_REQUESTS} a minute are answered");
            let refused = response(Err((StatusCode::TOO_MANY_REQUESTS, text)));
            return ([(header::RETRY_AFTER, wait.to_string())], refused).into_response();
        }
        if method != Method::GET && method != Method::HEAD {
            let text = "only GET is allowed".to_owned();
            let refused = response(Err((StatusCode::METHOD_NOT_ALLOWED, text)));
            return ([(header::ALLOW, "GET, HEAD")], refused).into_response();
        }
        let (api, name) = (Arc::clone(self), name.to_owned());
        let query = query.unwrap_or_default().to_owned();
        // Unpacking a table may take a while.
        let known = tokio::task::spawn_blocking(move || api.known(&name, &query)).await;
        let broken = |_| Err((StatusCode::INTERNAL_SERVER_ERROR, "it has crashed".to_owned()));
        response(known.unwrap_or_else(broken))
    }

    fn known(&self, name: &str, query: &str) -> Result<String, Refused> {
        match name {
            "tables" => {
                let position = position(query)?;
                let known = TableData::of(&self.tables, &position)
                    .map_err(|error| (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
                written(known, "no table knows this position")
            }
            "book" => {
                let position = position(query)?;
                let book = Book::embedded(position.variant());
                let known = book.and_then(|book| BookData::of(book, &position));
                written(known, "the opening book does not know this position")
            }
            _ => {
                Err((StatusCode::NOT_FOUND, format!("there are {PATH}tables and {PATH}book only")))
            }
        }
    }
}

fn written(known: Option<impl Serialize>, unknown: &str) -> Result<String, Refused> {
    let known = known.ok_or_else(|| (StatusCode::NOT_FOUND, unknown.to_owned()))?;
    serde_json::to_string(&known)
        .map_err(|error| (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
}

/// The position of a query, by default the start of the game. Its FEN may have underscores for
/// blanks.
fn position(query: &str) -> Result<AnyPosition, Refused> {
    let bad = |text: String| (StatusCode::BAD_REQUEST, text);
    let (mut fen, mut variant) = (None, Variant::default());
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "fen" => fen = Some(value.replace('_', " ")),
            "variant" => {
                variant = value.parse().map_err(|error| bad(format!("variant: {error}")))?;
            }
            _ => return Err(bad("unknown parameter: there are fen and variant".to_owned())),
        }
    }
    let Some(fen) = fen else { return Ok(variant.start()) };
    let read = variant.read_fen(&fen).map_err(|error| bad(format!("fen: {error}")))?;
    Ok(read.position)
}

fn response(known: Result<String, Refused>) -> Response {
    let (status, kept, text) = match known {
        Ok(text) => (StatusCode::OK, CACHE_CONTROL, text),
        Err((status, text)) => (status, "no-store", json!({ "error": text }).to_string()),
    };
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, kept),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (status, headers, text).into_response()
}

/// The most requests from one address in a [`WINDOW`].
const MAX_REQUESTS: u32 = 300;
const WINDOW: Duration = Duration::from_secs(60);
/// The most addresses counted in a window; others have to wait.
const MAX_ADDRESSES: usize = 10_000;

/// Counts the requests of each address in windows of time.
struct RateLimiter {
    began: Instant,
    requests: HashMap<IpAddr, u32>,
}

impl RateLimiter {
    /// Counts a request.
    ///
    /// # Errors
    /// If there were too many: the seconds until the next window.
    fn admit(&mut self, client: IpAddr, now: Instant) -> Result<(), u64> {
        let elapsed = now.saturating_duration_since(self.began);
        if elapsed >= WINDOW {
            self.began = now;
            self.requests.clear();
        }
        let client = network(client);
        let has_room = self.requests.len() < MAX_ADDRESSES || self.requests.contains_key(&client);
        let wait = (WINDOW.saturating_sub(elapsed)).as_secs() + 1;
        if !has_room {
            return Err(wait);
        }
        let requests = self.requests.entry(client).or_default();
        *requests = requests.saturating_add(1);
        if *requests > MAX_REQUESTS { Err(wait) } else { Ok(()) }
    }
}

/// What one client has: an address of IPv4, or 2^64 addresses of IPv6.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use axum::body::to_bytes;
    use serde_json::Value;

    use super::*;

    const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    async fn ask(api: &Arc<Api>, question: &str) -> (Response, Value) {
        let (name, query) = question.split_once('?').unwrap_or((question, ""));
        let response = api.answer(CLIENT, &Method::GET, name, Some(query)).await;
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.expect("a body");
        (Response::from_parts(parts, ().into()), serde_json::from_slice(&bytes).expect("JSON"))
    }

    #[tokio::test]
    async fn questions_and_answers() {
        let api = Arc::new(Api::new(AllTables::with_embedded()));
        for (question, status, field, value) in [
            ("tables?fen=9/9/9/3k5/9/9/9/5B3/4K4_w_-_-_0_1", 200, "/result", json!("win")),
            ("tables?fen=9/9/9/3k5/9/9/9/5B3/4K4+w+-+-+0+1", 200, "/dtm", json!(31)),
            ("tables?fen=9/9/9/3k5/9/9/9/5B3/4K4 w - - 0 1", 200, "/moves/0/result", json!("win")),
            ("tables?fen=9/9/9/3k5/9/9/9/5B3/4K4_w_-_-_0_1", 200, "/moves/16/san", json!("Bc5+")),
            // The rook may be taken, which alone is known.
            ("tables?fen=9/9/9/9/4k1q2/4R4/9/9/4K4_b_-_-_0_1", 200, "/result", json!("win")),
            ("tables?fen=9/9/9/9/4k1q2/4R4/9/9/4K4_b_-_-_0_1", 200, "/bound", json!(true)),
            (
                "tables?fen=9/9/9/9/4k1q2/4R4/9/9/4K4_b_-_-_0_1",
                200,
                "/moves/1/result",
                json!("unknown"),
            ),
            ("tables?variant=alquerque", 200, "/moves/0/bound", json!(true)),
            ("tables?variant=alquerque", 200, "/moves/1/result", json!("unknown")),
            ("tables", 404, "/error", json!("no table knows this position")),
            ("book?variant=alquerque", 200, "/moves/0/uci", json!("c2c3")),
            ("book?variant=masonic", 200, "/fen", json!(Variant::Masonic.start().fen())),
            ("book?fen=9/9/9/3k5/9/9/9/5B3/4K4_w_-_-_0_1", 404, "/error", Value::Null),
            ("book?variant=chess", 400, "/error", Value::Null),
            ("book?Fen=x", 400, "/error", Value::Null),
            ("tables?fen=", 400, "/error", Value::Null),
            ("tables?fen=%FF%0A&variant=masonic", 400, "/error", Value::Null),
            ("games", 404, "/error", json!("there are /api/tables and /api/book only")),
        ] {
            let (response, answer) = ask(&api, question).await;
            assert_eq!(response.status(), status, "{question}: {answer}");
            let found = answer.pointer(field).unwrap_or_else(|| panic!("{question}: {answer}"));
            if value.is_null() {
                let text = found.as_str().expect("a text");
                assert!(!text.is_empty() && !text.contains('\n'), "{question}: {text}");
            } else {
                assert_eq!(*found, value, "{question}: {answer}");
            }
            let headers = response.headers();
            assert_eq!(headers[header::ACCESS_CONTROL_ALLOW_ORIGIN], "*", "{question}");
            let kept = if status == 200 { "public, max-age=3600" } else { "no-store" };
            assert_eq!(headers[header::CACHE_CONTROL], kept, "{question}");
        }
        let response = api.answer(CLIENT, &Method::POST, "book", None).await;
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
    }

    #[tokio::test]
    async fn who_asks_too_much_has_to_wait() {
        let api = Arc::new(Api::new(AllTables::default()));
        api.limiter.lock().requests.insert(CLIENT, MAX_REQUESTS - 1);
        assert_eq!(ask(&api, "book").await.0.status(), StatusCode::OK);
        let (response, _) = ask(&api, "book").await;
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
        let wait = response.headers()[header::RETRY_AFTER].to_str().expect("a number");
        assert!((1..=60).contains(&wait.parse::<u64>().expect("a number")), "{wait}");
    }

    #[test]
    fn addresses_are_counted_in_bounded_memory() {
        let began = Instant::now();
        let mut limiter = RateLimiter { began, requests: HashMap::new() };
        let numbered = |number: usize| IpAddr::from((number as u32).to_be_bytes());
        for number in 0..MAX_ADDRESSES {
            assert_eq!(limiter.admit(numbered(number), began), Ok(()));
        }
        assert!(limiter.admit(numbered(MAX_ADDRESSES), began).is_err());
        assert_eq!(limiter.admit(numbered(0), began), Ok(()));
        assert_eq!(limiter.admit(numbered(MAX_ADDRESSES), began + WINDOW), Ok(()));
        for (address, other) in [("2001:db8::1", "2001:db8::ffff"), ("::ffff:1.2.3.4", "1.2.3.4")] {
            let [address, other] = [address, other].map(|text| text.parse().expect(text));
            assert_eq!(network(address), network(other));
        }
        assert_ne!(network("2001:db8::1".parse().expect("v6")), network(CLIENT));
    }
}
