//! The tables of all games that have any.

#[cfg(feature = "table-generator")]
use std::io;
#[cfg(feature = "table-generator")]
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "table-generator")]
use super::folder::FolderTables;
use super::set::Tables;
use qirkat_game::{Game, KnownResult, Tablebase};
use qirkat_rules::masonic;
use qirkat_rules::variant::AnyPosition;

/// The tables of all games that have any, to be shared.
#[derive(Clone)]
pub struct AllTables {
    /// Those of Chesquerque.
    pub chesquerque: Arc<Tables>,
    /// Those of Masonic chess.
    pub masonic: Arc<Tables<masonic::Position>>,
}

impl AllTables {
    /// The tables that the program carries.
    pub fn with_embedded() -> AllTables {
        AllTables {
            chesquerque: Arc::new(Tables::with_embedded()),
            masonic: Arc::new(Tables::with_embedded()),
        }
    }

    /// The tables that the program carries and those of a folder, as
    /// [`Tables::add_folder`] finds them.
    ///
    /// # Errors
    /// When the folder cannot be read.
    #[cfg(feature = "table-generator")]
    pub fn with_folder(folder: &Path) -> io::Result<(AllTables, FolderTables)> {
        let mut chesquerque: Tables = Tables::with_embedded();
        let mut masonic = Tables::<masonic::Position>::with_embedded();
        let mut found = chesquerque.add_folder(folder)?;
        let more = masonic.add_folder(folder)?;
        found.added += more.added;
        found.faulty.extend(more.faulty);
        let tables = AllTables { chesquerque: Arc::new(chesquerque), masonic: Arc::new(masonic) };
        Ok((tables, found))
    }

    /// What is known of a position of any game.
    pub fn known(&self, position: &AnyPosition) -> Option<KnownResult> {
        match position {
            AnyPosition::Chesquerque(position) => known(&*self.chesquerque, position),
            AnyPosition::Masonic(position) => known(&*self.masonic, position),
            AnyPosition::Alquerque(_) => None,
        }
    }

    /// How many tables there are, and the most pieces that any of them has.
    pub fn extent(&self) -> (usize, usize) {
        let Self { chesquerque, masonic } = self;
        let count = chesquerque.materials().count() + masonic.materials().count();
        (count, chesquerque.largest().max(masonic.largest()))
    }
}

fn known<G: Game>(tables: &impl Tablebase<G>, position: &G) -> Option<KnownResult> {
    if tables.may_know(position) { tables.known(position) } else { None }
}
