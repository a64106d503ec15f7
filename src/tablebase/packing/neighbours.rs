//! The numbers of a cell's neighbours, and which distances they name for it.

use arrayvec::ArrayVec;

use qirkat_rules::chess::Square;

/// No distance.
pub const NONE: u16 = u16::MAX;
/// How many neighbours there are: the walker a file and a rank back, Black's king a file and
/// a rank back, and both at once.
pub const NEIGHBOURS: usize = 6;

/// The numbers of those cells of a grid that differ from one by a step of one piece, and come
/// before it; [`NONE`] where there is none.
#[inline]
pub fn near<S: Square>(numbers: &[u16], cell: usize) -> [u16; NEIGHBOURS] {
    let (count, files) = (S::COUNT, usize::from(S::FILES));
    let (king, walker) = (cell / count, cell % count);
    let back = |is_there: bool, by: usize| if is_there { numbers[cell - by] } else { NONE };
    let (walker_file, king_file) = (!walker.is_multiple_of(files), !king.is_multiple_of(files));
    let (walker_rank, king_rank) = (walker >= files, king >= files);
    [
        back(walker_file, 1),
        back(walker_rank, files),
        back(king_file, count),
        back(king_rank, files * count),
        back(walker_file && king_file, count + 1),
        back(walker_rank && king_rank, files * (count + 1)),
    ]
}

/// Distances that are named, each once, with how much it counts.
#[derive(Default)]
pub struct Votes(ArrayVec<(u16, u32), 16>);

impl Votes {
    /// A distance is named.
    #[inline]
    pub fn add(&mut self, distance: u16, votes: u32) {
        if let Some(known) = self.0.iter_mut().find(|known| known.0 == distance) {
            known.1 += votes;
        } else if !self.0.is_full() {
            self.0.push((distance, votes));
        }
    }

    /// Whether none is named.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The most named of those from a place on, which is brought there.
    #[inline]
    fn best_from(&mut self, place: usize) -> Option<u16> {
        let mut best = place;
        for at in place..self.0.len() {
            if self.0[at].1 > self.0[best].1 {
                best = at;
            }
        }
        if best < self.0.len() {
            self.0.swap(place, best);
        }
        self.0.get(place).map(|vote| vote.0)
    }

    /// Asks of the most named distances, one after another, whether it is that one; gives back
    /// how many were asked for where it is none of `most`.
    #[inline]
    pub fn ask(
        &mut self,
        most: usize,
        mut is_it: impl FnMut(u64, u16) -> bool,
    ) -> Result<u16, usize> {
        let mut asked = 0;
        while asked < most
            && let Some(guess) = self.best_from(asked)
        {
            if is_it(asked as u64, guess) {
                return Ok(guess);
            }
            asked += 1;
        }
        Err(asked)
    }

    /// All that are named; those that were asked for come first.
    pub fn named(&self) -> impl Iterator<Item = u16> {
        self.0.iter().map(|vote| vote.0)
    }
}
