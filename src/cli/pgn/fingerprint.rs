//! Fingerprints, by which games are known again.

use std::hash::{DefaultHasher, Hash, Hasher};

/// 128 bits of what makes a game: small enough to keep for millions of games, and large
/// enough that no two of them meet by chance.
pub(super) fn fingerprint(identity: &impl Hash) -> [u64; 2] {
    [0_u8, 1].map(|half| {
        let mut hasher = DefaultHasher::new();
        (half, identity).hash(&mut hasher);
        hasher.finish()
    })
}
