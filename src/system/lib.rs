//! What the operating system provides: threads and parallel loops, the clock, atomically written
//! and compressed files, format versions, child programs with pipes.
//!
//! It knows no game. Begin with [`machine`], which returns the number of cores and the memory.

#[cfg(feature = "files")]
pub mod compression;
pub mod format_version;
#[cfg(feature = "clock")]
pub mod host;
#[cfg(feature = "files")]
pub mod input_file;
pub mod machine;
#[cfg(feature = "files")]
pub mod output_file;
#[cfg(feature = "threads")]
pub mod parallel;
#[cfg(feature = "programs")]
pub mod program;
pub mod time_text;
