//! A search on the caller's thread alone: what stands for `helpers` without the feature
//! `threads`.

use qirkat_system::machine::ThreadsError;

/// There will be one thread, however many are wanted.
pub(super) fn reserve(_wanted: usize) -> Result<usize, ThreadsError> {
    Ok(1)
}

/// Does something to each item.
pub(super) fn for_each<T>(items: &[T], work: &dyn Fn(&T)) {
    items.iter().for_each(work);
}

/// There is nobody to give way to.
pub(super) fn give_way() {}

/// Runs `first`; there are no others.
pub(super) fn run_together<R>(
    _threads: usize,
    first: impl FnOnce() -> R,
    _helper: &impl Fn(usize) -> R,
    _is_over: &impl Fn() -> bool,
) -> Vec<R> {
    vec![first()]
}
