//! The machine's resources: cores, threads and memory.

#[cfg(feature = "threads")]
use once_cell::sync::Lazy;
#[cfg(feature = "threads")]
pub use rayon::ThreadPool;
#[cfg(feature = "threads")]
use rayon::ThreadPoolBuilder;
#[cfg(feature = "programs")]
use sysinfo::{CpuRefreshKind, System};
use thiserror::Error;

/// The machine lacks the resources for a search.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ResourceError {
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    #[error(transparent)]
    Table(#[from] TableMemoryError),
}

/// There is no memory for a table of this many megabytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("no memory for a table of {0} MB")]
pub struct TableMemoryError(pub usize);

#[derive(Debug, Error)]
#[error("cannot start {threads} threads: {reason}")]
pub struct ThreadsError {
    pub threads: usize,
    pub reason: String,
}

/// The stack of a pool thread, which runs other tasks on top of its own while it waits.
#[cfg(feature = "threads")]
const POOL_STACK_BYTES: usize = 4 << 20;

const ASSUMED_MEGABYTES: usize = 1024;

/// Megabytes of memory of the machine or the container; a modest default if unknown.
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

/// The processor as it names itself, how many cores this process may use, and the system.
#[cfg(feature = "programs")]
pub fn machine_name() -> String {
    let mut system = System::new().ok();
    let processor = system.as_mut().and_then(|system| {
        system.refresh_cpu_list(CpuRefreshKind::nothing());
        system.cpus().first().map(|processor| processor.brand().trim())
    });
    let processor = processor.filter(|name| !name.is_empty()).unwrap_or("unknown processor");
    format!("{processor}, {} cores, {} {}", cores(), std::env::consts::ARCH, std::env::consts::OS)
}

/// How many cores this process may use; one without the feature `threads`.
pub fn cores() -> usize {
    #[cfg(feature = "threads")]
    {
        // Cached: every search needs it, and the system reads the container's limits from files.
        static CORES: Lazy<usize> =
            Lazy::new(|| std::thread::available_parallelism().map_or(1, usize::from));
        *CORES
    }
    #[cfg(not(feature = "threads"))]
    1
}

#[cfg(feature = "threads")]
pub fn thread_pool(threads: usize) -> Result<ThreadPool, ThreadsError> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(POOL_STACK_BYTES)
        .thread_name(|index| format!("worker {index}"))
        .build()
        .map_err(|error| ThreadsError { threads, reason: error.to_string() })
}

/// Makes the allocator return large freed blocks to the system at once. Otherwise glibc raises its
/// threshold with each large table freed, and keeps the next ones in per-thread heaps:
/// `qirkat board` held 300 MB after 100 analyses, and 22 MB with this.
#[cfg(all(target_os = "linux", target_env = "gnu", feature = "programs"))]
#[expect(unsafe_code, reason = "no safe interface to mallopt; worth hundreds of megabytes")]
pub fn release_large_blocks() {
    const LARGE: libc::c_int = 1 << 20;
    // SAFETY: this sets a parameter of the allocator, under its own lock, and touches no
    // memory that is allocated.
    let is_set = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
    if is_set == 0 {
        log::debug!("the allocator keeps large memory");
    }
}

/// Other allocators do this by default.
#[cfg(all(not(all(target_os = "linux", target_env = "gnu")), feature = "programs"))]
pub fn release_large_blocks() {}

/// Advises the system to keep a large table in pages of 2 MB instead of 4 KB. A search accesses its
/// tables at random, and with small pages nearly every access also misses the TLB. Measured with a
/// 64 MB table, from the start position: 1.11 times the nodes per second.
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
