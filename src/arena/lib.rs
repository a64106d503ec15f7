//! Matches between players: the arbiter who knows the rules, keeps the clocks, and counts.
//!
//! - `players`: a [`Player`] is an engine behind pipes ([`UciPlayer`]) or the search inside
//!   this process ([`SearchPlayer`]). [`examine`] looks at an engine before the first game.
//! - `game`: [`play_game`] plays one game between two of them.
//! - `tournament`: a [`Tournament`] plays many, on several threads, from the `openings` of
//!   a book, and a [`MatchLog`] keeps all that is said.
//! - `standings` add the games up, and [`statistics`] tell how much they prove.
//! - [`compliance`] tests whether an engine keeps to the UCI protocol.
//!
//! Below these, `uci_client` starts an engine and parses what it says, and `machine` watches
//! the cores. The crate knows nothing of command lines, files of games or reports: what it
//! finds is handed to the caller.

pub mod compliance;
mod game;
mod machine;
mod match_log;
mod openings;
mod players;
mod standings;
pub mod statistics;
mod time_control;
mod tournament;
mod uci_client;

pub use game::{
    AdjudicationRules, Conduct, DrawRule, FinishedGame, GameFault, GameRules, LineCheck,
    LineExample, MoveListener, Overhead, PlayedMove, ResignRule, Termination, play_game,
};
pub use machine::{CoreShares, Punctuality, cores};
pub use match_log::MatchLog;
pub use openings::{
    Opening, OpeningBook, OpeningError, OpeningFormat, OpeningTally, RandomOpenings,
    SharedOpenings, Weighers,
};
pub use players::{
    Choice, EngineContext, EngineFault, EngineSetup, Examination, LineComplaint, LineFault,
    Patience, Player, SearchInfo, SearchPlayer, Thought, Turn, UciPlayer, Unfit, examine,
};
pub use standings::{GameOutcome, HeadToHead, Meetings, Ranking, Standings};
pub use time_control::{ClockRule, GameClock, TimeControl};
pub use tournament::{
    Contestant, LiveGame, LiveGames, Schedule, ScheduledGame, Shard, Supervision, Tournament,
    TournamentEvent, TournamentKind, live_file, number_of, pair_of, tag_game,
};
pub use uci_client::{EngineExit, ReportedScore};

pub use qirkat_system::program::Program;
