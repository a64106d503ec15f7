//! A certificate: a strategy that wins, or two that do not lose. Anyone can check it without
//! knowing how it was found, and whoever has it can play by it.

use qirkat_game::{Color, DRAWING_CLOCK};
use qirkat_rules::alquerque::{Move, Position, State};

/// What a side does in each position that the other can bring about: strategies for both where
/// neither wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The side that wins; none where neither does.
    pub winner: Option<Color>,
    /// The position that it is about.
    pub root: State,
    /// By rising state: the positions with the winner to move that can come up; of a draw those
    /// with either side to move, for the strategy of that side.
    pub decisions: Vec<Decision>,
}

/// A position, and what the side to move does there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The position.
    pub state: State,
    /// The place of the move among the legal moves, in the order of their texts.
    pub choice: u16,
    /// At most so many plies to the end. It falls, so no position comes up twice. None where
    /// neither side wins.
    pub plies: u16,
    /// At most so many plies to the next jump, step forward or end. None where neither side wins.
    pub progress: u16,
}

impl Certificate {
    /// The certificate of a root that one side wins, or neither, with these decisions.
    pub fn new(winner: Option<Color>, root: State, mut decisions: Vec<Decision>) -> Certificate {
        decisions.sort_unstable_by_key(|decision| decision.state);
        Certificate { winner, root, decisions }
    }

    /// The move of the winner in a position that can come up; of the side to move in a draw.
    pub fn choice(&self, position: &Position) -> Option<Move> {
        let decision = self.decision(position.state())?;
        sorted_moves(position).get(usize::from(decision.choice)).copied()
    }

    /// What is done in a position.
    pub fn decision(&self, state: State) -> Option<&Decision> {
        self.find(state).map(|(_, decision)| decision)
    }

    /// The same with its place.
    pub(super) fn find(&self, state: State) -> Option<(usize, &Decision)> {
        let at = self.decisions.binary_search_by_key(&state, |decision| decision.state).ok()?;
        Some((at, self.decisions.get(at)?))
    }

    /// The winner's move, and how many plies it takes at most: where the winner is to move, the
    /// position can come up, and the clock leaves enough.
    pub fn winning_move(&self, position: &Position) -> Option<(Move, u16)> {
        if self.winner != Some(position.side_to_move()) {
            return None;
        }
        let decision = self.decision(position.state())?;
        let is_in_time =
            position.halfmove_clock().saturating_add(decision.progress) <= DRAWING_CLOCK;
        self.choice(position).filter(|_| is_in_time).map(|mv| (mv, decision.plies))
    }
}

/// The legal moves in the order of their texts, by which a [`Decision`] names one.
pub fn sorted_moves(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves();
    moves.sort_by_cached_key(ToString::to_string);
    moves
}
