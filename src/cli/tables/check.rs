//! `qirkat tables check`.

use std::io::{Write, stdout};
use std::time::Duration;

use clap::Args;

use super::{First, Selection};
use crate::exit_status::{FaultsFound, Interrupted, interrupt_flag};
use crate::progress;
use qirkat_rules::variant::AnyPosition;
use qirkat_system::machine::thread_pool;
use qirkat_tablebase::{Checked, TabledGame};

#[derive(Args)]
pub(super) struct CheckOptions {
    #[command(flatten)]
    pub selection: Selection,
    /// Threads; as many as there are cores when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Derives every entry anew.
pub(super) fn run<G: TabledGame>(options: &CheckOptions) -> anyhow::Result<()> {
    let (tables, left_out) = super::open::<G>(options.selection.path.as_deref(), First::Folder)?;
    let chosen = options.selection.choose::<G>(&tables, &left_out)?;
    let stop = interrupt_flag();
    let threads = options.threads.map_or_else(qirkat_system::machine::cores, usize::from);
    let pool = thread_pool(threads)?;
    let bar = progress::bar("{human_pos} positions, {per_sec}, {elapsed}");
    bar.enable_steady_tick(Duration::from_millis(200));
    let mut checker = G::checker(&tables, &stop);
    let mut is_faulty = !left_out.0.is_empty();
    for (at, &material) in chosen.iter().enumerate() {
        let count = |entries| bar.inc(entries);
        let checked = pool.install(|| G::check(&mut checker, &chosen[at..], &count));
        let line = match &checked {
            Ok(None) if stop.load(std::sync::atomic::Ordering::Relaxed) => {
                bar.finish_and_clear();
                return Err(Interrupted(format!("stopped before the end of {material}")).into());
            }
            Ok(None) => {
                is_faulty = true;
                format!("{material}: a table that it leads to is missing")
            }
            Ok(Some(checked)) => {
                is_faulty |= !is_clean(checked);
                describe::<G>(material, checked)
            }
            Err(error) => {
                is_faulty = true;
                format!("{material}: {error}")
            }
        };
        bar.suspend(|| writeln!(stdout(), "{line}"))?;
    }
    bar.finish_and_clear();
    FaultsFound::fail_if(is_faulty)
}

fn is_clean<G>(checked: &Checked<G>) -> bool {
    checked.wrong.is_empty() && checked.has_right_statistics
}

fn describe<G: TabledGame>(material: G::Material, checked: &Checked<G>) -> String {
    let mut text = format!("{material}: {} entries", checked.entries);
    if is_clean(checked) {
        text.push_str(", all right");
    }
    for &position in &checked.wrong {
        let position: AnyPosition = position.into();
        text.push_str(&format!("\n    wrong: {position}"));
    }
    if !checked.has_right_statistics {
        text.push_str("\n    its statistics are wrong");
    }
    text
}
