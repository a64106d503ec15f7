//! The engine in this process: background searches controlled from Python.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use parking_lot::{ArcMutexGuard, Mutex, RawMutex};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::board::{Board, is_white};
use crate::convert::{
    EngineError, NetworkError, TableError, Whole, ensure_folder, ensure_legal, file_name, name_of,
    py_error, value, warn,
};
use crate::limit::Limit;
use crate::moves::Move;
use crate::score::Score;
use qirkat_engine::protocol::{greeting, set_option};
use qirkat_engine::{
    ELO_RANGE, Engine as BackgroundEngine, FULL_SKILL, SearchLimits, SearchLine, SearchReport,
    SearchResult, line_chances,
};
use qirkat_evaluation::load_network::{EMBEDDED, load_evaluation};
use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score as EngineScore;
use qirkat_game::{Color, Outcome, Rules};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant};
use qirkat_search::{Bound as ScoreBound, DEFAULT_HASH_MEGABYTES, MAX_THREADS};
use qirkat_tablebase::load_tables::load_tables;

/// How long a call may delay Python's signals, such as Ctrl-C.
pub(crate) const SIGNAL_PAUSE: Duration = Duration::from_millis(40);
/// The most megabytes for `hash`. The UCI option `Hash` is limited by the machine's memory instead.
const MAX_HASH: usize = 1 << 20;
/// Also the default in the signatures.
pub(crate) const DEFAULT_HASH: Whole = Whole(16);
const _: () = assert!(DEFAULT_HASH_MEGABYTES == 16, "also in the signatures and the stub");

/// Means no search; searches are numbered from 1.
const NO_SEARCH: u64 = 0;

enum Event {
    Line(SearchLine),
    Ended(SearchResult),
}

/// Shared between `Engine` and its analyses.
struct Shared {
    engine: Mutex<Inner>,
    /// Held by a call that waits for its search; other calls wait for it.
    in_use: Arc<Mutex<()>>,
    process: u32,
}

/// The exclusive right to use the engine.
type UsePermit = ArcMutexGuard<RawMutex, ()>;

struct Inner {
    /// `None` after closing.
    engine: Option<BackgroundEngine>,
    /// The network's name, as in the option `EvalFile`.
    network: String,
    /// The number of searches started, which identifies the running one.
    searches: u64,
}

impl Inner {
    fn set_option(&mut self, name: &str, value: Option<&str>) -> PyResult<()> {
        let Some(engine) = &mut self.engine else { return Err(Shared::closed()) };
        if name != "EvalFile" {
            let set = set_option(engine, name, value);
            return set.map(drop).map_err(py_error::<EngineError>);
        }
        let network = value.filter(|&name| name != "<empty>").unwrap_or(EMBEDDED).to_owned();
        let before = std::mem::replace(&mut self.network, network);
        let loaded = self.load_network();
        if loaded.is_err() {
            self.network = before;
        }
        loaded
    }

    /// Loads the network; its variant is the first that accepts it.
    fn load_network(&mut self) -> PyResult<()> {
        let Some(engine) = &mut self.engine else { return Ok(()) };
        let mut fault = None;
        for variant in Variant::ALL {
            match load_evaluation(variant, &self.network) {
                Ok(evaluation) => {
                    return engine.set_evaluation(evaluation).map_err(py_error::<EngineError>);
                }
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        fault.map_or(Ok(()), |fault| Err(py_error::<NetworkError>(fault)))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.get_mut().engine.take()
            && !self.is_same_process()
        {
            // After a fork, dropping it would wait for threads that do not exist.
            Box::leak(Box::new(engine));
        }
    }
}

impl Shared {
    fn closed() -> PyErr {
        EngineError::new_err("the engine is closed")
    }

    /// Whether this is the process that created it: threads do not survive a fork.
    fn is_same_process(&self) -> bool {
        std::process::id() == self.process
    }

    fn ensure_same_process(&self) -> PyResult<()> {
        if self.is_same_process() {
            return Ok(());
        }
        Err(EngineError::new_err("the engine belongs to another process: create one after a fork"))
    }

    /// Waits until no other call uses the engine, and handles signals meanwhile.
    fn lock_engine(&self, py: Python<'_>) -> PyResult<UsePermit> {
        self.ensure_same_process()?;
        loop {
            if let Some(permit) = py.detach(|| self.in_use.try_lock_arc_for(SIGNAL_PAUSE)) {
                return Ok(permit);
            }
            py.check_signals()?;
        }
    }

    /// Handles signals; one that raises, such as Ctrl-C, stops the search.
    fn check_signals(&self, py: Python<'_>, search: u64) -> PyResult<()> {
        py.check_signals().inspect_err(|_| self.stop(search))
    }

    /// Starts a search, replacing a running one.
    fn start(
        &self,
        py: Python<'_>,
        game: &AnyGame,
        root_moves: Vec<AnyMove>,
        limits: SearchLimits,
    ) -> PyResult<(u64, Receiver<Event>)> {
        let (sender, events) = mpsc::channel();
        py.detach(|| {
            let mut inner = self.engine.lock();
            let Inner { engine, network, searches, .. } = &mut *inner;
            let engine = engine.as_mut().ok_or_else(Shared::closed)?;
            let variant = game.position().variant();
            if engine.variant() != variant {
                let evaluation =
                    load_evaluation(variant, network).map_err(py_error::<NetworkError>)?;
                engine.set_evaluation(evaluation).map_err(py_error::<EngineError>)?;
            }
            let report = move |report: SearchReport<'_>| {
                let event = match report {
                    SearchReport::Line(line) | SearchReport::Book(line) => {
                        Event::Line(line.clone())
                    }
                    SearchReport::Finished(result) => Event::Ended(result.clone()),
                };
                // The receiver may be gone.
                let _ = sender.send(event);
            };
            engine.go(game, root_moves, limits, report).map_err(py_error::<EngineError>)?;
            *searches += 1;
            Ok((*searches, events))
        })
    }

    fn stop(&self, search: u64) {
        if !self.is_same_process() {
            return;
        }
        let inner = self.engine.lock();
        if inner.searches == search
            && let Some(control) = inner.engine.as_ref().and_then(BackgroundEngine::running)
        {
            control.stop();
        }
    }

    fn is_closed(&self) -> bool {
        // In a forked process, a lock may be held forever by a thread that does not exist.
        self.is_same_process() && self.engine.lock().engine.is_none()
    }

    fn close(&self) {
        if self.is_same_process() {
            self.engine.lock().engine = None;
        }
    }

    fn with<T: Send>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&mut BackgroundEngine) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        self.ensure_same_process()?;
        py.detach(|| call(self.engine.lock().engine.as_mut().ok_or_else(Shared::closed)?))
    }
}

struct Search {
    number: u64,
    events: Receiver<Event>,
    /// The best lines so far, by rank.
    lines: Vec<SearchLine>,
    result: Option<SearchResult>,
}

impl Search {
    /// Starts a search, which has already ended if the game is over.
    fn begin(
        py: Python<'_>,
        shared: &Shared,
        game: &AnyGame,
        root_moves: Vec<AnyMove>,
        limits: SearchLimits,
    ) -> PyResult<Search> {
        if let Some(outcome) = game.outcome() {
            let events = shared.with(py, |engine| {
                engine.stop();
                Ok(mpsc::channel().1)
            })?;
            let lines = vec![line_of(outcome, game.position().side_to_move())];
            let result = Some(SearchResult::default());
            return Ok(Search { number: NO_SEARCH, events, lines, result });
        }
        let (number, events) = shared.start(py, game, root_moves, limits)?;
        Ok(Search { number, events, lines: Vec::new(), result: None })
    }

    /// Waits briefly for the next line; `None` on timeout or if the search has ended.
    fn next_line(&mut self) -> PyResult<Option<SearchLine>> {
        if self.result.is_some() {
            return Ok(None);
        }
        match self.events.recv_timeout(SIGNAL_PAUSE) {
            Ok(Event::Line(line)) => {
                self.update(&line);
                return Ok(Some(line));
            }
            Ok(Event::Ended(result)) => self.result = Some(result),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(EngineError::new_err("the search has ended without a result"));
            }
        }
        Ok(None)
    }

    /// Saves a line as the best of its rank. A bound does not replace the previous iteration's
    /// exact score if the move is the same.
    fn update(&mut self, line: &SearchLine) {
        let at = line.rank.saturating_sub(1);
        match self.lines.get_mut(at) {
            Some(known) => {
                if line.bound == ScoreBound::Exact || known.moves.first() != line.moves.first() {
                    *known = line.clone();
                }
            }
            None => self.lines.push(line.clone()),
        }
    }

    /// Waits for the end of the search; a signal such as Ctrl-C stops it.
    fn finish(&mut self, py: Python<'_>, shared: &Shared) -> PyResult<()> {
        while self.result.is_none() {
            py.detach(|| self.next_line())?;
            shared.check_signals(py, self.number)?;
        }
        if shared.is_closed() { Err(Shared::closed()) } else { Ok(()) }
    }

    fn best_lines(&self) -> Vec<SearchLine> {
        match &self.result {
            Some(result) if self.lines.is_empty() => {
                let moves = result.best.into_iter().collect();
                let mut line = SearchLine::new(Depth::default(), result.score, moves);
                line.selective_depth = Ply(0);
                vec![line]
            }
            _ => self.lines.clone(),
        }
    }
}

/// The line for a finished game: its score for the side to move.
fn line_of(outcome: Outcome, to_move: Color) -> SearchLine {
    let lost = EngineScore::mated_at(Ply::ROOT);
    let score = match outcome.winner() {
        None => EngineScore::DRAW,
        Some(winner) if winner == to_move => -lost,
        Some(_) => lost,
    };
    let mut line = SearchLine::new(Depth::default(), score, Vec::new());
    line.is_drawn = outcome.winner().is_none();
    line
}

fn info<'py>(
    py: Python<'py>,
    position: &AnyPosition,
    line: &SearchLine,
) -> PyResult<Bound<'py, PyDict>> {
    let info = PyDict::new(py);
    info.set_item("depth", line.depth.0)?;
    info.set_item("seldepth", line.selective_depth.0)?;
    info.set_item("multipv", line.rank)?;
    let turn = is_white(position.side_to_move());
    info.set_item("score", value(py, "PovScore", (Score(line.score), turn))?)?;
    match line.bound {
        ScoreBound::Exact => {}
        ScoreBound::Lower => info.set_item("lowerbound", true)?,
        ScoreBound::Upper => info.set_item("upperbound", true)?,
    }
    let [wins, draws, losses] = line_chances(position.variant(), line).permille();
    info.set_item("wdl", (wins, draws, losses))?;
    info.set_item("nodes", line.nodes)?;
    info.set_item("nps", line.nodes_per_second())?;
    info.set_item("time", line.time.as_secs_f64())?;
    info.set_item("hashfull", line.hashfull)?;
    info.set_item("tbhits", line.tablebase_hits)?;
    info.set_item("pv", PyList::new(py, line.moves.iter().map(|&mv| Move(mv)))?)?;
    Ok(info)
}

fn infos<'py>(
    py: Python<'py>,
    position: &AnyPosition,
    lines: &[SearchLine],
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    lines.iter().map(|line| info(py, position, line)).collect()
}

/// The best line, or an empty dictionary.
fn first_info<'py>(
    py: Python<'py>,
    position: &AnyPosition,
    lines: &[SearchLine],
) -> PyResult<Bound<'py, PyDict>> {
    lines.first().map_or_else(|| Ok(PyDict::new(py)), |line| info(py, position, line))
}

fn root_moves_of(
    position: &AnyPosition,
    moves: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<AnyMove>> {
    let mut found = Vec::new();
    let Some(moves) = moves else { return Ok(found) };
    for mv in moves.try_iter()? {
        let mv = mv?.cast::<Move>()?.get().0;
        ensure_legal(position, mv)?;
        found.push(mv);
    }
    if found.is_empty() {
        return Err(PyValueError::new_err("root_moves is empty: no move to search"));
    }
    Ok(found)
}

/// The chosen move and the expected reply, with the line of the move.
fn play_result<'py>(
    py: Python<'py>,
    result: SearchResult,
    info: Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    value(py, "PlayResult", (result.best.map(Move), result.ponder.map(Move), info))
}

/// The engine, in this process.
///
/// >>> with Engine() as engine:
/// ...     info = engine.analyse(Board(), Limit(nodes=2000))
/// >>> info["pv"][0] in Board().legal_moves
/// True
///
/// It plays all variants; a board of another variant clears its hash table. Calls from several
/// threads wait for each other. It searches without the interpreter's lock.
#[pyclass(frozen, module = "qirkat")]
pub(crate) struct Engine {
    shared: Arc<Shared>,
}

fn lines(multipv: Option<Whole>) -> PyResult<usize> {
    multipv.map_or(Ok(1), |lines| lines.within("multipv", 1..=usize::from(u16::MAX)))
}

pub(crate) fn ensure_hash(megabytes: Whole) -> PyResult<usize> {
    megabytes.within("hash", 1..=MAX_HASH)
}

impl Engine {
    /// Waits until the engine is free and starts a search.
    fn begin(
        &self,
        py: Python<'_>,
        board: &Bound<'_, Board>,
        limits: impl FnOnce(&AnyPosition) -> PyResult<SearchLimits>,
        root_moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(UsePermit, AnyPosition, Search)> {
        let game = board.try_borrow()?.game()?.clone();
        let position = *game.position();
        let limits = limits(&position)?;
        // First, since an iterator of the moves may use the engine.
        let root_moves = root_moves_of(&position, root_moves)?;
        let permit = self.shared.lock_engine(py)?;
        let search = Search::begin(py, &self.shared, &game, root_moves, limits)?;
        Ok((permit, position, search))
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(
        signature = (*, threads = Whole(1), hash = DEFAULT_HASH, network = None, tables = None, skill_level = None, elo = None),
        text_signature = "(*, threads=1, hash=16, network=None, tables=None, skill_level=None, elo=None)",
    )]
    fn new(
        py: Python<'_>,
        threads: Whole,
        hash: Whole,
        network: Option<PathBuf>,
        tables: Option<PathBuf>,
        skill_level: Option<Whole>,
        elo: Option<Whole>,
    ) -> PyResult<Engine> {
        let (threads, hash) = (threads.within("threads", 1..=MAX_THREADS)?, ensure_hash(hash)?);
        let skill_level =
            skill_level.map(|level| level.within("skill_level", 0..=FULL_SKILL)).transpose()?;
        let elo = elo.map(|elo| elo.within("elo", ELO_RANGE.0..=ELO_RANGE.1)).transpose()?;
        let network = file_name(py, network.as_deref())?;
        if let Some(folder) = &tables {
            ensure_folder(py, folder)?;
        }
        let (engine, fault) = py.detach(|| {
            let mut engine = BackgroundEngine::new().map_err(py_error::<EngineError>)?;
            if threads != 1 {
                engine.set_threads(threads).map_err(py_error::<EngineError>)?;
            }
            if hash != DEFAULT_HASH_MEGABYTES {
                engine.set_hash(hash).map_err(py_error::<EngineError>)?;
            }
            let mut fault = None;
            if let Some(folder) = &tables {
                let (found, left_out) =
                    load_tables(&name_of(Some(folder), "")?).map_err(py_error::<TableError>)?;
                fault = left_out.map(|fault| format!("{fault}; left out"));
                engine.set_tablebases(found);
            }
            if let Some(level) = skill_level {
                engine.settings.skill_level = level;
            }
            if let Some(elo) = elo {
                engine.settings.limit_strength = true;
                engine.settings.elo = elo;
            }
            PyResult::Ok((engine, fault))
        })?;
        if let Some(fault) = fault {
            warn(py, &fault)?;
        }
        // The variant of a network file is known only after reading it.
        let is_embedded = network == EMBEDDED;
        let process = std::process::id();
        let mut inner = Inner { engine: Some(engine), network, searches: 0 };
        if !is_embedded {
            inner.load_network()?;
        }
        let engine = Mutex::new(inner);
        Ok(Engine { shared: Arc::new(Shared { engine, in_use: Arc::default(), process }) })
    }

    /// Searches for the best move and returns the result; with `multipv` a list of the best lines,
    /// best first.
    #[pyo3(signature = (board, limit, *, multipv = None, root_moves = None))]
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, Board>,
        limit: Limit,
        multipv: Option<Whole>,
        root_moves: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let lines = lines(multipv)?;
        let limits = |position: &AnyPosition| limit.bounded(position, lines);
        let (_permit, position, mut search) = self.begin(py, board, limits, root_moves)?;
        search.finish(py, &self.shared)?;
        let found = search.best_lines();
        if multipv.is_none() {
            return Ok(first_info(py, &position, &found)?.into_any());
        }
        Ok(PyList::new(py, infos(py, &position, &found)?)?.into_any())
    }

    /// Chooses a move.
    #[pyo3(signature = (board, limit, *, root_moves = None))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, Board>,
        limit: Limit,
        root_moves: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = |position: &AnyPosition| limit.bounded(position, 1);
        let (_permit, position, mut search) = self.begin(py, board, limits, root_moves)?;
        search.finish(py, &self.shared)?;
        let line = first_info(py, &position, &search.best_lines())?;
        play_result(py, search.result.unwrap_or_default(), line)
    }

    /// Starts a search and returns it: an iterator over the lines as they are found. Without a
    /// limit it runs until stopped, or until the engine is used again.
    #[pyo3(signature = (board, limit = None, *, multipv = None, root_moves = None))]
    fn analysis<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, Board>,
        limit: Option<Limit>,
        multipv: Option<Whole>,
        root_moves: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Analysis> {
        let lines = lines(multipv)?;
        let limits = |position: &AnyPosition| Ok(limit.unwrap_or_default().limits(position, lines));
        let (_permit, position, search) = self.begin(py, board, limits, root_moves)?;
        let (shared, number) = (Arc::clone(&self.shared), search.number);
        Ok(Analysis { shared, number, position, search: Mutex::new(search) })
    }

    /// The options by name, as UCI engines announce them.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("qirkat.engine")?.call_method1("_options_of", (greeting(),))
    }

    /// Sets options by name, such as `{"Hash": 64}`. It stops a running search.
    fn configure(&self, py: Python<'_>, options: &Bound<'_, PyAny>) -> PyResult<()> {
        let checked = (self.options(py)?, options);
        let checked = py.import("qirkat.engine")?.call_method1("_checked", checked)?;
        let checked: Vec<(String, Option<String>)> = checked.extract()?;
        let _permit = self.shared.lock_engine(py)?;
        py.detach(|| {
            let mut inner = self.shared.engine.lock();
            checked.iter().try_for_each(|(name, value)| inner.set_option(name, value.as_deref()))
        })
    }

    /// Starts another UCI engine: the same as `qirkat.engine.SimpleEngine.popen_uci`.
    #[staticmethod]
    #[pyo3(signature = (command, **options))]
    fn popen_uci<'py>(
        command: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let engine = command.py().import("qirkat.engine")?.getattr("SimpleEngine")?;
        engine.call_method("popen_uci", (command,), options)
    }

    /// The number of search threads.
    #[getter]
    fn threads(&self, py: Python<'_>) -> PyResult<usize> {
        self.shared.with(py, |engine| Ok(engine.threads()))
    }

    /// Clears the hash table and everything else learned in earlier searches.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let _permit = self.shared.lock_engine(py)?;
        self.shared.with(py, |engine| engine.clear_hash().map_err(py_error::<EngineError>))
    }

    /// Whether it was closed.
    #[getter]
    fn closed(&self, py: Python<'_>) -> bool {
        py.detach(|| self.shared.is_closed())
    }

    /// Stops the search and releases threads and memory. The engine cannot be used afterwards.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.shared.close());
    }

    /// The same as `close`.
    fn quit(&self, py: Python<'_>) {
        self.close(py);
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) {
        self.close(py);
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let state = if self.closed(py) { " (closed)" } else { "" };
        format!("<Engine {}{state}>", qirkat_engine::NAME)
    }
}

/// A running search: an iterator over its lines as they are found.
#[pyclass(frozen, module = "qirkat")]
pub(crate) struct Analysis {
    shared: Arc<Shared>,
    number: u64,
    position: AnyPosition,
    search: Mutex<Search>,
}

impl Drop for Analysis {
    fn drop(&mut self) {
        self.shared.stop(self.number);
    }
}

#[pymethods]
impl Analysis {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        loop {
            let (has_ended, line) = self._poll(py)?;
            if has_ended || line.is_some() {
                return Ok(line);
            }
            self.shared.check_signals(py, self.number)?;
        }
    }

    /// Waits briefly for the next line: whether the search has ended, and the line.
    fn _poll<'py>(&self, py: Python<'py>) -> PyResult<(bool, Option<Bound<'py, PyDict>>)> {
        self.shared.ensure_same_process()?;
        let (line, has_ended) = py.detach(|| {
            let mut search = self.search.lock();
            PyResult::Ok((search.next_line()?, search.result.is_some()))
        })?;
        let line = line.map(|line| info(py, &self.position, &line)).transpose()?;
        Ok((has_ended && line.is_none(), line))
    }

    /// Stops the search. Lines already found remain available.
    fn stop(&self, py: Python<'_>) {
        py.detach(|| self.shared.stop(self.number));
    }

    /// Waits for the end of the search and returns its move.
    fn wait<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        while self.__next__(py)?.is_some() {}
        let result = py.detach(|| self.search.lock().result.clone()).unwrap_or_default();
        play_result(py, result, self.info(py)?)
    }

    /// The best line so far.
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.shared.ensure_same_process()?;
        first_info(py, &self.position, &py.detach(|| self.search.lock().best_lines()))
    }

    /// The best lines so far, best first.
    #[getter]
    fn multipv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.shared.ensure_same_process()?;
        let found = py.detach(|| self.search.lock().best_lines());
        PyTuple::new(py, infos(py, &self.position, &found)?)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) {
        self.stop(py);
    }
}
