//! What can be seen of a position before anything is known of it: who attacks whom, and
//! what the best capture comes to.
//!
//! Where each side has one piece, a capture leaves a lone king, and that table is in the
//! program. So whoever packs or unpacks a position knows what a capture is worth, and most
//! often that is all there is to know.

use super::attacks::attacks;
use super::block::dtm_number;
use super::cell::Entry;
use super::layout::Layout;
use super::placement::{Placed, Placement};
use super::set::Tables;
use super::table::Table;
use crate::chesquerque::{Bitboard, Color, PieceKind, Point};

/// The rank on which White's pawns are promoted; Black's are on the first.
const LAST_RANK: u8 = Point::RANKS - 1;

/// Kinds of threats, a bit each.
pub(super) const THREATS: usize = 8;

/// What can be seen of a position.
#[derive(Clone, Copy)]
pub(super) struct Outlook {
    /// Which of the [`THREATS`] there are.
    pub threats: u8,
    /// The number for the distance to mate after the best capture, and that to zeroing;
    /// none where nothing can be captured, or not known.
    pub capture: Option<[u16; 2]>,
}

/// Looks at positions of one table with one side to move.
pub(super) struct Lookout<'a> {
    layout: &'a Layout,
    side: Color,
    /// The table that captures lead to, and whether the sides are exchanged there.
    smaller: Option<(&'a Table, bool)>,
}

impl<'a> Lookout<'a> {
    /// For a table and the side to move that is kept.
    pub fn new(layout: &'a Layout, side: Color) -> Lookout<'a> {
        let has_one = |color| layout.material.others(color).count() == 1;
        let has_one_each = Color::ALL.into_iter().all(has_one);
        let captured = layout.material.others(!side).next().filter(|_| has_one_each);
        let smaller = captured.and_then(|captured| {
            let material = layout.material.without(!side, captured);
            let table = Tables::embedded().table(material.canonical())?;
            let is_flipped = !material.is_canonical();
            table.keeps(if is_flipped { side } else { !side }).then_some((table, is_flipped))
        });
        Lookout { layout, side, smaller }
    }

    /// What is seen of the position that a number stands for; none where nobody asks for it.
    pub fn see(&self, index: usize) -> Option<Outlook> {
        let placement = self.layout.placement(index)?;
        if !self.layout.is_ordered(&placement) {
            return None;
        }
        let of_king = |color: Color| attacks(placement.pieces[color.index()], placement.occupied);
        let others =
            |color: Color| placement.pieces[2..].iter().filter(move |it| it.color == color);
        let of_others = |color: Color| {
            others(color)
                .fold(Bitboard::EMPTY, |all, piece| all | attacks(*piece, placement.occupied))
        };
        let points = |color: Color| others(color).map(|piece| piece.point).collect::<Bitboard>();
        let [white, black] =
            Color::ALL.map(|color| (of_king(color), of_others(color), points(color)));
        let [attacking, attacked] = match self.side {
            Color::White => [white, black],
            Color::Black => [black, white],
        };
        if attacking.1.contains(placement.king(!self.side)) {
            return None;
        }
        let threats: [bool; THREATS] = [
            (white.1 & black.2).any(),
            (white.0 & black.2).any(),
            (black.0 & black.2).any(),
            (black.0 & white.2).any(),
            (white.0 & white.2).any(),
            (black.1 & white.2).any(),
            attacked.1.contains(placement.king(self.side)),
            (black.0 & white.1).any(),
        ];
        let by_king = (attacking.0 & attacked.2 & !attacked.0).any();
        let by_piece = (attacking.1 & attacked.2).any();
        let capture = self.smaller.filter(|_| by_king || by_piece).and_then(|smaller| {
            let after = |is_king| self.after_capture(smaller, &placement, is_king);
            let by_king = by_king.then(|| after(true)).flatten();
            let by_piece = by_piece.then(|| after(false)).flatten();
            [by_king, by_piece].into_iter().flatten().reduce(Entry::better)
        });
        Some(Outlook {
            threats: threats.iter().rev().fold(0, |all, &it| all << 1 | u8::from(it)),
            capture: capture.map(|entry| [dtm_number(entry.dtm), entry.dtz.plies()]),
        })
    }

    /// What it comes to when the king of the side to move, or its other piece, captures.
    fn after_capture(
        &self,
        (smaller, is_flipped): (&Table, bool),
        placement: &Placement,
        is_king: bool,
    ) -> Option<Entry> {
        let piece_of = |color| placement.pieces[2..].iter().find(|piece| piece.color == color);
        let (own, captured) = (piece_of(self.side)?, piece_of(!self.side)?);
        let king = |color| {
            if is_king && color == self.side { captured.point } else { placement.king(color) }
        };
        let mut after = Placement::kings(king(Color::White), king(Color::Black));
        let point = if is_king { own.point } else { captured.point };
        let is_promotion = own.kind == PieceKind::Pawn && matches!(point.rank(), 0 | LAST_RANK);
        if is_promotion {
            return None;
        }
        after.add(Placed { point, ..*own });
        let after = if is_flipped { after.flipped() } else { after };
        Some(smaller.find(&after).ok()??.before(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is seen are positions, and what captures come to.
    #[test]
    fn captures_are_legal_moves() {
        for name in ["KRvKN", "KBvKP", "KPvKP"] {
            let layout = Layout::new(name.parse().expect("a material"));
            let mut captures = 0;
            for side in Color::ALL {
                let own = layout.material.others(side).next().expect("a piece");
                let lookout = Lookout::new(&layout, side);
                for index in (0..layout.cells()).step_by(997) {
                    let seen = lookout.see(index);
                    let position = layout.placement(index).and_then(|it| it.position(side));
                    assert_eq!(seen.is_some(), position.is_some(), "{name} {index}");
                    let (Some(seen), Some(position)) = (seen, position) else { continue };
                    let known = position.legal_moves().into_iter().map(|mv| position.play(mv));
                    let known = known.filter_map(|child| {
                        // Captures with promotion are left out.
                        let is_seen = child.occupied().len() == 3 && child.of(side, own).any();
                        let found = Tables::embedded().entry(&child).expect("sound");
                        found.filter(|_| is_seen).map(|entry| entry.before(true))
                    });
                    let best = known.reduce(Entry::better);
                    let Some([dtm, dtz]) = seen.capture else { continue };
                    let best = best.expect("a capture");
                    assert_eq!((dtm_number(best.dtm), best.dtz.plies()), (dtm, dtz), "{position}");
                    captures += 1;
                }
            }
            assert!(captures > 100, "{name}: {captures}");
        }
    }
}
