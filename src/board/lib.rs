//! The lined board for the eye: as a picture, and in a browser.
//!
//! - [`drawing`] makes SVG of a position. It takes the pieces and the colours from the files of
//!   the page, so that both look the same.
//! - [`page`] answers the page, which draws and asks and knows no rules.
//! - [`server`] brings both together on a machine: `qirkat board`.
//!
//! Begin with [`page::Session`], which answers one tab.

pub mod drawing;
#[cfg(feature = "page")]
pub mod page;
#[cfg(feature = "server")]
pub mod server;
