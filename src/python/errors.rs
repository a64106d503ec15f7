//! What goes wrong, as Python tells it: subclasses of `ValueError` with the texts of the crates,
//! by the names of python-chess where that has them.

use std::ffi::CString;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;

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

/// An error of a kind with the text of another.
pub(crate) fn told<E: pyo3::PyTypeInfo>(error: impl Display) -> PyErr {
    PyErr::new::<E, _>(error.to_string())
}

/// The game of this name.
pub(crate) fn variant_of(name: &str) -> PyResult<Variant> {
    name.parse().map_err(|error: UnknownVariant| {
        PyValueError::new_err(format!("variant `{}` is {error}", Excerpt::of(name)))
    })
}

/// What is wrong with a move in algebraic notation.
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

/// Warns of something that goes on all the same.
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

/// Refuses a folder that cannot be read.
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
