//! The clocks of a game.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use qirkat_game::{Color, Rules};
use qirkat_rules::pgn::{PgnGame, parted, said_by};
use qirkat_search::Clock;
use qirkat_system::host::Instant;
use qirkat_system::time_text::{Unit, read_time};

/// Base time and increment in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TimeRule {
    pub base: u32,
    pub increment: u32,
}

impl TimeRule {
    const LONGEST: u32 = 24 * 60 * 60 * 1000;

    pub fn bounded(self) -> TimeRule {
        TimeRule {
            base: self.base.clamp(1000, Self::LONGEST),
            increment: self.increment.min(Self::LONGEST),
        }
    }

    /// Reads `300+3`: the base time in this unit, and perhaps the increment in seconds. It may be
    /// out of bounds.
    pub fn read(text: &str, unit: Unit) -> Option<TimeRule> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let read = |text, unit| Some(milliseconds(read_time(text, unit).ok()?));
        Some(TimeRule { base: read(base, unit)?, increment: read(increment, Unit::Seconds)? })
    }

    /// The rule in the `TimeControl` tag; none if it is of another kind.
    fn of_tag(text: &str) -> Option<TimeRule> {
        let rule = TimeRule::read(text, Unit::Seconds).filter(|_| !text.contains(':'))?;
        (rule == rule.bounded()).then_some(rule)
    }
}

/// Base time and increment in seconds, as in PGN's `TimeControl` tag.
impl fmt::Display for TimeRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |time: u32| f64::from(time) / 1000.0;
        write!(f, "{}+{}", seconds(self.base), seconds(self.increment))
    }
}

/// Milliseconds as clocks show them: `4:59` and `1:00:00`, and tenths in the last twenty seconds.
pub fn clock_text(left: u32) -> String {
    let (tenths, seconds) = (left / 100, left / 1000);
    match seconds {
        0..20 => format!("0:{:02}.{}", seconds, tenths % 10),
        20..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

/// The clock of a side with `left` milliseconds, as a PGN comment.
pub(super) fn clock_command(left: u32) -> String {
    let seconds = left / 1000;
    format!("[%clk {}:{:02}:{:02}]", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn clock_in(comment: &str) -> Option<u32> {
    /// No clock shows more.
    const MAX_HOURS: u32 = 999;
    let (commands, _) = parted(comment);
    let clock = commands.into_iter().find_map(|command| said_by(command, "clk"))?;
    let (hours, rest) = clock.split_once(':')?;
    let hours: u32 = hours.parse().ok().filter(|&hours| hours <= MAX_HOURS)?;
    let time = read_time(rest, Unit::Minutes).ok()?;
    u32::try_from(time.as_millis()).ok()?.checked_add(hours * 3_600_000)
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Clocks {
    #[serde(rename = "clock")]
    pub rule: Option<TimeRule>,
    /// Milliseconds left of White and Black.
    pub left: [u32; 2],
    #[serde(skip)]
    running_since: Option<Instant>,
    /// What they showed after each ply, to restore when moves are taken back. The moves' comments
    /// have it, too, to the second.
    #[serde(skip)]
    past: Vec<[u32; 2]>,
}

impl Clocks {
    pub fn new(rule: Option<TimeRule>) -> Clocks {
        Clocks { rule, left: at_start(rule), running_since: None, past: Vec::new() }
    }

    /// The clocks of a record after its last move; none if its clocks are of an unsupported kind.
    pub fn of_record(record: &PgnGame) -> Clocks {
        let mut clocks = Clocks::new(record.tag("TimeControl").and_then(TimeRule::of_tag));
        let comments = record.moves.iter().map(|played| played.comment.as_deref());
        clocks.read_past(record.start.side_to_move(), comments);
        clocks.left = clocks.past.last().copied().unwrap_or(clocks.left);
        clocks
    }

    /// Reads what they showed from the comments of a game's moves. `first` made the first move.
    pub fn read_past<'a>(&mut self, first: Color, comments: impl Iterator<Item = Option<&'a str>>) {
        let mut left = at_start(self.rule);
        self.past = vec![left];
        for (ply, comment) in comments.enumerate() {
            let side = if ply.is_multiple_of(2) { first } else { !first };
            if let Some(shown) = comment.and_then(clock_in) {
                left[side.index()] = shown;
            }
            self.past.push(left);
        }
    }

    pub fn are_running(&self) -> bool {
        self.running_since.is_some()
    }

    pub fn left(&self, side: Color, to_move: Color) -> Option<u32> {
        self.rule?;
        let spent = match self.running_since {
            Some(since) if side == to_move => since.elapsed(),
            _ => Duration::ZERO,
        };
        Some(self.left[side.index()].saturating_sub(milliseconds(spent)))
    }

    /// Starts or stops the clock of the side to move.
    pub fn run(&mut self, to_move: Color, run: bool) {
        if let Some(left) = self.left(to_move, to_move) {
            self.left[to_move.index()] = left;
            self.running_since = run.then(Instant::now);
        }
    }

    /// A side has made the move of this ply: its clock stops and gets the increment.
    pub(super) fn moved(&mut self, side: Color, ply: usize) {
        let ran = self.are_running();
        self.run(side, false);
        if let Some(rule) = self.rule.filter(|_| ran) {
            let left = &mut self.left[side.index()];
            *left = left.saturating_add(rule.increment);
        }
        // The game may have had no clocks before.
        self.past.resize(ply + 1, at_start(self.rule));
        self.past.push(self.left);
    }

    /// Moves are taken back to this ply: the clocks stop and show what they did then.
    pub(super) fn take_back_to(&mut self, ply: usize) {
        self.running_since = None;
        self.left = self.past.get(ply).copied().unwrap_or(at_start(self.rule));
    }

    pub fn flag_at(&self, to_move: Color) -> Option<Instant> {
        let left = Duration::from_millis(self.left[to_move.index()].into());
        self.running_since?.checked_add(left)
    }

    pub fn has_flag_fallen(&self, to_move: Color) -> bool {
        self.flag_at(to_move).is_some_and(|flag| flag <= Instant::now())
    }

    /// A side's clock for a search; it may be the other side's turn.
    pub fn reading(&self, side: Color, to_move: Color) -> Option<Clock> {
        let rule = self.rule?;
        Some(Clock {
            remaining: Duration::from_millis(self.left(side, to_move)?.into()),
            increment: Duration::from_millis(rule.increment.into()),
            moves_to_go: None,
        })
    }
}

fn at_start(rule: Option<TimeRule>) -> [u32; 2] {
    [rule.map_or(0, |rule| rule.base); 2]
}

fn milliseconds(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_running_clock_loses_time_and_earns_the_increment() {
        let mut clocks = Clocks::new(Some(TimeRule { base: 10_000, increment: 700 }));
        clocks.moved(Color::White, 0);
        assert_eq!(clocks.left, [10_000, 10_000]);
        clocks.running_since = Instant::now().checked_sub(Duration::from_millis(4000));
        assert!(clocks.left(Color::White, Color::White).is_some_and(|left| left <= 6000));
        let remaining = |side| clocks.reading(side, Color::White).map(|clock| clock.remaining);
        assert_eq!(remaining(Color::Black), Some(Duration::from_secs(10)));
        assert!(remaining(Color::White).is_some_and(|left| left <= Duration::from_secs(6)));
        assert!(clocks.flag_at(Color::White).is_some_and(|flag| flag > Instant::now()));
        assert!(!clocks.has_flag_fallen(Color::White));
        clocks.moved(Color::White, 2);
        assert!((6000..=6700).contains(&clocks.left[0]), "{:?}", clocks.left);
        assert_eq!(clocks.flag_at(Color::Black), None);
    }

    /// Wherever moves are taken back to, the clocks show what they did there, and a move that is
    /// made again earns its increment as any other.
    #[test]
    fn clocks_come_back_as_they_were() {
        let mut clocks = Clocks::new(Some(TimeRule { base: 10_000, increment: 700 }));
        let mut shown = vec![clocks.left];
        let side = |ply: usize| if ply.is_multiple_of(2) { Color::White } else { Color::Black };
        let think = |clocks: &mut Clocks, ply: usize, milliseconds| {
            clocks.run(side(ply), true);
            clocks.running_since = Instant::now().checked_sub(Duration::from_millis(milliseconds));
        };
        for ply in 0..6 {
            think(&mut clocks, ply, 1000);
            clocks.moved(side(ply), ply);
            shown.push(clocks.left);
        }
        assert!(shown[6][0] < 9200 && shown[6][1] < 9200, "{shown:?}");
        // White's flag falls.
        think(&mut clocks, 6, 60_000);
        clocks.run(Color::White, false);
        assert_eq!(clocks.left[0], 0);
        for ply in [5, 4, 1, 0] {
            clocks.take_back_to(ply);
            assert_eq!((clocks.left, clocks.are_running()), (shown[ply], false), "{ply}");
        }
        clocks.take_back_to(4);
        think(&mut clocks, 4, 100);
        clocks.moved(Color::White, 4);
        let again = clocks.left[0];
        assert!(again > shown[4][0], "it has earned more than it took: {again}");
        clocks.take_back_to(5);
        assert_eq!(clocks.left[0], again, "as it was now, not before");
        // A game that goes on with clocks of its own begins with all its time.
        let mut new = Clocks::new(Some(TimeRule { base: 10_000, increment: 0 }));
        think(&mut new, 8, 1000);
        new.moved(Color::White, 8);
        for ply in [8, 3] {
            new.take_back_to(ply);
            assert_eq!(new.left, [10_000; 2], "{ply}");
        }
    }

    #[test]
    fn games_on_paper_tell_their_clocks() {
        assert_eq!(TimeRule { base: 300_000, increment: 3000 }.to_string(), "300+3");
        assert_eq!(TimeRule { base: 6000, increment: 100 }.to_string(), "6+0.1");
        assert_eq!(clock_command(3_723_999), "[%clk 1:02:03]");
    }

    #[test]
    fn without_clocks_nobody_runs_out_of_time() {
        let mut clocks = Clocks::new(None);
        clocks.run(Color::White, true);
        assert_eq!(
            (clocks.running_since, clocks.reading(Color::White, Color::White)),
            (None, None)
        );
        assert!(!clocks.has_flag_fallen(Color::White));
    }

    #[test]
    fn the_last_seconds_are_shown_in_tenths() {
        for (left, text) in [
            (0, "0:00.0"),
            (19_999, "0:19.9"),
            (20_000, "0:20"),
            (299_000, "4:59"),
            (3_600_000, "1:00:00"),
        ] {
            assert_eq!(clock_text(left), text);
        }
    }
}
