//! Tells the compiler which network the program is to carry: the file that
//! `QIRKAT_NETWORK` names, or the one in `engine-config`.

#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "what the core may not use, its build may: see .ci/core"
)]

use std::env;
use std::path::Path;

const DEFAULT: &str = "engine-config/qirkat.net";
/// How such a file begins; its last four bytes are a checksum of all others.
const MAGIC: &[u8] = b"QIRKNET\0";

fn main() {
    println!("cargo::rerun-if-env-changed=QIRKAT_NETWORK");
    let root = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let chosen = env::var_os("QIRKAT_NETWORK").filter(|name| !name.is_empty());
    let path = Path::new(&root).join(chosen.unwrap_or_else(|| DEFAULT.into()));
    println!("cargo::rerun-if-changed={}", path.display());
    println!("cargo::rustc-env=QIRKAT_NETWORK={}", path.display());
    let bytes = std::fs::read(&path).unwrap_or_default();
    let is_sound = bytes.split_last_chunk().is_some_and(|(content, check)| {
        content.starts_with(MAGIC) && crc32fast::hash(content) == u32::from_le_bytes(*check)
    });
    if !is_sound {
        println!("cargo::error={}: not a network of Qirkat", path.display());
    }
}
