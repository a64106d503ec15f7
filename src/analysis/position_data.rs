//! What tablebases and opening books know of a position, for other programs: as
//! `qirkat tables probe --json`, `qirkat book probe --json` and the HTTP API of the board answer.

use serde::Serialize;

use crate::review::ScoreData;
use qirkat_engine::book::{Book, BookResults};
use qirkat_game::Rules;
use qirkat_rules::variant::{AnyMove, AnyPosition};
use qirkat_tablebase::{
    AllTables, KnownMove, KnownMoves, Probe, TableError, TableResult, TableValue,
};

/// The result of a position and of its moves, each for the side to move in the position.
#[derive(Clone, Serialize, Debug)]
pub struct TableData {
    #[serde(flatten)]
    value: TableValueData,
    /// Best first.
    moves: Vec<TableMoveData>,
}

#[derive(Clone, Copy, Serialize, Debug)]
struct TableValueData {
    result: &'static str,
    dtm: Option<u16>,
    dtz: Option<u16>,
    /// Whether `dtm` is only an upper bound: from a certificate, or because a move of unknown
    /// result may win sooner.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    bound: bool,
}

const NOT_KNOWN: TableValueData =
    TableValueData { result: "unknown", dtm: None, dtz: None, bound: false };

#[derive(Clone, Serialize, Debug)]
struct TableMoveData {
    uci: String,
    san: String,
    #[serde(flatten)]
    value: TableValueData,
}

impl From<TableValue> for TableValueData {
    fn from(value: TableValue) -> TableValueData {
        let TableValue { result, dtm, dtz } = value;
        TableValueData { result: result.text(), dtm, dtz, bound: false }
    }
}

impl TableMoveData {
    fn new(position: &AnyPosition, mv: AnyMove, value: TableValueData) -> TableMoveData {
        TableMoveData { uci: mv.to_string(), san: position.san(mv), value }
    }
}

impl TableData {
    /// What a table says of a position.
    pub fn of_probe<G: Rules<Move: Into<AnyMove>>>(
        position: &AnyPosition,
        probe: &Probe<G>,
    ) -> TableData {
        let known = probe.moves.iter().map(|it| (it.mv.into(), it.value.into()));
        let moves = known.chain(probe.unknown.iter().map(|&mv| (mv.into(), NOT_KNOWN)));
        let moves = moves.map(|(mv, value)| TableMoveData::new(position, mv, value)).collect();
        TableData { value: probe.value.into(), moves }
    }

    /// What tables and certificates know of a position. Where no table has it, the results of some
    /// moves may be known; none if no result is.
    ///
    /// # Errors
    /// If a file of the tables cannot be read.
    pub fn of(tables: &AllTables, position: &AnyPosition) -> Result<Option<TableData>, TableError> {
        if let Some(probe) = tables.probe(position)? {
            return Ok(Some(TableData::of_probe(position, &probe)));
        }
        let KnownMoves { known, unknown } = tables.known_moves(position);
        let Some(best) = known.first() else { return Ok(None) };
        let is_certain = best.result == TableResult::Win || unknown.is_empty();
        let value = |&KnownMove { result, plies, is_bound, .. }: &KnownMove<AnyMove>| {
            TableValueData { result: result.text(), dtm: plies, dtz: None, bound: is_bound }
        };
        let moves = known.iter().map(|known| (known.mv, value(known)));
        let moves = moves.chain(unknown.iter().map(|&mv| (mv, NOT_KNOWN)));
        let moves = moves.map(|(mv, value)| TableMoveData::new(position, mv, value)).collect();
        let mut value = if is_certain { value(best) } else { NOT_KNOWN };
        // A move of unknown result may win sooner, unless the best wins at once.
        value.bound |= value.dtm > Some(1) && !unknown.is_empty();
        Ok(Some(TableData { value, moves }))
    }
}

/// The score of a position and of its moves, each for the side to move in the position, and the
/// results of the games with it.
#[derive(Clone, Serialize, Debug)]
pub struct BookData {
    fen: String,
    #[serde(flatten)]
    score: ScoreData,
    games: BookResults,
    /// Best first.
    moves: Vec<BookMoveData>,
}

#[derive(Clone, Serialize, Debug)]
struct BookMoveData {
    uci: String,
    san: String,
    #[serde(flatten)]
    score: ScoreData,
    games: BookResults,
    pv: Vec<String>,
}

/// The plies shown of the line that begins with a move of a book.
pub const LINE_PLIES: usize = 8;

impl BookData {
    /// What a book knows of a position; none if it is not in the book.
    pub fn of(book: &Book, position: &AnyPosition) -> Option<BookData> {
        let known = book.probe(position)?;
        let line = |mv| book.line_from(position, mv, LINE_PLIES);
        let moves = known.moves.iter().map(|known| BookMoveData {
            uci: known.mv.to_string(),
            san: position.san(known.mv),
            score: known.score.into(),
            games: known.results,
            pv: line(known.mv).iter().map(ToString::to_string).collect(),
        });
        Some(BookData {
            fen: position.fen(),
            score: known.entry.score.into(),
            games: known.entry.results,
            moves: moves.collect(),
        })
    }
}
