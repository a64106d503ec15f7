//! A playing engine claims every end of a game once, with the right result, and nothing else.

use super::engine::Engine;
use super::grammar::is_claim;
use qirkat_testing::games::{Game, Standing, field, mirrored, turned};

/// A position and the move that ends the game there.
const ENDINGS: [(&str, &str); 16] = [
    // Mates, one of them with the hundredth quiet ply.
    ("9/9/9/2Q6/9/9/1k7/3K5/9 w - - 0 60", "c6c3"),
    ("9/9/9/2Q6/9/9/1k7/3K5/9 w - - 99 60", "c6c3"),
    ("9/9/9/8K/6Q2/8k/9/9/9 w - - 0 60", "g5i5"),
    ("k1K6/3R5/9/9/9/9/9/9/9 w - - 0 60", "d8b8"),
    ("9/9/9/9/9/1R5K1/9/7k1/R8 w - - 0 60", "b4b2"),
    // Stalemates, found by the reference generator.
    ("7k1/8K/9/9/9/9/5R3/9/9 w - - 0 60", "f3f8"),
    ("9/2k6/1A7/9/9/9/9/9/1K7 w - - 0 60", "b1a1"),
    ("9/9/9/k8/9/K8/1N7/9/5Q3 w - - 0 60", "f1f2"),
    // The last piece that could mate is captured.
    ("9/9/9/9/3k5/9/2r6/2K6/9 w - - 0 60", "c2c3"),
    ("9/9/9/9/5k3/9/2p6/2K6/9 w - - 0 60", "c2c3"),
    ("9/9/9/9/5k3/8n/2b6/2K6/9 w - - 0 60", "c2c3"),
    ("9/9/9/9/5k3/8n/2q6/2K5N/9 w - - 0 60", "c2c3"),
    // A hundred quiet plies.
    ("4k4/4r4/9/9/9/9/9/4R4/4K4 w - - 99 90", "e1d1"),
    ("4k4/4r4/9/9/9/9/9/4R4/4K4 w - - 99 90", "e2e3"),
    ("4k4/9/9/9/9/9/9/3R5/4K4 w - - 99 90", "e1f1"),
    ("r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq - 99 90", "e1h1"),
];

fn endings() -> impl Iterator<Item = (String, String, &'static str)> {
    let both = |(fen, text): (&str, &str)| {
        [(fen.to_owned(), text.to_owned()), (mirrored(fen), turned(text))]
    };
    ENDINGS.into_iter().flat_map(both).map(|(fen, text)| {
        let after = Game::from_fen(&fen).moves(&text);
        (fen, text, claim(&after))
    })
}

pub fn claim(game: &Game) -> &'static str {
    match game.standing() {
        Standing::Open => panic!("the game goes on in {}", game.fen()),
        Standing::Drawn => "1/2-1/2 {",
        Standing::Mated if field(&game.fen(), 1) == "w" => "0-1 {Black mates}",
        Standing::Mated => "1-0 {White mates}",
    }
}

fn claims(engine: &Engine, said: &[String], wanted: &str) {
    if !matches!(said, [only] if is_claim(only) && only.starts_with(wanted)) {
        engine.fail(&format!("{wanted} is claimed once, not {said:?}"));
    }
}

/// After the opponent's last move the engine claims instead of moving, once. After its own it
/// moves, then claims. Told to play a finished game, it claims and does not move. In force mode it
/// claims nothing, and the board takes further moves if there are any.
#[test]
fn every_end_is_claimed_once() {
    let mut engine = Engine::greeted();
    for (fen, text, wanted) in endings() {
        engine.silently(&format!("new\nforce\nsetboard {fen}\nsd 3\nplayother"));
        let said = engine.answer(&format!("usermove {text}"));
        claims(&engine, &said, wanted);
        engine.silently(&format!("result {wanted}x}}\nforce\nundo"));
        engine.expect_position(&Game::from_fen(&fen));
        let said = engine.answer(&format!("exclude all\ninclude {text}\ngo"));
        assert_eq!(said.first(), Some(&format!("move {text}")), "{fen}: {said:?}");
        claims(&engine, &said[1..], wanted);
        engine.silently("force");
        let said = engine.answer("go");
        claims(&engine, &said, wanted);
        engine.silently(&format!("force\nsetboard {fen}\nusermove {text}"));
        engine.expect_position(&Game::from_fen(&fen).moves(&text));
        engine.silently("undo\nput e4");
    }
    engine.expect_silence();
    engine.silently("new\nsd 2");
    engine.plays(&mut Game::start(), "e2e4");
}

#[test]
fn threefold_repetition_is_a_draw() {
    let round = "e1e2 e9e8 e2e1 e8e9";
    let moves = format!("e2e4 e8e6 {round} {round} e1e2 e9e8");
    let (earlier, last) = moves.rsplit_once(' ').expect("many moves");
    let mut engine = Engine::greeted();
    let mut game = Game::start();
    engine.silently("force");
    for text in earlier.split(' ') {
        assert_eq!(game.standing(), Standing::Open);
        engine.force_move(&mut game, text);
    }
    engine.silently("sd 2\nplayother");
    let said = engine.answer(&format!("usermove {last}"));
    assert_eq!(Game::start().moves(&moves).standing(), Standing::Drawn);
    claims(&engine, &said, "1/2-1/2 {");
    engine.silently("force\nundo");
    engine.expect_position(&game);
    let said = engine.answer(&format!("exclude all\ninclude {last}\ngo"));
    assert_eq!(said.first(), Some(&format!("move {last}")), "{said:?}");
    claims(&engine, &said[1..], "1/2-1/2 {");
    // After `setboard` this is the first occurrence.
    let mut fresh = Game::from_fen(&game.fen());
    engine.silently(&format!("force\nsetboard {}\nplayother", game.fen()));
    let rest = engine.plays(&mut fresh, last);
    assert!(rest.is_empty(), "{rest:?}");
}
