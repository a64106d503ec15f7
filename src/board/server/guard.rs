//! The listen address, and access control: only the page that this server has served may talk to
//! it.
//!
//! Any page in the browser can send requests to a port of this machine, but it cannot know the
//! token in the address, nor forge `Host` and `Origin`. A wrong `Host` exposes a page whose own
//! name points to this machine ("DNS rebinding"); `Origin` tells who opens a WebSocket.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::str::FromStr;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use rand::rngs::{StdRng, SysError, SysRng};
use rand::{RngExt, SeedableRng, TryRng};
use thiserror::Error;

use crate::server::api;

/// An address of this machine, or a name for one. The default is reachable only from this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListenAddress {
    pub(super) ip: IpAddr,
    name: Option<String>,
    /// The port in the text, if it names one. The server does not use it: pass it on in
    /// [`ServerOptions::port`](crate::server::ServerOptions::port).
    pub port: Option<u16>,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ListenAddressError {
    #[error("not an address or a name of this machine, with or without a port")]
    Form,
    #[error("no address of this name is known")]
    Unknown,
}

impl Default for ListenAddress {
    fn default() -> ListenAddress {
        ListenAddress { ip: IpAddr::V4(Ipv4Addr::LOCALHOST), name: None, port: None }
    }
}

/// Reads an address such as `192.168.1.5`, `::1` or `0.0.0.0`, or a name that resolves to one; a
/// port may follow, as in `192.168.1.5:8080`.
impl FromStr for ListenAddress {
    type Err = ListenAddressError;

    fn from_str(text: &str) -> Result<ListenAddress, ListenAddressError> {
        if let Ok(address) = text.parse::<SocketAddr>() {
            let (ip, port) = (address.ip(), Some(address.port()));
            return Ok(ListenAddress { ip, name: None, port });
        }
        let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if let Ok(ip) = bare.unwrap_or(text).parse() {
            return Ok(ListenAddress { ip, name: None, port: None });
        }
        let (name, port) = match text.split_once(':') {
            Some((name, port)) => (name, Some(port.parse().map_err(|_| ListenAddressError::Form)?)),
            None => (text, None),
        };
        let may_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
        if name.is_empty() || !name.bytes().all(may_name) {
            return Err(ListenAddressError::Form);
        }
        let mut found = (name, 0).to_socket_addrs().map_err(|_| ListenAddressError::Unknown)?;
        let ip = found.next().ok_or(ListenAddressError::Unknown)?.ip();
        Ok(ListenAddress { ip, name: Some(name.to_ascii_lowercase()), port })
    }
}

impl ListenAddress {
    pub fn is_loopback(&self) -> bool {
        self.ip.is_loopback()
    }

    /// Whether it means all addresses of this machine.
    pub fn is_any(&self) -> bool {
        self.ip.is_unspecified()
    }

    /// The host names of this machine in the page's address, the best first.
    pub(super) fn names(&self) -> Vec<String> {
        let own = match self.ip {
            ip if ip.is_unspecified() => Ipv4Addr::LOCALHOST.to_string(),
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        let here = self.is_loopback() || self.is_any();
        let localhost = here.then(|| "localhost".to_owned());
        self.name.clone().into_iter().chain([own]).chain(localhost).collect()
    }
}

const TOKEN_LENGTH: usize = 32;
const TOKEN_LETTERS: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

#[derive(Clone, Debug)]
pub(super) struct Guard {
    token: String,
    /// `127.0.0.1:PORT` and the like.
    hosts: Vec<String>,
    /// The port, if any address of this machine is accepted as a host. Names are not: any name can
    /// be made to point here, an address cannot.
    any_address: Option<u16>,
}

/// The HTTP port, which page addresses leave out.
const USUAL_PORT: u16 = 80;

impl Guard {
    pub fn new(listen: &ListenAddress, port: u16, token: String) -> Guard {
        Guard {
            token,
            hosts: listen
                .names()
                .into_iter()
                .map(|name| if port == USUAL_PORT { name } else { format!("{name}:{port}") })
                .collect(),
            any_address: listen.is_any().then_some(port),
        }
    }

    pub fn address(&self) -> String {
        format!("http://{}/{}/", self.hosts[0], self.token)
    }

    pub fn api_address(&self) -> String {
        format!("http://{}{}", self.hosts[0], api::PATH)
    }

    /// What stands before a token in the addresses for other devices.
    pub fn base_for_others(&self) -> String {
        let outward = self.any_address.zip(outward_address());
        match outward.map(|(port, ip)| SocketAddr::new(ip, port)) {
            Some(address) => format!("http://{address}/"),
            None => format!("http://{}/", self.hosts[0]),
        }
    }

    /// Whether a request is for this server and from its own page, or from a program without
    /// origin.
    pub fn allows(&self, headers: &HeaderMap) -> bool {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let Some(host) = text(header::HOST) else { return false };
        let own_page = text(header::ORIGIN)
            .is_none_or(|origin| origin.eq_ignore_ascii_case(&format!("http://{host}")));
        let one_host = headers.get_all(header::HOST).iter().count() == 1;
        self.accepts_host(host) && own_page && one_host
    }

    fn accepts_host(&self, host: &str) -> bool {
        self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
            || self.any_address.is_some_and(|port| is_address(host, port))
    }

    /// The path after the token, if the token is right.
    pub fn after_token<'a>(&self, path: &'a str) -> Option<&'a str> {
        let (token, rest) = split_token(path)?;
        is_same(token.as_bytes(), self.token.as_bytes()).then_some(rest)
    }

    /// Forbids loading from or sending to other hosts, and storing a response without `Cache-Control`.
    /// `host` is the request's `Host` header.
    pub fn set_security_headers(&self, headers: &mut HeaderMap, host: Option<&str>) {
        let host = host.filter(|host| self.accepts_host(host));
        let hosts = self.hosts.iter().map(String::as_str).chain(host);
        // A policy cannot name an IPv6 address; browsers accept it there as `self`.
        let nameable = hosts.filter(|host| !host.starts_with('['));
        let sockets: Vec<String> = nameable.map(|host| format!("ws://{host}")).collect();
        let policy = format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
             manifest-src 'self'; connect-src 'self' {}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            sockets.join(" ")
        );
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        for (name, value) in [
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::X_FRAME_OPTIONS, "DENY"),
            (header::REFERRER_POLICY, "no-referrer"),
            (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
            (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let no_store = HeaderValue::from_static("no-store");
        headers.entry(header::CACHE_CONTROL).or_insert(no_store);
    }
}

pub(super) fn new_token() -> Result<String, SysError> {
    token(|seed| SysRng.try_fill_bytes(seed))
}

pub(super) fn is_token(text: &str) -> bool {
    text.len() == TOKEN_LENGTH && text.bytes().all(|letter| TOKEN_LETTERS.contains(&letter))
}

/// Random letters from a cryptographic generator, seeded with random bytes.
fn token<E>(fill: impl FnOnce(&mut [u8]) -> Result<(), E>) -> Result<String, E> {
    let mut seed = [0; 32];
    fill(&mut seed)?;
    let mut generator = StdRng::from_seed(seed);
    let letter = || char::from(TOKEN_LETTERS[generator.random_range(0..TOKEN_LETTERS.len())]);
    Ok(std::iter::repeat_with(letter).take(TOKEN_LENGTH).collect())
}

/// A path's token and what follows it.
pub(super) fn split_token(path: &str) -> Option<(&str, &str)> {
    path.strip_prefix('/')?.split_once('/')
}

/// The address by which other machines reach this one, if it is in a network.
fn outward_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address that is only for documentation: the system chooses a way there, and sends nothing.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip())
}

/// Whether this is an address with this port, not a name.
fn is_address(host: &str, port: u16) -> bool {
    let with_port = || host.parse::<SocketAddr>().is_ok_and(|address| address.port() == port);
    let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    with_port() || port == USUAL_PORT && bare.parse::<IpAddr>().is_ok()
}

/// Compares in constant time.
pub(super) fn is_same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_names_are_read_and_called_by_their_names() {
        for (text, names, loopback) in [
            ("127.0.0.1", vec!["127.0.0.1", "localhost"], true),
            ("localhost", vec!["localhost", "127.0.0.1"], true),
            ("192.168.1.5", vec!["192.168.1.5"], false),
            ("0.0.0.0", vec!["127.0.0.1", "localhost"], false),
            ("::1", vec!["[::1]", "localhost"], true),
            ("[fe80::1]", vec!["[fe80::1]"], false),
        ] {
            let address: ListenAddress = text.parse().expect(text);
            let called = address.names();
            for name in names {
                // The system may prefer either loopback address for a name.
                let known = called.iter().any(|called| called == name);
                assert!(known || text == "localhost", "{text}: {called:?}");
            }
            assert_eq!(address.is_loopback(), loopback, "{text}");
        }
        for (text, port) in [
            ("192.168.1.5:8080", Some(8080)),
            ("[::1]:80", Some(80)),
            ("localhost:9", Some(9)),
            ("127.0.0.1", None),
        ] {
            assert_eq!(text.parse::<ListenAddress>().expect(text).port, port, "{text}");
        }
        for text in ["", ":80", "1.2.3.4:x", "a/b", "http://a", "a b", "evil.example\r\nX: y"] {
            assert_eq!(text.parse::<ListenAddress>(), Err(ListenAddressError::Form), "{text}");
        }
    }

    fn guard_of(listen: &str, port: u16) -> Guard {
        let token = new_token().expect("random bytes");
        Guard::new(&listen.parse().expect("an address"), port, token)
    }

    fn headers(fields: &[(HeaderName, &str)]) -> HeaderMap {
        let value = |value: &str| HeaderValue::from_str(value).expect("a header");
        fields.iter().map(|(name, text)| (name.clone(), value(text))).collect()
    }

    /// A server is called by its own names only, and knows only the page that it has served.
    #[test]
    fn only_our_own_page_is_known() {
        assert!(!guard_of("127.0.0.1", 8080).allows(&HeaderMap::new()));
        // Programs send no origin.
        for (listen, port, host, origin, known) in [
            ("127.0.0.1", 8080, "127.0.0.1:8080", "", true),
            ("127.0.0.1", 8080, "localhost:8080", "http://localhost:8080", true),
            ("127.0.0.1", 8080, "127.0.0.1:8080", "http://127.0.0.1:8080", true),
            ("127.0.0.1", 8080, "127.0.0.1", "", false),
            ("127.0.0.1", 8080, "127.0.0.1:8081", "", false),
            ("127.0.0.1", 8080, "evil.example:8080", "", false),
            ("127.0.0.1", 8080, "127.0.0.1:8080", "http://evil.example", false),
            ("127.0.0.1", 8080, "127.0.0.1:8080", "null", false),
            ("127.0.0.1", 8080, "127.0.0.1:8080", "https://127.0.0.1:8080", false),
            ("127.0.0.1", 8080, "127.0.0.1:8080", "http://127.0.0.1:9999", false),
            ("127.0.0.1", 8080, "127.0.0.1:8080", "http://localhost:8080", false),
            ("127.0.0.1", 8080, "192.168.1.5:8080", "", false),
            ("192.168.1.5", 8080, "192.168.1.5:8080", "http://192.168.1.5:8080", true),
            ("192.168.1.5", 8080, "192.168.1.5:8080", "http://evil.example", false),
            ("192.168.1.5", 8080, "192.168.1.6:8080", "http://192.168.1.6:8080", false),
            ("192.168.1.5", 8080, "127.0.0.1:8080", "http://127.0.0.1:8080", false),
            ("192.168.1.5", 8080, "evil.example:8080", "http://evil.example:8080", false),
            ("0.0.0.0", 8080, "192.168.1.5:8080", "http://192.168.1.5:8080", true),
            ("0.0.0.0", 8080, "[fe80::1]:8080", "http://[fe80::1]:8080", true),
            ("0.0.0.0", 8080, "localhost:8080", "http://localhost:8080", true),
            ("0.0.0.0", 8080, "192.168.1.5:8081", "http://192.168.1.5:8081", false),
            ("0.0.0.0", 8080, "192.168.1.5:8080", "http://6.6.6.6:8080", false),
            ("0.0.0.0", 8080, "evil.example:8080", "http://evil.example:8080", false),
            ("0.0.0.0", 8080, "192.168.1.5", "http://192.168.1.5", false),
            ("0.0.0.0", 80, "192.168.1.5", "http://192.168.1.5", true),
            ("0.0.0.0", 80, "evil.example", "http://evil.example", false),
        ] {
            let guard = guard_of(listen, port);
            let mut fields = vec![(header::HOST, host)];
            fields.extend((!origin.is_empty()).then_some((header::ORIGIN, origin)));
            assert_eq!(guard.allows(&headers(&fields)), known, "{listen} {host} {origin}");
            let mut answer = HeaderMap::new();
            guard.set_security_headers(&mut answer, Some(host));
            let policy = answer[header::CONTENT_SECURITY_POLICY].to_str().expect("a text");
            assert!(!policy.contains("evil"), "{policy}");
            let is_named = policy.contains(&format!("ws://{host}"));
            assert!(is_named || !known || host.starts_with('['), "{host}: {policy}");
        }
    }

    /// A seccomp filter or a bare chroot may leave a system without `getrandom` and `/dev/urandom`.
    #[test]
    fn there_is_no_token_without_random_bytes() {
        assert_eq!(token(|_| Err("none")), Err("none"));
        assert!(is_token(&new_token().expect("random bytes")));
    }

    #[test]
    fn nothing_is_behind_another_token() {
        let guard = guard_of("127.0.0.1", 8080);
        let token = guard.token.clone();
        assert_eq!(guard.after_token(&format!("/{token}/board/board.js")), Some("board/board.js"));
        assert_eq!(guard.after_token(&format!("/{token}/")), Some(""));
        for path in [format!("/{token}"), format!("/{}x/", &token[1..]), "//".into(), "".into()] {
            assert_eq!(guard.after_token(&path), None, "{path}");
        }
        assert_ne!(guard_of("127.0.0.1", 8080).token, token);
    }
}
