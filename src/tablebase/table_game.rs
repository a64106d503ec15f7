//! A game of which there are tablebases: all that a further game has to say of itself.

use once_cell::race::OnceBox;

use qirkat_game::Color;
use qirkat_rules::chess::{Geometry, Kind, Piece, Position, pawn_captures};

use crate::indexing::king_pairs::{KingPairs, attack_each_other};
use crate::indexing::symmetry::{SymmetricBoard, Symmetries};

/// A chess game as tablebases see it: its geometry and the symmetries of its board. Where a
/// piece stands is called a point, whatever the game calls it.
///
/// Tables are solved backwards, so what a piece attacks attacks that piece's point when a
/// piece of the same kind stands there: every move but a pawn's can be taken back by the
/// same move.
pub trait TableGame: SymmetricBoard {
    /// Whether files tell by their rank in retrograde analysis how White's pieces drive a
    /// lone king: see `packing::ladder`.
    const HAS_LADDERS: bool = false;

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

/// Values computed once for all tables of a game, when they are first asked for.
pub struct GameCache<G: TableGame> {
    pub(crate) symmetries: OnceBox<Symmetries<G>>,
    /// By how they are folded: see [`KingPairs`].
    pub(crate) king_pairs: [OnceBox<KingPairs<G>>; 3],
}

impl<G: TableGame> GameCache<G> {
    /// Nothing has been asked for yet.
    #[expect(clippy::new_without_default, reason = "it is only made as a static")]
    pub const fn new() -> GameCache<G> {
        GameCache { symmetries: OnceBox::new(), king_pairs: [const { OnceBox::new() }; 3] }
    }
}

impl<G: TableGame> Symmetries<G> {
    /// The symmetries, computed once.
    #[inline]
    pub fn get() -> &'static Symmetries<G> {
        G::cache().symmetries.get_or_init(|| Box::new(Symmetries::new()))
    }
}

impl<G: TableGame> KingPairs<G> {
    /// Any two different points, folded by all symmetries.
    pub fn any_two_points() -> &'static KingPairs<G> {
        KingPairs::cached(2, || KingPairs::new(Symmetries::get(), true, |_, _| false))
    }

    /// The pairs for tables without pawns, folded by all symmetries, or for those with
    /// pawns, not folded at all.
    pub fn get(folded: bool) -> &'static KingPairs<G> {
        let unwanted = attack_each_other::<G>;
        KingPairs::cached(usize::from(folded), || {
            KingPairs::new(Symmetries::get(), folded, unwanted)
        })
    }

    fn cached(at: usize, make: impl FnOnce() -> KingPairs<G>) -> &'static KingPairs<G> {
        G::cache().king_pairs[at].get_or_init(|| Box::new(make()))
    }
}
