//! Helps composers: finds the neighbours of a position that have exactly one solution.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use qirkat_game::{Board, Color, PieceCode};
use qirkat_rules::fen::{FenError, placement_text};
use qirkat_rules::variant::{AnyPosition, VariantGame};

use super::help::help_lines;
use super::mate_game::{MateGame, ProblemError, in_mate_game};
use super::mate_prover::MateProver;
use super::proof_control::{ProofControl, ProofStep, SharedControl, Stopped, share_tasks};
use super::proof_table::ProofTable;
use super::solution::WrittenMove;
use super::stipulation::Stipulation;

#[derive(Clone, Debug)]
pub struct ComposeRequest {
    /// Solutions take exactly its number of moves.
    pub stipulation: Stipulation,
    /// Threads; one without the feature `threads`.
    pub threads: usize,
}

/// A neighbour with exactly one solution.
#[derive(Clone, Debug)]
pub struct Composed {
    pub neighbour: Neighbour,
    /// The key, or the whole line of help and series play.
    pub solution: Vec<WrittenMove>,
}

/// Checks every neighbour of a position, and passes those with exactly one key, and no shorter
/// solution, to `found` at once. Returns how many neighbours were checked, and how many there are.
pub fn compose(
    position: &AnyPosition,
    request: &ComposeRequest,
    table: &ProofTable,
    control: &ProofControl<'_>,
    found: &(dyn Fn(Composed) + Sync),
) -> Result<(usize, usize), ProblemError> {
    in_mate_game!(position, own => check_all(own, request, table, control, found))
}

fn check_all<G: MateGame>(
    position: &G,
    request: &ComposeRequest,
    table: &ProofTable,
    control: &ProofControl<'_>,
    found: &(dyn Fn(Composed) + Sync),
) -> (usize, usize) {
    table.age();
    let shared = SharedControl::new(*control);
    let neighbours = neighbours(&(*position).into());
    let stipulation = request.stipulation;
    shared.report(ProofStep::Length { plies: stipulation.plies(), parts: neighbours.len() as u64 });
    let checked = AtomicUsize::new(0);
    // Calls of `found` are serialised.
    let calling = Mutex::new(());
    let attacker = position.side_to_move();
    let mut provers: Vec<MateProver<'_, G>> = (0..request.threads.max(1))
        .map(|_| MateProver::new(stipulation.aim(), attacker, table, &shared))
        .collect();
    share_tasks(&mut provers, neighbours.len(), &|prover, at| {
        // Short proofs end before they first check whether to stop.
        if shared.must_stop() {
            return false;
        }
        let neighbour = &neighbours[at];
        let Some(own) = G::own_position(&neighbour.position) else { return true };
        let Ok(solution) = only_solution(own, stipulation, prover, table) else { return false };
        if let Some(solution) = solution {
            let called = calling.lock().unwrap_or_else(PoisonError::into_inner);
            found(Composed { neighbour: neighbour.clone(), solution });
            drop(called);
        }
        checked.fetch_add(1, Ordering::Relaxed);
        shared.report(ProofStep::Part);
        true
    });
    (checked.into_inner(), neighbours.len())
}

/// The only solution of a position, if there is exactly one and none is shorter.
fn only_solution<G: MateGame>(
    position: &G,
    stipulation: Stipulation,
    prover: &mut MateProver<'_, G>,
    table: &ProofTable,
) -> Result<Option<Vec<WrittenMove>>, Stopped> {
    if !stipulation.aim().is_forced() {
        return only_line(position, stipulation, prover, table);
    }
    let moves = stipulation.moves();
    if prover.attack(position, moves - 1)? || !prover.attack(position, moves)? {
        return Ok(None);
    }
    let mut only = None;
    for mv in prover.moves(position) {
        if prover.solves(position, mv, moves)? {
            if only.is_some() {
                return Ok(None);
            }
            only = Some(mv);
        }
    }
    Ok(only.map(|mv| vec![WrittenMove::of(position, mv)]))
}

fn only_line<G: MateGame>(
    position: &G,
    stipulation: Stipulation,
    prover: &MateProver<'_, G>,
    table: &ProofTable,
) -> Result<Option<Vec<WrittenMove>>, Stopped> {
    let outer = prover.shared;
    let silent = ProofControl { stop: &|| outer.must_stop(), report: &|_| () };
    let shared = SharedControl::new(silent);
    let plies = stipulation.plies();
    for length in stipulation.lengths() {
        let found = help_lines(position, stipulation.aim(), length, 1, table, &shared, &mut 0);
        if !found.is_complete {
            return Err(Stopped);
        }
        match found.lines.as_slice() {
            [] => {}
            [line] if length == plies => return Ok(Some(WrittenMove::line(position, line))),
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// A position that differs by one piece moved, added or removed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Neighbour {
    /// The position, without en passant, and with those castling rights that are still possible.
    pub position: AnyPosition,
    /// Such as `Qb6-b7`, `-nd4` and `+Pe2`, with the piece's FEN letter.
    pub change: String,
}

/// All valid neighbours with the same side to move; none in games without kings. Kings are moved,
/// but neither added nor removed.
pub fn neighbours(position: &AnyPosition) -> Vec<Neighbour> {
    in_mate_game!(position, own => neighbours_of(own)).unwrap_or_default()
}

pub(super) type MaybePiece = Option<PieceCode>;

fn neighbours_of<G: VariantGame + Board>(position: &G) -> Vec<Neighbour> {
    let pieces: Vec<MaybePiece> = (0..G::POINTS).map(|point| position.piece_at(point)).collect();
    let mut all = Vec::new();
    let mut add = |pieces: &[MaybePiece], change: String| {
        if let Ok(position) = rebuilt::<G>(position, pieces) {
            all.push(Neighbour { position, change });
        }
    };
    for (from, piece) in (0..).zip(&pieces).filter_map(|(at, piece)| Some((at, (*piece)?))) {
        let (letter, from_name) = (G::letter(piece).unwrap_or('?'), name::<G>(from));
        let mut changed = pieces.clone();
        changed[from] = None;
        if Some(piece.kind()) != G::KING {
            add(&changed, format!("-{letter}{from_name}"));
        }
        for to in (0..G::POINTS).filter(|&to| pieces[to].is_none()) {
            changed[to] = Some(piece);
            add(&changed, format!("{letter}{from_name}-{}", name::<G>(to)));
            changed[to] = None;
        }
    }
    let kinds = (0..G::KIND_LETTERS.len()).filter(|&kind| Some(kind) != G::KING);
    let addable = kinds.flat_map(|kind| Color::ALL.map(|color| PieceCode::new(color, kind)));
    for to in (0..G::POINTS).filter(|&to| pieces[to].is_none()) {
        for piece in addable.clone() {
            let mut changed = pieces.clone();
            changed[to] = Some(piece);
            let letter = G::letter(piece).unwrap_or('?');
            add(&changed, format!("+{letter}{}", name::<G>(to)));
        }
    }
    all
}

fn name<G: Board>(point: usize) -> String {
    let file = char::from(b'a' + (point % G::FILES) as u8);
    format!("{file}{}", point / G::FILES + 1)
}

/// The position with other pieces, without en passant.
pub(super) fn rebuilt<G: VariantGame + Board>(
    position: &G,
    pieces: &[MaybePiece],
) -> Result<AnyPosition, FenError> {
    let old = position.to_string();
    let kept: Vec<&str> = old.split(' ').skip(1).take(2).collect();
    let letter = |file: u8, rank: u8| {
        pieces[usize::from(rank) * G::FILES + usize::from(file)].and_then(G::letter)
    };
    let placement = placement_text([G::FILES as u8, G::RANKS as u8], letter);
    let fen = format!("{placement} {} - 0 1", kept.join(" "));
    Ok(G::VARIANT.read_fen(&fen)?.position)
}
