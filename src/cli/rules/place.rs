//! A point of a board by its place.

use std::fmt;

use qirkat_rules::variant::Variant;

/// A point or cell of any board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    /// File, 0 for `a`.
    pub file: u8,
    /// Rank, 0 for rank 1.
    pub rank: u8,
}

impl Place {
    /// Reads a point of this game's board, as in `e5`.
    pub fn parse(variant: Variant, text: &str) -> Option<Place> {
        let &[file, rank] = text.as_bytes() else { return None };
        let place = Place {
            file: file.to_ascii_lowercase().checked_sub(b'a')?,
            rank: rank.checked_sub(b'1')?,
        };
        Some(place).filter(|place| place.file.max(place.rank) < variant.board_size())
    }

    /// All points, along the ranks.
    pub fn all(variant: Variant) -> impl Iterator<Item = Place> {
        let size = variant.board_size();
        (0..size).flat_map(move |rank| (0..size).map(move |file| Place { file, rank }))
    }

    /// Whether it lies on the edge of the board.
    pub fn is_on_edge(self, variant: Variant) -> bool {
        let last = variant.board_size() - 1;
        [0, last].contains(&self.file) || [0, last].contains(&self.rank)
    }

    /// Steps that a king would need on an orthodox board.
    pub fn distance(self, other: Place) -> u8 {
        self.file.abs_diff(other.file).max(self.rank.abs_diff(other.rank))
    }
}

/// As in `e5`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file), self.rank + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read() {
        for (variant, text, read) in [
            (Variant::Chesquerque, "i9", Some("i9")),
            (Variant::Chesquerque, "E5", Some("e5")),
            (Variant::Masonic, "i9", None),
            (Variant::Alquerque, "e5", Some("e5")),
            (Variant::Alquerque, "a0", None),
            (Variant::Alquerque, "", None),
            (Variant::Alquerque, "é", None),
            (Variant::Alquerque, "e55", None),
        ] {
            let place = Place::parse(variant, text).map(|place| place.to_string());
            assert_eq!(place.as_deref(), read, "{text}");
        }
        assert_eq!(Place::all(Variant::Chesquerque).count(), 81);
    }
}
