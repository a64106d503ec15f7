//! Threads that work together. Without the feature `threads` there is only the caller's.

/// Hands each helper to a thread of its own, the first to the caller's, and waits for all.
#[cfg(feature = "threads")]
pub(super) fn on_all<T: Send>(helpers: &mut [T], work: &(impl Fn(&mut T) + Sync)) {
    let Some((first, others)) = helpers.split_first_mut() else { return };
    std::thread::scope(|scope| {
        for (number, helper) in others.iter_mut().enumerate() {
            let builder = std::thread::Builder::new().name(format!("prover {}", number + 2));
            // With fewer threads it takes longer: the work is taken in turn.
            if let Err(error) = builder.spawn_scoped(scope, move || work(helper)) {
                log::warn!("a thread is missing: {error}");
            }
        }
        work(first);
    });
}

/// Lets the first helper do the work.
#[cfg(not(feature = "threads"))]
pub(super) fn on_all<T: Send>(helpers: &mut [T], work: &(impl Fn(&mut T) + Sync)) {
    if let Some(first) = helpers.first_mut() {
        work(first);
    }
}
