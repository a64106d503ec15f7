//! Networks by name.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::file::SIZE;
use super::{Network, NetworkError};

/// The name of the network that the program carries.
pub const EMBEDDED: &str = "<embedded>";
/// The name of no network: the evaluation made by hand.
pub const BY_HAND: &str = "<none>";

/// Why a file gave no network.
#[derive(Debug, Error)]
pub enum ChoiceError {
    /// It cannot be read.
    #[error("{0}: {1}")]
    Io(String, io::Error),
    /// It can be read, but it is none.
    #[error("{0}: {1}")]
    Network(String, NetworkError),
    /// The program was built without a network.
    #[error("this program carries no network")]
    NoneEmbedded,
}

/// The network of this name, or in the file of this name; none for
/// [`BY_HAND`].
///
/// # Errors
/// When there is no such file, or no network in it.
pub fn choose(name: &str) -> Result<Option<Arc<Network>>, ChoiceError> {
    match name {
        "" | EMBEDDED => Network::embedded().cloned().map(Some).ok_or(ChoiceError::NoneEmbedded),
        BY_HAND => Ok(None),
        path => {
            let bytes =
                read(Path::new(path)).map_err(|error| ChoiceError::Io(shown(path), error))?;
            let network = Network::from_bytes(&bytes)
                .map_err(|error| ChoiceError::Network(shown(path), error))?;
            log::info!("network {:08x} read from {}", network.checksum(), shown(path));
            Ok(Some(Arc::new(network)))
        }
    }
}

/// Characters of a file's name that are shown at most.
const SHOWN: usize = 200;

/// A name in one line, whatever is in it.
fn shown(name: &str) -> String {
    name.chars().take(SHOWN).flat_map(char::escape_debug).collect()
}

/// No more of a file than shows that it is too long.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    // A pipe or a device might never end, or never begin.
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(SIZE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
