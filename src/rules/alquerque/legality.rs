//! Whether a single move is legal, without generating the others.

use super::chain::Move;
use super::generate::JumpingMan;
use super::lines::jumpable_from;
use super::position::Position;
use super::side::{is_onward, last_rank};

impl Position {
    /// Whether a move from anywhere (a hash table, a text) is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let begins_well = self.men(us).contains(mv.from()) && is_onward(us, mv.first_direction());
        begins_well && if mv.is_jump() { self.jumps_are_legal(mv) } else { self.step_is_legal(mv) }
    }

    fn step_is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        self.empty().contains(mv.to())
            && mv.first_direction().lines().contains(mv.from())
            && !last_rank(us).contains(mv.from())
            && self.forbidden_step(us).map(|step| step.as_move()) != Some(mv)
            && !self.can_jump()
    }

    fn jumps_are_legal(&self, mv: Move) -> bool {
        let from = mv.from();
        let enemy = self.men(!self.side_to_move);
        let mut man = JumpingMan { at: from, enemy, empty: self.empty() | from.bit() };
        for (over, to) in mv.jump_legs() {
            if !(jumpable_from(man.at) & man.enemy).contains(over) || !man.empty.contains(to) {
                return false;
            }
            man = man.after(over, to);
        }
        man.next_jumps().next().is_none()
    }
}
