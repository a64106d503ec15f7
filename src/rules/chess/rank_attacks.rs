//! Attacks of sliders along a rank, whose squares are adjacent bits: a table by the
//! slider's file and the pieces on the inner squares ("first-rank attacks").

/// The attacked squares of a rank of `FILES` squares, a bit for each file, by the slider's
/// file and the occupied inner squares. The outermost squares do not matter: a slider
/// reaches them whether or not a piece stands there. `INNER` is 2 to the power of
/// `FILES - 2`.
pub(crate) const fn rank_attacks<const FILES: usize, const INNER: usize>() -> [[u16; INNER]; FILES]
{
    let mut table = [[0; INNER]; FILES];
    let mut file = 0;
    while file < FILES {
        let mut inner = 0;
        while inner < INNER {
            let pieces = (inner as u16) << 1;
            let mut attacks = 0;
            let mut right = file + 1;
            while right < FILES {
                attacks |= 1 << right;
                if pieces & 1 << right != 0 {
                    break;
                }
                right += 1;
            }
            let mut left = file;
            while left > 0 {
                left -= 1;
                attacks |= 1 << left;
                if pieces & 1 << left != 0 {
                    break;
                }
            }
            table[file][inner] = attacks;
            inner += 1;
        }
        file += 1;
    }
    table
}
