//! The files that XBoard needs, carried in the program so that it works from
//! wherever it lies.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

const OPTIONS: &str = include_str!("../../../engine-config/xboard/chesquerque.xop");
const BOARD: &[u8] = include_bytes!("../../../engine-config/xboard/chesquerque-9x9.png");
const WHITE_ARCHBISHOP: &[u8] =
    include_bytes!("../../../engine-config/xboard/pieces/WhiteArchbishop.svg");
const BLACK_ARCHBISHOP: &[u8] =
    include_bytes!("../../../engine-config/xboard/pieces/BlackArchbishop.svg");

/// The files on the disk.
pub(super) struct Assets {
    /// The file of XBoard options.
    pub options: PathBuf,
    /// Where games to look at may be put.
    pub games: PathBuf,
}

impl Assets {
    /// Writes the files to the user's folder for such data.
    pub fn unpack() -> anyhow::Result<Assets> {
        let base = dirs::cache_dir().unwrap_or_else(std::env::temp_dir);
        Assets::unpack_to(&base.join("qirkat").join("xboard"))
    }

    fn unpack_to(folder: &Path) -> anyhow::Result<Assets> {
        let (pieces, games) = (folder.join("pieces"), folder.join("games"));
        for folder in [&pieces, &games] {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
        }
        // The file of options names its neighbours from its own folder; XBoard
        // takes such names from where it was started.
        let options = OPTIONS.replace("\"./", &format!("\"{}/", folder.display()));
        let path = folder.join("chesquerque.xop");
        let files = [
            (&path, options.as_bytes()),
            (&folder.join("chesquerque-9x9.png"), BOARD),
            (&pieces.join("WhiteArchbishop.svg"), WHITE_ARCHBISHOP),
            (&pieces.join("BlackArchbishop.svg"), BLACK_ARCHBISHOP),
        ];
        for (path, bytes) in files {
            fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(Assets { options: path, games })
    }
}
