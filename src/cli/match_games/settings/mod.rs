//! The settings of a match, read from the command line and from a file.

mod clause;
mod engine_list;
mod match_help;
mod match_options;
mod match_settings;
mod option_words;
mod toml_file;

pub(super) use clause::option_name;
pub(super) use engine_list::EngineList;
pub(crate) use match_help::{HELP, ONE_DASH, help_options};
pub(crate) use match_options::MatchOptions;
pub(super) use match_settings::{
    EngineSettings, LogSettings, MatchSettings, OpeningSettings, PgnOutSettings,
};
pub(super) use option_words::read;
pub(super) use toml_file::read_toml;
