//! Phases of a game.

use super::material::Material;
use qirkat_rules::variant::AnyPosition;

/// A part of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The first ten moves of each side, while most pieces are there.
    Opening,
    /// The part between.
    Middlegame,
    /// Not much is left.
    Endgame,
}

/// Moves of each side that can belong to the opening.
const OPENING_MOVES: u16 = 10;
/// The opening ends when less than this share of the pieces at the start is there, and
/// the endgame begins below the other: the pieces of both sides by their worth, pawns
/// left out where there are others.
const OPENING_SHARE: f64 = 0.75;
const ENDGAME_SHARE: f64 = 0.4;

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    /// The phase that a position belongs to.
    pub fn of(position: &AnyPosition) -> Phase {
        let start = Material::of(&position.variant().start()).worth_of_pieces();
        let share = f64::from(Material::of(position).worth_of_pieces()) / f64::from(start.max(1));
        if share < ENDGAME_SHARE {
            Phase::Endgame
        } else if share >= OPENING_SHARE && position.fullmove_number() <= OPENING_MOVES {
            Phase::Opening
        } else {
            Phase::Middlegame
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middlegame => "middle game",
            Phase::Endgame => "endgame",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::variant::Variant;

    #[test]
    fn phases_follow_moves_and_material() {
        for (fen, phase) in [
            ("rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1", Phase::Opening),
            ("rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 11", Phase::Middlegame),
            ("rnb1k1bnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNB1K1BNR w KQkq - 0 5", Phase::Middlegame),
            ("r3k3r/ppppppppp/9/9/9/9/9/PPPPPPPPP/R3K3R w KQkq - 0 5", Phase::Endgame),
        ] {
            let position = Variant::Chesquerque.read_fen(fen).expect(fen).position;
            assert_eq!(Phase::of(&position), phase, "{fen}");
        }
        for variant in Variant::ALL {
            assert_eq!(Phase::of(&variant.start()), Phase::Opening);
        }
    }
}
