//! Output files: written by one process at a time, and atomically.

#[cfg(not(windows))]
use std::fs::TryLockError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The error for a file that is being written, by another process or elsewhere in this one. On
/// Windows the other program may also be a reader that denies writing.
const IN_USE: &str =
    if cfg!(windows) { "another program has it open" } else { "it is being written already" };
/// The lock file of a folder, since not every system can lock folders.
const LOCK_FILE: &str = ".lock";
/// The longest chain of symbolic links followed, as in Linux.
const MAX_LINKS: usize = 40;
/// How often to try to open a file that another process has just finished, or to lock one: until a
/// child process runs its own program, it holds all locks of its parent. On Windows, also how often
/// to try to replace an open file.
const MAX_TRIES: usize = 20;
const RETRY_INTERVAL: Duration = Duration::from_millis(10);
/// Error codes of Windows.
const ERROR_INVALID_FUNCTION: i32 = 1;
const ERROR_ACCESS_DENIED: i32 = 5;
const ERROR_SHARING_VIOLATION: i32 = 32;
const ERROR_INVALID_PARAMETER: i32 = 87;

/// Unfinished files, such as `.part` files, removed if the program is terminated.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers an unfinished file, to be removed if the program is terminated.
pub fn register_unfinished(path: &Path) {
    unfinished().push(path.to_owned());
}

/// Unregisters a file that is to be kept, or is gone.
pub fn unregister_unfinished(path: &Path) {
    unfinished().retain(|other| other != path);
}

/// Removes all unfinished files before an immediate exit.
pub fn remove_unfinished() {
    for part in unfinished().drain(..) {
        let _ = fs::remove_file(part);
    }
}

/// A new version of a file, which replaces the older one only when it is finished and synced to
/// disk. If dropped before that, it leaves no trace.
///
/// Until then it is next to its final path, with `.part` added to its name, locked against other
/// processes. A symbolic link is kept, and its target replaced. Devices, pipes and the program's
/// own output cannot be replaced: they are written directly.
pub struct AtomicFile {
    pub content: BufWriter<File>,
    /// The path until it is finished; none if written directly.
    part: Option<PathBuf>,
    path: PathBuf,
    /// The older file, kept locked: a process appending to it would write to an unlinked file.
    _older: Option<File>,
}

impl AtomicFile {
    /// Begins a file, in the folder of its final path.
    ///
    /// # Errors
    /// If it cannot be written, or another process is writing it.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        AtomicFile::begin(path, false)
    }

    fn begin(path: &Path, resumes: bool) -> io::Result<AtomicFile> {
        check_not_dash(path)?;
        let path = resolve_links(path)?;
        if let Some(file) = direct_output(&path)? {
            let content = BufWriter::new(file);
            return Ok(AtomicFile { content, part: None, path, _older: None });
        }
        for _ in 0..MAX_TRIES {
            let older = open_exclusive(&path, OpenOptions::new().read(true).write(true));
            let was_missing = match &older {
                Err(error) if error.kind() == ErrorKind::ResourceBusy => break,
                Err(error) => error.kind() == ErrorKind::NotFound,
                Ok(_) => false,
            };
            let (part, content) = begin_part(&path, resumes)?;
            let older = older.ok();
            // Between opening the old file and locking the part file, another process may have
            // replaced the old one: then try again.
            let is_current = older.as_ref().is_none_or(|older| is_at(older, &path));
            if is_current && !(was_missing && path.exists()) {
                // Windows cannot replace an open file.
                let _older = older.filter(|_| cfg!(unix));
                return Ok(AtomicFile { content, part: Some(part), path, _older });
            }
            unregister_unfinished(&part);
        }
        Err(io::Error::new(ErrorKind::ResourceBusy, IN_USE))
    }

    /// Resumes a file that was [left](AtomicFile::leave), or begins it. `content` stands at its start:
    /// the caller seeks to where it goes on. Termination keeps it; dropping it removes it.
    pub fn resume(path: &Path) -> io::Result<AtomicFile> {
        AtomicFile::begin(path, true)
    }

    /// Keeps the unfinished file, to be resumed later.
    pub fn leave(mut self) {
        let _ = self.content.flush();
        if let Some(part) = self.part.take() {
            unregister_unfinished(&part);
        }
    }

    /// Syncs it to disk and moves it to its final path.
    ///
    /// # Errors
    /// If that fails; an older file is then unchanged.
    pub fn finish(mut self) -> io::Result<()> {
        self.finish_with(true)
    }

    /// Finishes it with this content, and begins the next version without unlocking it. Errors name
    /// the file.
    pub fn write_version(&mut self, content: &[u8]) -> io::Result<()> {
        let written = self.try_to_write_version(content);
        let name = self.path.display();
        written.map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))
    }

    fn try_to_write_version(&mut self, content: &[u8]) -> io::Result<()> {
        let is_replaced = self.part.is_some();
        self.content.write_all(content)?;
        self.finish_with(true)?;
        if is_replaced {
            let (part, content) = begin_part(&self.path, false)?;
            let finished = std::mem::replace(&mut self.content, content).into_inner();
            self.part = Some(part);
            self._older = finished.ok().filter(|_| cfg!(unix));
        }
        Ok(())
    }

    fn finish_with(&mut self, sync: bool) -> io::Result<()> {
        self.content.flush()?;
        if let Some(part) = &self.part {
            if sync {
                self.content.get_ref().sync_all()?;
            }
            // Windows cannot replace a read-only file.
            if cfg!(unix)
                && let Ok(old) = self.path.metadata()
            {
                self.content.get_ref().set_permissions(old.permissions())?;
            }
            rename(part, &self.path)?;
            unregister_unfinished(part);
            self.part = None;
        }
        log::info!("{}: written", self.path.display());
        Ok(())
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            let _ = fs::remove_file(part);
            unregister_unfinished(part);
        }
    }
}

/// Rejects `-`, by which users mean standard output.
pub fn check_not_dash(path: &Path) -> io::Result<()> {
    if path == Path::new("-") {
        return Err(io::Error::new(ErrorKind::InvalidInput, "this needs the name of a file"));
    }
    Ok(())
}

/// The path of a file until it is finished.
pub fn part_of(path: &Path) -> PathBuf {
    resolve_links(path).unwrap_or_else(|_| path.to_owned()).with_added_extension("part")
}

fn begin_part(path: &Path, resumes: bool) -> io::Result<(PathBuf, BufWriter<File>)> {
    let part = part_of(path);
    check_not_link(&part)?;
    for _ in 0..MAX_TRIES {
        // Held from before it is created, so that Ctrl-C cannot come in between.
        let mut registered = unfinished();
        let file = open_exclusive(&part, OpenOptions::new().read(true).write(true).create(true))?;
        // Between opening and locking, another process may have finished it.
        if is_at(&file, &part) {
            if !resumes {
                file.set_len(0)?;
                registered.push(part.clone());
            }
            log::debug!("{}: being written as {}", path.display(), part.display());
            return Ok((part, BufWriter::new(file)));
        }
    }
    Err(io::Error::new(ErrorKind::ResourceBusy, IN_USE))
}

/// Rejects a path chosen by this program that is a link: its target would be overwritten.
fn check_not_link(path: &Path) -> io::Result<()> {
    let is_link = |metadata: fs::Metadata| !metadata.is_file() || has_other_names(&metadata);
    if path.symlink_metadata().is_ok_and(is_link) {
        let fault = format!("{} is in the way: it is a link or not a file", path.display());
        return Err(io::Error::new(ErrorKind::InvalidInput, fault));
    }
    Ok(())
}

/// Whether a file has several hard links, if the system can tell.
fn has_other_names(_metadata: &fs::Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(_metadata) > 1;
    #[cfg(not(unix))]
    false
}

/// Renames a file, replacing another. On Windows a program that reads the other one, such as a
/// virus scanner, may briefly prevent that.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    for _ in 0..MAX_TRIES {
        match fs::rename(from, to) {
            Err(error) if is_open_elsewhere(&error) => std::thread::sleep(RETRY_INTERVAL),
            done => return done,
        }
    }
    fs::rename(from, to)
}

/// Whether a Windows error means that another program has the file open.
fn is_open_elsewhere(error: &io::Error) -> bool {
    let code = error.raw_os_error();
    cfg!(windows) && matches!(code, Some(ERROR_ACCESS_DENIED | ERROR_SHARING_VIOLATION))
}

/// Writes a whole file atomically.
pub fn write_atomic(path: &Path, content: &[u8]) -> io::Result<()> {
    write(path, content, true)
}

/// Writes a file atomically, without syncing it to disk: a sync may take longer than the engine may
/// think, and the system writes the file even if the program is killed.
pub fn write_atomic_unsynced(path: &Path, content: &[u8]) -> io::Result<()> {
    write(path, content, false)
}

fn write(path: &Path, content: &[u8], sync: bool) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.content.write_all(content)?;
    file.finish_with(sync)
}

/// Opens and locks a file. The lock ends when the file is closed, however the process ends.
///
/// # Errors
/// [`ErrorKind::ResourceBusy`] if another process has locked it; or it cannot be opened.
#[cfg(not(windows))]
pub fn open_exclusive(path: &Path, options: &OpenOptions) -> io::Result<File> {
    check_not_dash(path)?;
    for _ in 0..MAX_TRIES {
        // Each time, since another process may have replaced it.
        let file = options.open(path)?;
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => std::thread::sleep(RETRY_INTERVAL),
            // Some file systems have no locks.
            Err(TryLockError::Error(error)) => {
                log::warn!("{}: no lock: {error}", path.display());
                return Ok(file);
            }
        }
    }
    Err(io::Error::new(ErrorKind::ResourceBusy, IN_USE))
}

/// Opens a file and denies others write access until it is closed, however the process ends. A lock
/// would also prevent reading, such as by programs that watch a match.
///
/// # Errors
/// [`ErrorKind::ResourceBusy`] if another program has it open; or it cannot be opened.
#[cfg(windows)]
pub fn open_exclusive(path: &Path, options: &OpenOptions) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    const FILE_SHARE_READ: u32 = 1;
    const FILE_SHARE_DELETE: u32 = 4;
    check_not_dash(path)?;
    let mut options = options.clone();
    options.share_mode(FILE_SHARE_READ | FILE_SHARE_DELETE);
    for _ in 0..MAX_TRIES {
        match options.open(path) {
            Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => {
                std::thread::sleep(RETRY_INTERVAL);
            }
            opened => return opened,
        }
    }
    Err(io::Error::new(ErrorKind::ResourceBusy, IN_USE))
}

/// Locks a folder until the file is dropped. Writes to it, so that a read-only folder is detected
/// at once.
///
/// # Errors
/// [`ErrorKind::ResourceBusy`] if another process holds it; or nothing can be written there.
pub fn lock_folder(folder: &Path) -> io::Result<File> {
    let options = &mut OpenOptions::new();
    check_not_link(&folder.join(LOCK_FILE))?;
    let mut file = open_exclusive(&folder.join(LOCK_FILE), options.write(true).create(true))?;
    writeln!(file, "{:<10}", std::process::id())?;
    Ok(file)
}

/// The target of symbolic links, which need not exist.
fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..=MAX_LINKS {
        let Ok(target) = fs::read_link(&path) else { return Ok(path) };
        // Links in `/proc/self/fd` may name targets that are no paths, such as `pipe:[1]`.
        if path.exists() && !path.parent().unwrap_or(&path).join(&target).exists() {
            return Ok(path);
        }
        path.pop();
        path.push(target);
    }
    Err(io::Error::new(ErrorKind::InvalidInput, "too many symbolic links"))
}

/// The file to write directly: the program's own output, a device or a pipe.
fn direct_output(path: &Path) -> io::Result<Option<File>> {
    match path.metadata() {
        Ok(metadata) => {
            if let Some(output) = own_output(&metadata)? {
                return Ok(Some(output));
            }
            if metadata.is_file() {
                return Ok(None);
            }
        }
        Err(error) if is_no_disk_file(&error) => {}
        Err(_) => return Ok(None),
    }
    OpenOptions::new().write(true).open(path).map(Some)
}

/// Whether an error means that this is not a disk file, such as `NUL`, on Windows or Wine.
fn is_no_disk_file(error: &io::Error) -> bool {
    let code = error.raw_os_error();
    cfg!(windows) && matches!(code, Some(ERROR_INVALID_FUNCTION | ERROR_INVALID_PARAMETER))
}

/// Standard output or error, if the file is one of them. If reopened, a file would be overwritten
/// from its start.
#[cfg(unix)]
fn own_output(metadata: &fs::Metadata) -> io::Result<Option<File>> {
    use std::os::fd::AsFd;
    for output in [io::stdout().as_fd(), io::stderr().as_fd()] {
        let Ok(output) = output.try_clone_to_owned().map(File::from) else { continue };
        if is_same(&output.metadata()?, metadata) {
            return Ok(Some(output));
        }
    }
    Ok(None)
}

#[cfg(not(unix))]
fn own_output(_: &fs::Metadata) -> io::Result<Option<File>> {
    Ok(None)
}

#[cfg(unix)]
fn is_same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// A file's identity, independent of its names and links.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileIdentity {
    /// The device and the inode number.
    #[cfg(unix)]
    Inode(u64, u64),
    /// On systems without inodes, and for a file that does not exist yet.
    Path(PathBuf),
}

impl FileIdentity {
    /// The file at a path, which may not exist yet. None for what can safely be opened repeatedly,
    /// such as devices and pipes, and for a folder.
    pub fn at(path: &Path) -> Option<FileIdentity> {
        let path = resolve_links(path).ok()?;
        if let Ok(metadata) = path.metadata() {
            return FileIdentity::of(&metadata, &path);
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(FileIdentity::Path(folder.join(path.file_name()?)))
    }

    #[cfg(unix)]
    fn of(metadata: &fs::Metadata, _: &Path) -> Option<FileIdentity> {
        use std::os::unix::fs::MetadataExt;
        metadata.is_file().then(|| FileIdentity::Inode(metadata.dev(), metadata.ino()))
    }

    #[cfg(not(unix))]
    fn of(metadata: &fs::Metadata, path: &Path) -> Option<FileIdentity> {
        let path = path.canonicalize().ok().filter(|_| metadata.is_file());
        path.map(FileIdentity::Path)
    }

    /// The file that standard input reads, if any, and if the system can tell.
    pub fn of_input() -> Option<FileIdentity> {
        FileIdentity::of_stream(&io::stdin())
    }

    /// The file that standard output writes, if any, and if the system can tell.
    pub fn of_output() -> Option<FileIdentity> {
        FileIdentity::of_stream(&io::stdout())
    }

    #[cfg(unix)]
    fn of_stream(stream: &impl std::os::fd::AsFd) -> Option<FileIdentity> {
        let file = File::from(stream.as_fd().try_clone_to_owned().ok()?);
        FileIdentity::of(&file.metadata().ok()?, Path::new(""))
    }

    #[cfg(not(unix))]
    fn of_stream<S>(_: &S) -> Option<FileIdentity> {
        None
    }
}

/// Whether an open file is the one at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), path.metadata()) {
        (Ok(open), Ok(metadata)) => is_same(&open, &metadata),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder for the test")
    }

    fn file_count(folder: &tempfile::TempDir) -> usize {
        fs::read_dir(folder.path()).expect("a folder").count()
    }

    #[test]
    fn old_files_stay_until_new_ones_are_complete() {
        let folder = folder();
        let path = folder.path().join("file");
        write_atomic(&path, b"old").expect("room on the disk");
        let mut file = AtomicFile::create(&path).expect("room on the disk");
        file.content.write_all(b"half").expect("room on the disk");
        drop(file);
        assert_eq!(fs::read(&path).expect("it is there"), b"old");
        for write in [write_atomic, write_atomic_unsynced] {
            write(&path, b"new").expect("room on the disk");
            assert_eq!(fs::read(&path).expect("it is there"), b"new");
            assert_eq!(file_count(&folder), 1);
        }
    }

    /// A second writer is rejected, and the first writer's file stays complete. What a killed
    /// process has left does not matter.
    #[test]
    fn a_file_has_one_writer_at_a_time() {
        let folder = folder();
        let path = folder.path().join("file");
        fs::write(folder.path().join("file.part"), "left behind").expect("room on the disk");
        let mut first = AtomicFile::create(&path).expect("a file left behind is no hindrance");
        first.content.write_all(b"first").expect("room on the disk");
        let refused = AtomicFile::create(&path).err().map(|error| error.kind());
        assert_eq!(refused, Some(ErrorKind::ResourceBusy));
        assert!(write_atomic_unsynced(&path, b"second").is_err());
        first.write_version(b", again").expect("room on the disk");
        first.write_version(b"first, again").expect("room on the disk");
        assert_eq!(fs::read(&path).expect("it is there"), b"first, again");
        assert!(AtomicFile::create(&path).is_err(), "still held");
        drop(first);
        write_atomic_unsynced(&path, b"third").expect("nobody holds it");
        let added =
            open_exclusive(&path, OpenOptions::new().append(true)).expect("nobody holds it");
        assert!(write_atomic_unsynced(&path, b"over it").is_err(), "somebody adds to it");
        drop(added);
        assert_eq!(file_count(&folder), 1);

        let held = lock_folder(folder.path()).expect("nobody holds it");
        assert!(lock_folder(folder.path()).is_err());
        drop(held);
        assert!(lock_folder(folder.path()).is_ok());
    }

    /// A program that reads the file may keep it open briefly, and devices are not files.
    #[cfg(windows)]
    #[test]
    fn readers_do_not_block_writers() {
        let folder = folder();
        let path = folder.path().join("file");
        let mut file = AtomicFile::create(&path).expect("room on the disk");
        for version in ["first", "second", "third"] {
            let reader = File::open(&path);
            let read = std::thread::spawn(move || {
                std::thread::sleep(4 * RETRY_INTERVAL);
                drop(reader);
            });
            file.write_version(version.as_bytes()).expect("nobody else writes");
            assert_eq!(fs::read_to_string(&path).expect("it is there"), version);
            read.join().expect("no panic");
        }
        drop(file);
        let options = &mut OpenOptions::new();
        let mut added = open_exclusive(&path, options.append(true)).expect("nobody holds it");
        added.write_all(b" and more").expect("room on the disk");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "third and more");
        for name in ["NUL", "nul"] {
            write_atomic(Path::new(name), b"more").expect("room for everything");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_are_not_replaced() {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        symlink("second", at("first")).expect("a link");
        symlink(at("file"), at("second")).expect("a link");
        for content in ["made", "replaced"] {
            write_atomic(&at("first"), content.as_bytes()).expect("room on the disk");
            assert_eq!(fs::read_to_string(at("file")).expect("it is there"), content);
            assert!(at("first").is_symlink() && at("second").is_symlink());
            let private = fs::Permissions::from_mode(0o600);
            fs::set_permissions(at("file"), private).expect("it is there");
        }
        let mode = at("file").metadata().expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);

        symlink("/dev/full", at("full")).expect("a link");
        let error = write_atomic(&at("full"), b"more").map_err(|error| error.kind());
        assert_eq!(error, Err(ErrorKind::StorageFull));
        write_atomic(Path::new("/dev/null"), b"more").expect("room for everything");
        let null = Path::new("/dev/null").metadata().expect("it is there");
        assert!(null.file_type().is_char_device());
        symlink("loop", at("loop")).expect("a link");
        assert!(write_atomic(&at("loop"), b"more").is_err());

        // An unfinished file or lock file that is a link is not followed.
        fs::write(at("precious"), "precious").expect("room on the disk");
        let links: [fn(PathBuf, PathBuf) -> io::Result<()>; 2] =
            [|from, to| symlink(from, to), |from, to| fs::hard_link(from, to)];
        for link in links {
            for name in ["new.part", LOCK_FILE] {
                link(at("precious"), at(name)).expect("a link");
            }
            assert!(write_atomic(&at("new"), b"more").is_err() && !at("new").exists());
            assert!(lock_folder(folder.path()).is_err());
            assert_eq!(fs::read_to_string(at("precious")).expect("it is there"), "precious");
            for name in ["new.part", LOCK_FILE] {
                fs::remove_file(at(name)).expect("the link");
            }
        }
    }
}
