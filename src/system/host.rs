//! The time, the date and random numbers, from the system or, in WebAssembly, from JavaScript.
//! `browser` also has the calls between the WebAssembly module and JavaScript.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system {
    use std::hash::{BuildHasher, RandomState};
    pub use std::time::Instant;

    /// The date in PGN format; unknown without the feature `programs`.
    pub fn today() -> String {
        #[cfg(feature = "programs")]
        return chrono::Local::now().format("%Y.%m.%d").to_string();
        #[cfg(not(feature = "programs"))]
        "????.??.??".to_owned()
    }

    pub fn unix_time() -> std::time::Duration {
        std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
    }

    /// A random number, from the keys with which the system seeds hashers. That works even if a
    /// statically linked program finds no `/dev/urandom`, as in a bare chroot.
    pub fn random() -> u64 {
        RandomState::new().hash_one(0)
    }
}

/// The WebAssembly module's interface to JavaScript (`board/page/site/alone/wasm_instance.js`).
///
/// JavaScript has [`buffer`] allocate room for a function's name and a message, writes them there and
/// calls the module's function `call`, which reads them here. The module calls JavaScript functions by name, too.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[allow(unsafe_code, reason = "exports to JavaScript and imports from it are unsafe to declare")]
mod browser {
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
        safe fn random_bits() -> u32;
        /// Whether the current search should stop.
        safe fn should_stop() -> u32;
        /// Calls a JavaScript function by name, with a text and a number.
        safe fn call_js(
            name: *const u8,
            name_length: usize,
            text: *const u8,
            length: usize,
            number: u32,
        );
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

    /// The name of the function that JavaScript calls.
    pub fn called_name() -> String {
        BUFFERS.with_borrow_mut(|[name, _]| String::from_utf8_lossy(name).into_owned())
    }

    pub fn message_bytes() -> Vec<u8> {
        BUFFERS.with_borrow_mut(|[_, message]| std::mem::take(message))
    }

    pub fn message() -> String {
        String::from_utf8_lossy(&message_bytes()).into_owned()
    }

    /// Calls a JavaScript function, if there is one with this name.
    pub fn call_javascript(name: &str, text: &str, number: u32) {
        call_js(name.as_ptr(), name.len(), text.as_ptr(), text.len(), number);
    }

    /// Reports to JavaScript why the module failed.
    pub fn report_failure(why: &str) {
        call_javascript("crashed", why, 0);
    }

    /// Reports panics to JavaScript from now on.
    pub fn report_panics() {
        panic::set_hook(Box::new(|info| report_failure(&info.to_string())));
    }

    /// Whether the current search should stop.
    pub fn is_stopped() -> bool {
        should_stop() != 0
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

    pub fn unix_time() -> Duration {
        Instant::now().0
    }

    /// A random number.
    pub fn random() -> u64 {
        u64::from(random_bits()) << 32 | u64::from(random_bits())
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use browser::*;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use system::*;
