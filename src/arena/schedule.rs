//! The schedule: the pairings, their order and openings.

use derive_more::Display;
use serde::{Deserialize, Serialize};

use qirkat_rules::pgn::PgnGame;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[display(rename_all = "kebab-case")]
pub enum TournamentKind {
    #[serde(alias = "roundrobin")]
    RoundRobin,
    /// The first player or players against all others.
    Gauntlet,
    /// The losers of each round leave.
    Knockout,
    /// Players of about equal scores meet, none twice if that is possible.
    Swiss,
}

impl TournamentKind {
    /// Whether who meets whom depends on results.
    pub const fn is_paired_by_results(self) -> bool {
        matches!(self, TournamentKind::Knockout | TournamentKind::Swiss)
    }
}

/// Which games are played from the same opening, with the names of cutechess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Display, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[display(rename_all = "lowercase")]
pub enum OpeningPolicy {
    /// Each pair of a meeting has its own; all meetings of a round have the same ones.
    #[default]
    Default,
    /// All games of a meeting have the same.
    Encounter,
    /// All games of a round have the same.
    Round,
}

const fn one() -> usize {
    1
}

const fn yes() -> bool {
    true
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Schedule {
    pub players: usize,
    pub kind: TournamentKind,
    pub rounds: usize,
    /// Games per meeting: pairs from one opening with colours swapped, and if odd a single one.
    pub games_per_meeting: usize,
    /// Number of gauntlet players, from the first on. They also meet each other.
    #[serde(default = "one")]
    pub seeds: usize,
    /// Whether the players of a pair swap colours. If not, the first of a meeting always has White,
    /// and each game has its own opening. Not for a knockout, whose extra games come in pairs.
    #[serde(default = "yes")]
    pub swaps: bool,
    /// Whether all colours are exchanged. Not for a Swiss tournament, which balances colours
    /// itself.
    #[serde(default)]
    pub reversed: bool,
    #[serde(default)]
    pub policy: OpeningPolicy,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScheduledGame {
    /// From 0.
    pub number: usize,
    pub pair: usize,
    pub is_return: bool,
    pub white: usize,
    pub black: usize,
    pub opening: usize,
    /// From 0.
    pub round: usize,
}

/// Pairs of games that are added one by one while a meeting of a knockout is tied. After them the
/// better seed goes on.
pub(super) const EXTRA_PAIRS: usize = 5;

impl Schedule {
    /// How many players meet every player after them.
    fn firsts(&self) -> usize {
        match self.kind {
            TournamentKind::Gauntlet => self.players.min(self.seeds),
            _ => self.players,
        }
    }

    pub(super) fn all_meetings(&self) -> Vec<(usize, usize)> {
        (0..self.firsts())
            .flat_map(|first| (first + 1..self.players).map(move |second| (first, second)))
            .collect()
    }

    /// Whether all games are in pairs, which carry more information than single games.
    pub fn is_paired(&self) -> bool {
        self.swaps && self.games_per_meeting.is_multiple_of(2)
    }

    /// Pairs, or single games if colours are not swapped.
    fn pairs_per_meeting(&self) -> usize {
        if self.swaps { self.games_per_meeting.div_ceil(2) } else { self.games_per_meeting }
    }

    /// Pairs that may be added to a meeting while it is tied.
    fn extra_pairs(&self) -> usize {
        if self.kind == TournamentKind::Knockout { EXTRA_PAIRS } else { 0 }
    }

    /// Games of a meeting, with the extra ones. Each has its number, played or not.
    pub(super) fn slots(&self) -> usize {
        self.games_per_meeting.saturating_add(2 * self.extra_pairs())
    }

    pub(super) fn round_count(&self) -> usize {
        match self.kind {
            TournamentKind::Knockout => bracket_size(self.players).ilog2() as usize,
            _ => self.rounds,
        }
    }

    fn meeting_count(&self) -> u128 {
        let (firsts, players) = (self.firsts() as u128, self.players as u128);
        let in_round = match self.kind {
            TournamentKind::Knockout => return players.saturating_sub(1),
            TournamentKind::Swiss => players / 2,
            _ => firsts.saturating_mul((2 * players).saturating_sub(firsts + 1)) / 2,
        };
        in_round.saturating_mul(self.rounds as u128)
    }

    /// The largest number of different openings.
    pub fn openings(&self) -> usize {
        match self.policy {
            OpeningPolicy::Default => {
                self.round_count().saturating_mul(self.pairs_per_meeting() + self.extra_pairs())
            }
            OpeningPolicy::Encounter => usize::try_from(self.meeting_count()).unwrap_or(usize::MAX),
            OpeningPolicy::Round => self.round_count(),
        }
    }

    /// Number of games, saturating; the largest possible one if ties add games.
    pub fn len(&self) -> usize {
        let games = self.meeting_count().saturating_mul(self.slots() as u128);
        usize::try_from(games).unwrap_or(usize::MAX)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A game of a meeting, by the number of its meeting in the tournament and of its slot there.
    pub(super) fn game(
        &self,
        round: usize,
        meeting: usize,
        (first, second): (usize, usize),
        slot: usize,
    ) -> ScheduledGame {
        // Extra games come in pairs of their own.
        let (before, index) = match slot.checked_sub(self.games_per_meeting) {
            Some(extra) => (self.pairs_per_meeting(), extra),
            None => (0, slot),
        };
        let pair = before + if self.swaps { index / 2 } else { index };
        let is_return = self.swaps && index % 2 == 1;
        // Who has White first alternates from pair to pair and from round to round; in a Swiss
        // tournament it is always the first, who has had White less often.
        let alternates =
            self.swaps && self.kind != TournamentKind::Swiss && (round + pair) % 2 == 1;
        let exchanged = is_return ^ alternates ^ self.reversed;
        let (white, black) = if exchanged { (second, first) } else { (first, second) };
        let pairs = self.pairs_per_meeting() + self.extra_pairs();
        ScheduledGame {
            number: meeting * self.slots() + slot,
            pair: meeting * pairs + pair,
            is_return,
            white,
            black,
            opening: match self.policy {
                OpeningPolicy::Default => round * pairs + pair,
                OpeningPolicy::Encounter => meeting,
                OpeningPolicy::Round => round,
            },
            round,
        }
    }
}

pub(super) fn bracket_size(players: usize) -> usize {
    players.checked_next_power_of_two().unwrap_or(players).max(1)
}

/// A part of a tournament for one of several machines: every pair belongs to exactly one shard.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// From 0.
    pub index: usize,
    pub count: usize,
}

impl Shard {
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    pub fn has(self, game: &ScheduledGame) -> bool {
        game.pair % self.count == self.index
    }
}

/// The comment on the moves of the opening.
pub const BOOK_COMMENT: &str = "book";
const NUMBER_TAG: &str = "GameNumber";
/// The number of its pair, from 1, if every game has a return game from the same opening.
const PAIR_TAG: &str = "GamePair";

pub fn tag_game(pgn: &mut PgnGame, game: &ScheduledGame, is_paired: bool) {
    pgn.set_tag(NUMBER_TAG, (game.number + 1).to_string());
    if is_paired {
        pgn.set_tag(PAIR_TAG, (game.pair + 1).to_string());
    }
}

/// The game's number, from 1, if given.
pub fn game_number(pgn: &PgnGame) -> Option<usize> {
    pgn.tag(NUMBER_TAG)?.parse().ok()
}

/// The number of the game's pair, from 1, if given.
pub fn pair_number(pgn: &PgnGame) -> Option<usize> {
    pgn.tag(PAIR_TAG)?.parse().ok()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::outcomes::Outcomes;

    pub fn schedule(players: usize, kind: TournamentKind, rounds: usize, games: usize) -> Schedule {
        Schedule {
            players,
            kind,
            rounds,
            games_per_meeting: games,
            seeds: 1,
            swaps: true,
            reversed: false,
            policy: OpeningPolicy::Default,
        }
    }

    #[test]
    fn everybody_meets_with_both_colours() {
        use TournamentKind::*;
        for (schedule, games, pairs) in [
            (schedule(2, RoundRobin, 1, 200), 200, 100),
            (schedule(4, RoundRobin, 3, 2), 36, 18),
            (schedule(4, Gauntlet, 3, 2), 18, 9),
            (schedule(2, RoundRobin, 5, 1), 5, 5),
            (schedule(3, RoundRobin, 2, 3), 18, 12),
        ] {
            let list = schedule.games(&Outcomes::default());
            assert_eq!((list.len(), schedule.len()), (games, games), "{schedule:?}");
            let mut numbers: Vec<usize> = list.iter().map(|game| game.pair).collect();
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(numbers.len(), pairs, "{schedule:?}");
            for pair in list.windows(2).filter(|two| two[0].pair == two[1].pair) {
                assert_eq!((pair[0].white, pair[0].black), (pair[1].black, pair[1].white));
                assert_eq!(pair[0].opening, pair[1].opening);
                assert!(!pair[0].is_return && pair[1].is_return);
            }
            let white = list.iter().filter(|game| game.white == 0).count();
            let black = list.iter().filter(|game| game.black == 0).count();
            assert!(white.abs_diff(black) <= schedule.players, "{schedule:?}");
        }
    }

    #[test]
    fn more_games_than_can_be_counted_are_many() {
        use TournamentKind::*;
        const MOST: usize = usize::MAX;
        for schedule in [
            schedule(2, RoundRobin, 1 << 63, 2),
            schedule(2, Gauntlet, 2, 1 << 63),
            schedule(MOST, RoundRobin, 1, 1),
            schedule(MOST, Gauntlet, 1, 1),
            schedule(MOST, RoundRobin, MOST, MOST),
        ] {
            assert!(schedule.len() >= MOST - 1, "{schedule:?}");
            assert!(schedule.openings() > 0);
        }
        for schedule in [schedule(0, RoundRobin, MOST, 2), schedule(1, Gauntlet, 2, MOST)] {
            assert!(schedule.is_empty(), "{schedule:?}");
        }
    }

    #[test]
    fn the_first_few_meet_everybody() {
        let gauntlet = |seeds| Schedule { seeds, ..schedule(4, TournamentKind::Gauntlet, 1, 2) };
        let ones = [(0, 1), (0, 2), (0, 3)];
        let twos = [(1, 2), (1, 3)];
        let meetings = |seeds| gauntlet(seeds).meetings(&Outcomes::default());
        assert_eq!(meetings(1), ones);
        assert_eq!(meetings(2), [&ones[..], &twos[..]].concat());
        assert_eq!(meetings(3).len(), 6);
    }

    #[test]
    fn colours_are_kept_or_reversed() {
        let list = |swaps, reversed| {
            let plain = schedule(2, TournamentKind::RoundRobin, 2, 2);
            let games = Schedule { swaps, reversed, ..plain }.games(&Outcomes::default());
            games.iter().map(|game| (game.white, game.opening, game.pair)).collect::<Vec<_>>()
        };
        assert_eq!(list(true, false), [(0, 0, 0), (1, 0, 0), (1, 1, 1), (0, 1, 1)]);
        assert_eq!(list(true, true), [(1, 0, 0), (0, 0, 0), (0, 1, 1), (1, 1, 1)]);
        assert_eq!(list(false, false), [(0, 0, 0), (0, 1, 1), (0, 2, 2), (0, 3, 3)]);
        assert_eq!(list(false, true), [(1, 0, 0), (1, 1, 1), (1, 2, 2), (1, 3, 3)]);
    }

    #[test]
    fn openings_are_shared_by_policy() {
        for (policy, expected, count) in [
            (OpeningPolicy::Default, [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3], 4),
            (OpeningPolicy::Encounter, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3], 6),
            (OpeningPolicy::Round, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1], 2),
        ] {
            let schedule = Schedule { policy, ..schedule(3, TournamentKind::RoundRobin, 2, 4) };
            let games = schedule.games(&Outcomes::default());
            let openings: Vec<usize> = games.iter().map(|game| game.opening).collect();
            assert_eq!((&openings[..16], schedule.openings()), (&expected[..], count), "{policy}");
        }
    }

    #[test]
    fn shards_share_the_games_out() {
        let games = schedule(3, TournamentKind::RoundRobin, 4, 2).games(&Outcomes::default());
        let count = 5;
        for game in &games {
            let owners = (0..count).filter(|&index| Shard { index, count }.has(game)).count();
            assert_eq!(owners, 1);
        }
        assert!(games.iter().all(|game| Shard::WHOLE.has(game)));
    }
}
