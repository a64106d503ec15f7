//! `qirkat xboard`: a board, pieces and a mouse.

mod assets;
mod call;
mod command;
mod viewing;
mod xboard_options;

pub(super) use command::run;
pub(super) use xboard_options::{XBOARD_HELP, XboardOptions};
