//! The files built into the program.

/// The bytes of a file in `engine-config/tables`; `build.rs` finds the folder.
macro_rules! embedded {
    ($file:literal) => {
        include_bytes!(concat!(env!("QIRKAT_CONFIG"), "/tables/", $file))
    };
}
