//! Matches between players: the arbiter who knows the rules, keeps the
//! clocks, and counts.
//!
//! A [`Player`] is an engine behind pipes ([`UciPlayer`]) or the search inside
//! this process ([`SearchPlayer`]); [`play_game`] plays one game between two
//! of them, a [`Tournament`] many, on several threads. [`examine`] looks at an
//! engine before the first game, and a [`MatchLog`] keeps all that is said.

mod adjudication;
mod affinity;
pub mod compliance;
mod conclusion;
mod conduct;
mod engine_fault;
mod engine_lines;
mod engine_options;
mod examination;
mod finished_game;
mod game_fault;
mod game_rules;
mod game_tags;
mod head_to_head;
mod line_check;
mod live_games;
mod match_log;
mod meetings;
mod opening;
mod opening_book;
mod opening_error;
mod opening_tally;
mod play;
mod player;
mod process;
mod punctuality;
mod random_openings;
mod schedule;
mod search_info;
mod search_player;
mod shared_openings;
mod standings;
pub mod statistics;
mod table_verdict;
mod time_control;
mod tournament;
mod uci_commands;
mod uci_info_words;
mod uci_player;
mod waiting;

pub use adjudication::{AdjudicationRules, Adjudicator, DrawRule, ResignRule, Verdict};
pub use affinity::{CoreListError, CoreShares, cores};
pub use conduct::{Conduct, LineExample, Overhead};
pub use engine_fault::{EngineFault, LastWords};
pub use engine_options::{AnnouncedKind, AnnouncedOption, OptionTrouble, Setting, fit};
pub use examination::{Examination, Unfit, examine};
pub use finished_game::{FinishedGame, PlayedMove, Termination};
pub use game_fault::GameFault;
pub use game_rules::{GameRules, LineCheck, MoveListener};
pub use game_tags::{number_of, pair_of, tag_game};
pub use head_to_head::HeadToHead;
pub use line_check::{LineComplaint, LineFault};
pub use live_games::{LiveGame, LiveGames, live_file};
pub use match_log::MatchLog;
pub use meetings::{Meetings, Ranking};
pub use opening::Opening;
pub use opening_book::{OpeningBook, OpeningFormat};
pub use opening_error::OpeningError;
pub use opening_tally::OpeningTally;
pub use play::play_game;
pub use player::{Choice, Player, Turn};
pub use process::Surroundings;
pub use punctuality::Punctuality;
pub use random_openings::{RandomOpenings, Weighers};
pub use schedule::{Schedule, ScheduledGame, Shard, TournamentKind};
pub use search_info::{ReportedScore, SearchInfo, Thought};
pub use search_player::SearchPlayer;
pub use shared_openings::SharedOpenings;
pub use standings::{GameOutcome, Standings};
pub use time_control::{ClockRule, GameClock, TimeControl, TimeControlError};
pub use tournament::{Contestant, Supervision, Tournament, TournamentEvent};
pub use uci_player::{EngineSetup, Patience, UciPlayer};

pub use qirkat_system::program::Program;
