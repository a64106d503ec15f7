//! Analyses a position and prints each line as it is found:
//! `cargo run --example analyse_position -- "FEN" SECONDS`.
//!
//! Without a FEN it is the starting position, and without a time one second.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use qirkat::{Game, Limits, Position, SearchLine, Searcher};

fn main() -> ExitCode {
    match analyse() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn analyse() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let position: Position =
        arguments.next().map(|fen| fen.parse()).transpose()?.unwrap_or_default();
    let seconds = arguments.next().map(|text| text.parse()).transpose()?.unwrap_or(1.0);
    println!("{}", position.picture());

    let game = Game::from_position(position);
    if let Some(outcome) = game.outcome() {
        println!("The game is over: {outcome}.");
        return Ok(());
    }
    let limits = Limits::movetime(Duration::try_from_secs_f64(seconds)?);
    let result = Searcher::new()?.search_reporting(&game, &limits, &mut |line: &SearchLine| {
        // Moves are legal one after the other, so they can be written as people do.
        let moves = position.san_line(&line.moves).join(" ");
        println!("depth {:2}  {:>8}  {:>9} nodes  {moves}", line.depth, line.score, line.nodes);
    });
    if let Some(best) = result.best {
        println!("\nbest move: {}", position.san(best));
    }
    Ok(())
}
