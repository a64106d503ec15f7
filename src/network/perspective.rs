//! From whose side the board is seen.

use crate::game::Color;

/// From whose side the board is seen, and whether with left and right exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    /// The side.
    pub color: Color,
    /// Whether left and right are exchanged.
    pub mirrored: bool,
}

impl Perspective {
    /// The same with left and right exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Perspective {
        Perspective { mirrored: !self.mirrored, ..self }
    }
}
