//! How long random tests go on: as long as one likes to wait while working, as `.ci/run`
//! asks for, or for a night.

use std::env;

/// How often something is done. `QIRKAT_TESTS` says which of the three it is: `quick`, as
/// when it is not set, `long` or `night`.
pub fn effort<T>([quick, long, night]: [T; 3]) -> T {
    match env::var("QIRKAT_TESTS").as_deref() {
        Err(env::VarError::NotPresent) | Ok("" | "quick") => quick,
        Ok("long") => long,
        Ok("night") => night,
        other => panic!("QIRKAT_TESTS is quick, long or night, not {other:?}"),
    }
}
