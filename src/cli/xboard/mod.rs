//! `qirkat xboard`: a board, pieces and a mouse. Starts XBoard, wherever it is.

mod assets;
mod call;

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use self::assets::Assets;
use super::resources::SearchResources;
use qirkat_engine::FULL_SKILL;

#[derive(Args)]
pub(super) struct XboardOptions {
    /// Look at the games of this PGN file instead of playing; `-` is standard
    /// input
    #[arg(value_name = "GAMES", conflicts_with_all = ["play", "time", "skill", "opponent", "analyse", "threads", "hash", "eval_file", "table_path", "pgn"])]
    games_file: Option<PathBuf>,
    /// Look at this game of the file only; otherwise there is a list to choose
    /// from
    #[arg(long, value_name = "N", requires = "games_file", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
    /// The side you play
    #[arg(long, value_enum, default_value_t = Side::White, conflicts_with_all = ["opponent", "analyse"])]
    play: Side,
    /// Minutes (or minutes:seconds) for each side, and seconds added each move
    #[arg(
        long,
        value_name = "MINUTES[+SECONDS]",
        default_value = "10+5",
        conflicts_with = "analyse"
    )]
    time: String,
    /// How well this engine plays, from 0 to 20
    #[arg(long, value_name = "LEVEL", default_value_t = FULL_SKILL, conflicts_with = "analyse", value_parser = clap::value_parser!(u32).range(0..=i64::from(FULL_SKILL)))]
    skill: u32,
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

/// Whom the person plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Side {
    White,
    Black,
}

/// The end of the help: things that XBoard does not tell by itself.
pub(super) const HELP: &str = "\
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
    qirkat xboard --play black --skill 5 --time 5+3
  Look through games:
    qirkat xboard games.pgn";

/// Where Debian puts games, which is not on everybody's search path.
const GAMES_FOLDER: &str = "/usr/games/xboard";

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

/// Shows the board until its window is closed.
pub(super) fn run(options: &XboardOptions) -> anyhow::Result<()> {
    let engine = std::env::current_exe().context("where is this program?")?;
    let assets = Assets::unpack()?;
    let arguments = call::arguments(options, &engine, &assets)?;
    if options.print {
        writeln!(stdout(), "{}", call::as_typed("xboard", &arguments))?;
        return Ok(());
    }
    for program in ["xboard", GAMES_FOLDER] {
        log::debug!("{}", call::as_typed(program, &arguments));
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
