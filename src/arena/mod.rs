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
mod schedule;
mod search_info;
mod search_player;
mod standings;
mod time_control;
mod tournament;
mod uci_player;

pub use adjudication::{AdjudicationRules, Adjudicator, DrawRule, ResignRule, Verdict};
pub use openings::{Opening, OpeningBook, OpeningError, OpeningFormat, RandomOpenings};
pub use play::{FinishedGame, GameRules, PlayedMove, Termination, play_game};
pub use player::{Choice, Fault, Judgement, Player, Turn};
pub use process::check;
pub use schedule::{Schedule, ScheduledGame, Shard, TournamentKind};
pub use search_info::{SearchInfo, Thought};
pub use search_player::SearchPlayer;
pub use standings::{GameOutcome, HeadToHead, Standings};
pub use time_control::{
    ClockRule, GameClock, LONGEST_TIME, TimeControl, TimeControlError, read_time,
};
pub use tournament::{Contestant, Tournament, TournamentEvent};
pub use uci_player::{EngineSetup, Patience, UciPlayer};

pub use crate::program::Program;
