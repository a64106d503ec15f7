//! Plays a game against itself and prints it as PGN:
//! `cargo run --example self_play -- NODES`.
//!
//! NODES is how many positions are visited for each move, 5000 if it is left out.

use std::error::Error;
use std::process::ExitCode;

use qirkat::{Game, GameResult, Limits, PgnGame, Searcher};

/// Longer games are broken off.
const MAX_PLIES: usize = 400;

fn main() -> ExitCode {
    match play() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn play() -> Result<(), Box<dyn Error>> {
    let nodes = std::env::args().nth(1).map(|text| text.parse()).transpose()?.unwrap_or(5000);

    // One searcher plays both sides; what it learns for one move helps with the next.
    let mut searcher = Searcher::new()?;
    let mut game = Game::default();
    while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
        let Some(best) = searcher.search(&game, &Limits::nodes(nodes)).best else { break };
        game.play(best);
    }

    let mut record = PgnGame::from_position(*game.start());
    record.set_tag("White", "Qirkat");
    record.set_tag("Black", "Qirkat");
    record.moves = game.moves().iter().map(|&mv| mv.into()).collect();
    record.result = game.outcome().map_or(GameResult::Unfinished, GameResult::from);
    print!("{record}");
    match game.outcome() {
        Some(outcome) => eprintln!("{} plies, {outcome}", game.moves().len()),
        None => eprintln!("{} plies, broken off", game.moves().len()),
    }
    Ok(())
}
