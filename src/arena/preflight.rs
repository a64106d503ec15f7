//! Checks an engine before the match: its start, its options, and what it reports.

use log::Level;

use qirkat_game::Color;
use qirkat_rules::variant::AnyGame;

use crate::announced_option::fit;
use crate::engine_client::EngineClient;
use crate::engine_connection::{EngineContext, Protocol};
use crate::engine_fault::EngineFault;
use crate::engine_player::EngineSetup;
use crate::match_log::in_one_line;
use crate::player::Turn;
use crate::time_control::{GameClock, TimeControl};

/// What the check of an engine has found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PreflightReport {
    pub name: Option<String>,
    /// What it told its user during setup, such as `info string` lines.
    pub output: Vec<String>,
    /// What speaks against playing: options that do not fit, a game that it does not play, messages
    /// that sound like errors. The caller decides.
    pub problems: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreflightError {
    pub fault: EngineFault,
    pub command: String,
    pub output: Vec<String>,
}

const MAX_OUTPUT: usize = 100;
/// Words of a message that rejects something.
const ERROR_WORDS: &str = "error, cannot, can't, could not, couldn't, failed, failure, invalid, \
                        illegal, unknown, no such, not found, unable, refused, unsupported";

/// Starts an engine, sets its options one by one, prepares a game with this opening and quits. Timeouts
/// are those of a game. Options that do not fit are set only with `force`.
pub fn preflight(
    setup: &EngineSetup,
    opening: &AnyGame,
    context: &EngineContext,
    force: bool,
) -> Result<PreflightReport, Box<PreflightError>> {
    let (result, command) = (PreflightReport::default(), "start".to_owned());
    let mut run = PreflightRun { setup, force, result, command };
    let fault = match run.execute(opening, context) {
        Ok(()) => return Ok(run.result),
        Err(fault) => fault,
    };
    let (command, output) = (run.command, run.result.output);
    Err(Box::new(PreflightError { fault, command, output }))
}

struct PreflightRun<'a> {
    setup: &'a EngineSetup,
    force: bool,
    result: PreflightReport,
    command: String,
}

impl PreflightRun<'_> {
    fn execute(&mut self, opening: &AnyGame, context: &EngineContext) -> Result<(), EngineFault> {
        let variant = opening.start().variant();
        let (greet, new_game) = match self.setup.protocol {
            Protocol::Uci => ("uci", "ucinewgame"),
            Protocol::Xboard => ("protover 2", "new"),
        };
        let mut engine = self.setup.start(context)?;
        self.command = greet.to_owned();
        let greeting = engine.greet();
        let lines = match &greeting {
            Ok(greeting) => greeting.lines.clone(),
            Err(_) => engine.connection().lines().take_setup(),
        };
        self.record_output(&lines, None);
        let greeting = greeting?;
        self.result.name = greeting.name;
        if let Some(played) = greeting.variants
            && !played.iter().any(|name| name == variant.name())
        {
            let played = in_one_line(&played.join(", "));
            self.result.problems.push(format!("does not play {variant}; it plays {played}"));
        }
        for (name, value) in self.setup.wanted_options() {
            let setting = format!("option.{name}={}", value.as_deref().unwrap_or_default());
            let fitted = fit(&greeting.options, &name, value.as_deref());
            if let Err(problem) = &fitted {
                self.result.problems.push(format!("{setting}: {problem}"));
                if !self.force {
                    continue;
                }
            }
            self.command = engine.option_command(&fitted.unwrap_or((name, value)));
            engine.connection().send(&self.command)?;
            self.get_ready(&mut *engine, Some(&setting))?;
        }
        self.command = new_game.to_owned();
        let clock = GameClock::new(TimeControl::default());
        let turn = Turn { game: opening, clocks: [&clock; 2], draw_offered: false };
        engine.new_game(Color::White, &turn)?;
        self.get_ready(&mut *engine, None)?;
        context.log.line(Level::Debug, format_args!("{} is fit to play", context.name));
        engine.connection().quit();
        Ok(())
    }

    /// Waits until the engine is ready and records what it reports about the last command.
    fn get_ready(
        &mut self,
        engine: &mut dyn EngineClient,
        of: Option<&String>,
    ) -> Result<(), EngineFault> {
        let ready = engine.get_ready();
        let lines = engine.connection().lines().take_setup();
        self.record_output(&lines, of);
        ready
    }

    fn record_output(&mut self, lines: &[String], of: Option<&String>) {
        let texts = lines
            .iter()
            .filter_map(|line| Some(in_one_line(self.setup.protocol.message(line)?.trim())));
        for text in texts {
            if reports_error(&text) {
                let about = of.map_or_else(String::new, |of| format!("{of}: "));
                self.result.problems.push(format!("{about}the engine says: {text}"));
            }
            if self.result.output.len() < MAX_OUTPUT {
                self.result.output.push(text);
            }
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
