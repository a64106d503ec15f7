//! `qirkat xboard`: starts XBoard as a graphical board, wherever it is installed.

use std::ffi::OsString;
use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use crate::shared::files::AtPath;
use crate::shared::games::for_each_game_to_copy;
use crate::shared::options::{SearchResources, time_control};
use qirkat_analysis::casual::TimeControl;
use qirkat_engine::FULL_SKILL;
use qirkat_rules::chesquerque::Point;
use qirkat_rules::pgn::Notation;
use qirkat_rules::variant::Variant;
use qirkat_system::output_file::AtomicFile;

#[derive(Args)]
pub(crate) struct XboardOptions {
    /// Look at the games of this PGN file instead of playing; `-` is standard
    /// input
    #[arg(value_name = "GAMES", conflicts_with_all = ["side", "tc", "level", "opponent", "analyse", "threads", "hash", "eval_file", "table_path", "pgn"])]
    games_file: Option<PathBuf>,
    /// Look at this game of the file only; otherwise there is a list to choose
    /// from
    #[arg(long, value_name = "N", requires = "games_file", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
    /// The side you play
    #[arg(long, alias = "play", value_enum, default_value_t = Side::White, conflicts_with_all = ["opponent", "analyse"])]
    side: Side,
    /// Minutes (or minutes:seconds) for each side, and seconds added each move
    #[arg(long, alias = "time", value_name = "MINUTES[+SECONDS]", default_value = "10+5", conflicts_with = "analyse", value_parser = time_control)]
    tc: TimeControl,
    /// How well this engine plays, from 0 to 20
    #[arg(long, alias = "skill", value_name = "LEVEL", default_value_t = FULL_SKILL, conflicts_with = "analyse", value_parser = clap::value_parser!(u32).range(0..=i64::from(FULL_SKILL)))]
    level: u32,
    /// Watch engines play each other: this one against itself, or against COMMAND
    #[arg(long = "match", value_name = "COMMAND", num_args = 0..=1, default_missing_value = "")]
    opponent: Option<String>,
    /// Games of the match
    #[arg(long, value_name = "N", default_value_t = 2, requires = "opponent", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    games: u32,
    /// Analyse: move the pieces of both sides and see what the engine thinks
    #[arg(long, conflicts_with_all = ["opponent", "pgn"])]
    analyse: bool,
    #[command(flatten)]
    resources: SearchResources,
    /// Pixels between two points of the board
    #[arg(long, value_name = "PIXELS", default_value_t = 64, value_parser = clap::value_parser!(u32).range(20..=200))]
    size: u32,
    /// Write each finished game to this PGN file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Print the command instead of starting XBoard
    #[arg(long)]
    print: bool,
    /// Options for XBoard itself
    #[arg(value_name = "XBOARD OPTION", last = true)]
    more: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    White,
    Black,
}

pub(crate) const HELP: &str = "\
To move, drag a piece, or click it and then a marked point. A move that is not
legal is taken back, and a note says why; the next click closes it.

To castle, move the king three points.

To promote to another piece than a queen, pull the pawn back (away from the
last rank) before you carry it forward: each bit of the way back shows the next
of queen, archbishop, knight, bishop, rook. Pulling it back after it has been
on the last rank comes too late. With clicks: click the pawn, then press on the
last rank, pull back, and let go.

Ctrl+X takes a move back, Ctrl+N starts a new game, Ctrl+V pastes a game that
`qirkat pgn convert` has written.

Examples:
  White against the engine:
    qirkat xboard
  Black against an easy one, five minutes and three seconds a move:
    qirkat xboard --side black --level 5 --tc 5+3
  Look through games:
    qirkat xboard games.pgn";

/// Where Debian installs XBoard, which may be missing from the search path.
const DEBIAN_XBOARD: &str = "/usr/games/xboard";

const HOW_TO_INSTALL: &str = "\
XBoard was not found. It is a free chess board that can show this game:
    Debian, Ubuntu:  sudo apt install xboard
    Fedora:          sudo dnf install xboard
    Arch Linux:      sudo pacman -S xboard
    FreeBSD:         sudo pkg install xboard
    others:          https://www.gnu.org/software/xboard/";

const ON_WINDOWS: &str = "\
XBoard was not found. On Windows its sister WinBoard may show this game, which
nobody has tried: start engine-config\\winboard\\chesquerque.bat of the archive.
`qirkat board` plays in the browser, `qirkat play` in the terminal.";

pub(crate) fn run(options: &XboardOptions) -> anyhow::Result<()> {
    let engine = std::env::current_exe().context("the path of this program is unknown")?;
    let arguments = arguments(options, &engine)?;
    if options.print {
        writeln!(stdout(), "{}", as_typed("xboard", &arguments))?;
        return Ok(());
    }
    for program in ["xboard", DEBIAN_XBOARD] {
        log::debug!("{}", as_typed(program, &arguments));
        match Command::new(program).args(&arguments).status() {
            Ok(status) if status.success() => return Ok(()),
            Ok(status) => {
                let has_display = std::env::var_os("DISPLAY").is_some_and(|it| !it.is_empty());
                let hint = match cfg!(target_os = "linux") && !has_display {
                    true => "; DISPLAY names no screen, and `qirkat play` needs none",
                    false => "",
                };
                bail!("XBoard ended with {status}{hint}")
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).context("XBoard cannot be started"),
        }
    }
    bail!(if cfg!(windows) { ON_WINDOWS } else { HOW_TO_INSTALL })
}

/// XBoard's size option assumes eight squares a side; other numbers of squares get the same width.
const FILES_MEASURED: u32 = 8;
const CORNER: u32 = 8;
/// Pixels between the board and the window beside it: frames.
const GAP: u32 = 20;
/// The window beside the board fits a screen 1280 pixels wide.
const SIDE_WIDTH: u32 = 640;
const SIDE_HEIGHT: u32 = 420;

fn arguments(options: &XboardOptions, engine: &Path) -> anyhow::Result<Vec<OsString>> {
    let (xboard_options, games) = unpack_assets()?;
    let mut arguments = Arguments(vec![OsString::from("@")]);
    arguments.0[0].push(&xboard_options);
    arguments.add(&["-size", &board_size(options.size).to_string()]);
    match &options.games_file {
        Some(source) => {
            let (file, count) = convert_games(source, options.game, &games)?;
            arguments.show(file, count, options.size);
        }
        None => arguments.play(options, engine)?,
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    if !std::env::split_paths(&folders).any(|folder| folder.join("aplay").exists()) {
        // Without this, XBoard complains at every move.
        arguments.add(&["-soundProgram", ""]);
    }
    arguments.0.extend(options.more.iter().map(OsString::from));
    Ok(arguments.0)
}

/// Arguments in order; for repeated names XBoard uses the last.
struct Arguments(Vec<OsString>);

impl Arguments {
    fn add(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(OsString::from));
    }

    /// Replays games without an engine, step by step from the start; several are shown in a list.
    fn show(&mut self, games: PathBuf, count: u64, size: u32) {
        self.add(&["-ncp", "-timeDelay", "-1", "-loadGameFile"]);
        self.0.push(games.into());
        if count == 1 {
            self.add(&["-loadGameIndex", "1"]);
        } else {
            self.beside_the_board("gameList", size);
        }
    }

    fn play(&mut self, options: &XboardOptions, engine: &Path) -> anyhow::Result<()> {
        let engine = quoted(&engine.to_string_lossy());
        let seconds = options.tc.base / 1000;
        if !options.tc.base.is_multiple_of(1000) {
            bail!("--tc: clocks of XBoard begin with whole seconds");
        }
        let base = format!("{}:{:02}", seconds / 60, seconds % 60);
        let increment = (f64::from(options.tc.increment) / 1000.0).to_string();
        self.add(&["-fcp", &engine, "-tc", &base, "-inc", &increment]);
        self.add(&["-smpCores", &options.resources.threads(1).to_string()]);
        self.add(&["-defaultHashSize", &options.resources.hash.to_string()]);
        let settings = engine_settings(options)?;
        if !settings.is_empty() {
            self.add(&["-firstOptions", &settings]);
        }
        // The engine's thinking is hidden from a person who plays it.
        let plays = options.opponent.is_none() && !options.analyse;
        self.add(&["-hideThinkingFromHuman", if plays { "true" } else { "false" }]);
        match &options.opponent {
            Some(opponent) => {
                let is_itself = opponent.is_empty();
                if is_itself && !settings.is_empty() {
                    self.add(&["-secondOptions", &settings]);
                }
                self.add(&["-scp", if is_itself { &engine } else { opponent }]);
                self.add(&["-mode", "TwoMachines", "-mg", &options.games.to_string()]);
                // Keeps the last position on screen until this message is closed.
                self.add(&["-popupExitMessage", "true"]);
            }
            None if options.analyse => {
                self.add(&["-mode", "Analysis", "-engineOutputUp", "true"]);
                self.beside_the_board("engineOutput", options.size);
            }
            None if options.side == Side::Black => self.add(&["-mode", "MachineWhite"]),
            // White begins, and the engine answers each move.
            None => {}
        }
        if let Some(file) = &options.pgn {
            self.add(&["-saveGameFile"]);
            self.0.push(file.clone().into());
        }
        Ok(())
    }

    /// Puts a window to the right of the board, which it would otherwise cover, and the board into
    /// the corner. Positions are relative to the board.
    fn beside_the_board(&mut self, window: &str, size: u32) {
        let corner = CORNER.to_string();
        self.add(&["-x", &corner, "-y", &corner]);
        let left = u32::from(Point::FILES) * size + GAP;
        for (side, value) in [("X", left), ("Y", 0), ("W", SIDE_WIDTH), ("H", SIDE_HEIGHT)] {
            self.add(&[&format!("-{window}{side}"), &value.to_string()]);
        }
    }
}

/// The board size that puts points this many pixels apart.
fn board_size(distance: u32) -> u32 {
    let files = u32::from(Point::FILES);
    (distance * files + FILES_MEASURED / 2) / FILES_MEASURED
}

fn engine_settings(options: &XboardOptions) -> anyhow::Result<String> {
    let mut settings = Vec::new();
    if options.level < FULL_SKILL {
        settings.push(format!("Skill Level={}", options.level));
    }
    let eval_file = &options.resources.eval_file;
    if let Some(name) = eval_file.other_than_embedded() {
        // Fail here, where the message is seen.
        eval_file.evaluation(Variant::Chesquerque)?;
        settings.push(setting("EvalFile", "--eval-file", name)?);
    }
    if let Some(name) = options.resources.table_path.other_than_embedded() {
        options.resources.table_path.tables()?;
        settings.push(setting("TablePath", "--table-path", name)?);
    }
    Ok(settings.join(","))
}

fn setting(name: &str, option: &str, value: &str) -> anyhow::Result<String> {
    if value.contains(',') {
        bail!("{option}: XBoard splits `{value}` at the comma");
    }
    Ok(format!("{name}={value}"))
}

fn quoted(command: &str) -> String {
    if command.contains(' ') { format!("\"{command}\"") } else { command.to_owned() }
}

fn as_typed(program: &str, arguments: &[OsString]) -> String {
    let words: Vec<_> = arguments.iter().map(|text| text.to_string_lossy()).collect();
    let words = std::iter::once(program).chain(words.iter().map(|text| text.as_ref()));
    // Only a NUL cannot be quoted, and arguments have none.
    shlex::try_join(words).unwrap_or_default()
}

/// Writes games (or only number `wanted`, from 1) to a file in the folder, as XBoard reads them,
/// and returns their number. Fails if there is none.
fn convert_games(
    source: &Path,
    wanted: Option<u64>,
    folder: &Path,
) -> anyhow::Result<(PathBuf, u64)> {
    // XBoard shows the name.
    let name = source.file_name().filter(|name| *name != "-");
    let file = folder.join(name.unwrap_or("games.pgn".as_ref()));
    let mut copy = AtomicFile::create(&file).at_path(&file)?;
    let mut count = 0;
    for_each_game_to_copy(&[source.to_owned()], wanted, None, |_, read| {
        read.game.write_to(&mut copy.content, Notation::Lan)?;
        count += 1;
        Ok(true)
    })?;
    match wanted {
        Some(number) if count == 0 => bail!("{}: no sound game {number}", source.display()),
        None if count == 0 => bail!("{}: no sound game", source.display()),
        _ => {}
    }
    copy.finish().at_path(&file)?;
    Ok((file, count))
}

const OPTIONS: &str = include_str!(concat!(env!("QIRKAT_CONFIG"), "/xboard/chesquerque.xop"));
const BOARD: &[u8] = include_bytes!(concat!(env!("QIRKAT_CONFIG"), "/xboard/chesquerque-9x9.png"));
const WHITE_ARCHBISHOP: &[u8] =
    include_bytes!(concat!(env!("QIRKAT_CONFIG"), "/xboard/pieces/WhiteArchbishop.svg"));
const BLACK_ARCHBISHOP: &[u8] =
    include_bytes!(concat!(env!("QIRKAT_CONFIG"), "/xboard/pieces/BlackArchbishop.svg"));

/// Writes the files that XBoard needs to the user's cache folder. Returns the options file and the
/// folder for games to view.
fn unpack_assets() -> anyhow::Result<(PathBuf, PathBuf)> {
    let base = dirs::cache_dir().unwrap_or_else(std::env::temp_dir);
    let folder = base.join("qirkat").join("xboard");
    let (pieces, games) = (folder.join("pieces"), folder.join("games"));
    for folder in [&pieces, &games] {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    // The options file names other files relative to its own folder; XBoard resolves such names
    // from the working directory.
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
    Ok((path, games))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_as_far_apart_as_wanted() {
        for distance in 20..=200 {
            let files = u32::from(Point::FILES);
            let width = board_size(distance) * FILES_MEASURED;
            assert_eq!((width + files / 2) / files, distance);
        }
    }
}
