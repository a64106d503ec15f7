//! What several commands need: options, files, games, the terminal, and exit status.

pub(crate) mod exit_status;
pub(crate) mod files;
pub(crate) mod games;
pub(crate) mod misuse;
pub(crate) mod options;
pub(crate) mod review_report;
pub(crate) mod run_settings;
pub(crate) mod terminal;
pub(crate) mod text_formats;
