//! A position looked up, with all its moves.

use std::cmp::Reverse;

use qirkat_game::Rules;
use qirkat_rules::chesquerque;
use qirkat_rules::variant::{AnyPosition, Member};

use super::error::TableError;
use super::known_moves::{KnownMove, KnownMoves};
use super::set::Tables;
use super::table_game::TableGame;
use super::value::{TableResult, TableValue};

/// A legal move with what it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove<G: Rules = chesquerque::Position> {
    /// The move.
    pub mv: G::Move,
    /// Its value for the side that makes it, the move itself counted.
    pub value: TableValue,
    /// Whether it captures or moves a pawn.
    pub is_zeroing: bool,
}

/// The values of a position and of each legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Probe<G: Rules = chesquerque::Position> {
    /// The position's value.
    pub value: TableValue,
    /// Its legal moves, the best first: see [`Tables::probe`].
    pub moves: Vec<RankedMove<G>>,
}

/// Moves whose value is known, the best first, and the others.
type Ranked<G> = (Vec<RankedMove<G>>, Vec<<G as Rules>::Move>);

impl<G: Member> Probe<G> {
    /// The same with moves of any game.
    pub(super) fn of_any_game(self) -> Probe<AnyPosition> {
        let any = |RankedMove { mv, value, is_zeroing }: RankedMove<G>| RankedMove {
            mv: mv.into(),
            value,
            is_zeroing,
        };
        Probe { value: self.value, moves: self.moves.into_iter().map(any).collect() }
    }
}

impl<G: TableGame> Tables<G> {
    /// Looks a position up; none where it has castling rights, too many pieces, or where a
    /// table is missing.
    ///
    /// Its moves come in the order in which a perfect player would choose them: by result,
    /// among wins the shortest mate of those that the 100-ply rule cannot take, among
    /// losses the longest.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::Position;
    /// use qirkat_tablebase::{TableResult, Tables};
    ///
    /// let position: Position = "k8/9/2K6/9/9/9/9/8R/9 w - - 0 1".parse()?;
    /// let probe = Tables::with_embedded().probe(&position)?.ok_or("no table")?;
    /// assert_eq!(probe.value.result, TableResult::Win);
    /// assert_eq!(probe.moves[0].value, probe.value);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn probe(&self, position: &G) -> Result<Option<Probe<G>>, TableError> {
        let Some(entry) = self.entry(position)? else { return Ok(None) };
        let (moves, unknown) = self.ranked(position)?;
        let value = TableValue::new(entry, position.clock());
        Ok(unknown.is_empty().then_some(Probe { value, moves }))
    }

    /// What is known of each legal move, as far as there are tables of what it leads to: a
    /// capture may lead to one from a position of which there is none. The known moves come in
    /// the order of [`Tables::probe`].
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn known_moves(&self, position: &G) -> Result<KnownMoves<G::Move>, TableError> {
        let (ranked, unknown) = self.ranked(position)?;
        Ok(KnownMoves { known: ranked.iter().map(KnownMove::from).collect(), unknown })
    }

    /// The legal moves that lead to a known position, the best first, and the others.
    fn ranked(&self, position: &G) -> Result<Ranked<G>, TableError> {
        let clock = position.clock();
        let (mut moves, mut unknown) = (Vec::new(), Vec::new());
        for mv in position.legal_moves() {
            let child = position.after(mv);
            let Some(found) = self.entry(&child)? else {
                unknown.push(mv);
                continue;
            };
            let is_zeroing = child.clock() == 0;
            // Before a zeroing move the clock still runs, and the move itself counts.
            let value = TableValue::new(found.before(is_zeroing), clock);
            moves.push(RankedMove { mv, value, is_zeroing });
        }
        // Does the shortest mate of all come too late for the clock?
        let shortest = |result| {
            let of_it = moves.iter().filter(|it: &&RankedMove<G>| it.value.result == result);
            of_it.filter_map(|it| it.value.dtm).min()
        };
        let by_clock = match (shortest(TableResult::Win), shortest(TableResult::CursedWin)) {
            (Some(win), Some(cursed)) => cursed < win,
            _ => false,
        };
        moves.sort_by_key(|ranked| Reverse(rank(ranked, by_clock)));
        Ok((moves, unknown))
    }

    /// The value of a position alone; see [`Tables::probe`].
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn value(&self, position: &G) -> Result<Option<TableValue>, TableError> {
        let found = self.entry(position)?;
        Ok(found.map(|entry| TableValue::new(entry, position.clock())))
    }
}

/// The order of moves: the result, then the distance. Where the 100-ply rule has a say, the
/// distance to zeroing comes first; otherwise a player who always takes the shortest mate
/// that is left could be led in circles until the rule comes.
fn rank<G: Rules>(ranked: &RankedMove<G>, by_clock: bool) -> (TableResult, i32, i32) {
    let TableValue { result, dtm, dtz } = ranked.value;
    let [dtm, dtz] = [dtm, dtz].map(|plies| i32::from(plies.unwrap_or_default()));
    match result {
        TableResult::Win if by_clock => (result, -dtz, -dtm),
        TableResult::Win => (result, -dtm, -dtz),
        TableResult::CursedWin => (result, -dtz, -dtm),
        TableResult::Draw => (result, 0, 0),
        TableResult::BlessedLoss => (result, dtz, dtm),
        TableResult::Loss => (result, dtm, dtz),
    }
}
