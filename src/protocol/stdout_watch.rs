//! Whether anybody still reads what the program writes.

/// Ends the program quietly once nobody reads its standard output any more, as
/// when the GUI has died but something else keeps the input open. An idle engine
/// writes nothing, so it would not find out by itself.
#[cfg(unix)]
pub(super) fn end_when_gone() {
    let started = std::thread::Builder::new().name("reader watch".to_owned()).spawn(|| {
        if wait_until_gone() {
            log::info!("nobody reads the output any more: the program ends");
            std::process::exit(0);
        }
    });
    if let Err(error) = started {
        log::warn!("the output is not watched: {error}");
    }
}

/// Elsewhere a closed output is noticed with the next line written.
#[cfg(not(unix))]
pub(super) fn end_when_gone() {}

/// Sleeps until nobody reads the output; no if the system cannot tell.
#[cfg(unix)]
fn wait_until_gone() -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;

    let output = rustix::stdio::stdout();
    // What is not asked for is told too: a broken pipe, a line hung up.
    let mut watched = [PollFd::new(&output, PollFlags::empty())];
    loop {
        match poll(&mut watched, None) {
            Ok(_) => return watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP),
            Err(Errno::INTR) => {}
            Err(error) => {
                log::debug!("the output cannot be watched: {error}");
                return false;
            }
        }
    }
}
