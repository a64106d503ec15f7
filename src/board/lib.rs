//! The board to look at: as a picture, and in a browser.
//!
//! - [`drawing`] draws positions as SVG, with the pieces and colours of the page.
//! - [`page`] answers the page, which draws and asks but knows no rules.
//! - [`server`] serves both on this machine: `qirkat board`.
//!
//! Begin with [`page::Session`], which answers one tab.

pub mod drawing;
#[cfg(feature = "page")]
pub mod page;
#[cfg(feature = "server")]
pub mod server;
