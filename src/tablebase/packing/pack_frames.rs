//! Packs a table frame by frame: see [`ladder`](super::ladder).

use std::io;

use super::block::{pack_evidence, pack_frame, unpack_evidence};
use super::evidence::Evidence;
use super::frames::{FRAME, Frame, Frames};
use super::framing::PackedFrame;
use super::ladder::{Truth, cell_of};
use crate::cell::Cell;
use crate::solving::generator::SolvedTable;
use qirkat_rules::chesquerque::{Color, Point, Position};

/// One of so many frames teaches.
const LESSON: usize = 5;

/// One measure of a frame.
struct FrameTruth {
    wins: Vec<u16>,
    losses: Vec<Option<u16>>,
}

impl Truth for FrameTruth {
    fn wins_in(&self, walker: Point, lone: Point) -> u16 {
        self.wins[cell_of(walker, lone)]
    }

    fn loses_in(&self, walker: Point, lone: Point) -> Option<u16> {
        self.losses[cell_of(walker, lone)]
    }
}

impl SolvedTable<Position> {
    /// What the table teaches and both measures of each frame, packed.
    pub fn pack_frames(
        &self,
        frames: &Frames,
        is_wide: [bool; 2],
    ) -> io::Result<(Vec<u8>, Vec<PackedFrame>)> {
        let count = frames.count(&self.layout);
        let mut evidence = [Evidence::new(), Evidence::new()];
        for frame in (0..count).step_by(LESSON) {
            self.pack_one(frames, frame, &mut evidence, is_wide);
        }
        let packed_evidence = pack_evidence(&evidence)?;
        let evidence = unpack_evidence(&packed_evidence)?;
        let packed = (0..count)
            .map(|frame| self.pack_one(frames, frame, &mut evidence.clone(), is_wide))
            .collect();
        Ok((packed_evidence, packed))
    }

    fn pack_one(
        &self,
        frames: &Frames,
        number: usize,
        evidence: &mut [Evidence; 2],
        is_wide: [bool; 2],
    ) -> PackedFrame {
        frames.frame(&self.layout, number).map_or_else(Default::default, |frame| {
            let truth = [&self.dtm, &self.dtz].map(|cells| self.truth(&frame, cells));
            pack_frame(&frame, evidence, &truth, is_wide)
        })
    }

    fn truth(&self, frame: &Frame, cells: &[Vec<Cell>; 2]) -> FrameTruth {
        let mut truth = FrameTruth { wins: vec![0; FRAME], losses: vec![None; FRAME] };
        let [white, black] = Color::ALL.map(Color::index);
        for walker in Point::all().filter(|&walker| frame.white[walker].any()) {
            for lone in Point::all().filter(|&lone| frame.can_stand(walker, lone)) {
                let Some(index) = self.layout.index(&frame.placement(walker, lone)) else {
                    continue;
                };
                let [win, loss] = [cells[white][index], cells[black][index]];
                if win.is_win() {
                    truth.wins[cell_of(walker, lone)] = win.plies();
                }
                truth.losses[cell_of(walker, lone)] = loss.is_loss().then_some(loss.plies());
            }
        }
        truth
    }
}
