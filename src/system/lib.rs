//! What an operating system gives: threads and loops on them, the clock, files that are
//! written whole and have versions, programs with pipes.
//!
//! It knows no game. Begin with [`machine`], which tells how many cores and how much memory
//! there are.

pub mod format_version;
#[cfg(feature = "clock")]
pub mod host;
pub mod machine;
#[cfg(feature = "files")]
pub mod output_file;
#[cfg(feature = "threads")]
pub mod parallel;
#[cfg(feature = "programs")]
pub mod program;
pub mod time_text;
