//! The transposition table (TT) as one search sees it: under which key each position is
//! kept, and which scores are believed.

use super::transposition_table::TranspositionTable;
use super::tt_entry::{Bound, TtEntry};
use qirkat_game::distance::Ply;
use qirkat_game::score::Score;
use qirkat_game::splitmix::splitmix64;
use qirkat_game::{Key, Searchable};

/// From this many reversible plies on a position is kept in the table for that
/// number alone: its score depends on how near the draw is.
const CLOCK_MATTERS: usize = 60;
/// Sets the numbers of plies apart: a large odd number.
const CLOCK_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Sets apart what is found while nothing is pruned.
const FULL_WIDTH: u64 = 0xD1B5_4A32_D192_ED03;

/// The table as one search sees it.
#[derive(Clone, Copy)]
pub(super) struct TtAccess<'a> {
    tt: &'a TranspositionTable,
    /// Mixed into every key.
    salt: u64,
}

impl<'a> TtAccess<'a> {
    /// A search at full width must prove, so it does not believe others,
    /// which have pruned moves. A weaker player's search keeps to itself, by its seed,
    /// since it has overlooked moves that others see.
    pub fn new(
        tt: &'a TranspositionTable,
        full_width: bool,
        weak_seed: Option<u64>,
    ) -> TtAccess<'a> {
        let width = if full_width { FULL_WIDTH } else { 0 };
        let weak = weak_seed.map_or(0, |mut seed| splitmix64(&mut seed));
        TtAccess { tt, salt: width ^ weak }
    }

    /// The entry of a position, if the table has one.
    #[inline]
    pub fn probe<G: Searchable>(self, position: &G, ply: Ply) -> Option<TtEntry> {
        let entry = self.tt.probe(self.key(position), ply)?;
        Some(if is_too_late(position, ply, entry.score) { entry.without_score() } else { entry })
    }

    /// Keeps an entry for a position.
    #[inline]
    pub fn store<G: Searchable>(self, position: &G, ply: Ply, entry: TtEntry) {
        self.tt.store(self.key(position), ply, entry);
    }

    /// Has the table's part for a position fetched, to be at hand soon.
    #[inline]
    pub fn prefetch<G: Searchable>(self, position: &G) {
        self.tt.prefetch(self.key(position));
    }

    /// The same for the position that a move leads to, long before the move is made. Only where the
    /// processor has an instruction for it: loads for all captures would hold up what comes after.
    #[inline]
    pub fn prefetch_after<G: Searchable>(self, position: &G, mv: G::Move) {
        if cfg!(target_arch = "x86_64")
            && let Some(key) = position.key_after(mv)
        {
            self.tt.prefetch(Key(key.0 ^ self.salt));
        }
    }

    /// The key under which the table keeps a position.
    #[inline]
    fn key<G: Searchable>(self, position: &G) -> Key {
        let plies = position.reversible_plies();
        let key = position.key().0 ^ self.salt;
        Key(if plies < CLOCK_MATTERS { key } else { key ^ (plies as u64).wrapping_mul(CLOCK_STEP) })
    }
}

/// Whether a kept score is a mate that the draw by reversible plies may
/// come before: it was found with another clock (after Stockfish).
#[inline]
fn is_too_late<G: Searchable>(position: &G, ply: Ply, score: Score) -> bool {
    score.plies_to_mate().is_some_and(|from_root| {
        position.reversible_plies() < CLOCK_MATTERS
            && from_root.unsigned_abs() > ply.0.saturating_add(position.plies_to_clock_draw())
    })
}

impl TtEntry {
    /// The same, saying nothing of the score.
    fn without_score(self) -> TtEntry {
        TtEntry { score: Score::LOWEST, bound: Bound::Lower, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_game::PackedMove;
    use qirkat_game::distance::Depth;
    use qirkat_rules::chesquerque::Position;

    /// A mate found with a low clock is not believed where the game would be
    /// drawn before it.
    #[test]
    fn no_mate_lies_behind_the_hundredth_ply() {
        let position = |clock: u16| {
            let fen = format!("4k4/9/9/9/9/9/9/9/R3K4 w - - {clock} 60");
            Position::from_fen(&fen).expect("a good FEN").position
        };
        let table = TranspositionTable::new(1).expect("a megabyte is there");
        let table = TtAccess::new(&table, false, None);
        for score in [Score::mating_at(Ply(61)), Score::mated_at(Ply(62))] {
            let depth = Depth(9);
            let entry = TtEntry {
                mv: PackedMove::NONE,
                score,
                bound: Bound::Exact,
                depth,
                evaluation: None,
                tt_pv: true,
            };
            table.store(&position(0), Ply::ROOT, entry);
            for (clock, believed) in [(0, true), (38, true), (39, score.is_win()), (45, false)] {
                let here = position(clock);
                let probed = table.probe(&here, Ply::ROOT).expect("it was kept");
                assert_eq!(probed.score == score, believed, "{score} at clock {clock}");
                // Found again further from the root it is no nearer to the draw.
                let later = table.probe(&here, Ply(7)).expect("it was kept");
                assert_eq!(later.score != Score::LOWEST, believed);
            }
        }
    }
}
