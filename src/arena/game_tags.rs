//! The tags of PGN that tell which game of a match it is.

use super::schedule::ScheduledGame;
use qirkat_notation::pgn::PgnGame;

/// The number of the game, from 1.
const NUMBER_TAG: &str = "GameNumber";
/// The number of its pair, from 1, where every game has a return from the same opening.
const PAIR_TAG: &str = "GamePair";

/// Writes down which game of a match it is.
pub fn tag_game(pgn: &mut PgnGame, game: &ScheduledGame, is_paired: bool) {
    pgn.set_tag(NUMBER_TAG, (game.number + 1).to_string());
    if is_paired {
        pgn.set_tag(PAIR_TAG, (game.pair + 1).to_string());
    }
}

/// The game's number, from 1, if it tells one.
pub fn number_of(pgn: &PgnGame) -> Option<usize> {
    pgn.tag(NUMBER_TAG)?.parse().ok()
}

/// The number of the pair that the game belongs to, from 1, if it tells one.
pub fn pair_of(pgn: &PgnGame) -> Option<usize> {
    pgn.tag(PAIR_TAG)?.parse().ok()
}
