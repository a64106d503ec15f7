//! The type of a check.

use crate::compliance::examiner::Examiner;
use crate::compliance::finding::Outcome;

/// One aspect of the protocol to test.
pub struct Check {
    /// A short name, which stays the same from version to version.
    pub name: &'static str,
    /// What an engine does that passes.
    pub title: &'static str,
    /// The checks that must pass before this one means anything.
    pub(in crate::compliance) after: &'static [&'static str],
    pub(in crate::compliance) make: fn(&Examiner<'_>) -> Outcome,
}

impl std::fmt::Debug for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}
