//! The command line that XBoard is started with.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context, bail};

use super::assets::Assets;
use super::{Side, XboardOptions};
use crate::engine::FULL_SKILL;

/// All arguments for XBoard.
///
/// # Errors
/// When the time makes no sense.
pub(super) fn arguments(
    options: &XboardOptions,
    engine: &Path,
    assets: &Assets,
) -> anyhow::Result<Vec<OsString>> {
    let (base, increment) = read_time(&options.time)?;
    let engine = quoted(&engine.to_string_lossy());
    let mut at_file = OsString::from("@");
    at_file.push(&assets.options);
    let mut arguments = vec![at_file];
    let mut add = |words: &[&str]| arguments.extend(words.iter().map(OsString::from));
    add(&["-fcp", &engine, "-tc", &base, "-inc", &increment]);
    add(&["-smpCores", &options.resources.threads.to_string()]);
    add(&["-defaultHashSize", &options.resources.hash.to_string()]);
    add(&["-size", &options.size.to_string()]);
    let settings = engine_settings(options)?;
    if !settings.is_empty() {
        add(&["-firstOptions", &settings]);
    }
    match &options.opponent {
        Some(opponent) => {
            let second = if opponent.is_empty() { &engine } else { opponent };
            add(&["-scp", second, "-mode", "TwoMachines", "-mg", &options.games.to_string()]);
            add(&["-popupExitMessage", "false"]);
        }
        None if options.analyse => add(&["-mode", "Analysis", "-engineOutputUp", "true"]),
        None if options.play == Side::Black => add(&["-mode", "MachineWhite"]),
        // White begins, and the engine answers as soon as a move is made.
        None => {}
    }
    if !has_sound() {
        // XBoard would complain at every move.
        add(&["-soundProgram", ""]);
    }
    if let Some(file) = &options.pgn {
        add(&["-sgf", &file.to_string_lossy()]);
    }
    arguments.extend(options.more.iter().map(OsString::from));
    Ok(arguments)
}

/// The engine's options that XBoard sets at the start.
fn engine_settings(options: &XboardOptions) -> anyhow::Result<String> {
    let mut settings = Vec::new();
    if options.skill < FULL_SKILL {
        settings.push(format!("Skill Level={}", options.skill));
    }
    let eval_file = &options.resources.eval_file;
    if let Some(name) = eval_file.other_than_embedded() {
        // Refused here, where the message is seen.
        eval_file.network()?;
        if name.contains(',') {
            bail!("--eval-file: XBoard takes `{name}` apart at the comma");
        }
        settings.push(format!("EvalFile={name}"));
    }
    Ok(settings.join(","))
}

/// `5`, `5:30` and `5+3` as XBoard's time and increment.
fn read_time(text: &str) -> anyhow::Result<(String, String)> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    let base_is_sound = match base.split_once(':') {
        Some((minutes, seconds)) => is_number(minutes) && is_number(seconds),
        None => is_number(base),
    };
    let seconds: f64 = increment.parse().context("--time: the increment is no number")?;
    if !base_is_sound
        || !(0.0..=3600.0).contains(&seconds)
        || base.trim_matches(['0', ':']).is_empty()
    {
        bail!("--time: `{text}` is not MINUTES, MINUTES:SECONDS or MINUTES+SECONDS");
    }
    Ok((base.to_owned(), increment.to_owned()))
}

/// Whether the program that plays XBoard's sounds is there.
fn has_sound() -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join("aplay").exists())
}

/// A command as XBoard takes it apart.
fn quoted(command: &str) -> String {
    if command.contains(' ') { format!("\"{command}\"") } else { command.to_owned() }
}

/// A command as one would type it in a shell.
pub(super) fn as_typed(program: &str, arguments: &[OsString]) -> String {
    let word = |text: &OsString| {
        let text = text.to_string_lossy();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./@=+:,".contains(c);
        if !text.is_empty() && text.chars().all(plain) {
            text.into_owned()
        } else {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
    };
    let words = std::iter::once(program.to_owned()).chain(arguments.iter().map(word));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_or_refused() {
        for (text, expected) in [
            ("5", Some(("5", "0"))),
            ("5+3", Some(("5", "3"))),
            ("0:30+0.5", Some(("0:30", "0.5"))),
            ("", None),
            ("0", None),
            ("five", None),
            ("5+x", None),
            ("5+-1", None),
            ("1:2:3", None),
        ] {
            let expected = expected.map(|(base, inc)| (base.to_owned(), inc.to_owned()));
            assert_eq!(read_time(text).ok(), expected, "{text}");
        }
    }
}
