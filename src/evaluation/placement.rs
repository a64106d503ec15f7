//! What a man is worth by itself: its kind and where it stands. Rank, file
//! and kind of point count each by itself, which takes a third of the numbers
//! that a table by point would, and many fewer games to fit them.

use super::features::{Block, Feature};
use super::geometry::{HALF_FILES, seen_file, seen_rank};
use super::tapered::Tapered;
use crate::position::{Color, PerPoint, PieceKind, Point};

/// The features of a man on a point.
pub(super) const fn man_features(
    color: Color,
    kind: PieceKind,
    point: Point,
) -> [Option<Feature>; 4] {
    let kind_index = kind.index();
    let rank = kind_index * Point::RANKS as usize + seen_rank(color, point);
    let file = kind_index * HALF_FILES + seen_file(point);
    let is_king = matches!(kind, PieceKind::King);
    [
        if is_king { None } else { Some(Block::Material.at(kind_index)) },
        Some(Block::OnRank.at(rank)),
        Some(Block::OnFile.at(file)),
        if point.is_diagonal() { Some(Block::OnDiagonalPoint.at(kind_index)) } else { None },
    ]
}

/// The worth of these features together, by side, kind and point.
pub(super) static PLACED: [[PerPoint<Tapered>; PieceKind::COUNT]; 2] =
    [placed(Color::White), placed(Color::Black)];

const fn placed(color: Color) -> [PerPoint<Tapered>; PieceKind::COUNT] {
    let mut tables = [PerPoint([Tapered::ZERO; Point::COUNT]); PieceKind::COUNT];
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        let mut index = 0;
        while let Some(point) = Point::from_index(index) {
            let features = man_features(color, PieceKind::ALL[kind], point);
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
