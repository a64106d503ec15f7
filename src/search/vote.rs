//! Which thread's move is played: several that agree outweigh one, and deeper
//! and better ones count for more (after Stockfish).

use super::search_report::{SearchLine, SearchResult};
use qirkat_game::Game;
use qirkat_game::score::Score;

/// What one thread has come to: the result, and its line ready to be reported.
pub(super) struct Verdict<G: Game> {
    pub result: SearchResult<G>,
    pub line: Option<SearchLine<G>>,
}

/// Added to each thread's lead over the worst score, so that this one counts
/// for something too; in centipawns.
const LEAST_LEAD: i64 = 14;

/// The place of the thread whose move is to be played. Scores of threads that
/// finished no iteration do not vote.
pub(super) fn choose<G: Game>(verdicts: &[Verdict<G>]) -> usize {
    let voters = || {
        verdicts.iter().enumerate().filter_map(|(index, verdict)| {
            let best = verdict.result.best?;
            (verdict.result.depth.0 > 0).then_some((index, best, &verdict.result))
        })
    };
    let worst = voters().map(|(.., result)| result.score).min().unwrap_or(Score::DRAW);
    let weight = |result: &SearchResult<G>| {
        (i64::from(result.score - worst) + LEAST_LEAD) * i64::from(result.depth.0)
    };
    let votes = |mv: G::Move| -> i64 {
        voters().filter(|&(_, best, _)| best == mv).map(|(.., result)| weight(result)).sum()
    };
    // A mate needs no vote, and the shortest is the best. The first of equals
    // is taken, so that one thread alone decides for itself.
    voters()
        .max_by_key(|&(index, mv, result)| {
            let mate = if result.score.is_mate() { result.score.value() } else { 0 };
            (mate.max(0), votes(mv), weight(result), std::cmp::Reverse(index))
        })
        .map_or(0, |(index, ..)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_game::Rules;
    use qirkat_game::distance::{Depth, Ply};
    use qirkat_rules::chesquerque::{Move, Position};

    fn verdict(mv: Move, score: Score, depth: i16) -> Verdict<Position> {
        let result =
            SearchResult { best: Some(mv), score, depth: Depth(depth), ..SearchResult::default() };
        Verdict { result, line: None }
    }

    #[test]
    fn the_better_founded_move_wins() {
        let moves = Position::start().legal_moves();
        let (a, b) = (moves[0], moves[1]);
        let cp = Score::centipawns;
        let mate = Score::mating_at(Ply(5));
        for (verdicts, chosen) in [
            (vec![verdict(a, cp(10), 9)], 0),
            (vec![verdict(a, cp(10), 9), verdict(a, cp(10), 9)], 0),
            (vec![verdict(a, cp(10), 9), verdict(b, cp(60), 9)], 1),
            (vec![verdict(a, cp(10), 9), verdict(b, cp(10), 9), verdict(b, cp(11), 9)], 2),
            (vec![verdict(a, cp(900), 20), verdict(b, mate, 9)], 1),
            (vec![verdict(a, cp(10), 9), verdict(b, cp(500), 0)], 0),
            (vec![], 0),
        ] {
            assert_eq!(choose(&verdicts), chosen);
        }
    }
}
