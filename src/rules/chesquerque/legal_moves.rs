//! What is asked of the move generator: the legal moves, how many there are, whether there
//! is any.

use super::generate::{ALL, NOISY, QUIET};
use super::move_list::{Move, MoveList};
use super::position::Position;
use crate::chess::{Any, Counter, Each, MoveSink};
use qirkat_game::MoveFilter;

impl Position {
    /// The legal moves.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::Position;
    ///
    /// let position: Position = "9/P7k/9/9/9/9/9/9/4K4 w - - 0 1".parse()?;
    /// let moves: Vec<String> = position.legal_moves().iter().map(|mv| mv.to_string()).collect();
    /// assert_eq!(moves.len(), 10);
    /// assert!(moves.contains(&"a8a9a".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        self.moves(MoveFilter::All)
    }

    /// The legal moves that pass a filter.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::{MoveFilter, Position};
    ///
    /// // The rook can take the pawn.
    /// let position: Position = "4k4/9/9/9/p8/9/9/9/R3K4 w - - 0 1".parse()?;
    /// let noisy = position.moves(MoveFilter::Noisy);
    /// assert_eq!(noisy.as_slice(), ["a1a5".parse()?]);
    /// let quiet = position.moves(MoveFilter::Quiet).len();
    /// assert_eq!(noisy.len() + quiet, position.legal_moves().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moves(&self, filter: MoveFilter) -> MoveList {
        let mut list = MoveList::new();
        self.add_moves(filter, &mut list);
        list
    }

    /// Adds the legal moves that pass a filter to a list, which is quicker
    /// than having a long list returned. Together with the moves already
    /// there they must be moves of one position.
    #[inline]
    pub fn add_moves(&self, filter: MoveFilter, list: &mut MoveList) {
        self.generate_filtered(filter, list);
    }

    /// Calls `sink` with each legal move that passes a filter.
    #[inline]
    pub(super) fn for_each_move(&self, filter: MoveFilter, sink: &mut impl FnMut(Move)) {
        self.generate_filtered(filter, &mut Each(sink));
    }

    #[inline]
    fn generate_filtered<T: MoveSink<Position>>(&self, filter: MoveFilter, sink: &mut T) {
        match filter {
            MoveFilter::All => self.generate::<T, ALL>(sink),
            MoveFilter::Noisy => self.generate::<T, NOISY>(sink),
            MoveFilter::Quiet => self.generate::<T, QUIET>(sink),
        }
    }

    /// How many legal moves there are, without making a list of them.
    ///
    /// ```
    /// assert_eq!(qirkat_rules::chesquerque::Position::start().count_legal_moves(), 18);
    /// ```
    #[inline]
    pub fn count_legal_moves(&self) -> u64 {
        let mut counter = Counter(0);
        self.generate::<Counter, ALL>(&mut counter);
        counter.0
    }

    /// Whether there is any legal move; stops at the first kind of piece that has one.
    pub fn has_legal_moves(&self) -> bool {
        let mut any = Any(false);
        self.generate::<Any, ALL>(&mut any);
        any.0
    }
}
