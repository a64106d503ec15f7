//! `qirkat board`: a board in the browser.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;

use super::complaint::complain;
use super::interrupt;
use crate::web::Server;

#[derive(Args)]
pub(super) struct BoardOptions {
    /// The port to serve on; any that is free when not given
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Only print the address, do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Where games are kept; the user's folder for such data when not given
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
}

/// Serves the page until Ctrl-C.
pub(super) fn run(options: &BoardOptions) -> anyhow::Result<()> {
    let folder = options.games.clone().unwrap_or_else(games_folder);
    let server = Server::bind(options.port, folder)?;
    let stop = interrupt::flag()?;
    let address = server.address();
    writeln!(stdout(), "{address}")?;
    if options.no_open {
        complain("open this address in a browser; Ctrl-C ends the server");
    } else if let Err(error) = open::that_detached(&address) {
        complain(format_args!("no browser could be started ({error}): open this address in one"));
    } else {
        complain("the board is in your browser; Ctrl-C ends the server");
    }
    server.serve(&stop)?;
    Ok(())
}

/// Where games are kept when nobody says otherwise.
fn games_folder() -> PathBuf {
    let base = dirs::data_dir().unwrap_or_else(std::env::temp_dir);
    base.join("qirkat").join("board")
}
