//! What a proof may use: threads, memory and time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;

use crate::resources::megabytes;
use qirkat_engine::time_text::{TimeTextError, Unit, read_time};
use qirkat_search::MAX_THREADS;
use qirkat_system::machine::cores;

/// What a proof may use.
#[derive(Args)]
pub(super) struct ProofMeans {
    /// Threads; as many as there are cores when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// Size of the table of proofs in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = megabytes)]
    pub hash: u32,
    /// Give up after this time, in seconds or as minutes:seconds
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
}

impl ProofMeans {
    /// How many threads.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }
}

fn time(text: &str) -> Result<Duration, String> {
    match read_time(text, Unit::Seconds) {
        Ok(Duration::ZERO) | Err(TimeTextError::Negative) => Err("a time is above zero".to_owned()),
        Ok(time) => Ok(time),
        Err(TimeTextError::NotANumber) => Err("not a time such as 90 or 1:30".to_owned()),
        Err(TimeTextError::TooLong) => Err("too long".to_owned()),
    }
}

/// When a proof is given up: after its time, or by Ctrl-C.
pub(super) struct Bounds<'a> {
    interrupted: &'a Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl<'a> Bounds<'a> {
    /// Counts from now on.
    pub fn new(interrupted: &'a Arc<AtomicBool>, time: Option<Duration>) -> Bounds<'a> {
        // A deadline beyond what the clock can count is none.
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Bounds { interrupted, deadline }
    }

    /// Whether to give up now.
    pub fn is_over(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
