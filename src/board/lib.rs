//! The graphical board: as a picture, and in a browser.
//!
//! - [`drawing`] draws positions as SVG, with the pieces and colours of the page.
//! - [`page`] answers the requests of the web page, which only draws and knows no rules.
//! - [`server`] serves both on this machine: `qirkat board`.
//!
//! Begin with [`page::Session`], which answers one tab.

pub mod drawing;
#[cfg(feature = "page")]
pub mod page;
#[cfg(feature = "server")]
pub mod server;
