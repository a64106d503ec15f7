//! One point of a position: what attacks it, and where the piece on it may go. The page tells
//! it to those who do not see the board.

use serde::Serialize;

use qirkat_analysis::casual::points_of;
use qirkat_game::Rules;
use qirkat_rules::variant::{AnyPosition, Place};

/// What is to be told of a point.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct PointShown {
    /// The points of the pieces of both sides that attack it, pinned or not: those of the side
    /// whose piece stands there protect it. In Alquerque those that may jump over it.
    pub attackers: Vec<String>,
    /// Where its piece may go, if it were its side's turn.
    pub moves: Vec<String>,
    pub captures: Vec<String>,
}

impl PointShown {
    /// What is to be told of a point by its name; nothing of a name that is none.
    pub fn of(position: &AnyPosition, name: &str) -> Option<PointShown> {
        let turns: Vec<AnyPosition> =
            std::iter::once(*position).chain(position.passed().ok()).collect();
        let place = Place::parse(position.variant(), name)?;
        let attackers = position.attackers(place).iter().map(Place::to_string).collect();
        let mut shown = PointShown { attackers, moves: Vec::new(), captures: Vec::new() };
        for turn in turns {
            for mv in turn.legal_moves() {
                let (points, _) = points_of(mv);
                let [from, .., to] = points.as_slice() else { continue };
                let list = if turn.captures(mv) { &mut shown.captures } else { &mut shown.moves };
                // A pawn may become several pieces, and a series of jumps have several ways.
                if from == name && !list.contains(to) {
                    list.push(to.clone());
                }
            }
        }
        Some(shown)
    }
}

#[cfg(test)]
mod tests {
    use qirkat_rules::variant::Variant;

    use super::*;

    fn sorted(names: Vec<String>) -> String {
        let mut names = names;
        names.sort();
        names.join(" ")
    }

    #[test]
    fn attackers_and_ways_of_a_point() {
        for (variant, fen, point, attackers, moves, captures) in [
            // A pawn on a diagonal point attacks slantwise, and a rook along its file.
            (Variant::Chesquerque, "4k4/9/9/4p4/4P4/3P5/9/9/R2RK4 w - - 0 1", "d4", "d1", "d5", ""),
            // Black's knight on d7 protects e5 over d6, White's bishop attacks it.
            (
                Variant::Chesquerque,
                "4k4/9/3n5/9/4p4/9/9/7B1/4K4 w - - 0 1",
                "e5",
                "d7 h2",
                "e4",
                "",
            ),
            // Of the side that is not to move: it would take the pawn on e5.
            (
                Variant::Chesquerque,
                "4k4/9/9/9/r3P4/9/9/9/4K4 w - - 0 1",
                "a5",
                "",
                "a1 a2 a3 a4 a6 a7 a8 a9 b4 b5 b6 c5 d5",
                "e5",
            ),
            // A man that may be jumped over, and the man that jumps.
            (Variant::Alquerque, "5/5/5/1m3/2M2 w - - 0 1", "b2", "c1", "a1 a2 b1 c2", ""),
            (Variant::Alquerque, "5/5/5/1m3/2M2 w - - 0 1", "c1", "", "", "a3"),
        ] {
            let position = variant.read_fen(fen).expect("a position").position;
            let seen = PointShown::of(&position, point).expect("a point");
            let told = [seen.attackers, seen.moves, seen.captures].map(sorted);
            assert_eq!(told, [attackers, moves, captures], "{point} in {fen}");
        }
        let start = Variant::Masonic.start();
        assert_eq!(PointShown::of(&start, "j9"), None);
        assert_eq!(PointShown::of(&start, ""), None);
    }
}
