//! The cells of a grid that differ from one by a step of one piece, and come before it.

use qirkat_rules::chess::Square;

/// No distance.
pub const NONE: u16 = u16::MAX;
/// How many neighbours there are: the walker a file and a rank back, Black's king a file and
/// a rank back, and both at once.
pub const NEIGHBOURS: usize = 6;

/// What the neighbours of a cell hold; [`NONE`] where there is none.
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
