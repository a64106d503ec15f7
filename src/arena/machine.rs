//! The machine that engines run on: cores for each game, resource use of processes, and whether the
//! load is too high for fair clocks.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

const MAX_CORES: usize = 1024;

/// Parses a list such as `0,2,4-7`, without duplicates.
fn read_list(text: &str) -> Option<Vec<usize>> {
    let mut cores = Vec::new();
    for part in text.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.trim().parse::<usize>().ok()?, last.trim().parse().ok()?);
        if first > last || last >= MAX_CORES {
            return None;
        }
        cores.extend((first..=last).filter(|core| !cores.contains(core)).collect::<Vec<_>>());
    }
    Some(cores)
}

/// The listed cores; if the list is empty, all usable ones: first one hardware thread of each core,
/// then the others.
///
/// # Errors
/// If the list is malformed or names a core that cannot be used here, and on systems other than
/// Linux.
pub fn cores(list: &str) -> Result<Vec<usize>, String> {
    let usable = system::usable()
        .map_err(|error| format!("binding engines to cores is not supported here: {error}"))?;
    if list.trim().is_empty() {
        return Ok(one_thread_of_each_first(usable, system::siblings));
    }
    let wanted = read_list(list)
        .ok_or_else(|| format!("`{list}` is not a list of cores such as 0,2,4-7"))?;
    if let Some(&core) = wanted.iter().find(|core| !usable.contains(core)) {
        let usable = usable.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        return Err(format!("core {core} cannot be used here, only {usable}"));
    }
    Ok(wanted)
}

/// Orders hardware threads so that each physical core is used once before any is used twice.
fn one_thread_of_each_first(
    cores: Vec<usize>,
    siblings: impl Fn(usize) -> Option<String>,
) -> Vec<usize> {
    let mut firsts = Vec::new();
    let mut seconds = Vec::new();
    for core in cores {
        let twins = siblings(core).and_then(|list| read_list(&list)).unwrap_or_default();
        let list =
            if twins.iter().any(|twin| firsts.contains(twin)) { &mut seconds } else { &mut firsts };
        list.push(core);
    }
    firsts.append(&mut seconds);
    firsts
}

/// Cores assigned to games; by default none, and the system schedules engines freely.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CoreShares {
    pub cores: Vec<usize>,
    /// Cores per game.
    pub each: usize,
}

impl CoreShares {
    /// The cores for one of several concurrent games. Cores are reused if there are too few.
    pub(crate) fn of_game(&self, game: usize) -> Vec<usize> {
        let all = self.cores.len();
        let first = game.saturating_mul(self.each) % all.max(1);
        self.cores.iter().cycle().skip(first).take(self.each.min(all)).copied().collect()
    }
}

/// Runs `start` with this thread bound to these cores, if any; child processes inherit that.
pub(crate) fn bound_to<T>(cores: &[usize], start: impl FnOnce() -> T) -> io::Result<T> {
    if cores.is_empty() { Ok(start()) } else { system::bound_to(cores, start) }
}

#[cfg(target_os = "linux")]
mod system {
    use std::io;

    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    pub fn usable() -> io::Result<Vec<usize>> {
        let set = sched_getaffinity(None)?;
        Ok((0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect())
    }

    /// The hardware threads of the same physical core, this one included.
    pub fn siblings(core: usize) -> Option<String> {
        let path = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        std::fs::read_to_string(path).ok()
    }

    pub fn bound_to<T>(cores: &[usize], start: impl FnOnce() -> T) -> io::Result<T> {
        let before = sched_getaffinity(None)?;
        let mut set = CpuSet::new();
        for &core in cores.iter().filter(|&&core| core < CpuSet::MAX_CPU) {
            set.set(core);
        }
        sched_setaffinity(None, &set)?;
        let outcome = start();
        sched_setaffinity(None, &before)?;
        Ok(outcome)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;

    fn unsupported() -> io::Error {
        io::Error::new(io::ErrorKind::Unsupported, "only on Linux")
    }

    pub fn usable() -> io::Result<Vec<usize>> {
        Err(unsupported())
    }

    pub fn siblings(_: usize) -> Option<String> {
        None
    }

    pub fn bound_to<T>(_: &[usize], _: impl FnOnce() -> T) -> io::Result<T> {
        Err(unsupported())
    }
}

#[derive(Debug, Default)]
pub(crate) struct CoreWaits {
    /// Each thread's waiting time at the last call.
    known: BTreeMap<u32, Duration>,
}

impl CoreWaits {
    /// The longest time that a thread of the process was ready but not running since the last call.
    /// `None` if the system does not report it.
    pub fn longest(&mut self, process: u32) -> Option<Duration> {
        let now = waits(process)?;
        let before = |thread| self.known.get(thread).copied().unwrap_or_default();
        let since = now.iter().map(|(thread, wait)| wait.saturating_sub(before(thread)));
        let longest = since.max().unwrap_or_default();
        self.known = now;
        Some(longest)
    }
}

const MAX_THREADS: usize = 64;

/// How long each thread of a process has waited for a core, from Linux's `/proc`; `None` elsewhere.
fn waits(process: u32) -> Option<BTreeMap<u32, Duration>> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let wait = |thread: std::fs::DirEntry| {
        let number = thread.file_name().to_str()?.parse().ok()?;
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        // The fields: nanoseconds running, nanoseconds waiting, time slices.
        let waited = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
        Some((number, Duration::from_nanos(waited)))
    };
    Some(threads.flatten().take(MAX_THREADS).filter_map(wait).collect())
}

const SLEEP_TIME: Duration = Duration::from_millis(10);
/// Smaller delays are not recorded.
const MIN_RECORDED: Duration = Duration::from_millis(2);
const MAX_RECORDED: usize = 4096;

/// Measures the delays of a thread that sleeps repeatedly, to detect a busy machine.
#[derive(Debug, Default)]
pub struct WakeupMonitor(Mutex<Delays>);

#[derive(Debug, Default)]
struct Delays {
    worst: Duration,
    /// When the thread woke up late, and by how much.
    late: VecDeque<(Instant, Duration)>,
    asleep: Option<Instant>,
}

impl WakeupMonitor {
    pub(crate) fn watch(&self, is_over: &AtomicBool) {
        while !is_over.load(Ordering::Relaxed) {
            let start = Instant::now();
            self.0.lock().asleep = Some(start);
            std::thread::sleep(SLEEP_TIME);
            let now = Instant::now();
            self.record(now, late_by(start, now));
        }
    }

    fn record(&self, now: Instant, late: Duration) {
        let mut delays = self.0.lock();
        delays.asleep = None;
        delays.worst = delays.worst.max(late);
        if late >= MIN_RECORDED {
            if delays.late.len() == MAX_RECORDED {
                delays.late.pop_front();
            }
            delays.late.push_back((now, late));
        }
    }

    pub fn worst(&self) -> Duration {
        self.0.lock().worst
    }

    /// The worst delay since `moment`, including that of a sleep not yet over.
    pub(crate) fn worst_since(&self, moment: Instant, now: Instant) -> Duration {
        let delays = self.0.lock();
        let since = delays.late.iter().rev().take_while(|(woke, _)| *woke >= moment);
        let still_asleep = delays.asleep.map(|start| late_by(start, now));
        since.map(|&(_, late)| late).chain(still_asleep).max().unwrap_or_default()
    }
}

fn late_by(start: Instant, now: Instant) -> Duration {
    now.saturating_duration_since(start).saturating_sub(SLEEP_TIME)
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Usage {
    pub names: Vec<String>,
    pub memory: u64,
    pub time: Duration,
}

/// Total memory and CPU time of a process group; `None` if not on Linux.
#[cfg(target_os = "linux")]
pub(super) fn usage(group: u32) -> Option<Usage> {
    let mut usage = Usage::default();
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let is_process = entry.file_name().to_string_lossy().bytes().all(|b| b.is_ascii_digit());
        if !is_process {
            continue;
        }
        // A process may exit meanwhile.
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

/// Name, memory and CPU time of a running process of this group, from `/proc/PID/stat`: proc(5).
#[cfg(target_os = "linux")]
fn of_group(line: &str, group: u32) -> Option<(&str, u64, Duration)> {
    const STATE: usize = 3;
    const GROUP: usize = 5;
    const USER_TIME: usize = 14;
    const SYSTEM_TIME: usize = 15;
    const RESIDENT_PAGES: usize = 24;
    // The name, in brackets, may itself contain blanks and brackets.
    let (front, back) = line.rsplit_once(')')?;
    let name = front.split_once('(')?.1;
    let fields: Vec<&str> = back.split_ascii_whitespace().collect();
    let field = |number: usize| fields.get(number - STATE).copied();
    let number = |index: usize| field(index)?.parse::<u64>().ok();
    let has_ended = matches!(field(STATE)?, "Z" | "X");
    if has_ended || number(GROUP)? != u64::from(group) {
        return None;
    }
    let ticks = number(USER_TIME)? + number(SYSTEM_TIME)?;
    let seconds = ticks as f64 / rustix::param::clock_ticks_per_second() as f64;
    let memory = number(RESIDENT_PAGES)? * rustix::param::page_size() as u64;
    Some((name, memory, Duration::from_secs_f64(seconds)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cores_are_read() {
        for (text, expected) in [
            ("0", Some(vec![0])),
            ("3,5,7-9,8", Some(vec![3, 5, 7, 8, 9])),
            ("", None),
            ("1,", None),
            ("x", None),
            ("5-3", None),
            ("-1", None),
            ("0-99999999999", None),
        ] {
            assert_eq!(read_list(text), expected, "{text}");
        }
    }

    #[test]
    fn games_get_cores_of_their_own_as_long_as_there_are_some() {
        let twins = |core: usize| Some(format!("{},{}\n", core % 4, core % 4 + 4));
        let cores = one_thread_of_each_first((0..8).collect(), twins);
        assert_eq!(cores, (0..8).collect::<Vec<_>>());
        let neighbours = |core: usize| Some(format!("{}-{}\n", core / 2 * 2, core / 2 * 2 + 1));
        let cores = one_thread_of_each_first((0..6).collect(), neighbours);
        assert_eq!(cores, [0, 2, 4, 1, 3, 5]);
        let shares = CoreShares { cores, each: 2 };
        let of_games: Vec<_> = (0..4).map(|game| shares.of_game(game)).collect();
        assert_eq!(of_games, [[0, 2], [4, 1], [3, 5], [0, 2]]);
        assert_eq!(CoreShares { each: 9, ..shares }.of_game(3), [1, 3, 5, 0, 2, 4]);
        assert_eq!(CoreShares::default().of_game(3), [0_usize; 0]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_started_inherits_the_cores() {
        let usable = cores("").expect("Linux tells");
        let last = *usable.last().expect("a core");
        let allowed = || std::fs::read_to_string("/proc/thread-self/status").expect("a status");
        let line = |text: &str| {
            let line = text.lines().find(|line| line.starts_with("Cpus_allowed_list"));
            line.expect("a line").to_owned()
        };
        let before = line(&allowed());
        let inside = bound_to(&[last], || {
            let child = std::process::Command::new("cat").arg("/proc/self/status").output();
            line(&String::from_utf8_lossy(&child.expect("cat").stdout))
        });
        assert_eq!(inside.expect("bound"), format!("Cpus_allowed_list:\t{last}"));
        assert_eq!(line(&allowed()), before);
    }

    #[test]
    fn the_worst_delay_of_a_time_is_known() {
        let monitor = WakeupMonitor::default();
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let ms = Duration::from_millis;
        for (moment, late) in [(10, 50), (20, 0), (30, 7), (40, 3)] {
            monitor.record(at(moment), ms(late));
        }
        assert_eq!(monitor.worst(), ms(50));
        assert_eq!(monitor.worst_since(start, at(99)), ms(50));
        assert_eq!(monitor.worst_since(at(25), at(99)), ms(7));
        assert_eq!(monitor.worst_since(at(41), at(99)), Duration::ZERO);
        // It went to sleep, and has not woken yet.
        monitor.0.lock().asleep = Some(at(42));
        assert_eq!(monitor.worst_since(at(41), at(50)), Duration::ZERO);
        assert_eq!(monitor.worst_since(at(41), at(60)), ms(8));
        for moment in 50..50 + 2 * MAX_RECORDED as u64 {
            monitor.record(at(moment), ms(5));
        }
        let remembered = monitor.0.lock().late.len();
        assert_eq!(remembered, MAX_RECORDED);
    }

    #[cfg(target_os = "linux")]
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
