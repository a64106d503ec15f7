//! A game in progress: the current position and how it was reached.

use crate::rules::{GameHistory, Outcome, Rules};
use crate::text::MoveTextError;

/// A position that can parse moves in text form, and explain why a move is illegal.
pub trait ReadMove: Rules {
    type IllegalMove;

    /// Reads a move in coordinate form or in the game's notation.
    ///
    /// # Errors
    /// When the text is not a legal move.
    fn read_move(&self, text: &str) -> Result<Self::Move, MoveTextError<Self::IllegalMove>>;

    /// Why a move is illegal; none if it is legal.
    fn why_illegal(&self, mv: Self::Move) -> Option<Self::IllegalMove>;
}

/// A game in progress: the current position, the moves that led to it, and the
/// keys of the earlier positions for the repetition rule.
///
/// ```
/// use qirkat::{Game, Position};
///
/// let mut game = Game::default();
/// game.play("e2e4".parse()?);
/// game.play("e8e6".parse()?);
/// assert_eq!(game.moves().len(), 2);
/// // Taking moves back leads to the positions before.
/// game.undo();
/// assert_eq!(game.undo(), Some("e2e4".parse()?));
/// assert_eq!(*game.position(), Position::default());
/// assert_eq!(game.undo(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameState<G: Rules> {
    start: G,
    moves: Vec<G::Move>,
    position: G,
    history: GameHistory,
}

impl<G: Rules> GameState<G> {
    pub fn from_position(start: G) -> GameState<G> {
        GameState { start, moves: Vec::new(), position: start, history: GameHistory::new() }
    }

    /// The same game with positions and moves of other types; none if one of them has no
    /// counterpart. Keys are unchanged.
    pub fn convert<P: Rules>(
        &self,
        position: impl Fn(G) -> Option<P>,
        mv: impl Fn(G::Move) -> Option<P::Move>,
    ) -> Option<GameState<P>> {
        Some(GameState {
            start: position(self.start)?,
            moves: self.moves.iter().map(|&played| mv(played)).collect::<Option<_>>()?,
            position: position(self.position)?,
            history: self.history.clone(),
        })
    }

    pub const fn position(&self) -> &G {
        &self.position
    }

    pub const fn start(&self) -> &G {
        &self.start
    }

    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// The positions before the current one.
    pub const fn history(&self) -> &GameHistory {
        &self.history
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: G::Move) {
        self.history.push(&self.position);
        self.moves.push(mv);
        self.position.make(mv);
    }

    /// Takes back the last move and returns it; none at the start. The remaining moves are
    /// replayed, which takes a fraction of a microsecond each.
    pub fn undo(&mut self) -> Option<G::Move> {
        let undone = self.moves.pop()?;
        self.history.pop();
        self.position = self.start;
        for &mv in &self.moves {
            self.position.make(mv);
        }
        Some(undone)
    }

    /// How the game has ended, if it has.
    ///
    /// ```
    /// use qirkat::{DrawReason, Game, Outcome};
    ///
    /// let mut game = Game::from_position("4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1".parse()?);
    /// for text in "a1b1 e9e8 b1a1 e8e9 a1b1 e9e8 b1a1 e8e9".split(' ') {
    ///     assert_eq!(game.outcome(), None);
    ///     game.play(text.parse()?);
    /// }
    /// assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Repetition)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome(&self.history)
    }
}

impl<G: Rules> Default for GameState<G> {
    fn default() -> GameState<G> {
        GameState::from_position(G::start())
    }
}

impl<G: ReadMove> GameState<G> {
    /// Makes a move if it is legal.
    ///
    /// # Errors
    /// When the move is illegal; the game is then unchanged.
    pub fn try_play(&mut self, mv: G::Move) -> Result<(), G::IllegalMove> {
        match self.position.why_illegal(mv) {
            None => {
                self.play(mv);
                Ok(())
            }
            Some(reason) => Err(reason),
        }
    }

    /// Makes a move given in coordinate form or in the game's notation, and returns it; see
    /// [`ReadMove::read_move`].
    ///
    /// ```
    /// use qirkat::Game;
    ///
    /// let mut game = Game::default();
    /// game.play_text("e4")?;
    /// game.play_text("e8e6")?;
    /// let error = game.play_text("Ka5").unwrap_err();
    /// assert_eq!(error.to_string(), "a king on a diagonal point moves one step in any direction, or castles");
    /// assert_eq!(game.moves().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the text is not a legal move; the game is then unchanged.
    pub fn play_text(&mut self, text: &str) -> Result<G::Move, MoveTextError<G::IllegalMove>> {
        let mv = self.position.read_move(text)?;
        self.play(mv);
        Ok(mv)
    }
}
