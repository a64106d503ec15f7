//! `qirkat board`: a board in the browser.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use crate::shared::exit_status::{fail_if_interrupted, interrupt_flag};
use crate::shared::options::TablePath;
use crate::shared::terminal::{print_message, report};
use qirkat_board::server::{ListenAddress, Server, ServerOptions};

#[derive(Args)]
pub(crate) struct BoardOptions {
    /// The port to serve on, 0 for any that is free; when not given, the port of the first start
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Give the board a new address: whoever knows the old one is shut out. Otherwise it is
    /// the same each time, kept with the games
    #[arg(long)]
    new_address: bool,
    /// Let other machines in the network reach the board: an address or name of this one,
    /// or 0.0.0.0 for all its addresses, optionally with a port as in 0.0.0.0:8080.
    /// Without it, only this machine can
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<ListenAddress>,
    /// Watch the match that writes its games to this file (`qirkat match -pgnout FILE -live`)
    #[arg(long, value_name = "FILE")]
    watch: Option<PathBuf>,
    /// Answer questions about positions over HTTP, from endgame tables and opening books:
    /// GET /api/tables?fen=FEN and /api/book?fen=FEN, from anyone and without the token
    #[arg(long)]
    api: bool,
    #[command(flatten)]
    table_path: TablePath,
    /// Only print the address, do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Folder for games; one in the user's data folder when not given
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    games: Option<PathBuf>,
}

pub(crate) const HELP: &str = "\
Examples:
  Play and analyse; games are saved in your data folder:
    qirkat board
  A port of your choice, and another folder for games:
    qirkat board --port 8080 --games games
  Watch a match that was started with -pgnout match.pgn -live:
    qirkat board --watch match.pgn
  Answer other programs about positions, with tables of your own:
    qirkat board --no-open --api --port 8080 --table-path tables";

pub(crate) fn run(options: &BoardOptions) -> anyhow::Result<()> {
    let listen = options.listen.clone().unwrap_or_default();
    let port = match (listen.port, options.port) {
        (Some(port), Some(other)) if other != 0 && other != port => {
            bail!("--listen gives port {port}, but --port {other}")
        }
        (listen, port) => listen.or(port),
    };
    let server = Server::bind(ServerOptions {
        listen: listen.clone(),
        port,
        new_address: options.new_address,
        games: options.games.clone().unwrap_or_else(|| {
            dirs::data_dir().unwrap_or_else(std::env::temp_dir).join("qirkat").join("board")
        }),
        watch: options.watch.clone(),
        tables: options.table_path.tables()?.unwrap_or_default(),
        api: options.api,
    })?;
    let stop = interrupt_flag();
    let address = server.address();
    report(&address);
    server.notices.iter().for_each(print_message);
    if !listen.is_loopback() {
        print_message(
            "warning: other machines can reach this board. Anyone who has the address above can \
             see and change the games here and let this machine compute; nothing is encrypted, so \
             use it in networks that you trust",
        );
    }
    if let Some(address) = server.api_address() {
        print_message(format_args!("{address}tables and {address}book answer about positions"));
    }
    if listen.is_any() {
        print_message("on other machines, replace 127.0.0.1 by the address of this one");
    }
    if options.no_open {
        print_message("open this address in a browser; Ctrl-C ends the server");
    } else if let Err(error) = server.opening_page().and_then(open::that_detached) {
        print_message(format_args!(
            "no browser could be started ({error}): open this address in one"
        ));
    } else {
        print_message(
            "the board is in your browser, or open this address there; Ctrl-C ends the server",
        );
    }
    server.serve(&stop)?;
    fail_if_interrupted()
}
