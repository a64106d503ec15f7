//! The `go` command: any of its parameters, in any order.

use std::time::Duration;

use crate::time_text::milliseconds;
use crate::{SearchLimits, Settings};
use qirkat_game::distance::Depth;
use qirkat_game::text::{Excerpt, read_number};
use qirkat_game::{Color, Rules};
use qirkat_rules::variant::{AnyMove, AnyPosition};
use qirkat_search::{Clock, TimeBudget};

/// The parameters as given, numbers saturated.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct GoCommand {
    pub depth: Option<i64>,
    pub nodes: Option<i64>,
    pub mate: Option<i64>,
    pub perft: Option<i64>,
    pub move_time: Option<i64>,
    /// White's and Black's time and increment.
    pub time: [Option<i64>; 2],
    pub increment: [Option<i64>; 2],
    pub moves_to_go: Option<i64>,
    pub infinite: bool,
    pub ponder: bool,
    /// `searchmoves`, as text; none given is not the same as an empty list.
    pub search_moves: Option<Vec<String>>,
    /// Words that were not understood.
    pub complaints: Vec<String>,
}

/// The most complaints about one `go` that are listed.
const MOST_COMPLAINTS: usize = 3;

/// The time for a search without a valid limit.
const FALLBACK_TIME: Duration = Duration::from_millis(500);

impl GoCommand {
    /// Reads the words after `go`. An unknown word is reported and skipped; it never
    /// swallows the next parameter.
    pub fn read(words: &[&str]) -> GoCommand {
        let mut go = GoCommand::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    let listed = go.search_moves.get_or_insert_default();
                    while let Some(text) = words.next_if(|next| !is_parameter(next)) {
                        listed.push(text.to_owned());
                    }
                }
                _ => match go.number_of(word) {
                    None => go.complain(format!("unknown word `{}`", Excerpt::of(word))),
                    Some(place) => match words.peek().and_then(|next| read_number(next)) {
                        Some(number) => {
                            *place = Some(number);
                            words.next();
                        }
                        None => {
                            // A word in place of the number goes with it.
                            let wrong = words.next_if(|next| !is_parameter(next)).unwrap_or("");
                            let wrong = Excerpt::of(wrong);
                            go.complain(format!("{word} needs a number, not `{wrong}`"));
                        }
                    },
                },
            }
        }
        go
    }

    /// Keeps the first few complaints.
    fn complain(&mut self, text: String) {
        if self.complaints.len() < MOST_COMPLAINTS {
            self.complaints.push(text);
        } else if self.complaints.len() == MOST_COMPLAINTS {
            self.complaints.push("and more".to_owned());
        }
    }

    /// Where the number of a parameter is kept.
    fn number_of(&mut self, word: &str) -> Option<&mut Option<i64>> {
        Some(match word {
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "mate" => &mut self.mate,
            "perft" => &mut self.perft,
            "movetime" => &mut self.move_time,
            "wtime" => &mut self.time[0],
            "btime" => &mut self.time[1],
            "winc" => &mut self.increment[0],
            "binc" => &mut self.increment[1],
            "movestogo" => &mut self.moves_to_go,
            _ => return None,
        })
    }

    /// The only moves to search and the limits of the search in this position, and notices
    /// about them.
    pub fn root_and_limits(
        &self,
        position: &AnyPosition,
        settings: &Settings,
    ) -> (Vec<AnyMove>, SearchLimits, Vec<String>) {
        let mut notices = self.complaints.clone();
        let search_moves = self.search_moves(position, &mut notices);
        let time = self.time_budget(position.side_to_move(), settings.move_overhead);
        let mut limits = SearchLimits::time(time).with_multi_pv(settings.multi_pv);
        limits.depth = self.depth.map(Depth::saturating);
        limits.nodes = self.nodes.map(|nodes| nodes.max(1) as u64);
        limits.mate = self.mate.map(|moves| moves.clamp(1, i64::from(u16::MAX)) as u16);
        limits.hurry_single_reply = !settings.analyse_mode;
        limits.infinite = self.infinite;
        limits.ponder = self.ponder;
        let bounded = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.mate.is_some()
            || limits.time.hard.is_some();
        if self.moves_to_go.is_some() && limits.time.soft.is_none() {
            notices.push("movestogo without a clock".to_owned());
        }
        // A bare `go` is meant to run until `stop`, nonsense is not; and after
        // a ponder hit an answer is due, whether a clock was given or not.
        let senseless = !notices.is_empty() && !self.infinite;
        let clockless_ponder = self.ponder && !self.infinite;
        if !bounded && (senseless || clockless_ponder) {
            if !self.ponder {
                notices
                    .push(format!("nothing bounds the search: {} ms", FALLBACK_TIME.as_millis()));
            }
            limits.time = TimeBudget::fixed(FALLBACK_TIME, Duration::ZERO);
        } else if !bounded {
            limits.infinite = true;
        }
        (search_moves, limits, notices)
    }

    fn search_moves(&self, position: &AnyPosition, notices: &mut Vec<String>) -> Vec<AnyMove> {
        let Some(listed) = &self.search_moves else { return Vec::new() };
        let (legal, wrong): (Vec<_>, Vec<_>) = listed
            .iter()
            .map(|text| {
                AnyMove::parse(position.variant(), text)
                    .filter(|&mv| position.is_legal(mv))
                    .ok_or(text)
            })
            .partition(Result::is_ok);
        if let Some(Err(text)) = wrong.first() {
            notices.push(format!("searchmoves: `{}` is not legal", Excerpt::of(text)));
        }
        if legal.is_empty() {
            notices.push("searchmoves: no legal move given, all are searched".to_owned());
        }
        legal.into_iter().flatten().collect()
    }

    fn time_budget(&self, side: Color, overhead: Duration) -> TimeBudget {
        let clock = self.clock(side).map(|clock| TimeBudget::from_clock(clock, overhead));
        let fixed = self.move_time.map(|time| TimeBudget::fixed(milliseconds(time), overhead));
        clock.unwrap_or_default().tighter(fixed.unwrap_or_default())
    }

    /// The own clock. When only the opponent's is known ours is taken to show
    /// the same; an increment alone is not time one has.
    fn clock(&self, side: Color) -> Option<Clock> {
        let own = side.index();
        let other = (!side).index();
        let increment = self.increment[own];
        let remaining = self.time[own]
            .or(self.time[other])
            .or_else(|| increment.or(self.increment[other]).map(|_| 0))?;
        Some(Clock {
            remaining: milliseconds(remaining),
            increment: milliseconds(increment.unwrap_or(0)),
            moves_to_go: self
                .moves_to_go
                .filter(|&moves| moves > 0)
                .map(|moves| moves.min(i64::from(u32::MAX)) as u32),
        })
    }
}

fn is_parameter(word: &str) -> bool {
    matches!(word, "infinite" | "ponder" | "searchmoves")
        || GoCommand::default().number_of(word).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> GoCommand {
        GoCommand::read(&line.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn words_never_swallow_parameters() {
        let go = read("depth nodes 100 foo searchmoves e2e4 xx depth 4 movetime -5 wtime");
        assert_eq!(go.nodes, Some(100));
        assert_eq!(go.depth, Some(4));
        assert_eq!(go.move_time, Some(-5));
        assert_eq!(go.search_moves, Some(vec!["e2e4".to_owned(), "xx".to_owned()]));
        assert_eq!(go.complaints.len(), 3);
    }

    #[test]
    fn ponder_keeps_its_clocks() {
        let go = read("ponder wtime 1000 btime 2000 winc 10 binc 20 movestogo 5");
        assert!(go.ponder);
        assert_eq!((go.time, go.increment), ([Some(1000), Some(2000)], [Some(10), Some(20)]));
        assert_eq!(go.moves_to_go, Some(5));
    }

    #[test]
    fn any_clock_is_enough() {
        let clock = |line| read(line).clock(Color::White).map(|clock| clock.remaining.as_millis());
        for (line, remaining) in [
            ("wtime 500", Some(500)),
            ("btime 700", Some(700)),
            ("wtime -3 btime 700", Some(0)),
            ("winc 1000", Some(0)),
            ("binc 1000", Some(0)),
            ("movestogo 3", None),
        ] {
            assert_eq!(clock(line), remaining, "{line}");
        }
    }
}
