//! Packs the puzzles of `engine-config/puzzles` into the program, at a third of their size.

use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use lzma_rust2::{XzOptions, XzWriter};

const GAMES: [&str; 3] = ["chesquerque", "masonic", "alquerque"];
const PRESET: u32 = 9;

fn main() {
    let folder = |name| env::var_os(name).unwrap_or_default();
    let crate_folder = folder("CARGO_MANIFEST_DIR");
    let repository = Path::new(&crate_folder).join("../../engine-config");
    // A published crate has a copy. In the repository that is a symbolic link, which a checkout on
    // Windows may not have.
    let copy = Path::new(&crate_folder).join("engine-config");
    let config = if repository.is_dir() { repository } else { copy };
    for game in GAMES {
        let path = config.join(format!("puzzles/{game}.epd"));
        println!("cargo::rerun-if-changed={}", path.display());
        let packed = Path::new(&folder("OUT_DIR")).join(format!("{game}.epd.xz"));
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
