//! Matches between players: the arbiter who knows the rules, keeps the
//! clocks, and counts.
//!
//! A [`Player`] is an engine behind pipes ([`UciPlayer`]) or the search inside
//! this process ([`SearchPlayer`]); [`play_game`] plays one game between two
//! of them, a [`Tournament`] many, on several threads.

mod adjudication;
mod openings;
mod play;
mod player;
mod process;
mod random_openings;
mod schedule;
mod search_player;
mod standings;
mod time_control;
mod tournament;
mod uci_player;

pub use adjudication::{AdjudicationRules, Adjudicator, DrawRule, ResignRule, Verdict};
pub use openings::{Opening, OpeningBook, OpeningError, OpeningFormat};
pub use play::{FinishedGame, GameRules, Termination, play_game};
pub use player::{Choice, Fault, Judgement, Player, Turn};
pub use process::Program;
pub use random_openings::{OpeningTally, RandomOpenings, Weighers};
pub use schedule::{Schedule, ScheduledGame, Shard, TournamentKind};
pub use search_player::SearchPlayer;
pub use standings::{GameOutcome, HeadToHead, Standings};
pub use time_control::{
    ClockRule, GameClock, LONGEST_TIME, TimeControl, TimeControlError, read_time,
};
pub use tournament::{Contestant, Tournament, TournamentEvent};
pub use uci_player::{EngineSetup, Patience, UciPlayer};
