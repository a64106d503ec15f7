//! A slow solver of problems: plain minimax over legal moves, without any table or move order. It
//! shares only the rules with the prover, and over [`RefPosition`] not even these.

use std::fmt::Display;

use qirkat_game::Rules;
use qirkat_problem::{Aim, Genre, Goal};
use qirkat_rules::variant::{AnyMove, AnyPosition};
use qirkat_testing::reference::{RefMove, RefPosition};

/// What the slow solver needs of a position.
pub trait PlainPosition: Clone {
    type Move: Copy + Display;
    fn moves(&self) -> Vec<Self::Move>;
    fn after(&self, mv: Self::Move) -> Self;
    fn is_checked(&self) -> bool;
    /// The position after a pass, if one may pass and the other side can move.
    fn after_null_move(&self) -> Option<Self>;
}

impl PlainPosition for AnyPosition {
    type Move = AnyMove;

    fn moves(&self) -> Vec<AnyMove> {
        self.legal_moves()
    }

    fn after(&self, mv: AnyMove) -> AnyPosition {
        Rules::after(self, mv)
    }

    fn is_checked(&self) -> bool {
        self.in_check()
    }

    fn after_null_move(&self) -> Option<AnyPosition> {
        self.after_null_move().ok()
    }
}

impl PlainPosition for RefPosition {
    type Move = RefMove;

    fn moves(&self) -> Vec<RefMove> {
        self.legal_moves()
    }

    fn after(&self, mv: RefMove) -> RefPosition {
        self.play(mv)
    }

    fn is_checked(&self) -> bool {
        self.in_check()
    }

    fn after_null_move(&self) -> Option<RefPosition> {
        if self.in_check() {
            return None;
        }
        let fen = self.to_fen();
        let mut fields: Vec<&str> = fen.split(' ').collect();
        (fields[1], fields[3]) = (if fields[1] == "w" { "b" } else { "w" }, "-");
        RefPosition::from_fen(&fields.join(" "))
    }
}

pub fn is_reached<P: PlainPosition>(goal: Goal, position: &P) -> bool {
    position.is_checked() == (goal == Goal::Mate) && position.moves().is_empty()
}

fn reaching<P: PlainPosition>(goal: Goal, position: &P) -> Vec<P::Move> {
    let mut all = position.moves();
    all.retain(|&mv| is_reached(goal, &position.after(mv)));
    all
}

/// The moves that the aim allows to the attacker or the defender.
pub fn allowed<P: PlainPosition>(aim: Aim, position: &P, attacks: bool) -> Vec<P::Move> {
    let is_bound = aim.genre == Genre::Reflex || aim.genre == Genre::SemiReflex && !attacks;
    let forced = if is_bound { reaching(aim.goal, position) } else { Vec::new() };
    if forced.is_empty() { position.moves() } else { forced }
}

/// First moves that reach a forced aim in this many moves or fewer.
pub fn keys<P: PlainPosition>(aim: Aim, position: &P, moves: u8) -> Vec<P::Move> {
    let mut all = allowed(aim, position, true);
    all.retain(|&mv| replies_fail(aim, &position.after(mv), moves - 1));
    all
}

/// The fewest moves, up to `most`, and all first moves that need no more.
pub fn shortest<P: PlainPosition>(aim: Aim, position: &P, most: u8) -> Option<(u8, Vec<P::Move>)> {
    (1..=most).map(|moves| (moves, keys(aim, position, moves))).find(|(_, keys)| !keys.is_empty())
}

pub fn refutations<P: PlainPosition>(aim: Aim, position: &P, moves: u8) -> Vec<P::Move> {
    let mut all = allowed(aim, position, false);
    all.retain(|&mv| !is_answered(aim, &position.after(mv), moves));
    all
}

/// Whether every reply fails, with this many moves to go for the attacker.
fn replies_fail<P: PlainPosition>(aim: Aim, position: &P, moves: u8) -> bool {
    let replies = allowed(aim, position, false);
    if replies.is_empty() {
        return aim.genre == Genre::Direct && is_reached(aim.goal, position);
    }
    replies.into_iter().all(|mv| is_answered(aim, &position.after(mv), moves))
}

/// Whether the reply that led here fails.
fn is_answered<P: PlainPosition>(aim: Aim, position: &P, moves: u8) -> bool {
    if aim.genre != Genre::Direct && is_reached(aim.goal, position) {
        return true;
    }
    moves > 0 && !keys(aim, position, moves).is_empty()
}

/// All lines of exactly this many plies that reach the goal.
pub fn lines<P: PlainPosition>(aim: Aim, position: &P, plies: u16) -> Vec<Vec<P::Move>> {
    if plies == 1 {
        return reaching(aim.goal, position).into_iter().map(|mv| vec![mv]).collect();
    }
    let mut all = Vec::new();
    for mv in position.moves() {
        let mut next = position.after(mv);
        if aim.genre == Genre::Series || aim.genre == Genre::SeriesHelp && plies > 2 {
            let Some(passed) = next.after_null_move() else { continue };
            next = passed;
        }
        for rest in lines(aim, &next, plies - 1) {
            all.push([vec![mv], rest].concat());
        }
    }
    all
}
