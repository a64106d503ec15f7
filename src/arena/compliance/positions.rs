//! The positions that the checks use.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use qirkat_game::Rules;
use qirkat_rules::chesquerque::{Color, Game, Move, Piece, PieceKind, Point, Position};
use qirkat_rules::chess::board_text;

use super::script;
use crate::engine_process::position_command;

#[derive(Clone, Debug)]
pub(super) struct Setup {
    start: String,
    game: Game,
}

impl Setup {
    pub fn start() -> Setup {
        Setup { start: "startpos".to_owned(), game: Game::default() }
    }

    /// `startpos` or `fen FEN`, perhaps with `moves MOVES` or `wander PLIES SEED` behind it; `None`
    /// if anything is wrong.
    fn read(text: &str) -> Option<Setup> {
        if let Some((text, numbers)) = text.split_once(" wander ") {
            let (plies, seed) = numbers.split_once(' ')?;
            return Some(Setup::read(text)?.wander(plies.parse().ok()?, seed.parse().ok()?));
        }
        let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        let mut setup = Setup::start();
        if let Some(fen) = start.strip_prefix("fen ") {
            let position = Position::from_fen(fen).ok()?.position;
            setup = Setup { start: start.to_owned(), game: Game::from_position(position) };
        }
        for text in moves.split_ascii_whitespace() {
            let mv = Move::parse(text).filter(|&mv| setup.position().is_legal(mv))?;
            setup.game.play(mv);
        }
        Some(setup)
    }

    /// Plays up to this many random moves, the same for each seed. None ends the game.
    pub fn wander(mut self, plies: usize, seed: u64) -> Setup {
        let mut rng = StdRng::seed_from_u64(seed);
        for _ in 0..plies {
            let mut open = self.position().legal_moves();
            open.retain(|&mv| {
                let mut next = self.game.clone();
                next.play(mv);
                next.outcome().is_none()
            });
            let Some(&mv) = open.choose(&mut rng) else { break };
            self.game.play(mv);
        }
        self
    }

    pub fn position(&self) -> &Position {
        self.game.position()
    }

    pub fn legal(&self) -> Vec<String> {
        self.position().legal_moves().iter().map(Move::to_string).collect()
    }

    pub fn command(&self) -> String {
        position_command(&self.start, self.game.moves())
    }
}

/// The positions of a list in the script, or those of `lone-kings`.
pub(super) fn positions(name: &str) -> Vec<Setup> {
    match script::positions(name) {
        Some(lines) => lines.filter_map(Setup::read).collect(),
        None => Point::all().filter_map(lone_king).collect(),
    }
}

/// A position with a lone king on this point to move; colours alternate.
fn lone_king(point: Point) -> Option<Setup> {
    let (side, letter) =
        if point.is_diagonal() { (Color::White, 'w') } else { (Color::Black, 'b') };
    let elsewhere = || Point::all().filter(move |&other| other != point);
    let pairs = elsewhere().flat_map(|king| elsewhere().map(move |rook| (king, rook)));
    pairs.filter(|(king, rook)| king != rook).find_map(|(king, rook)| {
        let piece = |place: Point| {
            let (color, kind) = match place {
                _ if place == point => (side, PieceKind::King),
                _ if place == king => (!side, PieceKind::King),
                _ if place == rook => (!side, PieceKind::Rook),
                _ => return None,
            };
            Some(Piece { color, kind }.letter())
        };
        let is_good = |setup: &Setup| !setup.position().in_check() && !setup.legal().is_empty();
        Setup::read(&format!("fen {} {letter} - - 0 1", board_text(piece))).filter(is_good)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists of positions with the number of legal moves in each, if it is the same.
    #[test]
    fn positions_are_what_they_are_said_to_be() {
        for (name, count, moves) in [
            ("start", 1, None),
            ("black", 1, None),
            ("openings", 4, None),
            ("random-games", 4, None),
            ("long-games", 3, None),
            ("middlegame", 1, None),
            ("fens", 8, None),
            ("castling", 6, None),
            ("castling-with-check", 6, Some(1)),
            ("en-passant", 3, None),
            ("forced-en-passant", 5, Some(1)),
            ("promotions", 10, None),
            ("forced-promotions", 2, None),
            ("draws", 5, None),
            ("mate-in-one", 1, None),
            ("black-middlegame", 1, None),
            ("two-moves", 1, Some(2)),
            ("one-move", 1, Some(1)),
            ("dead", 1, None),
            ("mated", 2, Some(0)),
            ("stalemated", 2, Some(0)),
            ("lone-kings", Point::COUNT, None),
        ] {
            let setups = positions(name);
            assert_eq!(setups.len(), count, "{name}");
            for setup in setups {
                let legal = setup.legal();
                assert!(moves.map_or(!legal.is_empty(), |moves| moves == legal.len()), "{name}");
                let position = setup.position();
                assert!(name != "stalemated" || !position.in_check());
                assert!(name != "mated" || position.in_check());
                assert!(name != "dead" || position.is_dead());
                let is_promotion = |mv: &String| mv.len() == 5;
                assert!(name != "forced-promotions" || legal.iter().all(is_promotion));
                if name == "forced-en-passant" {
                    let passed = position.en_passant().map(|target| target.passed.to_string());
                    assert!(passed.is_some_and(|passed| legal[0].ends_with(&passed)), "{legal:?}");
                }
            }
        }
        let lengths = positions("long-games").into_iter().map(|setup| setup.game.moves().len());
        assert_eq!(lengths.collect::<Vec<_>>(), [300, 301, 600]);
        let [white, black] = ["start", "black"].map(|name| positions(name)[0].legal());
        assert!(white.iter().all(|mv| !black.contains(mv)));
        let mate = Setup::read("fen 9/9/9/2Q6/9/9/1k7/3K5/9 w - - 0 60 moves c6c3");
        assert!(mate.is_some_and(|mate| mate.legal().is_empty() && mate.position().in_check()));
    }
}
