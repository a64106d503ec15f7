//! The shortest mate of a position, for an engine that is asked for one.

use qirkat_rules::variant::{AnyMove, AnyPosition};

use super::mate_game::{MateGame, ProblemError, in_mate_game};
use super::proof_table::ProofTable;
use super::prover::Prover;
use super::stipulation::Aim;
use super::tree::Tree;
use super::watch::{Stopped, Watch, Watched};

/// The result of a search for a mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateProof {
    /// The side to move mates, and not sooner: a line of its shortest mate, in which the
    /// other side holds out for as long as possible.
    Mate(Vec<AnyMove>),
    /// There is no mate in as many moves.
    NoMate,
    Stopped,
}

/// Looks for the shortest mate of the side to move in up to `most` moves, and counts the
/// positions that it takes. Draws by rule are left out of account.
///
/// ```
/// use qirkat_problem::{MateProof, ProofTable, Watch, shortest_mate};
/// use qirkat_rules::variant::Variant;
///
/// let position = Variant::Chesquerque.read_fen("4k4/9/9/9/9/9/R8/1R7/4K4 w - - 0 1")?.position;
/// let table = ProofTable::new(1)?;
/// let (proof, _) = shortest_mate(&position, 2, &table, &Watch::never())?;
/// assert!(matches!(proof, MateProof::Mate(line) if line.len() == 3));
/// let (proof, _) = shortest_mate(&position, 1, &table, &Watch::never())?;
/// assert_eq!(proof, MateProof::NoMate);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the game has no mate.
pub fn shortest_mate(
    position: &AnyPosition,
    most: u8,
    table: &ProofTable,
    watch: &Watch<'_>,
) -> Result<(MateProof, u64), ProblemError> {
    in_mate_game!(position, own => of_game(own, most, table, watch))
}

fn of_game<G: MateGame>(
    position: &G,
    most: u8,
    table: &ProofTable,
    watch: &Watch<'_>,
) -> (MateProof, u64) {
    table.age();
    let watched = Watched::new(*watch);
    let attacker = position.side_to_move();
    let mut prover = Prover::new(Aim::DirectMate, attacker, table, &watched);
    let proof = match line(position, most, &mut prover) {
        Ok(Some(line)) => MateProof::Mate(line.into_iter().map(Into::into).collect()),
        Ok(None) => MateProof::NoMate,
        Err(Stopped) => MateProof::Stopped,
    };
    (proof, prover.nodes)
}

fn line<G: MateGame>(
    position: &G,
    most: u8,
    prover: &mut Prover<'_, G>,
) -> Result<Option<Vec<G::Move>>, Stopped> {
    for length in 1..=most {
        if prover.attack(position, length)?
            && let Some(key) = prover.first_solving(position, length)?
        {
            return Tree::new(prover).main_line(position, key, length).map(Some);
        }
    }
    Ok(None)
}
