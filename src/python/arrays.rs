//! NumPy arrays for many boards at once: evaluations, network inputs, and legal moves.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

use crate::board::Board;
use crate::convert::{NetworkError, file_name, py_error, variant_of};
use qirkat_evaluation::AnyEvaluation;
use qirkat_evaluation::load_network::load_evaluation;
use qirkat_evaluation::network::{NetworkInput, active_features};
use qirkat_game::{Board as _, Rules};
use qirkat_rules::variant::{AnyMove, AnyPosition, Variant};
use qirkat_rules::{match_game, match_variant};

/// A NumPy array over these bytes.
fn array<'py>(
    py: Python<'py>,
    bytes: &[u8],
    dtype: &str,
    shape: Vec<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let numpy = py.import("numpy")?;
    if bytes.is_empty() {
        return numpy.call_method1("zeros", (shape, dtype));
    }
    let flat = numpy.call_method1("frombuffer", (PyByteArray::new(py, bytes), dtype))?;
    flat.call_method1("reshape", (shape,))
}

const MAX_PREALLOCATED: usize = 1 << 16;

/// The positions of boards of one variant, by default that of the first board.
fn positions(
    boards: &Bound<'_, PyAny>,
    variant: Option<Variant>,
) -> PyResult<(Variant, Vec<AnyPosition>)> {
    let mut variant = variant;
    // `__len__` may return anything.
    let mut found = Vec::with_capacity(boards.len().unwrap_or_default().min(MAX_PREALLOCATED));
    for (number, board) in boards.try_iter()?.enumerate() {
        let board = board?;
        let position = *board.cast::<Board>()?.try_borrow()?.position()?;
        let wanted = *variant.get_or_insert(position.variant());
        if position.variant() != wanted {
            return Err(PyValueError::new_err(format!(
                "board {number} is of {}, expected {}",
                position.variant().title(),
                wanted.title()
            )));
        }
        found.push(position);
    }
    Ok((variant.unwrap_or_default(), found))
}

/// The static evaluation of a variant by its network, without search.
///
/// >>> Evaluation()(Board("4k4/9/9/9/9/9/4P4/9/R3K4 w - - 0 1")) > 300
/// True
///
/// Values are in centipawns for the side to move. `network` names a network file, or is
/// `"<none>"` for material and placement only.
#[pyclass(frozen, module = "qirkat")]
pub(crate) struct Evaluation {
    evaluation: AnyEvaluation,
}

#[pymethods]
impl Evaluation {
    #[new]
    #[pyo3(signature = (variant = "chesquerque", network = None))]
    fn new(py: Python<'_>, variant: &str, network: Option<PathBuf>) -> PyResult<Evaluation> {
        let (name, variant) = (file_name(py, network.as_deref())?, variant_of(variant)?);
        let loaded = py.detach(|| load_evaluation(variant, &name));
        Ok(Evaluation { evaluation: loaded.map_err(py_error::<NetworkError>)? })
    }

    /// The variant.
    #[getter]
    fn variant(&self) -> &'static str {
        self.evaluation.variant().name()
    }

    /// The network's checksum; `None` without a network.
    #[getter]
    fn checksum(&self) -> Option<String> {
        self.evaluation.network().map(|network| format!("{:08x}", network.checksum))
    }

    /// The evaluation of a board.
    fn __call__(&self, board: &Board) -> PyResult<i32> {
        let position = board.position()?;
        let value = self.evaluation.evaluate(position);
        value.map(|score| score.value()).ok_or_else(|| {
            let (game, wanted) = (position.variant(), self.evaluation.variant());
            PyValueError::new_err(format!(
                "a board of {}, expected {}",
                game.title(),
                wanted.title()
            ))
        })
    }

    /// The evaluations of many boards: an array of int16, one per board.
    fn batch<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (_, positions) = positions(boards, Some(self.evaluation.variant()))?;
        let bytes = py.detach(|| {
            let values = positions.iter().map(|position| self.evaluation.evaluate(position));
            values
                .flat_map(|score| score.unwrap_or_default().to_bits().to_ne_bytes())
                .collect::<Vec<u8>>()
        });
        array(py, &bytes, "int16", vec![positions.len()])
    }

    fn __repr__(&self) -> String {
        let network = self
            .checksum()
            .map_or("material and placement".to_owned(), |checksum| format!("network {checksum}"));
        format!("<Evaluation of {}: {network}>", self.evaluation.variant().title())
    }
}

fn sizes(variant: Variant) -> (usize, usize, usize) {
    match_variant!(variant, Own => (Own::FEATURES, Own::MAX_PIECES, Own::OUTPUT_BUCKETS))
}

/// The sizes of a variant's networks: features, maximum of pieces (and thus of active features per
/// side), and output buckets.
///
/// >>> network_sizes("chesquerque")
/// (3402, 36, 8)
#[pyfunction]
#[pyo3(signature = (variant = "chesquerque"))]
pub(crate) fn network_sizes(variant: &str) -> PyResult<(usize, usize, usize)> {
    Ok(sizes(variant_of(variant)?))
}

/// Appends a position's features, the side to move first, each padded with -1; returns its bucket.
fn write_features<G: NetworkInput>(position: &G, indices: &mut Vec<u8>) -> u8 {
    let us = position.side_to_move();
    for color in [us, !us] {
        let end = indices.len() + 2 * G::MAX_PIECES;
        for feature in active_features(position, color) {
            indices.extend((feature.index() as i16).to_ne_bytes());
        }
        while indices.len() < end {
            indices.extend((-1_i16).to_ne_bytes());
        }
    }
    G::output_bucket(position.occupied_points().len()) as u8
}

/// Network inputs for boards of one variant: `(indices, buckets)`.
///
/// `indices` is an array of int16 with the shape (boards, 2, pieces): the active features from the
/// view of the side to move, then of the other side, padded with -1. `buckets` is an array of
/// uint8, the output bucket for each board. See `network_sizes` for the sizes; a board with too
/// many pieces raises a ValueError that names it.
#[pyfunction]
pub(crate) fn features<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let (variant, positions) = positions(boards, None)?;
    let (_, pieces, _) = sizes(variant);
    let counts = positions.iter().map(|position| position.pieces().len());
    if let Some((number, count)) = counts.enumerate().find(|&(_, count)| count > pieces) {
        return Err(PyValueError::new_err(format!(
            "board {number} has {count} pieces, and the inputs of {} have room for {pieces}",
            variant.title()
        )));
    }
    let (indices, buckets) = py.detach(|| {
        let mut indices = Vec::with_capacity(positions.len() * 4 * pieces);
        let mut buckets = Vec::with_capacity(positions.len());
        for position in &positions {
            buckets
                .push(match_game!(AnyPosition, position, own => write_features(own, &mut indices)));
        }
        (indices, buckets)
    });
    let indices = array(py, &indices, "int16", vec![positions.len(), 2, pieces])?;
    Ok((indices, array(py, &buckets, "uint8", vec![positions.len()])?))
}

/// The legal moves of many boards of one variant: `(moves, offsets)`.
///
/// `moves` is an array of uint8 with the shape (moves, 3): the numbers of the first and the last
/// square, and the code of the promotion letter, or 0. Those of board `i` are
/// `moves[offsets[i]:offsets[i + 1]]`, in the order of `board.legal_moves`; `offsets` is an array
/// of int64.
#[pyfunction]
pub(crate) fn legal_moves<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let (variant, positions) = positions(boards, None)?;
    let (moves, offsets) = py.detach(|| {
        let (mut moves, mut offsets) = (Vec::new(), vec![0_i64]);
        for position in &positions {
            match_game!(AnyPosition, position, own => {
                for mv in own.legal_moves() {
                    let mv = AnyMove::from(mv);
                    let (from, to) = mv.ends();
                    let letter = mv.promotion().map_or(0, |letter| letter.to_ascii_lowercase() as u8);
                    moves.extend([from.number(variant) as u8, to.number(variant) as u8, letter]);
                }
            });
            offsets.push((moves.len() / 3) as i64);
        }
        (moves, offsets)
    });
    let bytes: Vec<u8> = offsets.iter().flat_map(|offset| offset.to_ne_bytes()).collect();
    let moves = array(py, &moves, "uint8", vec![moves.len() / 3, 3])?;
    Ok((moves, array(py, &bytes, "int64", vec![offsets.len()])?))
}
