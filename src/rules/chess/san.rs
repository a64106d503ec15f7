//! Standard algebraic notation (SAN) with the orthodox conventions: piece letters, `x` for
//! captures, `O-O` and `O-O-O`, `=Q` for promotions, `+` and `#`. If two pawns can step to the same
//! square, as in Masonic chess, the file distinguishes them, as for pieces: `ef3`.

use qirkat_game::text::Excerpt;
use qirkat_game::{Rules, SanError};

use super::castling::Wing;
use super::geometry::{Geometry, MoveOf};
use super::piece::{Kind, Move};
use super::position::Position;
use super::square::Square;

/// The parts of a move in SAN.
struct SanParts<S, K> {
    kind: K,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    capture: bool,
    to: S,
    promotion: Option<K>,
}

type SanPartsOf<G> = SanParts<<G as Geometry>::Square, <G as Geometry>::Kind>;

impl<G: Geometry> Position<G> {
    /// A legal move in standard algebraic notation.
    ///
    /// ```
    /// use qirkat_rules::{chesquerque, masonic};
    /// use qirkat_game::Rules;
    ///
    /// let position: chesquerque::Position = "4k4/9/9/4p4/4P4/9/9/9/4K3R w K - 0 1".parse()?;
    /// assert_eq!(position.san("e1h1".parse()?), "O-O");
    /// assert_eq!(position.san("i1i9".parse()?), "Ri9+");
    /// assert_eq!(masonic::Position::start().san("e2f3".parse()?), "ef3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn san(&self, mv: MoveOf<G>) -> String {
        let mut text = self.san_without_check_mark(mv);
        let next = self.after(mv);
        if next.in_check() {
            text.push(if next.has_legal_moves() { '+' } else { '#' });
        }
        text
    }

    /// A line of moves in algebraic notation, up to the first illegal one.
    pub fn san_line(&self, moves: &[MoveOf<G>]) -> Vec<String> {
        san_line(*self, moves, Position::san)
    }

    /// Parses a move in algebraic notation. Check marks and `!?` are ignored, and more
    /// disambiguation than needed is accepted.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::{Position, SanError};
    ///
    /// let position: Position = "4k4/9/9/9/9/9/9/9/R3K3R w KQ - 0 1".parse()?;
    /// assert_eq!(position.parse_san("O-O-O")?.to_string(), "e1b1");
    /// assert_eq!(position.parse_san("Rae9").unwrap_err().to_string(), "`Rae9` is not a legal move here");
    /// assert!(matches!(position.parse_san("e9x"), Err(SanError::Malformed(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the text is not a move, or does not match exactly one legal move.
    pub fn parse_san(&self, text: &str) -> Result<MoveOf<G>, SanError> {
        let bare = without_marks(text);
        if let Some(asked) = castling(bare) {
            let moves = self.legal_moves().into_iter();
            return the_only(text, moves.filter(|&mv| self.is_castling(mv) && wing(mv) == asked));
        }
        let wanted: SanPartsOf<G> =
            parse_parts(bare).ok_or_else(|| SanError::Malformed(Excerpt::of(text)))?;
        // There are few pieces of a kind: testing each is faster than listing all legal moves.
        let origins = self.of(self.side_to_move(), wanted.kind).into_iter();
        let moves = origins
            .filter(|&from| self.comes_from(&wanted, from))
            .map(|from| Move { from, to: wanted.to, promotion: wanted.promotion })
            .filter(|&mv| self.is_legal(mv) && self.captures_as_written(&wanted, mv));
        the_only(text, moves)
    }

    fn san_without_check_mark(&self, mv: MoveOf<G>) -> String {
        let Some(kind) = self.kind_on(mv.from) else { return mv.to_string() };
        if self.is_castling(mv) {
            return wing(mv).san().to_owned();
        }
        let is_pawn = kind == G::Kind::PAWN;
        let capture = self.captured(mv).is_some();
        let mut text = String::new();
        if is_pawn && capture {
            text.push(G::Square::file_letter(mv.from.file()));
        } else {
            if !is_pawn {
                text.push(kind.letter().to_ascii_uppercase());
            }
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

    /// The file if that is enough, else the rank, else both. A pawn's step needs none against a
    /// capture (en passant both can reach one square): the `x` distinguishes them.
    fn push_disambiguation(&self, mv: MoveOf<G>, kind: G::Kind, text: &mut String) {
        let (mut any, mut same_file, mut same_rank) = (false, false, false);
        for other in self.legal_moves() {
            let is_rival = other.to == mv.to
                && other.from != mv.from
                && self.kind_on(other.from) == Some(kind)
                && (kind != G::Kind::PAWN || self.captured(other).is_none());
            any |= is_rival;
            same_file |= is_rival && other.from.file() == mv.from.file();
            same_rank |= is_rival && other.from.rank() == mv.from.rank();
        }
        if any && (!same_file || same_rank) {
            text.push(G::Square::file_letter(mv.from.file()));
        }
        if same_file {
            text.push_str(&(mv.from.rank() + 1).to_string());
        }
    }

    /// The moves, legal or not, that a text in algebraic notation can mean; none if malformed.
    pub(super) fn san_candidates(&self, text: &str) -> Option<SanCandidates<G::Square, G::Kind>> {
        let bare = without_marks(text);
        if let Some(wing) = castling(bare) {
            return Some(SanCandidates::Castling(wing));
        }
        let wanted: SanPartsOf<G> = parse_parts(bare)?;
        let us = self.side_to_move();
        let is_own = |from| self.piece_on(from).is_some_and(|piece| piece.color == us);
        let mut origins: Vec<G::Square> = self
            .occupied()
            .into_iter()
            .filter(|&from| is_own(from) && self.comes_from(&wanted, from))
            .collect();
        // A pawn's step has no origin in the text: a pawn on the target's file is preferred.
        let is_ahead = |from: &G::Square| from.file() == wanted.to.file();
        if wanted.kind == G::Kind::PAWN && !wanted.capture && origins.iter().any(is_ahead) {
            origins.retain(is_ahead);
        }
        let to = |from| Move { from, to: wanted.to, promotion: wanted.promotion };
        Some(SanCandidates::Moves(origins.into_iter().map(to).collect()))
    }

    /// Whether a legal move is a capture if the text says so. `e5` is never a pawn's capture; for
    /// pieces the `x` is often omitted.
    fn captures_as_written(&self, wanted: &SanPartsOf<G>, mv: MoveOf<G>) -> bool {
        if self.captured(mv).is_none() {
            return !wanted.capture;
        }
        wanted.kind != G::Kind::PAWN || wanted.capture || wanted.from_file.is_some()
    }

    /// Whether this kind of piece is on `from`, and the text names no other file or rank.
    fn comes_from(&self, wanted: &SanPartsOf<G>, from: G::Square) -> bool {
        self.kind_on(from) == Some(wanted.kind)
            && wanted.from_file.is_none_or(|file| from.file() == file)
            && wanted.from_rank.is_none_or(|rank| from.rank() == rank)
    }
}

/// A line of moves as text, up to the first illegal one.
pub(crate) fn san_line<P: Rules>(
    mut position: P,
    moves: &[P::Move],
    san: impl Fn(&P, P::Move) -> String,
) -> Vec<String> {
    let written = moves.iter().map_while(|&mv| {
        let text = position.is_legal(mv).then(|| san(&position, mv))?;
        position.make(mv);
        Some(text)
    });
    written.collect()
}

fn wing<S: Square, K: Kind>(mv: Move<S, K>) -> Wing {
    if mv.to > mv.from { Wing::King } else { Wing::Queen }
}

fn without_marks(text: &str) -> &str {
    text.trim_end_matches(['+', '#', '!', '?'])
}

fn castling(bare: &str) -> Option<Wing> {
    // Most moves start with another character.
    if !bare.starts_with(['O', '0']) {
        return None;
    }
    Wing::ALL.into_iter().find(|wing| bare == wing.san() || bare == wing.san().replace('O', "0"))
}

pub(super) enum SanCandidates<S, K> {
    Castling(Wing),
    /// The matching moves, legal or not, of any piece of this kind.
    Moves(Vec<Move<S, K>>),
}

fn the_only<S, K>(
    text: &str,
    mut moves: impl Iterator<Item = Move<S, K>>,
) -> Result<Move<S, K>, SanError> {
    match (moves.next(), moves.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err(SanError::Ambiguous(Excerpt::of(text))),
        (None, _) => Err(SanError::Illegal(Excerpt::of(text))),
    }
}

/// Parses a text such as `Nb1xc3` or `a8=Q` from its end.
fn parse_parts<S: Square, K: Kind>(text: &str) -> Option<SanParts<S, K>> {
    let mut rest = text.as_bytes();
    let mut kind = K::PAWN;
    if let [letter @ b'A'..=b'Z', tail @ ..] = rest {
        kind = K::from_letter(char::from(*letter)).filter(|&kind| kind != K::PAWN)?;
        rest = tail;
    }
    let mut promotion = None;
    if kind == K::PAWN
        && let [head @ .., letter] = rest
        && let Some(kind) = K::from_letter(char::from(*letter))
    {
        if !K::PROMOTIONS.contains(&kind) {
            return None;
        }
        promotion = Some(kind);
        rest = head.strip_suffix(b"=").unwrap_or(head);
    }
    let (origin, &[file, rank]) = rest.split_last_chunk::<2>()?;
    let to = S::from_bytes(file, rank)?;
    let (origin, capture) = match origin {
        [head @ .., b'x'] => (head, true),
        _ => (origin, false),
    };
    let (from_file, from_rank) = match *origin {
        [] => (None, None),
        [one] => match (S::read_file(one), S::read_rank(one)) {
            (None, None) => return None,
            origin => origin,
        },
        [file, rank] => (Some(S::read_file(file)?), Some(S::read_rank(rank)?)),
        _ => return None,
    };
    Some(SanParts { kind, from_file, from_rank, capture, to, promotion })
}
