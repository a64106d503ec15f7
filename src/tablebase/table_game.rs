//! A game of which there are tables.

#[cfg(any(test, feature = "table-generator"))]
use super::board::material::Material;
use super::board::table_board::TableBoard;
use super::packing::framing::Framing;
#[cfg(any(test, feature = "table-generator"))]
use super::solving::generator::{ByRows, SolvedTables};

/// What tables of a game have besides its [`TableBoard`]: the files that the program carries,
/// and ways to pack and to solve that only this game has.
pub trait TableGame: TableBoard {
    /// The files that the program carries, as `qirkat tables build --men 3` writes them.
    const EMBEDDED: &'static [&'static [u8]];
    /// The frames in which tables are packed whose pieces drive a lone king.
    type Frames: Framing<Self>;

    /// Solves a table by its rows, if this game knows how and the table has any.
    #[cfg(any(test, feature = "table-generator"))]
    fn generate_by_rows(
        _material: Material<Self::Kind>,
        _children: &SolvedTables<Self>,
        _progress: &mut dyn FnMut(usize) -> bool,
    ) -> ByRows<Self> {
        ByRows::Unfit
    }
}
