//! Who may talk to the server: the page that it has served, and nobody else.
//!
//! Any page in the browser can send requests to a port of this machine. What
//! it cannot do is know the token in the address, nor forge `Host` and
//! `Origin`. `Host` tells a page that has let its own name point to this
//! machine ("DNS rebinding") from ours; `Origin` tells who opens a WebSocket.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// Random letters of a token.
const TOKEN_LENGTH: usize = 32;
const TOKEN_LETTERS: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

/// What a request must bring.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    token: String,
    /// `127.0.0.1:PORT` and its like.
    hosts: Vec<String>,
}

impl Guard {
    /// For a server on this port.
    pub fn new(port: u16) -> Guard {
        let letter = || char::from(TOKEN_LETTERS[rand::random_range(0..TOKEN_LETTERS.len())]);
        Guard {
            token: std::iter::repeat_with(letter).take(TOKEN_LENGTH).collect(),
            hosts: ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}")).to_vec(),
        }
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://{}/{}/", self.hosts[0], self.token)
    }

    /// Whether a request is meant for this server and comes from its own page, or
    /// from a program that names no page.
    pub fn knows(&self, headers: &HeaderMap) -> bool {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let Some(host) = text(header::HOST) else { return false };
        let known_host = self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host));
        let own_page = text(header::ORIGIN).is_none_or(|origin| {
            self.hosts.iter().any(|known| origin == format!("http://{known}"))
        });
        let one_host = headers.get_all(header::HOST).iter().count() == 1;
        known_host && own_page && one_host
    }

    /// What a path asks for behind the token, if it begins with that.
    pub fn behind_token<'a>(&self, path: &'a str) -> Option<&'a str> {
        let (token, rest) = path.strip_prefix('/')?.split_once('/')?;
        is_same(token.as_bytes(), self.token.as_bytes()).then_some(rest)
    }

    /// Headers of every answer: nothing from elsewhere, nothing to elsewhere.
    pub fn harden(&self, headers: &mut HeaderMap) {
        let sockets: Vec<String> = self.hosts.iter().map(|host| format!("ws://{host}")).collect();
        let policy = format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
             connect-src 'self' {}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            sockets.join(" ")
        );
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        for (name, value) in [
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::X_FRAME_OPTIONS, "DENY"),
            (header::REFERRER_POLICY, "no-referrer"),
            (header::CACHE_CONTROL, "no-store"),
            (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
            (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}

/// Compares in the same time wherever the two differ.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: Option<&str>, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in [(header::HOST, host), (header::ORIGIN, origin)] {
            if let Some(value) = value {
                headers.insert(name, HeaderValue::from_str(value).expect("a header"));
            }
        }
        headers
    }

    #[test]
    fn only_our_own_page_is_known() {
        let guard = Guard::new(8080);
        for (host, origin, known) in [
            (Some("127.0.0.1:8080"), None, true),
            (Some("localhost:8080"), Some("http://localhost:8080"), true),
            (Some("127.0.0.1:8080"), Some("http://127.0.0.1:8080"), true),
            (None, None, false),
            (Some("127.0.0.1"), None, false),
            (Some("127.0.0.1:8081"), None, false),
            (Some("evil.example:8080"), None, false),
            (Some("127.0.0.1:8080"), Some("http://evil.example"), false),
            (Some("127.0.0.1:8080"), Some("null"), false),
            (Some("127.0.0.1:8080"), Some("https://127.0.0.1:8080"), false),
            (Some("127.0.0.1:8080"), Some("http://127.0.0.1:9999"), false),
        ] {
            assert_eq!(guard.knows(&headers(host, origin)), known, "{host:?} {origin:?}");
        }
    }

    #[test]
    fn nothing_is_behind_another_token() {
        let guard = Guard::new(8080);
        let token = guard.token.clone();
        assert_eq!(guard.behind_token(&format!("/{token}/board/board.js")), Some("board/board.js"));
        assert_eq!(guard.behind_token(&format!("/{token}/")), Some(""));
        for path in [format!("/{token}"), format!("/{}x/", &token[1..]), "//".into(), "".into()] {
            assert_eq!(guard.behind_token(&path), None, "{path}");
        }
        assert_ne!(Guard::new(8080).token, token);
    }
}
