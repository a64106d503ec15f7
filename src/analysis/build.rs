//! Packs the puzzles of `engine-config/puzzles` into the program, at a quarter of their size.

use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use lzma_rust2::{XzOptions, XzWriter};
use qirkat_engine_config::folder;

const GAMES: [&str; 3] = ["chesquerque", "masonic", "alquerque"];
const PRESET: u32 = 9;

fn main() {
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    for game in GAMES {
        let path = folder().join(format!("puzzles/{game}.epd"));
        println!("cargo::rerun-if-changed={}", path.display());
        let packed = Path::new(&out).join(format!("{game}.epd.xz"));
        let written = pack(&path, &packed);
        if let Err(error) = written {
            println!("cargo::error={}: {error}", path.display());
        }
    }
}

fn pack(path: &Path, packed: &Path) -> io::Result<()> {
    let mut writer = XzWriter::new(File::create(packed)?, XzOptions::with_preset(PRESET))?;
    writer.write_all(&fs::read(path)?)?;
    writer.finish().map(drop)
}
