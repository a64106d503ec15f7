//! The tables of all games, and lookups of positions of any game.

use std::sync::Arc;

use qirkat_game::distance::Depth;
use qirkat_game::{KnownResult, Searchable, Tablebase};
use qirkat_rules::masonic;
use qirkat_rules::variant::{AnyMove, AnyPosition};

use super::alquerque::MenTables;
use super::error::TableError;
use super::tables::{Tables, readable};
use super::value::{KnownMoves, Probe};

/// The tables of all games; none by default.
#[derive(Clone, Default)]
pub struct AllTables {
    pub chesquerque: Arc<Tables>,
    pub masonic: Arc<Tables<masonic::Position>>,
    pub alquerque: Arc<MenTables>,
}

/// Asks the tables of the position's game.
macro_rules! in_tables {
    ($all:ident, $position:ident, |$tables:ident| $asked:expr) => {
        match ($position, $all) {
            (AnyPosition::Chesquerque($position), AllTables { chesquerque: $tables, .. }) => $asked,
            (AnyPosition::Masonic($position), AllTables { masonic: $tables, .. }) => $asked,
            (AnyPosition::Alquerque($position), AllTables { alquerque: $tables, .. }) => $asked,
        }
    };
}

impl AllTables {
    pub fn with_embedded() -> AllTables {
        AllTables {
            chesquerque: Arc::new(Tables::with_embedded()),
            masonic: Arc::new(Tables::with_embedded()),
            alquerque: Arc::new(MenTables::with_embedded()),
        }
    }

    /// The result as a search probes it; none if no table tells it (a table of results only right
    /// after a capture or pawn move), or if a file cannot be read.
    pub fn known(&self, position: &AnyPosition) -> Option<KnownResult> {
        in_tables!(self, position, |tables| known(&**tables, position))
    }

    /// Looks up a position of any game and its moves, best first: see [`Tables::probe`].
    ///
    /// ```
    /// use qirkat_rules::variant::Variant;
    /// use qirkat_tablebase::{AllTables, TableResult};
    ///
    /// let tables = AllTables::with_embedded();
    /// let position = Variant::Alquerque.read_fen("5/2m2/5/2M2/5 w - - 0 1")?.position;
    /// let probe = tables.probe(&position)?.ok_or("no table")?;
    /// assert_eq!(probe.value.result, TableResult::Loss);
    /// assert!(tables.probe(&Variant::Masonic.start())?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged.
    pub fn probe(&self, position: &AnyPosition) -> Result<Option<Probe<AnyPosition>>, TableError> {
        in_tables!(self, position, |tables| Ok(tables.probe(position)?.map(Probe::of_any_game)))
    }

    /// The legal moves of a position of any game with their known values; both lists are empty if a
    /// file cannot be read.
    ///
    /// ```
    /// use qirkat_rules::variant::Variant;
    /// use qirkat_tablebase::{AllTables, TableResult};
    ///
    /// // The rook can be taken, which leads to a position with three pieces.
    /// let fen = "9/9/9/9/4k1q2/4R4/9/9/4K4 b - - 0 1";
    /// let position = Variant::Chesquerque.read_fen(fen)?.position;
    /// let moves = AllTables::with_embedded().known_moves(&position);
    /// assert!(moves.known.iter().all(|known| known.result == TableResult::Win));
    /// assert!(!moves.known.is_empty() && !moves.unknown.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn known_moves(&self, position: &AnyPosition) -> KnownMoves<AnyMove> {
        in_tables!(self, position, |tables| {
            readable(tables.known_moves(position).map(Some))
                .unwrap_or_default()
                .converted(Into::into)
        })
    }

    /// The number of tables, and the most pieces in one (2 if there are none).
    pub fn extent(&self) -> (usize, usize) {
        let Self { chesquerque, masonic, alquerque } = self;
        let of_chess = chesquerque.materials().count() + masonic.materials().count();
        let count = of_chess + alquerque.materials().count();
        (count, chesquerque.largest().max(masonic.largest()).max(alquerque.largest()))
    }
}

fn known<G: Searchable>(tables: &impl Tablebase<G>, position: &G) -> Option<KnownResult> {
    if tables.may_know(position, Depth::MAX) { tables.known(position) } else { None }
}
