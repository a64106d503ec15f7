//! Files that a test hands to the program.

use std::fs;

use tempfile::TempDir;

/// A folder that is gone after the test.
pub fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

/// Writes a file there; its path.
pub fn write(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).expect("a file for the test");
    path.to_str().expect("a path in UTF-8").to_owned()
}
