//! The functions that JavaScript calls (`site/alone/`): a session, a worker's jobs, and the bench.

#![allow(unsafe_code, reason = "the name of `call` is known to JavaScript")]

use std::cell::RefCell;
use std::sync::Arc;

use crate::page::worker::job::JobRunner;
use crate::page::worker::{KeptFile, WorkerHost, WorkerTab};
use qirkat_engine::bench;
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::distance::Depth;
use qirkat_rules::variant::Variant;
use qirkat_search::SearchControl;
use qirkat_system::host::{
    call_javascript, called_name, message, message_bytes, report_failure, report_panics,
};

thread_local! {
    static TAB: RefCell<Option<WorkerTab>> = const { RefCell::new(None) };
    static RUNNER: RefCell<Option<JobRunner>> = const { RefCell::new(None) };
}

struct Browser;

impl WorkerHost for Browser {
    fn start(&self, worker: u32, job: &str) {
        call_javascript("startWorker", job, worker);
    }

    fn end(&self, worker: u32) {
        call_javascript("endWorker", "", worker);
    }

    fn fetch(&self, name: &str, number: u32) {
        call_javascript("fetchFile", name, number);
    }

    fn keep(&self, name: &str, text: Option<&str>) {
        let file = serde_json::json!({"name": name, "text": text}).to_string();
        call_javascript("keep", &file, 0);
    }
}

/// Calls the function whose name was passed in. Returns its result if that is a number, otherwise
/// 1; -1 if there is no such function.
#[unsafe(no_mangle)]
pub extern "C" fn call(number: u32, other: u32) -> f64 {
    match called_name().as_str() {
        // The saved files, a JSON list.
        "open_session" => {
            report_panics();
            let kept: Vec<KeptFile> = serde_json::from_str(&message()).unwrap_or_default();
            let replies = Box::new(|text: String| {
                call_javascript("reply", &text, 0);
                true
            });
            TAB.set(Some(WorkerTab::open(kept, Arc::new(Browser), replies)));
        }
        "receive_from_page" => with_tab((), |tab| tab.receive_from_page(message())),
        // Another tab has saved or removed a file.
        "receive_file" => {
            if let Ok(file) = serde_json::from_str::<KeptFile>(&message()) {
                with_tab((), |tab| tab.receive_file(file));
            }
        }
        "receive_from_worker" => with_tab((), |tab| tab.receive_from_worker(&message())),
        "worker_crashed" => with_tab((), |tab| tab.crashed(number)),
        // A file, empty if it is not available; returns whether it is a certificate for the workers.
        "receive_fetched" => {
            let is_for_all = with_tab(false, |tab| tab.receive_fetched(number, message_bytes()));
            return f64::from(is_for_all);
        }
        // Runs whatever is due. Returns the milliseconds until the next call; negative for never.
        "poll" => {
            let next = with_tab(None, WorkerTab::poll);
            return next.map_or(-1.0, |time| 1000.0 * time.as_secs_f64());
        }
        "hold_certificate" => with_runner(|runner| runner.hold_certificate(message_bytes())),
        // Returns whether it was a job.
        "run_job" => {
            report_panics();
            let done = with_runner(|runner| runner.run(&message()));
            return f64::from(done.inspect_err(|text| report_failure(text)).is_ok());
        }
        "bench_nodes" => {
            report_panics();
            return bench_nodes(number, other).map_or(-1.0, |nodes| nodes as f64);
        }
        _ => return -1.0,
    }
    1.0
}

fn with_tab<R>(without: R, act: impl FnOnce(&mut WorkerTab) -> R) -> R {
    TAB.with_borrow_mut(|tab| tab.as_mut().map_or(without, act))
}

fn with_runner<R>(act: impl FnOnce(&mut JobRunner) -> R) -> R {
    let reports = |text: &str| call_javascript("report", text, 0);
    RUNNER.with_borrow_mut(|runner| {
        act(runner.get_or_insert_with(|| JobRunner::new(Arc::new(reports))))
    })
}

/// Searches the bench positions of a game, by its index in [`Variant::ALL`], to a depth.
fn bench_nodes(variant: u32, depth: u32) -> Option<u64> {
    let variant = *Variant::ALL.get(variant as usize)?;
    let depth = Depth::saturating(depth.into());
    let control = SearchControl::new(false, false);
    let result = bench(depth, &AnyEvaluation::embedded(variant), &control, &mut |_| {});
    result.ok().flatten().map(|result| result.nodes)
}
