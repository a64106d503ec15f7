//! Standard algebraic notation, with the orthodox conventions: piece letters
//! `K Q R B N A`, `x` for captures, `O-O` towards the archbishop, `O-O-O`
//! towards the queen, `=A` for promotions, `+` and `#`.
//!
//! A plain-point pawn captures straight ahead, so its file is written there
//! too: `exe5` captures, `e5` does not.

use super::bitboard::Bitboard;
use super::castling::Wing;
use super::move_list::{Move, MoveList};
use super::piece::PieceKind;
use super::point::Point;
use super::position::Position;
use crate::game::SanError;
use crate::text::Excerpt;

/// What a SAN text says about a move.
struct Description {
    kind: PieceKind,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    capture: bool,
    to: Point,
    promotion: Option<PieceKind>,
}

impl Position {
    /// A legal move in standard algebraic notation.
    ///
    /// ```
    /// use qirkat::Position;
    ///
    /// let position: Position = "4k4/9/9/4p4/4P4/9/9/9/4K3R w K - 0 1".parse()?;
    /// assert_eq!(position.san("e1h1".parse()?), "O-O");
    /// assert_eq!(position.san("i1i9".parse()?), "Ri9+");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn san(&self, mv: Move) -> String {
        let mut text = self.san_without_check(mv);
        let next = self.play(mv);
        if next.in_check() {
            text.push(if next.has_legal_moves() { '+' } else { '#' });
        }
        text
    }

    /// A line of legal moves, each in algebraic notation; stops at the first
    /// move that is not legal.
    ///
    /// ```
    /// use qirkat::Position;
    ///
    /// let line = ["e2e4".parse()?, "e8e6".parse()?, "a1a9".parse()?];
    /// assert_eq!(Position::start().san_line(&line), ["e4", "e6"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn san_line(&self, moves: &[Move]) -> Vec<String> {
        let mut position = *self;
        moves
            .iter()
            .map_while(|&mv| {
                let san = position.is_legal(mv).then(|| position.san(mv))?;
                position = position.play(mv);
                Some(san)
            })
            .collect()
    }

    fn san_without_check(&self, mv: Move) -> String {
        let Some(kind) = self.kind_on(mv.from) else { return mv.to_string() };
        if self.is_castling(mv) {
            let wing = if mv.to > mv.from { Wing::Archbishop } else { Wing::Queen };
            return castling_text(wing).to_owned();
        }
        let capture = self.captured(mv).is_some();
        let mut text = String::new();
        if kind == PieceKind::Pawn {
            if capture {
                text.push(Point::file_letter(mv.from.file()));
            }
        } else {
            text.push(kind.letter().to_ascii_uppercase());
            self.push_disambiguation(mv, kind, &mut text);
        }
        if capture {
            text.push('x');
        }
        text.push_str(&mv.to.to_string());
        if let Some(kind) = mv.promotion {
            text.push('=');
            text.push(kind.letter().to_ascii_uppercase());
        }
        text
    }

    /// The file where that is enough, else the rank, else both.
    fn push_disambiguation(&self, mv: Move, kind: PieceKind, text: &mut String) {
        let rivals: Bitboard = self
            .legal_moves()
            .into_iter()
            .filter(|other| other.to == mv.to && other.from != mv.from)
            .map(|other| other.from)
            .filter(|&from| self.kind_on(from) == Some(kind))
            .collect();
        if rivals.is_empty() {
            return;
        }
        let same_file = (rivals & Bitboard::file(mv.from.file())).any();
        let same_rank = (rivals & Bitboard::rank(mv.from.rank())).any();
        if !same_file || same_rank {
            text.push(Point::file_letter(mv.from.file()));
        }
        if same_file {
            text.push_str(&(mv.from.rank() + 1).to_string());
        }
    }

    /// Reads a move in algebraic notation. Check marks and `!?` may be there
    /// or not, right or wrong; fuller origins than needed are fine.
    ///
    /// ```
    /// use qirkat::{Position, SanError};
    ///
    /// let position: Position = "4k4/9/9/9/9/9/9/9/R3K3R w KQ - 0 1".parse()?;
    /// assert_eq!(position.parse_san("O-O-O")?.to_string(), "e1b1");
    /// assert_eq!(position.parse_san("Rae9").unwrap_err().to_string(), "`Rae9` is not a legal move here");
    /// assert!(matches!(position.parse_san("e9x"), Err(SanError::Malformed(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the text is no move, or not exactly one legal move.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let bare = text.trim_end_matches(['+', '#', '!', '?']);
        let castling = Wing::ALL.into_iter().find(|&wing| {
            bare == castling_text(wing) || bare == castling_text(wing).replace('O', "0")
        });
        let legal = self.legal_moves();
        let fitting: MoveList = if let Some(wing) = castling {
            let eastward = wing == Wing::Archbishop;
            legal
                .into_iter()
                .filter(|&mv| self.is_castling(mv) && (mv.to > mv.from) == eastward)
                .collect()
        } else {
            let description =
                describe(bare).ok_or_else(|| SanError::Malformed(Excerpt::of(text)))?;
            legal.into_iter().filter(|&mv| self.fits(&description, mv)).collect()
        };
        match fitting.as_slice() {
            [] => Err(SanError::Illegal(Excerpt::of(text))),
            [mv] => Ok(*mv),
            _ => Err(SanError::Ambiguous(Excerpt::of(text))),
        }
    }

    fn fits(&self, wanted: &Description, mv: Move) -> bool {
        let capture = self.captured(mv).is_some();
        self.kind_on(mv.from) == Some(wanted.kind)
            && mv.to == wanted.to
            && mv.promotion == wanted.promotion
            && wanted.from_file.is_none_or(|file| mv.from.file() == file)
            && wanted.from_rank.is_none_or(|rank| mv.from.rank() == rank)
            && (capture || !wanted.capture)
            // `e5` is never a pawn's capture; pieces often go without the `x`.
            && (wanted.kind != PieceKind::Pawn
                || capture == (wanted.capture || wanted.from_file.is_some() && capture))
    }
}

const fn castling_text(wing: Wing) -> &'static str {
    match wing {
        Wing::Archbishop => "O-O",
        Wing::Queen => "O-O-O",
    }
}

/// Takes a text such as `Nb1xc3` or `a8=A` apart, from its end.
fn describe(text: &str) -> Option<Description> {
    let mut rest = text.as_bytes();
    let kind = match rest {
        [letter @ (b'K' | b'Q' | b'R' | b'B' | b'N' | b'A'), tail @ ..] => {
            rest = tail;
            PieceKind::from_letter(char::from(*letter))?
        }
        _ => PieceKind::Pawn,
    };
    let mut promotion = None;
    if kind == PieceKind::Pawn
        && let [head @ .., letter] = rest
        && let Some(kind) = PieceKind::from_letter(char::from(*letter))
    {
        if !PieceKind::PROMOTIONS.contains(&kind) {
            return None;
        }
        promotion = Some(kind);
        rest = head.strip_suffix(b"=").unwrap_or(head);
    }
    let (origin, &[file, rank]) = rest.split_last_chunk::<2>()?;
    let to = Point::from_bytes(file, rank)?;
    let (origin, capture) = match origin {
        [head @ .., b'x'] => (head, true),
        _ => (origin, false),
    };
    let (from_file, from_rank) = match *origin {
        [] => (None, None),
        [file @ b'a'..=b'i'] => (Some(file - b'a'), None),
        [rank @ b'1'..=b'9'] => (None, Some(rank - b'1')),
        [file, rank] => {
            let from = Point::from_bytes(file, rank)?;
            (Some(from.file()), Some(from.rank()))
        }
        _ => return None,
    };
    Some(Description { kind, from_file, from_rank, capture, to, promotion })
}
