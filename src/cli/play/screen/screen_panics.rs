//! Panics while a screen is shown: what is told of them must not be lost with the screen,
//! and must not be written across it.

use std::panic::PanicHookInfo;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread::{self, ThreadId};

struct Shown {
    /// The thread that draws it. If this one panics, the screen is at its end.
    by: ThreadId,
    /// Makes the terminal what it was.
    give_back: fn(),
    /// The texts of other threads that have panicked.
    untold: Vec<String>,
}

static SHOWN: Mutex<Option<Shown>> = Mutex::new(None);

fn shown() -> MutexGuard<'static, Option<Shown>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The calling thread shows a screen from now on. If it panics, the terminal is given back
/// before that is told; what is told of panics of other threads waits for
/// [`close`].
pub(super) fn open(give_back: fn()) {
    *shown() = Some(Shown { by: thread::current().id(), give_back, untold: Vec::new() });
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if is_to_be_told(panic) {
                tell(panic);
            }
        }));
    });
}

/// The terminal has been given back: tells what had to wait.
pub(super) fn close() {
    let untold = shown().take().map_or_else(Vec::new, |shown| shown.untold);
    for text in untold {
        eprintln!("{text}");
    }
}

/// Whether a panic can be told at once. Gives the terminal back if the screen ends with it.
fn is_to_be_told(panic: &PanicHookInfo<'_>) -> bool {
    let mut shown = shown();
    match shown.as_mut() {
        Some(screen) if screen.by != thread::current().id() => {
            let name = thread::current().name().unwrap_or("?").to_owned();
            screen.untold.push(format!("thread '{name}' {panic}"));
            false
        }
        Some(screen) => {
            (screen.give_back)();
            true
        }
        None => true,
    }
}
