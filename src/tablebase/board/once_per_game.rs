//! Values that are computed once for a game, when they are first asked for.

use std::any::Any;

use once_cell::race::OnceBox;

/// Values of any types, told apart by type and number: a list that only grows.
///
/// A generic function cannot have a static for each type that it is compiled for. So each
/// game has one list for all, and whoever wants to keep something needs to tell nobody.
pub struct OncePerGame(OnceBox<Entry>);

struct Entry {
    number: u8,
    value: Box<dyn Any + Send + Sync>,
    next: OncePerGame,
}

impl OncePerGame {
    /// Nothing has been asked for yet.
    pub const fn new() -> OncePerGame {
        OncePerGame(OnceBox::new())
    }

    /// The value of this type and number, which is made if it is asked for the first time.
    /// Threads that ask at once may each make it, but all get the same one.
    #[inline]
    pub fn get<T: Send + Sync + 'static>(
        &'static self,
        number: u8,
        make: impl FnOnce() -> T,
    ) -> &'static T {
        self.find(number).unwrap_or_else(|_| {
            self.append(Entry { number, value: Box::new(make()), next: OncePerGame::new() })
        })
    }

    /// The value of this type and number, or the end of the list.
    #[inline]
    fn find<T: 'static>(&'static self, number: u8) -> Result<&'static T, &'static OncePerGame> {
        let mut at = self;
        while let Some(entry) = at.0.get() {
            if let Some(value) = entry.value.downcast_ref().filter(|_| entry.number == number) {
                return Ok(value);
            }
            at = &entry.next;
        }
        Err(at)
    }

    /// Puts a value at the end, unless there is an equal one by now: other threads append too,
    /// and so may what has made the value.
    #[cold]
    fn append<T: 'static>(&'static self, entry: Entry) -> &'static T {
        let number = entry.number;
        let mut waiting = Some(Box::new(entry));
        loop {
            match self.find(number) {
                Ok(value) => return value,
                Err(end) => {
                    waiting = waiting.take().and_then(|entry| end.0.set(entry).err());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    static ONCE: OncePerGame = OncePerGame::new();

    /// Asks for another value, as what is made of symmetries does.
    fn word() -> &'static String {
        ONCE.get(0, || format!("of {}", small(0)))
    }

    fn small(number: u8) -> &'static u32 {
        ONCE.get(number, || 7 + u32::from(number))
    }

    #[test]
    fn each_type_and_number_has_one_value_whoever_asks_first() {
        let asked: Vec<_> =
            (0..8).map(|_| thread::spawn(|| (word(), small(0), small(1)))).collect();
        for asked in asked {
            let (its_word, first, second) = asked.join().expect("a thread that ended");
            assert_eq!((its_word.as_str(), *first, *second), ("of 7", 7, 8));
            assert!(std::ptr::eq(its_word, word()));
            assert!(std::ptr::eq(first, small(0)) && std::ptr::eq(second, small(1)));
        }
    }
}
