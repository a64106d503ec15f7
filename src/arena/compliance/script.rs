//! The checks as data. In `checks.txt` a line without indentation begins a check or a list of
//! positions; repeated steps are indented below the line that repeats them.

use std::sync::LazyLock;

use derive_more::Debug;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use qirkat_game::Rules;
use qirkat_rules::chesquerque::{Color, Game, Move, Piece, PieceKind, Point, Position};
use qirkat_rules::chess::board_text;

use crate::engine_process::position_command;

#[derive(Debug)]
#[debug("{name}")]
pub struct Check {
    /// A short name, stable across versions.
    pub name: &'static str,
    pub title: &'static str,
    pub(super) needs: &'static [&'static str],
    pub(super) steps: &'static [Step],
}

/// A line of the script, with the lines indented below it.
#[derive(Debug)]
pub(super) struct Step {
    pub text: &'static str,
    pub block: Vec<Step>,
}

/// The checks that others need. Each needs those before it.
const NEEDED: [&str; 4] = ["uci", "ready", "startpos", "info"];

pub static CHECKS: LazyLock<Vec<Check>> = LazyLock::new(|| {
    let check = |section: &'static Step| {
        let (head, title) = section.text.split_once(": ")?;
        let (name, needed) = head.split_once(" after ").unwrap_or((head, ""));
        let count = NEEDED.iter().position(|name| *name == needed).map_or(0, |index| index + 1);
        Some(Check { name, title, needs: &NEEDED[..count], steps: &section.block })
    };
    SECTIONS.iter().filter_map(check).collect()
});

static SECTIONS: LazyLock<Vec<Step>> = LazyLock::new(|| {
    let is_comment = |line: &str| line.is_empty() || line.starts_with('#');
    let lines = include_str!("checks.txt").lines().filter(|line| !is_comment(line.trim_start()));
    steps(&lines.collect::<Vec<_>>())
});

fn steps(lines: &[&'static str]) -> Vec<Step> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut found = Vec::new();
    let mut rest = lines;
    while let [line, below @ ..] = rest {
        let is_inside = |inner: &&&str| depth(inner) > depth(line);
        let (inside, after) = below.split_at(below.iter().take_while(is_inside).count());
        found.push(Step { text: line.trim_start(), block: steps(inside) });
        rest = after;
    }
    found
}

/// The argument of a `position` command.
#[derive(Clone, Debug)]
pub(super) struct TestPosition {
    start: String,
    game: Game,
}

impl TestPosition {
    pub fn start() -> TestPosition {
        TestPosition { start: "startpos".to_owned(), game: Game::default() }
    }

    /// Parses `startpos` or `fen FEN`, optionally followed by `moves MOVES` or `wander PLIES SEED`.
    fn read(text: &str) -> Option<TestPosition> {
        if let Some((text, numbers)) = text.split_once(" wander ") {
            let (plies, seed) = numbers.split_once(' ')?;
            return Some(TestPosition::read(text)?.wander(plies.parse().ok()?, seed.parse().ok()?));
        }
        let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        let mut setup = TestPosition::start();
        if let Some(fen) = start.strip_prefix("fen ") {
            let position = Position::from_fen(fen).ok()?.position;
            setup = TestPosition { start: start.to_owned(), game: Game::from_position(position) };
        }
        for text in moves.split_ascii_whitespace() {
            let mv = Move::parse(text).filter(|&mv| setup.position().is_legal(mv))?;
            setup.game.play(mv);
        }
        Some(setup)
    }

    /// Plays up to this many random moves that do not end the game. A seed gives the same moves.
    pub fn wander(mut self, plies: usize, seed: u64) -> TestPosition {
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
pub(super) fn positions(name: &str) -> Vec<TestPosition> {
    let is_list = |section: &&Step| section.text.strip_prefix("positions ") == Some(name);
    match SECTIONS.iter().find(is_list) {
        Some(section) => {
            section.block.iter().filter_map(|line| TestPosition::read(line.text)).collect()
        }
        None => Point::all().filter_map(lone_king).collect(),
    }
}

/// A position with a lone king on this point to move; colours alternate.
fn lone_king(point: Point) -> Option<TestPosition> {
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
        let is_good =
            |setup: &TestPosition| !setup.position().in_check() && !setup.legal().is_empty();
        TestPosition::read(&format!("fen {} {letter} - - 0 1", board_text(piece))).filter(is_good)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_good_and_checks_come_after_what_they_need() {
        for (index, check) in CHECKS.iter().enumerate() {
            let is_plain = |letter: char| letter.is_ascii_lowercase() || letter == '-';
            assert!(check.name.chars().all(is_plain), "{check:?}");
            assert!(check.name.len() <= 15 && check.title.len() <= 60, "{check:?}");
            assert!(!check.steps.is_empty(), "{check:?}");
            let earlier: Vec<&str> = CHECKS[..index].iter().map(|other| other.name).collect();
            assert!(!earlier.contains(&check.name), "{check:?}");
            assert!(check.needs.iter().all(|needed| earlier.contains(needed)), "{check:?}");
            assert!(index == 0 || !check.needs.is_empty(), "{check:?}");
        }
    }

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
        let mate = TestPosition::read("fen 9/9/9/2Q6/9/9/1k7/3K5/9 w - - 0 60 moves c6c3");
        assert!(mate.is_some_and(|mate| mate.legal().is_empty() && mate.position().in_check()));
    }
}
