//! Moves as text: the notations that are written, standard and long algebraic, and the forms found
//! in PGN files.

use std::borrow::Cow;

use derive_more::Display;
use serde::Deserialize;

use super::pgn_game::MoveFault;
use crate::variant::{AnyMove, AnyPosition, Variant};

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Display, Deserialize)]
#[display("{}", self.name())]
#[serde(rename_all = "lowercase")]
pub enum Notation {
    /// Standard algebraic notation, as people read it: `Nf3`, `a9=A+`, `O-O`.
    #[default]
    San,
    /// Long algebraic notation, as in UCI: `g2f4`, `a8a9a`, castling `e1h1`. XBoard replays games
    /// in it without knowing how pieces move; the `FEN` tag gives the starting position.
    Lan,
}

impl Notation {
    pub const ALL: [Notation; 2] = [Notation::San, Notation::Lan];

    /// The name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::San => "san",
            Notation::Lan => "lan",
        }
    }

    pub fn parse(text: &str) -> Option<Notation> {
        Self::ALL.into_iter().find(|notation| notation.name() == text)
    }

    /// Writes a legal move. The null move is `--` in any notation: many readers take `0000` for a
    /// number.
    pub fn write(self, position: &AnyPosition, mv: AnyMove) -> String {
        match self {
            Notation::Lan if !mv.is_null() => mv.to_string(),
            _ => position.san(mv),
        }
    }
}

/// Signs for numeric annotation glyphs (NAGs). Longer ones come first: they take precedence at the
/// end of a text.
const SIGNS: [(&str, u8); 34] = [
    ("+/=", 14),
    ("=/+", 15),
    ("+/-", 16),
    ("-/+", 17),
    ("+--", 20),
    ("--+", 21),
    ("=/∞", 44),
    ("∞/=", 44),
    ("=∞", 44),
    ("+=", 14),
    ("=+", 15),
    ("+-", 18),
    ("-+", 19),
    ("=", 10),
    ("~", 13),
    ("‼", 3),
    ("⁇", 4),
    ("⁉", 5),
    ("⁈", 6),
    ("□", 7),
    ("∞", 13),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("∓", 17),
    ("⨀", 22),
    ("⟳", 32),
    ("↑", 36),
    ("→", 40),
    ("⇆", 132),
    ("⊕", 138),
    ("⨁", 138),
    ("∆", 140),
    ("⌓", 142),
];
/// Signs made of letters, which must stand alone: a novelty, an editorial comment, a diagram.
const WORDS: [(&str, u8); 4] = [("N", 146), ("TN", 146), ("RR", 145), ("D", 220)];
/// Typographic dashes used as hyphens.
const DASHES: [char; 4] = ['‐', '–', '—', '−'];

/// The NAG of a sign that stands alone, such as `±` or `N`.
pub(super) fn sign(text: &str) -> Option<u8> {
    if text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let text = &hyphenated(text);
    SIGNS.iter().chain(&WORDS).find(|(sign, _)| sign == text).map(|&(_, nag)| nag)
}

/// Strips signs after a move, as in `e4+-`: the move, and their NAGs.
pub(super) fn without_signs(text: &str) -> (Cow<'_, str>, Vec<u8>) {
    let mut nags = Vec::new();
    let unchecked = text.trim_end_matches(['+', '#']);
    if unchecked.ends_with(|last: char| last.is_ascii_alphanumeric()) {
        return (text.into(), nags);
    }
    let mut text = hyphenated(text);
    let last = |text: &str| {
        let mut known = SIGNS.into_iter();
        known.find(|(sign, _)| text.ends_with(sign) && text.len() > sign.len())
    };
    while let Some((sign, nag)) = last(&text) {
        let length = text.len() - sign.len();
        text.to_mut().truncate(length);
        nags.insert(0, nag);
    }
    (text, nags)
}

pub(super) fn hyphenated(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { text.into() } else { text.replace(DASHES, "-").into() }
}

/// Whether this may be a word: it has no digits, and is neither castling nor a null move.
pub(super) fn may_be_word(text: &str) -> bool {
    !text.contains(|letter: char| letter.is_ascii_digit())
        && !text.starts_with("O-O")
        && !is_null(text)
}

/// Whether this is a word rather than a mistyped move such as `Nx` or `exd`.
pub(super) fn is_word(text: &str) -> bool {
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    may_be_word(text) && letters > 2 && !(letters == 3 && text.get(1..2) == Some("x"))
}

/// Whether this is a null move: the side to move passes.
pub(super) fn is_null(text: &str) -> bool {
    ["--", "Z0", AnyMove::NULL_TEXT, "@@@@"].contains(&text)
}

/// Reads a legal move in long or standard algebraic notation, or a null move where passing is
/// possible. Accepts a hyphen in the middle, promotions as in `a9(A)` or `a9/A`, a colon for a
/// capture, and `ep`, `ch` or `mate` at the end.
///
/// XBoard writes `O-O` for both castlings of Chesquerque, so it is read as `O-O-O` if castling on
/// the archbishop's wing is impossible.
pub(super) fn read_pgn_move(position: &AnyPosition, text: &str) -> Result<AnyMove, MoveFault> {
    if is_null(text) {
        let null = AnyMove::null(position.variant());
        return position.after_or_null(null).map(|_| null).ok_or(MoveFault::Illegal);
    }
    let is_castling = text.starts_with(['O', '0']);
    let mut plain = hyphenated(text);
    if !is_castling && plain.contains('-') {
        plain = plain.replace('-', "").into();
    }
    if plain.contains(['/', '(']) {
        plain = plain.replace(['/', '('], "=").replace(')', "").into();
    }
    if plain.contains(':') {
        plain = plain.replace(':', "x").into();
    }
    if position.variant() == Variant::Alquerque && plain.contains('x') {
        plain = plain.replace('x', "").into();
    }
    let mut plain = plain.trim_end_matches(['+', '#']);
    if !plain.ends_with(|last: char| last.is_ascii_digit()) {
        for remark in ["ch", "mate", "ep"] {
            plain = plain.strip_suffix(remark).unwrap_or(plain).trim_end_matches(['+', '#']);
        }
    }
    let read = position.read_move(plain).map_err(MoveFault::from);
    match read {
        Err(MoveFault::Illegal) if is_castling && position.variant() == Variant::Chesquerque => {
            Ok(position.read_move("O-O-O")?)
        }
        read => read,
    }
}
