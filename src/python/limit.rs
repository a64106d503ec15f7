//! When a search ends.

use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use qirkat_analysis::review::AnalystBudget;
use qirkat_engine::{SearchLimits, clock_budget};
use qirkat_game::distance::Depth;
use qirkat_game::{Color, Rules};
use qirkat_rules::variant::AnyPosition;
use qirkat_search::{Clock, TimeBudget};

/// The fields of `Limit` in `package/qirkat/values.py`, which checks them.
#[derive(Clone, Copy, PartialEq, Default, FromPyObject)]
pub(crate) struct Limit {
    time: Option<f64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    mate: Option<u16>,
    white_clock: Option<f64>,
    black_clock: Option<f64>,
    white_inc: Option<f64>,
    black_inc: Option<f64>,
    remaining_moves: Option<u32>,
}

/// Fails if nothing ends a search by this side.
#[pyfunction(name = "_ensure_bounded")]
pub(crate) fn ensure_bounded(limit: Limit, turn: bool) -> PyResult<()> {
    limit.ensure_bounded(if turn { Color::White } else { Color::Black })
}

/// Effectively endless, but safe to add to the clock.
const LONGEST: Duration = Duration::from_secs(1 << 32);

/// A duration in seconds; `LONGEST` if there is none such.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST).min(LONGEST)
}

impl Limit {
    fn ensure_bounded(&self, color: Color) -> PyResult<()> {
        let has_time = self.time.is_some() || self.clock_of(color).0.is_some();
        if self.depth.is_none() && self.nodes.is_none() && self.mate.is_none() && !has_time {
            return Err(PyValueError::new_err(
                "nothing ends the search: Limit needs nodes, depth, mate, time or the clock of the side to move",
            ));
        }
        Ok(())
    }

    /// A side's remaining time and increment.
    fn clock_of(&self, color: Color) -> (Option<f64>, Option<f64>) {
        match color {
            Color::White => (self.white_clock, self.white_inc),
            Color::Black => (self.black_clock, self.black_inc),
        }
    }

    /// The limits for a position and number of lines; an error if nothing ends the search.
    pub fn bounded(&self, position: &AnyPosition, lines: usize) -> PyResult<SearchLimits> {
        self.ensure_bounded(position.side_to_move())?;
        Ok(self.limits(position, lines))
    }

    /// The same, for a search that may run until stopped.
    pub fn limits(&self, position: &AnyPosition, lines: usize) -> SearchLimits {
        let mut limits = SearchLimits::default().with_multi_pv(lines);
        limits.depth = self.depth.map(|depth| Depth::saturating(i64::from(depth)));
        limits.nodes = self.nodes;
        limits.mate = self.mate;
        let (remaining, increment) = self.clock_of(position.side_to_move());
        if let Some(remaining) = remaining.map(duration) {
            let increment = increment.map(duration).unwrap_or_default();
            let clock = Clock { remaining, increment, moves_to_go: self.remaining_moves };
            // No overhead within a process.
            limits.time = clock_budget(position, clock, Duration::ZERO);
            limits.hurry_single_reply = true;
        }
        if let Some(time) = self.time.map(duration) {
            limits.time = limits.time.tighter(TimeBudget::fixed(time, Duration::ZERO));
        }
        limits
    }

    /// The budget of each search of a review: exactly one limit.
    pub fn budget(&self) -> PyResult<AnalystBudget> {
        let Limit { time, depth, nodes, .. } = *self;
        let alone = Limit { time, depth, nodes, ..Limit::default() };
        match (nodes, depth, time.map(duration)) {
            (Some(nodes), None, None) if alone == *self => Ok(AnalystBudget::Nodes(nodes)),
            (None, Some(depth), None) if alone == *self => {
                Ok(AnalystBudget::Depth(Depth::saturating(i64::from(depth))))
            }
            (None, None, Some(time)) if alone == *self => Ok(AnalystBudget::Time(time)),
            _ => Err(PyValueError::new_err(
                "the searches of a review have one limit: nodes, depth or time",
            )),
        }
    }
}
