//! The sides as types, so that a generator is compiled for each and does not branch on the side.

use qirkat_game::Color;

/// A side, known at compile time.
pub(crate) trait Side {
    type Enemy: Side;
    const COLOR: Color;
}

pub(crate) struct White;
pub(crate) struct Black;

impl Side for White {
    type Enemy = Black;
    const COLOR: Color = Color::White;
}

impl Side for Black {
    type Enemy = White;
    const COLOR: Color = Color::Black;
}
