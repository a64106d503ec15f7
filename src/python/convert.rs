//! Conversions between Python and the crates. Errors become exceptions with the crates' messages,
//! named as in python-chess where possible. Integers of any size are accepted, so that an error
//! about bounds can name the argument.

use std::ffi::CString;
use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::ops::RangeInclusive;
use std::path::Path;
use std::{fmt, fs, io};

use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyOSError, PyOverflowError, PyRuntimeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::{PyClass, create_exception};

use qirkat_evaluation::load_network::EMBEDDED;
use qirkat_game::SanError;
use qirkat_game::text::Excerpt;
use qirkat_rules::variant::{AnyMove, AnyPosition, UnknownVariant, Variant};

create_exception!(qirkat, FenError, PyValueError, "Not a valid FEN.");
create_exception!(qirkat, InvalidMoveError, PyValueError, "Not in the form of a move.");
create_exception!(qirkat, IllegalMoveError, PyValueError, "An illegal move.");
create_exception!(
    qirkat,
    AmbiguousMoveError,
    PyValueError,
    "A text that fits several legal moves."
);
create_exception!(qirkat, PgnError, PyValueError, "A faulty game in PGN.");
create_exception!(qirkat, NetworkError, PyValueError, "Not a network of this variant.");
create_exception!(qirkat, BookError, PyValueError, "Not an opening book of this variant.");
create_exception!(qirkat, TableError, PyValueError, "Not an endgame table, or a damaged one.");
create_exception!(qirkat, MissingTableError, PyValueError, "No table has this position.");
create_exception!(
    qirkat,
    EngineError,
    PyRuntimeError,
    "The engine is closed, or the machine lacks the resources."
);

pub(crate) fn py_error<E: pyo3::PyTypeInfo>(error: impl Display) -> PyErr {
    PyErr::new::<E, _>(error.to_string())
}

pub(crate) fn variant_of(name: &str) -> PyResult<Variant> {
    name.parse().map_err(|error: UnknownVariant| {
        PyValueError::new_err(format!("variant `{}` is {error}", Excerpt::of(name)))
    })
}

pub(crate) fn san_error(error: SanError) -> PyErr {
    match error {
        SanError::Malformed(_) => py_error::<InvalidMoveError>(error),
        SanError::Illegal(_) => py_error::<IllegalMoveError>(error),
        SanError::Ambiguous(_) => py_error::<AmbiguousMoveError>(error),
    }
}

/// Fails with the reason if a move is illegal.
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

/// A path as a string, as the crates expect it; `none` without a path.
pub(crate) fn name_of(path: Option<&Path>, none: &str) -> PyResult<String> {
    let Some(path) = path else { return Ok(none.to_owned()) };
    let name = path.to_str().map(str::to_owned);
    name.ok_or_else(|| PyValueError::new_err(format!("{}: not a name in UTF-8", path.display())))
}

/// A system error as Python's `open` raises it, with the file name.
pub(crate) fn os_error(py: Python<'_>, error: &io::Error, path: &Path) -> PyErr {
    let Some(code) = error.raw_os_error() else {
        return PyValueError::new_err(format!("{}: {error}", path.display()));
    };
    if cfg!(windows) {
        // The fourth argument is the Windows error code, from which Python derives errno.
        return PyOSError::new_err((0, error.to_string(), path.as_os_str().to_owned(), code));
    }
    let text = py.import("os").and_then(|os| os.call_method1("strerror", (code,)));
    text.map_or_else(
        |error| error,
        |text| PyOSError::new_err((code, text.unbind(), path.as_os_str().to_owned())),
    )
}

/// Opens a file; folders are refused, as in Python.
pub(crate) fn open_file(py: Python<'_>, path: &Path) -> PyResult<File> {
    let opened = py.detach(|| {
        let mut file = File::open(path)?;
        if file.metadata()?.is_dir() {
            // The system reports a folder when reading.
            file.read_exact(&mut [0])?;
        }
        Ok(file)
    });
    opened.map_err(|error| os_error(py, &error, path))
}

/// The name of a file that can be read, or of the embedded one.
pub(crate) fn file_name(py: Python<'_>, path: Option<&Path>) -> PyResult<String> {
    path.map_or(Ok(()), |file| ensure_file(py, file))?;
    name_of(path, EMBEDDED)
}

/// Fails if a file cannot be read. Names such as `<none>` are not files, and pipes are not opened.
fn ensure_file(py: Python<'_>, path: &Path) -> PyResult<()> {
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

/// Whether this names something built in, or nothing.
fn is_word(path: &Path) -> bool {
    path.to_str().is_some_and(|name| ["", "<none>", "<embedded>"].contains(&name))
}

/// An integer of any size, clamped to 128 bits.
#[derive(Clone, Copy)]
pub(crate) struct Whole(pub i128);

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(number: Borrowed<'_, 'py, PyAny>) -> PyResult<Whole> {
        match number.extract() {
            Err(error) if PyErr::is_instance_of::<PyOverflowError>(&error, number.py()) => {
                Ok(Whole(if number.lt(0)? { i128::MIN } else { i128::MAX }))
            }
            read => read.map(Whole),
        }
    }
}

impl Whole {
    /// The number if in this range; otherwise a ValueError that names the argument.
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

/// Makes a value of a class of `package/qirkat/values.py`.
pub(crate) fn value<'py>(
    py: Python<'py>,
    class: &str,
    parts: impl PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("qirkat.values")?.getattr(class)?.call1(parts)
}

/// The value of `__reduce__`: a function and its arguments.
pub(crate) type Reduced<'py, T> = PyResult<(Bound<'py, PyAny>, T)>;

/// Pickles a value as a call of its class's method `_of`, which exists only for this.
pub(crate) fn made_of<'py, C: PyClass, T>(value: &Bound<'py, C>, parts: T) -> Reduced<'py, T> {
    Ok((value.as_any().get_type().getattr("_of")?, parts))
}

/// Pickles a value as an attribute of another.
pub(crate) fn attribute<'py, T>(
    py: Python<'py>,
    owner: T,
    name: &'static str,
) -> Reduced<'py, (T, &'static str)> {
    Ok((py.import("builtins")?.getattr("getattr")?, (owner, name)))
}
