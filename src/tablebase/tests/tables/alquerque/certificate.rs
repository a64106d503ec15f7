//! The built-in certificate of the starting position wins every game.

use qirkat_game::{Color, GameState, Outcome, Rules};
use qirkat_rules::alquerque::Position;
use qirkat_tablebase::alquerque::MenTables;
use qirkat_testing::effort;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::slow::Position as Slow;

/// Replies are random, the longest defence, or a mixture.
#[test]
fn the_built_in_certificate_wins_every_game() {
    let tables = MenTables::with_embedded();
    let mut rng = StdRng::seed_from_u64(31);
    for game_number in 0..effort([60, 400, 20_000]) {
        let by_chance = f64::from(game_number as u32 % 5) / 4.0;
        let mut game: GameState<Position> = GameState::default();
        let mut slow = Slow::from_fen(&game.position().to_string()).expect("the start");
        let mut most = None;
        while game.outcome().is_none() {
            let position = *game.position();
            let mv = if position.side_to_move() == Color::White {
                let (mv, plies) = tables.certain_move(&position).expect("a move for it");
                assert!(most.is_none_or(|most| plies < most), "{position}: {plies} plies");
                most = Some(plies);
                mv
            } else {
                assert_eq!(tables.certain_move(&position), None, "{position}");
                let mut moves = position.legal_moves();
                let plies_after = |mv| tables.certain_move(&position.after(mv)).map(|(_, it)| it);
                if !rng.random_bool(by_chance) {
                    let longest = moves.iter().map(|&mv| plies_after(mv)).max();
                    moves.retain(|&mv| Some(plies_after(mv)) == longest);
                }
                *moves.choose(&mut rng).expect("the game goes on")
            };
            slow = slow.play(&mv.to_string()).expect("the slow generator has it too");
            game.play(mv);
            assert_eq!(slow.to_fen(), game.position().to_string());
        }
        let won = [Outcome::NoPieces(Color::White), Outcome::Blocked(Color::White)];
        assert!(won.contains(&game.outcome().expect("over")), "{:?}", game.moves());
    }
}

/// A strategy knows no unreachable positions, nor any with too few plies left on the clock.
#[test]
fn a_strategy_knows_only_its_own_positions() {
    let tables = MenTables::with_embedded();
    let read = |fen: &str| Position::from_fen(fen).expect("a FEN").position;
    for fen in [
        "mmmmm/mmmmm/mmMMM/M1MMM/MMMMM b - - 0 1",
        "mmmmm/mmmmm/mm1MM/MMMMM/MMMM1 w - - 0 1",
        "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w - - 100 60",
    ] {
        assert_eq!(tables.certain_move(&read(fen)), None, "{fen}");
    }
    let start = read("mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w - - 0 1");
    let (first, plies) = tables.certain_move(&start).expect("it wins");
    assert_eq!((first.to_string().as_str(), plies), ("c2c3", 93));
    assert_eq!(MenTables::new().certain_move(&start), None);
}
