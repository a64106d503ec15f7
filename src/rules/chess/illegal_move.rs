//! Reasons against illegal moves.

use qirkat_game::{Color, MoveTextError, ReadMove, Rules, SanError};
use thiserror::Error;

use super::castling::{CastlingPath, Wing};
use super::geometry::{Geometry, MoveOf};
use super::pawns::{last_rank, pawn_steps};
use super::piece::{Kind, Move, Piece};
use super::position::Position;
use super::san::SanCandidates;
use super::square::{Square, SquareSet};

/// Why a move is illegal, in words that teach the rules.
///
/// ```
/// use qirkat_game::{ReadMove, Rules};
/// use qirkat_rules::chesquerque::{IllegalMove, Position};
///
/// let reason = Position::start().why_illegal("c1e3".parse()?).ok_or("legal")?;
/// assert_eq!(reason, IllegalMove::Blocked("d2".parse()?));
/// assert_eq!(reason.to_string(), "the path is blocked on d2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalMove<G: Geometry> {
    #[error("no piece stands on {0}")]
    NoPiece(G::Square),
    #[error("it is {to_move:?}'s turn, and the {} on {from} is {:?}'s", kind.name(), !*to_move)]
    WrongColor { to_move: Color, kind: G::Kind, from: G::Square },
    #[error("your own {} stands on {to}", kind.name())]
    OwnPiece { kind: G::Kind, to: G::Square },
    #[error("{}", G::movement(*kind, *from))]
    WrongPath { kind: G::Kind, from: G::Square },
    #[error("the path is blocked on {0}")]
    Blocked(G::Square),
    /// A pawn's step is blocked, and it does not capture that way.
    #[error("{words}, and {0} is occupied", words = G::PAWN_BLOCKED)]
    PawnBlocked(G::Square),
    #[error("a pawn moves diagonally only to capture, and nothing stands on {0}")]
    NothingToCapture(G::Square),
    /// An illegal double step: not from the pawns' starting rank, over pieces, or as a capture.
    #[error("{}", G::DOUBLE_STEP)]
    DoubleStep,
    #[error("{}", G::NEEDS_PROMOTION)]
    NeedsPromotion,
    #[error("only a pawn that reaches the last rank is promoted")]
    NoPromotion,
    #[error("the king or that rook has moved, so castling is over")]
    CastlingLost,
    #[error("castling needs empty {name}s between king and rook, and {0} is occupied", name = G::Square::NAME)]
    CastlingBlocked(G::Square),
    #[error("a king in check cannot castle")]
    CastlingOutOfCheck,
    #[error("castling leads over {0}, which is attacked")]
    CastlingThroughCheck(G::Square),
    #[error("the king would be in check on {0}")]
    IntoCheck(G::Square),
    #[error("the king is in check, and this does not help")]
    StillInCheck,
    #[error("it would leave the king in check")]
    Pinned,
}

impl<G: Geometry> ReadMove for Position<G> {
    type IllegalMove = IllegalMove<G>;

    /// Reads a legal move in long algebraic notation (`e2e4`) or in algebraic notation (`e4`).
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
    /// When the text is not a move, or not a legal one.
    fn read_move(&self, text: &str) -> Result<MoveOf<G>, MoveTextError<IllegalMove<G>>> {
        if let Some(mv) = Move::parse(text) {
            return self
                .why_illegal(mv)
                .map_or(Ok(mv), |reason| Err(MoveTextError::Illegal(reason)));
        }
        // Promotions to a king or pawn are not parsed as moves.
        let squares: Option<MoveOf<G>> = text.get(..4).and_then(Move::parse);
        let promotes =
            || squares.is_some_and(|mv| self.why_illegal(mv) == Some(IllegalMove::NeedsPromotion));
        self.parse_san(text).map_err(|error| match error {
            _ if promotes() => MoveTextError::Illegal(IllegalMove::NeedsPromotion),
            SanError::Illegal(_) => {
                self.reason_against_san(text).map_or_else(|| error.into(), MoveTextError::Illegal)
            }
            error => error.into(),
        })
    }

    fn why_illegal(&self, mv: MoveOf<G>) -> Option<IllegalMove<G>> {
        (!self.is_legal(mv)).then(|| self.reason_against(mv))
    }
}

impl<G: Geometry> Position<G> {
    /// The position after a move that may be illegal.
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
    pub fn try_play(&self, mv: MoveOf<G>) -> Result<Position<G>, IllegalMove<G>> {
        self.why_illegal(mv).map_or_else(|| Ok(self.after(mv)), Err)
    }

    /// Why a move in algebraic notation is illegal; none if the possible pieces have different
    /// reasons. Pieces that never reach the target are ignored if another could.
    fn reason_against_san(&self, text: &str) -> Option<IllegalMove<G>> {
        let moves = match self.san_candidates(text)? {
            SanCandidates::Castling(wing) => return Some(self.reason_against_castling(wing)),
            SanCandidates::Moves(moves) => moves,
        };
        let reasons = moves.into_iter().filter_map(|mv| self.why_illegal(mv));
        let (strays, others): (Vec<IllegalMove<G>>, Vec<IllegalMove<G>>) =
            reasons.partition(|reason| matches!(reason, IllegalMove::WrongPath { .. }));
        let reasons = if others.is_empty() { strays } else { others };
        let (first, rest) = reasons.split_first()?;
        // Compares the messages: knights on two plain points move alike.
        rest.iter().all(|other| other.to_string() == first.to_string()).then_some(*first)
    }

    fn reason_against(&self, mv: MoveOf<G>) -> IllegalMove<G> {
        let Move { from, to, promotion } = mv;
        let us = self.side_to_move();
        let Some(Piece { color, kind }) = self.piece_on(from) else {
            return IllegalMove::NoPiece(from);
        };
        if color != us {
            return IllegalMove::WrongColor { to_move: us, kind, from };
        }
        if let Some(wing) = self.attempted_castling(mv) {
            return self.reason_against_castling(wing);
        }
        if let Some(own) = self.piece_on(to).filter(|piece| piece.color == us) {
            return IllegalMove::OwnPiece { kind: own.kind, to };
        }
        let is_pawn = kind == G::Kind::PAWN;
        let reason = if is_pawn { self.pawn_reason(mv) } else { self.piece_reason(kind, mv) };
        if let Some(reason) = reason {
            return reason;
        }
        let promotes = is_pawn && last_rank::<G>(us).contains(to);
        match promotion {
            None if promotes => IllegalMove::NeedsPromotion,
            Some(kind) if promotes && !G::Kind::PROMOTIONS.contains(&kind) => {
                IllegalMove::NeedsPromotion
            }
            Some(_) if !promotes => IllegalMove::NoPromotion,
            _ if kind == G::Kind::KING => IllegalMove::IntoCheck(to),
            _ if self.in_check() => IllegalMove::StillInCheck,
            _ => IllegalMove::Pinned,
        }
    }

    fn piece_reason(&self, kind: G::Kind, mv: MoveOf<G>) -> Option<IllegalMove<G>> {
        let Move { from, to, .. } = mv;
        let us = self.side_to_move();
        if !self.reaches(kind, us, from, to, G::Bitboard::EMPTY) {
            return Some(IllegalMove::WrongPath { kind, from });
        }
        if self.reaches(kind, us, from, to, self.occupied()) {
            return None;
        }
        // The blocking pieces, the nearest first.
        G::between(from, to)
            .into_iter()
            .filter(|&square| self.kind_on(square).is_some())
            .min_by_key(|square| {
                (square.rank().abs_diff(from.rank()), square.file().abs_diff(from.file()))
            })
            .map(IllegalMove::Blocked)
    }

    fn pawn_reason(&self, mv: MoveOf<G>) -> Option<IllegalMove<G>> {
        let Move { from, to, .. } = mv;
        let us = self.side_to_move();
        let is_occupied = self.occupied().contains(to);
        let attacks = G::pawn_sources(us, to).contains(from);
        let steps = pawn_steps::<G>(us, from);
        if steps.contains(to) {
            // In Chesquerque a pawn on a plain point captures straight ahead.
            return (is_occupied && !attacks).then_some(IllegalMove::PawnBlocked(to));
        }
        if attacks {
            let captures = is_occupied || self.captured_double_step(from, to).is_some();
            return (!captures).then_some(IllegalMove::NothingToCapture(to));
        }
        // Two steps with a turn half-way count as an attempted double step.
        if steps.into_iter().any(|over| pawn_steps::<G>(us, over).contains(to)) {
            let allowed = !is_occupied && self.pawn_reaches(us, from, to);
            return (!allowed).then_some(IllegalMove::DoubleStep);
        }
        Some(IllegalMove::WrongPath { kind: G::Kind::PAWN, from })
    }

    /// The wing on which a king's move from its home square was meant to castle.
    fn attempted_castling(&self, mv: MoveOf<G>) -> Option<Wing> {
        if self.kind_on(mv.from) != Some(G::Kind::KING) {
            return None;
        }
        Wing::ALL.into_iter().find(|&wing| {
            let path = CastlingPath::<G>::of(self.side_to_move(), wing);
            path.king_from == mv.from && path.king_to == mv.to
        })
    }

    fn reason_against_castling(&self, wing: Wing) -> IllegalMove<G> {
        let us = self.side_to_move();
        let path = CastlingPath::<G>::of(us, wing);
        if !self.castling().has(us, wing) {
            return IllegalMove::CastlingLost;
        }
        let mut between = path.between.into_iter();
        if let Some(occupied) = between.find(|&square| self.kind_on(square).is_some()) {
            return IllegalMove::CastlingBlocked(occupied);
        }
        let mut crossed = path.crossed.into_iter();
        match crossed.find(|&square| self.is_attacked(square, !us, self.occupied())) {
            Some(square) if !self.in_check() => IllegalMove::CastlingThroughCheck(square),
            _ => IllegalMove::CastlingOutOfCheck,
        }
    }
}
