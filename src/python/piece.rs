//! A piece.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use qirkat_game::Board;
use qirkat_game::text::Excerpt;
use qirkat_rules::{alquerque, chesquerque, masonic};

/// A piece: its side and its kind, known by its letter in FEN.
///
/// >>> Piece("a").kind, Piece("a").color
/// ('archbishop', False)
#[pyclass(frozen, eq, hash, module = "qirkat")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Piece(pub char);

/// The name of the kind with a letter, in whichever game has it.
fn kind_of(letter: char) -> Option<&'static str> {
    fn of<G: Board>(letter: char) -> Option<&'static str> {
        let at = G::KINDS.iter().position(|kind| kind.eq_ignore_ascii_case(&letter))?;
        G::KIND_NAMES.get(at).copied()
    }
    of::<chesquerque::Position>(letter)
        .or_else(|| of::<masonic::Position>(letter))
        .or_else(|| of::<alquerque::Position>(letter))
}

#[pymethods]
impl Piece {
    #[new]
    fn new(symbol: &str) -> PyResult<Piece> {
        let mut letters = symbol.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) if kind_of(letter).is_some() => Ok(Piece(letter)),
            _ => Err(PyValueError::new_err(format!(
                "`{}` is the letter of no piece",
                Excerpt::of(symbol)
            ))),
        }
    }

    /// The piece with this letter: upper case for White.
    #[staticmethod]
    fn from_symbol(symbol: &str) -> PyResult<Piece> {
        Piece::new(symbol)
    }

    /// Its letter in FEN: upper case for White.
    fn symbol(&self) -> char {
        self.0
    }

    /// Its side: `True` for White.
    #[getter]
    fn color(&self) -> bool {
        self.0.is_ascii_uppercase()
    }

    /// Its kind in words, such as `knight`.
    #[getter]
    fn kind(&self) -> &'static str {
        kind_of(self.0).unwrap_or_default()
    }

    fn __str__(&self) -> char {
        self.0
    }

    fn __repr__(&self) -> String {
        format!("Piece('{}')", self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (char,)) {
        (slf.get_type().into_any(), (slf.get().0,))
    }
}
