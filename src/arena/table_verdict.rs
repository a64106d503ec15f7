//! Adjudication by endgame tables: what they know for certain needs no play.

use super::adjudication::Verdict;
use qirkat_game::{Color, KnownResult, Rules};
use qirkat_rules::variant::AnyPosition;
use qirkat_tablebase::AllTables;

/// What the tables say of a position, if they know it. A win that the 100-ply rule takes away
/// is a draw, from the plies on that are counted already.
pub(super) fn verdict_of(tables: &AllTables, position: &AnyPosition) -> Option<Verdict> {
    let mover: Color = position.side_to_move();
    Some(match tables.known(position)? {
        KnownResult::Win(_) => Verdict::TableWin(mover),
        KnownResult::Loss(_) => Verdict::TableWin(!mover),
        KnownResult::Draw => Verdict::TableDraw,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::variant::Variant;

    #[test]
    fn what_tables_know_ends_a_game() {
        let tables = AllTables::with_embedded();
        for (variant, fen, expected) in [
            (Variant::Chesquerque, "4k4/9/4K4/9/9/9/9/3Q5/9 w - - 0 60", {
                Some(Verdict::TableWin(Color::White))
            }),
            (Variant::Chesquerque, "4k4/9/4K4/9/9/9/9/3q5/9 w - - 0 60", {
                Some(Verdict::TableWin(Color::Black))
            }),
            // The rule about 100 plies comes before the mate.
            (Variant::Chesquerque, "k8/9/9/9/9/9/9/3Q5/K8 w - - 98 160", Some(Verdict::TableDraw)),
            (Variant::Chesquerque, "4k4/9/4K4/9/9/9/9/9/9 w - - 0 60", Some(Verdict::TableDraw)),
            // More pieces than the program's own tables know.
            (Variant::Chesquerque, "3rk4/9/4K4/9/9/9/9/3Q5/9 w - - 0 60", None),
            (Variant::Masonic, "k7/8/1K6/8/8/8/8/7R w - - 0 60", {
                Some(Verdict::TableWin(Color::White))
            }),
            (Variant::Masonic, "k7/8/8/8/8/8/8/6NK b - - 99 160", Some(Verdict::TableDraw)),
            // A game without tables.
            (Variant::Alquerque, "5/5/1m3/1mm2/2M2 w - - 0 1", None),
        ] {
            let position = variant.read_fen(fen).expect("a FEN").position;
            assert_eq!(verdict_of(&tables, &position), expected, "{fen}");
        }
    }
}
