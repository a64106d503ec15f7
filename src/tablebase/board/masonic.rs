//! The board of Masonic chess as tables see it.

use super::once_per_game::OncePerGame;
use super::table_board::TableBoard;
use qirkat_rules::masonic::{Cell, Position};

impl TableBoard for Position {
    /// Half a turn. The mirrors of the board move its shifted ranks off their places.
    const SYMMETRIES: usize = 2;
    /// Half a turn sends pawns back.
    const PAWN_SYMMETRIES: usize = 1;

    fn image(symmetry: usize, cell: Cell) -> Cell {
        if symmetry == 0 { cell } else { cell.turned() }
    }

    #[inline]
    fn once() -> &'static OncePerGame {
        static ONCE: OncePerGame = OncePerGame::new();
        &ONCE
    }
}
