//! When a search ends.

use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use qirkat_analysis::review::AnalystBudget;
use qirkat_engine::SearchLimits;
use qirkat_game::Color;
use qirkat_game::distance::Depth;
use qirkat_search::{Clock, TimeBudget};

/// When a search ends: the first limit that is reached ends it.
///
/// Times are seconds. With a clock the search takes its share of what the side to move has left.
#[pyclass(frozen, get_all, eq, module = "qirkat")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Limit {
    /// Seconds to think.
    time: Option<f64>,
    /// Plies to look ahead.
    depth: Option<u32>,
    /// Positions to visit.
    nodes: Option<u64>,
    /// Stop when a mate in so many moves is found or excluded.
    mate: Option<u16>,
    /// Seconds on the clock of White.
    white_clock: Option<f64>,
    /// Seconds on the clock of Black.
    black_clock: Option<f64>,
    /// Seconds that White gets with each move.
    white_inc: Option<f64>,
    /// Seconds that Black gets with each move.
    black_inc: Option<f64>,
    /// Moves until more time comes.
    remaining_moves: Option<u32>,
}

fn seconds(name: &str, value: Option<f64>) -> PyResult<Option<Duration>> {
    let Some(value) = value else { return Ok(None) };
    let read = Duration::try_from_secs_f64(value);
    read.map(Some)
        .map_err(|_| PyValueError::new_err(format!("{name}={value}: not a time in seconds")))
}

fn positive<N: PartialEq + From<u8>>(name: &str, value: Option<N>) -> PyResult<()> {
    if value == Some(N::from(0)) {
        return Err(PyValueError::new_err(format!("{name}=0: at least 1")));
    }
    Ok(())
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
        time: Option<f64>,
        depth: Option<u32>,
        nodes: Option<u64>,
        mate: Option<u16>,
        white_clock: Option<f64>,
        black_clock: Option<f64>,
        white_inc: Option<f64>,
        black_inc: Option<f64>,
        remaining_moves: Option<u32>,
    ) -> PyResult<Limit> {
        for (name, value) in [
            ("time", time),
            ("white_clock", white_clock),
            ("black_clock", black_clock),
            ("white_inc", white_inc),
            ("black_inc", black_inc),
        ] {
            seconds(name, value)?;
        }
        positive("depth", depth)?;
        positive("nodes", nodes)?;
        positive("mate", mate)?;
        Ok(Limit {
            time,
            depth,
            nodes,
            mate,
            white_clock,
            black_clock,
            white_inc,
            black_inc,
            remaining_moves,
        })
    }

    fn __repr__(&self) -> String {
        let of = |name: &str, value: Option<String>| value.map(|value| format!("{name}={value}"));
        let text = |value: Option<f64>| value.map(|value| value.to_string());
        let given: Vec<String> = [
            of("time", text(self.time)),
            of("depth", self.depth.map(|depth| depth.to_string())),
            of("nodes", self.nodes.map(|nodes| nodes.to_string())),
            of("mate", self.mate.map(|mate| mate.to_string())),
            of("white_clock", text(self.white_clock)),
            of("black_clock", text(self.black_clock)),
            of("white_inc", text(self.white_inc)),
            of("black_inc", text(self.black_inc)),
            of("remaining_moves", self.remaining_moves.map(|moves| moves.to_string())),
        ]
        .into_iter()
        .flatten()
        .collect();
        format!("Limit({})", given.join(", "))
    }
}

impl Limit {
    /// The limits for a side to move, with this many lines; an error where nothing ends the search.
    pub fn bounded(&self, color: Color, lines: usize) -> PyResult<SearchLimits> {
        let limits = self.limits(color, lines)?;
        let is_bounded = limits.depth.is_some() || limits.nodes.is_some() || limits.mate.is_some();
        if !is_bounded && limits.time == TimeBudget::default() {
            return Err(PyValueError::new_err(
                "nothing ends the search: give Limit nodes, depth, mate, time or the clock of the side to move",
            ));
        }
        Ok(limits)
    }

    /// The same, where the search may go on until it is stopped.
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
            // Nothing is lost on the way within a process.
            limits.time = TimeBudget::from_clock(clock, Duration::ZERO);
            limits.hurry_single_reply = true;
        }
        if let Some(time) = seconds("time", self.time)? {
            limits.time = limits.time.tighter(TimeBudget::fixed(time, Duration::ZERO));
        }
        Ok(limits)
    }

    /// The budget of each search of a review: one limit alone.
    pub fn budget(&self) -> PyResult<AnalystBudget> {
        match (self.nodes, self.depth, seconds("time", self.time)?) {
            (Some(nodes), None, None) => Ok(AnalystBudget::Nodes(nodes)),
            (None, Some(depth), None) => {
                Ok(AnalystBudget::Depth(Depth::saturating(i64::from(depth))))
            }
            (None, None, Some(time)) => Ok(AnalystBudget::Time(time)),
            _ => Err(PyValueError::new_err(
                "the searches of a review have one limit: nodes, depth or time",
            )),
        }
    }
}
