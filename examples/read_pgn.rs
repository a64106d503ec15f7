//! Reads a file of games and prints a line for each, with the position it ended in:
//! `cargo run --example read_pgn -- FILE`, or from standard input.
//!
//! A game that cannot be read is reported with its line, and the next one is read.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::process::ExitCode;

use qirkat::PgnReader;

fn main() -> ExitCode {
    match read_games() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn read_games() -> Result<(), Box<dyn Error>> {
    let input: Box<dyn BufRead> = match std::env::args().nth(1) {
        Some(path) => Box::new(BufReader::new(File::open(path)?)),
        None => Box::new(stdin().lock()),
    };
    let mut faults = 0;
    for read in PgnReader::new(input) {
        match read {
            Ok(found) => {
                let tag = |name| found.game.tag(name).unwrap_or("?");
                let last = found.game.final_game();
                println!(
                    "{}. {} - {}  {}  {} plies  {}",
                    found.number,
                    tag("White"),
                    tag("Black"),
                    found.game.result,
                    last.moves().len(),
                    last.position()
                );
            }
            Err(error) => {
                eprintln!("{error}");
                faults += 1;
            }
        }
    }
    if faults > 0 { Err(format!("games that cannot be read: {faults}").into()) } else { Ok(()) }
}
