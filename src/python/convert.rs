//! Between Python and the crates: what goes wrong becomes an exception with the texts of the crates, by
//! the names of python-chess where that has them; numbers are of any size, so that what is out of bounds
//! is told by its name; and what pickles hold.

use std::ffi::CString;
use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;
use std::{fmt, fs, io};

use pyo3::exceptions::{PyOSError, PyOverflowError, PyRuntimeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::{PyClass, create_exception};

use qirkat_game::SanError;
use qirkat_game::text::Excerpt;
use qirkat_rules::variant::{AnyMove, AnyPosition, UnknownVariant, Variant};

create_exception!(qirkat, FenError, PyValueError, "A text is not the FEN of a position.");
create_exception!(
    qirkat,
    InvalidMoveError,
    PyValueError,
    "A text does not have the form of a move."
);
create_exception!(qirkat, IllegalMoveError, PyValueError, "A move is not legal here.");
create_exception!(
    qirkat,
    AmbiguousMoveError,
    PyValueError,
    "A text could mean several legal moves."
);
create_exception!(qirkat, PgnError, PyValueError, "A game in PGN is faulty.");
create_exception!(qirkat, NetworkError, PyValueError, "A file is not a network of this game.");
create_exception!(qirkat, TableError, PyValueError, "A file is not an endgame table, or damaged.");
create_exception!(qirkat, MissingTableError, PyValueError, "No table knows this position.");
create_exception!(
    qirkat,
    EngineError,
    PyRuntimeError,
    "The engine is closed, or the machine does not give what it needs."
);

pub(crate) fn told<E: pyo3::PyTypeInfo>(error: impl Display) -> PyErr {
    PyErr::new::<E, _>(error.to_string())
}

pub(crate) fn variant_of(name: &str) -> PyResult<Variant> {
    name.parse().map_err(|error: UnknownVariant| {
        PyValueError::new_err(format!("variant `{}` is {error}", Excerpt::of(name)))
    })
}

pub(crate) fn san_error(error: SanError) -> PyErr {
    match error {
        SanError::Malformed(_) => told::<InvalidMoveError>(error),
        SanError::Illegal(_) => told::<IllegalMoveError>(error),
        SanError::Ambiguous(_) => told::<AmbiguousMoveError>(error),
    }
}

/// Refuses a move that is not legal, with the reason.
pub(crate) fn ensure_legal(position: &AnyPosition, mv: AnyMove) -> PyResult<()> {
    match position.why_illegal(mv) {
        None => Ok(()),
        Some(reason) => Err(IllegalMoveError::new_err(format!("{mv}: {reason}"))),
    }
}

pub(crate) fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    let text = CString::new(text.replace('\0', " "))?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
}

/// A path as the crates take names of files, or the name that stands for none.
pub(crate) fn name_of(path: Option<&Path>, none: &str) -> PyResult<String> {
    let Some(path) = path else { return Ok(none.to_owned()) };
    let name = path.to_str().map(str::to_owned);
    name.ok_or_else(|| PyValueError::new_err(format!("{}: not a name in UTF-8", path.display())))
}

/// An error of the system as `open` of Python raises it, with the name of the file.
pub(crate) fn os_error(py: Python<'_>, error: &io::Error, path: &Path) -> PyErr {
    let Some(code) = error.raw_os_error() else {
        return PyValueError::new_err(format!("{}: {error}", path.display()));
    };
    if cfg!(windows) {
        // The fourth number is that of Windows, from which Python finds its own.
        return PyOSError::new_err((0, error.to_string(), path.as_os_str().to_owned(), code));
    }
    let told = py.import("os").and_then(|os| os.call_method1("strerror", (code,)));
    told.map_or_else(
        |error| error,
        |text| PyOSError::new_err((code, text.unbind(), path.as_os_str().to_owned())),
    )
}

/// Opens a file; a folder is refused, as Python does.
pub(crate) fn open_file(py: Python<'_>, path: &Path) -> PyResult<File> {
    let opened = py.detach(|| {
        let mut file = File::open(path)?;
        if file.metadata()?.is_dir() {
            // The system says that it is one.
            file.read_exact(&mut [0])?;
        }
        Ok(file)
    });
    opened.map_err(|error| os_error(py, &error, path))
}

/// Refuses a file that cannot be read. Names such as `<none>` are no files, and a pipe is left to
/// those who read it.
pub(crate) fn ensure_file(py: Python<'_>, path: &Path) -> PyResult<()> {
    if is_word(path) {
        return Ok(());
    }
    let kind = path.metadata().map_err(|error| os_error(py, &error, path))?;
    if kind.is_file() || kind.is_dir() { open_file(py, path).map(drop) } else { Ok(()) }
}

pub(crate) fn ensure_folder(py: Python<'_>, path: &Path) -> PyResult<()> {
    if is_word(path) {
        return Ok(());
    }
    fs::read_dir(path).map(drop).map_err(|error| os_error(py, &error, path))
}

/// Whether this stands for something that the package carries, or for nothing.
fn is_word(path: &Path) -> bool {
    path.to_str().is_some_and(|name| ["", "<none>", "<embedded>"].contains(&name))
}

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
    pub const fn new(number: i128) -> Whole {
        Whole(number)
    }

    /// The number, if it is one of these; ValueError with the name of the argument if not.
    pub fn within<N>(self, name: &str, range: RangeInclusive<N>) -> PyResult<N>
    where
        N: TryFrom<i128> + PartialOrd + Display,
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

impl Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            i128::MIN => f.write_str("-2**127 or less"),
            i128::MAX => f.write_str("2**127 or more"),
            number => number.fmt(f),
        }
    }
}

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

/// What `__reduce__` returns: a function, and what it is called with.
pub(crate) type Reduced<'py, T> = PyResult<(Bound<'py, PyAny>, T)>;

/// Made by the method `_of` of the class, which is for pickles alone.
pub(crate) fn made_of<'py, C: PyClass, T>(value: &Bound<'py, C>, parts: T) -> Reduced<'py, T> {
    Ok((value.as_any().get_type().getattr("_of")?, parts))
}

/// Had as an attribute of another value.
pub(crate) fn attribute<'py, T>(
    py: Python<'py>,
    owner: T,
    name: &'static str,
) -> Reduced<'py, (T, &'static str)> {
    Ok((py.import("builtins")?.getattr("getattr")?, (owner, name)))
}
