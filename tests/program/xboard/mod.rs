//! The real XBoard with this engine, on a virtual screen: what a person with a
//! mouse sees and does. `scripts/test-xboard` starts the screen and runs these
//! tests, which are left out otherwise.

mod games;
mod scenes;
mod table;
