//! Messages between JavaScript and a module of WebAssembly (`page/site/alone/engine.js`). One
//! comes in by [`message_buffer`] and the call that takes it; one goes out as a piece of memory
//! that JavaScript reads while it is called.

#![allow(unsafe_code, reason = "names and functions that JavaScript knows are foreign")]

use std::cell::RefCell;
use std::panic;

// SAFETY: each function only reads the text of the given length while it is called, and
// calls nothing of this module.
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Tells why the module breaks down.
    safe fn broke_down(text: *const u8, length: usize);
}

thread_local! {
    static MESSAGE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for a message of this many bytes, which the next call takes.
#[unsafe(no_mangle)]
pub extern "C" fn message_buffer(length: usize) -> *mut u8 {
    MESSAGE.with_borrow_mut(|message| {
        message.clear();
        message.resize(length, 0);
        message.as_mut_ptr()
    })
}

/// The message that has come in.
pub fn message_bytes() -> Vec<u8> {
    MESSAGE.take()
}

/// The message that has come in, as text.
pub fn message() -> String {
    String::from_utf8(message_bytes())
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Tells JavaScript why the module breaks down.
pub fn break_down(why: &str) {
    broke_down(why.as_ptr(), why.len());
}

/// Panics are told, too, from now on.
pub fn tell_panics() {
    panic::set_hook(Box::new(|info| break_down(&info.to_string())));
}
