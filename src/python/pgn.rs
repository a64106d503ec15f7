//! Games in PGN: records, and a reader that returns them one by one.

use std::io::{self, BufReader, Cursor, Read};
use std::path::PathBuf;

use parking_lot::{Mutex, MutexGuard};
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple, PyType};

use crate::board::Board;
use crate::convert::{
    FenError, PgnError, Reduced, Whole, attribute, ensure_legal, open_file, os_error, py_error,
    variant_of, warn,
};
use crate::moves::Move;
use qirkat_game::text::Excerpt;
use qirkat_game::{GameResult, Rules};
use qirkat_rules::pgn::{self, DEEPEST_VARIATION, PgnGame, PgnMove as RecordedMove, ReadGame};
use qirkat_rules::variant::{AnyGame, AnyPosition};

/// Bytes read from a file at a time.
const CHUNK: usize = 1 << 16;

/// A move of a game with its annotations.
///
/// `variations` are alternative lines.
#[pyclass(frozen, eq, module = "qirkat")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PgnMove(RecordedMove);

#[pymethods]
impl PgnMove {
    #[new]
    #[pyo3(
        signature = (r#move, comment = "", nags = Vec::new(), variations = Vec::new()),
        text_signature = "(move, comment='', nags=(), variations=())",
    )]
    fn new(
        r#move: &Move,
        comment: &str,
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
            variations: variations.iter().map(line).collect(),
        }))
    }

    /// The move.
    #[getter]
    fn r#move(&self) -> Move {
        Move(self.0.mv)
    }

    /// The comment after it, or an empty string.
    #[getter]
    fn comment(&self) -> &str {
        self.0.comment.as_deref().unwrap_or_default()
    }

    /// Numeric annotation glyphs: 1 for `!`, 2 for `?`.
    #[getter]
    fn nags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.nags)
    }

    /// Lines that could have been played instead.
    #[getter]
    fn variations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let lines: PyResult<Vec<_>> = self.0.variations.iter().map(|it| line(py, it)).collect();
        PyTuple::new(py, lines?)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> Reduced<'py, (Move, String, Bound<'py, PyTuple>, Bound<'py, PyTuple>)> {
        let (py, played) = (slf.py(), slf.get());
        let state = (
            played.r#move(),
            played.comment().to_owned(),
            played.nags(py)?,
            played.variations(py)?,
        );
        Ok((slf.get_type().into_any(), state))
    }

    fn __repr__(&self) -> String {
        format!("<PgnMove '{}'>", self.0.mv)
    }
}

/// Moves with annotations as an immutable tuple, which Python can only replace as a whole.
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

/// Fails if a line has an illegal move; variations may have null moves.
fn ensure_line(start: AnyPosition, line: &[RecordedMove], is_variation: bool) -> PyResult<()> {
    let mut position = start;
    for played in line {
        let passed =
            position.after_or_null(played.mv).filter(|_| is_variation && played.mv.is_null());
        if passed.is_none() {
            ensure_legal(&position, played.mv)?;
        }
        for variation in &played.variations {
            ensure_line(position, variation, true)?;
        }
        position = passed.unwrap_or_else(|| position.after(played.mv));
    }
    Ok(())
}

/// The record of a game: headers, moves with annotations, and the result.
///
/// `str(game)` is its PGN. Headers can be read and changed as in `game.headers["White"]`.
#[pyclass(eq, module = "qirkat")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Game {
    pub record: PgnGame,
    number: Option<u64>,
    line: Option<u64>,
    unread: Vec<String>,
}

impl Game {
    pub fn of(record: PgnGame) -> Game {
        Game { record, number: None, line: None, unread: Vec::new() }
    }
}

impl From<ReadGame> for Game {
    fn from(read: ReadGame) -> Game {
        Game {
            record: read.game,
            number: Some(read.number),
            line: Some(read.line),
            unread: read.unread.iter().map(ToString::to_string).collect(),
        }
    }
}

#[pymethods]
impl Game {
    /// An empty record that starts from the start position.
    #[new]
    #[pyo3(signature = (variant = "chesquerque"))]
    fn new(variant: &str) -> PyResult<Game> {
        Ok(Game::of(PgnGame::from_position(variant_of(variant)?.start())))
    }

    /// The record of a board's moves, with the result if the game is over.
    #[classmethod]
    fn from_board(_class: &Bound<'_, PyType>, board: &Board) -> PyResult<Game> {
        let mut record = PgnGame::from_position(*board.game.start());
        record.moves = board.game.moves().iter().map(|&mv| mv.into()).collect();
        let mut game = Game::of(record);
        game.set_result(board.result())?;
        Ok(game)
    }

    /// The tags as a mapping; changing it changes the game.
    #[getter]
    fn headers(slf: Py<Self>) -> Headers {
        Headers { game: slf }
    }

    /// The variant: `chesquerque`, `masonic` or `alquerque`.
    #[getter]
    fn variant(&self) -> &'static str {
        self.record.start.variant().name()
    }

    /// The result as in PGN: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[getter]
    fn result(&self) -> &'static str {
        self.record.result.text()
    }

    #[setter]
    fn set_result(&mut self, result: &str) -> PyResult<()> {
        self.record.result = result_of(result)?;
        self.record.set_tag("Result", result);
        Ok(())
    }

    /// The comment before the first move, or an empty string.
    #[getter]
    fn comment(&self) -> &str {
        self.record.opening_comment.as_deref().unwrap_or_default()
    }

    #[setter]
    fn set_comment(&mut self, comment: &str) {
        self.record.opening_comment = given(comment);
    }

    /// The moves of the game.
    fn mainline_moves(&self) -> Vec<Move> {
        self.record.moves.iter().map(|played| Move(played.mv)).collect()
    }

    /// The moves with annotations. They are replaced as a whole, as in `game.mainline =
    /// [*game.mainline, PgnMove(move)]`, and must be legal.
    #[getter]
    fn mainline<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        line(py, &self.record.moves)
    }

    #[setter]
    fn set_mainline(&mut self, moves: Vec<Bound<'_, PgnMove>>) -> PyResult<()> {
        let moves: Vec<RecordedMove> = moves.iter().map(|played| played.get().0.clone()).collect();
        ensure_line(self.record.start, &moves, false)?;
        self.record.moves = moves;
        Ok(())
    }

    /// The board before the first move.
    fn board(&self) -> Board {
        Board { game: AnyGame::from_position(self.record.start) }
    }

    /// The board after the last move, with all moves on its stack.
    fn end_board(&self) -> Board {
        Board { game: self.record.final_game() }
    }

    /// The number of the game in its file, from 1.
    #[getter]
    fn number(&self) -> Option<u64> {
        self.number
    }

    /// The line of the file where the game begins, from 1.
    #[getter]
    fn line(&self) -> Option<u64> {
        self.line
    }

    /// Errors in its variations and tags, and stray text; the text is kept in comments.
    #[getter]
    fn unread<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.unread)
    }

    fn __len__(&self) -> usize {
        self.record.moves.len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __copy__(&self) -> Game {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.clone()
    }

    fn __str__(&self) -> String {
        self.record.to_string().trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        let name = |tag| self.record.tag(tag).unwrap_or("?");
        let (white, black) = (name("White"), name("Black"));
        format!(
            "<Game {white:?} - {black:?}, {} plies, {}>",
            self.record.moves.len(),
            self.result()
        )
    }

    /// Pickles all fields, since PGN cannot hold some of them.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (&'static str,), GameState<PgnMove>)> {
        let game = slf.try_borrow()?;
        let Game { record, number, line: at, unread } = &*game;
        let PgnGame { tags, start, opening_comment, moves, result } = record.clone();
        let moves = moves.into_iter().map(PgnMove).collect();
        let state = (
            (start.fen(), tags, opening_comment, moves),
            (result.text().to_owned(), *number, *at, unread.clone()),
        );
        Ok((slf.get_type().into_any(), (game.variant(),), state))
    }

    fn __setstate__(&mut self, state: GameState<Bound<'_, PgnMove>>) -> PyResult<()> {
        let ((fen, tags, opening_comment, moves), (result, number, line, unread)) = state;
        let read = self.record.start.variant().read_fen(&fen).map_err(py_error::<FenError>)?;
        let mut game =
            Game { number, line, unread, ..Game::of(PgnGame::from_position(read.position)) };
        game.record.tags = tags;
        game.record.opening_comment = opening_comment;
        game.set_mainline(moves)?;
        game.record.result = result_of(&result)?;
        *self = game;
        Ok(())
    }
}

type GameState<M> = (
    (String, Vec<(String, String)>, Option<String>, Vec<M>),
    (String, Option<u64>, Option<u64>, Vec<String>),
);

fn result_of(result: &str) -> PyResult<GameResult> {
    GameResult::parse(result).ok_or_else(|| {
        PyValueError::new_err(format!(
            "`{}` is not a result: 1-0, 0-1, 1/2-1/2 or *",
            Excerpt::of(result)
        ))
    })
}

/// The tags of a game in order.
#[pyclass(frozen, mapping, module = "qirkat")]
pub(crate) struct Headers {
    game: Py<Game>,
}

impl Headers {
    fn tags(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        Ok(self.game.try_borrow(py)?.record.tags.clone())
    }
}

#[pymethods]
impl Headers {
    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Py<Game>, &'static str)> {
        attribute(py, self.game.clone_ref(py), "headers")
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let own = self.dict(py)?;
        match other.cast::<Headers>() {
            Ok(other) => own.eq(other.get().dict(py)?),
            Err(_) => own.eq(other),
        }
    }

    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        self.get_value(py, name)?.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __setitem__(&self, py: Python<'_>, name: &str, value: &str) -> PyResult<()> {
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            let name = Excerpt::of(name);
            return Err(PyValueError::new_err(format!(
                "`{name}`: a header's name has only letters, digits and _"
            )));
        }
        let mut game = self.game.try_borrow_mut(py)?;
        match name {
            "Result" => game.set_result(value),
            "Variant" | "FEN" | "SetUp" => Err(PyValueError::new_err(format!(
                "header {name} is determined by the start position: see Game.from_board"
            ))),
            _ => {
                game.record.set_tag(name, value);
                Ok(())
            }
        }
    }

    fn __delitem__(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        let mut game = self.game.try_borrow_mut(py)?;
        let before = game.record.tags.len();
        game.record.tags.retain(|(known, _)| known != name);
        if game.record.tags.len() == before {
            return Err(PyKeyError::new_err(name.to_owned()));
        }
        Ok(())
    }

    fn __contains__(&self, py: Python<'_>, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(name) = name.extract::<&str>() else { return Ok(false) };
        Ok(self.get_value(py, name)?.is_some())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.tags(py)?.len())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.keys(py)?.into_pyobject(py)?.try_iter()?.into_any())
    }

    /// The value of a header, or `default` if it is missing.
    #[pyo3(signature = (name, default = None))]
    fn get(&self, py: Python<'_>, name: &str, default: Option<String>) -> PyResult<Option<String>> {
        Ok(self.get_value(py, name)?.or(default))
    }

    /// The names in order.
    fn keys(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.tags(py)?.into_iter().map(|(name, _)| name).collect())
    }

    /// The values in order.
    fn values(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.tags(py)?.into_iter().map(|(_, value)| value).collect())
    }

    /// Names and values in order.
    fn items(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        self.tags(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Headers({})", self.dict(py)?.repr()?))
    }
}

impl Headers {
    fn dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for (name, value) in self.tags(py)? {
            tags.set_item(name, value)?;
        }
        Ok(tags)
    }

    fn get_value(&self, py: Python<'_>, name: &str) -> PyResult<Option<String>> {
        let game = self.game.try_borrow(py)?;
        Ok(game.record.tag(name).map(str::to_owned))
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
    reader: pgn::PgnReader<BufReader<Box<dyn Read + Send>>>,
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
        let source = BufReader::with_capacity(CHUNK, source);
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

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
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
                Some(Ok(read)) => return Ok(Some(read.into())),
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
/// >>> game.end_board().fullmove_number
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
