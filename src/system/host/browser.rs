//! The interface between the WebAssembly module and JavaScript (`board/page/site/alone/engine.js`).
//!
//! JavaScript writes a function's name and a message into [`buffer`]s and calls the module's only
//! `call`, which reads them here. The module calls JavaScript by name, too.

#![allow(unsafe_code, reason = "names and functions that JavaScript knows are foreign")]

use std::cell::RefCell;
use std::ops::Add;
use std::panic;
use std::time::Duration;

// SAFETY: each function only reads the texts of the given lengths while it is called, and
// calls nothing of this module.
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since 1970; monotonic.
    safe fn now() -> f64;
    /// The date as a number: 20261231.
    safe fn date() -> u32;
    /// 32 random bits.
    safe fn chance() -> u32;
    /// Whether the current search should stop.
    safe fn stops() -> u32;
    /// Calls a JavaScript function by name, with a text and a number.
    safe fn tell(name: *const u8, name_length: usize, text: *const u8, length: usize, number: u32);
}

thread_local! {
    static BUFFERS: RefCell<[Vec<u8>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
}

/// Allocates the buffer for the next call's function name (0) or message (1).
#[unsafe(no_mangle)]
pub extern "C" fn buffer(which: usize, length: usize) -> *mut u8 {
    BUFFERS.with_borrow_mut(|buffers| {
        let buffer = &mut buffers[which.min(1)];
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The name of the function that JavaScript calls.
pub fn called_name() -> String {
    text_of(BUFFERS.with_borrow_mut(|[name, _]| std::mem::take(name)))
}

/// The message of the call.
pub fn message_bytes() -> Vec<u8> {
    BUFFERS.with_borrow_mut(|[_, message]| std::mem::take(message))
}

/// The message as text.
pub fn message() -> String {
    text_of(message_bytes())
}

/// Calls a JavaScript function, if there is one with this name.
pub fn call_javascript(name: &str, text: &str, number: u32) {
    tell(name.as_ptr(), name.len(), text.as_ptr(), text.len(), number);
}

/// Reports to JavaScript why the module fails.
pub fn break_down(why: &str) {
    call_javascript("brokeDown", why, 0);
}

/// Reports panics to JavaScript from now on.
pub fn tell_panics() {
    panic::set_hook(Box::new(|info| break_down(&info.to_string())));
}

/// Whether the current search should stop.
pub fn is_stopped() -> bool {
    stops() != 0
}

/// A replacement for [`std::time::Instant`], which does not work in a browser.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instant(Duration);

impl Instant {
    pub fn now() -> Instant {
        Instant(Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default())
    }

    pub fn elapsed(&self) -> Duration {
        Instant::now().saturating_duration_since(*self)
    }

    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    pub fn checked_add(&self, time: Duration) -> Option<Instant> {
        self.0.checked_add(time).map(Instant)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, time: Duration) -> Instant {
        Instant(self.0.saturating_add(time))
    }
}

/// The date in PGN format.
pub fn today() -> String {
    let date = date();
    format!("{:04}.{:02}.{:02}", date / 10_000, date / 100 % 100, date % 100)
}

pub fn since_1970() -> Duration {
    Instant::now().0
}

/// A random number.
pub fn random() -> u64 {
    u64::from(chance()) << 32 | u64::from(chance())
}
