//! Endgame tables.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::board::Board;
use crate::convert::{MissingTableError, TableError, ensure_folder, name_of, py_error, warn};
use crate::moves::Move;
use qirkat_rules::variant::AnyPosition;
use qirkat_tablebase::load_tables::load_tables;
use qirkat_tablebase::{AllTables, Probe, TableGame, TableResult, TableValue, Tables, Unknown};

/// Endgame tables: exact results for positions with few pieces.
///
/// Tables for three pieces, or four men in Alquerque, are built in; `path` names a folder with
/// more. Distances are in plies.
///
/// >>> Tablebase().probe_dtm(Board("k8/9/2K6/9/9/9/9/8R/9 w - - 0 1")) > 0
/// True
#[pyclass(frozen, module = "qirkat")]
pub(crate) struct Tablebase {
    tables: AllTables,
}

fn why_unknown<G: TableGame>(tables: &Tables<G>, position: &G) -> String {
    match G::why_unknown(tables, position) {
        Unknown::Castling => "positions with castling rights are not in tables".to_owned(),
        Unknown::TooMany(pieces) => {
            format!("{pieces} pieces, where tables have {} at most", G::PIECES.end())
        }
        Unknown::NoTable(material) => format!("no table {material}, or one that it needs"),
        Unknown::Clock => "too close to 100 plies for a certain result".to_owned(),
    }
}

fn value<'py>(py: Python<'py>, value: TableValue) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("result", value.result.text())?;
    dict.set_item("wdl", wdl(value.result))?;
    dict.set_item("dtm", value.dtm)?;
    dict.set_item("dtz", value.dtz)?;
    Ok(dict)
}

/// 2 for a win, 1 for a cursed win, and so on, as in Syzygy tables.
const fn wdl(result: TableResult) -> i32 {
    match result {
        TableResult::Win => 2,
        TableResult::CursedWin => 1,
        TableResult::Draw => 0,
        TableResult::BlessedLoss => -1,
        TableResult::Loss => -2,
    }
}

/// A distance with the sign of the result; 0 for a draw.
fn signed(value: TableValue, plies: Option<u16>) -> PyResult<i32> {
    let plies = plies.or((value.result == TableResult::Draw).then_some(0));
    let plies =
        plies.ok_or_else(|| MissingTableError::new_err("the table does not have this distance"))?;
    Ok(wdl(value.result).signum() * i32::from(plies))
}

impl Tablebase {
    fn look_up(&self, py: Python<'_>, board: &Board) -> PyResult<Probe<AnyPosition>> {
        let (position, tables) = (*board.position()?, &self.tables);
        py.detach(|| {
            let probe = tables.probe(&position).map_err(py_error::<TableError>)?;
            probe.ok_or_else(|| {
                MissingTableError::new_err(match &position {
                    AnyPosition::Chesquerque(own) => why_unknown(&*tables.chesquerque, own),
                    AnyPosition::Masonic(own) => why_unknown(&*tables.masonic, own),
                    AnyPosition::Alquerque(own) => why_unknown(&*tables.alquerque, own),
                })
            })
        })
    }
}

/// An integer result, or the caller's default.
type OrDefault<'py> = Option<Bound<'py, PyAny>>;

/// The result, or `default` if no table has the position.
fn or_default<'py>(
    py: Python<'py>,
    found: PyResult<i32>,
    default: OrDefault<'py>,
) -> PyResult<OrDefault<'py>> {
    match found {
        Err(error) if error.is_instance_of::<MissingTableError>(py) => Ok(default),
        found => Ok(Some(found?.into_pyobject(py)?.into_any())),
    }
}

#[pymethods]
impl Tablebase {
    #[new]
    #[pyo3(signature = (path = None))]
    fn new(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Tablebase> {
        if let Some(folder) = &path {
            ensure_folder(py, folder)?;
        }
        let name = name_of(path.as_deref(), "")?;
        let (tables, fault) = py.detach(|| load_tables(&name)).map_err(py_error::<TableError>)?;
        if let Some(fault) = fault {
            warn(py, &format!("{fault}; left out"))?;
        }
        tables
            .map(|tables| Tablebase { tables })
            .ok_or_else(|| TableError::new_err(format!("{name}: no tables")))
    }

    /// Probes a position and its moves: `result` (`win`, `cursed-win`, `draw`, `blessed-loss` or
    /// `loss`), `wdl` (2 to -2), `dtm`, `dtz`, and `moves`, best first.
    ///
    /// Raises MissingTableError if no table has the position.
    fn probe<'py>(&self, py: Python<'py>, board: &Board) -> PyResult<Bound<'py, PyDict>> {
        let probed = self.look_up(py, board)?;
        let found = value(py, probed.value)?;
        let moves = PyList::empty(py);
        for ranked in probed.moves {
            let entry = value(py, ranked.value)?;
            entry.set_item("move", Move(ranked.mv))?;
            entry.set_item("zeroing", ranked.is_zeroing)?;
            moves.append(entry)?;
        }
        found.set_item("moves", moves)?;
        Ok(found)
    }

    /// 2 for a win of the side to move, 1 for one that the 100-ply rule prevents, 0 for a draw.
    fn probe_wdl(&self, py: Python<'_>, board: &Board) -> PyResult<i32> {
        Ok(wdl(self.look_up(py, board)?.value.result))
    }

    /// Plies to mate, negative for a loss, 0 for a draw.
    fn probe_dtm(&self, py: Python<'_>, board: &Board) -> PyResult<i32> {
        let value = self.look_up(py, board)?.value;
        signed(value, value.dtm)
    }

    /// Plies to the next capture, pawn move or mate, negative for a loss, 0 for a draw.
    fn probe_dtz(&self, py: Python<'_>, board: &Board) -> PyResult<i32> {
        let value = self.look_up(py, board)?.value;
        signed(value, value.dtz)
    }

    /// Like `probe_wdl`, with `default` if no table has the position.
    #[pyo3(signature = (board, default = None))]
    fn get_wdl<'py>(
        &self,
        py: Python<'py>,
        board: &Board,
        default: OrDefault<'py>,
    ) -> PyResult<OrDefault<'py>> {
        or_default(py, self.probe_wdl(py, board), default)
    }

    /// Like `probe_dtm`, with `default` if no table has the position.
    #[pyo3(signature = (board, default = None))]
    fn get_dtm<'py>(
        &self,
        py: Python<'py>,
        board: &Board,
        default: OrDefault<'py>,
    ) -> PyResult<OrDefault<'py>> {
        or_default(py, self.probe_dtm(py, board), default)
    }

    /// Like `probe_dtz`, with `default` if no table has the position.
    #[pyo3(signature = (board, default = None))]
    fn get_dtz<'py>(
        &self,
        py: Python<'py>,
        board: &Board,
        default: OrDefault<'py>,
    ) -> PyResult<OrDefault<'py>> {
        or_default(py, self.probe_dtz(py, board), default)
    }

    fn __repr__(&self) -> String {
        let (count, pieces) = self.tables.extent();
        format!("<Tablebase: {count} tables, up to {pieces} pieces>")
    }
}
