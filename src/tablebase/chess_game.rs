//! What a chess game must provide for its tables.

use once_cell::race::OnceBox;
use qirkat_game::Color;
use qirkat_rules::chesquerque::Point;
use qirkat_rules::chess::{
    ChessPosition, Geometry, Kind, Piece, Position, Square, SquareSet, pawn_captures,
};
use qirkat_rules::variant::VariantGame;
use qirkat_rules::{chesquerque, masonic};

/// A chess game as tablebases see it: its geometry and the symmetries of its board. Squares are
/// called points, whatever the game calls them.
///
/// Retrograde analysis needs symmetric attacks: a piece attacks exactly the points from which a
/// piece of its kind attacks it. So every move except a pawn's can be taken back by the reverse
/// move.
pub trait ChessBoardGame: ChessPosition + VariantGame {
    /// The number of board symmetries that preserve the moves of all pieces except pawns. The first
    /// is the identity.
    const SYMMETRIES: usize;
    /// How many of these, from the first on, also preserve pawn moves.
    const PAWN_SYMMETRIES: usize;

    /// The image of a point under a symmetry.
    fn image(symmetry: usize, point: Self::Square) -> Self::Square;

    /// Whether files encode endings against a lone king one distance at a time, in the order of
    /// retrograde analysis: see `packing::retrograde_coder`.
    const IS_CODED_RETROGRADE: bool = false;

    /// The built-in tables, those with three pieces.
    const EMBEDDED_FILES: &'static [&'static [u8]];

    /// Values computed once for all tables of the game. Each game has its own static, since generic
    /// code cannot have one.
    fn cache() -> &'static GameCache<Self>;

    /// The position with these pieces, without castling rights or en passant; none if it is
    /// invalid.
    fn from_pieces(
        pieces: impl IntoIterator<Item = (Piece<Self::Kind>, Self::Square)>,
        side_to_move: Color,
    ) -> Option<Self> {
        Position::from_pieces(pieces, side_to_move).map(Self::from)
    }

    /// The points that a piece attacks with this occupancy.
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

/// Values computed once for all tables of a game, on first use.
pub struct GameCache<G: ChessBoardGame> {
    pub(crate) symmetries: OnceBox<Symmetries<G>>,
    /// Not folded, folded, and of any two points: see [`KingPairs`].
    pub(crate) king_pairs: [OnceBox<KingPairs<G>>; 3],
}

impl<G: ChessBoardGame> GameCache<G> {
    #[expect(clippy::new_without_default, reason = "it is only made as a static")]
    pub const fn new() -> GameCache<G> {
        GameCache { symmetries: OnceBox::new(), king_pairs: [const { OnceBox::new() }; 3] }
    }
}

impl ChessBoardGame for chesquerque::Position {
    /// Rotating or mirroring the board keeps the parity of file plus rank, so each point keeps its
    /// kind and its lines.
    const SYMMETRIES: usize = 8;
    /// Mirroring the files.
    const PAWN_SYMMETRIES: usize = 2;

    /// Bit 0 mirrors the files, bit 1 the ranks; bit 2, applied last, swaps files and ranks.
    fn image(symmetry: usize, point: Point) -> Point {
        let last = Point::FILES - 1;
        let file = if symmetry & 1 != 0 { last - point.file() } else { point.file() };
        let rank = if symmetry & 2 != 0 { last - point.rank() } else { point.rank() };
        if symmetry & 4 != 0 { Point::new(rank, file) } else { Point::new(file, rank) }
    }

    const EMBEDDED_FILES: &'static [&'static [u8]] = &[
        embedded!("KQvK.qtb"),
        embedded!("KAvK.qtb"),
        embedded!("KRvK.qtb"),
        embedded!("KBvK.qtb"),
        embedded!("KNvK.qtb"),
        embedded!("KPvK.qtb"),
    ];
    const IS_CODED_RETROGRADE: bool = true;

    #[inline]
    fn cache() -> &'static GameCache<chesquerque::Position> {
        static CACHE: GameCache<chesquerque::Position> = GameCache::new();
        &CACHE
    }
}

impl ChessBoardGame for masonic::Position {
    /// Rotation by 180 degrees. Mirroring would move the shifted ranks off the board.
    const SYMMETRIES: usize = 2;
    /// The rotation reverses pawns.
    const PAWN_SYMMETRIES: usize = 1;

    fn image(symmetry: usize, cell: masonic::Cell) -> masonic::Cell {
        if symmetry == 0 { cell } else { cell.turned() }
    }

    const EMBEDDED_FILES: &'static [&'static [u8]] = &[
        embedded!("KQvK.masonic.qtb"),
        embedded!("KRvK.masonic.qtb"),
        embedded!("KBvK.masonic.qtb"),
        embedded!("KNvK.masonic.qtb"),
        embedded!("KPvK.masonic.qtb"),
    ];
    #[inline]
    fn cache() -> &'static GameCache<masonic::Position> {
        static CACHE: GameCache<masonic::Position> = GameCache::new();
        &CACHE
    }
}

pub const IDENTITY: u8 = 0;

pub(crate) fn points<G: ChessBoardGame>() -> impl Iterator<Item = G::Square> + Clone {
    (0..G::Square::COUNT).filter_map(G::Square::from_index)
}

pub struct Symmetries<G: ChessBoardGame> {
    /// The images of all points under the first symmetry, then under the next.
    images: Vec<G::Square>,
    inverses: Vec<u8>,
}

impl<G: ChessBoardGame> Symmetries<G> {
    #[inline]
    pub fn get() -> &'static Symmetries<G> {
        G::cache().symmetries.get_or_init(|| Box::new(Symmetries::new()))
    }

    fn new() -> Symmetries<G> {
        let of_one = |symmetry| points::<G>().map(move |point| G::image(symmetry, point));
        let inverse = |symmetry| {
            let undoes = |other: &usize| {
                points::<G>().all(|point| G::image(*other, G::image(symmetry, point)) == point)
            };
            (0..G::SYMMETRIES).find(undoes).unwrap_or_default() as u8
        };
        Symmetries {
            images: (0..G::SYMMETRIES).flat_map(of_one).collect(),
            inverses: (0..G::SYMMETRIES).map(inverse).collect(),
        }
    }

    #[inline]
    pub fn image(&self, symmetry: u8, point: G::Square) -> G::Square {
        self.images[usize::from(symmetry) * G::Square::COUNT + point.index()]
    }

    pub fn inverse(&self, symmetry: u8) -> u8 {
        self.inverses[usize::from(symmetry)]
    }
}

/// The possible points of the two kings, folded by the symmetries of the board. Kings never attack
/// each other. Without pawns one pair represents its images, up to eight: Chesquerque has 786
/// pairs. With pawns, where the pawns are folded instead, every pair is kept.
pub struct KingPairs<G: ChessBoardGame> {
    pairs: Vec<[G::Square; 2]>,
    /// For any two points, their pair and the symmetry that maps them to it.
    by_points: Vec<Option<(u32, u8)>>,
}

impl<G: ChessBoardGame> KingPairs<G> {
    /// All pairs of different points, folded by all symmetries.
    pub fn any_two_points() -> &'static KingPairs<G> {
        KingPairs::cached(2, || KingPairs::new(true, |_, _| false))
    }

    /// The pairs for tables without pawns (folded by all symmetries), or with pawns (not folded).
    pub fn get(folded: bool) -> &'static KingPairs<G> {
        KingPairs::cached(usize::from(folded), || KingPairs::new(folded, attack_each_other::<G>))
    }

    fn cached(at: usize, make: impl FnOnce() -> KingPairs<G>) -> &'static KingPairs<G> {
        G::cache().king_pairs[at].get_or_init(|| Box::new(make()))
    }

    fn new(folded: bool, is_unwanted: impl Fn(G::Square, G::Square) -> bool) -> KingPairs<G> {
        let symmetries = Symmetries::<G>::get();
        let mut pairs: Vec<[G::Square; 2]> = Vec::new();
        let mut by_points: Vec<Option<(u32, u8)>> = vec![None; G::Square::COUNT * G::Square::COUNT];
        let count = if folded { G::SYMMETRIES as u8 } else { 1 };
        for white in points::<G>() {
            for black in points::<G>() {
                if white == black
                    || is_unwanted(white, black)
                    || by_points[index_of(white, black)].is_some()
                {
                    continue;
                }
                let pair = pairs.len() as u32;
                pairs.push([white, black]);
                for symmetry in 0..count {
                    let image = |point| symmetries.image(symmetry, point);
                    let found = &mut by_points[index_of(image(white), image(black))];
                    if found.is_none() {
                        *found = Some((pair, symmetries.inverse(symmetry)));
                    }
                }
            }
        }
        KingPairs { pairs, by_points }
    }

    pub fn count(&self) -> usize {
        self.pairs.len()
    }

    #[inline]
    pub fn kings(&self, pair: usize) -> [G::Square; 2] {
        self.pairs[pair]
    }

    /// The pair of two points and the symmetry that maps them to it; none if the kings attack each
    /// other.
    #[inline]
    pub fn find(&self, white: G::Square, black: G::Square) -> Option<(u32, u8)> {
        self.by_points[index_of(white, black)]
    }
}

fn attack_each_other<G: ChessBoardGame>(white: G::Square, black: G::Square) -> bool {
    G::Geometry::attacks(G::Kind::KING, white, G::Bitboard::EMPTY).contains(black)
}

#[inline]
fn index_of<S: Square>(white: S, black: S) -> usize {
    white.index() * S::COUNT + black.index()
}
