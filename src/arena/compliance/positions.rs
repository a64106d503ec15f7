//! The positions that the checks use.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use qirkat_game::Rules;
use qirkat_rules::chesquerque::{Color, Game, Move, Piece, PieceKind, Point, Position};
use qirkat_rules::chess::board_text;

use crate::engine_process::position_command;

const OPENINGS: [&str; 4] =
    ["e2e4", "e2e4 e8e6", "b2b3 h8h7 b1c3", "a2a3 i8i7 h2h3 b8b7 h1g3 b9c7 g3h1"];
/// Plies of the random games.
const GAME_PLIES: [usize; 4] = [20, 41, 60, 81];

const MIDDLE: &str = "r3k3r/pp2b1ppp/2n1q1a2/2pp1p3/4P1N2/2PB1P3/1P1Q1AP1P/P2N5/R3K3R w KQkq - 0 1";
/// 342 legal moves: more than a byte can count.
const CROWDED: &str =
    "1A1A1AAQQ/P1A1A1A2/1A1A1A2A/A1A1A1A2/1A1A1A2Q/A1A1A1A2/1A1A1A2A/K1A1A4/Q2AAAA1k w - - 0 60";
/// Various positions; all but the first have something special.
pub(super) const FENS: [&str; 9] = [
    "rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1",
    "rnbqkabnr/pppp1pppp/9/4p4/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 2",
    "rnbqkabnr/ppppppppp/9/9/9/4P4/9/PPPP1PPPP/RNBQKABNR b KQkq - 0 1",
    MIDDLE,
    CROWDED,
    // Partial castling rights.
    "r3k3r/9/9/9/9/9/9/9/R3K3R b Qk - 12 40",
    // Without clocks.
    "4k4/2p1p4/9/3P1P3/9/9/9/9/4K4 b - -",
    // High clocks.
    "4k4/9/5r3/9/9/9/3R5/9/4K4 w - - 98 700",
    // In check.
    "4k4/9/9/9/4r4/9/9/9/R3K3R w KQ - 0 1",
];

/// Castling and what follows. In the last ones the rook gives check and only one move is legal.
pub(super) const CASTLINGS: [(&str, &str); 12] = [
    (CASTLING, "e1h1"),
    (CASTLING, "e1b1"),
    (CASTLING, "e1h1 e9b9"),
    (CASTLING, "e1b1 e9h9"),
    ("r3k3r/9/9/9/9/9/9/9/R3K3R b KQkq - 0 1", "e9h9"),
    ("r3k3r/9/9/9/9/9/9/9/R3K3R b KQkq - 0 1", "e9b9"),
    ("9/5a3/9/8A/9/6k2/9/9/RQ2K3R w KQ - 0 1", "e1h1"),
    ("7B1/9/9/6k2/9/9/4A4/p8/R3K3R w KQ - 0 1", "e1h1"),
    ("9/6q2/9/9/9/2k4p1/R8/9/R3K3R w KQ - 0 1", "e1b1"),
    ("1Q7/r8/9/9/P8/2k6/9/9/R3K3R w KQ - 0 1", "e1b1"),
    ("r3k3r/P8/4a4/9/9/6K2/9/9/7b1 b kq - 0 1", "e9h9"),
    ("r3k3r/9/r8/2K4P1/9/9/9/6Q2/9 b kq - 0 1", "e9b9"),
];
const CASTLING: &str = "r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq - 0 1";

/// En passant: first played in `moves`, then available, by FEN or after a double step, as the only
/// legal move.
pub(super) const EN_PASSANTS: [(&str, &str); 8] = [
    ("4k4/9/9/3Pp4/9/9/9/9/4K4 w - e7 0 1", "d6e7"),
    ("4k4/4p4/9/3P5/9/9/9/9/4K4 b - - 0 1", "e8e6 d6e7"),
    ("4k4/9/9/9/9/3pP4/9/9/4K4 b - e3 0 1", "d4e3"),
    ("5K3/7r1/3n5/3Ppk3/9/9/9/9/9 w - e7 0 1", ""),
    ("9/9/1k7/pP7/9/2a6/3K5/9/9 w - a7 0 1", ""),
    ("9/9/9/9/9/3pPK3/3N5/7R1/5k3 b - e3 0 1", ""),
    ("9/6p2/5q3/5P3/5a3/4K4/9/9/8k b - - 0 1", "g8g6"),
    ("1k7/4p1a2/5K3/5P3/9/9/9/9/9 b - - 0 1", "e8e6"),
];

/// Positions in which every legal move is a promotion by this step, for both sides.
const PROMOTIONS: [(&str, &str); 2] = [
    ("9/6P2/3a5/4K4/9/9/9/9/k8 w - - 0 1", "g8g9"),
    ("K8/9/9/9/9/4k4/3A5/6p2/9 b - - 0 1", "g2g1"),
];

const BAD_POSITIONS: [&str; 38] = [
    "position",
    "position fen",
    "position startposition",
    "position moves e2e4",
    "position nonsense moves e2e4",
    "position rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1",
    // Wrong board size.
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "position fen rnbqkabnr/ppppppppp/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1",
    "position fen rnbqkabnr/ppppppppp/9/9/9/9/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1",
    "position fen rnbqkabnr/pppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1",
    "position fen rnbqkabnr/ppppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1",
    "position fen rnbqkabnr/ppppppppp/9/9/99/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1",
    "position fen rnbqkabnr/ppppppppp/9/9/0/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1",
    "position fen rnbqkabnr//ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1",
    "position fen ///////// w - - 0 1",
    "position fen 9 w - - 0 1",
    // Wrong pieces.
    "position fen rnbqkcbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1",
    "position fen rnbqkabnr/ppppppppp/9/9/4é4/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1",
    "position fen 9/9/9/9/9/9/9/9/9 w - - 0 1",
    "position fen 9/9/9/9/9/9/9/9/4K4 w - - 0 1",
    "position fen 4k4/9/9/9/4k4/9/9/9/4K4 w - - 0 1",
    "position fen kkkkkkkkk/9/9/9/9/9/9/9/KKKKKKKKK w - - 0 1",
    "position fen 4k3P/9/9/9/9/9/9/9/p3K4 w - - 0 1",
    "position fen 4k4/9/9/9/4R4/9/9/9/4K4 w - - 0 1",
    // Wrong other fields.
    "position fen 4k4/9/9/9/9/9/9/9/4K4",
    "position fen 4k4/9/9/9/9/9/9/9/4K4 x - - 0 1",
    "position fen 4k4/9/9/9/9/9/9/9/4K4 w",
    "position fen 4k4/9/9/9/9/9/9/9/4K4 w KQkqKQkqKQkqKQkq - 0 1",
    "position fen 4k4/9/9/9/9/9/9/9/4K4 w XYZ - 0 1",
    "position fen 4k4/9/9/9/9/9/9/9/4K4 w KQkq - 0 1",
    "position fen 4k4/9/9/9/9/9/9/9/4K4 w - z0 0 1",
    "position fen 4k4/9/9/9/9/9/9/9/4K4 w - e5 0 1",
    "position fen 4k4/9/9/9/9/9/9/9/4K4 w - e7 0 1",
    "position fen 4k4/9/9/9/9/9/9/9/4K4 w - - -1 -1",
    "position fen 4k4/9/9/9/9/9/9/9/4K4 w - - x y",
    "position fen 4k4/9/9/9/9/9/9/9/4K4 w - - 99999999999999999999 99999999999999999999",
    "position fen 4k4/9/9/9/9/9/9/9/4K4 w - - 0 1 and more of it",
    "position fen 4k4/9/9/9/9/9/9/9/4K4 moves e1e2",
];

const BAD_MOVES: [&str; 16] = [
    "e2e5",
    "e8e6",
    "e5e6",
    "e2e2",
    "e1h1",
    "e2e4 e2e4",
    "e2e4q",
    "e2",
    "e2e4e6",
    "z9z0",
    "0000",
    "e4",
    "Nc3",
    "O-O",
    "moves moves e2e4",
    "é2é4",
];

const LONG_GAMES: [usize; 3] = [300, 301, 600];
/// The seed that gives a game of that length.
const LONG_GAME_SEED: u64 = 8;

/// Games with a draw to claim, which continue as long as no player claims it.
pub(super) const DRAWS: [(&str, &str); 5] = [
    (START, "b2b3 b8b7 b1c3 b9c7 c3b1 c7b9 b1c3 b9c7 c3b1 c7b9"),
    (START, "b2b3 b8b7 b1c3 b9c7 c3b1 c7b9 b1c3 b9c7 c3b1 c7b9 b1c3 b9c7 c3b1 c7b9"),
    ("4k4/9/5r3/9/9/9/3R5/9/4K4 w - - 99 90", "d3d4"),
    ("4k4/9/5r3/9/9/9/3R5/9/4K4 w - - 100 90", ""),
    ("4k4/9/9/9/9/9/9/9/4K4 w - - 0 90", ""),
];
const START: &str = FENS[0];

/// White mates in one.
pub(super) const MATE_IN_ONE: &str = "9/9/9/2Q6/9/9/1k7/3K5/9 w - - 0 60";
/// A middlegame, Black to move.
pub(super) const BLACKS_MIDDLE: &str =
    "r3k3r/pp2b1ppp/2n1q1a2/2pp1p3/4P1N2/2PB1P3/1P1Q1AP1P/P2N5/R3K3R b KQkq - 0 1";
pub(super) const TWO_MOVES: &str = "9/4K4/2r6/9/2k6/9/9/9/9 w - - 0 1";
/// One legal move.
pub(super) const FORCED: &str = "5K1k1/9/9/9/9/9/4r4/9/9 w - - 0 1";
/// Insufficient material.
pub(super) const DEAD: &str = "4k4/9/9/9/9/9/9/9/4K4 w - - 0 90";
/// Black is mated; White is mated.
pub(super) const MATED: [&str; 2] =
    ["9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60", "7k1/8K/9/9/9/9/8q/9/9 w - - 0 60"];
/// Black is stalemated; White is stalemated.
pub(super) const STALEMATED: [&str; 2] =
    ["9/3Q5/9/8K/9/8k/9/9/9 b - - 0 60", "9/9/9/8K/9/8k/9/3q5/9 w - - 0 60"];

#[derive(Clone, Debug)]
pub(super) struct Setup {
    start: String,
    moves: Vec<Move>,
    game: Game,
}

impl Setup {
    pub fn start() -> Setup {
        Setup { start: "startpos".to_owned(), moves: Vec::new(), game: Game::default() }
    }

    /// A position from the lists above, whose FENs are all valid.
    pub fn fen(fen: &str) -> Setup {
        match Setup::read(fen) {
            Some(setup) => setup,
            None => unreachable!("`{fen}` is a good FEN"),
        }
    }

    pub fn read(fen: &str) -> Option<Setup> {
        let position = Position::from_fen(fen).ok()?.position;
        let game = Game::from_position(position);
        Some(Setup { start: format!("fen {fen}"), moves: Vec::new(), game })
    }

    pub fn moves(mut self, moves: &str) -> Setup {
        for text in moves.split_ascii_whitespace() {
            match Move::parse(text) {
                Some(mv) if self.position().is_legal(mv) => self.play(mv),
                _ => unreachable!("{text} is legal in {}", self.position()),
            }
        }
        self
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
            self.play(mv);
        }
        self
    }

    pub fn play(&mut self, mv: Move) {
        self.game.play(mv);
        self.moves.push(mv);
    }

    pub fn position(&self) -> &Position {
        self.game.position()
    }

    pub fn legal(&self) -> Vec<String> {
        self.position().legal_moves().iter().map(Move::to_string).collect()
    }

    pub fn command(&self) -> String {
        position_command(&self.start, &self.moves)
    }
}

pub(super) fn games() -> impl Iterator<Item = Setup> {
    let games = (0..).zip(GAME_PLIES).map(|(seed, plies)| Setup::start().wander(plies, seed));
    openings().into_iter().chain(games)
}

pub(super) fn openings() -> [Setup; 4] {
    OPENINGS.map(|moves| Setup::start().moves(moves))
}

/// Two positions with no legal move in common, so that an answer shows which one it belongs to.
pub(super) fn two_sides() -> [Setup; 2] {
    [Setup::start(), Setup::start().moves("e2e4")]
}

pub(super) fn after<'a>(table: &'a [(&str, &str)]) -> impl Iterator<Item = Setup> + 'a {
    table.iter().map(|(fen, moves)| Setup::fen(fen).moves(moves))
}

pub(super) fn long_games() -> [Setup; 3] {
    LONG_GAMES.map(|plies| Setup::start().wander(plies, LONG_GAME_SEED))
}

/// For each point, a position with a lone king there to move.
pub(super) fn lone_kings() -> impl Iterator<Item = Setup> {
    Point::all().filter_map(lone_king)
}

pub(super) fn good_after_bad() -> [Setup; 2] {
    [Setup::start().moves(OPENINGS[2]), Setup::fen(MIDDLE)]
}

pub(super) fn bad_positions() -> impl Iterator<Item = String> {
    let endless = format!("position fen {} w - - 0 1", "9/".repeat(10_000));
    BAD_POSITIONS.iter().map(|&line| line.to_owned()).chain([endless])
}

pub(super) fn bad_moves() -> impl Iterator<Item = String> {
    let beyond_mate = format!("position fen {MATE_IN_ONE} moves c6c3 b3a3");
    BAD_MOVES.iter().map(|moves| format!("position startpos moves {moves}")).chain([beyond_mate])
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
        let fen = format!("{} {letter} - - 0 1", board_text(piece));
        let is_good = |setup: &Setup| !setup.position().in_check() && !setup.legal().is_empty();
        Setup::read(&fen).filter(is_good)
    })
}

/// Every promotion played, and positions in which one is forced.
pub(super) fn promotions() -> impl Iterator<Item = Setup> {
    PROMOTIONS.iter().flat_map(|(fen, step)| {
        let letters = PieceKind::PROMOTIONS.map(PieceKind::letter);
        let made = letters.map(|letter| Setup::fen(fen).moves(&format!("{step}{letter}")));
        made.into_iter().chain([Setup::fen(fen)])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_good_and_has_moves() {
        let tables = after(&CASTLINGS).chain(after(&EN_PASSANTS)).chain(after(&DRAWS));
        let setups = tables.chain(promotions()).chain(FENS.map(Setup::fen)).chain(openings());
        for setup in setups {
            assert!(!setup.legal().is_empty(), "{}", setup.command());
        }
        assert_eq!(lone_kings().count(), Point::COUNT);
        for (setup, plies) in long_games().iter().zip(LONG_GAMES) {
            let words = ["position", "startpos", "moves"].len();
            assert_eq!(setup.command().split(' ').count(), words + plies);
        }
    }

    #[test]
    fn a_single_move_shows_that_the_last_was_understood() {
        let forced = |setup: &Setup| setup.legal().len() == 1;
        assert_eq!(after(&CASTLINGS).filter(forced).count(), 6);
        let captures = after(&EN_PASSANTS).filter(forced).filter(|setup| {
            let passed = setup.position().en_passant().map(|target| target.passed.to_string());
            passed.is_some_and(|passed| setup.legal()[0].ends_with(&passed))
        });
        assert_eq!(captures.count(), 5);
        for (fen, step) in PROMOTIONS {
            assert!(Setup::fen(fen).legal().iter().all(|mv| mv.starts_with(step)), "{fen}");
        }
    }

    #[test]
    fn positions_are_what_they_are_said_to_be() {
        let count = |fen| Setup::fen(fen).legal().len();
        let is_check = |fen| Setup::fen(fen).position().in_check();
        assert!(MATED.iter().all(|fen| count(fen) == 0 && is_check(fen)));
        assert!(STALEMATED.iter().all(|fen| count(fen) == 0 && !is_check(fen)));
        assert_eq!((count(FORCED), count(TWO_MOVES)), (1, 2));
        assert!(count(BLACKS_MIDDLE) > 3);
        assert!(Setup::fen(DEAD).position().is_dead());
        let mate = Setup::fen(MATE_IN_ONE).moves("c6c3");
        assert!(mate.legal().is_empty() && mate.position().in_check());
        let [white, black] = two_sides().map(|setup| setup.legal());
        assert!(white.iter().all(|mv| !black.contains(mv)));
    }
}
