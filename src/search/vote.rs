//! Which thread's move is played: several that agree outweigh one, and deeper
//! and better ones count for more (after Stockfish).

use super::search_report::{Reporter, SearchLine, SearchResult};
use super::worker::SearchTask;
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, Searchable};

/// The result of one thread, and its line ready to be reported.
pub(super) struct Verdict<G: Searchable> {
    pub result: SearchResult<G>,
    pub line: Option<SearchLine<G>>,
}

/// Added to each thread's lead over the worst score, so that this one counts
/// for something too; in centipawns.
const LEAST_LEAD: i64 = 14;

/// The result of the search from those of its threads, the first thread's first. It is
/// reported where it is not what was reported last.
pub(super) fn decide<E: Evaluate>(
    task: &SearchTask<'_, E>,
    mut verdicts: Vec<Verdict<E::Game>>,
    reporter: &mut Reporter<'_, E::Game>,
) -> SearchResult<E::Game> {
    let limits = task.limits;
    // Several lines, a mate search and a weaker player's choice are the first thread's.
    let is_open = limits.is_single_line() && limits.mate.is_none() && limits.handicap.is_none();
    let chosen = if is_open { choose(&verdicts) } else { 0 };
    let reported = verdicts.first().and_then(|leader| Some(leader.line.as_ref()?.depth));
    let Verdict { mut result, line } = verdicts.swap_remove(chosen);
    let is_another = chosen != 0 || (limits.handicap.is_some() && limits.is_single_line());
    if is_another && let Some(mut line) = line {
        // Nothing that has been reported goes back.
        line.depth = line.depth.max(reported.unwrap_or_default());
        line.nodes = task.control.nodes();
        line.time = task.control.elapsed();
        reporter(&line);
    }
    result.nodes = task.control.nodes() - task.control.nodes_before_search();
    result
}

/// The place of the thread whose move is to be played. Scores of threads that
/// finished no iteration do not vote.
fn choose<G: Searchable>(verdicts: &[Verdict<G>]) -> usize {
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
