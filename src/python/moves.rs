//! Moves and pieces.

use std::cmp::Ordering;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::convert::{InvalidMoveError, py_error, variant_of};
use qirkat_game::text::Excerpt;
use qirkat_game::{Board, Rules};
use qirkat_rules::match_variant;
use qirkat_rules::variant::{AnyMove, Place, Variant};

/// A move of a variant. It need not be legal in any position.
///
/// >>> Move("a8a9q").promotion
/// 'q'
/// >>> Move("c3e5e3", "alquerque").squares
/// ('c3', 'e5', 'e3')
#[pyclass(frozen, eq, ord, hash, from_py_object, module = "qirkat")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Move(pub AnyMove);

/// By variant, squares and promotion.
impl PartialOrd for Move {
    fn partial_cmp(&self, other: &Move) -> Option<Ordering> {
        let key = |mv: AnyMove| (mv.variant(), mv.places(), mv.promotion(), !mv.is_null());
        key(self.0).partial_cmp(&key(other.0))
    }
}

pub(crate) fn read_uci(variant: Variant, text: &str) -> PyResult<AnyMove> {
    if text == AnyMove::NULL_TEXT {
        return Ok(AnyMove::null(variant));
    }
    let read =
        match_variant!(variant, Own => text.parse::<<Own as Rules>::Move>().map(AnyMove::from));
    read.map_err(py_error::<InvalidMoveError>)
}

#[pymethods]
impl Move {
    #[new]
    #[pyo3(signature = (uci, variant = "chesquerque"))]
    fn new(uci: &str, variant: &str) -> PyResult<Move> {
        Ok(Move(read_uci(variant_of(variant)?, uci)?))
    }

    /// Parses a move in UCI notation, such as `e2e4`, `a8a9q` or `c3e5e3`, or the null move `0000`,
    /// which variations may have.
    #[staticmethod]
    #[pyo3(signature = (uci, variant = "chesquerque"))]
    fn from_uci(uci: &str, variant: &str) -> PyResult<Move> {
        Move::new(uci, variant)
    }

    /// The null move, `0000`, by which the side to move passes. It is false, and legal nowhere.
    #[staticmethod]
    #[pyo3(signature = (variant = "chesquerque"))]
    fn null(variant: &str) -> PyResult<Move> {
        Ok(Move(AnyMove::null(variant_of(variant)?)))
    }

    /// The move in UCI notation.
    fn uci(&self) -> String {
        self.0.to_string()
    }

    /// The move's variant.
    #[getter]
    fn variant(&self) -> &'static str {
        self.0.variant().name()
    }

    /// The start square.
    #[getter(from_square)]
    fn start(&self) -> String {
        self.0.ends().0.to_string()
    }

    /// The end square.
    #[getter(to_square)]
    fn end(&self) -> String {
        self.0.ends().1.to_string()
    }

    /// All squares of the move, the start first: more than two for a series of jumps.
    #[getter]
    fn squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.places().iter().map(Place::to_string))
    }

    /// The letter of the promotion piece.
    #[getter]
    fn promotion(&self) -> Option<char> {
        self.0.promotion().map(|letter| letter.to_ascii_lowercase())
    }

    /// False for the null move.
    fn __bool__(&self) -> bool {
        !self.0.is_null()
    }

    fn __str__(&self) -> String {
        self.uci()
    }

    fn __repr__(&self) -> String {
        match self.0.variant() {
            Variant::Chesquerque => format!("Move('{}')", self.0),
            other => format!("Move('{}', '{other}')", self.0),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String, &'static str)) {
        let mv = slf.get();
        (slf.get_type().into_any(), (mv.uci(), mv.variant()))
    }
}

/// A piece, given by its FEN letter: its side and its kind.
///
/// >>> Piece("a").kind, Piece("a").color
/// ('archbishop', False)
#[pyclass(frozen, eq, hash, module = "qirkat")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Piece(pub char);

/// The name of the piece with this letter in any variant.
fn kind_of(letter: char) -> Option<&'static str> {
    let name = |variant| {
        let (kinds, names) = match_variant!(variant, Own => (Own::KIND_LETTERS, Own::KIND_NAMES));
        let at = kinds.iter().position(|kind| kind.eq_ignore_ascii_case(&letter))?;
        names.get(at).copied()
    };
    Variant::ALL.into_iter().find_map(name)
}

/// Whether a variant has a piece with this FEN letter.
pub(crate) fn is_letter_of(variant: Variant, letter: char) -> bool {
    match_variant!(variant, Own => Own::KIND_LETTERS.contains(&letter.to_ascii_uppercase()))
}

#[pymethods]
impl Piece {
    #[new]
    fn new(symbol: &str) -> PyResult<Piece> {
        let mut letters = symbol.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) if kind_of(letter).is_some() => Ok(Piece(letter)),
            _ => Err(PyValueError::new_err(format!(
                "`{}` is not the letter of a piece",
                Excerpt::of(symbol)
            ))),
        }
    }

    /// The piece with this FEN letter: upper case for White.
    #[staticmethod]
    fn from_symbol(symbol: &str) -> PyResult<Piece> {
        Piece::new(symbol)
    }

    /// Its FEN letter: upper case for White.
    fn symbol(&self) -> char {
        self.0
    }

    /// Its side: `True` for White.
    #[getter]
    fn color(&self) -> bool {
        self.0.is_ascii_uppercase()
    }

    /// The name of its kind, such as `knight`.
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
