//! How much memory the machine has.

use once_cell::sync::Lazy;
use sysinfo::System;

/// Assumed where the system does not tell.
const ASSUMED_MEGABYTES: usize = 1024;
const BYTES_PER_MEGABYTE: u64 = 1 << 20;

/// Megabytes of memory that this process could ever have: the machine's, or
/// less where a container limits it.
pub static MEGABYTES_OF_MEMORY: Lazy<usize> = Lazy::new(|| {
    let megabytes = System::new().map_or(0, |mut system| {
        system.refresh_memory();
        let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory);
        (system.total_memory().min(limit) / BYTES_PER_MEGABYTE) as usize
    });
    if megabytes > 0 { megabytes } else { ASSUMED_MEGABYTES }
});
