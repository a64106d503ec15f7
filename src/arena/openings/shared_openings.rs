//! The openings of a tournament, each made once although several games begin
//! from it.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::opening_book::OpeningBook;
use super::{Opening, OpeningError};

/// Openings that are kept for the next game from them. The games of a pair
/// follow each other, so few are needed at a time.
const KEPT: usize = 1024;

/// A place for one opening. The first thread that needs it makes it, others wait.
type Place = Arc<Mutex<Option<Arc<Opening>>>>;

/// A book whose openings are shared by the games that begin from them: to find a
/// balanced random opening takes many searches.
pub struct SharedOpenings {
    book: OpeningBook,
    places: Mutex<BTreeMap<usize, Place>>,
}

impl SharedOpenings {
    pub fn new(book: OpeningBook) -> SharedOpenings {
        SharedOpenings { book, places: Mutex::default() }
    }

    /// How many there are; none for random ones, which do not end.
    pub fn count(&self) -> Option<usize> {
        self.book.count()
    }

    /// The opening of this number.
    ///
    /// # Errors
    /// When no balanced random opening is found.
    pub fn opening(&self, number: usize) -> Result<Arc<Opening>, OpeningError> {
        let place = self.place(number);
        let mut made = place.lock();
        if let Some(opening) = &*made {
            return Ok(Arc::clone(opening));
        }
        let opening = Arc::new(self.book.opening(number)?);
        *made = Some(Arc::clone(&opening));
        Ok(opening)
    }

    fn place(&self, number: usize) -> Place {
        let mut places = self.places.lock();
        let place = Arc::clone(places.entry(number).or_default());
        if places.len() > KEPT {
            // Games are played in the order of their openings.
            places.pop_first();
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RandomOpenings, Weighers};
    use qirkat_evaluation::Evaluation;

    fn random() -> OpeningBook {
        OpeningBook::Random(RandomOpenings {
            plies: 6,
            balance: 100,
            nodes: 200,
            evaluation: Evaluation::Material.into(),
            seed: 4,
            weighers: Weighers::default(),
        })
    }

    #[test]
    fn the_games_of_a_pair_share_one_opening() {
        let shared = SharedOpenings::new(random());
        let ask = || shared.opening(7).expect("one is found");
        let (one, other) = std::thread::scope(|scope| {
            let other = scope.spawn(ask);
            (ask(), other.join().expect("no panic"))
        });
        assert!(Arc::ptr_eq(&one, &other) && Arc::ptr_eq(&one, &ask()));
        assert_eq!(*one, random().opening(7).expect("one is found"));
        assert!(!Arc::ptr_eq(&one, &shared.opening(8).expect("one is found")));
    }

    #[test]
    fn no_more_openings_are_kept_than_are_needed() {
        let start = qirkat_rules::variant::Variant::default().start();
        let list = vec![Opening { start, moves: Vec::new() }];
        let shared = SharedOpenings::new(OpeningBook::List(list));
        for number in 0..2 * KEPT {
            assert_eq!(shared.opening(number).expect("it is listed").start, start);
        }
        assert_eq!(shared.places.lock().len(), KEPT);
    }
}
