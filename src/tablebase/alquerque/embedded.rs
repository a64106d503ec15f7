//! The tables that the program carries: all with up to four men.

/// The files, as `qirkat tables build --game alquerque --men 4` writes them.
pub const FILES: &[&[u8]] = &[
    include_bytes!("../../../engine-config/tables/1v1.alquerque.qtb"),
    include_bytes!("../../../engine-config/tables/2v1.alquerque.qtb"),
    include_bytes!("../../../engine-config/tables/2v2.alquerque.qtb"),
    include_bytes!("../../../engine-config/tables/3v1.alquerque.qtb"),
];

/// A strategy that wins the start, as `qirkat solve` writes it.
#[cfg(feature = "table-generator")]
pub const START: &[u8] = include_bytes!("../../../engine-config/tables/start.alquerque.cert");
