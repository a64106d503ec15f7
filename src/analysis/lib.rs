//! The engine as a teacher and an opponent of people: [`review`] says what each move of a game was
//! worth and why, [`suite`] counts the test positions that the search solves, [`puzzles`] mines
//! such positions and has thousands of them, [`casual`] is a game against a person.
//!
//! It knows no protocol, no terminal and no page: its results are values and sentences, which
//! `qirkat annotate`, `qirkat play` and the board show. It starts no threads.
//!
//! Begin with [`review::review_game`], which goes through a game from its last move to its first.
//! The engine answers it as [`review::EngineAnalyst`]; `review::claims` verifies what is said of a
//! line, `review::reason` puts it into words, and [`review::annotate`] writes it as PGN.

pub mod casual;
pub mod puzzles;
pub mod review;
pub mod suite;

#[cfg(test)]
mod test_lines {
    use qirkat_rules::variant::{AnyGame, AnyMove};

    pub fn play(game: &mut AnyGame, moves: &str) -> Vec<AnyMove> {
        let mut play = |text| {
            let mv = game.position().read_move(text).expect(text);
            game.play(mv);
            mv
        };
        moves.split_whitespace().map(&mut play).collect()
    }
}
