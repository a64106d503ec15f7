//! Why a move is not legal, in words that teach the rules.

use thiserror::Error;

use super::castling::{CastlingPath, Wing};
use super::chess_move::Move;
use super::chess_position::{ChessPosition, ChessTypes, MoveOf, SquareSet};
use super::kind::Kind;
use super::piece::Piece;
use super::rule_words::RuleWords;
use super::san::{self, Meant};
use super::square::Square;
use qirkat_game::{Color, SanError};

/// Why a text is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveTextError<S: Square, K: RuleWords<S>> {
    /// It is a move in long algebraic text, but not a legal one.
    #[error(transparent)]
    Illegal(#[from] IllegalMove<S, K>),
    /// It is not a legal move in algebraic notation either.
    #[error(transparent)]
    San(#[from] SanError),
}

/// Why a move is not legal, in words that teach the rules.
///
/// ```
/// use qirkat_rules::chesquerque::{IllegalMove, Position};
///
/// let reason = Position::start().why_illegal("c1e3".parse()?).ok_or("legal")?;
/// assert_eq!(reason, IllegalMove::Blocked("d2".parse()?));
/// assert_eq!(reason.to_string(), "the way is blocked on d2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalMove<S: Square, K: RuleWords<S>> {
    /// No piece stands there.
    #[error("no piece stands on {0}")]
    NoPiece(S),
    /// The piece there belongs to the other side.
    #[error("it is {to_move:?}'s turn, and the {} on {from} is {:?}'s", kind.name(), !*to_move)]
    WrongColor {
        /// Whose turn it is.
        to_move: Color,
        /// The piece.
        kind: K,
        /// Where it stands.
        from: S,
    },
    /// Pieces of one side never capture each other.
    #[error("your own {} stands on {to}", kind.name())]
    OwnPiece {
        /// The piece there.
        kind: K,
        /// Where the move goes.
        to: S,
    },
    /// The piece does not move so, wherever the others stand.
    #[error("{}", kind.movement(*from))]
    WrongPath {
        /// The piece.
        kind: K,
        /// Where it stands.
        from: S,
    },
    /// Something stands on the way.
    #[error("the way is blocked on {0}")]
    Blocked(S),
    /// A pawn's way ahead is blocked, and it does not capture so.
    #[error("{words}, and {0} is taken", words = K::PAWN_BLOCKED)]
    PawnBlocked(S),
    /// A pawn's capture of nothing.
    #[error("a pawn moves diagonally only to capture, and nothing stands on {0}")]
    NothingToCapture(S),
    /// A double step that is not allowed: from elsewhere than the pawns' first rank, over
    /// pieces, or as a capture.
    #[error("{}", K::DOUBLE_STEP)]
    DoubleStep,
    /// A pawn on the last rank has to be promoted.
    #[error("{}", K::NEEDS_PROMOTION)]
    NeedsPromotion,
    /// Nothing else promotes.
    #[error("only a pawn that reaches the last rank is promoted")]
    NoPromotion,
    /// Castling after king or rook has moved.
    #[error("the king or that rook has moved, so castling is over")]
    CastlingLost,
    /// Castling over pieces.
    #[error("castling needs empty {name}s between king and rook, and {0} is taken", name = S::NAME)]
    CastlingBlocked(S),
    /// Castling out of check.
    #[error("a king in check cannot castle")]
    CastlingOutOfCheck,
    /// Castling through or into check.
    #[error("castling leads over {0}, which is attacked")]
    CastlingThroughCheck(S),
    /// The king would step into check.
    #[error("the king would be in check on {0}")]
    IntoCheck(S),
    /// The king is in check and stays so.
    #[error("the king is in check, and this does not help")]
    StillInCheck,
    /// The piece stands between its king and an attacker.
    #[error("it would leave the king in check")]
    Pinned,
}

/// Why a move is not legal in a position's game.
pub(crate) type ReasonOf<P> = IllegalMove<<P as ChessTypes>::Square, <P as ChessTypes>::Kind>;
/// Why a text is not a legal move in a position's game.
type MoveTextErrorOf<P> = MoveTextError<<P as ChessTypes>::Square, <P as ChessTypes>::Kind>;

/// A position that knows enough of its rules to explain them.
pub(crate) trait ExplainsRules: ChessPosition {
    /// The squares of a castling move.
    fn castling_path(
        color: Color,
        wing: Wing,
    ) -> &'static CastlingPath<Self::Square, Self::Bitboard>;

    /// The squares that must be empty for a piece on one square to attack the other.
    fn between(from: Self::Square, to: Self::Square) -> Self::Bitboard;

    /// Whether a piece of `by` attacks a square.
    fn is_attacked_by(&self, square: Self::Square, by: Color) -> bool;

    /// Whether a piece of the side to move on `from` attacks `to` when the squares in
    /// `occupied` are taken.
    fn reaches(
        &self,
        kind: Self::Kind,
        from: Self::Square,
        to: Self::Square,
        occupied: Self::Bitboard,
    ) -> bool;

    /// What is wrong with the way a pawn of the side to move would go.
    fn pawn_fault(&self, from: Self::Square, to: Self::Square) -> Option<ReasonOf<Self>>;
}

/// Reads a legal move, in long algebraic text or in algebraic notation.
pub(crate) fn read_move<P: ExplainsRules>(
    position: &P,
    text: &str,
) -> Result<MoveOf<P>, MoveTextErrorOf<P>> {
    if let Some(mv) = Move::parse(text) {
        return match why_illegal(position, mv) {
            None => Ok(mv),
            Some(reason) => Err(reason.into()),
        };
    }
    // A promotion to a king or pawn does not parse as a move.
    let squares: Option<MoveOf<P>> = text.get(..4).and_then(Move::parse);
    if squares.is_some_and(|mv| why_illegal(position, mv) == Some(IllegalMove::NeedsPromotion)) {
        return Err(IllegalMove::NeedsPromotion.into());
    }
    san::read(position, text).map_err(|error| match error {
        SanError::Illegal(_) => {
            reason_against_san(position, text).map_or_else(|| error.into(), |reason| reason.into())
        }
        error => error.into(),
    })
}

/// Why a move in algebraic notation is not legal; none where that differs between the pieces
/// that it could mean. A piece that never goes there was not meant if another could.
fn reason_against_san<P: ExplainsRules>(position: &P, text: &str) -> Option<ReasonOf<P>> {
    let moves = match san::meant(position, text)? {
        Meant::Castling(wing) => return Some(reason_against_castling(position, wing)),
        Meant::Moves(moves) => moves,
    };
    let reasons = moves.into_iter().filter_map(|mv| why_illegal(position, mv));
    let (strays, others): (Vec<ReasonOf<P>>, Vec<ReasonOf<P>>) =
        reasons.partition(|reason| matches!(reason, IllegalMove::WrongPath { .. }));
    let reasons = if others.is_empty() { strays } else { others };
    let (first, rest) = reasons.split_first()?;
    // The words count: knights on two plain points go alike.
    rest.iter().all(|other| other.to_string() == first.to_string()).then_some(*first)
}

/// Why a move is not legal; none if it is.
pub(crate) fn why_illegal<P: ExplainsRules>(position: &P, mv: MoveOf<P>) -> Option<ReasonOf<P>> {
    (!position.is_legal(mv)).then(|| reason_against(position, mv))
}

fn reason_against<P: ExplainsRules>(position: &P, mv: MoveOf<P>) -> ReasonOf<P> {
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
    let is_pawn = kind == P::Kind::PAWN;
    let fault =
        if is_pawn { position.pawn_fault(from, to) } else { piece_fault(position, kind, from, to) };
    if let Some(fault) = fault {
        return fault;
    }
    let last_rank = if us == Color::White { P::Square::RANKS - 1 } else { 0 };
    let promotes = is_pawn && to.rank() == last_rank;
    match promotion {
        None if promotes => IllegalMove::NeedsPromotion,
        Some(kind) if promotes && !P::Kind::PROMOTIONS.contains(&kind) => {
            IllegalMove::NeedsPromotion
        }
        Some(_) if !promotes => IllegalMove::NoPromotion,
        _ if kind == P::Kind::KING => IllegalMove::IntoCheck(to),
        _ if position.in_check() => IllegalMove::StillInCheck,
        _ => IllegalMove::Pinned,
    }
}

/// What is wrong with the way a piece other than a pawn would go.
fn piece_fault<P: ExplainsRules>(
    position: &P,
    kind: P::Kind,
    from: P::Square,
    to: P::Square,
) -> Option<ReasonOf<P>> {
    if !position.reaches(kind, from, to, P::Bitboard::EMPTY) {
        return Some(IllegalMove::WrongPath { kind, from });
    }
    if position.reaches(kind, from, to, position.occupied()) {
        return None;
    }
    // The pieces in the way, the nearest first.
    P::between(from, to)
        .into_iter()
        .filter(|&square| position.kind_on(square).is_some())
        .min_by_key(|square| {
            (square.rank().abs_diff(from.rank()), square.file().abs_diff(from.file()))
        })
        .map(IllegalMove::Blocked)
}

/// The wing on which a king's move from its own square is meant to castle.
fn castling_meant<P: ExplainsRules>(position: &P, mv: MoveOf<P>) -> Option<Wing> {
    if position.kind_on(mv.from) != Some(P::Kind::KING) {
        return None;
    }
    Wing::ALL.into_iter().find(|&wing| {
        let path = P::castling_path(position.side_to_move(), wing);
        path.king_from == mv.from && path.king_to == mv.to
    })
}

fn reason_against_castling<P: ExplainsRules>(position: &P, wing: Wing) -> ReasonOf<P> {
    let us = position.side_to_move();
    let path = P::castling_path(us, wing);
    if !position.castling().has(us, wing) {
        return IllegalMove::CastlingLost;
    }
    let mut between = path.between.into_iter();
    if let Some(taken) = between.find(|&square| position.kind_on(square).is_some()) {
        return IllegalMove::CastlingBlocked(taken);
    }
    let mut crossed = path.crossed.into_iter();
    match crossed.find(|&square| position.is_attacked_by(square, !us)) {
        Some(square) if !position.in_check() => IllegalMove::CastlingThroughCheck(square),
        _ => IllegalMove::CastlingOutOfCheck,
    }
}
