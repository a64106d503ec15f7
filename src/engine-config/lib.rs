//! Finds the folder `engine-config`, which has the files that are built into the program, for the
//! build scripts that embed them.

#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "what the core may not use, its build may: see .ci/core"
)]

use std::path::{Path, PathBuf};

/// The folder of these files: in the repository, or in the published crate's own copy.
pub fn folder() -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let repository = crate_folder.join("../../engine-config");
    // In the repository `files` is a symbolic link, which a checkout on Windows may not have.
    if repository.is_dir() { repository } else { crate_folder.join("files") }
}

/// Tells the crate that is being built where the folder is, as `QIRKAT_CONFIG`.
pub fn tell_folder() {
    println!("cargo::rustc-env=QIRKAT_CONFIG={}", folder().display());
    // The compiler sees the changes to what it embeds.
    println!("cargo::rerun-if-changed=build.rs");
}
