//! Memory and time of an engine's processes, from Linux' `/proc`.

use std::time::Duration;

/// Memory and time of a process group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Usage {
    pub names: Vec<String>,
    /// Memory in bytes.
    pub memory: u64,
    /// Processor time so far.
    pub time: Duration,
}

/// Memory and time of the processes of a group together; none on other systems.
#[cfg(target_os = "linux")]
pub(super) fn usage(group: u32) -> Option<Usage> {
    let mut usage = Usage::default();
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let is_process = entry.file_name().to_string_lossy().bytes().all(|b| b.is_ascii_digit());
        if !is_process {
            continue;
        }
        // A process may end while it is looked at.
        let Ok(line) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        if let Some((name, memory, time)) = of_group(&line, group) {
            usage.names.push(name.to_owned());
            usage.memory += memory;
            usage.time += time;
        }
    }
    Some(usage)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn usage(_: u32) -> Option<Usage> {
    None
}

/// Name, memory and time of a process of this group that has not ended, from
/// its line in `/proc/PID/stat`; the fields are described in proc(5).
#[cfg(target_os = "linux")]
fn of_group(line: &str, group: u32) -> Option<(&str, u64, Duration)> {
    const STATE: usize = 3;
    const GROUP: usize = 5;
    const USER_TIME: usize = 14;
    const SYSTEM_TIME: usize = 15;
    const RESIDENT_PAGES: usize = 24;
    // The name, in brackets, may hold blanks and brackets itself.
    let (front, back) = line.rsplit_once(')')?;
    let name = front.split_once('(')?.1;
    let fields: Vec<&str> = back.split_ascii_whitespace().collect();
    let field = |number: usize| fields.get(number - STATE).copied();
    let number = |place: usize| field(place)?.parse::<u64>().ok();
    let has_ended = matches!(field(STATE)?, "Z" | "X");
    if has_ended || number(GROUP)? != u64::from(group) {
        return None;
    }
    let ticks = number(USER_TIME)? + number(SYSTEM_TIME)?;
    let seconds = ticks as f64 / rustix::param::clock_ticks_per_second() as f64;
    let memory = number(RESIDENT_PAGES)? * rustix::param::page_size() as u64;
    Some((name, memory, Duration::from_secs_f64(seconds)))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read() {
        let line = "71 (odd) name) S 1 70 70 0 -1 4194560 1 2 3 4 100 50 0 0 20 0 1 0 9 1000 25 1";
        let (name, memory, time) = of_group(line, 70).expect("it is of the group");
        assert_eq!(name, "odd) name");
        assert_eq!(memory, 25 * rustix::param::page_size() as u64);
        assert!(time > Duration::ZERO);
        assert_eq!(of_group(line, 71), None);
        assert_eq!(of_group(&line.replace(" S ", " Z "), 70), None);
        assert_eq!(of_group("nonsense", 70), None);
    }
}
