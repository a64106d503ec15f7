//! The words behind `qirkat match`.

use clap::Args;

#[derive(Args)]
pub(crate) struct MatchOptions {
    /// Options as users of cutechess-cli type them; see --help
    #[arg(value_name = "OPTION", trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}
