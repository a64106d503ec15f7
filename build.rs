//! Tells the compiler which networks the program is to carry: for each game the file that
//! a variable of the environment names, or the one in `engine-config`. Tells it too what the
//! program says of itself: version, commit and network.

#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "what the core may not use, its build may: see .ci/core"
)]

use std::env;
use std::path::Path;
use std::process::Command;

/// The variable and the usual file for each game.
const NETWORKS: [(&str, &str); 3] = [
    ("QIRKAT_NETWORK", "engine-config/qirkat.net"),
    ("QIRKAT_NETWORK_MASONIC", "engine-config/masonic.net"),
    ("QIRKAT_NETWORK_ALQUERQUE", "engine-config/alquerque.net"),
];
/// In place of a file: the program carries no network for that game.
const NONE: &str = "<none>";
/// How such a file begins; its last four bytes are a checksum of all others.
const MAGIC: &[u8] = b"QIRKNET\0";
/// Says which commit is built, where git cannot.
const COMMIT: &str = "QIRKAT_COMMIT";

fn main() {
    let checksums = NETWORKS.map(|(variable, default)| choose(variable, default));
    let [network, ..] = checksums;
    let commit = commit().map(|commit| format!("commit {commit}"));
    let network = network.map(|checksum| format!("network {checksum:08x}"));
    let build: Vec<String> = commit.into_iter().chain(network).collect();
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let build = if build.is_empty() { String::new() } else { format!(" ({})", build.join(", ")) };
    println!("cargo::rustc-env=QIRKAT_VERSION={version}{build}");
}

/// The commit that is built: what the variable says, or git where this folder is a
/// repository of its own. Only for a release: a development build would be compiled anew
/// after each commit.
fn commit() -> Option<String> {
    println!("cargo::rerun-if-env-changed={COMMIT}");
    if let Some(commit) = env::var(COMMIT).ok().filter(|commit| !commit.is_empty()) {
        return Some(commit);
    }
    let root = env::var("CARGO_MANIFEST_DIR").ok()?;
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if !is_release || !Path::new(&root).join(".git").exists() {
        return None;
    }
    // The log grows with each commit and each checkout, but need not be kept.
    for name in ["logs/HEAD", "HEAD"] {
        let path = Path::new(&root).join(git(&root, &["rev-parse", "--git-path", name])?);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
            break;
        }
    }
    git(&root, &["rev-parse", "--short=10", "HEAD"])
}

/// What git answers in a folder, if it is there and knows.
fn git(folder: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir(folder).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

/// Chooses the network of a game; its checksum, if there is one.
fn choose(variable: &str, default: &str) -> Option<u32> {
    println!("cargo::rerun-if-env-changed={variable}");
    let chosen = env::var_os(variable).filter(|name| !name.is_empty());
    if chosen.as_ref().is_some_and(|name| name == NONE) {
        let empty = Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join("none.net");
        if let Err(error) = std::fs::write(&empty, []) {
            println!("cargo::error={}: {error}", empty.display());
        }
        println!("cargo::rustc-env={variable}={}", empty.display());
        return None;
    }
    let root = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let path = Path::new(&root).join(chosen.unwrap_or_else(|| default.into()));
    println!("cargo::rerun-if-changed={}", path.display());
    println!("cargo::rustc-env={variable}={}", path.display());
    let bytes = std::fs::read(&path).unwrap_or_default();
    let checksum = bytes.split_last_chunk().and_then(|(content, check)| {
        let checksum = u32::from_le_bytes(*check);
        let is_sound = content.starts_with(MAGIC) && crc32fast::hash(content) == checksum;
        is_sound.then_some(checksum)
    });
    if checksum.is_none() {
        println!("cargo::error={}: not a network of Qirkat", path.display());
    }
    checksum
}
