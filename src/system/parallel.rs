//! Parallel loops, on the threads of the current rayon pool.
//!
//! All use [`for_each`]: rayon's splitting is generic and large, and would be compiled for each
//! loop. So a task is a `dyn Fn`, and its result goes through an uncontended mutex. That takes a
//! few nanoseconds; a task should take longer.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Calls `task` with each index below `count`.
pub fn for_each(count: usize, task: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_max_len(1).for_each(task);
}

/// Calls `task` with each item and its index, `grain` items at a time on one thread.
pub fn for_each_mut<T: Send>(items: &mut [T], grain: usize, task: &(dyn Fn(usize, &mut T) + Sync)) {
    let grain = grain.max(1);
    let parts: Vec<Mutex<&mut [T]>> = items.chunks_mut(grain).map(Mutex::new).collect();
    for_each(parts.len(), &|part| {
        let mut items = parts[part].lock().unwrap_or_else(PoisonError::into_inner);
        for (item, index) in items.iter_mut().zip(part * grain..) {
            task(index, item);
        }
    });
}

/// The results of `task` for each index below `count`, in order.
pub fn map<T: Send>(count: usize, task: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let mut results: Vec<Option<T>> = (0..count).map(|_| None).collect();
    for_each_mut(&mut results, 1, &|index, result| *result = Some(task(index)));
    results.into_iter().flatten().collect()
}

/// The results of `task` for ranges of `grain` indices below `count`, in order.
pub fn map_ranges<T: Send>(
    count: usize,
    grain: usize,
    task: &(dyn Fn(Range<usize>) -> T + Sync),
) -> Vec<T> {
    let grain = grain.max(1);
    map(count.div_ceil(grain), &|part| {
        task(part * grain..count.min(part.saturating_add(1).saturating_mul(grain)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order() {
        for count in [0, 1, 2, 7, 1000] {
            let squares: Vec<usize> = (0..count).map(|index| index * index).collect();
            assert_eq!(map(count, &|index| index * index), squares);
            for grain in [1, 3, 64] {
                let mut items = vec![0; count];
                for_each_mut(&mut items, grain, &|index, item| *item += index * index);
                assert_eq!(items, squares, "{grain}");
                let ranges = map_ranges(count, grain, &|range| squares[range].to_vec());
                assert_eq!(ranges.len(), count.div_ceil(grain));
                assert_eq!(ranges.concat(), squares, "{grain}");
            }
        }
    }
}
