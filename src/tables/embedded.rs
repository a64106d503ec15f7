//! The tables that the program carries: all with three pieces.

use once_cell::race::OnceBox;

use super::set::Tables;

/// The files, as `qirkat tables build --men 3` writes them.
const FILES: [&[u8]; 6] = [
    include_bytes!("../../engine-config/tables/KQvK.qtb"),
    include_bytes!("../../engine-config/tables/KAvK.qtb"),
    include_bytes!("../../engine-config/tables/KRvK.qtb"),
    include_bytes!("../../engine-config/tables/KBvK.qtb"),
    include_bytes!("../../engine-config/tables/KNvK.qtb"),
    include_bytes!("../../engine-config/tables/KPvK.qtb"),
];

impl Tables {
    /// A new set of the tables that the program carries, to which others can be added.
    pub fn with_embedded() -> Tables {
        let mut tables = Tables::new();
        for bytes in FILES {
            if let Err(error) = tables.add(Box::new(bytes)) {
                log::error!("an embedded table: {error}");
            }
        }
        tables
    }

    /// The tables that the program carries.
    pub fn embedded() -> &'static Tables {
        static EMBEDDED: OnceBox<Tables> = OnceBox::new();
        EMBEDDED.get_or_init(|| Box::new(Tables::with_embedded()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Material;

    #[test]
    fn the_program_carries_all_tables_of_three_pieces() {
        let mut carried: Vec<Material> = Tables::embedded().materials().collect();
        let mut all = Material::all(3);
        carried.sort();
        all.sort();
        assert_eq!(carried, all);
    }
}
