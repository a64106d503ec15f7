//! What can be wrong with setting an option.

use thiserror::Error;

use crate::engine::HashError;
use crate::load_network::LoadNetworkError;
use crate::load_tables::LoadTablesError;
use crate::machine::ThreadsError;
use crate::search::ResourceError;
use crate::text::Excerpt;

/// Why an option was not set, or not as asked.
#[derive(Debug, Error)]
pub(super) enum OptionError {
    #[error("there is no option `{0}`")]
    Unknown(Excerpt),
    #[error("option {option}: `{value}` is not {wanted}")]
    Value {
        option: &'static str,
        value: Excerpt,
        /// The values it takes.
        wanted: String,
    },
    #[error("option {0} needs a value")]
    NoValue(&'static str),
    #[error("option EvalFile: {0}; nothing is changed")]
    Network(LoadNetworkError),
    #[error("option TablePath: {0}")]
    Tables(LoadTablesError),
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error(transparent)]
    Resources(#[from] ResourceError),
}
