//! Loops whose turns are shared out among the threads of the current rayon pool.
//!
//! All of them come down to one: how rayon splits work is generic and large, and would be
//! compiled for each loop by itself. So a turn comes as a `dyn Fn` and puts what it makes
//! into a place of its own behind a lock that nobody else wants. That takes some
//! nanoseconds; a turn should take more.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// What `turn` makes of each number below `count`, in order.
pub fn map<T: Send>(count: usize, turn: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let places: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    for_each(count, &|number| {
        let made = turn(number);
        *places[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(made);
    });
    let places = places.into_iter();
    places.filter_map(|it| it.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

/// Gives each item and its number to `turn`. Threads take `grain` items at a time.
pub fn for_each_mut<T: Send>(items: &mut [T], grain: usize, turn: &(dyn Fn(usize, &mut T) + Sync)) {
    let parts: Vec<Mutex<&mut [T]>> = items.chunks_mut(grain).map(Mutex::new).collect();
    for_each(parts.len(), &|part| {
        let mut items = parts[part].lock().unwrap_or_else(PoisonError::into_inner);
        for (item, number) in items.iter_mut().zip(part * grain..) {
            turn(number, item);
        }
    });
}

/// Gives each number below `count` to `turn`.
pub fn for_each(count: usize, turn: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_max_len(1).for_each(turn);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_turn_in_its_place() {
        for count in [0, 1, 2, 7, 1000] {
            let squares: Vec<usize> = (0..count).map(|number| number * number).collect();
            assert_eq!(map(count, &|number| number * number), squares);
            for grain in [1, 3, 64] {
                let mut items = vec![0; count];
                for_each_mut(&mut items, grain, &|number, item| *item += number * number);
                assert_eq!(items, squares, "{grain}");
            }
        }
    }
}
