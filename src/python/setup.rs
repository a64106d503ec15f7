//! A board that is set up by hand: pieces and the other fields of a FEN, which need not be a legal
//! position yet.

use qirkat_rules::fen::{placement_text, read_placement};
use qirkat_rules::variant::{AnyPosition, FenError, Place, Variant};

use crate::moves::is_letter_of;

/// The fields of a FEN after the board.
pub(crate) const SIDE: usize = 0;
pub(crate) const CASTLING: usize = 1;
pub(crate) const EN_PASSANT: usize = 2;
pub(crate) const CLOCK: usize = 3;
pub(crate) const NUMBER: usize = 4;

pub(crate) const CASTLING_LETTERS: [char; 4] = ['K', 'Q', 'k', 'q'];

#[derive(Clone, PartialEq)]
pub(crate) struct Setup {
    pub variant: Variant,
    /// By number of the square.
    letters: Vec<Option<char>>,
    pub fields: [String; 5],
    /// Why it is no legal position.
    pub fault: Option<FenError>,
}

impl Setup {
    pub fn empty(variant: Variant) -> Setup {
        let size = usize::from(variant.board_size());
        let fields = ["w", "-", "-", "0", "1"].map(str::to_owned);
        Setup { variant, letters: vec![None; size * size], fields, fault: None }
    }

    pub fn of(position: &AnyPosition) -> Setup {
        let mut setup = Setup::empty(position.variant());
        for (place, letter) in position.pieces() {
            setup.put(place, Some(letter));
        }
        for (field, text) in setup.fields.iter_mut().zip(position.fen().split(' ').skip(1)) {
            text.clone_into(field);
        }
        setup
    }

    /// Reads what [`Setup::fen`] has written.
    pub fn parse(variant: Variant, fen: &str) -> Option<Setup> {
        let mut setup = Setup::empty(variant);
        let mut words = fen.split(' ');
        let piece = |letter| is_letter_of(variant, letter).then_some(letter);
        let put = |file, rank, letter| setup.put(Place { file, rank }, Some(letter));
        read_placement([variant.board_size(); 2], "square", words.next()?, piece, put).ok()?;
        for field in &mut setup.fields {
            words.next()?.clone_into(field);
        }
        words.next().is_none().then_some(setup)
    }

    pub fn fen(&self) -> String {
        let size = self.variant.board_size();
        let board = placement_text([size; 2], |file, rank| self.letter(Place { file, rank }));
        format!("{board} {}", self.fields.join(" "))
    }

    pub fn letter(&self, place: Place) -> Option<char> {
        self.letters.get(place.number(self.variant)).copied().flatten()
    }

    pub fn put(&mut self, place: Place, letter: Option<char>) {
        if let Some(square) = self.letters.get_mut(place.number(self.variant)) {
            *square = letter;
        }
        self.forget_last_move();
    }

    pub fn clear_pieces(&mut self) {
        self.letters.fill(None);
        self.forget_last_move();
    }

    /// Clears what the FEN says of the last move, which does not fit another board: en passant, and
    /// in Alquerque the forbidden steps back.
    pub fn forget_last_move(&mut self) {
        "-".clone_into(&mut self.fields[EN_PASSANT]);
        if self.variant == Variant::Alquerque {
            "-".clone_into(&mut self.fields[CASTLING]);
        }
    }
}

/// Where king and rook stand for a castling right of this letter; none in Alquerque.
pub(crate) fn castling_home(variant: Variant, letter: char) -> Option<(Place, Place)> {
    let pieces = variant.start().pieces();
    let on = |kind: char| {
        let wanted = if letter.is_uppercase() { kind } else { kind.to_ascii_lowercase() };
        pieces.iter().filter(move |&&(_, found)| found == wanted).map(|&(place, _)| place)
    };
    let rook = if letter.eq_ignore_ascii_case(&'k') { on('R').max() } else { on('R').min() };
    Some((on('K').next()?, rook?))
}
