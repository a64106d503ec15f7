//! Memory in pages of two megabytes instead of four kilobytes.
//!
//! A search jumps about in its tables, and with small pages nearly every jump
//! also misses the processor's cache of page addresses. Measured with a 64 MB
//! table, from the start position: 1.11 times the nodes per second.

/// Advises the system to keep a large table in huge pages. A system that cannot
/// leaves everything as it is.
#[cfg(all(target_os = "linux", feature = "huge-pages"))]
#[expect(unsafe_code, reason = "no safe interface to madvise; worth 11 % of the speed")]
pub(super) fn prefer<T>(table: &[T]) {
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

/// Elsewhere nothing is asked for.
#[cfg(not(all(target_os = "linux", feature = "huge-pages")))]
pub(super) fn prefer<T>(_: &[T]) {}
