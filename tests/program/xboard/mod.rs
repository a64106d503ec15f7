//! The real XBoard with this engine, on a virtual screen and used by mouse. `scripts/test-xboard`
//! starts the screen and runs these tests, which are skipped otherwise.

mod games;
mod scenes;
mod table;
