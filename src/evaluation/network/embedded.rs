//! The embedded networks, which the program carries.

use std::sync::Arc;

use once_cell::race::OnceBox;

use super::input::NetworkInput;
use super::quantised::Network;
use super::{ALQUERQUE_HIDDEN, CHESQUERQUE_HIDDEN, MASONIC_HIDDEN};
use qirkat_rules::{alquerque, chesquerque, masonic};

/// A network that was read from embedded bytes, on first use; none if the program carries
/// none. A `OnceBox` needs no operating system to block with: if two threads come first at
/// once, both read the bytes and one result is kept.
type Embedded<G, const HIDDEN: usize> = OnceBox<Option<Arc<Network<G, HIDDEN>>>>;

fn read<G: NetworkInput, const HIDDEN: usize>(
    embedded: &'static Embedded<G, HIDDEN>,
    bytes: &[u8],
) -> Option<&'static Arc<Network<G, HIDDEN>>> {
    let read = || match Network::from_bytes(bytes) {
        Ok(network) => Some(Arc::new(network)),
        Err(_) if bytes.is_empty() => None,
        Err(error) => {
            log::error!("the embedded network: {error}");
            None
        }
    };
    embedded.get_or_init(|| Box::new(read())).as_ref()
}

/// The network of each game. `build.rs` chooses the file and checks its checksum.
macro_rules! embed {
    ($game:ident, $hidden:ident, $file:literal) => {
        impl Network<$game::Position, $hidden> {
            /// The network that the program carries.
            pub fn embedded() -> Option<&'static Arc<Self>> {
                static EMBEDDED: Embedded<$game::Position, $hidden> = OnceBox::new();
                read(&EMBEDDED, include_bytes!(env!($file)))
            }
        }
    };
}

embed!(chesquerque, CHESQUERQUE_HIDDEN, "QIRKAT_NETWORK");
embed!(masonic, MASONIC_HIDDEN, "QIRKAT_NETWORK_MASONIC");
embed!(alquerque, ALQUERQUE_HIDDEN, "QIRKAT_NETWORK_ALQUERQUE");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_networks_are_sound() {
        assert!(Network::<chesquerque::Position, CHESQUERQUE_HIDDEN>::embedded().is_some());
        assert!(Network::<masonic::Position, MASONIC_HIDDEN>::embedded().is_some());
        assert!(Network::<alquerque::Position, ALQUERQUE_HIDDEN>::embedded().is_some());
    }
}
