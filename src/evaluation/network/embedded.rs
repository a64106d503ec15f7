//! The embedded networks, which the program carries.

use std::sync::Arc;

use once_cell::race::OnceBox;

use super::input::NetworkInput;
use super::quantised::Network;
use qirkat_rules::{alquerque, chesquerque, masonic};

/// The file of an embedded network, and the network once it was read, on first use; none if
/// the program carries none. A `OnceBox` needs no operating system to block with: if two threads
/// come first at once, both read the bytes and one result is kept.
pub struct EmbeddedNetwork<G: NetworkInput> {
    bytes: &'static [u8],
    network: OnceBox<Option<Arc<Network<G>>>>,
}

impl<G: NetworkInput> EmbeddedNetwork<G> {
    /// The network of these bytes, which are none if there is no network.
    pub(super) const fn new(bytes: &'static [u8]) -> EmbeddedNetwork<G> {
        EmbeddedNetwork { bytes, network: OnceBox::new() }
    }
}

/// A game whose network the program carries. `build.rs` chooses the file and checks its checksum.
pub trait HasEmbeddedNetwork: NetworkInput {
    /// The file, and what was read of it.
    fn file() -> &'static EmbeddedNetwork<Self>;
}

impl HasEmbeddedNetwork for chesquerque::Position {
    fn file() -> &'static EmbeddedNetwork<Self> {
        static EMBEDDED: EmbeddedNetwork<chesquerque::Position> =
            EmbeddedNetwork::new(include_bytes!(env!("QIRKAT_NETWORK")));
        &EMBEDDED
    }
}

impl HasEmbeddedNetwork for masonic::Position {
    fn file() -> &'static EmbeddedNetwork<Self> {
        static EMBEDDED: EmbeddedNetwork<masonic::Position> =
            EmbeddedNetwork::new(include_bytes!(env!("QIRKAT_NETWORK_MASONIC")));
        &EMBEDDED
    }
}

impl HasEmbeddedNetwork for alquerque::Position {
    fn file() -> &'static EmbeddedNetwork<Self> {
        static EMBEDDED: EmbeddedNetwork<alquerque::Position> =
            EmbeddedNetwork::new(include_bytes!(env!("QIRKAT_NETWORK_ALQUERQUE")));
        &EMBEDDED
    }
}

impl<G: HasEmbeddedNetwork> Network<G> {
    /// The network that the program carries.
    pub fn embedded() -> Option<&'static Arc<Self>> {
        let EmbeddedNetwork { bytes, network } = G::file();
        let read = || match Network::from_bytes(bytes) {
            Ok(network) => Some(Arc::new(network)),
            Err(_) if bytes.is_empty() => None,
            Err(error) => {
                log::error!("the embedded network: {error}");
                None
            }
        };
        network.get_or_init(|| Box::new(read())).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_networks_are_sound() {
        assert!(Network::<chesquerque::Position>::embedded().is_some());
        assert!(Network::<masonic::Position>::embedded().is_some());
        assert!(Network::<alquerque::Position>::embedded().is_some());
    }
}
