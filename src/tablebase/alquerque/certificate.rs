//! A certificate: a strategy that wins, or two that do not lose. Anyone can check it without
//! knowing how it was found, and can play by it.

use qirkat_game::{Color, DRAWING_PLIES, Rules};
use qirkat_rules::alquerque::{Move, Position, State};
use thiserror::Error;

/// A move for each position that the opponent can reach. A draw has a strategy for each side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The side that wins; none in a draw.
    pub winner: Option<Color>,
    pub root: State,
    /// Sorted by state: the reachable positions with the winner to move. In a draw, those with
    /// either side to move, each for that side's strategy.
    pub decisions: Vec<Decision>,
}

/// A position, and the move of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    pub state: State,
    /// The index of the move among the [`sorted_moves`].
    pub choice: u16,
    /// An upper bound of the plies to the end. It decreases with every move, so no position
    /// repeats. Not used in a draw.
    pub plies: u16,
    /// An upper bound of the plies to the next jump, step forward or end. Not used in a draw.
    pub progress: u16,
}

impl Certificate {
    /// A certificate with these decisions; without a winner it claims a draw.
    pub fn new(winner: Option<Color>, root: State, mut decisions: Vec<Decision>) -> Certificate {
        decisions.sort_unstable_by_key(|decision| decision.state);
        Certificate { winner, root, decisions }
    }

    /// The winner's move in a reachable position; in a draw, that of the side to move.
    pub fn choice(&self, position: &Position) -> Option<Move> {
        let decision = self.decision(position.state())?;
        sorted_moves(position).get(usize::from(decision.choice)).copied()
    }

    pub fn decision(&self, state: State) -> Option<&Decision> {
        self.find(state).map(|(_, decision)| decision)
    }

    pub(super) fn find(&self, state: State) -> Option<(usize, &Decision)> {
        let at = self.decisions.binary_search_by_key(&state, |decision| decision.state).ok()?;
        Some((at, self.decisions.get(at)?))
    }

    /// The winner's move and an upper bound of its plies. None unless the winner is to move, the
    /// position is reachable, and the clock leaves enough plies.
    pub fn winning_move(&self, position: &Position) -> Option<(Move, u16)> {
        if self.winner != Some(position.side_to_move()) {
            return None;
        }
        let decision = self.decision(position.state())?;
        let is_in_time =
            position.halfmove_clock().saturating_add(decision.progress) <= DRAWING_PLIES;
        self.choice(position).filter(|_| is_in_time).map(|mv| (mv, decision.plies))
    }
}

/// The legal moves sorted by their text; [`Decision`] holds an index into them.
pub fn sorted_moves(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves();
    moves.sort_by_cached_key(ToString::to_string);
    moves
}

/// What a certificate proves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verified {
    pub winner: Option<Color>,
    /// The position proved. It is won if the clock leaves at least `progress` plies.
    pub root: State,
    /// An upper bound of the plies to the end; zero in a draw.
    pub plies: u16,
    /// An upper bound of the plies to the next jump, step forward or end; zero in a draw.
    pub progress: u16,
    /// The positions in which the strategy has a move.
    pub decisions: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum VerifyError {
    #[error("decision {0}: not a position")]
    NoPosition(usize),
    #[error("the root: not a position")]
    NoRoot,
    /// The decision with this number, from 1, repeats a state or is out of order.
    #[error("decision {0}: not in order")]
    Order(usize),
    #[error("{0}: the loser is to move there")]
    Side(Box<Position>),
    #[error("{position}: there is no legal move {choice}")]
    Choice { position: Box<Position>, choice: u16 },
    #[error("{0} can come up, and is left out")]
    Missing(Box<Position>),
    #[error("{0} cannot come up")]
    Unreached(Box<Position>),
    /// The plies to the end, or those to the next jump or step forward, do not decrease.
    #[error("{position}: its {what} do not hold")]
    Numbers {
        position: Box<Position>,
        /// Which number is wrong.
        what: &'static str,
    },
}

/// An upper limit for plies to the end: more than any game takes, and small enough to add to.
const MAX_PLIES: u16 = u16::MAX / 2;

/// Verifies a certificate by the rules alone.
///
/// A strategy wins if it has a move for every reachable position and both bounds of each position
/// hold. The plies to the end decrease with every move, so the game ends and nothing repeats. The
/// plies to the next jump or step forward are 100 at most and decrease in between, so the clock
/// never ends the game first. A side that cannot move has lost; the winner can always move. In a
/// draw neither strategy ever runs out of moves.
///
/// # Errors
/// The first fault found.
pub fn verify(certificate: &Certificate) -> Result<Verified, VerifyError> {
    let Certificate { winner, root, ref decisions } = *certificate;
    for (at, pair) in decisions.windows(2).enumerate() {
        if pair[0].state >= pair[1].state {
            return Err(VerifyError::Order(at + 2));
        }
    }
    let position = root.position().ok_or(VerifyError::NoRoot)?;
    let (mut plies, mut progress) = (0, 0);
    let mut reached =
        Reached { certificate, is_reached: vec![false; decisions.len()], waiting: vec![] };
    let has_strategy = |side| winner.is_none_or(|winner| winner == side);
    if has_strategy(position.side_to_move()) {
        let decision = reached.decision(&position)?;
        (plies, progress) = (decision.plies, decision.progress);
    }
    if has_strategy(!position.side_to_move()) {
        for mv in position.legal_moves() {
            let reply = position.after(mv);
            let decision = reached.decision(&reply)?;
            if winner.is_none() {
                continue;
            }
            plies = plies.max(decision.plies.saturating_add(1));
            let is_progress = reply.halfmove_clock() == 0;
            progress =
                progress.max(if is_progress { 1 } else { decision.progress.saturating_add(1) });
        }
    }
    while let Some(at) = reached.waiting.pop() {
        let position = decisions[at].state.position().ok_or(VerifyError::NoPosition(at + 1))?;
        verify_decision(&mut reached, &decisions[at], &position)?;
    }
    if let Some(at) = reached.is_reached.iter().position(|is_reached| !is_reached) {
        let position = decisions[at].state.position().ok_or(VerifyError::NoPosition(at + 1))?;
        return Err(match has_strategy(position.side_to_move()) {
            true => VerifyError::Unreached(Box::new(position)),
            false => VerifyError::Side(Box::new(position)),
        });
    }
    Ok(Verified { winner, root, plies, progress, decisions: decisions.len() })
}

/// The decisions that the strategy reaches.
struct Reached<'a> {
    certificate: &'a Certificate,
    is_reached: Vec<bool>,
    /// The indices of those still to be checked.
    waiting: Vec<usize>,
}

impl<'a> Reached<'a> {
    fn decision(&mut self, position: &Position) -> Result<&'a Decision, VerifyError> {
        let (at, decision) = self
            .certificate
            .find(position.state())
            .ok_or_else(|| VerifyError::Missing(Box::new(*position)))?;
        if !std::mem::replace(&mut self.is_reached[at], true) {
            self.waiting.push(at);
        }
        Ok(decision)
    }
}

fn verify_decision(
    reached: &mut Reached<'_>,
    decision: &Decision,
    position: &Position,
) -> Result<(), VerifyError> {
    let moves = sorted_moves(position);
    let Some(&mv) = moves.get(usize::from(decision.choice)) else {
        let choice = decision.choice;
        return Err(VerifyError::Choice { position: Box::new(*position), choice });
    };
    let wrong = |what| Err(VerifyError::Numbers { position: Box::new(*position), what });
    let is_won = reached.certificate.winner.is_some();
    if is_won && !(1..=MAX_PLIES).contains(&decision.plies) {
        return wrong("plies to the end");
    }
    if is_won && !(1..=DRAWING_PLIES).contains(&decision.progress) {
        return wrong("plies to the next jump or step forward");
    }
    let next = position.after(mv);
    let moved_on = next.halfmove_clock() == 0;
    for reply in next.legal_moves() {
        let reply = next.after(reply);
        let after = reached.decision(&reply)?;
        if !is_won {
            continue;
        }
        if after.plies.checked_add(2).is_none_or(|plies| plies > decision.plies) {
            return wrong("plies to the end");
        }
        // Counts the winner's step along a rank, the opponent's, and all that follows.
        let needed = match (moved_on, reply.halfmove_clock() == 0) {
            (true, true) => 1,
            // The opponent's step along a rank counts for the clock as well.
            (true, false) if after.progress >= DRAWING_PLIES => DRAWING_PLIES + 1,
            (true, false) => 1,
            (false, true) => 2,
            (false, false) => after.progress.saturating_add(2),
        };
        if needed > decision.progress {
            return wrong("plies to the next jump or step forward");
        }
    }
    Ok(())
}
