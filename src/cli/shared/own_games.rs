//! The options of commands that run self-play for a long time and append results to a file.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::bail;
use clap::Args;

use super::exit_status::Interrupted;
use super::files::AtPath;
use super::options::EvalFile;
use super::terminal::print_message;
use qirkat_game::text::{LONGEST_LINE, counted};
use qirkat_search::MAX_THREADS;
use qirkat_system::machine::cores;

/// How games are played, and whether an earlier run is gone on with.
#[derive(Args)]
pub(crate) struct SelfPlayOptions {
    #[command(flatten)]
    pub eval_file: EvalFile,
    /// Games at a time; all cores when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// Resume the file with the same options, or begin it if it is not there
    #[arg(long)]
    resume: bool,
}

impl SelfPlayOptions {
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }

    /// Whether the output file is to be resumed. Fails if it has content and resuming was not
    /// requested, or if it is not a file.
    pub fn is_continued(&self, output: &Path) -> anyhow::Result<bool> {
        let there = output.metadata().ok();
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            bail!("{} is no regular file", output.display());
        }
        let is_continued = there.is_some_and(|there| there.len() > 0);
        if is_continued && !self.resume {
            bail!("{} exists already; continue it with --resume", output.display());
        }
        Ok(is_continued)
    }
}

pub fn stopped_before(wanted: u64) -> Interrupted {
    Interrupted(format!("stopped before there were {wanted}; continue with --resume"))
}

/// The lines of a result file. An incomplete last line of an interrupted run is cut off.
pub(crate) fn whole_lines(file: &mut File, path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let mut input = BufReader::new(&mut *file);
    loop {
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes).at_path(path)? {
            0 => break,
            read if read as u64 == LONGEST_LINE => bail!("{}: a line is too long", path.display()),
            _ => {}
        }
    }
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if whole < bytes.len() {
        file.set_len(whole as u64).at_path(path)?;
        report_truncation(path, (bytes.len() - whole) as u64, "line");
        bytes.truncate(whole);
    }
    String::from_utf8(bytes).at_path(path)
}

/// Reports how many bytes of an interrupted run were cut off.
pub(crate) fn report_truncation(path: &Path, bytes: u64, part: &str) {
    let unfinished = counted(bytes, "byte");
    print_message(format_args!("{}: cut off {unfinished} of an unfinished {part}", path.display()));
}
