//! What the arbiter asks of an engine, whatever its protocol.

use qirkat_game::Color;
use qirkat_rules::variant::AnyMove;

use crate::announced_option::{AnnouncedOption, Setting};
use crate::engine_connection::EngineConnection;
use crate::engine_fault::EngineFault;
use crate::finished_game::FinishedGame;
use crate::player::{Choice, Turn};

/// What an engine says of itself when it is greeted.
#[derive(Debug, Default)]
pub(super) struct EngineIdentity {
    pub name: Option<String>,
    pub options: Vec<AnnouncedOption>,
    /// The games that it plays, if it lists them other than as an option.
    pub variants: Option<Vec<String>>,
    /// All its lines during setup, other than answers.
    pub lines: Vec<String>,
}

/// The arbiter's side of a protocol, with a running engine at the other end.
pub(super) trait EngineClient {
    fn connection(&mut self) -> &mut EngineConnection;

    fn greet(&mut self) -> Result<EngineIdentity, EngineFault>;

    fn option_command(&self, setting: &Setting) -> String;

    /// Waits until the engine has done all that it was told.
    fn get_ready(&mut self) -> Result<(), EngineFault>;

    /// Prepares for the game that begins with this turn; no clock runs yet.
    fn new_game(&mut self, own: Color, turn: &Turn<'_>) -> Result<(), EngineFault>;

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, EngineFault>;

    /// Ponders on an expected move, unless the engine does so by itself.
    fn ponder(&mut self, _turn: &Turn<'_>, _expected: AnyMove) -> Result<(), EngineFault> {
        Ok(())
    }

    /// The game is over; `None` if it was aborted.
    fn end_game(&mut self, finished: Option<&FinishedGame>) -> Result<(), EngineFault>;

    /// Whether it can play another game.
    fn is_reusable(&self) -> bool {
        true
    }
}
