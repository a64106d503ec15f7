//! Positions to set up for an engine, with the game they lead to.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use qirkat_game::Rules;
use qirkat_rules::chesquerque::{Game, Move, Position};

use crate::uci_client::position_command;

/// A `position` command, and the game it leads to.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    start: String,
    moves: Vec<Move>,
    game: Game,
}

impl Setup {
    /// The usual starting position.
    pub fn start() -> Setup {
        Setup { start: "startpos".to_owned(), moves: Vec::new(), game: Game::default() }
    }

    /// A position from the lists of the checks, whose FENs are all good.
    pub fn fen(fen: &str) -> Setup {
        match Setup::read(fen) {
            Some(setup) => setup,
            None => unreachable!("`{fen}` is a good FEN"),
        }
    }

    /// A position, if this is a good FEN.
    pub fn read(fen: &str) -> Option<Setup> {
        let position = Position::from_fen(fen).ok()?.position;
        let game = Game::from_position(position);
        Some(Setup { start: format!("fen {fen}"), moves: Vec::new(), game })
    }

    /// The game after more moves, which are all legal.
    pub fn moves(mut self, moves: &str) -> Setup {
        for text in moves.split_ascii_whitespace() {
            match Move::parse(text) {
                Some(mv) if self.position().is_legal(mv) => self.play(mv),
                _ => unreachable!("{text} is legal in {}", self.position()),
            }
        }
        self
    }

    /// The game after up to this many random moves, the same with each seed. No
    /// move ends it.
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

    /// The moves that are legal, as text.
    pub fn legal(&self) -> Vec<String> {
        self.position().legal_moves().iter().map(Move::to_string).collect()
    }

    pub fn command(&self) -> String {
        position_command(&self.start, &self.moves)
    }
}
