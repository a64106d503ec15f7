//! The pieces on a board, by the names that endgame tables have.

use std::str::FromStr;

use thiserror::Error;

use qirkat_rules::variant::AnyPosition;

/// The pieces of one side and of the other, as in `KRPvKR`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct MaterialLeft {
    /// The letters of each side in their order.
    sides: [Vec<char>; 2],
}

/// A text that names no material.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not material such as KRPvKR, or MMvM of Alquerque")]
pub(super) struct NoMaterial;

impl MaterialLeft {
    pub fn of(position: &AnyPosition) -> MaterialLeft {
        let fen = position.fen();
        let board = fen.split(' ').next().unwrap_or_default();
        let letters = board.chars().filter(char::is_ascii_alphabetic);
        let (white, black): (Vec<char>, Vec<char>) = letters.partition(char::is_ascii_uppercase);
        MaterialLeft { sides: [white, black].map(in_order) }
    }

    /// Whether both are the same, whichever side has which part.
    pub fn is_that_of(&self, other: &MaterialLeft) -> bool {
        let [first, second] = &self.sides;
        *self == *other || [second, first] == other.sides.each_ref()
    }
}

fn in_order(letters: Vec<char>) -> Vec<char> {
    let mut letters: Vec<char> =
        letters.into_iter().map(|letter| letter.to_ascii_uppercase()).collect();
    letters.sort_unstable();
    letters
}

impl FromStr for MaterialLeft {
    type Err = NoMaterial;

    fn from_str(text: &str) -> Result<MaterialLeft, NoMaterial> {
        let (first, second) = text.split_once(['v', 'V']).ok_or(NoMaterial)?;
        let sides = [first, second].map(|side| in_order(side.chars().collect()));
        let has_king = |side: &[char]| {
            side.iter().all(|&letter| "KQARBNP".contains(letter))
                && side.iter().filter(|&&letter| letter == 'K').count() == 1
        };
        let has_men = |side: &[char]| side.iter().all(|&letter| letter == 'M');
        let is_material = sides.iter().all(|side| has_king(side))
            || sides.iter().all(|side| has_men(side)) && !sides.concat().is_empty();
        if is_material { Ok(MaterialLeft { sides }) } else { Err(NoMaterial) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::variant::Variant;

    #[test]
    fn names_and_boards_agree() {
        let fen = "4k4/9/9/r8/9/9/4P4/9/R3K4 w - - 0 1";
        let position = Variant::Chesquerque.read_fen(fen).expect(fen).position;
        let left = MaterialLeft::of(&position);
        for (name, agrees) in
            [("KRPvKR", true), ("krvkpr", true), ("KRPvK", false), ("KRvKR", false)]
        {
            let material: MaterialLeft = name.parse().expect(name);
            assert_eq!(material.is_that_of(&left), agrees, "{name}");
        }
        assert!("MMvM".parse::<MaterialLeft>().is_ok());
        for text in ["", "KR", "KRKR", "RvK", "KKvK", "KXvK", "KvM", "v", "KRvKvK"] {
            assert_eq!(text.parse::<MaterialLeft>(), Err(NoMaterial), "{text}");
        }
    }
}
