//! Core affinity: the engines of each game run on cores of their own.

use std::io;

use thiserror::Error;

/// A text that is no list of cores.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CoreListError {
    /// It cannot be read.
    #[error("`{0}` is not a list of cores such as 0,2,4-7")]
    Text(String),
    /// A core of the list cannot be used here.
    #[error("core {core} cannot be used here, only {usable}")]
    Unusable {
        core: usize,
        /// Those that can be used.
        usable: String,
    },
    /// The system does not tell or take it.
    #[error("binding engines to cores is not supported here: {0}")]
    System(String),
}

/// More cores than this no list names.
const MOST_CORES: usize = 1024;

/// Reads a list such as `0,2,4-7`, each core once.
fn read_list(text: &str) -> Option<Vec<usize>> {
    let mut cores = Vec::new();
    for part in text.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.trim().parse::<usize>().ok()?, last.trim().parse().ok()?);
        if first > last || last >= MOST_CORES {
            return None;
        }
        cores.extend((first..=last).filter(|core| !cores.contains(core)).collect::<Vec<_>>());
    }
    Some(cores)
}

/// The cores of a list, or if it is empty all that this process may use:
/// first one thread of each core, then the second threads.
///
/// # Errors
/// When the text is no list, a core is not there, or the system has no way to
/// bind a process to cores.
pub fn cores(list: &str) -> Result<Vec<usize>, CoreListError> {
    let usable = system::usable().map_err(|error| CoreListError::System(error.to_string()))?;
    if list.trim().is_empty() {
        return Ok(one_thread_of_each_first(usable, system::siblings));
    }
    let wanted = read_list(list).ok_or_else(|| CoreListError::Text(list.to_owned()))?;
    if let Some(&core) = wanted.iter().find(|core| !usable.contains(core)) {
        let usable = usable.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        return Err(CoreListError::Unusable { core, usable });
    }
    Ok(wanted)
}

/// Orders cores so that none shares its silicon with an earlier one as long
/// as there are others.
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

/// Cores that are shared out to games; by default there are none, and engines
/// run where the system puts them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CoreShares {
    pub cores: Vec<usize>,
    /// The number of cores for each game.
    pub each: usize,
}

impl CoreShares {
    /// The cores for one of several games at a time. When they do not suffice,
    /// some are given again.
    pub(crate) fn of_game(&self, game: usize) -> Vec<usize> {
        let all = self.cores.len();
        let first = game.saturating_mul(self.each) % all.max(1);
        self.cores.iter().cycle().skip(first).take(self.each.min(all)).copied().collect()
    }
}

/// Does something with this thread bound to some cores; what it starts
/// inherits that. Nothing is bound when there are none.
///
/// # Errors
/// When the system does not let it.
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

    /// The threads that share a core with this one, itself included.
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
}
