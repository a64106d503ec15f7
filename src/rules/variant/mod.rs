//! Positions of any of the games as one type.
//!
//! The search is compiled for each game. Code that stores and shows games (the arbiter, PGN,
//! suites, the protocols) does not need that speed: it uses [`AnyPosition`], an enum of the games'
//! positions, and is compiled once. [`VariantGame`] and [`match_game`](crate::match_game) convert
//! between them.

mod any_move;
mod any_position;
pub(crate) mod name;

pub use crate::fen::FenError;
pub use any_move::AnyMove;
pub use any_position::{AnyGame, AnyMoveTextError, AnyParsedFen, AnyPosition, CannotPass};
pub use name::{Place, UnknownVariant, Variant};

use crate::picture::Picture;
use crate::{alquerque, chesquerque, masonic};
use qirkat_game::{Board, GameState, Searchable};

/// Evaluates an expression for the game of a value. Takes the name of an enum with a variant for
/// each game, such as [`AnyPosition`], and a value of it.
///
/// A second expression, if given, is used for Alquerque, which is not a chess game. The macro also
/// takes two values, such as a position and a move; the last expression is used if they belong to
/// different games. Without any expression it gives the [`Variant`].
///
/// ```
/// use qirkat_game::Rules;
/// use qirkat_rules::match_game;
/// use qirkat_rules::variant::{AnyPosition, Variant};
///
/// let start = Variant::Alquerque.start();
/// let count = match_game!(AnyPosition, start, position => position.legal_moves().len());
/// assert_eq!(count, 4);
/// ```
#[macro_export]
macro_rules! match_game {
    ($Any:ident, $any:expr) => {
        match $any {
            $Any::Chesquerque(_) => $crate::variant::Variant::Chesquerque,
            $Any::Masonic(_) => $crate::variant::Variant::Masonic,
            $Any::Alquerque(_) => $crate::variant::Variant::Alquerque,
        }
    };
    ($Any:ident, $any:expr, $own:ident => $value:expr) => {
        match $any {
            $Any::Chesquerque($own) => $value,
            $Any::Masonic($own) => $value,
            $Any::Alquerque($own) => $value,
        }
    };
    ($Any:ident, $any:expr, $own:ident => $value:expr, $no_chess:expr) => {
        match $any {
            $Any::Chesquerque($own) => $value,
            $Any::Masonic($own) => $value,
            $Any::Alquerque(_) => $no_chess,
        }
    };
    (($Any:ident, $Other:ident), $both:expr, ($own:ident, $other:ident) => $value:expr, $mixed:expr) => {
        match $both {
            ($Any::Chesquerque($own), $Other::Chesquerque($other)) => $value,
            ($Any::Masonic($own), $Other::Masonic($other)) => $value,
            ($Any::Alquerque($own), $Other::Alquerque($other)) => $value,
            _ => $mixed,
        }
    };
}

/// Evaluates `$value` with `$Own` as the type of this game's positions.
///
/// ```
/// use qirkat_rules::match_variant;
/// use qirkat_rules::variant::{AnyPosition, Variant};
///
/// let start: AnyPosition = match_variant!(Variant::Masonic, Own => Own::default().into());
/// assert_eq!(start, Variant::Masonic.start());
/// ```
#[macro_export]
macro_rules! match_variant {
    ($variant:expr, $Own:ident => $value:expr) => {
        match $variant {
            $crate::variant::Variant::Chesquerque => {
                type $Own = $crate::chesquerque::Position;
                $value
            }
            $crate::variant::Variant::Masonic => {
                type $Own = $crate::masonic::Position;
                $value
            }
            $crate::variant::Variant::Alquerque => {
                type $Own = $crate::alquerque::Position;
                $value
            }
        }
    };
}

/// A game that is one of the variants.
pub trait VariantGame: Searchable<Move: Into<AnyMove>> + Into<AnyPosition> {
    const VARIANT: Variant;

    /// The position, if it is of this game.
    fn own_position(position: &AnyPosition) -> Option<&Self>;

    /// The move, if it is of this game.
    fn own_move(mv: AnyMove) -> Option<Self::Move>;

    /// The game in progress as one of any game.
    fn any_state(game: &GameState<Self>) -> AnyGame {
        let converted = game.convert(|position| Some(position.into()), |mv| Some(mv.into()));
        // Every position and move has a counterpart.
        converted.unwrap_or_default()
    }

    /// The game in progress, if it is of this game.
    fn own_state(game: &AnyGame) -> Option<GameState<Self>> {
        game.convert(|position| Self::own_position(&position).copied(), Self::own_move)
    }
}

macro_rules! variant_game {
    ($game:ident, $variant:ident, $Point:ident) => {
        impl $game::Position {
            /// The board as text, the last rank on top. On boards of lines an empty diagonal point
            /// is drawn `*`, an empty plain point `+`.
            pub fn picture(&self) -> Picture<'_> {
                Picture::new(Variant::$variant, |file, rank| {
                    Self::letter(self.piece_at($game::$Point::new(file, rank).index())?)
                })
            }

            /// The board drawn wider, with a caption under each point.
            pub fn captioned_picture<'a>(
                &'a self,
                caption: impl Fn($game::$Point) -> Option<String> + 'a,
            ) -> Picture<'a> {
                self.picture()
                    .with_captions(move |file, rank| caption($game::$Point::new(file, rank)))
            }
        }

        impl VariantGame for $game::Position {
            const VARIANT: Variant = Variant::$variant;

            fn own_position(position: &AnyPosition) -> Option<&Self> {
                if let AnyPosition::$variant(own) = position { Some(own) } else { None }
            }

            fn own_move(mv: AnyMove) -> Option<Self::Move> {
                if let AnyMove::$variant(own) = mv { Some(own) } else { None }
            }
        }
    };
}

variant_game!(chesquerque, Chesquerque, Point);
variant_game!(masonic, Masonic, Cell);
variant_game!(alquerque, Alquerque, Point);
