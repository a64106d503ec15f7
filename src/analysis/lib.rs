//! The engine as a teacher and an opponent of people: [`review`] rates each move of a game and says
//! why, [`suite`] counts the test positions that the search solves, [`puzzles`] mines such
//! positions and includes thousands of them, [`casual`] is a game against a person, [`book`] builds
//! opening books, [`position_data`] is what tables and books know, for other programs.
//!
//! It depends on no protocol, terminal or page: its results are values and sentences, shown by the
//! board, `qirkat annotate` and `qirkat play`. It starts no threads.
//!
//! Begin with [`review::review_game`], which goes through a game from its last move to its first.
//! It queries the engine through [`review::EngineAnalyst`]; `review::claims` verifies the claims
//! about a line, `review::reason` puts them into words, and [`review::annotate`] writes it as PGN.

pub mod book;
pub mod casual;
pub mod position_data;
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
