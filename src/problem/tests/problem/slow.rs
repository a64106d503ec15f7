//! A slow solver of problems: plain minimax over legal moves, without any table or move order. It
//! shares only the rules with the prover.

use qirkat_game::{Rules, Terminal};
use qirkat_problem::Aim;
use qirkat_rules::variant::{AnyMove, AnyPosition};

pub fn is_mated(position: &AnyPosition) -> bool {
    position.legal_moves().is_empty() && position.without_moves() == Terminal::Lost
}

/// First moves that reach a direct mate or selfmate in this many moves or fewer.
pub fn keys(aim: Aim, position: &AnyPosition, moves: u8) -> Vec<AnyMove> {
    let mut all = position.legal_moves();
    all.retain(|&mv| replies_fail(aim, &position.after(mv), moves - 1));
    all
}

/// The fewest moves, up to `most`, and all first moves that need no more.
pub fn shortest(aim: Aim, position: &AnyPosition, most: u8) -> Option<(u8, Vec<AnyMove>)> {
    (1..=most).map(|moves| (moves, keys(aim, position, moves))).find(|(_, keys)| !keys.is_empty())
}

pub fn refutations(aim: Aim, position: &AnyPosition, moves: u8) -> Vec<AnyMove> {
    let mut all = position.legal_moves();
    all.retain(|&mv| !is_answered(aim, &position.after(mv), moves));
    all
}

/// Whether every reply fails, with this many moves to go for the attacker.
fn replies_fail(aim: Aim, position: &AnyPosition, moves: u8) -> bool {
    let replies = position.legal_moves();
    if replies.is_empty() {
        return aim == Aim::DirectMate && is_mated(position);
    }
    replies.into_iter().all(|mv| is_answered(aim, &position.after(mv), moves))
}

/// Whether the reply that led here fails.
fn is_answered(aim: Aim, position: &AnyPosition, moves: u8) -> bool {
    if aim == Aim::SelfMate && is_mated(position) {
        return true;
    }
    let mut any = position.legal_moves().into_iter();
    moves > 0 && any.any(|mv| replies_fail(aim, &position.after(mv), moves - 1))
}

/// All lines of exactly this many plies that end in mate.
pub fn help(position: &AnyPosition, plies: u16) -> Vec<Vec<AnyMove>> {
    if plies == 0 {
        return if is_mated(position) { vec![Vec::new()] } else { Vec::new() };
    }
    let mut lines = Vec::new();
    for mv in position.legal_moves() {
        for rest in help(&position.after(mv), plies - 1) {
            lines.push([vec![mv], rest].concat());
        }
    }
    lines
}
