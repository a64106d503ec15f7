//! A game record: tags, moves, comments, result.

use crate::variant::{AnyGame, AnyMove, AnyPosition, Variant};
use qirkat_game::{GameResult, Rules};

/// Variations within variations are read and written to this depth, far beyond what
/// people can follow.
pub const DEEPEST_VARIATION: usize = 16;

/// A game with all that PGN records of it.
///
/// ```
/// use qirkat_rules::chesquerque::Game;
/// use qirkat_rules::pgn::PgnGame;
///
/// let mut game = Game::default();
/// game.play_text("e4")?;
/// let mut record = PgnGame::from_position(*game.start());
/// record.set_tag("White", "Ann");
/// record.moves = game.moves().iter().map(|&mv| mv.into()).collect();
/// assert!(record.to_string().ends_with("1. e4 *\n\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    /// Names and values in their order, such as `White` and `Qirkat`. Tags that follow from
    /// the other fields (`Result`, `Variant`, `SetUp`, `FEN`) need not be among them: they
    /// are added when the game is written.
    pub tags: Vec<(String, String)>,
    /// Where the game started.
    pub start: AnyPosition,
    /// The comment before the first move, without braces.
    pub opening_comment: Option<String>,
    /// The moves, all legal.
    pub moves: Vec<PgnMove>,
    /// How the game ended.
    pub result: GameResult,
}

/// A move with its annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnMove {
    /// The move. In a variation it may be the [null move](AnyMove::null).
    pub mv: AnyMove,
    /// Numeric annotation glyphs (NAG): 1 for `!`, 2 for `?`. The reader keeps a number above
    /// 255, which PGN does not define, in the comment.
    pub nags: Vec<u8>,
    /// The comment behind it, without braces.
    pub comment: Option<String>,
    /// Lines that could have been played in its place, written behind it.
    pub variations: Vec<Vec<PgnMove>>,
}

impl<M: Into<AnyMove>> From<M> for PgnMove {
    fn from(mv: M) -> PgnMove {
        PgnMove { mv: mv.into(), nags: Vec::new(), comment: None, variations: Vec::new() }
    }
}

impl PgnGame {
    /// A game without tags, moves and result.
    pub fn from_position(start: impl Into<AnyPosition>) -> PgnGame {
        PgnGame {
            tags: Vec::new(),
            start: start.into(),
            opening_comment: None,
            moves: Vec::new(),
            result: GameResult::Unfinished,
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Gives a tag this value, in its old place or behind all others.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name.to_owned(), value.into())),
        }
    }

    /// The game after its last move, with the positions before. A move that
    /// is not legal ends it early.
    pub fn final_game(&self) -> AnyGame {
        let mut game = AnyGame::from_position(self.start);
        for played in &self.moves {
            if !game.position().is_legal(played.mv) {
                break;
            }
            game.play(played.mv);
        }
        game
    }
}

impl Default for PgnGame {
    /// A game of Chesquerque from the usual starting position.
    fn default() -> PgnGame {
        PgnGame::from_position(Variant::Chesquerque.start())
    }
}
