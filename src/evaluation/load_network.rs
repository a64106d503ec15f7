//! Loads networks by name, as given by the option `EvalFile` or `--eval-file`: the embedded one,
//! none, or a file. [`Network`] itself does not read files.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use crate::network::{HasEmbeddedNetwork, Network, NetworkError};
use crate::{AnyEvaluation, GameEvaluation};
use qirkat_game::text::one_line;
use qirkat_rules::match_variant;
use qirkat_rules::variant::{Variant, VariantGame};
use qirkat_system::input_file::open_regular_file;

pub const EMBEDDED: &str = "<embedded>";
/// The name for no network, so that only material and placement count.
pub const NONE: &str = "<none>";

#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadNetworkError {
    #[error("{0}: {1}")]
    Io(String, io::Error),
    #[error("{0}: {1}")]
    Network(String, NetworkError),
    #[error("this program carries no network for {}", .0.title())]
    NoneEmbedded(Variant),
}

/// The evaluation of a game with the network of this name: the embedded one, a file, or none
/// (material and placement only); an empty name means the embedded one.
///
/// # Errors
/// When there is no such file, or no network of this game in it.
pub fn load_evaluation(variant: Variant, name: &str) -> Result<AnyEvaluation, LoadNetworkError> {
    let name = if name.is_empty() { EMBEDDED } else { name };
    match_variant!(variant, Own => Ok(GameEvaluation::<Own>::from(load_network(name)?).into()))
}

/// The network of this name: the embedded one of the game, a file, or none for `<none>`.
///
/// # Errors
/// When there is no such file, or no network of this game in it.
pub fn load_network<G: HasEmbeddedNetwork + VariantGame>(
    name: &str,
) -> Result<Option<Arc<Network<G>>>, LoadNetworkError> {
    match name {
        NONE => return Ok(None),
        EMBEDDED => {
            let network = Network::embedded().cloned();
            return network.map(Some).ok_or(LoadNetworkError::NoneEmbedded(G::VARIANT));
        }
        _ => {}
    }
    let shown = || one_line(name, MAX_SHOWN);
    let bytes = read_file(Path::new(name), Network::<G>::file_size())
        .map_err(|error| LoadNetworkError::Io(shown(), error))?;
    let network =
        Network::from_bytes(&bytes).map_err(|error| LoadNetworkError::Network(shown(), error))?;
    log::info!("network {:08x} read from {}", network.checksum(), shown());
    Ok(Some(Arc::new(network)))
}

/// The most characters of a name that messages show.
pub const MAX_SHOWN: usize = 200;

/// Reads a file, at most one byte more than its expected or largest size.
pub fn read_file(path: &Path, size: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular_file(path)?.take(size as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
