//! Finds the tables to embed: in the repository, or in a published crate's own copy.

#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "what the core may not use, its build may: see .ci/core"
)]

use std::env;
use std::path::Path;

fn main() {
    let crate_folder = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let repository = Path::new(&crate_folder).join("../../engine-config");
    // In the repository this is a symbolic link, which a checkout on Windows may not have.
    let copy = Path::new(&crate_folder).join("engine-config");
    let folder = if repository.is_dir() { repository } else { copy };
    println!("cargo::rustc-env=QIRKAT_CONFIG={}", folder.display());
    // A checkout that was moved has another folder.
    println!("cargo::rerun-if-changed={}", folder.display());
}
