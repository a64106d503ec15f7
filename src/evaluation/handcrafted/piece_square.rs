//! Material and piece-square tables (PSQT): the value of a piece on its point. Rank,
//! file and kind of point have a value each, which takes a third of the numbers of a
//! table by point, and many fewer games to fit them.

use super::geometry::{HALF_FILES, edge_distance, relative_rank};
use super::tapered::Tapered;
use super::terms::{Block, Feature};
use qirkat_rules::chesquerque::{Color, PerPoint, PieceKind, Point};

/// The features of a piece on a point.
pub(super) const fn piece_features(
    color: Color,
    kind: PieceKind,
    point: Point,
) -> [Option<Feature>; 4] {
    let kind_index = kind.index();
    let rank = kind_index * Point::RANKS as usize + relative_rank(color, point);
    let file = kind_index * HALF_FILES + edge_distance(point);
    let is_king = matches!(kind, PieceKind::King);
    [
        if is_king { None } else { Some(Block::Material.at(kind_index)) },
        Some(Block::OnRank.at(rank)),
        Some(Block::OnFile.at(file)),
        if point.is_diagonal() { Some(Block::OnDiagonalPoint.at(kind_index)) } else { None },
    ]
}

/// The piece-square tables: the sum of these features, by side, kind and point.
pub(super) static PIECE_SQUARE: [[PerPoint<Tapered>; PieceKind::COUNT]; 2] =
    [piece_square(Color::White), piece_square(Color::Black)];

const fn piece_square(color: Color) -> [PerPoint<Tapered>; PieceKind::COUNT] {
    let mut tables = [PerPoint([Tapered::ZERO; Point::COUNT]); PieceKind::COUNT];
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        let mut index = 0;
        while let Some(point) = Point::from_index(index) {
            let features = piece_features(color, PieceKind::ALL[kind], point);
            let mut which = 0;
            while which < features.len() {
                if let Some(feature) = features[which] {
                    let sum = tables[kind].0[index];
                    tables[kind].0[index] = sum.plus(feature.value());
                }
                which += 1;
            }
            index += 1;
        }
        kind += 1;
    }
    tables
}
