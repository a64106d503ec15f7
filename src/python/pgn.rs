//! Games in PGN: records, which `package/qirkat/pgn.py` makes trees of, and a reader that returns
//! them one by one.

use std::io::{self, BufReader, Cursor, Read};
use std::path::PathBuf;

use parking_lot::{Mutex, MutexGuard};
use pyo3::exceptions::{PyAttributeError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString, PyTuple, PyType};

use crate::board::Board;
use crate::convert::{PgnError, Reduced, Whole, ensure_legal, open_file, os_error, py_error, warn};
use crate::moves::Move;
use qirkat_game::GameResult;
use qirkat_game::text::Excerpt;
use qirkat_rules::pgn::{self, DEEPEST_VARIATION, PgnGame, PgnMove as RecordedMove, ReadGame};
use qirkat_rules::variant::AnyPosition;
use qirkat_system::compression::Decompressor;

/// Bytes read from a file at a time.
const CHUNK: usize = 1 << 16;

/// A move of a game with its annotations, made into a node of Python's tree of moves, or from one.
#[pyclass(frozen, name = "_PgnMove", module = "qirkat._qirkat")]
#[derive(Clone)]
pub(crate) struct PgnMove(RecordedMove);

#[pymethods]
impl PgnMove {
    #[new]
    fn new(
        r#move: &Move,
        comment: &str,
        starting_comment: &str,
        nags: Vec<Whole>,
        variations: Vec<Vec<Bound<'_, PgnMove>>>,
    ) -> PyResult<PgnMove> {
        let nags: PyResult<_> =
            nags.into_iter().map(|nag| nag.within("nags", 0..=u8::MAX)).collect();
        // The depth is limited here, so that no recursion overflows the stack later.
        let within = variations.iter().flatten().map(|played| depth_of(&played.get().0));
        if within.max().is_some_and(|depth| depth >= DEEPEST_VARIATION) {
            return Err(PyValueError::new_err(format!(
                "variations are nested more than {DEEPEST_VARIATION} deep"
            )));
        }
        let line = |line: &Vec<Bound<'_, PgnMove>>| {
            line.iter().map(|played| played.get().0.clone()).collect()
        };
        Ok(PgnMove(RecordedMove {
            mv: r#move.0,
            nags: nags?,
            comment: given(comment),
            starting_comment: given(starting_comment),
            variations: variations.iter().map(line).collect(),
        }))
    }

    #[getter]
    fn r#move(&self) -> Move {
        Move(self.0.mv)
    }

    #[getter]
    fn comment(&self) -> &str {
        self.0.comment.as_deref().unwrap_or_default()
    }

    #[getter]
    fn starting_comment(&self) -> &str {
        self.0.starting_comment.as_deref().unwrap_or_default()
    }

    #[getter]
    fn nags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.nags)
    }

    #[getter]
    fn variations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let lines: PyResult<Vec<_>> = self.0.variations.iter().map(|it| line(py, it)).collect();
        PyTuple::new(py, lines?)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, Bound<'py, PyTuple>> {
        let (py, played) = (slf.py(), slf.get());
        let parts = (
            played.r#move(),
            played.comment(),
            played.starting_comment(),
            played.nags(py)?,
            played.variations(py)?,
        );
        Ok((slf.get_type().into_any(), parts.into_pyobject(py)?))
    }
}

fn line<'py>(py: Python<'py>, moves: &[RecordedMove]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, moves.iter().cloned().map(PgnMove))
}

fn given(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn depth_of(played: &RecordedMove) -> usize {
    let within = played.variations.iter().flatten().map(|played| 1 + depth_of(played));
    within.max().unwrap_or_default()
}

/// Fails if a line has a move that is not possible.
fn ensure_line(start: AnyPosition, line: &[RecordedMove]) -> PyResult<()> {
    let mut position = start;
    for played in line {
        let mv = played.mv;
        let Some(after) = position.after_or_null(mv) else { return ensure_legal(&position, mv) };
        for variation in &played.variations {
            ensure_line(position, variation)?;
        }
        position = after;
    }
    Ok(())
}

/// A game as it is read and written; `qirkat.pgn.Game` has it as a tree.
#[pyclass(frozen, eq, name = "_Record", module = "qirkat._qirkat")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub game: PgnGame,
    number: Option<u64>,
    line: Option<u64>,
    unread: Vec<String>,
}

impl Record {
    /// The record as a game of Python.
    fn into_game(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        static GAME: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        GAME.import(py, "qirkat.pgn", "Game")?.call_method1("_of", (self,))
    }
}

/// A game of Python.
pub(crate) fn game_of(py: Python<'_>, game: PgnGame) -> PyResult<Bound<'_, PyAny>> {
    Record { game, number: None, line: None, unread: Vec::new() }.into_game(py)
}

/// The record of a game of Python.
pub(crate) fn record_of(game: &Bound<'_, PyAny>) -> PyResult<PgnGame> {
    let record = game.getattr("_record").and_then(|method| method.call0());
    let record = record.map_err(|error| {
        if error.is_instance_of::<PyAttributeError>(game.py()) {
            return PyTypeError::new_err("expected a qirkat.Game");
        }
        error
    })?;
    Ok(record.cast::<Record>()?.get().game.clone())
}

impl From<ReadGame> for Record {
    fn from(read: ReadGame) -> Record {
        Record {
            game: read.game,
            number: Some(read.number),
            line: Some(read.line),
            unread: read.unread.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Number and line in the file, and what could not be read.
type Origin = (Option<u64>, Option<u64>, Vec<String>);

#[pymethods]
impl Record {
    #[new]
    fn new(
        start: &Board,
        tags: Vec<(String, String)>,
        comment: &str,
        moves: Vec<Bound<'_, PgnMove>>,
        result: &str,
        origin: Origin,
    ) -> PyResult<Record> {
        let moves: Vec<RecordedMove> = moves.iter().map(|played| played.get().0.clone()).collect();
        let start = *start.position()?;
        ensure_line(start, &moves)?;
        let result = GameResult::parse(result).ok_or_else(|| {
            let result = Excerpt::of(result);
            PyValueError::new_err(format!("`{result}` is not a result: 1-0, 0-1, 1/2-1/2 or *"))
        })?;
        let (number, line, unread) = origin;
        let game = PgnGame { tags, start, opening_comment: given(comment), moves, result };
        Ok(Record { game, number, line, unread })
    }

    #[getter]
    fn variant(&self) -> &'static str {
        self.game.start.variant().name()
    }

    #[getter]
    fn start(&self) -> Board {
        self.game.start.into()
    }

    #[getter]
    fn tags(&self) -> Vec<(String, String)> {
        self.game.tags.clone()
    }

    #[getter]
    fn comment(&self) -> &str {
        self.game.opening_comment.as_deref().unwrap_or_default()
    }

    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        line(py, &self.game.moves)
    }

    #[getter]
    fn result(&self) -> &'static str {
        self.game.result.text()
    }

    /// Number and line in the file, and what could not be read.
    #[getter]
    fn origin<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let unread = PyTuple::new(py, &self.unread)?;
        (self.number, self.line, unread).into_pyobject(py)
    }

    fn mainline_moves(&self) -> Vec<Move> {
        self.game.moves.iter().map(|played| Move(played.mv)).collect()
    }

    fn end_board(&self) -> Board {
        self.game.final_game().into()
    }

    fn __str__(&self) -> String {
        self.game.to_string().trim_end().to_owned()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, Bound<'py, PyTuple>> {
        let (py, record) = (slf.py(), slf.get());
        let parts = (
            record.start(),
            record.tags(),
            record.comment(),
            record.moves(py)?,
            record.result(),
            record.origin(py)?,
        );
        Ok((slf.get_type().into_any(), parts.into_pyobject(py)?))
    }
}

/// A Python object with a method `read` that returns text or bytes.
struct PythonFile {
    object: Py<PyAny>,
    /// Read but not yet returned.
    buffer: Cursor<Vec<u8>>,
}

impl Read for PythonFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.buffer.position() >= self.buffer.get_ref().len() as u64 {
            self.buffer = Cursor::new(Python::attach(|py| {
                let chunk = self.object.bind(py).call_method1("read", (CHUNK,))?;
                bytes_of(&chunk, "read() returned neither text nor bytes")
            })?);
        }
        self.buffer.read(buffer)
    }
}

fn bytes_of(text: &Bound<'_, PyAny>, wrong: &'static str) -> PyResult<Vec<u8>> {
    if let Ok(text) = text.cast::<PyString>() {
        return Ok(text.to_str()?.as_bytes().to_vec());
    }
    let bytes = text.cast::<PyBytes>().map_err(|_| PyTypeError::new_err(wrong))?;
    Ok(bytes.as_bytes().to_vec())
}

/// Reads games one by one, on demand.
///
/// A faulty game raises PgnError, and the next call continues after it; with `errors="warn"` it is
/// skipped with a warning. `faults` lists all faults so far.
#[pyclass(frozen, module = "qirkat")]
pub(crate) struct PgnReader {
    reader: Mutex<Reading>,
    /// The file, if given by path.
    path: Option<PathBuf>,
    warns: bool,
}

struct Reading {
    reader: pgn::PgnReader<BufReader<Decompressor<Box<dyn Read + Send>>>>,
    faults: Vec<String>,
}

impl PgnReader {
    fn new(
        source: impl Read + Send + 'static,
        path: Option<PathBuf>,
        errors: &str,
    ) -> PyResult<PgnReader> {
        let warns = match errors {
            "raise" => false,
            "warn" => true,
            other => {
                let other = Excerpt::of(other);
                return Err(PyValueError::new_err(format!("errors='{other}': 'raise' or 'warn'")));
            }
        };
        let source: Box<dyn Read + Send> = Box::new(source);
        let source = BufReader::with_capacity(CHUNK, Decompressor::new(source));
        let reading = Reading { reader: pgn::PgnReader::new(source), faults: Vec::new() };
        Ok(PgnReader { reader: Mutex::new(reading), path, warns })
    }

    /// The reader, unless in use: the `read` of a Python file object might call this reader.
    fn reading(&self) -> PyResult<MutexGuard<'_, Reading>> {
        let free = self.reader.try_lock();
        free.ok_or_else(|| PyRuntimeError::new_err("the reader is already in use"))
    }
}

#[pymethods]
impl PgnReader {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        loop {
            let read = py.detach(|| {
                let mut reading = self.reading()?;
                let read = reading.reader.next();
                if let Some(Err(error @ pgn::PgnError::Game { .. })) = &read {
                    reading.faults.push(error.to_string());
                }
                PyResult::Ok(read)
            })?;
            match read {
                None => return Ok(None),
                Some(Ok(read)) => return Record::from(read).into_game(py).map(Some),
                Some(Err(pgn::PgnError::Io(error))) => {
                    return Err(match &self.path {
                        Some(path) => os_error(py, &error, path),
                        None => error.into(),
                    });
                }
                Some(Err(fault)) if self.warns => {
                    warn(py, &fault.to_string())?;
                    py.check_signals()?;
                }
                Some(Err(fault)) => return Err(py_error::<PgnError>(fault)),
            }
        }
    }

    /// The faults of unreadable games so far, with line numbers.
    #[getter]
    fn faults<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.reading()?.faults)
    }
}

/// Reads the games of a file, given by path or as an object with a method `read`.
///
/// >>> import io
/// >>> [game] = read_pgn(io.StringIO("1. e4 d6 *"))
/// >>> game.end().board().fullmove_number
/// 2
#[pyfunction]
#[pyo3(signature = (source, *, errors = "raise"))]
pub(crate) fn read_pgn(source: &Bound<'_, PyAny>, errors: &str) -> PyResult<PgnReader> {
    if source.hasattr("read")? {
        let file = PythonFile { object: source.clone().unbind(), buffer: Cursor::default() };
        return PgnReader::new(file, None, errors);
    }
    let path: PathBuf = source.extract().map_err(|_| {
        PyTypeError::new_err("read_pgn needs a path, or an object with a method read")
    })?;
    let file = open_file(source.py(), &path)?;
    PgnReader::new(file, Some(path), errors)
}

/// Reads the games of a text.
///
/// >>> [game] = parse_pgn("1. e4 d6 *")
/// >>> game.mainline_moves()
/// [Move('e2e4'), Move('d8d6')]
#[pyfunction]
#[pyo3(signature = (text, *, errors = "raise"))]
pub(crate) fn parse_pgn(text: &Bound<'_, PyAny>, errors: &str) -> PyResult<PgnReader> {
    let bytes = bytes_of(text, "parse_pgn needs text or bytes")?;
    PgnReader::new(Cursor::new(bytes), None, errors)
}
