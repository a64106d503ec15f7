//! Packs blocks of distances by coding how they differ from predictions.
//!
//! A block is up to 2048 consecutive boards of a rank profile. The distance of a board without
//! forbidden steps is predicted from earlier boards that differ in the men of one rank. A forbidden
//! step seldom changes anything, so nearly all the remaining distances are those predicted from
//! positions with fewer forbidden steps.

use std::ops::Range;

use super::ranks::{BoardDistances, DRAWN, Profile};
use crate::packing::block::Models;
use crate::packing::cell_coder::{CellContext, KnownDistances, NEIGHBOURS, NONE, ROUND};
use crate::packing::distance_coders::{NumberCoder, result_kind};
use crate::packing::range_coder::RangeCoder;

/// Boards in a block, including mirror images that are not stored.
pub const BOARDS: usize = 1 << 11;

pub fn blocks(profile: &Profile) -> impl Iterator<Item = Range<usize>> + use<> {
    let boards = profile.boards();
    (0..boards).step_by(BOARDS).map(move |first| first..boards.min(first + BOARDS))
}

/// The number that encodes a distance, as for distances to mate.
const fn distance_number(distance: u8) -> u16 {
    if distance == DRAWN { 0 } else { distance as u16 + 1 }
}

/// The distance that a number encodes. Damaged bytes may give any number.
fn distance_of(number: u16) -> u8 {
    match number {
        0 => DRAWN,
        number => (number - 1).min(u16::from(DRAWN) - 1) as u8,
    }
}

/// Reads or writes a block. `known` are its distances when writing, and none when reading.
pub fn code_block(
    profile: &Profile,
    boards: Range<usize>,
    models: &mut Models,
    coder: &mut RangeCoder<'_>,
    known: &[u8],
) -> BoardDistances {
    let mut block = BoardDistances::new(profile, boards.clone());
    let [of_boards, of_steps] = models;
    let numbers = known.iter().map(|&distance| distance_number(distance)).collect();
    let known = &KnownDistances { numbers, ..KnownDistances::NONE };
    let strides = strides(profile);
    // The numbers of boards without forbidden steps.
    let mut plain: Vec<u16> = Vec::with_capacity(boards.len());
    let mut last_unexpected = NONE;
    for number in boards.clone() {
        let at = number - boards.start;
        let near = strides.map(|stride| {
            at.checked_sub(stride).filter(|_| stride > 0).map_or(NONE, |before| plain[before])
        });
        let board = profile.board(number);
        if !board.is_canonical() {
            let mirrored = board.mirrored().number();
            let mirrored = mirrored.checked_sub(boards.start).and_then(|it| plain.get(it));
            let like = || near.into_iter().find(|&it| it != NONE).unwrap_or(NONE);
            plain.push(mirrored.copied().unwrap_or_else(like));
            continue;
        }
        let start = block.start(number);
        let [own, other] = board.step_choices();
        let [own_forward, other_forward] = board.forward_steps().map(|it| u64::from(it.min(3)));
        // Alquerque fills the fields with its own contexts.
        let seen = CellContext {
            near,
            bound: 0,
            trust: own_forward * 4 + other_forward,
            threats: u64::from(own == 1) + 2 * u64::from(board.turned().has_to_jump()),
            attacker: own as u64,
            king: other as u64,
        };
        let mut coded = NumberCoder { model: of_boards, coder: &mut *coder, known, round: ROUND }
            .code_with_context(start, &seen);
        plain.push(coded);
        block.distances[start] = distance_of(coded);
        let mut was_as_expected = true;
        for steps in 1..own * other {
            let (own_step, other_step) = (steps / other, steps % other);
            let number_at = |own_step: usize, other_step: usize| {
                distance_number(block.distances[start + own_step * other + other_step])
            };
            let base = number_at(0, 0);
            let [of_own, of_other] = [number_at(own_step, 0), number_at(0, other_step)];
            let (kind, expected) = match (own_step, other_step) {
                (0, _) => (0, base),
                (_, 0) => (1, base),
                _ if of_own == base => (2, of_other),
                _ if of_other == base => (3, of_own),
                _ => (4, of_own),
            };
            let context =
                ExpectationContext { kind, expected, own, other, was_as_expected }.context();
            was_as_expected =
                of_steps.code_plain(coder, context, known.number(start + steps) == expected);
            coded = expected;
            if !was_as_expected {
                let seen = CellContext {
                    near: [last_unexpected, of_own, of_other, base, NONE, NONE],
                    bound: 0,
                    trust: kind as u64,
                    threats: u64::from(own == 1),
                    attacker: own as u64,
                    king: other as u64,
                };
                coded = NumberCoder { model: of_steps, coder: &mut *coder, known, round: ROUND }
                    .code_with_context(start + steps, &seen);
                last_unexpected = coded;
            }
            block.distances[start + steps] = distance_of(coded);
        }
    }
    block
}

/// How far back the boards are that differ in the men of one rank, the last rank first.
fn strides(profile: &Profile) -> [usize; NEIGHBOURS] {
    let mut strides = [0; NEIGHBOURS];
    let mut stride = 1;
    for (own, arrangements) in strides.iter_mut().zip(profile.arrangements().into_iter().rev()) {
        // A rank with only one arrangement has no such board.
        *own = if arrangements > 1 { stride } else { 0 };
        stride *= arrangements;
    }
    strides
}

/// The context for coding whether a distance is as expected.
struct ExpectationContext {
    kind: usize,
    expected: u16,
    own: usize,
    other: usize,
    /// Whether the distance before was.
    was_as_expected: bool,
}

impl ExpectationContext {
    /// Lower contexts are used for other decisions.
    const FIRST: usize = 512;
    const KINDS: usize = 5;

    fn context(&self) -> usize {
        let result_kind = usize::from(result_kind(self.expected));
        let length = match self.expected {
            ..8 => 0,
            8..20 => 1,
            _ => 2,
        };
        let few = |count: usize| (count - 1).min(3);
        let steps = few(self.own) * 4 + few(self.other);
        let seen =
            ((result_kind * 3 + length) * 16 + steps) * 2 + usize::from(self.was_as_expected);
        ExpectationContext::FIRST + seen * ExpectationContext::KINDS + self.kind
    }
}
