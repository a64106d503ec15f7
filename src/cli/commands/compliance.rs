//! `qirkat compliance`: tests whether a UCI engine follows the protocol.

use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write, stdout};
use std::path::PathBuf;

use anyhow::bail;
use clap::builder::TypedValueParser;
use clap::{Args, ValueHint};
use serde::Serialize;

use crate::shared::exit_status::{FaultsFound, Interrupted, interrupt_flag};
use crate::shared::files::AtPath;
use crate::shared::options::named;
use crate::shared::terminal;
use qirkat_arena::compliance::{
    CHECKS, Check, ExamineError, Examiner, MAX_PATIENCE, Report, Verdict,
};
use qirkat_system::output_file::open_exclusive;
use qirkat_system::program::Program;

#[derive(Args)]
pub(super) struct ComplianceOptions {
    /// Run only these checks, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = check_names(), hide_possible_values = true)]
    only: Vec<&'static Check>,
    /// Skip these checks
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = check_names(), hide_possible_values = true)]
    skip: Vec<&'static Check>,
    /// List the checks without running them
    #[arg(long)]
    list: bool,
    /// Multiply all timeouts by this factor
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor)]
    patience: f64,
    /// Append all lines to and from the engine to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print a JSON object for each check and one for the count
    #[arg(long)]
    json: bool,
    /// The engine
    #[arg(value_name = "ENGINE", value_hint = ValueHint::CommandName, required_unless_present = "list")]
    engine: Option<PathBuf>,
    /// Arguments of the engine
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

pub(super) const HELP: &str = "\
Examples:
  All checks; arguments of the engine follow it:
    qirkat compliance ./engine --some-option
  Two checks, with three times the usual patience:
    qirkat compliance --only castling,en-passant --patience 3 ./engine";

pub(super) fn run(options: &ComplianceOptions) -> anyhow::Result<()> {
    let chosen = chosen(options);
    if options.list {
        return list(&chosen, options.json);
    }
    let Some(command) = options.engine.clone() else { bail!("an engine is needed") };
    if chosen.is_empty() {
        bail!("--only and --skip leave no check to run");
    }
    let program = Program { command, arguments: options.arguments.clone(), ..Program::default() };
    let log: Box<dyn Write + Send> = match &options.log {
        Some(path) => {
            let file = open_exclusive(path, OpenOptions::new().create(true).append(true));
            Box::new(BufWriter::new(file.at_path(path)?))
        }
        None => Box::new(io::sink()),
    };
    let mut examiner = Examiner::new(&program, options.patience, interrupt_flag(), log);
    let template = "{bar:30} {pos}/{len} {msg}";
    let bar = terminal::bar_from(template, 0, chosen.len() as u64);
    let print = |text: String| bar.suspend(|| writeln!(stdout(), "{text}"));
    let mut tally = Tally::default();
    let mut result: anyhow::Result<()> = Ok(());
    for check in &chosen {
        bar.set_message(format!("{}: {}", check.name, check.title));
        match examiner.examine(check) {
            Ok(report) => {
                tally.count(&report.verdict);
                let text = if options.json { json_of(&report)? } else { lines_of(&report) };
                print(text)?;
                bar.inc(1);
            }
            Err(error) => {
                let (made, all) = (tally.total(), chosen.len());
                result = Err(match error {
                    ExamineError::NoStart(_) => error.into(),
                    ExamineError::Interrupted => {
                        Interrupted(format!("after {made} of {all} checks: {error}")).into()
                    }
                });
                break;
            }
        }
    }
    bar.finish_and_clear();
    if tally.total() > 0 {
        print(tally_text(tally, examiner.engine_name(), options.json)?)?;
    }
    if let Some(path) = &options.log {
        examiner.finish().at_path(path)?;
    }
    result?;
    FaultsFound::fail_if(tally.failed > 0)
}

fn chosen(options: &ComplianceOptions) -> Vec<&'static Check> {
    let has = |checks: &[&Check], check: &Check| checks.iter().any(|one| one.name == check.name);
    let is_chosen = |check: &&Check| {
        (options.only.is_empty() || has(&options.only, check)) && !has(&options.skip, check)
    };
    CHECKS.iter().filter(is_chosen).collect()
}

fn check_names() -> impl TypedValueParser<Value = &'static Check> {
    let check = |name: &str| {
        let check = CHECKS.iter().find(|check| check.name == name);
        check.ok_or("no such check; --list shows them all")
    };
    named(check, CHECKS.iter().map(|check| check.name))
}

fn factor(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|factor| *factor > 0.0 && *factor <= MAX_PATIENCE);
    factor.ok_or_else(|| format!("not a number above 0 and up to {}", MAX_PATIENCE))
}

fn list(checks: &[&Check], json: bool) -> anyhow::Result<()> {
    for check in checks {
        let Check { name, title, .. } = check;
        if json {
            writeln!(stdout(), "{}", serde_json::to_string(&JsonCheck { name, title })?)?;
        } else {
            writeln!(stdout(), "{name:<NAME_WIDTH$}  {title}")?;
        }
    }
    Ok(())
}

const NAME_WIDTH: usize = 15;

#[derive(Clone, Copy, Default, Serialize)]
struct Tally {
    passed: usize,
    warned: usize,
    failed: usize,
    skipped: usize,
}

impl Tally {
    fn count(&mut self, verdict: &Verdict) {
        *match verdict {
            Verdict::Passed => &mut self.passed,
            Verdict::Warned(_) => &mut self.warned,
            Verdict::Failed(_) => &mut self.failed,
            Verdict::Skipped(_) => &mut self.skipped,
        } += 1;
    }

    /// Checks made so far.
    fn total(&self) -> usize {
        self.passed + self.warned + self.failed + self.skipped
    }
}

#[derive(Serialize)]
struct JsonCheck<'a> {
    name: &'a str,
    title: &'a str,
}

#[derive(Serialize)]
struct JsonReport<'a> {
    #[serde(flatten)]
    check: JsonCheck<'a>,
    verdict: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sent: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    got: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    time_ms: u128,
}

#[derive(Serialize)]
struct JsonTally<'a> {
    engine: Option<&'a str>,
    #[serde(flatten)]
    tally: Tally,
}

fn tally_text(tally: Tally, engine: Option<&str>, json: bool) -> serde_json::Result<String> {
    if json {
        return serde_json::to_string(&JsonTally { engine, tally });
    }
    let Tally { passed, warned, failed, skipped } = tally;
    let name = engine.unwrap_or("The engine");
    let counts = [(failed, "failed"), (warned, "with a warning"), (skipped, "skipped")];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let others: String = counts.map(|(count, word)| format!(", {count} {word}")).collect();
    Ok(format!("\n{name}: {passed} of {} checks passed{others}", tally.total()))
}

fn lines_of(report: &Report) -> String {
    let Check { name, title, .. } = report.check;
    let line = |word: &str| format!("{word:<7} {name:<NAME_WIDTH$} {title}");
    match &report.verdict {
        Verdict::Passed => line("pass"),
        Verdict::Warned(finding) => format!("{}\n{:8}{finding}", line("warning"), ""),
        Verdict::Failed(finding) => format!("{}\n{:8}{finding}", line("FAIL"), ""),
        Verdict::Skipped(reason) => format!("{}: {reason}", line("skipped")),
    }
}

fn json_of(report: &Report) -> serde_json::Result<String> {
    let Check { name, title, .. } = report.check;
    let (verdict, finding, reason) = match &report.verdict {
        Verdict::Passed => ("passed", None, None),
        Verdict::Warned(finding) => ("warned", Some(finding), None),
        Verdict::Failed(finding) => ("failed", Some(finding), None),
        Verdict::Skipped(reason) => ("skipped", None, Some(reason.as_str())),
    };
    serde_json::to_string(&JsonReport {
        check: JsonCheck { name, title },
        verdict,
        sent: finding.map(|finding| finding.sent.as_str()).filter(|sent| !sent.is_empty()),
        expected: finding.map(|finding| finding.expected.as_str()),
        got: finding.map(|finding| finding.got.as_str()),
        reason,
        time_ms: report.time.as_millis(),
    })
}
