//! Static evaluation: what a position is worth without looking ahead, by a
//! [`network`](crate::network) or by terms that people can read. Endings that
//! are known are the terms' in either case; [`Evaluation`] is the choice.
//!
//! The board is looked over once, term by term, and what is found is counted
//! by [`Feature`]. Each feature has a worth in the middle game and one in the
//! endgame (`values.rs`, written by the tuner); the sum of all is the
//! position's worth, somewhere between the two by the pieces left. The
//! same code counts for the search, which wants the sum, and for the tuner,
//! which wants the counts.

mod board;
mod choice;
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
#[rustfmt::skip]
mod values;
mod wdl;

pub use choice::{Evaluation, ThreadEvaluator};
pub use sink::{Counts, DANGER_UNIT, MAX_DANGER};
pub use tapered::Tapered;
pub use terms::{Feature, Term};
pub use wdl::{Wdl, WdlModel, wdl};

use crate::chesquerque::{Color, PieceKind, Position};
use crate::score::Score;
use board::Board;
use sink::{Sink, Sum};
use terms::Block;

/// The text of `values.rs`, which the tuner writes anew.
pub const VALUES_SOURCE: &str = include_str!("values.rs");

/// Weight of each piece in the phase of the game.
const PHASE_WEIGHT: [i32; PieceKind::COUNT] = [0, 1, 2, 3, 3, 4, 0];
/// The phase of the starting position: that of the middle game.
pub const WHOLE_PHASE: i32 = 38;

/// The worth of a position to the side to move.
pub fn evaluate(position: &Position) -> Score {
    known_ending_or(position, || {
        let [white, black] = look_over::<Sum>(position).map(Sum::balance);
        let worth = (white - black).at(phase(position), WHOLE_PHASE);
        match position.side_to_move() {
            Color::White => worth,
            Color::Black => -worth,
        }
    })
}

/// The worth of a position to the side to move: what is known of its ending,
/// or else what `judge` thinks it is worth to that side, in centipawns, scaled
/// down where the better side has not the men to win.
pub fn known_ending_or(position: &Position, judge: impl FnOnce() -> i32) -> Score {
    let us = position.side_to_move();
    if let Some(worth) = endings::lone_king(position, us) {
        return Score::centipawns(worth);
    }
    if let Some(worth) = endings::lone_king(position, !us) {
        return Score::centipawns(-worth);
    }
    let worth = judge();
    let owner = if worth > 0 { us } else { !us };
    Score::centipawns(worth * endings::scale(position, owner) / endings::WHOLE_SCALE)
}

/// How much of the middle game is left, up to [`WHOLE_PHASE`].
pub fn phase(position: &Position) -> i32 {
    let weight = |kind: PieceKind| PHASE_WEIGHT[kind.index()] * position.of_kind(kind).len() as i32;
    PieceKind::ALL.into_iter().map(weight).sum::<i32>().min(WHOLE_PHASE)
}

/// Looks the board over, for White and for Black.
#[inline]
fn look_over<S: Sink>(position: &Position) -> [S; 2] {
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

/// How often White and Black have each feature.
pub fn counts(position: &Position) -> [Counts; 2] {
    look_over(position)
}

/// Whether the sum of worths alone judges a position: neither is there a lone
/// king to be mated, nor a side without the men to win.
pub fn sums_up(position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| {
        endings::scale(position, color) == endings::WHOLE_SCALE
            && endings::lone_king(position, color).is_none()
    })
}
