//! A block of a table, packed.
//!
//! A block is [`BLOCK`] neighbouring cells for one side to move. Its distances to mate are
//! numbers: zero for a draw, otherwise plies and one more; a win takes an odd number of
//! plies and a loss an even one, so nothing else needs to be said. Cells that nobody asks
//! for hold what the model expects of them.
//!
//! Each block is packed by itself, as what surprises a model ([`PliesModel`]) that sees what
//! the neighbours of a cell hold ([`Surroundings`]): distances to mate first, then those to
//! zeroing, for which those to mate are known.

use super::cell::{Cell, Entry};
use super::layout::Layout;
use super::planes::Planes;
use super::plies_model::{CONTEXTS, PliesModel, hash};
use super::range_coder::{BinaryCoder, RangeDecoder};
use super::surroundings::{Distances, NEIGHBOURS, Surroundings};
use crate::chesquerque::Color;

/// Cells of a block.
pub(super) const BLOCK: usize = 1 << 17;

/// The relations of what is no position.
const NO_POSITION: u16 = u16::MAX;
/// The number of a neighbour that there is not.
const NOTHING: u16 = 0xFFF;

/// The number for a distance to mate.
#[cfg(any(test, feature = "table-generator"))]
pub(super) const fn dtm_number(cell: Cell) -> u16 {
    if cell.is_open() { 0 } else { cell.plies() + 1 }
}

/// What a number for a distance to mate says.
#[inline]
pub(super) const fn dtm_cell(number: u16) -> Cell {
    match number {
        0 => Cell::DRAW,
        number if number % 2 == 0 => Cell::win(number - 1),
        number => Cell::loss(number - 1),
    }
}

/// What both numbers of a cell say.
#[inline]
pub(super) fn entry(dtm: u16, dtz: u16) -> Entry {
    let dtm = dtm_cell(dtm);
    let dtz = match dtm {
        cell if cell.is_win() => Cell::win(dtz),
        cell if cell.is_loss() => Cell::loss(dtz),
        cell => cell,
    };
    Entry { dtm, dtz }
}

/// Whether a distance to mate leaves the distance to zeroing open: neither a draw nor a
/// mate on the board.
#[inline]
const fn has_dtz(dtm: u16) -> bool {
    dtm > 1
}

/// The cells of a block.
pub(super) struct BlockOf<'a> {
    /// The table.
    pub layout: &'a Layout,
    /// The side to move that is kept.
    pub side: Color,
    /// Its place in the table.
    pub number: usize,
}

impl BlockOf<'_> {
    /// The first cell.
    const fn first(&self) -> usize {
        self.number * BLOCK
    }

    /// How many cells there are.
    fn len(&self) -> usize {
        (self.layout.cells() - self.first()).min(BLOCK)
    }

    /// Unpacks distances to mate.
    pub fn unpack_dtm(&self, packed: &[u8], is_wide: bool) -> Planes {
        self.code_dtm(&mut RangeDecoder::new(packed), is_wide, |_| None)
    }

    /// Unpacks distances to zeroing beside those to mate.
    pub fn unpack_dtz(&self, packed: &[u8], dtm: &Planes, is_wide: bool) -> Planes {
        self.code_dtz(&mut RangeDecoder::new(packed), dtm, is_wide, |_| None)
    }

    /// Reads distances to mate, or writes those that are given.
    fn code_dtm(
        &self,
        coder: &mut impl BinaryCoder,
        is_wide: bool,
        asked: impl Fn(usize) -> Option<u16>,
    ) -> Planes {
        let known = Planes::new(vec![0; Planes::size(self.len(), is_wide)], is_wide);
        let mut known = Known { values: known, relations: vec![NO_POSITION; self.len()] };
        let mut model = PliesModel::new();
        let mut surroundings = Surroundings::new(self.layout);
        for cell in 0..self.len() {
            let index = self.first() + cell;
            let distances = surroundings.of(index);
            let value = match self.layout.relations(index, self.side) {
                Some(relations) => {
                    known.relations[cell] = relations;
                    let near = known.near(cell, &distances);
                    let contexts = dtm_contexts(&near, relations, surroundings.point(index));
                    model.code(coder, &contexts, asked(cell))
                }
                None => known.beside(cell),
            };
            known.values.set(cell, value);
        }
        known.values
    }

    /// Reads distances to zeroing, or writes those that are given.
    fn code_dtz(
        &self,
        coder: &mut impl BinaryCoder,
        dtm: &Planes,
        is_wide: bool,
        asked: impl Fn(usize) -> Option<u16>,
    ) -> Planes {
        let known = Planes::new(vec![0; Planes::size(self.len(), is_wide)], is_wide);
        let mut known = Known { values: known, relations: vec![NO_POSITION; self.len()] };
        let mut model = PliesModel::new();
        let mut surroundings = Surroundings::new(self.layout);
        for cell in (0..dtm.len()).filter(|&cell| has_dtz(dtm.get(cell))) {
            let index = self.first() + cell;
            let distances = surroundings.of(index);
            let value = match self.layout.relations(index, self.side) {
                Some(relations) => {
                    known.relations[cell] = relations;
                    let near = known.near(cell, &distances);
                    let contexts = dtz_contexts(&near, relations, dtm.get(cell));
                    model.code(coder, &contexts, asked(cell))
                }
                None => known.beside(cell),
            };
            known.values.set(cell, value);
        }
        known.values
    }
}

/// What is known of the cells so far.
struct Known {
    values: Planes,
    relations: Vec<u16>,
}

/// What is known around a cell.
struct Near {
    values: [u16; NEIGHBOURS],
    /// The first neighbours whose pieces do to each other what those of the cell do.
    peers: [u16; 2],
}

impl Known {
    /// What the cell before holds.
    fn beside(&self, cell: usize) -> u16 {
        cell.checked_sub(1).map_or(0, |at| self.values.get(at))
    }

    #[inline]
    fn near(&self, cell: usize, distances: &Distances) -> Near {
        let mut near = Near { values: [NOTHING; NEIGHBOURS], peers: [NOTHING; 2] };
        let mut peers = near.peers.iter_mut();
        for place in BY_NEARNESS {
            let distance = distances[place];
            if distance > 0
                && let Some(at) = cell.checked_sub(distance)
            {
                let value = self.values.get(at);
                near.values[place] = value;
                if self.relations[at] == self.relations[cell]
                    && let Some(peer) = peers.next()
                {
                    *peer = value;
                }
            }
        }
        near
    }
}

// Neighbours by the step and by the piece that takes it: see `Surroundings`.
const LEFT: [usize; 4] = [0, 4, 8, 12];
const LEFT_2: [usize; 4] = [1, 5, 9, 13];
const DOWN: [usize; 4] = [2, 6, 10, 14];
const DIAGONAL: usize = 16;
const OTHER_DIAGONAL: usize = 17;
/// All of them, those first that tell most.
const BY_NEARNESS: [usize; NEIGHBOURS] =
    [0, 4, 2, 6, 1, 16, 17, 8, 10, 5, 3, 7, 12, 14, 9, 11, 13, 15];

/// What is known of a distance to mate before it is read.
#[inline]
fn dtm_contexts(near: &Near, relations: u16, point: usize) -> [u64; CONTEXTS] {
    let parity = (point % 2) as u16;
    let of = |start: u16, places: &[usize]| {
        let start = hash(u64::from(start), parity);
        places.iter().fold(start, |context, &place| hash(context, near.values[place]))
    };
    let with = |context: u64| hash(context, relations);
    [
        with(of(0, &[LEFT[0], DOWN[0], LEFT[1], DOWN[1], LEFT[2]])),
        of(1, &[LEFT[0], LEFT_2[0], DOWN[0], DIAGONAL, OTHER_DIAGONAL, LEFT[1]]),
        with(of(2, &[LEFT[0], DOWN[0], LEFT[1]])),
        with(of(3, &[LEFT[1], DOWN[1], LEFT[2]])),
        with(hash(hash(4, near.peers[0]), near.peers[1])),
        with(of(5, &[LEFT[0], LEFT[1]])),
    ]
}

/// What is known of a distance to zeroing before it is read.
#[inline]
fn dtz_contexts(near: &Near, relations: u16, dtm: u16) -> [u64; CONTEXTS] {
    let of = |start: u16, places: &[usize]| {
        let start = hash(u64::from(start), dtm);
        places.iter().fold(start, |context, &place| hash(context, near.values[place]))
    };
    let with = |context: u64| hash(context, relations);
    [
        with(of(0, &[LEFT[0], DOWN[0], LEFT[1], DOWN[1], LEFT[2]])),
        of(1, &[LEFT[0], LEFT_2[0], DOWN[0], DIAGONAL, OTHER_DIAGONAL]),
        with(of(2, &[LEFT[0], DOWN[0], LEFT[1]])),
        of(3, &[LEFT[0], LEFT[1]]),
        with(hash(hash(hash(4, dtm), near.peers[0]), near.peers[1])),
        with(of(5, &[LEFT[0]])),
    ]
}

#[cfg(any(test, feature = "table-generator"))]
mod packing {
    use super::super::range_coder::RangeEncoder;
    use super::*;

    impl BlockOf<'_> {
        /// Packs distances to mate; those of cells that nobody asks for are not given.
        pub fn pack_dtm(&self, numbers: &[Option<u16>], is_wide: bool) -> (Vec<u8>, Planes) {
            let mut encoder = RangeEncoder::new();
            let planes = self.code_dtm(&mut encoder, is_wide, |cell| numbers[cell]);
            (encoder.finish(), planes)
        }

        /// Packs distances to zeroing beside those to mate.
        pub fn pack_dtz(&self, plies: &[Option<u16>], dtm: &Planes, is_wide: bool) -> Vec<u8> {
            let mut encoder = RangeEncoder::new();
            self.code_dtz(&mut encoder, dtm, is_wide, |cell| plies[cell]);
            encoder.finish()
        }
    }
}
