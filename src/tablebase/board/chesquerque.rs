//! The board of Chesquerque as tables see it.

use super::once_per_game::OncePerGame;
use super::table_board::TableBoard;
use super::{king_pairs, layout, pawns, placement, symmetry};
use qirkat_rules::chesquerque::{PieceKind, Point, Position};

pub type KingPairs = king_pairs::KingPairs<Position>;
pub type Layout = layout::Layout<Position>;
pub type PawnPoints = pawns::PawnPoints<Point>;
pub type Placed = placement::Placed<Position>;
pub type Placement = placement::Placement<Position>;
#[cfg(any(test, feature = "table-generator"))]
pub type Material = super::material::Material<PieceKind>;
pub type Symmetries = symmetry::Symmetries<Position>;

impl TableBoard for Position {
    /// Turning or mirroring the square keeps every point's kind, since the parity of file
    /// plus rank stays, and so keeps every line.
    const SYMMETRIES: usize = 8;
    /// The mirror exchanges the files.
    const PAWN_SYMMETRIES: usize = 2;

    /// Bit 0 exchanges the files, bit 1 the ranks, bit 2, last, files and ranks.
    fn image(symmetry: usize, point: Point) -> Point {
        let last = Point::FILES - 1;
        let file = if symmetry & 1 != 0 { last - point.file() } else { point.file() };
        let rank = if symmetry & 2 != 0 { last - point.rank() } else { point.rank() };
        if symmetry & 4 != 0 { Point::new(rank, file) } else { Point::new(file, rank) }
    }

    #[inline]
    fn once() -> &'static OncePerGame {
        static ONCE: OncePerGame = OncePerGame::new();
        &ONCE
    }
}
