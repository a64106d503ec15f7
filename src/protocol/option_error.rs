//! What can be wrong with setting an option.

use thiserror::Error;

use qirkat_engine::HashError;
use qirkat_evaluation::load_network::LoadNetworkError;
use qirkat_game::text::Excerpt;
use qirkat_search::ResourceError;
use qirkat_system::machine::ThreadsError;
use qirkat_tablebase::load_tables::LoadTablesError;

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
