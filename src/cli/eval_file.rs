//! The option `--eval-file`: the network to evaluate with.

use std::sync::Arc;

use anyhow::Context;
use clap::Args;

use crate::evaluation::Evaluation;
use crate::load_network::{EMBEDDED, load_network};
use crate::network::Network;

/// The network to evaluate with.
#[derive(Args)]
pub(super) struct EvalFile {
    /// The network to evaluate with; `<none>` for the hand-crafted evaluation
    #[arg(long, value_name = "FILE", default_value = EMBEDDED)]
    eval_file: String,
}

impl EvalFile {
    /// The evaluation: by that network or by hand.
    pub fn evaluation(&self) -> anyhow::Result<Evaluation> {
        Ok(Evaluation::from(self.network()?))
    }

    /// The network; none for the hand-crafted evaluation.
    pub fn network(&self) -> anyhow::Result<Option<Arc<Network>>> {
        load_network(&self.eval_file).context("--eval-file")
    }

    /// The name, if it is not that of the network the program carries.
    pub fn other_than_embedded(&self) -> Option<&str> {
        Some(self.eval_file.as_str()).filter(|name| *name != EMBEDDED)
    }
}
