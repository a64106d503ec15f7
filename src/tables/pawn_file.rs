//! Distances to mate of a pawn's file: seven frames that a pawn joins.
//!
//! Where there are the kings, a piece of White's, the *walker*, and one pawn, a block holds
//! all positions with White's king on one point and the pawn on one file. For each rank of
//! the pawn, nearest to promotion first, that is a [`Frame`]: the moves of the walker and of
//! Black's king stay in it, and the pawn's lead to one that is known by now. So nearly all
//! wins follow by retrograde analysis ([`Ladder`]), and it is told only where White wins by
//! a move of its king or by a promotion. What Black wins is told afterwards, as what
//! surprises its [`Neighbours`].

use super::evidence::Evidence;
use super::frames::Frame;
use super::grids::{GRID, Grids};
use super::ladder::{Beyond, Climbed, Ladder, Measure, Step, Truth, cell_of};
use super::layout::Layout;
use super::neighbours::{NONE, Neighbours};
use super::outlook::{Lookout, Outlook};
use super::placement::Placed;
use super::planes::Planes;
use super::range_coder::BinaryCoder;
use crate::chesquerque::{Color, PieceKind, Point};

/// The layer of a pawn that has not moved, which may go two steps.
const FIRST_LAYER: usize = Point::RANKS as usize - 3;

/// A block of a table with one pawn and one piece of White's.
pub(super) struct PawnFile<'a> {
    pub layout: &'a Layout,
    pub grids: &'a Grids,
    pub block: usize,
}

/// A rank of the pawn, climbed.
struct Rank {
    frame: Frame,
    climbed: Climbed,
}

impl PawnFile<'_> {
    /// Whether a table is kept so.
    pub fn is_for(layout: &Layout) -> bool {
        let material = layout.material;
        let is_white = |piece: &(Color, PieceKind)| piece.0 == Color::White;
        material.pieces() == 4 && material.pawns() == 1 && layout.pieces.iter().all(is_white)
    }

    /// Reads distances to mate with White to move, or writes those that are given by number
    /// of the layout. Wins teach one evidence, all else the other.
    pub fn mates(
        &self,
        coder: &mut impl BinaryCoder,
        [of_wins, of_rest]: [&mut Evidence; 2],
        is_wide: bool,
        number: Option<&dyn Fn(usize) -> u16>,
    ) -> Planes {
        let cells = self.grids.block_cells();
        let lookout = Lookout::new(self.layout, Color::White);
        let has_rest = self.layout.material.count(Color::Black, PieceKind::Pawn) > 0;
        let mut numbers = vec![NONE; cells];
        let mut ranks: Vec<Option<Rank>> = Vec::new();
        for layer in 0..cells / GRID {
            let Some(frame) = self.frame(layer) else {
                ranks.push(None);
                continue;
            };
            let outlooks = self.outlooks(&lookout, layer);
            let beyond = Others { ranks: &ranks, outlooks: &outlooks, frame: &frame, layer };
            let truth = Numbers(self.numbers(layer, number));
            let measure = Measure::Mate;
            let ladder = Ladder::new(&frame, measure, of_wins, coder, &truth, &beyond, is_wide);
            let climbed = ladder.climb();
            for walker in Point::all() {
                for lone in frame.safe[walker] {
                    match climbed.wins[cell_of(walker, lone)] {
                        0 if has_rest => (),
                        0 => numbers[place(layer, walker, lone)] = 0,
                        plies => numbers[place(layer, walker, lone)] = plies + 1,
                    }
                }
            }
            if has_rest {
                let mut neighbours = Neighbours::with(numbers, of_rest, coder);
                for (at, outlook) in outlooks.iter().enumerate() {
                    let cell = layer * GRID + at;
                    if let Some(outlook) = outlook
                        && !neighbours.knows(cell)
                    {
                        neighbours.not_won(cell, outlook, truth.number(at));
                    }
                }
                numbers = neighbours.into_numbers();
            }
            ranks.push(Some(Rank { frame, climbed }));
        }
        Planes::of(numbers.into_iter().map(|it| if it == NONE { 0 } else { it }), is_wide)
    }

    /// The frame of a layer; none where White's king stands on the pawn.
    fn frame(&self, layer: usize) -> Option<Frame> {
        let index = (0..GRID).find_map(|at| {
            let index = self.grids.index(self.layout, self.block, layer * GRID + at)?;
            self.layout.placement(index)
        });
        let placement = index?;
        let [king, _, walker, pawn] = placement.pieces.as_slice() else { return None };
        let still: [Placed; 2] = [*king, *pawn];
        Frame::new(still.into_iter().collect(), walker.kind)
    }

    fn outlooks(&self, lookout: &Lookout, layer: usize) -> Vec<Option<Outlook>> {
        let cells = layer * GRID..(layer + 1) * GRID;
        let see = |cell| lookout.see(self.grids.index(self.layout, self.block, cell)?);
        cells.map(see).collect()
    }

    /// The numbers of a layer; none while reading.
    fn numbers(&self, layer: usize, number: Option<&dyn Fn(usize) -> u16>) -> Vec<u16> {
        number.map_or_else(Vec::new, |number| {
            let cells = layer * GRID..(layer + 1) * GRID;
            let index = |cell| self.grids.index(self.layout, self.block, cell);
            cells.map(|cell| index(cell).map_or(0, number)).collect()
        })
    }
}

/// The cell of a block: Black's king goes first, then the walker.
fn place(layer: usize, walker: Point, lone: Point) -> usize {
    layer * GRID + lone.index() * Point::COUNT + walker.index()
}

/// What is written of a layer; nothing while reading.
struct Numbers(Vec<u16>);

impl Numbers {
    fn number(&self, at: usize) -> u16 {
        self.0.get(at).copied().unwrap_or_default()
    }
}

impl Truth for Numbers {
    #[inline]
    fn wins_in(&self, walker: Point, lone: Point) -> u16 {
        plies_of_win(self.number(place(0, walker, lone)))
    }

    fn loses_in(&self, _: Point, _: Point) -> Option<u16> {
        None
    }
}

/// In how many plies a number says that White wins; zero where it does not.
fn plies_of_win(number: u16) -> u16 {
    if number.is_multiple_of(2) { number.saturating_sub(1) } else { 0 }
}

/// What is known beyond a frame: ranks that the pawn can reach, and captures.
struct Others<'a> {
    ranks: &'a [Option<Rank>],
    outlooks: &'a [Option<Outlook>],
    frame: &'a Frame,
    layer: usize,
}

impl Others<'_> {
    /// The ranks that the pawn can reach in a step or two.
    fn reached(&self, walker: Point, lone: Point) -> impl Iterator<Item = &Rank> {
        let steps = if self.layer == FIRST_LAYER { 2 } else { 1 };
        let is_free = move |rank: &&Rank| {
            rank.frame.white[walker].any()
                && rank.frame.still.iter().all(|piece| piece.point != lone)
        };
        let below = self.ranks.iter().rev().take(steps);
        below.map_while(move |rank| rank.as_ref().filter(is_free))
    }
}

impl Beyond for Others<'_> {
    fn wins_in(&self, walker: Point, lone: Point) -> u16 {
        if self.frame.pawn.any() {
            let outlook = self.outlooks.get(place(0, walker, lone)).copied().flatten();
            let number = outlook.and_then(|it| it.capture).map_or(0, |[dtm, _]| dtm);
            return plies_of_win(number);
        }
        // Black loses in one ply less than is noted.
        let losses = self.reached(walker, lone).map(|it| it.climbed.losses[cell_of(walker, lone)]);
        losses.filter(|&plies| plies > 0).min().unwrap_or_default()
    }

    fn step(&self, walker: Point, lone: Point) -> Step {
        let Some(pawn) = self.frame.pawn.lsb() else { return Step::None };
        if self.layer == 0 {
            let ahead = pawn.bit().forward(Color::Black);
            let is_blocked = ((self.frame.white[walker] | lone.bit()) & ahead).any();
            return if is_blocked { Step::None } else { Step::Holds };
        }
        let legal = self.reached(walker, lone).filter(|it| it.frame.safe[walker].contains(lone));
        legal.fold(Step::None, |all, rank| match (all, rank.climbed.wins[cell_of(walker, lone)]) {
            (Step::Holds, _) | (_, 0) => Step::Holds,
            (Step::None, plies) => Step::Loses(plies),
            (Step::Loses(longest), plies) => Step::Loses(longest.max(plies)),
        })
    }

    fn before(&self, walker: Point, lone: Point) -> Option<u16> {
        let rank = self.ranks.last()?.as_ref()?;
        let is_position = rank.frame.safe[walker].contains(lone);
        is_position.then(|| rank.climbed.wins[cell_of(walker, lone)])
    }
}
