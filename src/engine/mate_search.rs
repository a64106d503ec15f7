//! A search for a mate in so many moves: the mate is proved, or that there is none, before
//! anything is searched in the ordinary way.

use std::time::Duration;

use super::search_types::{SearchLimits, SearchLine, SearchResult};
use qirkat_game::GameState;
use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;
use qirkat_problem::{MOST_MOVES, MateProof, ProofTable, Watch, shortest_mate};
use qirkat_rules::variant::{AnyMove, AnyPosition, Member};
use qirkat_search::{Bound, Reporter, SearchControl};

/// The part of the time that a proof may take: a move is wanted in any case.
const SHARE_OF_TIME: f64 = 0.75;
/// Megabytes of a table of proofs, at most.
const MOST_MEGABYTES: usize = 64;

/// What a proof has come to.
pub(super) enum MateKnowledge {
    /// The mate is there, and told.
    Answer(SearchResult),
    /// It is not there.
    NoMate,
    /// Nothing was asked, or nothing is known.
    Nothing,
}

/// Proves or excludes the mate that is looked for. A search with other limits than time, or
/// of a game whose history could draw it meanwhile, is left as it is.
pub(super) fn prove_mate<G: Member>(
    control: &SearchControl,
    game: &GameState<G>,
    limits: &SearchLimits,
    megabytes: usize,
    reporter: &mut dyn Reporter<AnyPosition>,
) -> MateKnowledge {
    let Some(most) = limits.mate.filter(|_| is_plain(limits)) else {
        return MateKnowledge::Nothing;
    };
    let position = game.position();
    let most = most.min(u16::from(MOST_MOVES));
    let is_fresh = game.history().is_empty() || position.reversible_plies() == 0;
    if !is_fresh || position.plies_to_clock_draw() < 2 * most {
        return MateKnowledge::Nothing;
    }
    let Ok(table) = ProofTable::new(megabytes.min(MOST_MEGABYTES)) else {
        return MateKnowledge::Nothing;
    };
    let time = limits.time.hard.map(|time| time.mul_f64(SHARE_OF_TIME));
    let is_over = || control.stopped() || time.is_some_and(|time| has_passed(control, time));
    let watch = Watch { stop: &is_over, report: &|_| () };
    let position: AnyPosition = (*position).into();
    match shortest_mate(&position, most as u8, &table, &watch) {
        Ok((MateProof::Mate(line), nodes)) => {
            MateKnowledge::Answer(answer(line, nodes, control, reporter))
        }
        Ok((MateProof::NoMate, _)) if most >= limits.mate.unwrap_or_default() => {
            MateKnowledge::NoMate
        }
        _ => MateKnowledge::Nothing,
    }
}

fn has_passed(control: &SearchControl, time: Duration) -> bool {
    control.elapsed() >= time
}

/// Whether nothing but the mate and time bounds the search.
fn is_plain(limits: &SearchLimits) -> bool {
    limits.depth.is_none()
        && limits.nodes.is_none()
        && limits.soft_nodes.is_none()
        && limits.handicap.is_none()
        && limits.search_moves.is_empty()
        && limits.multi_pv <= 1
        && !limits.ponder
}

/// Tells the mate.
fn answer(
    line: Vec<AnyMove>,
    nodes: u64,
    control: &SearchControl,
    reporter: &mut dyn Reporter<AnyPosition>,
) -> SearchResult {
    let plies = line.len() as u16;
    let (depth, score) = (Depth(plies as i16), Score::mating_at(Ply(plies)));
    let result = SearchResult {
        best: line.first().copied(),
        ponder: line.get(1).copied(),
        score,
        nodes,
        depth,
    };
    reporter.line(&SearchLine {
        depth,
        selective_depth: Ply(plies),
        rank: 1,
        score,
        bound: Bound::Exact,
        nodes,
        time: control.elapsed(),
        hashfull: 0,
        table_hits: 0,
        moves: line,
        is_drawn: false,
    });
    result
}
