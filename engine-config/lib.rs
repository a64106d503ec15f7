//! Where the files are that are built into the program, for the build scripts of the crates that
//! embed them: in the repository, or where Cargo has put this crate.

#![allow(
    clippy::disallowed_macros,
    reason = "what the core may not use, its build may: see .ci/core"
)]

/// The folder of these files.
pub const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// Tells the crate that is being built where the folder is, as `QIRKAT_CONFIG`.
pub fn tell_folder() {
    println!("cargo::rustc-env=QIRKAT_CONFIG={FOLDER}");
    // The compiler sees the changes to what it embeds.
    println!("cargo::rerun-if-changed=build.rs");
}
