//! Moves in the forms that PGN files have.

use super::error::MoveFault;
use qirkat_rules::variant::{AnyMove, AnyPosition};

/// A legal move in long or standard algebraic notation, perhaps with a hyphen
/// in the middle.
///
/// XBoard writes `O-O` for both castlings of this game, so it may mean the
/// queen's wing where nobody can castle on the archbishop's.
pub(super) fn read_pgn_move(position: &AnyPosition, text: &str) -> Result<AnyMove, MoveFault> {
    let is_castling = text.starts_with(['O', '0']);
    let joined = if is_castling { text.to_owned() } else { text.replace('-', "") };
    let read = position.read_move(joined.trim_end_matches(['+', '#'])).map_err(MoveFault::from);
    match read {
        Err(MoveFault::Illegal) if is_castling => Ok(position.read_move("O-O-O")?),
        read => read,
    }
}
