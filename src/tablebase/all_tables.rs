//! The tables of all games that have any.

use std::sync::Arc;

use qirkat_game::{KnownResult, Searchable, Tablebase};
use qirkat_rules::masonic;
use qirkat_rules::variant::AnyPosition;

use super::alquerque::MenTables;
use super::set::Tables;

/// The tables of all games that have any, to be shared.
#[derive(Clone)]
pub struct AllTables {
    /// Those of Chesquerque.
    pub chesquerque: Arc<Tables>,
    /// Those of Masonic chess.
    pub masonic: Arc<Tables<masonic::Position>>,
    /// Those of Alquerque.
    pub alquerque: Arc<MenTables>,
}

impl AllTables {
    /// The tables that the program carries.
    pub fn with_embedded() -> AllTables {
        AllTables {
            chesquerque: Arc::new(Tables::with_embedded()),
            masonic: Arc::new(Tables::with_embedded()),
            alquerque: Arc::new(MenTables::with_embedded()),
        }
    }

    /// The known result of a position of any game.
    pub fn known(&self, position: &AnyPosition) -> Option<KnownResult> {
        match position {
            AnyPosition::Chesquerque(position) => known(&*self.chesquerque, position),
            AnyPosition::Masonic(position) => known(&*self.masonic, position),
            AnyPosition::Alquerque(position) => known(&*self.alquerque, position),
        }
    }

    /// How many tables there are, and the most pieces that any of them has.
    pub fn extent(&self) -> (usize, usize) {
        let Self { chesquerque, masonic, alquerque } = self;
        let of_chess = chesquerque.materials().count() + masonic.materials().count();
        let count = of_chess + alquerque.materials().count();
        (count, chesquerque.largest().max(masonic.largest()).max(alquerque.largest()))
    }
}

fn known<G: Searchable>(tables: &impl Tablebase<G>, position: &G) -> Option<KnownResult> {
    if tables.may_know(position) { tables.known(position) } else { None }
}
