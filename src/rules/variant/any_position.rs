//! A position of any game, and its rules.

use derive_more::{Display, From};
use thiserror::Error;

use super::any_move::AnyMove;
use super::name::Variant;
use crate::{alquerque, chesquerque, masonic, of_each_game};
use qirkat_game::{
    Color, GameHistory, GameState, Key, MoveFilter, Outcome, Rules, Searchable, Terminal,
};

/// A game in progress, of any kind.
pub type AnyGame = GameState<AnyPosition>;

/// A position of one game or another, shown as FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, From)]
pub enum AnyPosition {
    /// Of Chesquerque.
    Chesquerque(chesquerque::Position),
    /// Of Masonic chess.
    Masonic(masonic::Position),
    /// Of Alquerque.
    Alquerque(alquerque::Position),
}

impl Variant {
    /// The usual starting position.
    pub fn start(self) -> AnyPosition {
        match self {
            Variant::Chesquerque => AnyPosition::Chesquerque(Rules::start()),
            Variant::Masonic => AnyPosition::Masonic(Rules::start()),
            Variant::Alquerque => AnyPosition::Alquerque(Rules::start()),
        }
    }

    /// A game from the usual starting position.
    pub fn new_game(self) -> AnyGame {
        AnyGame::from_position(self.start())
    }
}

impl AnyPosition {
    /// Which game it belongs to.
    pub const fn variant(&self) -> Variant {
        match self {
            AnyPosition::Chesquerque(_) => Variant::Chesquerque,
            AnyPosition::Masonic(_) => Variant::Masonic,
            AnyPosition::Alquerque(_) => Variant::Alquerque,
        }
    }

    /// Whether the side to move is in check; false in games without kings.
    pub fn in_check(&self) -> bool {
        match self {
            AnyPosition::Chesquerque(position) => position.in_check(),
            AnyPosition::Masonic(position) => position.in_check(),
            AnyPosition::Alquerque(_) => false,
        }
    }

    /// The fullmove number of FEN: from 1, one higher after each move of Black.
    pub const fn fullmove_number(&self) -> u16 {
        of_each_game!(AnyPosition, self, position => position.fullmove_number())
    }

    /// Plies since the last capture or pawn move, as in FEN.
    pub const fn halfmove_clock(&self) -> u16 {
        of_each_game!(AnyPosition, self, position => position.halfmove_clock())
    }

    /// Plies until the 50-move rule draws the game: see
    /// [`Searchable::plies_to_clock_draw`].
    pub fn plies_to_clock_draw(&self) -> u16 {
        of_each_game!(AnyPosition, self, position => Searchable::plies_to_clock_draw(position))
    }

    /// The same with the sides exchanged. [`AnyPosition::flip_notice`] tells of castling rights
    /// that are lost.
    #[must_use]
    pub fn flipped(&self) -> AnyPosition {
        of_each_game!(AnyPosition, self, position => position.flipped().into())
    }

    /// The castling rights that [`AnyPosition::flipped`] cannot keep, in words; none if it keeps
    /// all. They are lost where the board is not symmetric that way.
    ///
    /// ```
    /// use qirkat_rules::variant::Variant;
    ///
    /// assert_eq!(Variant::Chesquerque.start().flip_notice(), None);
    /// let notice = Variant::Masonic.start().flip_notice();
    /// assert!(notice.is_some_and(|notice| notice.starts_with("castling: `KQkq` dropped")));
    /// ```
    pub fn flip_notice(&self) -> Option<String> {
        let lost = match self {
            AnyPosition::Chesquerque(position) => position.castling_lost_by_flipping(),
            AnyPosition::Masonic(position) => position.castling_lost_by_flipping(),
            AnyPosition::Alquerque(_) => return None,
        };
        (!lost.is_empty()).then(|| {
            format!(
                "castling: `{lost}` dropped, half a turn takes no king to where it castles from"
            )
        })
    }

    /// The position as FEN.
    pub fn fen(&self) -> String {
        of_each_game!(AnyPosition, self, position => position.fen())
    }

    /// The board drawn with letters and lines.
    pub fn picture(&self) -> String {
        of_each_game!(AnyPosition, self, position => position.picture().to_string())
    }

    /// The position after the side to move has passed ("null move"), which shows what the
    /// other side threatens. No legal move in any of the games.
    ///
    /// # Errors
    /// When a check must be answered, or the other side could not move.
    pub fn passed(&self) -> Result<AnyPosition, CannotPass> {
        if self.in_check() {
            return Err(CannotPass::InCheck);
        }
        let passed: AnyPosition =
            of_each_game!(AnyPosition, self, position => position.passed().into());
        if passed.has_legal_moves() { Ok(passed) } else { Err(CannotPass::NoReply) }
    }

    /// The position behind a legal move, or behind a null move where the side to move may
    /// [pass](AnyPosition::passed); none behind any other.
    ///
    /// ```
    /// use qirkat_rules::variant::{AnyMove, Variant};
    ///
    /// let start = Variant::Chesquerque.start();
    /// let null = AnyMove::null(Variant::Chesquerque);
    /// assert_eq!((null.to_string(), start.san(null)), ("0000".to_owned(), "--".to_owned()));
    /// assert_eq!(start.behind(null), start.passed().ok());
    /// ```
    pub fn behind(&self, mv: AnyMove) -> Option<AnyPosition> {
        let is_null = mv == AnyMove::null(self.variant());
        if is_null { self.passed().ok() } else { self.is_legal(mv).then(|| self.after(mv)) }
    }

    /// Whether a legal move captures; false if it is of another game.
    pub fn captures(&self, mv: AnyMove) -> bool {
        self.captured(mv).is_some()
    }

    /// The small letter of what a legal move captures, of the first man in a series of jumps;
    /// none if it captures nothing, or is of another game.
    pub fn captured(&self, mv: AnyMove) -> Option<char> {
        match (self, mv) {
            (AnyPosition::Chesquerque(position), AnyMove::Chesquerque(mv)) => {
                position.captured(mv).map(chesquerque::PieceKind::letter)
            }
            (AnyPosition::Masonic(position), AnyMove::Masonic(mv)) => {
                position.captured(mv).map(masonic::PieceKind::letter)
            }
            (AnyPosition::Alquerque(_), AnyMove::Alquerque(mv)) => mv.is_jump().then_some('m'),
            _ => None,
        }
    }

    /// The name of the point where the king of the side to move stands; none in games
    /// without kings.
    pub fn king_to_move(&self) -> Option<String> {
        match self {
            AnyPosition::Chesquerque(position) => {
                Some(position.king(position.side_to_move()).to_string())
            }
            AnyPosition::Masonic(position) => {
                Some(position.king(position.side_to_move()).to_string())
            }
            AnyPosition::Alquerque(_) => None,
        }
    }
}

impl Rules for AnyPosition {
    type Move = AnyMove;

    /// That of Chesquerque; [`Variant::start`] has the others.
    fn start() -> AnyPosition {
        Variant::default().start()
    }

    fn side_to_move(&self) -> Color {
        of_each_game!(AnyPosition, self, position => position.side_to_move())
    }

    fn key(&self) -> Key {
        of_each_game!(AnyPosition, self, position => position.key())
    }

    fn reversible_plies(&self) -> usize {
        of_each_game!(AnyPosition, self, position => position.reversible_plies())
    }

    fn is_clock_drawn(&self) -> bool {
        of_each_game!(AnyPosition, self, position => position.is_clock_drawn())
    }

    fn is_dead(&self) -> bool {
        of_each_game!(AnyPosition, self, position => Rules::is_dead(position))
    }

    fn without_moves(&self) -> Terminal {
        of_each_game!(AnyPosition, self, position => position.without_moves())
    }

    fn has_legal_moves(&self) -> bool {
        of_each_game!(AnyPosition, self, position => position.has_legal_moves())
    }

    fn count_legal_moves(&self) -> u64 {
        of_each_game!(AnyPosition, self, position => Rules::count_legal_moves(position))
    }

    // By lists of the games' own moves, without a generator for a closure within a closure.
    fn moves(&self, filter: MoveFilter) -> Vec<AnyMove> {
        of_each_game!(AnyPosition, self, position => {
            Rules::moves(position, filter).into_iter().map(Into::into).collect()
        })
    }

    fn add_moves(&self, filter: MoveFilter, sink: &mut impl FnMut(AnyMove)) {
        of_each_game!(AnyPosition, self, position => Rules::add_moves(position, filter, &mut |mv| sink(mv.into())));
    }

    fn is_legal(&self, mv: AnyMove) -> bool {
        of_each_game!((AnyPosition, AnyMove), (self, mv), (position, mv) => position.is_legal(mv), false)
    }

    /// Nothing happens if the move is of another game.
    fn make(&mut self, mv: AnyMove) {
        of_each_game!((AnyPosition, AnyMove), (self, mv), (position, mv) => position.make(mv), ());
    }

    fn outcome(&self, history: &GameHistory) -> Option<Outcome> {
        of_each_game!(AnyPosition, self, position => position.outcome(history))
    }
}

/// Why the side to move cannot pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CannotPass {
    /// Its king is attacked.
    #[error("the side to move is in check")]
    InCheck,
    /// There would be no move to answer with.
    #[error("the other side has no legal move")]
    NoReply,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passing_gives_the_move_to_the_other_side_unless_in_check() {
        for variant in Variant::ALL {
            let start = variant.start();
            let passed = start.passed().expect("nobody is in check");
            assert_eq!(passed.side_to_move(), !start.side_to_move());
            assert_eq!(passed.fen().split(' ').next(), start.fen().split(' ').next());
            let read = variant.read_fen(&passed.fen()).expect("a position").position;
            assert_eq!(read, passed, "as if it had been set up so");
        }
        for (fen, why) in [
            ("4k4/9/9/9/9/9/9/9/r3K4 w - - 0 1", CannotPass::InCheck),
            ("k8/7R1/9/9/9/9/9/9/1R2K4 w - - 0 1", CannotPass::NoReply),
        ] {
            let position = Variant::Chesquerque.read_fen(fen).expect(fen).position;
            assert_eq!(position.passed(), Err(why), "{fen}");
        }
    }

    /// The step back is forbidden for the very next move only.
    #[test]
    fn passing_forgets_the_step_back() {
        let fen = "m4/5/5/2M2/5 w c2b2 a5b5 3 9";
        let position = Variant::Alquerque.read_fen(fen).expect(fen).position;
        let passed = position.passed().expect("no check here");
        assert_eq!(passed.fen(), "m4/5/5/2M2/5 b a5b5 - 4 9");
    }
}
