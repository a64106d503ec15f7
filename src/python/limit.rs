//! When a search ends.

use std::fmt::Display;
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat};

use crate::board::side;
use crate::convert::{Seconds, Whole};
use qirkat_analysis::review::AnalystBudget;
use qirkat_engine::SearchLimits;
use qirkat_game::Color;
use qirkat_game::distance::Depth;
use qirkat_search::{Clock, TimeBudget};

/// When a search ends: at the first limit reached.
///
/// Times are in seconds. With a clock, the search uses a share of the side to move's time.
#[pyclass(frozen, get_all, eq, module = "qirkat")]
#[derive(Clone, Copy, PartialEq, Default)]
pub(crate) struct Limit {
    /// Seconds to search.
    time: Option<f64>,
    /// Depth in plies.
    depth: Option<u32>,
    /// Nodes.
    nodes: Option<u64>,
    /// Stop when a mate in this many moves is found or excluded.
    mate: Option<u16>,
    /// Seconds on White's clock.
    white_clock: Option<f64>,
    /// Seconds on Black's clock.
    black_clock: Option<f64>,
    /// White's increment in seconds.
    white_inc: Option<f64>,
    /// Black's increment in seconds.
    black_inc: Option<f64>,
    /// Moves to the next time control.
    remaining_moves: Option<u32>,
}

const NAMES: [&str; 9] = [
    "time",
    "depth",
    "nodes",
    "mate",
    "white_clock",
    "black_clock",
    "white_inc",
    "black_inc",
    "remaining_moves",
];

fn seconds(name: &str, value: Option<f64>) -> PyResult<Option<Duration>> {
    value.map(|value| Seconds(value).duration(name)).transpose()
}

fn positive<N>(name: &str, value: Option<Whole>, most: N) -> PyResult<Option<N>>
where
    N: TryFrom<i128> + From<u8> + PartialOrd + Display,
{
    value.map(|value| value.within(name, N::from(1)..=most)).transpose()
}

#[pymethods]
impl Limit {
    #[new]
    #[pyo3(signature = (
        *, time = None, depth = None, nodes = None, mate = None, white_clock = None, black_clock = None,
        white_inc = None, black_inc = None, remaining_moves = None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "the limits of python-chess")]
    fn new(
        time: Option<Seconds>,
        depth: Option<Whole>,
        nodes: Option<Whole>,
        mate: Option<Whole>,
        white_clock: Option<Seconds>,
        black_clock: Option<Seconds>,
        white_inc: Option<Seconds>,
        black_inc: Option<Seconds>,
        remaining_moves: Option<Whole>,
    ) -> PyResult<Limit> {
        let [time, white_clock, black_clock, white_inc, black_inc] = [
            ("time", time),
            ("white_clock", white_clock),
            ("black_clock", black_clock),
            ("white_inc", white_inc),
            ("black_inc", black_inc),
        ]
        .map(|(name, value)| value.map(|value| value.duration(name).map(|_| value.0)).transpose());
        let limit = Limit {
            time: time?,
            depth: positive("depth", depth, u32::MAX)?,
            nodes: positive("nodes", nodes, u64::MAX)?,
            mate: positive("mate", mate, u16::MAX)?,
            white_clock: white_clock?,
            black_clock: black_clock?,
            white_inc: white_inc?,
            black_inc: black_inc?,
            remaining_moves: positive("remaining_moves", remaining_moves, u32::MAX)?,
        };
        if limit.time == Some(0.0) {
            return Err(PyValueError::new_err("time=0: more than 0 seconds"));
        }
        Ok(limit)
    }

    /// Fails if nothing ends a search by this side.
    fn _ensure_bounded(&self, turn: bool) -> PyResult<()> {
        self.bounded(side(turn), 1).map(drop)
    }

    fn __getnewargs_ex__<'py>(slf: &Bound<'py, Self>) -> PyResult<((), Bound<'py, PyDict>)> {
        let given = PyDict::new(slf.py());
        for name in NAMES {
            given.set_item(name, slf.getattr(name)?)?;
        }
        Ok(((), given))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let mut given = Vec::new();
        for name in NAMES {
            let value = slf.getattr(name)?;
            match value.cast::<PyFloat>() {
                Ok(seconds) => given.push(format!("{name}={}", seconds.value())),
                Err(_) if value.is_none() => {}
                Err(_) => given.push(format!("{name}={value}")),
            }
        }
        Ok(format!("Limit({})", given.join(", ")))
    }
}

impl Limit {
    /// The limits for a side to move and number of lines; an error if nothing ends the search.
    pub fn bounded(&self, color: Color, lines: usize) -> PyResult<SearchLimits> {
        let limits = self.limits(color, lines)?;
        let is_bounded = limits.depth.is_some() || limits.nodes.is_some() || limits.mate.is_some();
        if !is_bounded && limits.time == TimeBudget::default() {
            return Err(PyValueError::new_err(
                "nothing ends the search: Limit needs nodes, depth, mate, time or the clock of the side to move",
            ));
        }
        Ok(limits)
    }

    /// The same, for a search that may run until stopped.
    pub fn limits(&self, color: Color, lines: usize) -> PyResult<SearchLimits> {
        let mut limits = SearchLimits::default().with_multi_pv(lines);
        limits.depth = self.depth.map(|depth| Depth::saturating(i64::from(depth)));
        limits.nodes = self.nodes;
        limits.mate = self.mate;
        let (remaining, increment) = match color {
            Color::White => (self.white_clock, self.white_inc),
            Color::Black => (self.black_clock, self.black_inc),
        };
        if let Some(remaining) = seconds("clock", remaining)? {
            let increment = seconds("increment", increment)?.unwrap_or_default();
            let clock = Clock { remaining, increment, moves_to_go: self.remaining_moves };
            // No overhead within a process.
            limits.time = TimeBudget::from_clock(clock, Duration::ZERO);
            limits.hurry_single_reply = true;
        }
        if let Some(time) = seconds("time", self.time)? {
            limits.time = limits.time.tighter(TimeBudget::fixed(time, Duration::ZERO));
        }
        Ok(limits)
    }

    /// The budget of each search of a review: exactly one limit.
    pub fn budget(&self) -> PyResult<AnalystBudget> {
        let Limit { time, depth, nodes, .. } = *self;
        let alone = Limit { time, depth, nodes, ..Limit::default() };
        match (nodes, depth, seconds("time", time)?) {
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
