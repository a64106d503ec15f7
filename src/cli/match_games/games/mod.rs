//! Games as they are written down, and read again when a match goes on.

mod epd_file;
mod file_contents;
mod file_tail;
mod game_file;
mod game_record;
mod live_file;

pub(super) use epd_file::EpdFile;
pub(super) use game_file::GameFile;
pub(super) use game_record::outcome;
pub(super) use live_file::show_live_games;
