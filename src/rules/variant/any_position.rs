//! Positions of any game.

use derive_more::{Display, From};
use qirkat_game::text::Excerpt;
use qirkat_game::{
    Board, Color, GameHistory, GameState, Key, MoveFilter, MoveTextError, Outcome, ReadMove, Rules,
    SanError, Searchable, Terminal,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::any_move::AnyMove;
use super::name::{Place, Variant};
use crate::chess::{Square, san_line};
use crate::fen::{FenError, ParsedFen};
use crate::{alquerque, chesquerque, masonic, match_game, match_variant};

pub type AnyGame = GameState<AnyPosition>;

/// A position of any game, displayed as FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, From, Serialize, Deserialize)]
#[serde(into = "(Variant, String)", try_from = "(Variant, String)")]
pub enum AnyPosition {
    Chesquerque(chesquerque::Position),
    Masonic(masonic::Position),
    Alquerque(alquerque::Position),
}

impl Variant {
    pub fn start(self) -> AnyPosition {
        match_variant!(self, Own => <Own as Rules>::start().into())
    }

    pub fn new_game(self) -> AnyGame {
        AnyGame::from_position(self.start())
    }

    /// Reads a FEN of this game.
    ///
    /// # Errors
    /// When a field is missing or malformed, or the position is impossible.
    pub fn read_fen(self, fen: &str) -> Result<AnyParsedFen, FenError> {
        fn any<P: Into<AnyPosition>>(ParsedFen { position, notice }: ParsedFen<P>) -> AnyParsedFen {
            ParsedFen { position: position.into(), notice }
        }
        match_variant!(self, Own => Own::from_fen(fen).map(any))
    }
}

impl From<AnyPosition> for (Variant, String) {
    fn from(position: AnyPosition) -> (Variant, String) {
        (position.variant(), position.fen())
    }
}

impl TryFrom<(Variant, String)> for AnyPosition {
    type Error = FenError;

    fn try_from((variant, fen): (Variant, String)) -> Result<AnyPosition, FenError> {
        Ok(variant.read_fen(&fen)?.position)
    }
}

impl AnyPosition {
    pub const fn variant(&self) -> Variant {
        match_game!(AnyPosition, self)
    }

    /// Whether the side to move is in check; false in games without kings.
    pub fn in_check(&self) -> bool {
        match_game!(AnyPosition, self, position => position.in_check(), false)
    }

    /// Whether this side has only its king, so that no series of legal moves lets it win. False in
    /// games without kings: in Alquerque a single man can block the last of the others.
    pub fn is_bare_king(&self, color: Color) -> bool {
        match_game!(AnyPosition, self, position => !position.of_color(color).more_than_one(), false)
    }

    /// The fullmove number of FEN: from 1, one higher after each move of Black.
    pub const fn fullmove_number(&self) -> u16 {
        match_game!(AnyPosition, self, position => position.fullmove_number())
    }

    /// Plies since the last capture or pawn move, in Alquerque the last jump or step forward, as in FEN.
    pub const fn halfmove_clock(&self) -> u16 {
        match_game!(AnyPosition, self, position => position.halfmove_clock())
    }

    pub fn plies_to_100_ply_draw(&self) -> u16 {
        match_game!(AnyPosition, self, position => Searchable::plies_to_100_ply_draw(position))
    }

    /// The position with the sides swapped. [`AnyPosition::flip_notice`] reports lost castling
    /// rights.
    #[must_use]
    pub fn flipped(&self) -> AnyPosition {
        match_game!(AnyPosition, self, position => position.flipped().into())
    }

    /// The castling rights that [`AnyPosition::flipped`] loses, in words; none if it keeps all.
    /// They are lost in Masonic chess, where flipping the board puts no king on its home cell.
    ///
    /// ```
    /// use qirkat_rules::variant::Variant;
    ///
    /// assert_eq!(Variant::Chesquerque.start().flip_notice(), None);
    /// let notice = Variant::Masonic.start().flip_notice();
    /// assert!(notice.is_some_and(|notice| notice.starts_with("castling: `KQkq` dropped")));
    /// ```
    pub fn flip_notice(&self) -> Option<String> {
        let lost = match_game!(AnyPosition, self, position => position.castling_lost_by_flipping(), return None);
        (!lost.is_empty()).then(|| {
            format!(
                "castling: `{lost}` dropped, since rotating the board puts no king on its home cell"
            )
        })
    }

    pub fn fen(&self) -> String {
        match_game!(AnyPosition, self, position => position.fen())
    }

    pub fn picture(&self) -> String {
        match_game!(AnyPosition, self, position => position.picture().to_string())
    }

    /// The position after a null move, which shows the opponent's threats. It is never legal.
    ///
    /// # Errors
    /// When in check, or when the opponent would have no move.
    pub fn after_null_move(&self) -> Result<AnyPosition, CannotPass> {
        if self.in_check() {
            return Err(CannotPass::InCheck);
        }
        let passed: AnyPosition =
            match_game!(AnyPosition, self, position => position.after_null_move().into());
        if passed.has_legal_moves() { Ok(passed) } else { Err(CannotPass::NoReply) }
    }

    /// The position after a legal move, or after a [null move](AnyPosition::after_null_move) if
    /// that is possible; otherwise none.
    ///
    /// ```
    /// use qirkat_game::Rules;
    /// use qirkat_rules::variant::{AnyMove, Variant};
    ///
    /// let start = Variant::Chesquerque.start();
    /// let null = AnyMove::null(Variant::Chesquerque);
    /// assert_eq!((null.to_string(), start.san(null)), ("0000".to_owned(), "--".to_owned()));
    /// assert_eq!(start.after_or_null(null), start.after_null_move().ok());
    /// assert_eq!(start.after_or_null(null), Some(start.after(null)));
    /// ```
    pub fn after_or_null(&self, mv: AnyMove) -> Option<AnyPosition> {
        let is_null = mv == AnyMove::null(self.variant());
        let after = || self.is_legal(mv).then(|| self.after(mv));
        if is_null { self.after_null_move().ok() } else { after() }
    }

    /// Whether a legal move captures; false if it belongs to another game.
    pub fn captures(&self, mv: AnyMove) -> bool {
        self.captured(mv).is_some()
    }

    /// The lower-case letter of the captured piece (in a chain of jumps, of the first one); none if
    /// the move captures nothing or belongs to another game.
    pub fn captured(&self, mv: AnyMove) -> Option<char> {
        match (self, mv) {
            (AnyPosition::Chesquerque(position), AnyMove::Chesquerque(mv)) => {
                position.captured(mv).map(chesquerque::PieceKind::letter)
            }
            (AnyPosition::Masonic(position), AnyMove::Masonic(mv)) => {
                position.captured(mv).map(masonic::PieceKind::letter)
            }
            (AnyPosition::Alquerque(_), AnyMove::Alquerque(mv)) => mv.is_jump().then_some('m'),
            _ => None,
        }
    }

    /// The point of the king of the side to move; none in games without kings.
    pub fn king_of_side_to_move(&self) -> Option<String> {
        let us = self.side_to_move();
        match_game!(AnyPosition, self, position => Some(position.king(us).to_string()), None)
    }

    /// Where the pinned piece on a point may go without exposing its king, rank by rank from `a1`, its
    /// own point and the attacker's included; none if it is not pinned, as always without kings.
    pub fn pin(&self, place: Place) -> Option<Vec<Place>> {
        let letter = self.piece_on(place)?;
        let color = if letter.is_uppercase() { Color::White } else { Color::Black };
        match_game!(AnyPosition, self, position => {
            let line = position.pin(color, Square::new(place.file, place.rank))?;
            Some(line.into_iter().map(Place::from).collect())
        }, None)
    }

    /// Reads a legal move, in coordinate form or in algebraic notation.
    ///
    /// # Errors
    /// When the text is not a move, or not a legal one.
    pub fn read_move(&self, text: &str) -> Result<AnyMove, AnyMoveTextError> {
        match_game!(AnyPosition, self, position => match position.read_move(text) {
            Ok(mv) => Ok(mv.into()),
            Err(MoveTextError::Illegal(reason)) => Err(MoveTextError::Illegal(reason.to_string())),
            Err(MoveTextError::Malformed(fault)) => Err(MoveTextError::Malformed(fault)),
            Err(MoveTextError::San(error)) => Err(MoveTextError::San(error)),
        })
    }

    /// Reads a legal move in algebraic notation, or in coordinate form in games without it.
    ///
    /// # Errors
    /// When the text is not a move, or the move is illegal or ambiguous.
    pub fn parse_san(&self, text: &str) -> Result<AnyMove, SanError> {
        match self {
            AnyPosition::Chesquerque(position) => Ok(position.parse_san(text)?.into()),
            AnyPosition::Masonic(position) => Ok(position.parse_san(text)?.into()),
            AnyPosition::Alquerque(position) => match alquerque::Move::parse(text) {
                Some(mv) if position.is_legal(mv) => Ok(mv.into()),
                Some(_) => Err(SanError::Illegal(Excerpt::of(text))),
                None => Err(SanError::Malformed(Excerpt::of(text))),
            },
        }
    }

    /// Why a move is illegal, in words; none if it is legal.
    pub fn why_illegal(&self, mv: AnyMove) -> Option<String> {
        match_game!(
            (AnyPosition, AnyMove), (self, mv), (position, mv) => position.why_illegal(mv).map(|reason| reason.to_string()),
            Some(format!("it is not a move of {}", self.variant().title()))
        )
    }

    /// A legal move in algebraic notation, or in coordinate form in games without it. The null move
    /// is `--`.
    pub fn san(&self, mv: AnyMove) -> String {
        match (self, mv) {
            _ if mv.is_null() => "--".to_owned(),
            (AnyPosition::Chesquerque(position), AnyMove::Chesquerque(mv)) => position.san(mv),
            (AnyPosition::Masonic(position), AnyMove::Masonic(mv)) => position.san(mv),
            _ => mv.to_string(),
        }
    }

    /// A line of moves in the form of [`AnyPosition::san`], up to the first illegal one.
    pub fn san_line(&self, moves: &[AnyMove]) -> Vec<String> {
        san_line(*self, moves, AnyPosition::san)
    }

    /// The FEN letter of the piece on a point; none for an empty point or one off the board.
    pub fn piece_on(&self, place: Place) -> Option<char> {
        fn letter<G: Board>(position: &G, number: usize) -> Option<char> {
            G::letter(position.piece_at(number)?)
        }
        let variant = self.variant();
        if !place.is_on(variant) {
            return None;
        }
        let number = place.number(variant);
        match_game!(AnyPosition, self, position => letter(position, number))
    }

    /// All pieces by their FEN letters, from the last rank down.
    pub fn pieces(&self) -> Vec<(Place, char)> {
        let ranks = (0..self.variant().board_size()).rev();
        let files = 0..self.variant().board_size();
        ranks
            .flat_map(|rank| files.clone().map(move |file| Place { file, rank }))
            .filter_map(|place| Some((place, self.piece_on(place)?)))
            .collect()
    }

    /// The points of all pieces that attack a point, of both sides, pinned or not; those of the
    /// same side as the piece there defend it. In Alquerque, the men that can jump over it.
    pub fn attackers(&self, place: Place) -> Vec<Place> {
        if !place.is_on(self.variant()) {
            return Vec::new();
        }
        if let AnyPosition::Alquerque(position) = self {
            let either_to_move = [*position, position.after_null_move()];
            let mut found: Vec<Place> =
                either_to_move.iter().flat_map(|position| jumpers(position, place)).collect();
            found.sort_by_key(|from| (from.rank, from.file));
            found.dedup();
            return found;
        }
        match_game!(AnyPosition, self, position => {
            let found = position.attackers(Square::new(place.file, place.rank));
            found.into_iter().map(Place::from).collect()
        }, Vec::new())
    }
}

/// The men of the side to move that can jump over a point with their first jump.
fn jumpers(position: &alquerque::Position, over: Place) -> Vec<Place> {
    let jumps = position.moves(MoveFilter::Noisy).into_iter();
    let over_it =
        jumps.filter(|mv| mv.jump_legs().next().is_some_and(|leg| Place::from(leg.0) == over));
    over_it.map(|mv| mv.from().into()).collect()
}

/// Methods that the games' own positions have.
macro_rules! forward {
    ($(fn $name:ident(&self $(, $input:ident: $type:ty)?) -> $result:ty;)*) => {
        $(fn $name(&self $(, $input: $type)?) -> $result {
            match_game!(AnyPosition, self, position => Rules::$name(position $(, $input)?))
        })*
    };
}

impl Rules for AnyPosition {
    type Move = AnyMove;

    /// The starting position of Chesquerque; [`Variant::start`] has the others.
    fn start() -> AnyPosition {
        Variant::default().start()
    }

    forward! {
        fn side_to_move(&self) -> Color;
        fn key(&self) -> Key;
        fn reversible_plies(&self) -> usize;
        fn is_dead(&self) -> bool;
        fn without_moves(&self) -> Terminal;
        fn has_legal_moves(&self) -> bool;
        fn count_legal_moves(&self) -> u64;
        fn outcome(&self, history: &GameHistory) -> Option<Outcome>;
    }

    // Uses the games' own move lists, to avoid compiling a generator for a nested closure.
    fn moves(&self, filter: MoveFilter) -> Vec<AnyMove> {
        match_game!(AnyPosition, self, position => {
            Rules::moves(position, filter).into_iter().map(Into::into).collect()
        })
    }

    fn for_each_move(&self, filter: MoveFilter, sink: &mut impl FnMut(AnyMove)) {
        match_game!(AnyPosition, self, position => Rules::for_each_move(position, filter, &mut |mv| sink(mv.into())));
    }

    fn is_legal(&self, mv: AnyMove) -> bool {
        match_game!((AnyPosition, AnyMove), (self, mv), (position, mv) => position.is_legal(mv), false)
    }

    /// Makes a [null move](AnyMove::null) too, where passing is possible, and ignores a move of
    /// another game.
    fn make(&mut self, mv: AnyMove) {
        if mv == AnyMove::null(self.variant()) {
            *self = self.after_null_move().unwrap_or(*self);
            return;
        }
        match_game!((AnyPosition, AnyMove), (self, mv), (position, mv) => position.make(mv), ());
    }
}

pub type AnyParsedFen = ParsedFen<AnyPosition>;
/// Why a text is not a legal move, for any game: the reason is in words.
pub type AnyMoveTextError = MoveTextError<String>;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CannotPass {
    #[error("the side to move is in check")]
    InCheck,
    #[error("the other side has no legal move")]
    NoReply,
}
