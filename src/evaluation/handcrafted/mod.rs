//! The hand-crafted evaluation, without a network.
//!
//! That of Chesquerque is tapered and linear: it counts the [`Feature`]s
//! of a position, term by term. Each has a value for the middle game and one
//! for the endgame (`values.rs`, written by the tuner); the sum of all is
//! interpolated by the pieces left. The same code counts for the search, which
//! wants the sum, and for the tuner, which wants the counts (an evaluation
//! trace). The other games have material only, from which the training of a first network
//! starts.

mod board;
mod endings;
mod geometry;
mod king;
mod pawns;
mod piece_square;
mod pieces;
mod sink;
mod tapered;
mod terms;
mod threats;

use qirkat_game::Rules;
use qirkat_game::score::Score;
use qirkat_rules::chesquerque::{Color, PieceKind, Position};
use qirkat_rules::{alquerque, masonic};

use crate::network::NetworkInput;
use board::Board;
use sink::{Sink, Sum};
use terms::Block;

pub use sink::{Counts, DANGER_UNIT, MAX_DANGER};
pub use tapered::Tapered;
pub use terms::{Feature, Term};

/// The text of `values.rs`, which the tuner writes anew.
pub const VALUES_SOURCE: &str = include_str!("../values.rs");

/// Weight of each piece in the phase of the game.
const PHASE_WEIGHT: [i32; PieceKind::COUNT] = [0, 1, 2, 3, 3, 4, 0];
/// The phase of the starting position: that of the middle game.
pub const WHOLE_PHASE: i32 = 38;

/// A game with a hand-crafted evaluation.
pub trait HandcraftedEvaluation: NetworkInput {
    /// The static evaluation for the side to move.
    fn handcrafted(&self) -> Score;

    /// Endgame knowledge before evaluation, for the side to move: the value of a known
    /// ending, or else what `evaluate` returns, in centipawns.
    #[inline]
    fn known_ending_or(&self, evaluate: impl FnOnce() -> i32) -> Score {
        Score::centipawns(evaluate())
    }
}

impl HandcraftedEvaluation for Position {
    #[inline]
    fn handcrafted(&self) -> Score {
        evaluate(self)
    }

    #[inline]
    fn known_ending_or(&self, evaluate: impl FnOnce() -> i32) -> Score {
        known_ending_or(self, evaluate)
    }
}

impl HandcraftedEvaluation for masonic::Position {
    fn handcrafted(&self) -> Score {
        let value = |color, kind: masonic::PieceKind| {
            masonic::PIECE_VALUES[kind.index()] * self.of(color, kind).len() as i32
        };
        let material =
            |color| masonic::PieceKind::ALL.into_iter().map(|kind| value(color, kind)).sum();
        balance(self, material)
    }
}

impl HandcraftedEvaluation for alquerque::Position {
    fn handcrafted(&self) -> Score {
        balance(self, |color| alquerque::MAN_VALUE * self.men(color).len() as i32)
    }
}

/// The material balance for the side to move, in centipawns.
fn balance(position: &impl NetworkInput, material: impl Fn(Color) -> i32) -> Score {
    let us = position.side_to_move();
    Score::centipawns(material(us) - material(!us))
}

/// The hand-crafted evaluation of a position for the side to move.
pub fn evaluate(position: &Position) -> Score {
    known_ending_or(position, || {
        let [white, black] = trace::<Sum>(position).map(Sum::balance);
        let value = (white - black).at(phase(position), WHOLE_PHASE);
        match position.side_to_move() {
            Color::White => value,
            Color::Black => -value,
        }
    })
}

/// Endgame knowledge before evaluation, for the side to move: the value of a known
/// ending, or else what `evaluate` returns, in centipawns, scaled down where the
/// better side does not have the pieces to win.
fn known_ending_or(position: &Position, evaluate: impl FnOnce() -> i32) -> Score {
    let us = position.side_to_move();
    if let Some(value) = endings::lone_king(position, us) {
        return Score::centipawns(value);
    }
    if let Some(value) = endings::lone_king(position, !us) {
        return Score::centipawns(-value);
    }
    let value = evaluate();
    let owner = if value > 0 { us } else { !us };
    Score::centipawns(value * endings::scale(position, owner) / endings::WHOLE_SCALE)
}

/// The phase of the game: how much of the middle game is left, up to [`WHOLE_PHASE`].
pub fn phase(position: &Position) -> i32 {
    let weight = |kind: PieceKind| PHASE_WEIGHT[kind.index()] * position.of_kind(kind).len() as i32;
    PieceKind::ALL.into_iter().map(weight).sum::<i32>().min(WHOLE_PHASE)
}

/// Counts the features of White and of Black.
#[inline]
fn trace<S: Sink>(position: &Position) -> [S; 2] {
    use Color::{Black, White};
    let board = Board::new(position);
    let (mut white, mut black) = (S::default(), S::default());
    let whites = pieces::count(&board, White, &mut white, &mut black);
    let blacks = pieces::count(&board, Black, &mut black, &mut white);
    pawns::count(&board, White, &blacks, &mut white);
    pawns::count(&board, Black, &whites, &mut black);
    threats::count(&board, White, &whites, &blacks, &mut white);
    threats::count(&board, Black, &blacks, &whites, &mut black);
    king::count(&board, White, &whites, &blacks, &mut white);
    king::count(&board, Black, &blacks, &whites, &mut black);
    match position.side_to_move() {
        White => white.add(Block::Tempo.at(0), 1),
        Black => black.add(Block::Tempo.at(0), 1),
    }
    [white, black]
}

/// The evaluation trace: how often White and Black have each feature.
///
/// ```
/// use qirkat_rules::chesquerque::Position;
/// use qirkat_evaluation::{Term, counts};
///
/// let [white, black] = counts(&Position::default());
/// assert_eq!(white.value(Term::Material), black.value(Term::Material));
/// assert!(white.value(Term::Material).middle_game() > 0);
/// ```
pub fn counts(position: &Position) -> [Counts; 2] {
    trace(position)
}

/// Whether the position is evaluated by the sum of its features alone: neither is
/// there a lone king to mate, nor a side without the pieces to win.
pub fn is_linear(position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| {
        endings::scale(position, color) == endings::WHOLE_SCALE
            && endings::lone_king(position, color).is_none()
    })
}
