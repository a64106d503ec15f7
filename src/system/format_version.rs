//! Versions of file formats. The error for an unsupported version says how to proceed.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};
use thiserror::Error;

/// The file has a format version that this program cannot read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "{} (format {found}, not {known})",
    if found > known { "it needs a newer Qirkat" } else { "create it again" }
)]
pub struct UnsupportedVersion {
    pub found: u32,
    /// The version that this program reads and writes.
    pub known: u32,
}

/// A format version in JSON or TOML. It is the first field, so that a wrong version is reported
/// before unknown content. A missing version is read as the current one (`#[serde(default)]`):
/// correct only as long as that is 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FormatVersion<const KNOWN: u32>;

impl<const KNOWN: u32> Serialize for FormatVersion<KNOWN> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(KNOWN)
    }
}

impl<'de, const KNOWN: u32> Deserialize<'de> for FormatVersion<KNOWN> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            found if found == KNOWN => Ok(FormatVersion),
            found => Err(D::Error::custom(UnsupportedVersion { found, known: KNOWN })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        #[serde(default)]
        version: FormatVersion<1>,
        games: u8,
    }

    #[test]
    fn files_without_a_version_have_version_one() {
        for (text, fault) in [
            (r#"{"games":3}"#, None),
            (r#"{"version":1,"games":3}"#, None),
            // A wrong version is reported before unknown fields.
            (r#"{"version":2,"plays":[]}"#, Some("it needs a newer Qirkat (format 2, not 1)")),
            (r#"{"version":0,"games":3}"#, Some("create it again (format 0, not 1)")),
            (r#"{"version":"new","games":3}"#, Some("invalid type: string")),
        ] {
            match (serde_json::from_str::<File>(text), fault) {
                (Ok(file), None) => {
                    let written = serde_json::to_string(&file).expect("JSON");
                    assert_eq!(written, r#"{"version":1,"games":3}"#);
                }
                (Err(error), Some(fault)) => {
                    assert!(error.to_string().starts_with(fault), "{text}: {error}");
                }
                (read, _) => panic!("{text}: read {}", read.is_ok()),
            }
        }
    }
}
