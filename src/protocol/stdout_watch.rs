//! Watches for the reader of standard output to go away.

/// Blocks until the reader has closed standard output; `false` if the system cannot report
/// that.
#[cfg(unix)]
pub fn wait_until_closed() -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;

    let output = rustix::stdio::stdout();
    // A broken pipe and a line hung up are reported without being asked for.
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

/// Elsewhere a closed output is noticed with the next line written.
#[cfg(not(unix))]
pub fn wait_until_closed() -> bool {
    false
}
