//! Moves as text: the notations that are written, standard and long algebraic, and the forms
//! that PGN files have.

use std::borrow::Cow;

use derive_more::Display;

use qirkat_rules::variant::{AnyMove, AnyPosition};

use super::error::MoveFault;

/// How the moves of a game are written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Display)]
#[display("{}", self.name())]
pub enum Notation {
    /// Standard algebraic notation, as people read it: `Nf3`, `a9=A+`, `O-O`.
    #[default]
    San,
    /// Long algebraic notation, as UCI writes it: `g2f4`, `a8a9a`, castling
    /// `e1h1`. XBoard replays games in it, since it need not know how pieces
    /// move; the `FEN` tag gives the starting position.
    Lan,
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 2] = [Notation::San, Notation::Lan];

    /// The name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::San => "san",
            Notation::Lan => "lan",
        }
    }

    /// The notation of this name.
    pub fn parse(text: &str) -> Option<Notation> {
        Self::ALL.into_iter().find(|notation| notation.name() == text)
    }

    /// A legal move, written down.
    pub fn write(self, position: &AnyPosition, mv: AnyMove) -> String {
        match self {
            Notation::San => position.san(mv),
            Notation::Lan => mv.to_string(),
        }
    }
}

/// A legal move in long or standard algebraic notation, perhaps with a hyphen
/// in the middle.
///
/// XBoard writes `O-O` for both castlings of this game, so it may mean the
/// queen's wing where nobody can castle on the archbishop's.
pub(super) fn read_pgn_move(position: &AnyPosition, text: &str) -> Result<AnyMove, MoveFault> {
    let is_castling = text.starts_with(['O', '0']);
    let joined: Cow<'_, str> =
        if is_castling || !text.contains('-') { text.into() } else { text.replace('-', "").into() };
    let read = position.read_move(joined.trim_end_matches(['+', '#'])).map_err(MoveFault::from);
    match read {
        Err(MoveFault::Illegal) if is_castling => Ok(position.read_move("O-O-O")?),
        read => read,
    }
}
