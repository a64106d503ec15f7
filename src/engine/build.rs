//! Passes to the compiler what identifies the build: version, commit and network. Finds the opening
//! books to embed.

#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "what the core may not use, its build may: see .ci/core"
)]

use std::env;
use std::path::Path;
use std::process::Command;

/// The variable that names the commit if git cannot.
const COMMIT: &str = "QIRKAT_COMMIT";
/// The checksum of the network, from the evaluation's build script.
const NETWORK: &str = "DEP_QIRKAT_NETWORKS_CHECKSUM";

fn main() {
    let commit = commit().map(|commit| format!("commit {commit}"));
    let network = env::var(NETWORK).ok().filter(|checksum| !checksum.is_empty());
    let network = network.map(|checksum| format!("network {checksum}"));
    let build: Vec<String> = commit.into_iter().chain(network).collect();
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let build = if build.is_empty() { String::new() } else { format!(" ({})", build.join(", ")) };
    println!("cargo::rustc-env=QIRKAT_VERSION={version}{build}");
    qirkat_engine_config::tell_folder();
}

/// The commit: from the variable or, for release builds, from git if this folder is a repository of
/// its own. A development build would be recompiled after each commit.
fn commit() -> Option<String> {
    println!("cargo::rerun-if-env-changed={COMMIT}");
    if let Some(commit) = env::var(COMMIT).ok().filter(|commit| !commit.is_empty()) {
        return Some(commit);
    }
    let root = format!("{}/../..", env::var("CARGO_MANIFEST_DIR").ok()?);
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if !is_release || !Path::new(&root).join(".git").exists() {
        return None;
    }
    // The reflog grows with each commit and checkout, but may be disabled.
    for name in ["logs/HEAD", "HEAD"] {
        let path = Path::new(&root).join(git(&root, &["rev-parse", "--git-path", name])?);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
            break;
        }
    }
    git(&root, &["rev-parse", "--short=10", "HEAD"])
}

fn git(folder: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir(folder).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
