use std::collections::HashSet;
use std::fs;

use qirkat::chesquerque::{Game, Move, Position};
use qirkat::pgn::{Notation, PgnGame, PgnMove};
use qirkat::variant::{AnyPosition, VariantGame};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::table::Table;
use crate::run::qirkat;
use qirkat_game::Rules;

/// Longer games are skipped.
const MOST_PLIES: usize = 400;

/// Moves that XBoard could replay wrongly.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Rare {
    ShortCastling,
    LongCastling,
    EnPassant,
    Promotion,
}

const KINDS: usize = 4;

fn rare(position: &Position, mv: Move) -> Option<Rare> {
    if position.is_castling(mv) {
        return Some(if mv.to < mv.from { Rare::LongCastling } else { Rare::ShortCastling });
    }
    if mv.promotion.is_some() {
        return Some(Rare::Promotion);
    }
    let takes_beside = position.captured(mv).is_some() && position.kind_on(mv.to).is_none();
    takes_beside.then_some(Rare::EnPassant)
}

/// A game from the initial position with all kinds of moves. Rare moves are made whenever they are
/// legal, the others at random.
fn game_with_everything() -> PgnGame {
    let played = |seed| {
        let mut random = StdRng::seed_from_u64(seed);
        let mut record = PgnGame::default();
        let mut game = Game::default();
        let mut seen = HashSet::new();
        while game.outcome().is_none() && record.moves.len() < MOST_PLIES && seen.len() < KINDS {
            let position = *game.position();
            let legal = position.legal_moves();
            let by_chance = legal[random.random_range(0..legal.len())];
            let rarest = legal.iter().find(|&&mv| rare(&position, mv).is_some());
            let mv = rarest.copied().unwrap_or(by_chance);
            seen.extend(rare(&position, mv));
            record.moves.push(PgnMove::from(mv));
            game.play(mv);
        }
        (seen.len() == KINDS).then_some(record)
    };
    (0..10_000).find_map(played).expect("some game has everything")
}

fn converted(file: &str) -> String {
    let output = qirkat(["pgn", "convert", file]).output().expect("the binary runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
#[ignore = "needs a screen: scripts/test-xboard"]
fn a_game_is_replayed() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("games.pgn");
    let game = game_with_everything();
    let text = format!("{}{game}", PgnGame::default().written_in(Notation::San));
    fs::write(&path, text).expect("a file for the test");
    let file = path.to_str().expect("a path in UTF-8");

    let table = Table::show(&[file, "--game", "2"]);
    table.expect_shown(position_of(&game.start));
    table.press("alt+End");
    table.expect_shown(position_of(game.final_game().position()));
    table.picture("game-from-file");
}

fn position_of(position: &AnyPosition) -> &Position {
    Position::own_position(position).expect("a position of Chesquerque")
}

/// A game in coordinates is pasted while the engine can analyse it.
#[test]
#[ignore = "needs a screen: scripts/test-xboard"]
fn a_game_is_pasted() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("game.pgn");
    let game = game_with_everything();
    fs::write(&path, game.to_string()).expect("a file for the test");
    let text = converted(path.to_str().expect("a path in UTF-8"));

    let mut table = Table::open(&[], &["-timeDelay", "0"]);
    table.paste_game(&text);
    table.expect_shown(position_of(game.final_game().position()));
}
