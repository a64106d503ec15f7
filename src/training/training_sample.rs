//! A training sample: the active features of a position and its targets.

use arrayvec::ArrayVec;

use qirkat_arena::statistics::GameScore;
use qirkat_evaluation::network::{EVAL_SCALE, Feature, NetworkInput};
use qirkat_evaluation::sigmoid;
use qirkat_game::PieceCode;

use crate::dataset::{PackedPosition, PackedPositionError};

/// The active features of a perspective.
type Features = ArrayVec<Feature, { PackedPosition::MAX_PIECES }>;

/// A position as the network sees it, and its targets.
pub(super) struct Sample {
    /// Of the side to move and of the other side.
    pub features: [Features; 2],
    pub bucket: usize,
    /// The side to move's probability to win by the search's score.
    pub win_probability: f32,
    /// The game's result for the side to move, from 0 to 1.
    pub result: f32,
}

impl Sample {
    /// Unpacks a position of the game `G`. `mirrored` exchanges left and right for a
    /// side whose perspective is not fixed ([`NetworkInput::may_mirror`]): for any
    /// other it would not be a new sample (data augmentation).
    pub fn of<G: NetworkInput>(
        packed: &PackedPosition,
        mirrored: bool,
    ) -> Result<Sample, PackedPositionError> {
        let mut pieces: ArrayVec<(usize, PieceCode), { PackedPosition::MAX_PIECES }> =
            ArrayVec::new();
        let mut kings = [G::KING.map_or(Some(0), |_| None); 2];
        for piece in packed.pieces() {
            let (point, piece) = piece?;
            if point >= G::POINTS || piece.kind() >= G::KINDS.len() {
                return Err(PackedPositionError::NoPosition);
            }
            if Some(piece.kind()) == G::KING {
                kings[piece.color().index()] = Some(point);
            }
            pieces.push((point, piece));
        }
        let us = packed.side_to_move();
        let mut features = [Features::new(), Features::new()];
        for (color, features) in [us, !us].into_iter().zip(&mut features) {
            let king = kings[color.index()].ok_or(PackedPositionError::NoPosition)?;
            let perspective = G::perspective(color, king);
            let perspective =
                if mirrored && G::may_mirror(king) { perspective.mirrored() } else { perspective };
            let feature =
                |&(point, piece): &(usize, PieceCode)| perspective.feature::<G>(piece, point);
            features.extend(pieces.iter().map(feature));
        }
        let result = GameScore::of(packed.result(), us).map_or(0.5, GameScore::points) as f32;
        let bucket = G::output_bucket(pieces.len() as u32);
        let win_probability = sigmoid(f32::from(packed.score()) / EVAL_SCALE as f32);
        Ok(Sample { features, bucket, win_probability, result })
    }

    /// The probability that the network should find: score and result, blended by
    /// the WDL lambda.
    #[inline]
    pub fn target(&self, wdl_lambda: f32) -> f32 {
        self.win_probability + wdl_lambda * (self.result - self.win_probability)
    }
}

#[cfg(test)]
pub(super) fn packed(
    fen: &str,
    score: i16,
    ply: u16,
    result: qirkat_game::GameResult,
) -> PackedPosition {
    let position =
        qirkat_rules::chesquerque::Position::from_fen(fen).expect("it is sound").position;
    PackedPosition::pack(&position, score, ply, result).expect("it is sound")
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_game::GameResult;
    use qirkat_rules::chesquerque::Position;

    /// Scores and results are those of the side to move.
    #[test]
    fn targets_are_for_the_side_to_move() {
        let white = "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1";
        let black = "4k4/9/9/9/9/9/9/9/R3K4 b - - 0 1";
        for (fen, score, result, wanted) in [
            (white, 216, GameResult::WhiteWins, 1.0),
            (white, 216, GameResult::Draw, 0.5),
            (white, -216, GameResult::BlackWins, 0.0),
            (black, 216, GameResult::BlackWins, 1.0),
            (black, -216, GameResult::WhiteWins, 0.0),
        ] {
            let sample =
                Sample::of::<Position>(&packed(fen, score, 0, result), false).expect("it is sound");
            assert_eq!(sample.result, wanted, "{fen} {result:?}");
            let odds = sample.win_probability / (1.0 - sample.win_probability);
            let wanted = if score > 0 { 1f32.exp() } else { (-1f32).exp() };
            assert!((odds - wanted).abs() < 1e-4, "{fen}: {odds}");
        }
    }

    /// Mirroring shows only to a side whose king stands in the middle, and
    /// shows it the mirrored board.
    #[test]
    fn mirroring_is_that_of_the_board() {
        let original = packed("4k4/9/9/1n7/9/9/9/P8/R4K3 w - - 0 1", 0, 0, GameResult::Draw);
        let mirrored = packed("4k4/9/9/7n1/9/9/9/8P/3K4R w - - 0 1", 0, 0, GameResult::Draw);
        let sorted = |packed, mirror| {
            Sample::of::<Position>(packed, mirror).expect("it is sound").features.map(|features| {
                let mut indices: Vec<usize> =
                    features.iter().map(|feature| feature.index()).collect();
                indices.sort_unstable();
                indices
            })
        };
        let [own, enemy] = sorted(&original, false);
        let [own_turned, enemy_turned] = sorted(&original, true);
        let [own_mirrored, enemy_mirrored] = sorted(&mirrored, false);
        assert_eq!(own, own_turned);
        assert_eq!(own, own_mirrored);
        assert_eq!(enemy_turned, enemy_mirrored);
        assert_ne!(enemy, enemy_turned);
    }
}
