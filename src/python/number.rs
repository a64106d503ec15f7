//! Numbers as Python has them: of any size, so that what is out of bounds is told by its name.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

/// A whole number. One of more than 127 bits stands for the last that has no more.
#[derive(Clone, Copy)]
pub(crate) struct Whole(i128);

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(number: Borrowed<'_, 'py, PyAny>) -> PyResult<Whole> {
        bounded(number, [i128::MIN, i128::MAX], |number| number.extract()).map(Whole)
    }
}

/// Reads a number; one that is too large for it is its least or its most.
fn bounded<'py, N>(
    number: Borrowed<'_, 'py, PyAny>,
    [least, most]: [N; 2],
    read: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<N>,
) -> PyResult<N> {
    match read(&number) {
        Err(error) if error.is_instance_of::<PyOverflowError>(number.py()) => {
            Ok(if number.lt(0)? { least } else { most })
        }
        read => read,
    }
}

impl Whole {
    /// This number.
    pub const fn new(number: i128) -> Whole {
        Whole(number)
    }

    /// The number, if it is one of these; ValueError with the name of the argument if not.
    pub fn within<N>(self, name: &str, range: RangeInclusive<N>) -> PyResult<N>
    where
        N: TryFrom<i128> + PartialOrd + fmt::Display,
    {
        let read = N::try_from(self.0).ok().filter(|number| range.contains(number));
        read.ok_or_else(|| {
            let (least, most) = range.into_inner();
            PyValueError::new_err(format!("{name}={self}: from {least} to {most}"))
        })
    }

    /// The number as an index, if it can be one.
    pub fn index(self) -> Option<isize> {
        self.0.try_into().ok()
    }
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            i128::MIN => f.write_str("-2**127 or less"),
            i128::MAX => f.write_str("2**127 or more"),
            number => number.fmt(f),
        }
    }
}

/// Seconds.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Seconds(pub f64);

/// What is longer is as good as for ever, and can be added to the clock without care.
const LONGEST: Duration = Duration::from_secs(1 << 32);

impl<'py> FromPyObject<'_, 'py> for Seconds {
    type Error = PyErr;

    fn extract(number: Borrowed<'_, 'py, PyAny>) -> PyResult<Seconds> {
        bounded(number, [f64::NEG_INFINITY, f64::INFINITY], |number| number.extract()).map(Seconds)
    }
}

impl Seconds {
    /// The time, from 0 on; ValueError with the name of the argument if it is none.
    pub fn duration(self, name: &str) -> PyResult<Duration> {
        let read = Duration::try_from_secs_f64(self.0);
        read.map(|time| time.min(LONGEST))
            .map_err(|_| PyValueError::new_err(format!("{name}={}: not a time in seconds", self.0)))
    }
}
