//! What the engine tells a person: [`review`] what each move of a game was worth, [`suite`]
//! how many positions with known best moves the search solves, [`casual`] how it behaves in a
//! game against a person.
//!
//! It knows no protocol, no terminal and no page. Begin with [`review`].

pub mod casual;
pub mod review;
pub mod suite;
