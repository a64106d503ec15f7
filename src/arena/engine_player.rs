//! A player that is an engine of either protocol: starts and restarts it, and sets its options.

use std::time::Duration;

use qirkat_game::Color;
use qirkat_rules::variant::AnyMove;
use qirkat_system::program::Program;

use crate::announced_option::{Setting, fit};
use crate::engine_client::EngineClient;
use crate::engine_connection::{EngineConnection, EngineContext, Protocol};
use crate::engine_fault::EngineFault;
use crate::finished_game::FinishedGame;
use crate::player::{Choice, Player, Turn};
use crate::uci_client::UciClient;
use crate::xboard_client::XboardClient;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineSetup {
    pub program: Program,
    pub protocol: Protocol,
    /// Options in the order they are set; a button has no value.
    pub options: Vec<Setting>,
    /// Whether it is restarted before each game.
    pub restart: bool,
    pub ponder: bool,
}

const PONDER: &str = "Ponder";

impl EngineSetup {
    pub(super) fn wanted_options(&self) -> impl Iterator<Item = Setting> {
        // The XBoard protocol has a command for it.
        let ponder = (self.ponder && self.protocol == Protocol::Uci)
            .then(|| (PONDER.to_owned(), Some("true".to_owned())));
        ponder.into_iter().chain(self.options.iter().cloned())
    }

    pub(super) fn start(
        &self,
        context: &EngineContext,
    ) -> Result<Box<dyn EngineClient>, EngineFault> {
        let connection = EngineConnection::start(&self.program, self.protocol, context)?;
        connection.lines().collect_setup(true);
        Ok(match self.protocol {
            Protocol::Uci => Box::new(UciClient::new(connection, self.ponder)),
            Protocol::Xboard => Box::new(XboardClient::new(connection, self.ponder)),
        })
    }
}

/// The process is started when first needed and again after a fault.
pub struct EnginePlayer {
    setup: EngineSetup,
    context: EngineContext,
    engine: Option<Box<dyn EngineClient>>,
    /// A fault after the last game, reported with the next one.
    late_fault: Option<EngineFault>,
}

impl EnginePlayer {
    /// A player that stops waiting when the stop flag of its context is set.
    pub fn new(setup: EngineSetup, context: EngineContext) -> EnginePlayer {
        EnginePlayer { setup, context, engine: None, late_fault: None }
    }

    fn start(&self) -> Result<Box<dyn EngineClient>, EngineFault> {
        let mut engine = self.setup.start(&self.context)?;
        let announced = engine.greet()?.options;
        engine.connection().lines().collect_setup(false);
        for (name, value) in self.setup.wanted_options() {
            // A value that does not fit was reported before the match.
            let setting = fit(&announced, &name, value.as_deref()).unwrap_or((name, value));
            let command = engine.option_command(&setting);
            engine.connection().send(&command)?;
        }
        Ok(engine)
    }

    fn quit_engine(&mut self) {
        if let Some(mut engine) = self.engine.take() {
            engine.connection().quit();
        }
    }

    fn running(&mut self) -> Result<&mut Box<dyn EngineClient>, EngineFault> {
        self.engine.as_mut().ok_or_else(|| EngineFault::Crashed(Default::default()))
    }
}

fn ready_for_game(
    mut engine: Box<dyn EngineClient>,
    own: Color,
    turn: &Turn<'_>,
) -> Result<Box<dyn EngineClient>, EngineFault> {
    engine.connection().discard_output();
    engine.new_game(own, turn)?;
    engine.get_ready()?;
    Ok(engine)
}

impl Player for EnginePlayer {
    fn start_game(
        &mut self,
        own: Color,
        turn: &Turn<'_>,
    ) -> Result<Option<EngineFault>, EngineFault> {
        let engine = match self.engine.take() {
            None => ready_for_game(self.start()?, own, turn),
            Some(engine) => match ready_for_game(engine, own, turn) {
                // It exited after its last game, which is not a fault in this one.
                Err(fault @ EngineFault::Crashed(_)) => {
                    self.late_fault = Some(fault);
                    ready_for_game(self.start()?, own, turn)
                }
                other => other,
            },
        };
        self.engine = Some(engine?);
        Ok(self.late_fault.take())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, EngineFault> {
        self.running()?.choose(turn)
    }

    fn waited(&mut self) -> Option<Duration> {
        self.engine.as_mut()?.connection().waited()
    }

    fn ponder(&mut self, turn: &Turn<'_>, expected: AnyMove) -> Result<(), EngineFault> {
        self.running()?.ponder(turn, expected)
    }

    fn end_game(&mut self, own: Color, finished: Option<&FinishedGame>) {
        let fault = finished.and_then(|finished| finished.fault.as_ref());
        if fault.is_some_and(|fault| fault.loser == own) {
            // It may still be searching or hang: a new process is safest.
            self.engine = None;
            return;
        }
        let Some(engine) = &mut self.engine else { return };
        if let Err(fault) = engine.end_game(finished) {
            self.late_fault = Some(fault).filter(|fault| *fault != EngineFault::Aborted);
            self.engine = None;
        } else if self.setup.restart || !engine.is_reusable() {
            self.quit_engine();
        }
    }
}

impl Drop for EnginePlayer {
    fn drop(&mut self) {
        self.quit_engine();
    }
}
