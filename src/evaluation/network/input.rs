//! The input of a network: the features of a game's board.

use std::fmt::Debug;

use qirkat_game::{Board, Color, PieceCode};
use qirkat_rules::{alquerque, chesquerque, masonic};

/// An upper bound of point numbers.
pub const MAX_POINTS: usize = 128;

/// The number of each point in a perspective, indexed by color and mirroring.
pub type RelativePoints = [[[u8; MAX_POINTS]; 2]; 2];

/// A piece-square feature: a kind of piece, own or enemy, on a point, in a king bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feature(u16);

impl Feature {
    /// Its index below [`NetworkInput::FEATURES`]: by king bucket, then by piece, own pieces first,
    /// then by point.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a side sees the board: whether its files are mirrored, and the king bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    pub color: Color,
    pub mirrored: bool,
    pub king_bucket: u8,
}

impl Perspective {
    #[must_use]
    pub const fn mirrored(self) -> Perspective {
        Perspective { mirrored: !self.mirrored, ..self }
    }

    #[inline]
    pub fn feature<G: NetworkInput>(self, piece: PieceCode, point: usize) -> Feature {
        let side = usize::from(piece.color() != self.color);
        let relative_point = relative_point::<G>(self.color, self.mirrored, point);
        let kind = side * G::KIND_LETTERS.len() + piece.kind();
        let in_bucket = kind * G::POINTS + relative_point;
        Feature((usize::from(self.king_bucket) * G::FEATURES_PER_BUCKET + in_bucket) as u16)
    }
}

#[inline]
fn relative_point<G: NetworkInput>(color: Color, mirrored: bool, point: usize) -> usize {
    G::RELATIVE_POINTS[color.index()][usize::from(mirrored)][point % MAX_POINTS].into()
}

/// The active features of a position as a side sees it, one for each piece.
///
/// ```
/// use qirkat_evaluation::network::active_features;
/// use qirkat_game::{Color, Rules};
/// use qirkat_rules::alquerque::Position;
///
/// let start = Position::start();
/// let [white, black] = Color::ALL.map(|color| active_features(&start, color).count());
/// assert_eq!([white, black], [24, 24]);
/// ```
pub fn active_features<G: NetworkInput>(
    position: &G,
    color: Color,
) -> impl Iterator<Item = Feature> {
    let perspective = G::perspective(color, position.king_at(color));
    position
        .occupied_points()
        .into_iter()
        .filter_map(move |point| Some(perspective.feature::<G>(position.piece_at(point)?, point)))
}

/// A game with a network: how each side sees the board, and the network's size.
pub trait NetworkInput: Board {
    type Hidden: HiddenLayer;

    /// King buckets: regions of the own king, each with its own feature weights, since the value of
    /// a piece's placement depends on where the king is.
    const KING_BUCKETS: usize = 1;

    /// The number of output layers; the number of pieces selects one.
    const OUTPUT_BUCKETS: usize;

    const RELATIVE_POINTS: &'static RelativePoints;

    /// Horizontal mirroring: whether a side with its king on this point sees the board mirrored,
    /// so that its king is always on the same half.
    fn is_mirrored(_king: usize) -> bool {
        false
    }

    /// Data augmentation: whether the mirrored position is a further training sample, if this side's
    /// king is on this point.
    fn may_mirror(_king: usize) -> bool {
        false
    }

    /// The king bucket of a king on this point in its side's perspective.
    #[inline]
    fn king_bucket(_relative_king: usize) -> usize {
        0
    }

    const FEATURES_PER_BUCKET: usize = 2 * Self::KIND_LETTERS.len() * Self::POINTS;

    const FEATURES: usize = Self::KING_BUCKETS * Self::FEATURES_PER_BUCKET;

    const ARCHITECTURE: Architecture = Architecture {
        features: Self::FEATURES,
        hidden: Self::Hidden::NEURONS,
        output_buckets: Self::OUTPUT_BUCKETS,
    };

    #[inline]
    fn output_bucket(pieces: u32) -> usize {
        let bucket = (pieces as usize).saturating_sub(1) * Self::OUTPUT_BUCKETS / Self::MAX_PIECES;
        bucket.min(Self::OUTPUT_BUCKETS - 1)
    }

    #[inline]
    fn perspective(color: Color, king: usize) -> Perspective {
        let mirrored = Self::is_mirrored(king);
        let king_bucket = Self::king_bucket(relative_point::<Self>(color, mirrored, king)) as u8;
        Perspective { color, mirrored, king_bucket }
    }
}

/// The board is symmetric, castling included, so it is mirrored by the half that the own king is
/// on. Black sees the ranks flipped.
impl NetworkInput for chesquerque::Position {
    type Hidden = Neurons<512>;

    const KING_BUCKETS: usize = 3;
    const OUTPUT_BUCKETS: usize = 8;
    const RELATIVE_POINTS: &'static RelativePoints = &relative_points::<Self>(false);

    #[inline]
    fn is_mirrored(king: usize) -> bool {
        king % Self::FILES > Self::FILES / 2
    }

    fn may_mirror(king: usize) -> bool {
        king % Self::FILES == Self::FILES / 2
    }

    /// The wing of the first two ranks, where a castled king is; their centre; all other ranks.
    #[inline]
    fn king_bucket(relative_king: usize) -> usize {
        match (relative_king / Self::FILES, relative_king % Self::FILES) {
            (0 | 1, 0..=2) => 0,
            (0 | 1, _) => 1,
            _ => 2,
        }
    }
}

/// The brick board's only symmetry is a rotation by 180 degrees, which is Black's perspective.
impl NetworkInput for masonic::Position {
    type Hidden = Neurons<128>;

    const OUTPUT_BUCKETS: usize = 8;
    const RELATIVE_POINTS: &'static RelativePoints = &relative_points::<Self>(true);
}

/// The board is symmetric, but no king selects a half: mirror images are further samples.
impl NetworkInput for alquerque::Position {
    type Hidden = Neurons<64>;

    const OUTPUT_BUCKETS: usize = 4;
    const RELATIVE_POINTS: &'static RelativePoints = &relative_points::<Self>(false);

    fn may_mirror(_: usize) -> bool {
        true
    }
}

/// For Black the ranks are flipped or, with `turned`, the whole board is rotated by 180 degrees.
const fn relative_points<G: Board>(turned: bool) -> RelativePoints {
    let (files, ranks) = (G::FILES, G::RANKS);
    let mut tables = [[[0; MAX_POINTS]; 2]; 2];
    let mut number = 0;
    while number < 2 * 2 * files * ranks {
        let (point, side) = (number / 4, number % 4);
        let (is_black, mirrored) = (side / 2 == 1, side % 2 == 1);
        let (file, rank) = (point % files, point / files);
        let file = if mirrored != (is_black && turned) { files - 1 - file } else { file };
        let rank = if is_black { ranks - 1 - rank } else { rank };
        tables[side / 2][side % 2][point] = (rank * files + file) as u8;
        number += 1;
    }
    tables
}

/// Quantisation of the accumulator: the integer that represents 1. Feature weights from -1 to 1 fit
/// into a byte each; with two bytes each the search is 5 % slower, since many weights are read at
/// random.
pub const QA: i16 = i8::MAX as i16;
/// Quantisation of the output weights: the integer that represents 1. With 64, rounding them raised
/// the loss by 1.5 %, with 256 by 0.1 %.
pub const QB: i16 = 256;
/// The largest output weight: [`QA`] times it must fit into 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = i16::MAX / QA;
/// Centipawns of an output of 1, where the sigmoid gives odds of e to 1.
pub const EVAL_SCALE: i32 = 216;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    pub features: usize,
    /// Neurons of the hidden layer per perspective.
    pub hidden: usize,
    /// The number of output layers; the number of pieces selects one.
    pub output_buckets: usize,
}

/// The size of a hidden layer as a type, one per game. It provides arrays of that length, since an
/// associated constant cannot be an array length in generic code.
pub trait HiddenLayer: Copy + PartialEq + Debug + Send + Sync + 'static {
    const NEURONS: usize;
    /// A number for each neuron.
    type Row<T: Number>: Number + AsRef<[T]> + AsMut<[T]>;

    /// A row with `number(index)` for each neuron.
    fn row<T: Number>(number: impl FnMut(usize) -> T) -> Self::Row<T>;
}

/// Plain data in a row, or a row itself.
pub trait Number: Copy + PartialEq + Debug + Send + Sync + 'static {}

impl<T: Copy + PartialEq + Debug + Send + Sync + 'static> Number for T {}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Neurons<const COUNT: usize>;

impl<const COUNT: usize> HiddenLayer for Neurons<COUNT> {
    const NEURONS: usize = COUNT;
    type Row<T: Number> = [T; COUNT];

    fn row<T: Number>(number: impl FnMut(usize) -> T) -> [T; COUNT] {
        std::array::from_fn(number)
    }
}

/// A number for each neuron, aligned for SIMD: `i16`, or `i8` for a feature's weights.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(align(64))]
pub(super) struct HiddenVector<H: HiddenLayer, T: Number = i16>(pub H::Row<T>);

impl<H: HiddenLayer, T: Number> HiddenVector<H, T> {
    /// The numbers as a slice of a length known at compile time.
    #[inline(always)]
    pub fn numbers(&self) -> &[T] {
        self.0.as_ref()
    }
}
