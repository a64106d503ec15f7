//! XBoard as a child process, with control of the mouse and its debug log.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use command_group::{CommandGroup, GroupChild};
use qirkat::chesquerque::{Game, Move, Point, Position};
use tempfile::TempDir;

use crate::run::qirkat;
use qirkat_game::Rules;

/// There is one screen and one mouse: one test at a time.
static SCREEN: Mutex<()> = Mutex::new(());

/// The timeout of every wait, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(90);
/// The time a program needs to notice a click.
const MOMENT: Duration = Duration::from_millis(250);

/// The drag distance that selects the next promotion: XBoard needs 25 pixels.
const PULL: i32 = 27;

pub struct Table {
    xboard: GroupChild,
    pub folder: TempDir,
    /// The number of log lines already handled.
    heard: usize,
    _screen: MutexGuard<'static, ()>,
}

impl Table {
    /// Starts XBoard by the command that the guide shows.
    pub fn open(options: &[&str], xboard_options: &[&str]) -> Table {
        let mut table = Table::start(options, xboard_options);
        table.wait_for("pong 1");
        sleep(4 * MOMENT);
        table
    }

    /// Starts XBoard without an engine, to view games.
    pub fn show(options: &[&str]) -> Table {
        let table = Table::start(options, &[]);
        table.window();
        sleep(4 * MOMENT);
        table
    }

    fn start(options: &[&str], xboard_options: &[&str]) -> Table {
        let screen = SCREEN.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().expect("a folder for the test");
        let wire = folder.path().join("wire.debug");
        let xboard = qirkat(["xboard"])
            .args(options)
            .args(["--", "-debugMode", "true", "-nameOfDebugFile"])
            .arg(&wire)
            .args(["-animateMoving", "false"])
            .args(xboard_options)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .group_spawn()
            .expect("XBoard starts");
        Table { xboard, folder, heard: 0, _screen: screen }
    }

    pub fn wire(&self) -> Vec<String> {
        let bytes = fs::read(self.folder.path().join("wire.debug")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
    }

    /// Waits for a new line with this text.
    pub fn wait_for(&mut self, text: &str) -> String {
        let started = Instant::now();
        loop {
            let wire = self.wire();
            let found =
                wire.iter().enumerate().skip(self.heard).find(|(_, line)| line.contains(text));
            if let Some((index, line)) = found {
                self.heard = index + 1;
                return line.clone();
            }
            let tail = wire.len().saturating_sub(30);
            assert!(started.elapsed() < PATIENCE, "no `{text}` in\n{}", wire[tail..].join("\n"));
            sleep(MOMENT / 5);
        }
    }

    pub fn wait_for_end(&mut self, patience: Duration) {
        let started = Instant::now();
        while self.xboard.try_wait().expect("a child can be asked").is_none() {
            assert!(started.elapsed() < patience, "XBoard does not end");
            sleep(MOMENT);
        }
    }

    pub fn forget_wire(&mut self) {
        self.heard = self.wire().len();
    }

    pub fn count_new(&self, text: &str) -> usize {
        self.wire().iter().skip(self.heard).filter(|line| line.contains(text)).count()
    }

    /// The board's window: its ID, and x, y, width and height. Its title names the engine, the
    /// players or the file.
    pub fn window(&self) -> (String, [i32; 4]) {
        self.window_named(r"(^xboard:| vs\. |\.pgn)")
    }

    /// Waits for a window with a matching title.
    pub fn window_named(&self, pattern: &str) -> (String, [i32; 4]) {
        let started = Instant::now();
        loop {
            if let Some(window) = found_window(pattern) {
                return window;
            }
            assert!(started.elapsed() < PATIENCE, "there is no window named {pattern}");
            sleep(MOMENT);
        }
    }

    pub fn expect_no_window(&self, pattern: &str) {
        let started = Instant::now();
        while found_window(pattern).is_some() {
            assert!(started.elapsed() < PATIENCE, "a window named {pattern} stays");
            sleep(MOMENT);
        }
    }

    /// The middle of a point on the screen. The board has the window's width and is at its bottom.
    fn middle_of(&self, point: Point) -> (i32, i32) {
        let (_, [x, y, width, height]) = self.window();
        let square = width / i32::from(Point::FILES);
        let left = x + (width - square * i32::from(Point::FILES)) / 2;
        let bottom = y + height - 2;
        (
            left + square * i32::from(point.file()) + square / 2,
            bottom - square * i32::from(point.rank()) - square / 2,
        )
    }

    fn point_at(&self, point: Point) {
        let (x, y) = self.middle_of(point);
        told(&["mousemove", &x.to_string(), &y.to_string()]);
        sleep(MOMENT);
    }

    pub fn click(&self, point: Point) {
        self.point_at(point);
        told(&["click", "1"]);
        sleep(MOMENT);
    }

    pub fn lift(&mut self, point: Point) {
        self.click(point);
        self.wait_for("highlight ");
    }

    pub fn put(&mut self, mv: Move) {
        self.click(mv.to);
        self.wait_for(&format!(" : {mv}"));
    }

    pub fn make(&mut self, mv: Move) {
        self.lift(mv.from);
        self.put(mv);
    }

    /// Promotes in one drag: each pull back selects the next piece, from queen to archbishop,
    /// knight, bishop and rook; then drags it to the last rank.
    pub fn promote_by_drag(&mut self, from: Point, to: Point, pulls: i32) {
        self.point_at(from);
        told(&["mousedown", "1"]);
        self.wait_for("choice ");
        sleep(MOMENT);
        let (x, y) = self.middle_of(from);
        let back = if to.rank() == 0 { -PULL } else { PULL };
        for choice in 1..=pulls {
            told(&["mousemove", &x.to_string(), &(y + back * choice).to_string()]);
            sleep(2 * MOMENT);
        }
        self.point_at(to);
        told(&["mouseup", "1"]);
        self.wait_for(&format!(" : {from}{to}"));
    }

    /// Promotes by clicks: holds the pawn on the last rank and pulls it back.
    pub fn promote(&mut self, from: Point, to: Point, pulls: i32) {
        self.click(from);
        self.wait_for("choice ");
        let (x, y) = self.middle_of(to);
        let back = if to.rank() == 0 { -PULL } else { PULL };
        self.point_at(to);
        told(&["mousedown", "1"]);
        sleep(MOMENT);
        for choice in 1..=pulls {
            told(&["mousemove", &x.to_string(), &(y + back * choice).to_string()]);
            sleep(2 * MOMENT);
        }
        told(&["mouseup", "1"]);
        self.wait_for(&format!(" : {from}{to}"));
    }

    pub fn press(&self, key: &str) {
        let (window, _) = self.window();
        self.press_in(&window, key);
    }

    pub fn press_in(&self, window: &str, key: &str) {
        told(&["windowfocus", "--sync", window]);
        told(&["key", "--window", window, key]);
        sleep(2 * MOMENT);
    }

    pub fn paste(&mut self, fen: &str) {
        put_into_clipboard(fen);
        self.forget_wire();
        self.press("ctrl+shift+v");
        self.wait_for("setboard ");
        sleep(4 * MOMENT);
    }

    pub fn paste_game(&mut self, pgn: &str) {
        put_into_clipboard(pgn);
        self.press("ctrl+v");
        sleep(4 * MOMENT);
    }

    pub fn shown(&self) -> String {
        self.press("ctrl+shift+c");
        let output = Command::new("xclip")
            .args(["-o", "-selection", "clipboard"])
            .output()
            .expect("xclip starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.split_ascii_whitespace().next().unwrap_or_default().to_owned()
    }

    pub fn expect_shown(&self, position: &Position) {
        let expected = pieces(position);
        let started = Instant::now();
        loop {
            let shown = self.shown();
            if shown == expected {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "{shown} is shown instead of {expected}");
            sleep(MOMENT);
        }
    }

    pub fn reply(&mut self, game: &Game) -> Move {
        let line = self.wait_for("<first : move ");
        let text = line.rsplit(' ').next().unwrap_or_default();
        let mv = Move::parse(text).expect("the engine writes moves by their points");
        assert!(game.position().is_legal(mv), "{mv} in {}", game.position());
        mv
    }

    pub fn picture(&self, name: &str) {
        take_picture(&self.window().0, name);
    }

    pub fn picture_of_screen(&self, name: &str) {
        take_picture("root", name);
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let _ = self.xboard.kill();
        let _ = self.xboard.wait();
        self.folder.disable_cleanup(std::thread::panicking());
    }
}

/// The first field of a position's FEN.
pub fn pieces(position: &Position) -> String {
    position.fen().split(' ').next().unwrap_or_default().to_owned()
}

fn take_picture(window: &str, name: &str) {
    let Ok(folder) = std::env::var("QIRKAT_SCREENSHOTS") else { return };
    let file = PathBuf::from(folder).join(format!("{name}.png"));
    let taken = Command::new("import").args(["-window", window]).arg(file).status();
    assert!(taken.is_ok_and(|status| status.success()), "no picture of {name}");
}

fn put_into_clipboard(text: &str) {
    let mut clipboard = Command::new("xclip")
        .args(["-selection", "clipboard"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("xclip starts");
    let mut pipe = clipboard.stdin.take().expect("its input is piped");
    std::io::Write::write_all(&mut pipe, text.as_bytes()).expect("xclip reads");
    drop(pipe);
    clipboard.wait().expect("xclip ends");
}

/// The last window with a matching title: its ID, and x, y, width and height.
fn found_window(pattern: &str) -> Option<(String, [i32; 4])> {
    let found = told(&["search", "--onlyvisible", "--name", pattern]);
    let window = found.lines().last()?;
    let shell = told(&["getwindowgeometry", "--shell", window]);
    let value = |name: &str| shell.lines().find_map(|line| line.strip_prefix(name)?.parse().ok());
    let geometry = [value("X=")?, value("Y=")?, value("WIDTH=")?, value("HEIGHT=")?];
    Some((window.to_owned(), geometry))
}

fn told(arguments: &[&str]) -> String {
    let output = Command::new("xdotool").args(arguments).output().expect("xdotool starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
