//! Players: engines behind UCI and the search inside this process, as the arbiter of a game
//! asks them for moves.

mod engine_fault;
mod examination;
mod line_check;
mod player;
mod search_player;
mod search_report;
mod uci_engine;
mod uci_player;

pub use engine_fault::EngineFault;
pub use examination::{Examination, Unfit, examine};
pub(crate) use line_check::check_lines;
pub use line_check::{LineComplaint, LineFault};
pub use player::{Choice, Player, Turn};
pub use search_player::SearchPlayer;
pub use search_report::{SearchInfo, Thought};
pub use uci_engine::EngineContext;
pub use uci_player::{EngineSetup, Patience, UciPlayer};
