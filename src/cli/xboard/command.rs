//! Starts XBoard, wherever it is.

use std::io::{Write, stdout};
use std::process::Command;

use anyhow::{Context, bail};

use super::assets::Assets;
use super::call;
use super::xboard_options::XboardOptions;

/// Where Debian puts games, which is not on everybody's search path.
const GAMES_FOLDER: &str = "/usr/games/xboard";

const HOW_TO_INSTALL: &str = "\
XBoard was not found. It is a free chess board that can show this game:
    Debian, Ubuntu:  sudo apt install xboard
    Fedora:          sudo dnf install xboard
    Arch Linux:      sudo pacman -S xboard
    FreeBSD:         sudo pkg install xboard
    others:          https://www.gnu.org/software/xboard/";

/// Shows the board until its window is closed.
pub(crate) fn run(options: &XboardOptions) -> anyhow::Result<()> {
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
            Ok(status) => bail!("XBoard ended with {status}"),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).context("XBoard cannot be started"),
        }
    }
    bail!("{HOW_TO_INSTALL}")
}
