//! The option `--eval-file`: the network to evaluate with.

use anyhow::Context;
use clap::Args;

use qirkat_evaluation::AnyEvaluation;
use qirkat_evaluation::load_network::{EMBEDDED, load_evaluation};
use qirkat_rules::variant::Variant;

/// The network to evaluate with.
#[derive(Args)]
pub(super) struct EvalFile {
    /// The network to evaluate with; `<none>` for the evaluation made by hand
    #[arg(long, value_name = "FILE", default_value = EMBEDDED)]
    eval_file: String,
}

impl EvalFile {
    /// The evaluation of a game: by that network or by hand.
    pub fn evaluation(&self, variant: Variant) -> anyhow::Result<AnyEvaluation> {
        load_evaluation(variant, &self.eval_file).context("--eval-file")
    }

    /// The name, if it is not that of the network the program carries.
    pub fn other_than_embedded(&self) -> Option<&str> {
        Some(self.eval_file.as_str()).filter(|name| *name != EMBEDDED)
    }
}
