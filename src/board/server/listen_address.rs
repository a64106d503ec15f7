//! Where the server listens, and by which names it may be called.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::str::FromStr;

use thiserror::Error;

/// Where the server listens: on an address of this machine, given as such or by a
/// name. Only this machine reaches the default.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListenAddress {
    ip: IpAddr,
    name: Option<String>,
    port: Option<u16>,
}

/// A text that is no [`ListenAddress`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ListenAddressError {
    #[error("not an address or a name of this machine, with or without a port")]
    Form,
    /// Nobody knows the name.
    #[error("no address of this name is known")]
    Unknown,
}

impl Default for ListenAddress {
    fn default() -> ListenAddress {
        ListenAddress { ip: IpAddr::V4(Ipv4Addr::LOCALHOST), name: None, port: None }
    }
}

/// Reads an address such as `192.168.1.5`, `::1` or `0.0.0.0`, or a name that the system
/// knows an address for; a port may stand behind it, as in `192.168.1.5:8080`.
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
    pub(super) fn ip(&self) -> IpAddr {
        self.ip
    }

    /// The port that was given with it.
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// Whether only this machine reaches it.
    pub fn is_loopback(&self) -> bool {
        self.ip.is_loopback()
    }

    /// Whether it stands for all addresses of this machine.
    pub fn is_any(&self) -> bool {
        self.ip.is_unspecified()
    }

    /// The names by which a page's address may call this machine, the best first.
    pub(super) fn names(&self) -> Vec<String> {
        let own = match self.ip {
            ip if ip.is_unspecified() => Ipv4Addr::LOCALHOST.to_string(),
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        let here = self.is_loopback() || self.is_any();
        let localhost = here.then(|| "localhost".to_owned());
        let mut names: Vec<String> =
            self.name.clone().into_iter().chain([own]).chain(localhost).collect();
        names.dedup();
        names
    }
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
            assert_eq!(text.parse::<ListenAddress>().expect(text).port(), port, "{text}");
        }
        for text in ["", ":80", "1.2.3.4:x", "a/b", "http://a", "a b", "evil.example\r\nX: y"] {
            assert_eq!(text.parse::<ListenAddress>(), Err(ListenAddressError::Form), "{text}");
        }
    }
}
