//! The board's symmetries: the sides exchanged, and the mirror image.

use super::bitboard::Bitboard;
use super::point::Point;
use super::position::Position;
use qirkat_game::Key;

impl Position {
    /// The same game with the sides exchanged: ranks flipped, White's men
    /// Black's and the other to move.
    pub fn flipped(&self) -> Position {
        let [white, black] = self.men.map(|men| mapped(men, Point::flipped));
        let [of_white, of_black] = self.forbidden.map(|step| step.and_then(|step| step.flipped()));
        let mut flipped = Position {
            men: [black, white],
            forbidden: [of_black, of_white],
            side_to_move: !self.side_to_move,
            key: Key::default(),
            ..*self
        };
        flipped.key = flipped.key_from_scratch();
        flipped
    }

    /// The same game in a mirror: file a exchanged with file e, b with d.
    pub fn mirrored(&self) -> Position {
        let mut mirrored = Position {
            men: self.men.map(|men| mapped(men, Point::mirrored)),
            forbidden: self.forbidden.map(|step| step.and_then(|step| step.mirrored())),
            key: Key::default(),
            ..*self
        };
        mirrored.key = mirrored.key_from_scratch();
        mirrored
    }
}

fn mapped(men: Bitboard, place: impl Fn(Point) -> Point) -> Bitboard {
    men.into_iter().map(place).collect()
}
