//! Matches between players, with an arbiter that checks moves, runs the clocks and counts results.
//!
//! - A [`Player`] is an engine of either [`Protocol`] ([`EnginePlayer`]), or the search in this
//!   process ([`SearchPlayer`]).
//! - [`preflight()`] checks an engine before the first game; [`play_game`] plays one game.
//! - A [`Tournament`] plays many on several threads, and a [`MatchLog`] records all communication.
//! - [`Outcomes`] sum up the games, and [`statistics`] computes Elo, error bars and SPRT.
//! - [`compliance`] tests whether an engine follows the UCI protocol.
//!
//! This crate parses no command line and writes no game files or reports; it returns results.

mod adjudication;
mod announced_option;
pub mod compliance;
mod engine_client;
mod engine_connection;
mod engine_fault;
mod engine_player;
mod engine_process;
mod finished_game;
mod info_line;
mod machine;
mod match_log;
mod openings;
mod outcomes;
mod play;
mod player;
mod preflight;
mod pv_check;
mod rounds;
mod schedule;
pub mod statistics;
mod time_control;
mod tournament;
mod uci_client;
mod xboard_client;
mod xboard_lines;

pub use adjudication::{AdjudicationRules, DrawRule, ResignRule};
pub use engine_connection::{EngineContext, Protocol};
pub use engine_fault::EngineFault;
pub use engine_player::{EnginePlayer, EngineSetup};
pub use engine_process::EngineExit;
pub use finished_game::{
    FinishedGame, GameFault, GameOutcome, Overhead, PlayedMove, PlayerStats, Termination,
};
pub use info_line::{MoveReport, ReportedScore, SearchInfo};
pub use machine::{CoreShares, WakeupMonitor, cores};
pub use match_log::MatchLog;
pub use openings::{
    OpeningBook, OpeningCache, OpeningError, OpeningFormat, OpeningTally, RandomOpenings,
};
pub use outcomes::{CrossTable, HeadToHead, Outcomes, Ranking};
pub use play::{GameRules, MoveListener, PvCheck, play_game};
pub use player::{Choice, ChosenMove, Player, SearchPlayer, Turn};
pub use preflight::{PreflightError, PreflightReport, preflight};
pub use pv_check::{PvComplaint, PvFault};
pub use rounds::{Knockout, KnockoutMeeting, Swiss, SwissStanding};
pub use schedule::{
    BOOK_COMMENT, OpeningPolicy, Schedule, ScheduledGame, Shard, TournamentKind, game_number,
    pair_number, tag_game,
};
pub use time_control::{ClockRule, GameClock, TimeControl};
pub use tournament::{
    Contestant, LiveGame, LiveGames, Pairings, Supervision, Tournament, live_file,
};

pub use qirkat_system::program::Program;
