//! Networks by name, as the option `EvalFile` and `--eval-file` give them: the
//! embedded one, none, or a file.
//!
//! [`Network`] itself is arithmetic and knows no files; they are read here.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use crate::network::{Network, NetworkError};
use crate::text::one_line;

/// The name of the network that the program carries.
pub(crate) const EMBEDDED: &str = "<embedded>";
/// The name of no network: the hand-crafted evaluation is used.
const NONE: &str = "<none>";

/// Why there is no network under a name.
#[derive(Debug, Error)]
pub(crate) enum LoadNetworkError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Io(String, io::Error),
    /// The file can be read, but it is not a network.
    #[error("{0}: {1}")]
    Network(String, NetworkError),
    /// The program was built without a network.
    #[error("this program carries no network")]
    NoneEmbedded,
}

/// The network of this name, or in the file of this name; no network for
/// `<none>`.
///
/// # Errors
/// When there is no such file, or no network in it.
pub(crate) fn load_network(name: &str) -> Result<Option<Arc<Network>>, LoadNetworkError> {
    match name {
        "" | EMBEDDED => {
            Network::embedded().cloned().map(Some).ok_or(LoadNetworkError::NoneEmbedded)
        }
        NONE => Ok(None),
        path => {
            let name = || one_line(path, MAX_SHOWN);
            let bytes =
                read(Path::new(path)).map_err(|error| LoadNetworkError::Io(name(), error))?;
            let network = Network::from_bytes(&bytes)
                .map_err(|error| LoadNetworkError::Network(name(), error))?;
            log::info!("network {:08x} read from {}", network.checksum(), name());
            Ok(Some(Arc::new(network)))
        }
    }
}

/// Characters of a file name shown at most.
const MAX_SHOWN: usize = 200;

/// Reads a file, but no further than it takes to see that it is too long.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    // A pipe or a device might never end, or never begin.
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(Network::FILE_SIZE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
