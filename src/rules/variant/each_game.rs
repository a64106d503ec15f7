//! One expression for the position of whichever game it is.

/// Evaluates an expression for the position of whichever game it is.
macro_rules! of_each {
    ($any:expr, $position:ident => $value:expr) => {
        match $any {
            AnyPosition::Chesquerque($position) => $value,
            AnyPosition::Masonic($position) => $value,
            AnyPosition::Alquerque($position) => $value,
        }
    };
}

/// Evaluates an expression for a position and a move of the same game; `$other` where they
/// are of two games.
macro_rules! with_move {
    ($any:expr, $mv:expr, ($position:ident, $known:ident) => $value:expr, $other:expr) => {
        match ($any, $mv) {
            (AnyPosition::Chesquerque($position), AnyMove::Chesquerque($known)) => $value,
            (AnyPosition::Masonic($position), AnyMove::Masonic($known)) => $value,
            (AnyPosition::Alquerque($position), AnyMove::Alquerque($known)) => $value,
            _ => $other,
        }
    };
}

pub(super) use {of_each, with_move};
