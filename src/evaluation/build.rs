//! Selects the networks to embed: named by environment variables, or those of `engine-config`.

#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "what the core may not use, its build may: see .ci/core"
)]

use std::env;
use std::path::Path;

use qirkat_engine_config::folder;

const NETWORKS: [(&str, &str); 3] = [
    ("QIRKAT_NETWORK", "qirkat.net"),
    ("QIRKAT_NETWORK_MASONIC", "masonic.net"),
    ("QIRKAT_NETWORK_ALQUERQUE", "alquerque.net"),
];
/// Replaces a file name to embed no network for that game.
const NONE: &str = "<none>";
/// The start of a network file; its last four bytes are a checksum of all others.
const MAGIC: &[u8] = b"QIRKNET\0";

fn main() {
    let checksums = NETWORKS.map(|(variable, default)| choose(variable, default));
    // Part of the version: see the engine's build script.
    let [network, ..] = checksums;
    println!(
        "cargo::metadata=checksum={}",
        network.map(|n| format!("{n:08x}")).unwrap_or_default()
    );
}

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
    // A name is relative to the repository.
    let path = match chosen {
        Some(name) => folder().with_file_name("").join(name),
        None => folder().join(default),
    };
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
