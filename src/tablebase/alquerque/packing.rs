//! Packs blocks of distances by coding how they differ from predictions.
//!
//! A block is a run of boards of a rank profile. The distance of a board without forbidden steps is
//! predicted from earlier boards that differ in the men of one rank. A forbidden step seldom
//! changes anything, so nearly every other distance is the one predicted from those with fewer
//! forbidden steps.

use std::ops::Range;

use super::ranks::{DRAWN, Profile, Slice};
use crate::packing::block::Models;
use crate::packing::cell_coder::{CellContext, KnownDistances, NEIGHBOURS, NONE, ROUND};
use crate::packing::distance_coders::{MateCoder, class};
use crate::packing::range_coder::RangeCoder;

/// Boards in a block, including those without a number of their own.
pub const BOARDS: usize = 1 << 11;

pub fn blocks(profile: &Profile) -> impl Iterator<Item = Range<usize>> + use<> {
    let boards = profile.boards();
    (0..boards).step_by(BOARDS).map(move |first| first..boards.min(first + BOARDS))
}

/// The number that encodes a distance, as for distances to mate.
const fn number_of(distance: u8) -> u16 {
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
) -> Slice {
    let mut slice = Slice::new(profile, boards.clone());
    let [of_boards, of_steps] = models;
    let numbers = known.iter().map(|&distance| number_of(distance)).collect();
    let known = &KnownDistances { numbers, ..KnownDistances::NONE };
    let strides = strides(profile);
    // The numbers of boards without forbidden steps.
    let mut plain: Vec<u16> = Vec::with_capacity(boards.len());
    let mut surprise = NONE;
    for number in boards.clone() {
        let at = number - boards.start;
        let near = strides.map(|stride| {
            at.checked_sub(stride).filter(|_| stride > 0).map_or(NONE, |before| plain[before])
        });
        let board = profile.board(number);
        if !board.is_numbered() {
            let mirrored = board.mirrored().number();
            let mirrored = mirrored.checked_sub(boards.start).and_then(|it| plain.get(it));
            let like = || near.into_iter().find(|&it| it != NONE).unwrap_or(NONE);
            plain.push(mirrored.copied().unwrap_or_else(like));
            continue;
        }
        let start = slice.start(number);
        let [own, other] = board.extent();
        let [own_forward, other_forward] = board.forward_steps().map(|it| u64::from(it.min(3)));
        let seen = CellContext {
            near,
            bound: 0,
            trust: own_forward * 4 + other_forward,
            threats: u64::from(own == 1) + 2 * u64::from(board.turned().has_to_jump()),
            attacker: own as u64,
            king: other as u64,
        };
        let mut coded = MateCoder { model: of_boards, coder: &mut *coder, known, round: ROUND }
            .code_with_context(start, &seen);
        plain.push(coded);
        slice.distances[start] = distance_of(coded);
        let mut is_as_expected = true;
        for place in 1..own * other {
            let (by_own, by_other) = (place / other, place % other);
            let number = |own: usize, other_step: usize| {
                number_of(slice.distances[start + own * other + other_step])
            };
            let base = number(0, 0);
            let [of_own, of_other] = [number(by_own, 0), number(0, by_other)];
            let (kind, expected) = match (by_own, by_other) {
                (0, _) => (0, base),
                (_, 0) => (1, base),
                _ if of_own == base => (2, of_other),
                _ if of_other == base => (3, of_own),
                _ => (4, of_own),
            };
            let context =
                ExpectationContext { kind, expected, own, other, is_as_expected }.context();
            is_as_expected =
                of_steps.code_plain(coder, context, known.number(start + place) == expected);
            coded = expected;
            if !is_as_expected {
                let seen = CellContext {
                    near: [surprise, of_own, of_other, base, NONE, NONE],
                    bound: 0,
                    trust: kind as u64,
                    threats: u64::from(own == 1),
                    attacker: own as u64,
                    king: other as u64,
                };
                coded = MateCoder { model: of_steps, coder: &mut *coder, known, round: ROUND }
                    .code_with_context(start + place, &seen);
                surprise = coded;
            }
            slice.distances[start + place] = distance_of(coded);
        }
    }
    slice
}

/// How far back the boards are that differ in the men of one rank, the last rank first.
fn strides(profile: &Profile) -> [usize; NEIGHBOURS] {
    let mut strides = [0; NEIGHBOURS];
    let mut stride = 1;
    for (place, ways) in strides.iter_mut().zip(profile.ways().into_iter().rev()) {
        // A rank with only one arrangement has no such board.
        *place = if ways > 1 { stride } else { 0 };
        stride *= ways;
    }
    strides
}

/// The context for coding whether a distance is as expected.
struct ExpectationContext {
    kind: usize,
    expected: u16,
    own: usize,
    other: usize,
    is_as_expected: bool,
}

impl ExpectationContext {
    /// Lower contexts are used for other decisions.
    const FIRST: usize = 512;
    const KINDS: usize = 5;

    fn context(&self) -> usize {
        let class = usize::from(class(self.expected));
        let length = match self.expected {
            ..8 => 0,
            8..20 => 1,
            _ => 2,
        };
        let few = |count: usize| (count - 1).min(3);
        let steps = few(self.own) * 4 + few(self.other);
        let seen = ((class * 3 + length) * 16 + steps) * 2 + usize::from(self.is_as_expected);
        ExpectationContext::FIRST + seen * ExpectationContext::KINDS + self.kind
    }
}
