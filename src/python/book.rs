//! Opening books.

use std::borrow::Cow;
use std::path::PathBuf;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::board::{Board, is_white};
use crate::convert::{BookError, Whole, file_name, py_error, value, variant_of};
use crate::moves::Move;
use crate::score::Score;
use qirkat_engine::book::BookResults;
use qirkat_engine::load_book::load_book;
use qirkat_game::score::Score as EngineScore;
use qirkat_game::{Color, Rules};

/// An opening book of a variant: a mapping from boards to what it knows about them.
///
/// Without `path` it is the one that is built in. Raises BookError if the file is no book of this
/// variant.
///
/// >>> book = Book()
/// >>> Board() in book, len(book[Board()]["moves"])
/// (True, 18)
#[pyclass(frozen, module = "qirkat")]
pub(crate) struct Book {
    book: Cow<'static, qirkat_engine::book::Book>,
}

fn entry<'py>(
    py: Python<'py>,
    score: EngineScore,
    side: Color,
    results: BookResults,
) -> PyResult<Bound<'py, PyDict>> {
    let games = PyDict::new(py);
    games.set_item("white", results.white_wins)?;
    games.set_item("draws", results.draws)?;
    games.set_item("black", results.black_wins)?;
    let entry = PyDict::new(py);
    entry.set_item("score", value(py, "PovScore", (Score(score), is_white(side)))?)?;
    entry.set_item("games", games)?;
    Ok(entry)
}

#[pymethods]
impl Book {
    #[new]
    #[pyo3(signature = (path = None, variant = "chesquerque"))]
    fn new(py: Python<'_>, path: Option<PathBuf>, variant: &str) -> PyResult<Book> {
        let (name, variant) = (file_name(py, path.as_deref())?, variant_of(variant)?);
        let book = py.detach(|| load_book(variant, &name)).map_err(py_error::<BookError>)?;
        Ok(Book { book })
    }

    /// The variant.
    #[getter]
    fn variant(&self) -> &'static str {
        self.book.variant().name()
    }

    /// How its positions were scored.
    #[getter]
    fn origin(&self) -> &str {
        self.book.origin()
    }

    /// What the book knows about a position: `score`, `games` (`white`, `draws` and `black`), and
    /// `moves`, best first, with the same for each `move`; none at the end of a line. `None` if the
    /// position is not in the book.
    fn probe<'py>(&self, py: Python<'py>, board: &Board) -> PyResult<Option<Bound<'py, PyDict>>> {
        let position = board.position()?;
        let Some(known) = self.book.probe(position) else { return Ok(None) };
        let side = position.side_to_move();
        let found = entry(py, known.entry.score, side, known.entry.results)?;
        let moves = PyList::empty(py);
        for known in known.moves {
            let entry = entry(py, known.score, side, known.results)?;
            entry.set_item("move", Move(known.mv))?;
            moves.append(entry)?;
        }
        found.set_item("moves", moves)?;
        Ok(Some(found))
    }

    /// The best moves from a position, until the book ends or a position repeats.
    #[pyo3(signature = (board, plies = Whole(16)), text_signature = "($self, board, plies=16)")]
    fn line<'py>(
        &self,
        py: Python<'py>,
        board: &Board,
        plies: Whole,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let most: u32 = plies.within("plies", 0..=u32::MAX)?;
        let line = self.book.line(board.position()?, most as usize);
        PyTuple::new(py, line.into_iter().map(Move))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, board: &Board) -> PyResult<Bound<'py, PyDict>> {
        let missing = || PyKeyError::new_err("the position is not in the book");
        self.probe(py, board)?.ok_or_else(missing)
    }

    fn __contains__(&self, board: &Board) -> PyResult<bool> {
        Ok(self.book.entry(board.position()?).is_some())
    }

    fn __len__(&self) -> usize {
        self.book.len()
    }

    fn __repr__(&self) -> String {
        format!("<Book of {}: {} positions>", self.variant(), self.book.len())
    }
}
