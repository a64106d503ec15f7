//! The board of any game: its points, what stands and attacks there, and where moves begin and
//! end.

use std::fmt;

use super::any_move::AnyMove;
use super::any_position::AnyPosition;
use super::name::Variant;
use crate::{alquerque, chesquerque, masonic, of_each_game};
use qirkat_game::{Board, MoveFilter, Rules};

/// A point or cell of any board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// File, 0 for `a`.
    pub file: u8,
    /// Rank, 0 for rank 1.
    pub rank: u8,
}

impl Place {
    /// Reads a point of this game's board, as in `e5`.
    ///
    /// ```
    /// use qirkat_rules::variant::{Place, Variant};
    ///
    /// assert_eq!(Place::parse(Variant::Chesquerque, "i9"), Some(Place { file: 8, rank: 8 }));
    /// assert_eq!(Place::parse(Variant::Masonic, "i9"), None);
    /// ```
    pub fn parse(variant: Variant, text: &str) -> Option<Place> {
        let &[file, rank] = text.as_bytes() else { return None };
        let place = Place {
            file: file.to_ascii_lowercase().checked_sub(b'a')?,
            rank: rank.checked_sub(b'1')?,
        };
        Some(place).filter(|place| place.file.max(place.rank) < variant.board_size())
    }

    /// All points, along the ranks.
    pub fn all(variant: Variant) -> impl DoubleEndedIterator<Item = Place> {
        let size = variant.board_size();
        (0..size).flat_map(move |rank| (0..size).map(move |file| Place { file, rank }))
    }

    /// Its number, counted from 0 along the ranks.
    pub const fn number(self, variant: Variant) -> usize {
        self.rank as usize * variant.board_size() as usize + self.file as usize
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

/// The place of a point of one game.
macro_rules! place {
    ($point:expr) => {
        Place { file: $point.file(), rank: $point.rank() }
    };
}

impl AnyMove {
    /// Where it begins and ends.
    pub fn ends(&self) -> (Place, Place) {
        match self {
            AnyMove::Chesquerque(mv) => (place!(mv.from), place!(mv.to)),
            AnyMove::Masonic(mv) => (place!(mv.from), place!(mv.to)),
            AnyMove::Alquerque(mv) => (place!(mv.from()), place!(mv.to())),
        }
    }

    /// Every point that it visits, its start first. Only a chain of jumps has more than two.
    pub fn places(&self) -> Vec<Place> {
        match self {
            AnyMove::Alquerque(mv) => mv.points().map(|point| place!(point)).collect(),
            _ => <[Place; 2]>::from(self.ends()).into(),
        }
    }

    /// The letter of the kind that a pawn becomes.
    pub fn promotion(&self) -> Option<char> {
        match self {
            AnyMove::Chesquerque(mv) => mv.promotion.map(chesquerque::PieceKind::letter),
            AnyMove::Masonic(mv) => mv.promotion.map(masonic::PieceKind::letter),
            AnyMove::Alquerque(_) => None,
        }
    }
}

impl AnyPosition {
    /// The piece on a point, by its letter in FEN; none on a point that is not on the board.
    pub fn piece_on(&self, place: Place) -> Option<char> {
        fn letter<G: Board>(position: &G, number: usize) -> Option<char> {
            G::letter(position.piece_at(number)?)
        }
        let variant = self.variant();
        if place.file.max(place.rank) >= variant.board_size() {
            return None;
        }
        let number = place.number(variant);
        of_each_game!(AnyPosition, self, position => letter(position, number))
    }

    /// All pieces by their letters in FEN, from the last rank down.
    pub fn pieces(&self) -> Vec<(Place, char)> {
        let ranks = (0..self.variant().board_size()).rev();
        let files = 0..self.variant().board_size();
        ranks
            .flat_map(|rank| files.clone().map(move |file| Place { file, rank }))
            .filter_map(|place| Some((place, self.piece_on(place)?)))
            .collect()
    }

    /// The points of the pieces of both sides that attack a point, pinned or not: those of the
    /// side whose piece stands there protect it. In Alquerque the men that may jump over it.
    pub fn attackers(&self, place: Place) -> Vec<Place> {
        let Place { file, rank } = place;
        if file.max(rank) >= self.variant().board_size() {
            return Vec::new();
        }
        match self {
            AnyPosition::Chesquerque(position) => {
                let found = position.attackers(chesquerque::Point::new(file, rank));
                found.into_iter().map(|point| place!(point)).collect()
            }
            AnyPosition::Masonic(position) => {
                let found = position.attackers(masonic::Cell::new(file, rank));
                found.into_iter().map(|cell| place!(cell)).collect()
            }
            AnyPosition::Alquerque(position) => {
                let mut found = Vec::new();
                for turn in [*position, position.passed()] {
                    found.extend(jumpers(&turn, place));
                }
                found.sort_by_key(|from| (from.rank, from.file));
                found.dedup();
                found
            }
        }
    }
}

/// The men of the side to move that may jump over a point first.
fn jumpers(position: &alquerque::Position, over: Place) -> Vec<Place> {
    let jumps = position.moves(MoveFilter::Noisy).into_iter();
    let over_it = jumps.filter(|mv| mv.jump_legs().next().is_some_and(|leg| place!(leg.0) == over));
    over_it.map(|mv| place!(mv.from())).collect()
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

    /// The letters of FEN, read in their order, are the pieces.
    #[test]
    fn pieces_are_those_of_the_fen() {
        for variant in Variant::ALL {
            let mut position = variant.start();
            for ply in 0..40 {
                let fen = position.fen();
                let board = fen.split(' ').next().unwrap_or_default();
                let letters: String = board.chars().filter(char::is_ascii_alphabetic).collect();
                let found: String = position.pieces().iter().map(|&(_, letter)| letter).collect();
                assert_eq!(found, letters, "{fen}");
                let moves = position.legal_moves();
                let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
                let (from, to) = mv.ends();
                let mover = position.piece_on(from);
                assert_eq!(mv.places().first(), Some(&from));
                assert_eq!(mv.places().last(), Some(&to));
                position.make(mv);
                if mv.promotion().is_none() {
                    assert_eq!(position.piece_on(to), mover, "{fen} {mv}");
                }
            }
        }
    }

    #[test]
    fn attackers_of_a_point() {
        let alquerque = "5/5/5/1m3/2M2 w - - 0 1";
        for (variant, fen, point, attackers) in [
            // A pawn on a diagonal point attacks slantwise, and a rook along its file.
            (Variant::Chesquerque, "4k4/9/9/4p4/4P4/3P5/9/9/R2RK4 w - - 0 1", "d4", "d1"),
            // Black's knight on d7 protects e5 over d6, White's bishop attacks it.
            (Variant::Chesquerque, "4k4/9/3n5/9/4p4/9/9/7B1/4K4 w - - 0 1", "e5", "d7 h2"),
            (Variant::Alquerque, alquerque, "b2", "c1"),
            (Variant::Alquerque, alquerque, "c1", ""),
        ] {
            let position = variant.read_fen(fen).expect(fen).position;
            let mut found = position.attackers(Place::parse(variant, point).expect(point));
            found.sort_by_key(|place| (place.file, place.rank));
            let found: Vec<String> = found.iter().map(Place::to_string).collect();
            assert_eq!(found.join(" "), attackers, "{point} in {fen}");
        }
    }
}
