//! Why a move is not legal, in words that teach the rules.

use qirkat_game::{Color, ReadMove, Rules, SanError};
use thiserror::Error;

use super::castling::{CastlingPath, Wing};
use super::chess_move::Move;
use super::geometry::{Geometry, MoveOf};
use super::pawns::{last_rank, pawn_steps};
use super::piece::{Kind, Piece};
use super::position::Position;
use super::san::{self, Meant};
use super::square::{Square, SquareSet};

/// Why a text is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveTextError<G: Geometry> {
    /// It is a move in long algebraic text, but not a legal one.
    #[error(transparent)]
    Illegal(#[from] IllegalMove<G>),
    /// It is not a legal move in algebraic notation either.
    #[error(transparent)]
    San(#[from] SanError),
}

/// Why a move is not legal, in words that teach the rules.
///
/// ```
/// use qirkat_game::{ReadMove, Rules};
/// use qirkat_rules::chesquerque::{IllegalMove, Position};
///
/// let reason = Position::start().why_illegal("c1e3".parse()?).ok_or("legal")?;
/// assert_eq!(reason, IllegalMove::Blocked("d2".parse()?));
/// assert_eq!(reason.to_string(), "the way is blocked on d2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalMove<G: Geometry> {
    /// No piece stands there.
    #[error("no piece stands on {0}")]
    NoPiece(G::Square),
    /// The piece there belongs to the other side.
    #[error("it is {to_move:?}'s turn, and the {} on {from} is {:?}'s", kind.name(), !*to_move)]
    WrongColor {
        /// Whose turn it is.
        to_move: Color,
        /// The piece.
        kind: G::Kind,
        /// Where it stands.
        from: G::Square,
    },
    /// Pieces of one side never capture each other.
    #[error("your own {} stands on {to}", kind.name())]
    OwnPiece {
        /// The piece there.
        kind: G::Kind,
        /// Where the move goes.
        to: G::Square,
    },
    /// The piece does not move so, wherever the others stand.
    #[error("{}", G::movement(*kind, *from))]
    WrongPath {
        /// The piece.
        kind: G::Kind,
        /// Where it stands.
        from: G::Square,
    },
    /// Something stands on the way.
    #[error("the way is blocked on {0}")]
    Blocked(G::Square),
    /// A pawn's way ahead is blocked, and it does not capture so.
    #[error("{words}, and {0} is taken", words = G::PAWN_BLOCKED)]
    PawnBlocked(G::Square),
    /// A pawn's capture of nothing.
    #[error("a pawn moves diagonally only to capture, and nothing stands on {0}")]
    NothingToCapture(G::Square),
    /// A double step that is not allowed: from elsewhere than the pawns' first rank, over
    /// pieces, or as a capture.
    #[error("{}", G::DOUBLE_STEP)]
    DoubleStep,
    /// A pawn on the last rank has to be promoted.
    #[error("{}", G::NEEDS_PROMOTION)]
    NeedsPromotion,
    /// Nothing else promotes.
    #[error("only a pawn that reaches the last rank is promoted")]
    NoPromotion,
    /// Castling after king or rook has moved.
    #[error("the king or that rook has moved, so castling is over")]
    CastlingLost,
    /// Castling over pieces.
    #[error("castling needs empty {name}s between king and rook, and {0} is taken", name = G::Square::NAME)]
    CastlingBlocked(G::Square),
    /// Castling out of check.
    #[error("a king in check cannot castle")]
    CastlingOutOfCheck,
    /// Castling through or into check.
    #[error("castling leads over {0}, which is attacked")]
    CastlingThroughCheck(G::Square),
    /// The king would step into check.
    #[error("the king would be in check on {0}")]
    IntoCheck(G::Square),
    /// The king is in check and stays so.
    #[error("the king is in check, and this does not help")]
    StillInCheck,
    /// The piece stands between its king and an attacker.
    #[error("it would leave the king in check")]
    Pinned,
}

impl<G: Geometry> ReadMove for Position<G> {
    type IllegalMove = IllegalMove<G>;
    type MoveTextError = MoveTextError<G>;

    /// Reads a legal move, in long algebraic text (`e2e4`) or in algebraic notation (`e4`).
    ///
    /// ```
    /// use qirkat_game::{ReadMove, Rules};
    /// use qirkat_rules::{chesquerque, masonic};
    ///
    /// let position = chesquerque::Position::start();
    /// assert_eq!(position.read_move("e4")?, position.read_move("e2e4")?);
    /// let error = position.read_move("e4e5").unwrap_err();
    /// assert_eq!(error.to_string(), "no piece stands on e4");
    /// let error = masonic::Position::start().read_move("e2e4").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "a pawn goes two steps only from where it started, on one cant over empty cells"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the text is no move, or no legal one.
    fn read_move(&self, text: &str) -> Result<MoveOf<G>, MoveTextError<G>> {
        if let Some(mv) = Move::parse(text) {
            return match self.why_illegal(mv) {
                None => Ok(mv),
                Some(reason) => Err(reason.into()),
            };
        }
        // A promotion to a king or pawn does not parse as a move.
        let squares: Option<MoveOf<G>> = text.get(..4).and_then(Move::parse);
        let promotes =
            || squares.is_some_and(|mv| self.why_illegal(mv) == Some(IllegalMove::NeedsPromotion));
        self.parse_san(text).map_err(|error| match error {
            _ if promotes() => IllegalMove::NeedsPromotion.into(),
            SanError::Illegal(_) => {
                reason_against_san(self, text).map_or_else(|| error.into(), |reason| reason.into())
            }
            error => error.into(),
        })
    }

    fn why_illegal(&self, mv: MoveOf<G>) -> Option<IllegalMove<G>> {
        (!self.is_legal(mv)).then(|| reason_against(self, mv))
    }
}

impl<G: Geometry> Position<G> {
    /// The position after a move, which need not be legal.
    ///
    /// ```
    /// use qirkat_game::Rules;
    /// use qirkat_rules::chesquerque::{IllegalMove, Position};
    ///
    /// let position = Position::start().try_play("e2e4".parse()?)?;
    /// let error = position.try_play("e4e5".parse()?).unwrap_err();
    /// assert!(matches!(error, IllegalMove::WrongColor { .. }));
    /// assert_eq!(error.to_string(), "it is Black's turn, and the pawn on e4 is White's");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the move is not legal.
    pub fn try_play(&self, mv: MoveOf<G>) -> Result<Position<G>, IllegalMove<G>> {
        match self.why_illegal(mv) {
            None => Ok(self.after(mv)),
            Some(reason) => Err(reason),
        }
    }
}

/// Why a move in algebraic notation is not legal; none where that differs between the pieces
/// that it could mean. A piece that never goes there was not meant if another could.
fn reason_against_san<G: Geometry>(position: &Position<G>, text: &str) -> Option<IllegalMove<G>> {
    let moves = match san::meant(position, text)? {
        Meant::Castling(wing) => return Some(reason_against_castling(position, wing)),
        Meant::Moves(moves) => moves,
    };
    let reasons = moves.into_iter().filter_map(|mv| position.why_illegal(mv));
    let (strays, others): (Vec<IllegalMove<G>>, Vec<IllegalMove<G>>) =
        reasons.partition(|reason| matches!(reason, IllegalMove::WrongPath { .. }));
    let reasons = if others.is_empty() { strays } else { others };
    let (first, rest) = reasons.split_first()?;
    // The words count: knights on two plain points go alike.
    rest.iter().all(|other| other.to_string() == first.to_string()).then_some(*first)
}

fn reason_against<G: Geometry>(position: &Position<G>, mv: MoveOf<G>) -> IllegalMove<G> {
    let Move { from, to, promotion } = mv;
    let us = position.side_to_move();
    let Some(Piece { color, kind }) = position.piece_on(from) else {
        return IllegalMove::NoPiece(from);
    };
    if color != us {
        return IllegalMove::WrongColor { to_move: us, kind, from };
    }
    if let Some(wing) = castling_meant(position, mv) {
        return reason_against_castling(position, wing);
    }
    if let Some(own) = position.piece_on(to).filter(|piece| piece.color == us) {
        return IllegalMove::OwnPiece { kind: own.kind, to };
    }
    let is_pawn = kind == G::Kind::PAWN;
    let fault = if is_pawn {
        pawn_fault(position, from, to)
    } else {
        piece_fault(position, kind, from, to)
    };
    if let Some(fault) = fault {
        return fault;
    }
    let promotes = is_pawn && last_rank::<G>(us).contains(to);
    match promotion {
        None if promotes => IllegalMove::NeedsPromotion,
        Some(kind) if promotes && !G::Kind::PROMOTIONS.contains(&kind) => {
            IllegalMove::NeedsPromotion
        }
        Some(_) if !promotes => IllegalMove::NoPromotion,
        _ if kind == G::Kind::KING => IllegalMove::IntoCheck(to),
        _ if position.in_check() => IllegalMove::StillInCheck,
        _ => IllegalMove::Pinned,
    }
}

fn piece_fault<G: Geometry>(
    position: &Position<G>,
    kind: G::Kind,
    from: G::Square,
    to: G::Square,
) -> Option<IllegalMove<G>> {
    let us = position.side_to_move();
    if !position.reaches(kind, us, from, to, G::Bitboard::EMPTY) {
        return Some(IllegalMove::WrongPath { kind, from });
    }
    if position.reaches(kind, us, from, to, position.occupied()) {
        return None;
    }
    // The pieces in the way, the nearest first.
    G::between(from, to)
        .into_iter()
        .filter(|&square| position.kind_on(square).is_some())
        .min_by_key(|square| {
            (square.rank().abs_diff(from.rank()), square.file().abs_diff(from.file()))
        })
        .map(IllegalMove::Blocked)
}

fn pawn_fault<G: Geometry>(
    position: &Position<G>,
    from: G::Square,
    to: G::Square,
) -> Option<IllegalMove<G>> {
    let us = position.side_to_move();
    let is_taken = position.occupied().contains(to);
    let attacks = G::pawn_sources(us, to).contains(from);
    let steps = pawn_steps::<G>(us, from);
    if steps.contains(to) {
        // Straight ahead a pawn on a plain point of Chesquerque captures what is there.
        return (is_taken && !attacks).then_some(IllegalMove::PawnBlocked(to));
    }
    if attacks {
        let captures = is_taken || position.answered_double_step(from, to).is_some();
        return (!captures).then_some(IllegalMove::NothingToCapture(to));
    }
    // Two steps with a turn half-way are meant as a double step too.
    if steps.into_iter().any(|over| pawn_steps::<G>(us, over).contains(to)) {
        let allowed = !is_taken && position.pawn_reaches(us, from, to);
        return (!allowed).then_some(IllegalMove::DoubleStep);
    }
    Some(IllegalMove::WrongPath { kind: G::Kind::PAWN, from })
}

/// The wing on which a king's move from its own square is meant to castle.
fn castling_meant<G: Geometry>(position: &Position<G>, mv: MoveOf<G>) -> Option<Wing> {
    if position.kind_on(mv.from) != Some(G::Kind::KING) {
        return None;
    }
    Wing::ALL.into_iter().find(|&wing| {
        let path = CastlingPath::<G>::of(position.side_to_move(), wing);
        path.king_from == mv.from && path.king_to == mv.to
    })
}

fn reason_against_castling<G: Geometry>(position: &Position<G>, wing: Wing) -> IllegalMove<G> {
    let us = position.side_to_move();
    let path = CastlingPath::<G>::of(us, wing);
    if !position.castling().has(us, wing) {
        return IllegalMove::CastlingLost;
    }
    let mut between = path.between.into_iter();
    if let Some(taken) = between.find(|&square| position.kind_on(square).is_some()) {
        return IllegalMove::CastlingBlocked(taken);
    }
    let mut crossed = path.crossed.into_iter();
    match crossed.find(|&square| position.is_attacked(square, !us, position.occupied())) {
        Some(square) if !position.in_check() => IllegalMove::CastlingThroughCheck(square),
        _ => IllegalMove::CastlingOutOfCheck,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chesquerque::{PieceKind, Point, Position, START_FEN};

    #[test]
    fn reasons_fit() {
        for (fen, text, reason) in [
            (START_FEN, "e5e6", "no piece stands on e5"),
            (START_FEN, "e8e6", "it is White's turn, and the pawn on e8 is Black's"),
            (START_FEN, "a1a2", "your own pawn stands on a2"),
            (START_FEN, "c1e3", "the way is blocked on d2"),
            (
                START_FEN,
                "e2e5",
                "a pawn on a plain point moves and captures one step straight ahead",
            ),
            (START_FEN, "b1b2q", "your own pawn stands on b2"),
            (
                START_FEN,
                "d2e3",
                "a pawn moves diagonally only to capture, and nothing stands on e3",
            ),
            (
                START_FEN,
                "e1h1",
                "castling needs empty points between king and rook, and f1 is taken",
            ),
            (START_FEN, "a1a3", "the way is blocked on a2"),
            (
                "4k4/9/9/9/4B4/9/9/9/4K4 w - - 0 1",
                "e5e7",
                "a bishop on a diagonal point moves diagonally any distance, or one step orthogonally",
            ),
            (
                "4k4/9/9/9/3A5/9/9/9/4K4 w - - 0 1",
                "d5f7",
                "an archbishop on a plain point moves one step orthogonally, or as a knight",
            ),
            (
                "4k4/9/9/9/3B5/9/9/9/4K4 w - - 0 1",
                "d5f7",
                "a bishop on a plain point moves one step orthogonally only",
            ),
            (
                "4k4/9/9/4p4/4P4/9/9/9/4K4 w - - 0 1",
                "e5e6",
                "a pawn on a diagonal point cannot capture straight ahead, and e6 is taken",
            ),
            (
                "4k4/9/9/9/4P4/9/9/9/4K4 w - - 0 1",
                "e5e7",
                "a pawn goes two points only from where it started, over empty points",
            ),
            (
                "4k4/9/9/9/4P4/9/9/9/4K4 w - - 0 1",
                "e5e6q",
                "only a pawn that reaches the last rank is promoted",
            ),
            (
                "9/P3k4/9/9/9/9/9/9/4K4 w - - 0 1",
                "a8a9",
                "a pawn on the last rank becomes a queen, rook, bishop, knight or archbishop: add q, r, b, n or a",
            ),
            ("4k4/9/9/9/9/9/5r3/9/4K4 w - - 0 1", "e1f1", "the king would be in check on f1"),
            ("4k4/4r4/9/9/9/9/9/4B4/4K4 w - - 0 1", "e2f2", "it would leave the king in check"),
            (
                "4k4/4r4/9/9/9/9/9/9/B3K4 w - - 0 1",
                "a1b2",
                "the king is in check, and this does not help",
            ),
            (
                "4k4/9/9/9/9/9/9/9/4K3R w - - 0 1",
                "e1h1",
                "the king or that rook has moved, so castling is over",
            ),
            (
                "3rk4/9/9/9/9/9/9/9/R3K4 w Q - 0 1",
                "e1b1",
                "castling leads over d1, which is attacked",
            ),
            ("4k4/4r4/9/9/9/9/9/9/R3K4 w Q - 0 1", "e1b1", "a king in check cannot castle"),
            ("4k4/9/9/9/4N4/3p1p3/9/9/4K4 w - - 0 1", "e5d3", "the way is blocked on d4"),
        ] {
            let position = Position::from_fen(fen).expect(fen).position;
            let mv = Move::parse(text).expect(text);
            let found = position.why_illegal(mv).map(|found| found.to_string());
            assert_eq!(found.as_deref(), Some(reason), "{fen} {text}");
        }
    }

    #[test]
    fn reasons_fit_algebraic_notation() {
        for (fen, text, reason) in [
            // The other knight never goes there.
            (START_FEN, "Nc3", "the way is blocked on b2"),
            (START_FEN, "e5", "a pawn on a plain point moves and captures one step straight ahead"),
            (START_FEN, "e4=Q", "only a pawn that reaches the last rank is promoted"),
            (
                START_FEN,
                "dxe3",
                "a pawn moves diagonally only to capture, and nothing stands on e3",
            ),
            (
                START_FEN,
                "O-O!",
                "castling needs empty points between king and rook, and f1 is taken",
            ),
            (
                START_FEN,
                "Ka5",
                "a king on a diagonal point moves one step in any direction, or castles",
            ),
            ("4k4/4r4/9/9/9/9/9/4B4/4K4 w - - 0 1", "Bf2+", "it would leave the king in check"),
            (
                "9/P3k4/9/9/9/9/9/9/4K4 w - - 0 1",
                "a9",
                "a pawn on the last rank becomes a queen, rook, bishop, knight or archbishop: add q, r, b, n or a",
            ),
            // Both rooks come to the same: they stand on plain points.
            (
                "4k4/9/9/9/9/9/9/9/1R2K2R1 w - - 0 1",
                "Re5",
                "a rook on a plain point moves orthogonally any distance",
            ),
            // One stands on a plain point, the other on a diagonal one.
            ("4k4/9/9/9/9/9/9/9/R3K2R1 w - - 0 1", "Re5", "`Re5` is not a legal move here"),
            // It is legal, but not so written; nothing can be meant.
            (START_FEN, "exe4", "`exe4` is not a legal move here"),
            (START_FEN, "Ae5e6", "`Ae5e6` is not a legal move here"),
            ("4k4/9/9/9/9/9/9/9/4K4 w - - 0 1", "Qe5", "`Qe5` is not a legal move here"),
        ] {
            let position = Position::from_fen(fen).expect(fen).position;
            let found = position.read_move(text).map_err(|error| error.to_string());
            assert_eq!(found, Err(reason.to_owned()), "{fen} {text}");
        }
    }

    #[test]
    fn every_move_is_legal_or_has_a_reason() {
        let fen = "r3k3r/1pP2p3/9/2b1p4/4P1B2/4a4/2N6/PPP2P1PP/R3K3R w KQkq - 0 1";
        let position = Position::from_fen(fen).expect("a sound position").position;
        let promotions = [None, Some(PieceKind::Queen), Some(PieceKind::Archbishop)];
        for from in Point::all() {
            for to in Point::all() {
                for promotion in promotions {
                    let mv = Move { from, to, promotion };
                    assert_eq!(position.why_illegal(mv).is_none(), position.is_legal(mv), "{mv}");
                }
            }
        }
    }
}
