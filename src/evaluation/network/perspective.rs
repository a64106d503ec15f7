//! Perspectives: the side from which the network sees the board.

use qirkat_game::Color;

/// A perspective: the side from which the board is seen, and whether left and right are
/// exchanged.
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
