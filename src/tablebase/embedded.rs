//! The tables that the program carries: all with three pieces.

use super::set::Tables;
use super::table_game::TableGame;

impl<G: TableGame> Tables<G> {
    /// A new set of the tables that the program carries, to which others can be added.
    pub fn with_embedded() -> Tables<G> {
        let mut tables = Tables::new();
        for &bytes in G::EMBEDDED {
            if let Err(error) = tables.add(Box::new(bytes)) {
                log::error!("an embedded table: {error}");
            }
        }
        tables
    }

    /// The tables that the program carries.
    pub fn embedded() -> &'static Tables<G> {
        G::once().get(0, Tables::with_embedded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Material;
    use qirkat_rules::{chesquerque, masonic};

    fn all_of_three_pieces_are_carried<G: TableGame>() {
        let mut carried: Vec<Material<G::Kind>> = Tables::<G>::embedded().materials().collect();
        let mut all = Material::all(3);
        carried.sort();
        all.sort();
        assert_eq!(carried, all);
    }

    #[test]
    fn the_program_carries_all_tables_of_three_pieces() {
        all_of_three_pieces_are_carried::<chesquerque::Position>();
        all_of_three_pieces_are_carried::<masonic::Position>();
    }
}
