//! The functions that JavaScript calls, and those that it gives (`site/alone/engine.js`). How a
//! message comes in: [`qirkat_system::host::messages`].

#![allow(unsafe_code, reason = "names and functions that JavaScript knows are foreign")]

use std::cell::RefCell;
use std::sync::Arc;

use super::{ChangedFile, JobRunner, KeptFile, Outside, WorkerTab};
use qirkat_engine::bench;
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::distance::Depth;
use qirkat_rules::variant::Variant;
use qirkat_search::SearchControl;
use qirkat_system::host::messages::{break_down, message, message_bytes, tell_panics};

// SAFETY: each function only reads the text of the given length while it is called, and
// calls nothing of this module.
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    safe fn reply(text: *const u8, length: usize);
    safe fn start_worker(worker: u32, job: *const u8, length: usize);
    safe fn end_worker(worker: u32);
    /// Fetches the certificate of Alquerque.
    safe fn fetch_certificate();
    /// Keeps a file: a JSON object with `name`, and `text` unless it is removed.
    safe fn keep(file: *const u8, length: usize);
    safe fn report(text: *const u8, length: usize);
}

thread_local! {
    static TAB: RefCell<Option<WorkerTab>> = const { RefCell::new(None) };
    static RUNNER: RefCell<Option<JobRunner>> = const { RefCell::new(None) };
}

/// The workers and the storage of a browser.
struct Browser;

impl Outside for Browser {
    fn start(&self, worker: u32, job: &str) {
        start_worker(worker, job.as_ptr(), job.len());
    }

    fn end(&self, worker: u32) {
        end_worker(worker);
    }

    fn fetch_certificate(&self) {
        fetch_certificate();
    }

    fn keep(&self, name: &str, text: Option<&str>) {
        let file = serde_json::json!({"name": name, "text": text}).to_string();
        keep(file.as_ptr(), file.len());
    }
}

/// Opens the session with the files that were kept, a JSON list.
#[unsafe(no_mangle)]
pub extern "C" fn open_session() {
    tell_panics();
    let kept: Vec<KeptFile> = serde_json::from_str(&message()).unwrap_or_default();
    let replies = Box::new(|text: String| {
        reply(text.as_ptr(), text.len());
        true
    });
    TAB.set(Some(WorkerTab::open(kept, Arc::new(Browser), replies)));
}

#[unsafe(no_mangle)]
pub extern "C" fn receive_from_page() {
    with_tab(|tab| tab.receive_from_page(message()));
}

/// Another tab has kept or removed a file, a JSON object.
#[unsafe(no_mangle)]
pub extern "C" fn receive_file() {
    if let Ok(file) = serde_json::from_str::<ChangedFile>(&message()) {
        with_tab(|tab| tab.receive_file(file));
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn receive_from_worker() {
    with_tab(|tab| tab.receive_from_worker(&message()));
}

/// The certificate has come, or nothing where it could not be had; says whether it holds.
#[unsafe(no_mangle)]
pub extern "C" fn receive_certificate() -> bool {
    with_tab(|tab| tab.receive_certificate(message_bytes())).unwrap_or_default()
}

#[unsafe(no_mangle)]
pub extern "C" fn worker_broke_down(worker: u32) {
    with_tab(|tab| tab.break_down(worker));
}

fn with_tab<R>(act: impl FnOnce(&mut WorkerTab) -> R) -> Option<R> {
    TAB.with_borrow_mut(|tab| tab.as_mut().map(act))
}

/// Does what is due. Milliseconds until it has to be called again; negative for never.
#[unsafe(no_mangle)]
pub extern "C" fn poll() -> f64 {
    TAB.with_borrow_mut(|tab| {
        let next = tab.as_mut().and_then(WorkerTab::poll);
        next.map_or(-1.0, |time| 1000.0 * time.as_secs_f64())
    })
}

/// Holds the certificate for the jobs of this worker.
#[unsafe(no_mangle)]
pub extern "C" fn hold_certificate() {
    with_runner(|runner| runner.hold_certificate(message_bytes()));
}

/// Does a job; says whether it was one.
#[unsafe(no_mangle)]
pub extern "C" fn run_job() -> bool {
    tell_panics();
    let done = with_runner(|runner| runner.run(&message()));
    if let Err(text) = &done {
        break_down(text);
    }
    done.is_ok()
}

fn with_runner<R>(act: impl FnOnce(&mut JobRunner) -> R) -> R {
    let reports = |text: &str| report(text.as_ptr(), text.len());
    RUNNER.with_borrow_mut(|runner| {
        act(runner.get_or_insert_with(|| JobRunner::new(Arc::new(reports))))
    })
}

/// Searches the bench positions of a game, by its place in [`Variant::ALL`], to a depth;
/// returns the nodes, or a negative number when it cannot.
#[unsafe(no_mangle)]
pub extern "C" fn bench_nodes(game: usize, depth: i16) -> f64 {
    tell_panics();
    let Some(&variant) = Variant::ALL.get(game) else { return -1.0 };
    let control = SearchControl::new(false, false);
    let result = bench(Depth(depth), &AnyEvaluation::embedded(variant), &control, &mut |_| {});
    result.ok().flatten().map_or(-1.0, |result| result.nodes as f64)
}
