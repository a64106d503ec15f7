//! The option `--eval-file`: the network to evaluate with.

use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;

use crate::evaluation::{AnyEvaluation, Evaluation};
use crate::load_network::{EMBEDDED, load_network};
use crate::network::Network;
use crate::variant::Variant;

/// The network to evaluate with.
#[derive(Args)]
pub(super) struct EvalFile {
    /// The network to evaluate with; `<none>` for the hand-crafted evaluation
    #[arg(long, value_name = "FILE", default_value = EMBEDDED)]
    eval_file: String,
}

impl EvalFile {
    /// The evaluation of a game: by that network or without one.
    pub fn evaluation(&self, variant: Variant) -> anyhow::Result<AnyEvaluation> {
        match variant {
            Variant::Chesquerque => Ok(Evaluation::from(self.network()?).into()),
            _ => match self.other_than_embedded() {
                Some(name) => {
                    bail!("--eval-file: `{name}` is for Chesquerque, not for {}", variant.title())
                }
                None => Ok(AnyEvaluation::embedded(variant)),
            },
        }
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
