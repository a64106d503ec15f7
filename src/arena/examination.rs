//! Checks an engine before the match: its start, its options, and what it reports.

use log::Level;

use crate::announced_option::{Greeting, fit};
use crate::engine_process::set_option_command;
use crate::match_log::in_one_line;
use crate::player::EngineFault;
use crate::uci_player::{EngineContext, EngineSetup, UciEngine};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Examination {
    pub id: Option<String>,
    /// Its `info string` lines during setup.
    pub output: Vec<String>,
    pub problems: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExaminationError {
    pub fault: EngineFault,
    pub command: String,
    pub output: Vec<String>,
}

const MAX_OUTPUT: usize = 100;
/// Words of an `info string` that rejects something.
const ERROR_WORDS: &str = "error, cannot, can't, could not, couldn't, failed, failure, invalid, \
                        illegal, unknown, no such, not found, unable, refused, unsupported";

/// Starts an engine, sets its options one by one, prepares a game and quits. Timeouts are those of
/// a game. Options that do not fit are set only with `force`.
pub fn examine(
    setup: &EngineSetup,
    context: &EngineContext,
    force: bool,
) -> Result<Examination, Box<ExaminationError>> {
    let (result, command) = (Examination::default(), "start".to_owned());
    let mut run = ExaminationRun { setup, force, result, command };
    let fault = match run.execute(context) {
        Ok(()) => return Ok(run.result),
        Err(fault) => fault,
    };
    let (command, output) = (run.command, run.result.output);
    Err(Box::new(ExaminationError { fault, command, output }))
}

struct ExaminationRun<'a> {
    setup: &'a EngineSetup,
    force: bool,
    result: Examination,
    command: String,
}

impl ExaminationRun<'_> {
    fn execute(&mut self, context: &EngineContext) -> Result<(), EngineFault> {
        let mut process = UciEngine::start(&self.setup.program, context)?;
        process.lines().collect_setup(true);
        self.command = "uci".to_owned();
        process.send("uci")?;
        let answered = process.wait_for_token("uciok", "uci");
        let lines = process.lines().take_setup();
        self.record_output(&lines, None);
        answered?;
        let greeting = Greeting::parse(lines.iter().map(String::as_str));
        self.result.id = greeting.names.first().map(|name| in_one_line(name));
        let announced = greeting.announced();
        for (name, value) in self.setup.wanted_options() {
            let setting = format!("option.{name}={}", value.as_deref().unwrap_or_default());
            let fitted = fit(&announced, &name, value.as_deref());
            if let Err(problem) = &fitted {
                self.result.problems.push(format!("{setting}: {problem}"));
                if !self.force {
                    continue;
                }
            }
            let (name, value) = fitted.unwrap_or((name, value));
            self.command = set_option_command(&name, value.as_deref());
            process.send(&self.command)?;
            self.get_ready(&mut process, Some(&setting))?;
        }
        self.command = "ucinewgame".to_owned();
        process.send("ucinewgame")?;
        self.get_ready(&mut process, None)?;
        context.log.line(Level::Debug, format_args!("{} is fit to play", context.name));
        process.quit();
        Ok(())
    }

    /// Waits for `readyok` and records what the engine reports about the last command.
    fn get_ready(
        &mut self,
        process: &mut UciEngine,
        of: Option<&String>,
    ) -> Result<(), EngineFault> {
        process.send("isready")?;
        let ready = process.wait_for_token("readyok", "isready");
        let lines = process.lines().take_setup();
        self.record_output(&lines, of);
        ready
    }

    fn record_output(&mut self, lines: &[String], of: Option<&String>) {
        let texts = lines.iter().filter_map(|line| {
            let text = line.strip_prefix("info ")?.trim_start().strip_prefix("string")?;
            Some(in_one_line(text.trim()))
        });
        for text in texts.take(MAX_OUTPUT.saturating_sub(self.result.output.len())) {
            if reports_error(&text) {
                let about = of.map_or_else(String::new, |of| format!("{of}: "));
                self.result.problems.push(format!("{about}the engine says: {text}"));
            }
            self.result.output.push(text);
        }
    }
}

fn reports_error(text: &str) -> bool {
    let text = text.to_lowercase();
    ERROR_WORDS.split(", ").any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_told_from_greetings() {
        for (text, expected) in [
            ("ERROR: The network file x.nnue was not loaded.", true),
            ("error: option EvalFile: typo.net: No such file or directory", true),
            ("Could not open book.bin", true),
            ("Unknown option Hahs", true),
            ("NNUE evaluation using nn-1234.nnue (6MiB)", false),
            ("Using 4 threads", false),
            ("Found 510 tablebases", false),
        ] {
            assert_eq!(reports_error(text), expected, "{text}");
        }
    }
}
