//! The network that the program carries.

use std::sync::Arc;

use once_cell::sync::Lazy;

use super::Network;

/// The file's bytes; `build.rs` says which file.
static BYTES: &[u8] = include_bytes!(env!("QIRKAT_NETWORK"));

/// Nothing only in a program built with a file that is no network.
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
