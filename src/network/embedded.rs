//! The network that the program carries.

use std::sync::Arc;

use once_cell::sync::Lazy;

use super::Network;
use super::file::{SIZE, VERSION};

/// The file's bytes; `build.rs` says which file, and that its checksum fits.
const BYTES: &[u8] = include_bytes!(env!("QIRKAT_NETWORK"));

const _: () = {
    assert!(BYTES.len() == SIZE, "QIRKAT_NETWORK is built otherwise than this program's networks");
    assert!(BYTES[8] as u16 == VERSION && BYTES[9] == 0, "QIRKAT_NETWORK has another format");
};

/// Nothing only in a program built with numbers that cannot be reckoned with.
static EMBEDDED: Lazy<Option<Arc<Network>>> = Lazy::new(|| match Network::from_bytes(BYTES) {
    Ok(network) => Some(Arc::new(network)),
    Err(error) => {
        log::error!("the network that the program carries: {error}");
        None
    }
});

impl Network {
    /// The network that the program carries.
    pub fn embedded() -> Option<&'static Arc<Network>> {
        EMBEDDED.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_network_is_sound() {
        assert!(Network::embedded().is_some());
        assert_eq!(
            Network::from_bytes(BYTES).map(|network| network.to_bytes()).as_deref(),
            Ok(BYTES)
        );
    }
}
