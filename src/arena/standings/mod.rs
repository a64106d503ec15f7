//! The standings: the sum of the finished games.

mod head_to_head;
mod meetings;

pub use head_to_head::HeadToHead;
pub use meetings::{Meetings, Ranking};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use qirkat_rules::pgn::GameResult;

use crate::game::Termination;

/// A finished game as far as counting goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameOutcome {
    /// The game's number in the schedule.
    pub number: usize,
    pub pair: usize,
    /// Who played White.
    pub white: usize,
    /// Who played Black.
    pub black: usize,
    pub result: GameResult,
    /// How it came to its end.
    pub termination: Termination,
}

/// All finished games of a tournament, each once, in any order.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    outcomes: BTreeMap<usize, GameOutcome>,
}

impl Standings {
    /// Counts a game. False if it had been counted already.
    pub fn add(&mut self, outcome: GameOutcome) -> bool {
        self.outcomes.insert(outcome.number, outcome).is_none()
    }

    /// The games, by number.
    pub fn outcomes(&self) -> impl Iterator<Item = &GameOutcome> {
        self.outcomes.values()
    }

    /// How many games are finished.
    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    /// Whether no game is finished.
    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// Whether this game is finished.
    pub fn has(&self, number: usize) -> bool {
        self.outcomes.contains_key(&number)
    }

    /// Who scored what against whom.
    fn meetings(&self) -> Meetings {
        let mut meetings = Meetings::default();
        for outcome in self.outcomes.values() {
            meetings.add([outcome.white, outcome.black], outcome.result, Some(outcome.pair));
        }
        meetings
    }

    /// The ranking of this many players after all games.
    pub fn ranking(&self, players: usize) -> Ranking {
        self.meetings().ranking(players)
    }

    /// The games of a player against one other, or against all.
    pub fn head_to_head(&self, player: usize, other: Option<usize>) -> HeadToHead {
        let meetings = self.meetings();
        other.map_or_else(|| meetings.against_all(player), |other| meetings.between(player, other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{GameCounts, PairCounts};

    #[test]
    fn games_and_whole_pairs_are_counted() {
        use GameResult::*;
        let mut standings = Standings::default();
        // Player 0 against 1; the last pair is not finished.
        for (number, pair, white, result) in [
            (3, 1, 0, Draw),
            (0, 0, 0, WhiteWins),
            (1, 0, 1, BlackWins),
            (2, 1, 1, WhiteWins),
            (4, 2, 0, BlackWins),
        ] {
            let outcome = GameOutcome {
                number,
                pair,
                white,
                black: 1 - white,
                result,
                termination: Termination::Normal,
            };
            assert!(standings.add(outcome));
            assert!(!standings.add(outcome));
        }
        let total = standings.head_to_head(0, Some(1));
        assert_eq!(total.games, GameCounts { wins: 2, draws: 1, losses: 2 });
        assert_eq!(total.with_white, GameCounts { wins: 1, draws: 1, losses: 1 });
        assert_eq!(total.with_black, GameCounts { wins: 1, draws: 0, losses: 1 });
        assert_eq!(total.pairs, PairCounts([0, 1, 0, 0, 1]));
        assert_eq!(standings.head_to_head(1, None).pairs, total.pairs.reversed());
        assert_eq!(standings.head_to_head(0, Some(7)), HeadToHead::default());
    }
}
