//! Games as they are written down, and read again when a match goes on.

mod file_contents;
mod file_tail;
mod game_file;
mod game_record;

pub(super) use game_file::GameFile;
pub(super) use game_record::outcome;
