//! The threads and memory that all searches together may use, so that a hundred tabs do
//! not bring the machine down.

use std::sync::Arc;

use parking_lot::Mutex;
use thiserror::Error;

use qirkat_system::machine::{cores, megabytes_of_memory};

/// Threads of all searches together, for each core.
const THREADS_PER_CORE: usize = 8;
/// But never fewer than this.
const LEAST_THREADS: usize = 64;
/// The part of the memory that all tables together may take.
const MEMORY_SHARE: usize = 2;

/// There is no room for another search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("other tabs use all memory or threads that searches may have here: close some of them")]
pub(crate) struct NothingLeft;

#[derive(Clone, Copy, Debug)]
struct Left {
    threads: usize,
    megabytes: usize,
}

/// The threads and megabytes that searches may still take.
#[derive(Clone, Debug)]
pub(crate) struct Allowance(Arc<Mutex<Left>>);

/// The share that a search has taken; it is given back when dropped.
#[derive(Debug)]
pub(crate) struct Share {
    of: Allowance,
    taken: Left,
}

impl Allowance {
    pub fn of_this_machine() -> Allowance {
        Allowance::new(
            (THREADS_PER_CORE * cores()).max(LEAST_THREADS),
            megabytes_of_memory() / MEMORY_SHARE,
        )
    }

    fn new(threads: usize, megabytes: usize) -> Allowance {
        Allowance(Arc::new(Mutex::new(Left { threads, megabytes })))
    }

    /// Takes a share.
    ///
    /// # Errors
    /// When not so much is left.
    pub fn take(&self, threads: usize, megabytes: usize) -> Result<Share, NothingLeft> {
        let mut left = self.0.lock();
        if left.threads < threads || left.megabytes < megabytes {
            return Err(NothingLeft);
        }
        left.threads -= threads;
        left.megabytes -= megabytes;
        Ok(Share { of: self.clone(), taken: Left { threads, megabytes } })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut left = self.of.0.lock();
        left.threads += self.taken.threads;
        left.megabytes += self.taken.megabytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let allowance = Allowance::new(4, 100);
        let first = allowance.take(3, 60).expect("enough is left");
        assert_eq!(allowance.take(2, 1).err(), Some(NothingLeft));
        assert_eq!(allowance.take(1, 41).err(), Some(NothingLeft));
        drop(first);
        assert!(allowance.take(4, 100).is_ok());
    }
}
