//! Tournaments whose rounds depend on results: knockout and Swiss. The same results always give the
//! same pairings, so that a tournament can be resumed from its games.

use std::cmp::{Ordering, Reverse};

use qirkat_game::Color;

use crate::outcomes::Outcomes;
use crate::schedule::{Schedule, ScheduledGame, TournamentKind, bracket_size};
use crate::statistics::GameScore;

impl Schedule {
    /// The pairs of players that meet, each once and the smaller number first, as far as these
    /// results decide them.
    pub fn meetings(&self, outcomes: &Outcomes) -> Vec<(usize, usize)> {
        if !self.kind.is_paired_by_results() {
            return self.all_meetings();
        }
        let mut meetings = Vec::new();
        for game in self.games(outcomes) {
            let meeting = (game.white.min(game.black), game.white.max(game.black));
            if !meetings.contains(&meeting) {
                meetings.push(meeting);
            }
        }
        meetings
    }

    /// All games in order. Those of a knockout or Swiss tournament are known as far as these
    /// results decide them: it is over when all have a result.
    pub fn games(&self, outcomes: &Outcomes) -> Vec<ScheduledGame> {
        match self.kind {
            TournamentKind::Knockout => return self.knockout(outcomes).games,
            TournamentKind::Swiss => return self.swiss(outcomes).games,
            TournamentKind::RoundRobin | TournamentKind::Gauntlet => {}
        }
        let meetings = self.all_meetings();
        let mut games = Vec::with_capacity(self.len());
        for round in 0..self.rounds {
            for (meeting, &players) in meetings.iter().enumerate() {
                let number = round * meetings.len() + meeting;
                for slot in 0..self.games_per_meeting {
                    games.push(self.game(round, number, players, slot));
                }
            }
        }
        games
    }

    /// The games and meetings of a knockout, as far as these outcomes decide them.
    pub fn knockout(&self, outcomes: &Outcomes) -> Knockout {
        let mut all = Knockout::default();
        let mut places = bracket(self.players);
        for round in 0..self.round_count() {
            let mut winners = Vec::with_capacity(places.len() / 2);
            for two in places.chunks(2) {
                winners.push(match *two {
                    [Some(one), Some(other)] => {
                        all.add_meeting(self, outcomes, round, (one.min(other), one.max(other)))
                    }
                    _ => two.iter().flatten().next().copied(),
                });
            }
            if winners.contains(&None) {
                return all;
            }
            places = winners;
        }
        all.winner = places.first().copied().flatten();
        all
    }

    /// The games and standings of a Swiss tournament, as far as these outcomes decide them.
    pub fn swiss(&self, outcomes: &Outcomes) -> Swiss {
        let mut entrants = vec![Entrant::default(); self.players];
        let mut all = Swiss::default();
        for round in 0..self.rounds {
            let (meetings, bye) = pair_round(&entrants);
            let mut is_finished = true;
            for (board, &(first, second)) in meetings.iter().enumerate() {
                let number = round * meetings.len() + board;
                let game = |slot| self.game(round, number, (first, second), slot);
                let games: Vec<ScheduledGame> = (0..self.games_per_meeting).map(game).collect();
                let (points, is_whole) = scores(outcomes, &games, first);
                is_finished &= is_whole;
                for (player, other, points) in
                    [(first, second, points[0]), (second, first, points[1])]
                {
                    entrants[player].half_points += points;
                    entrants[player].met.push(other);
                }
                for game in &games {
                    entrants[game.white].white_surplus += 1;
                    entrants[game.black].white_surplus -= 1;
                }
                all.games.extend(games);
            }
            if let Some(bye) = bye {
                entrants[bye].half_points += 2 * self.games_per_meeting;
                entrants[bye].had_bye = true;
            }
            if !is_finished {
                break;
            }
        }
        let standing = |(player, entrant): (usize, &Entrant)| SwissStanding {
            player,
            half_points: entrant.half_points,
            buchholz: entrant.met.iter().map(|&other| entrants[other].half_points).sum(),
        };
        all.standings = entrants.iter().enumerate().map(standing).collect();
        all.standings.sort_by_key(|standing| Reverse((standing.half_points, standing.buchholz)));
        all
    }
}

/// The half points of two players in their games so far, and whether all of these are finished.
fn scores(outcomes: &Outcomes, games: &[ScheduledGame], first: usize) -> ([usize; 2], bool) {
    let (mut points, mut finished) = ([0; 2], 0);
    for outcome in games.iter().filter_map(|game| outcomes.outcome(game.number)) {
        let color = if outcome.white == first { Color::White } else { Color::Black };
        if let Some(score) = GameScore::of(outcome.result, color) {
            points[0] += score.half_points();
            points[1] += 2 - score.half_points();
            finished += 1;
        }
    }
    (points, finished == games.len())
}

/// A meeting of a knockout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnockoutMeeting {
    /// From 0.
    pub round: usize,
    /// The better seed first.
    pub players: (usize, usize),
    /// The half points of both so far.
    pub points: [usize; 2],
    /// `None` as long as it is not decided.
    pub winner: Option<usize>,
}

#[derive(Debug, Default)]
pub struct Knockout {
    pub(super) games: Vec<ScheduledGame>,
    pub meetings: Vec<KnockoutMeeting>,
    /// Who has won the tournament, if it is over.
    pub winner: Option<usize>,
}

/// The usual bracket, in which the first players are the best seeds: 1-8, 4-5, 2-7, 3-6. If places
/// stay empty, the best seeds have no opponent in the first round.
fn bracket(players: usize) -> Vec<Option<usize>> {
    let mut seeds = vec![0];
    while seeds.len() < bracket_size(players) {
        let sum = 2 * seeds.len() - 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, sum - seed]).collect();
    }
    seeds.into_iter().map(|seed| (seed < players).then_some(seed)).collect()
}

impl Knockout {
    /// Adds a meeting with the extra games that it has needed; returns its winner if it is decided.
    fn add_meeting(
        &mut self,
        schedule: &Schedule,
        outcomes: &Outcomes,
        round: usize,
        players: (usize, usize),
    ) -> Option<usize> {
        let number = self.meetings.len();
        let mut games = Vec::new();
        let mut slots = schedule.games_per_meeting;
        let (points, winner) = loop {
            let new = games.len()..slots;
            games.extend(new.map(|slot| schedule.game(round, number, players, slot)));
            let (points, is_finished) = scores(outcomes, &games, players.0);
            break match points[0].cmp(&points[1]) {
                _ if !is_finished => (points, None),
                Ordering::Equal if slots < schedule.slots() => {
                    slots += 2;
                    continue;
                }
                Ordering::Less => (points, Some(players.1)),
                Ordering::Equal | Ordering::Greater => (points, Some(players.0)),
            };
        };
        self.games.append(&mut games);
        self.meetings.push(KnockoutMeeting { round, players, points, winner });
        winner
    }
}

/// A player's standing in a Swiss tournament. A bye counts as a won meeting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SwissStanding {
    pub player: usize,
    pub half_points: usize,
    /// The half points of its opponents, which decide between players of equal points.
    pub buchholz: usize,
}

#[derive(Debug, Default)]
pub struct Swiss {
    pub(super) games: Vec<ScheduledGame>,
    /// The standings, the first one first.
    pub standings: Vec<SwissStanding>,
}

#[derive(Clone, Debug, Default)]
struct Entrant {
    half_points: usize,
    met: Vec<usize>,
    /// How many more games it had with White than with Black.
    white_surplus: i64,
    had_bye: bool,
}

/// How many pairs are tried in a round, with all byes together, before a rule is given up.
const MAX_TRIES: usize = 20_000;
/// But at least so many for each bye and player, or large rounds could not be paired at all:
/// without backtracking a player needs half a try, and more after many rounds.
const MIN_TRIES: usize = 4;
/// A player with so many more games of one colour must have the other.
const UNBALANCED: i64 = 2;

/// Pairs a round by the first rules of the Dutch system (FIDE Handbook, C.04.3): nobody meets twice
/// or has a second bye, players of equal points meet, the upper half of them the lower half, and
/// colours are balanced. Returns who begins with White against whom, and who has no opponent. Rules
/// that cannot be kept are given up: first that of byes, then that of colours; and as few as
/// possible meet twice.
fn pair_round(entrants: &[Entrant]) -> (Vec<(usize, usize)>, Option<usize>) {
    let mut order: Vec<usize> = (0..entrants.len()).collect();
    order.sort_by_key(|&player| Reverse(entrants[player].half_points));
    let mut byes = vec![None];
    if !order.len().is_multiple_of(2) {
        byes = order.iter().rev().copied().map(Some).collect();
        byes.sort_by_key(|bye| bye.is_some_and(|player| entrants[player].had_bye));
    }
    let have_met = |one: usize, other: usize| entrants[one].met.contains(&other);
    let clash = |one: usize, other: usize| {
        let [one, other] = [one, other].map(|player| entrants[player].white_surplus);
        one.abs().min(other.abs()) >= UNBALANCED && one.signum() == other.signum()
    };
    let may_meet = |one: usize, other: usize| !have_met(one, other);
    let is_balanced = |one: usize, other: usize| may_meet(one, other) && !clash(one, other);
    let first: [(&dyn Fn(usize, usize) -> bool, _, _); 2] =
        [(&is_balanced, 0, false), (&may_meet, 0, false)];
    let others = (0..=order.len() / 2).map(|repeats| (&may_meet as _, repeats, true));
    for (may_meet, exceptions, hardest_first) in first.into_iter().chain(others) {
        for &bye in &byes {
            let open: Vec<usize> =
                order.iter().copied().filter(|&player| bye != Some(player)).collect();
            let tries = (MAX_TRIES / byes.len()).max(MIN_TRIES * order.len());
            let mut search = PairSearch { entrants, may_meet, exceptions, hardest_first, tries };
            let Some(mut meetings) = search.pair_all(&open) else { continue };
            meetings.sort_by_key(|&(one, _)| order.iter().position(|&player| player == one));
            for (board, (one, other)) in meetings.iter_mut().enumerate() {
                let exchanges =
                    match entrants[*one].white_surplus.cmp(&entrants[*other].white_surplus) {
                        Ordering::Less => false,
                        Ordering::Greater => true,
                        Ordering::Equal => board % 2 == 1,
                    };
                if exchanges {
                    std::mem::swap(one, other);
                }
            }
            return (meetings, bye);
        }
    }
    (Vec::new(), None)
}

struct PairSearch<'a> {
    entrants: &'a [Entrant],
    may_meet: &'a dyn Fn(usize, usize) -> bool,
    /// How many meetings may break `may_meet`.
    exceptions: usize,
    /// Whether those with the fewest opponents are paired first, so that nobody is left over, rather
    /// than those with the most points.
    hardest_first: bool,
    tries: usize,
}

impl PairSearch<'_> {
    /// Pairs all these players, the best first, if it is possible.
    fn pair_all(&mut self, open: &[usize]) -> Option<Vec<(usize, usize)>> {
        let (entrants, may_meet) = (self.entrants, self.may_meet);
        let points = |player: usize| entrants[player].half_points;
        let opponents =
            |player: usize| open.iter().filter(|&&other| may_meet(player, other)).count();
        let mut others = open.to_vec();
        let hardest = (0..open.len()).min_by_key(|&index| match self.hardest_first {
            true => opponents(open[index]),
            false => 0,
        });
        let Some(first) = hardest.map(|index| others.remove(index)) else {
            return Some(Vec::new());
        };
        let candidates: Vec<usize> = if self.hardest_first {
            let mut nearest: Vec<usize> = (0..others.len()).collect();
            nearest.sort_by_key(|&index| points(others[index]).abs_diff(points(first)));
            nearest
        } else {
            let group = others.iter().take_while(|&&other| points(other) == points(first)).count();
            // The first of the lower half.
            let middle = group.div_ceil(2).saturating_sub(1);
            (middle..group).chain((0..middle).rev()).chain(group..others.len()).collect()
        };
        for index in candidates {
            self.tries = self.tries.checked_sub(1)?;
            let is_exception = !may_meet(first, others[index]);
            let Some(exceptions) = self.exceptions.checked_sub(usize::from(is_exception)) else {
                continue;
            };
            let mut rest = others.clone();
            let second = rest.remove(index);
            let before = std::mem::replace(&mut self.exceptions, exceptions);
            if let Some(mut meetings) = self.pair_all(&rest) {
                meetings.push((first, second));
                return Some(meetings);
            }
            self.exceptions = before;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use qirkat_rules::pgn::GameResult;

    use super::*;
    use crate::finished_game::{GameOutcome, Termination};
    use crate::schedule::EXTRA_PAIRS;
    use crate::schedule::tests::schedule;

    /// Plays all games, the last known one first; returns the results and the order of play.
    fn play(
        schedule: &Schedule,
        result: impl Fn(&ScheduledGame) -> GameResult,
    ) -> (Outcomes, Vec<ScheduledGame>) {
        let (mut outcomes, mut played) = (Outcomes::default(), Vec::new());
        loop {
            let games = schedule.games(&outcomes);
            assert!(games.is_sorted_by_key(|game| game.number));
            let Some(game) = games.into_iter().rev().find(|game| !outcomes.has(game.number)) else {
                return (outcomes, played);
            };
            assert!(game.number < schedule.len() && game.opening < schedule.openings());
            outcomes.add(GameOutcome::new(&game, result(&game), Termination::Normal));
            played.push(game);
        }
    }

    fn by_number(game: &ScheduledGame) -> GameResult {
        if game.white < game.black { GameResult::WhiteWins } else { GameResult::BlackWins }
    }

    #[test]
    fn the_best_seeds_meet_last() {
        let places = |players| bracket(players).into_iter().map(|it| it.map_or(0, |it| it + 1));
        assert_eq!(places(8).collect::<Vec<_>>(), [1, 8, 4, 5, 2, 7, 3, 6]);
        assert_eq!(places(5).collect::<Vec<_>>(), [1, 0, 4, 5, 2, 0, 3, 0]);
        for (players, games) in [(2, 2), (3, 4), (5, 8), (8, 14)] {
            let schedule = schedule(players, TournamentKind::Knockout, 1, 2);
            let (outcomes, played) = play(&schedule, by_number);
            let knockout = schedule.knockout(&outcomes);
            assert_eq!((knockout.winner, played.len()), (Some(0), games), "{players}");
            assert_eq!(knockout.meetings.last().map(|last| last.players), Some((0, 1)));
        }
    }

    #[test]
    fn ties_of_a_knockout_are_broken() {
        let schedule = schedule(2, TournamentKind::Knockout, 1, 2);
        // The second player wins an extra game, or none.
        for (won, winner, games) in [(7, Some(1), 8), (usize::MAX, Some(0), 2 + 2 * EXTRA_PAIRS)] {
            let result = |game: &ScheduledGame| match game.number == won {
                true if game.white == 1 => GameResult::WhiteWins,
                true => GameResult::BlackWins,
                false => GameResult::Draw,
            };
            let (outcomes, played) = play(&schedule, result);
            assert_eq!((schedule.knockout(&outcomes).winner, played.len()), (winner, games));
            let whites = played.iter().filter(|game| game.white == 0).count();
            assert_eq!(2 * whites, games);
        }
    }

    #[test]
    fn nobody_meets_twice_in_swiss_rounds() {
        let all = [(2, 1, 2), (5, 4, 2), (8, 5, 1), (9, 6, 1), (16, 8, 3), (201, 1, 1)];
        for (players, rounds, games) in all {
            let schedule = schedule(players, TournamentKind::Swiss, rounds, games);
            // Any results: about a third of each kind.
            let result = |game: &ScheduledGame| match (7 * game.white + 5 * game.black) % 3 {
                0 => GameResult::Draw,
                1 => GameResult::WhiteWins,
                _ => GameResult::BlackWins,
            };
            let (outcomes, played) = play(&schedule, result);
            assert_eq!(played.len(), rounds * (players / 2) * games);
            assert_eq!(schedule.meetings(&outcomes).len(), played.len() / games, "{players}");
            let standings = schedule.swiss(&outcomes).standings;
            let whole: usize = standings.iter().map(|standing| standing.half_points).sum();
            // With a bye in each round if there is one too many.
            assert_eq!(whole, 2 * games * rounds * players.div_ceil(2));
            for player in 0..players {
                let whites = played.iter().filter(|game| game.white == player).count() as i64;
                let blacks = played.iter().filter(|game| game.black == player).count() as i64;
                let meetings = (whites + blacks) as usize / games;
                assert!(meetings + 1 >= rounds, "one bye at most");
                assert!((whites - blacks).abs() <= UNBALANCED, "{player}: {whites}, {blacks}");
            }
        }
        // Half of the rounds that a round-robin has can always be had without repeats (G. A. Dirac,
        // 1952: each player has at least half of the others left). One more needs few.
        for (players, rounds, repeats) in [(6, 3, 0), (6, 4, 1), (14, 7, 0), (18, 12, 2)] {
            let schedule = schedule(players, TournamentKind::Swiss, rounds, 1);
            for seed in 0..2 {
                let result = |game: &ScheduledGame| match (game.number * (seed + 3)) % 7 {
                    0 | 1 => GameResult::Draw,
                    2..=4 => GameResult::WhiteWins,
                    _ => GameResult::BlackWins,
                };
                let (outcomes, played) = play(&schedule, result);
                let twice = played.len() - schedule.meetings(&outcomes).len();
                assert!(twice <= repeats, "{players} {rounds} {seed}: {twice}");
            }
        }
        let strongest_first = schedule(16, TournamentKind::Swiss, 4, 2);
        let standings = strongest_first.swiss(&play(&strongest_first, by_number).0).standings;
        assert_eq!((standings[0].player, standings[0].half_points), (0, 16));
    }
}
