//! What the machine gives: cores, threads and memory.

#[cfg(feature = "threads")]
use once_cell::sync::Lazy;
#[cfg(feature = "threads")]
use rayon::{ThreadPool, ThreadPoolBuilder};
#[cfg(feature = "programs")]
use sysinfo::System;
use thiserror::Error;

/// The machine does not give what a search needs.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ResourceError {
    /// A thread could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// There is no memory for a table.
    #[error(transparent)]
    Table(#[from] TableMemoryError),
}

/// The memory for a table of this many megabytes could not be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("no memory for a table of {0} MB")]
pub struct TableMemoryError(pub usize);

/// The machine does not give the threads.
#[derive(Debug, Error)]
#[error("cannot start {threads} threads: {reason}")]
pub struct ThreadsError {
    pub threads: usize,
    pub reason: String,
}

/// The stack of a thread that counts or learns: a thread that waits for another
/// takes up work of others meanwhile, on top of its own.
#[cfg(feature = "threads")]
const POOL_STACK_BYTES: usize = 4 << 20;

/// Megabytes that a machine is taken to have when it does not tell.
const ASSUMED_MEGABYTES: usize = 1024;

/// Megabytes of memory that this process could ever have: the machine's, or less where a
/// container limits it; a modest number where nobody tells.
pub fn megabytes_of_memory() -> usize {
    #[cfg(feature = "programs")]
    {
        const BYTES_PER_MEGABYTE: u64 = 1 << 20;
        static MEGABYTES: Lazy<usize> = Lazy::new(|| {
            let megabytes = System::new().map_or(0, |mut system| {
                system.refresh_memory();
                let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory);
                (system.total_memory().min(limit) / BYTES_PER_MEGABYTE) as usize
            });
            if megabytes > 0 { megabytes } else { ASSUMED_MEGABYTES }
        });
        *MEGABYTES
    }
    #[cfg(not(feature = "programs"))]
    ASSUMED_MEGABYTES
}

/// How many cores this process may use, as far as the system tells when it is first asked;
/// without the feature `threads`, the one that the caller runs on.
pub fn cores() -> usize {
    #[cfg(feature = "threads")]
    {
        // Every search asks, and the system reads files of the container's limits to answer.
        static CORES: Lazy<usize> =
            Lazy::new(|| std::thread::available_parallelism().map_or(1, usize::from));
        *CORES
    }
    #[cfg(not(feature = "threads"))]
    1
}

/// Starts threads that share work out among themselves.
///
/// # Errors
/// When the system refuses.
#[cfg(feature = "threads")]
pub fn thread_pool(threads: usize) -> Result<ThreadPool, ThreadsError> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(POOL_STACK_BYTES)
        .thread_name(|index| format!("worker {index}"))
        .build()
        .map_err(|error| ThreadsError { threads, reason: error.to_string() })
}

/// Has large memory that is freed given back to the system at once. Without it glibc learns
/// from each large table that is freed to keep the next ones, in a heap for each thread:
/// after 100 analyses 300 MB stayed with the board, now 22.
#[cfg(all(target_os = "linux", target_env = "gnu", feature = "programs"))]
#[expect(unsafe_code, reason = "no safe interface to mallopt; worth hundreds of megabytes")]
pub fn give_back_large_memory() {
    const LARGE: libc::c_int = 1 << 20;
    // SAFETY: this sets a parameter of the allocator, under its own lock, and touches no
    // memory that is allocated.
    let is_set = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
    if is_set == 0 {
        log::debug!("the allocator keeps large memory");
    }
}

/// Other allocators do so by themselves.
#[cfg(all(not(all(target_os = "linux", target_env = "gnu")), feature = "programs"))]
pub fn give_back_large_memory() {}

/// Advises the system to keep a large table in pages of two megabytes instead of four
/// kilobytes. A search jumps about in its tables, and with small pages nearly every jump also
/// misses the processor's cache of page addresses. Measured with a 64 MB table, from the start
/// position: 1.11 times the nodes per second. A system that cannot leaves everything as it is.
#[cfg(all(target_os = "linux", feature = "huge-pages"))]
#[expect(unsafe_code, reason = "no safe interface to madvise; worth 11 % of the speed")]
pub fn prefer_huge_pages<T>(table: &[T]) {
    const PAGE: usize = 4096;
    let bytes = table.as_ptr_range();
    let start = (bytes.start as usize).next_multiple_of(PAGE);
    let length = (bytes.end as usize).saturating_sub(start) / PAGE * PAGE;
    if length == 0 {
        return;
    }
    // SAFETY: the range lies within `table`, rounded inwards to whole pages,
    // and this advice changes neither what the memory holds nor who may touch
    // it: it only lets the kernel map it differently.
    let result = unsafe { libc::madvise(start as *mut libc::c_void, length, libc::MADV_HUGEPAGE) };
    if result != 0 {
        log::debug!("no huge pages: {}", std::io::Error::last_os_error());
    }
}

#[cfg(not(all(target_os = "linux", feature = "huge-pages")))]
pub fn prefer_huge_pages<T>(_: &[T]) {}
