//! `qirkat xboard`: a board, pieces and a mouse.

mod assets;
mod call;
mod command;
mod options;
mod viewing;

pub(super) use command::run;
pub(super) use options::{XBOARD_HELP, XboardOptions};
