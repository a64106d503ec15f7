//! The search for a mate in a number of moves: the mate is proved, or that there is none, before
//! anything is searched in the ordinary way.

use qirkat_game::Rules;
use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;
use qirkat_problem::{MOST_MOVES, MateProof, ProofTable, Watch, shortest_mate};
use qirkat_rules::variant::{AnyGame, AnyPosition};
use qirkat_search::{Reporter, SearchControl};

use super::{SearchLimits, SearchLine, SearchResult};

/// The part of the time that a proof may take: a move is wanted in any case.
const SHARE_OF_TIME: f64 = 0.75;
/// Megabytes of a table of proofs, at most.
const MOST_MEGABYTES: usize = 64;

/// The result of a proof.
pub(super) enum MateKnowledge {
    /// The mate is there, and reported.
    Mate(SearchResult),
    NoMate,
    Nothing,
}

/// Proves or excludes a mate in this many moves. A search with other limits than time, or
/// of a game whose history could draw it meanwhile, is left as it is.
pub(super) fn prove_mate(
    control: &SearchControl,
    game: &AnyGame,
    limits: &SearchLimits,
    moves: u16,
    megabytes: usize,
    reporter: &mut Reporter<'_, AnyPosition>,
) -> MateKnowledge {
    let position = game.position();
    let most = moves.min(u16::from(MOST_MOVES));
    let is_fresh = game.history().is_empty() || position.reversible_plies() == 0;
    if !is_plain(limits) || !is_fresh || position.plies_to_clock_draw() < 2 * most {
        return MateKnowledge::Nothing;
    }
    let Ok(table) = ProofTable::new(megabytes.min(MOST_MEGABYTES)) else {
        return MateKnowledge::Nothing;
    };
    let time = limits.time.hard.map(|time| time.mul_f64(SHARE_OF_TIME));
    let is_over = || control.stopped() || time.is_some_and(|time| control.elapsed() >= time);
    let watch = Watch { stop: &is_over, report: &|_| () };
    match shortest_mate(position, most as u8, &table, &watch) {
        Ok((MateProof::Mate(line), nodes)) => {
            let plies = line.len() as u16;
            let score = Score::mating_at(Ply(plies));
            let mut line = SearchLine::new(Depth(plies as i16), score, line);
            line.nodes = nodes;
            line.time = control.elapsed();
            reporter(&line);
            MateKnowledge::Mate(SearchResult::of_line(&line))
        }
        Ok((MateProof::NoMate, _)) if most >= moves => MateKnowledge::NoMate,
        _ => MateKnowledge::Nothing,
    }
}

/// Whether nothing but the mate and time bounds the search.
fn is_plain(limits: &SearchLimits) -> bool {
    limits.depth.is_none()
        && limits.nodes.is_none()
        && limits.soft_nodes.is_none()
        && limits.handicap.is_none()
        && limits.multi_pv.get() == 1
        && !limits.ponder
}
