//! Adjudication: ends games when both players' scores, or the tablebases, decide them.

use qirkat_game::{Color, KnownResult, Rules};
use qirkat_rules::variant::AnyPosition;
use qirkat_tablebase::AllTables;

use crate::info_line::ReportedScore;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// Earliest move number of each side.
    pub after_moves: u32,
    /// Consecutive moves of each side with even scores.
    pub moves_in_a_row: u32,
    /// The largest even score in centipawns.
    pub score: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// Consecutive moves of the loser with lost scores.
    pub moves_in_a_row: u32,
    /// The best lost score in centipawns, as a positive number.
    pub score: i32,
    /// Whether the winner must agree.
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
pub enum Verdict {
    Draw,
    TooLong,
    Win(Color),
    TablebaseWin(Color),
    TablebaseDraw,
}

#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: AdjudicationRules,
    plies: u32,
    even_plies: u32,
    losing_moves: [u32; 2],
    winning_moves: [u32; 2],
}

impl Adjudicator {
    /// Starts a game. The plies of its opening count towards the move limits, as in cutechess, but
    /// have no scores.
    pub fn new(rules: AdjudicationRules, opening: usize) -> Adjudicator {
        let plies = u32::try_from(opening).unwrap_or(u32::MAX);
        Adjudicator { rules, plies, even_plies: 0, losing_moves: [0; 2], winning_moves: [0; 2] }
    }

    /// Counts a move. A move without a score resets the runs of even or lost scores.
    pub fn after_move(&mut self, mover: Color, score: Option<ReportedScore>) -> Option<Verdict> {
        self.plies = self.plies.saturating_add(1);
        let score = score.map(ReportedScore::centipawns);
        self.by_resignation(mover, score)
            .or_else(|| self.by_even_scores(score))
            .or_else(|| self.by_length())
    }

    fn by_resignation(&mut self, mover: Color, score: Option<i32>) -> Option<Verdict> {
        let rule = self.rules.resign?;
        let count =
            |in_a_row: &mut u32, holds: bool| *in_a_row = if holds { *in_a_row + 1 } else { 0 };
        count(&mut self.losing_moves[mover.index()], score.is_some_and(|s| s <= -rule.score));
        count(&mut self.winning_moves[mover.index()], score.is_some_and(|s| s >= rule.score));
        Color::ALL
            .into_iter()
            .find(|&loser| {
                let winner = !loser;
                self.losing_moves[loser.index()] >= rule.moves_in_a_row
                    && (!rule.two_sided
                        || self.winning_moves[winner.index()] >= rule.moves_in_a_row)
            })
            .map(|loser| Verdict::Win(!loser))
    }

    fn by_even_scores(&mut self, score: Option<i32>) -> Option<Verdict> {
        let rule = self.rules.draw?;
        let even = score.is_some_and(|score| score.abs() <= rule.score);
        self.even_plies = if even { self.even_plies + 1 } else { 0 };
        let drawn =
            self.plies / 2 >= rule.after_moves && self.even_plies / 2 >= rule.moves_in_a_row;
        drawn.then_some(Verdict::Draw)
    }

    fn by_length(&self) -> Option<Verdict> {
        let too_long = self.plies / 2 >= self.rules.max_moves?;
        too_long.then_some(Verdict::TooLong)
    }
}

/// The tablebase verdict on a position, if known. A win that the 100-ply rule prevents, given the
/// plies already counted, is a draw.
pub(super) fn verdict_of(tablebases: &AllTables, position: &AnyPosition) -> Option<Verdict> {
    let mover: Color = position.side_to_move();
    Some(match tablebases.known(position)? {
        KnownResult::Win(_) => Verdict::TablebaseWin(mover),
        KnownResult::Loss(_) => Verdict::TablebaseWin(!mover),
        KnownResult::Draw => Verdict::TablebaseDraw,
    })
}

#[cfg(test)]
mod tests {
    use qirkat_rules::variant::Variant;

    use super::*;

    /// Verdicts on a game of judgements in centipawns, White first; none for a move without score.
    fn verdict(
        rules: AdjudicationRules,
        opening: usize,
        scores: &[Option<i32>],
    ) -> Option<(usize, Verdict)> {
        let mut adjudicator = Adjudicator::new(rules, opening);
        let movers = Color::ALL.into_iter().cycle();
        (1..).zip(scores.iter().zip(movers)).find_map(|(ply, (score, mover))| {
            let verdict = adjudicator.after_move(mover, score.map(ReportedScore::Centipawns))?;
            Some((ply, verdict))
        })
    }

    #[test]
    fn agreed_scores_end_a_game() {
        let draw = DrawRule { after_moves: 2, moves_in_a_row: 2, score: 10 };
        let resign = ResignRule { moves_in_a_row: 2, score: 500, two_sided: false };
        let both = ResignRule { two_sided: true, ..resign };
        let none = AdjudicationRules::default();
        let drawing = AdjudicationRules { draw: Some(draw), ..none };
        let resigning = AdjudicationRules { resign: Some(resign), ..none };
        let agreeing = AdjudicationRules { resign: Some(both), ..none };
        let short = AdjudicationRules { max_moves: Some(2), ..none };
        let s = Some;
        for (rules, scores, expected) in [
            (none, [s(0), s(0), s(0), s(0), s(0), s(0)], None),
            (drawing, [s(5), s(-5), s(0), s(9), s(0), s(0)], Some((4, Verdict::Draw))),
            (drawing, [s(5), s(-50), s(0), s(9), s(0), s(0)], Some((6, Verdict::Draw))),
            (drawing, [s(5), None, s(0), None, s(0), None], None),
            (
                resigning,
                [s(-600), s(0), s(-500), s(0), s(0), s(0)],
                Some((3, Verdict::Win(Color::Black))),
            ),
            (resigning, [s(0), s(-600), s(0), s(-499), s(0), s(-600)], None),
            (
                agreeing,
                [s(-600), s(0), s(-600), s(700), s(-600), s(700)],
                Some((6, Verdict::Win(Color::Black))),
            ),
            (short, [None, None, None, None, None, None], Some((4, Verdict::TooLong))),
        ] {
            assert_eq!(verdict(rules, 0, &scores), expected, "{rules:?} {scores:?}");
        }
        // Moves of the opening count for the length of the game, and not as scores.
        for (rules, opening, expected) in [
            (short, 2, Some((2, Verdict::TooLong))),
            (short, 3, Some((1, Verdict::TooLong))),
            (short, 20, Some((1, Verdict::TooLong))),
            (AdjudicationRules { draw: Some(DrawRule { after_moves: 4, ..draw }), ..none }, 4, {
                Some((4, Verdict::Draw))
            }),
            (resigning, 8, None),
        ] {
            assert_eq!(verdict(rules, opening, &[s(0); 6]), expected, "{rules:?} {opening}");
        }
    }

    #[test]
    fn positions_that_tablebases_know_end_a_game() {
        let tables = AllTables::with_embedded();
        for (variant, fen, expected) in [
            (Variant::Chesquerque, "4k4/9/4K4/9/9/9/9/3Q5/9 w - - 0 60", {
                Some(Verdict::TablebaseWin(Color::White))
            }),
            (Variant::Chesquerque, "4k4/9/4K4/9/9/9/9/3q5/9 w - - 0 60", {
                Some(Verdict::TablebaseWin(Color::Black))
            }),
            // The rule about 100 plies comes before the mate.
            (
                Variant::Chesquerque,
                "k8/9/9/9/9/9/9/3Q5/K8 w - - 98 160",
                Some(Verdict::TablebaseDraw),
            ),
            (
                Variant::Chesquerque,
                "4k4/9/4K4/9/9/9/9/9/9 w - - 0 60",
                Some(Verdict::TablebaseDraw),
            ),
            // More pieces than the program's own tablebases know.
            (Variant::Chesquerque, "3rk4/9/4K4/9/9/9/9/3Q5/9 w - - 0 60", None),
            (Variant::Masonic, "k7/8/1K6/8/8/8/8/7R w - - 0 60", {
                Some(Verdict::TablebaseWin(Color::White))
            }),
            (Variant::Masonic, "k7/8/8/8/8/8/8/6NK b - - 99 160", Some(Verdict::TablebaseDraw)),
            (Variant::Alquerque, "5/2m2/5/2M2/5 w - - 0 1", {
                Some(Verdict::TablebaseWin(Color::Black))
            }),
            (Variant::Alquerque, "5/5/1mm2/1mm2/2M2 w - - 0 1", None),
        ] {
            let position = variant.read_fen(fen).expect("a FEN").position;
            assert_eq!(verdict_of(&tables, &position), expected, "{fen}");
        }
    }
}
