//! A chess game of which there are tables: all that a further game has to say of itself.

use once_cell::race::OnceBox;

use qirkat_game::Color;
use qirkat_rules::chesquerque::Point;
use qirkat_rules::chess::{Geometry, Kind, Piece, Position, pawn_captures};
use qirkat_rules::{chesquerque, masonic};

use crate::indexing::symmetry::{KingPairs, attack_each_other};
use crate::indexing::symmetry::{SymmetricBoard, Symmetries};

/// A chess game as tablebases see it: its geometry and the symmetries of its board. Where a
/// piece stands is called a point, whatever the game calls it.
///
/// Tables are solved backwards, so what a piece attacks attacks that piece's point when a
/// piece of the same kind stands there: every move but a pawn's can be taken back by the
/// same move.
pub trait ChessTableGame: SymmetricBoard {
    /// Whether files tell by their rank in retrograde analysis how White's pieces drive a
    /// lone king: see `packing::ladder`.
    const HAS_LADDERS: bool = false;

    /// The tables that the program carries, those with three pieces.
    const FILES: &'static [&'static [u8]];

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
pub struct GameCache<G: ChessTableGame> {
    pub(crate) symmetries: OnceBox<Symmetries<G>>,
    /// By how they are folded: see [`KingPairs`].
    pub(crate) king_pairs: [OnceBox<KingPairs<G>>; 3],
}

impl<G: ChessTableGame> GameCache<G> {
    /// Nothing has been asked for yet.
    #[expect(clippy::new_without_default, reason = "it is only made as a static")]
    pub const fn new() -> GameCache<G> {
        GameCache { symmetries: OnceBox::new(), king_pairs: [const { OnceBox::new() }; 3] }
    }
}

impl<G: ChessTableGame> Symmetries<G> {
    /// The symmetries, computed once.
    #[inline]
    pub fn get() -> &'static Symmetries<G> {
        G::cache().symmetries.get_or_init(|| Box::new(Symmetries::new()))
    }
}

impl<G: ChessTableGame> KingPairs<G> {
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

impl SymmetricBoard for chesquerque::Position {
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
}

impl ChessTableGame for chesquerque::Position {
    const FILES: &'static [&'static [u8]] = &[
        include_bytes!("../../engine-config/tables/KQvK.qtb"),
        include_bytes!("../../engine-config/tables/KAvK.qtb"),
        include_bytes!("../../engine-config/tables/KRvK.qtb"),
        include_bytes!("../../engine-config/tables/KBvK.qtb"),
        include_bytes!("../../engine-config/tables/KNvK.qtb"),
        include_bytes!("../../engine-config/tables/KPvK.qtb"),
    ];
    const HAS_LADDERS: bool = true;

    #[inline]
    fn cache() -> &'static GameCache<chesquerque::Position> {
        static CACHE: GameCache<chesquerque::Position> = GameCache::new();
        &CACHE
    }
}

impl SymmetricBoard for masonic::Position {
    /// Half a turn. The mirrors of the board move its shifted ranks off their places.
    const SYMMETRIES: usize = 2;
    /// Half a turn sends pawns back.
    const PAWN_SYMMETRIES: usize = 1;

    fn image(symmetry: usize, cell: masonic::Cell) -> masonic::Cell {
        if symmetry == 0 { cell } else { cell.turned() }
    }
}

impl ChessTableGame for masonic::Position {
    const FILES: &'static [&'static [u8]] = &[
        include_bytes!("../../engine-config/tables/KQvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KRvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KBvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KNvK.masonic.qtb"),
        include_bytes!("../../engine-config/tables/KPvK.masonic.qtb"),
    ];
    #[inline]
    fn cache() -> &'static GameCache<masonic::Position> {
        static CACHE: GameCache<masonic::Position> = GameCache::new();
        &CACHE
    }
}
