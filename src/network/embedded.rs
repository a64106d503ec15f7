//! The embedded network, which the program carries.

use std::sync::Arc;

use once_cell::race::OnceBox;

use super::network_format::{SIZE, VERSION};
use super::quantised::Network;

/// The bytes of its file. `build.rs` chooses the file and checks its checksum.
const BYTES: &[u8] = include_bytes!(env!("QIRKAT_NETWORK"));

const _: () = {
    assert!(BYTES.len() == SIZE, "QIRKAT_NETWORK has another architecture than this program");
    assert!(BYTES[8] as u16 == VERSION && BYTES[9] == 0, "QIRKAT_NETWORK has another format");
};

/// Empty only in a program that was built with weights out of range. A `OnceBox`
/// needs no operating system to wait with: two threads that come first at once
/// both read the bytes, and one result is kept.
static EMBEDDED: OnceBox<Option<Arc<Network>>> = OnceBox::new();

impl Network {
    /// The network that the program carries.
    pub fn embedded() -> Option<&'static Arc<Network>> {
        let read = || match Network::from_bytes(BYTES) {
            Ok(network) => Some(Arc::new(network)),
            Err(error) => {
                log::error!("the embedded network: {error}");
                None
            }
        };
        EMBEDDED.get_or_init(|| Box::new(read())).as_ref()
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
