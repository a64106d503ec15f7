//! The languages in which programs talk to the engine.

mod input;
mod output;
pub mod uci;
