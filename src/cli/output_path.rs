//! Output paths of long work, checked before it begins.

use std::path::Path;

use anyhow::bail;

/// Sees, before the work begins, that a file can be put there.
///
/// # Errors
/// When that is a folder, or lies in a folder that is not there.
pub(super) fn check(path: &Path) -> anyhow::Result<()> {
    if path.is_dir() {
        bail!("{} is a folder", path.display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        bail!("{}: there is no such folder", path.display());
    }
    Ok(())
}
