//! The address that stays, so that bookmarks and installed pages work: its port and token are kept
//! with the games. And the file that leads a browser there: every local user can read the arguments
//! with which a browser is started, but not this file.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rand::rngs::SysError;

use crate::page::KeptFiles;
use crate::server::folder::Folder;
use crate::server::guard::{is_token, new_token};
use qirkat_system::output_file::rename;

/// Not one of the games, which end with `.json`.
const FILE: &str = "address";

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct KeptAddress {
    pub port: u16,
    pub token: String,
}

impl KeptAddress {
    pub fn new(port: u16) -> Result<KeptAddress, SysError> {
        Ok(KeptAddress { port, token: new_token()? })
    }

    /// The address of earlier starts, if there were any.
    ///
    /// # Errors
    /// If it is damaged, or others may know it.
    pub fn read(folder: &Folder) -> io::Result<Option<KeptAddress>> {
        let text = match folder.read(FILE) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text?,
        };
        if !is_private(&KeptAddress::file(folder))? {
            return Err(io::Error::other("other users can read or change it"));
        }
        let address = text.trim_end().split_once(' ').and_then(|(port, token)| {
            let port = port.parse().ok().filter(|&port| port != 0)?;
            is_token(token).then(|| KeptAddress { port, token: token.to_owned() })
        });
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "it is damaged");
        address.ok_or_else(damaged).map(Some)
    }

    pub fn keep(&self, folder: &Folder) -> io::Result<()> {
        write_private(&KeptAddress::file(folder), &format!("{} {}\n", self.port, self.token))
    }

    pub fn file(folder: &Folder) -> PathBuf {
        folder.path.join(FILE)
    }
}

/// Whether only this user can read and write a file, as far as the system can tell.
fn is_private(_path: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let facts = _path.metadata()?;
        let user = rustix::process::geteuid().as_raw();
        Ok(facts.mode().trailing_zeros() >= 6 && facts.uid() == user)
    }
    #[cfg(not(unix))]
    Ok(true)
}

fn part_of(path: &Path) -> PathBuf {
    path.with_added_extension("part")
}

/// Writes a whole file that nobody else can read at any time, and replaces an older one by it.
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let part = part_of(path);
    // It may be left over from a program that was killed.
    let _ = fs::remove_file(&part);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&part).and_then(|mut file| file.write_all(text.as_bytes()));
    written.and_then(|()| rename(&part, path)).inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}

/// A page on disk that leads to the board. When dropped, it is removed with its folder.
#[derive(Debug)]
pub(super) struct RedirectPage {
    folder: PathBuf,
    pub path: PathBuf,
}

impl RedirectPage {
    pub fn write(games: &Folder, address: &str) -> io::Result<RedirectPage> {
        let folder = std::path::absolute(games.path.join("open"))?;
        // Removes a folder left over from a program that was killed. A folder of somebody else's
        // files is not empty, and stays.
        let page = RedirectPage { path: folder.join("board.html"), folder };
        page.remove();
        let builder = &mut DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(builder, 0o700);
        builder.create(&page.folder)?;
        let text = format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Qirkat</title>\n\
             <meta http-equiv=\"refresh\" content=\"0; url={address}\">\n\
             <p><a href=\"{address}\">To the board</a></p>\n</html>\n"
        );
        write_private(&page.path, &text)?;
        Ok(page)
    }

    fn remove(&self) {
        let _ = fs::remove_file(part_of(&self.path));
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_dir(&self.folder);
    }
}

impl Drop for RedirectPage {
    fn drop(&mut self) {
        self.remove();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games() -> (Folder, tempfile::TempDir) {
        let parent = tempfile::tempdir().expect("a folder for the test");
        (Folder::open(parent.path()).expect("a folder for games"), parent)
    }

    #[test]
    fn an_address_stays_until_it_is_damaged() {
        let (games, _parent) = games();
        assert_eq!(KeptAddress::read(&games).expect("nothing"), None);
        let address = KeptAddress::new(8080).expect("random bytes");
        address.keep(&games).expect("room");
        assert_eq!(KeptAddress::read(&games).expect("an address").as_ref(), Some(&address));
        let token = &address.token;
        for damaged in [
            String::new(),
            token.clone(),
            format!("0 {token}"),
            format!("65536 {token}"),
            format!("8080 {}", &token[1..]),
            format!("8080 {token} {token}"),
            format!("8080 {}/", &token[1..]),
        ] {
            fs::write(KeptAddress::file(&games), &damaged).expect("room");
            let error = KeptAddress::read(&games).expect_err(&damaged);
            assert_eq!(error.to_string(), "it is damaged", "{damaged}");
        }
        fs::write(KeptAddress::file(&games), [0xff; 20]).expect("room");
        assert!(KeptAddress::read(&games).is_err(), "it is no text");
        address.keep(&games).expect("room");
        assert!(KeptAddress::read(&games).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn what_others_could_read_is_not_used_and_replaced_by_what_they_cannot() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (games, parent) = games();
        let file = KeptAddress::file(&games);
        let mode = |path: &Path| path.symlink_metadata().expect("a file").permissions().mode();
        let address = KeptAddress::new(8080).expect("random bytes");
        address.keep(&games).expect("room");
        for open in [0o640, 0o604, 0o620] {
            fs::set_permissions(&file, fs::Permissions::from_mode(open)).expect("a file");
            assert!(KeptAddress::read(&games).is_err(), "{open:o}");
        }
        address.keep(&games).expect("room");
        assert_eq!(mode(&file) & 0o777, 0o600);
        // A link is replaced, not followed.
        let other = parent.path().join("other");
        fs::write(&other, "kept").expect("room");
        fs::remove_file(&file).expect("a file");
        symlink(&other, &file).expect("a link");
        address.keep(&games).expect("room");
        assert_eq!(fs::read_to_string(&other).expect("a file"), "kept");
        assert_eq!(KeptAddress::read(&games).expect("an address"), Some(address));
        // What leads to the board stands in a folder that nobody else can enter.
        let open = parent.path().join("open");
        fs::create_dir(&open).expect("room");
        for left_over in ["board.html", "board.html.part"] {
            fs::write(open.join(left_over), "").expect("room");
        }
        let page = RedirectPage::write(&games, "http://127.0.0.1:2/y/").expect("room");
        assert_eq!((mode(&page.folder) & 0o777, mode(&page.path) & 0o777), (0o700, 0o600));
        assert!(fs::read_to_string(&page.path).expect("a page").contains("http://127.0.0.1:2/y/"));
        drop(page);
        assert!(!open.exists());
        // Nor is it written into a folder that is there already.
        fs::create_dir(&open).expect("room");
        fs::write(open.join("other"), "").expect("room");
        assert!(RedirectPage::write(&games, "http://127.0.0.1:1/x/").is_err());
    }
}
