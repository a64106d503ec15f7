//! Adjudication: ends games by the players' scores, the tablebases or the move limit.

use serde::Deserialize;

use qirkat_game::{Color, KnownResult, Rules};
use qirkat_rules::variant::AnyPosition;
use qirkat_tablebase::AllTables;

use crate::info_line::ReportedScore;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// Earliest move number of each side.
    #[serde(default, rename = "movenumber")]
    pub after_moves: u32,
    /// Consecutive moves of each side with even scores.
    #[serde(default, rename = "movecount")]
    pub moves_in_a_row: u32,
    /// The largest even score in centipawns.
    pub score: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// Consecutive moves with a lost score.
    #[serde(default, rename = "movecount")]
    pub moves_in_a_row: u32,
    /// Centipawns: a score of minus this or less is lost.
    #[serde(default)]
    pub score: i32,
    /// Whether the winner must agree.
    #[serde(default, rename = "twosided")]
    pub two_sided: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AdjudicationRules {
    pub draw: Option<DrawRule>,
    pub resign: Option<ResignRule>,
    /// Moves of each side after which the game is a draw.
    pub max_moves: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Adjudication {
    pub winner: Option<Color>,
    pub by: &'static str,
}

const BY_SCORES: &str = "adjudication";
const BY_LENGTH: &str = "adjudication: maximal game length";
const BY_TABLES: &str = "the endgame tables";

#[derive(Clone, Debug)]
pub(super) struct Adjudicator {
    rules: AdjudicationRules,
    plies: u32,
    even_plies: u32,
    losing_moves: [u32; 2],
    winning_moves: [u32; 2],
}

impl Adjudicator {
    /// Starts a game. Its opening counts towards the move limits, as in cutechess.
    pub fn new(rules: AdjudicationRules, opening: usize) -> Adjudicator {
        let plies = u32::try_from(opening).unwrap_or(u32::MAX);
        Adjudicator { rules, plies, even_plies: 0, losing_moves: [0; 2], winning_moves: [0; 2] }
    }

    /// Counts a move. A move without a score resets the counts of even and lost scores.
    pub fn after_move(
        &mut self,
        mover: Color,
        score: Option<ReportedScore>,
    ) -> Option<Adjudication> {
        self.plies = self.plies.saturating_add(1);
        let score = score.map(ReportedScore::centipawns);
        self.by_resignation(mover, score)
            .or_else(|| self.by_even_scores(score))
            .or_else(|| self.by_length())
    }

    fn by_resignation(&mut self, mover: Color, score: Option<i32>) -> Option<Adjudication> {
        let rule = self.rules.resign?;
        let count =
            |in_a_row: &mut u32, holds: bool| *in_a_row = if holds { *in_a_row + 1 } else { 0 };
        count(&mut self.losing_moves[mover.index()], score.is_some_and(|s| s <= -rule.score));
        count(&mut self.winning_moves[mover.index()], score.is_some_and(|s| s >= rule.score));
        let has_lost = |&loser: &Color| {
            self.losing_moves[loser.index()] >= rule.moves_in_a_row
                && (!rule.two_sided || self.winning_moves[(!loser).index()] >= rule.moves_in_a_row)
        };
        let loser = Color::ALL.into_iter().find(has_lost)?;
        Some(Adjudication { winner: Some(!loser), by: BY_SCORES })
    }

    fn by_even_scores(&mut self, score: Option<i32>) -> Option<Adjudication> {
        let rule = self.rules.draw?;
        let even = score.is_some_and(|score| score.abs() <= rule.score);
        self.even_plies = if even { self.even_plies + 1 } else { 0 };
        let drawn =
            self.plies / 2 >= rule.after_moves && self.even_plies / 2 >= rule.moves_in_a_row;
        drawn.then_some(Adjudication { winner: None, by: BY_SCORES })
    }

    fn by_length(&self) -> Option<Adjudication> {
        let too_long = self.plies / 2 >= self.rules.max_moves?;
        too_long.then_some(Adjudication { winner: None, by: BY_LENGTH })
    }
}

/// What the tablebases know of a position. A win that the 100-ply rule prevents is a draw.
pub(super) fn table_adjudication(
    tablebases: &AllTables,
    position: &AnyPosition,
) -> Option<Adjudication> {
    let mover = position.side_to_move();
    let winner = match tablebases.known(position)? {
        KnownResult::Win(_) => Some(mover),
        KnownResult::Loss(_) => Some(!mover),
        KnownResult::Draw => None,
    };
    Some(Adjudication { winner, by: BY_TABLES })
}

#[cfg(test)]
mod tests {
    use qirkat_rules::variant::Variant;

    use super::*;

    const DRAWN: Adjudication = Adjudication { winner: None, by: BY_SCORES };
    const BLACK: Adjudication = Adjudication { winner: Some(Color::Black), by: BY_SCORES };
    const TOO_LONG: Adjudication = Adjudication { winner: None, by: BY_LENGTH };

    /// The adjudication of a game with these scores, White first; none for a move without score.
    fn adjudication(
        rules: AdjudicationRules,
        opening: usize,
        scores: &[Option<i32>],
    ) -> Option<(usize, Adjudication)> {
        let mut adjudicator = Adjudicator::new(rules, opening);
        let movers = Color::ALL.into_iter().cycle();
        (1..).zip(scores.iter().zip(movers)).find_map(|(ply, (score, mover))| {
            let found = adjudicator.after_move(mover, score.map(ReportedScore::Centipawns))?;
            Some((ply, found))
        })
    }

    #[test]
    fn agreed_scores_end_a_game() {
        let draw = DrawRule { after_moves: 2, moves_in_a_row: 2, score: 10 };
        let resign = ResignRule { moves_in_a_row: 2, score: 500, two_sided: false };
        let both = ResignRule { two_sided: true, ..resign };
        let none = AdjudicationRules::default();
        let drawing = AdjudicationRules { draw: Some(draw), ..none };
        let later = AdjudicationRules { draw: Some(DrawRule { after_moves: 4, ..draw }), ..none };
        let resigning = AdjudicationRules { resign: Some(resign), ..none };
        let agreeing = AdjudicationRules { resign: Some(both), ..none };
        let short = AdjudicationRules { max_moves: Some(2), ..none };
        let s = Some;
        for (rules, opening, scores, expected) in [
            (none, 0, [s(0); 6], None),
            (drawing, 0, [s(5), s(-5), s(0), s(9), s(0), s(0)], Some((4, DRAWN))),
            (drawing, 0, [s(5), s(-50), s(0), s(9), s(0), s(0)], Some((6, DRAWN))),
            (drawing, 0, [s(5), None, s(0), None, s(0), None], None),
            (resigning, 0, [s(-600), s(0), s(-500), s(0), s(0), s(0)], Some((3, BLACK))),
            (resigning, 0, [s(0), s(-600), s(0), s(-499), s(0), s(-600)], None),
            (agreeing, 0, [s(-600), s(0), s(-600), s(700), s(-600), s(700)], Some((6, BLACK))),
            (short, 0, [None; 6], Some((4, TOO_LONG))),
            // Moves of the opening count for the length of the game, and not as scores.
            (short, 2, [s(0); 6], Some((2, TOO_LONG))),
            (short, 3, [s(0); 6], Some((1, TOO_LONG))),
            (short, 20, [s(0); 6], Some((1, TOO_LONG))),
            (later, 4, [s(0); 6], Some((4, DRAWN))),
            (resigning, 8, [s(0); 6], None),
        ] {
            let found = adjudication(rules, opening, &scores);
            assert_eq!(found, expected, "{rules:?} {opening} {scores:?}");
        }
    }

    #[test]
    fn positions_that_tablebases_know_end_a_game() {
        use Variant::{Alquerque, Chesquerque, Masonic};
        let tables = AllTables::with_embedded();
        let (white, black) = (Some(Some(Color::White)), Some(Some(Color::Black)));
        for (variant, fen, winner) in [
            (Chesquerque, "4k4/9/4K4/9/9/9/9/3Q5/9 w - - 0 60", white),
            (Chesquerque, "4k4/9/4K4/9/9/9/9/3q5/9 w - - 0 60", black),
            // The rule about 100 plies comes before the mate.
            (Chesquerque, "k8/9/9/9/9/9/9/3Q5/K8 w - - 98 160", Some(None)),
            (Chesquerque, "4k4/9/4K4/9/9/9/9/9/9 w - - 0 60", Some(None)),
            // More pieces than the program's own tablebases know.
            (Chesquerque, "3rk4/9/4K4/9/9/9/9/3Q5/9 w - - 0 60", None),
            (Masonic, "k7/8/1K6/8/8/8/8/7R w - - 0 60", white),
            (Masonic, "k7/8/8/8/8/8/8/6NK b - - 99 160", Some(None)),
            (Alquerque, "5/2m2/5/2M2/5 w - - 0 1", black),
            (Alquerque, "5/5/1mm2/1mm2/2M2 w - - 0 1", None),
        ] {
            let position = variant.read_fen(fen).expect("a FEN").position;
            let expected = winner.map(|winner| Adjudication { winner, by: BY_TABLES });
            assert_eq!(table_adjudication(&tables, &position), expected, "{fen}");
        }
    }
}
