//! Problems: against a slow solver, and with known solutions.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod agreement;
mod known;
mod random_positions;
mod slow;

use std::sync::atomic::{AtomicU64, Ordering};

use qirkat_problem::{
    Proof, ProofControl, ProofTable, Solution, SolveRequest, VerdictKind, solve, verdict_sentence,
};
use qirkat_rules::variant::{AnyPosition, Variant};

fn position(fen: &str) -> AnyPosition {
    Variant::Chesquerque.read_fen(fen).expect("a FEN").position
}

fn request(stipulation: &str) -> SolveRequest {
    SolveRequest::new(stipulation.parse().expect("a stipulation"))
}

fn solved(position: &AnyPosition, request: &SolveRequest) -> Solution {
    let table = ProofTable::new(1).expect("a megabyte");
    solve(position, request, &table, &ProofControl::never()).expect("a game with mate")
}

fn keys(solution: &Solution) -> Vec<String> {
    sorted(solution.keys.iter().map(|key| &key.mv.uci))
}

fn sorted(all: impl IntoIterator<Item: ToString>) -> Vec<String> {
    let mut texts: Vec<String> = all.into_iter().map(|it| it.to_string()).collect();
    texts.sort();
    texts
}

#[test]
fn a_stopped_proof_reports_open_moves() {
    // A mate in five, which takes far more nodes than a few stop checks.
    let fen = "rnbqk4/pppppr3/7p1/9/8Q/2N1N2p1/1P1P5/P2BP2RP/n3K4 w q - 0 1";
    let (position, request) = (position(fen), request("#5"));
    let table = ProofTable::new(1).expect("a megabyte");
    for most in [0, 1, 20] {
        let asked = AtomicU64::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= most;
        let control = ProofControl { stop: &stop, report: &|_| () };
        let solution = solve(&position, &request, &table, &control).expect("a game with mate");
        let Proof::Stopped { excluded_below } = solution.proof else { panic!("{most}: complete") };
        assert!(excluded_below <= 9, "{most}");
        assert!(!solution.open.is_empty() && solution.keys.is_empty(), "{most}");
        assert_eq!(solution.verdict(&request).kind, VerdictKind::NotProved, "{most}");
        assert!(verdict_sentence(&solution, &request).starts_with("Not proved: stopped at "));
    }
}

#[test]
fn problems_of_alquerque_are_rejected() {
    let table = ProofTable::new(1).expect("a megabyte");
    let start = Variant::Alquerque.start();
    let error = solve(&start, &request("#2"), &table, &ProofControl::never()).expect_err("no mate");
    assert!(error.to_string().contains("Alquerque has no mate"), "{error}");
}

#[test]
fn the_number_of_threads_changes_no_result() {
    for (fen, stipulation) in [
        ("4k3r/p1p1pp1ap/2n6/6n2/9/1P1r5/R2Q2P2/P1PKP2PP/2A3qNR b k - 0 1", "#2"),
        ("4k4/5n3/7p1/p2Rp1p2/3nP4/3rN4/3p2P2/PP5r1/RN3K3 b - - 0 1", "#3"),
        ("9/9/7Q1/9/9/9/9/8k/7K1 b - - 0 1", "h#2"),
    ] {
        let (position, one) = (position(fen), request(stipulation));
        let alone = solved(&position, &one);
        let together = solved(&position, &SolveRequest { threads: 4, ..one.clone() });
        assert!(alone.solved.is_some() && alone.is_proved(), "{fen}");
        assert_eq!(alone.solved, together.solved, "{fen}");
        assert_eq!(alone.keys, together.keys, "{fen}");
        assert_eq!(alone.lines, together.lines, "{fen}");
    }
}
