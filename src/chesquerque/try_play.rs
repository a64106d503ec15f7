//! Making moves that may be illegal: from a person or another program.

use super::chesquerque_game::Game;
use super::illegal_move::{IllegalMove, MoveTextError};
use super::move_list::Move;
use super::position::Position;

impl Position {
    /// The position after a move, which need not be legal.
    ///
    /// ```
    /// use qirkat::{IllegalMove, Position};
    ///
    /// let position = Position::start().try_play("e2e4".parse()?)?;
    /// let error = position.try_play("e4e5".parse()?).unwrap_err();
    /// assert!(matches!(error, IllegalMove::WrongColor { .. }));
    /// assert_eq!(error.to_string(), "it is Black's turn, and the pawn on e4 is White's");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the move is not legal.
    pub fn try_play(&self, mv: Move) -> Result<Position, IllegalMove> {
        match self.why_illegal(mv) {
            None => Ok(self.play(mv)),
            Some(reason) => Err(reason),
        }
    }
}

impl Game {
    /// Makes a move, which need not be legal.
    ///
    /// # Errors
    /// When the move is not legal; the game stays as it is.
    pub fn try_play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        match self.position().why_illegal(mv) {
            None => {
                self.play(mv);
                Ok(())
            }
            Some(reason) => Err(reason),
        }
    }

    /// Makes a move that is written by its points or in algebraic notation, and
    /// returns it; see [`Position::read_move`].
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
    /// When the text is no move, or no legal one; the game stays as it is.
    pub fn play_text(&mut self, text: &str) -> Result<Move, MoveTextError> {
        let mv = self.position().read_move(text)?;
        self.play(mv);
        Ok(mv)
    }
}
