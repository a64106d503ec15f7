//! A game of which there are tablebases: all that a further game has to say of itself.

use once_cell::race::OnceBox;

use qirkat_game::Color;
use qirkat_rules::chess::{ChessPosition, Geometry, Kind, Piece, Position, Square, pawn_captures};
use qirkat_rules::variant::Member;

use crate::indexing::king_pairs::KingPairs;
use crate::indexing::symmetry::Symmetries;
use crate::set::Tables;

/// A chess game as tablebases see it: its geometry, the symmetries of its board and the files
/// that the program carries. Where a piece stands is called a point, whatever the game calls it.
///
/// Tables are solved backwards, so what a piece attacks attacks that piece's point when a
/// piece of the same kind stands there: every move but a pawn's can be taken back by the
/// same move.
pub trait TableGame: ChessPosition + Member {
    /// The files that the program carries, as `qirkat tables build --men 3` writes them.
    const EMBEDDED: &'static [&'static [u8]];
    /// How many symmetries of the board keep the moves of all pieces but pawns. The first
    /// changes nothing.
    const SYMMETRIES: usize;
    /// How many of these, the first ones, keep the moves of pawns too.
    const PAWN_SYMMETRIES: usize;
    /// Whether files tell by their rank in retrograde analysis how White's pieces drive a
    /// lone king: see `packing::ladder`.
    const HAS_LADDERS: bool = false;

    /// Where a symmetry takes a point.
    fn image(symmetry: usize, point: Self::Square) -> Self::Square;

    /// Values computed once for all tables of the game: a static of this type, which
    /// generic code cannot have.
    fn cache() -> &'static GameCache<Self>;

    /// The position with these pieces, without castling rights or en passant; none where it
    /// would be impossible.
    fn from_pieces(
        pieces: impl IntoIterator<Item = (Piece<Self::Kind>, Self::Square)>,
        side_to_move: Color,
    ) -> Option<Self> {
        Position::from_pieces(pieces, side_to_move).map(Self::from)
    }

    /// The points that a piece of any kind attacks when these are taken.
    #[inline]
    fn attacks(
        color: Color,
        kind: Self::Kind,
        from: Self::Square,
        occupied: Self::Bitboard,
    ) -> Self::Bitboard {
        if kind == Self::Kind::PAWN {
            pawn_captures::<Self::Geometry>(color, from)
        } else {
            Self::Geometry::attacks(kind, from, occupied)
        }
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    fn clock(&self) -> u16 {
        self.reversible_plies() as u16
    }
}

/// All points of a game's board.
pub(crate) fn points<G: TableGame>() -> impl Iterator<Item = G::Square> {
    (0..G::Square::COUNT).filter_map(G::Square::from_index)
}

/// Values computed once for all tables of a game, when they are first asked for.
pub struct GameCache<G: TableGame> {
    pub(crate) symmetries: OnceBox<Symmetries<G>>,
    /// By how they are folded: see [`KingPairs`].
    pub(crate) king_pairs: [OnceBox<KingPairs<G>>; 3],
    pub(crate) embedded: OnceBox<Tables<G>>,
}

impl<G: TableGame> GameCache<G> {
    /// Nothing has been asked for yet.
    #[expect(clippy::new_without_default, reason = "it is only made as a static")]
    pub const fn new() -> GameCache<G> {
        GameCache {
            symmetries: OnceBox::new(),
            king_pairs: [const { OnceBox::new() }; 3],
            embedded: OnceBox::new(),
        }
    }
}
