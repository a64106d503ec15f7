//! The principal variation, kept as a triangle of lines by ply.

use arrayvec::ArrayVec;

use qirkat_game::Game;
use qirkat_game::distance::{MAX_PLY, Ply};

type Line<M> = ArrayVec<M, { MAX_PLY as usize }>;

/// The best line found below each ply of the current path.
pub(super) struct PrincipalVariation<G: Game> {
    lines: Vec<Line<G::Move>>,
}

impl<G: Game> PrincipalVariation<G> {
    pub fn new() -> PrincipalVariation<G> {
        PrincipalVariation { lines: vec![Line::new(); usize::from(MAX_PLY) + 2] }
    }

    /// The best line from the root.
    pub fn root_line(&self) -> &[G::Move] {
        &self.lines[0]
    }

    /// No line is known from this ply on.
    #[inline]
    pub fn clear(&mut self, ply: Ply) {
        self.lines[ply.index()].clear();
    }

    /// The best line at this ply is the move and then the best line below.
    pub fn extend(&mut self, ply: Ply, mv: G::Move) {
        let (above, below) = self.lines.split_at_mut(ply.index() + 1);
        let (Some(line), Some(rest)) = (above.last_mut(), below.first()) else { return };
        line.clear();
        line.push(mv);
        line.extend(rest.iter().copied().take(usize::from(MAX_PLY) - 1));
    }
}
