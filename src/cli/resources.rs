//! The options for the resources of a search: threads, memory, network and tablebase.

use anyhow::Context;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueHint};

use qirkat_engine::AnySearcher;
use qirkat_evaluation::AnyEvaluation;
use qirkat_evaluation::load_network::{EMBEDDED, load_evaluation};
use qirkat_rules::variant::Variant;
use qirkat_search::MAX_THREADS;
use qirkat_system::machine::megabytes_of_memory;
use qirkat_tablebase::AllTables;
use qirkat_tablebase::load_tables::load_tables;

/// The resources of a search.
#[derive(Args)]
pub(super) struct SearchResources {
    /// Threads to search with; one when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// Size of the transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = megabytes)]
    pub hash: u32,
    #[command(flatten)]
    pub eval_file: EvalFile,
    /// A folder of endgame tables to ask, besides those in the program; `<none>` for no
    /// tables
    #[arg(long, value_name = "FOLDER", default_value = EMBEDDED, value_hint = ValueHint::DirPath, value_parser = NonEmptyStringValueParser::new())]
    table_path: String,
}

impl SearchResources {
    /// The threads that are named, or as many as usual.
    pub fn threads(&self, usual: usize) -> usize {
        self.threads.map_or(usual, usize::from)
    }

    /// A searcher of a game that has all of this.
    pub fn searcher(&self, variant: Variant) -> anyhow::Result<AnySearcher> {
        self.searcher_on(self.threads(1), variant)
    }

    /// The same on this many threads.
    pub fn searcher_on(&self, threads: usize, variant: Variant) -> anyhow::Result<AnySearcher> {
        let evaluation = self.eval_file.evaluation(variant)?;
        let mut searcher = AnySearcher::with_resources(evaluation, threads, self.hash as usize)?;
        searcher.set_tablebases(self.tables()?);
        Ok(searcher)
    }

    /// The endgame tables, all of them sound.
    /// Fails when the folder has none, or a damaged one.
    pub fn tables(&self) -> anyhow::Result<Option<AllTables>> {
        let (tables, fault) = load_tables(&self.table_path).context("--table-path")?;
        fault.map_or(Ok(tables), |fault| Err(fault).context("--table-path"))
    }

    /// The name of the tables, if it is not that of those in the program.
    pub fn other_tables(&self) -> Option<&str> {
        Some(self.table_path.as_str()).filter(|name| *name != EMBEDDED)
    }
}

/// Reads a size. The memory is asked for only when one is read, since every
/// start of the program goes through the list of arguments.
pub(super) fn megabytes(text: &str) -> Result<u32, String> {
    let most = megabytes_of_memory();
    let size = text.parse().ok().filter(|&size: &u32| (1..=most).contains(&(size as usize)));
    size.ok_or_else(|| format!("not a number of megabytes from 1 to {most}"))
}

/// The network to evaluate with.
#[derive(Args)]
pub(super) struct EvalFile {
    /// The network to evaluate with; `<none>` for material and placement alone
    #[arg(long, value_name = "FILE", default_value = EMBEDDED, value_hint = ValueHint::FilePath, value_parser = NonEmptyStringValueParser::new())]
    eval_file: String,
}

impl EvalFile {
    /// The evaluation of a game: by that network, or without one.
    pub fn evaluation(&self, variant: Variant) -> anyhow::Result<AnyEvaluation> {
        load_evaluation(variant, &self.eval_file).context("--eval-file")
    }

    /// The name, if it is not that of the network the program carries.
    pub fn other_than_embedded(&self) -> Option<&str> {
        Some(self.eval_file.as_str()).filter(|name| *name != EMBEDDED)
    }
}
