//! Which network judges positions.

use std::sync::Arc;

use anyhow::Context;
use clap::Args;

use crate::evaluation::Evaluation;
use crate::network::{EMBEDDED, Network, choose};

/// Which network judges positions.
#[derive(Args)]
pub(super) struct EvalFile {
    /// The network that judges positions; `<none>` for evaluation by hand
    #[arg(long, value_name = "FILE", default_value = EMBEDDED)]
    eval_file: String,
}

impl EvalFile {
    /// The network; none for evaluation by hand.
    pub fn network(&self) -> anyhow::Result<Option<Arc<Network>>> {
        choose(&self.eval_file).context("--eval-file")
    }

    /// The evaluation: by that network or by hand.
    pub fn evaluation(&self) -> anyhow::Result<Evaluation> {
        Ok(Evaluation::from(self.network()?))
    }

    /// The name, if it is not that of the network the program carries.
    pub fn other_than_embedded(&self) -> Option<&str> {
        Some(self.eval_file.as_str()).filter(|name| *name != EMBEDDED)
    }
}
