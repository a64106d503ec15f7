//! The network while it learns, in floating point.

use rand::RngExt;
use rand::rngs::StdRng;
use rayon::prelude::*;

use crate::network::{
    BUCKETS, HIDDEN, Input, Network, NetworkError, NetworkNumbers, ONE, OUTPUT_ONE,
    UTMOST_OUTPUT_WEIGHT,
};
use crate::position::Point;

/// [`HIDDEN`] numbers that belong together.
pub(super) type Line = [f32; HIDDEN];

const START: usize = Input::COUNT;
const OUTPUTS: usize = START + 1;
const OUTPUT_STARTS: usize = OUTPUTS + 2 * BUCKETS;
const SHARED: usize = OUTPUT_STARTS + 1;
const LINES: usize = SHARED + Input::KINDS * SHARED_OF_KIND;
/// Of each kind: one line for all points, one for each rank and file, and one
/// for plain and for diagonal points.
const SHARED_OF_KIND: usize = 1 + Point::RANKS as usize + Point::FILES as usize + 2;
const _: () = assert!(BUCKETS <= HIDDEN, "what is added to the outputs fits into a line");

/// Weights larger than this could overflow the engine's products. Its sums hold
/// 63 rows that are all so large; whether a network could need more is seen when
/// it is made.
const UTMOST_WEIGHT: f32 = UTMOST_OUTPUT_WEIGHT as f32 / OUTPUT_ONE as f32;

/// All numbers of a network, or as many numbers that belong to them: one line
/// for each input, one for a side that sees nothing, two for each bucket's
/// outputs, one whose first numbers are added to these, and those that inputs
/// share.
///
/// What a man does on one point it mostly does on others too. So the row of an
/// input is the sum of its own line and of those it shares with the same man
/// on other points, on the same rank, the same file, and the same kind of
/// point; few games are enough to learn these ("factoriser" of the chess
/// engine Stockfish's trainer). The network gets the sums.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Parameters {
    pub lines: Vec<Line>,
}

impl Parameters {
    /// How many numbers there are.
    pub const COUNT: usize = LINES * HIDDEN;

    /// All of them zero, to be summed up in.
    pub fn zero() -> Parameters {
        Parameters { lines: vec![[0.0; HIDDEN]; LINES] }
    }

    /// Numbers to begin with: small, and with sums in the range where they
    /// learn.
    pub fn random(rng: &mut StdRng) -> Parameters {
        const ROWS: f32 = 0.08;
        const FIRST_SUM: f32 = 0.2;
        const OUTPUT: f32 = 0.06;
        let mut parameters = Parameters::zero();
        for (index, line) in parameters.lines.iter_mut().enumerate() {
            match index {
                ..START => line.fill_with(|| rng.random_range(-ROWS..ROWS)),
                START => line.fill(FIRST_SUM),
                OUTPUTS..OUTPUT_STARTS => line.fill_with(|| rng.random_range(-OUTPUT..OUTPUT)),
                _ => {}
            }
        }
        parameters
    }

    /// The numbers as the network has them: every row with what it shares.
    pub fn joined(&self) -> Parameters {
        let mut joined = self.clone();
        let (rows, shared) = (&mut joined.lines[..START], &self.lines[SHARED..]);
        let kinds = rows.par_chunks_mut(Point::COUNT).zip(shared.par_chunks(SHARED_OF_KIND));
        kinds.for_each(|(rows, shared)| {
            for (row, point) in rows.iter_mut().zip(Point::all()) {
                for line in shared_lines(point) {
                    add(row, &shared[line]);
                }
                *row = row.map(Parameters::bounded);
            }
        });
        joined
    }

    /// Gives the slopes of rows to the lines that they share.
    pub fn share_slopes(&mut self) {
        let (rows, others) = self.lines.split_at_mut(START);
        let shared = &mut others[SHARED - START..];
        let kinds = rows.par_chunks(Point::COUNT).zip(shared.par_chunks_mut(SHARED_OF_KIND));
        kinds.for_each(|(rows, shared)| {
            for (row, point) in rows.iter().zip(Point::all()) {
                for line in shared_lines(point) {
                    add(&mut shared[line], row);
                }
            }
        });
    }

    /// What an input adds to a side's sums.
    #[inline]
    pub fn row(&self, input: Input) -> &Line {
        &self.lines[input.index()]
    }

    /// The same, to be changed.
    #[inline]
    pub fn row_mut(&mut self, input: Input) -> &mut Line {
        &mut self.lines[input.index()]
    }

    /// The sums of a side that sees nothing.
    pub fn start(&self) -> &Line {
        &self.lines[START]
    }

    /// The same, to be changed.
    pub fn start_mut(&mut self) -> &mut Line {
        &mut self.lines[START]
    }

    /// The weights of the sums of the side to move, or of the other.
    pub fn output(&self, bucket: usize, side: usize) -> &Line {
        &self.lines[OUTPUTS + 2 * bucket + side]
    }

    /// The same, to be changed.
    pub fn output_mut(&mut self, bucket: usize, side: usize) -> &mut Line {
        &mut self.lines[OUTPUTS + 2 * bucket + side]
    }

    /// What is added to a bucket's output.
    pub fn output_start(&self, bucket: usize) -> f32 {
        self.lines[OUTPUT_STARTS][bucket]
    }

    /// The same, to be changed.
    pub fn output_start_mut(&mut self, bucket: usize) -> &mut f32 {
        &mut self.lines[OUTPUT_STARTS][bucket]
    }

    /// Whether the numbers of a line are weights, which are kept small.
    pub fn is_weights(line: usize) -> bool {
        line != OUTPUT_STARTS
    }

    /// A weight within the bounds that the engine's whole numbers need.
    pub fn bounded(weight: f32) -> f32 {
        weight.clamp(-UTMOST_WEIGHT, UTMOST_WEIGHT)
    }

    /// The network in whole numbers, of [joined](Parameters::joined) ones.
    ///
    /// # Errors
    /// When the rows are too large together.
    pub fn network(&self) -> Result<Network, NetworkError> {
        let whole = |number: f32, one: i16| (number * f32::from(one)).round() as i16;
        let sums = |line: &Line| line.map(|number| whole(number, ONE));
        let rows: Vec<[i16; HIDDEN]> = self.lines[..START].iter().map(sums).collect();
        let side = |bucket, side| self.output(bucket, side).map(|number| whole(number, OUTPUT_ONE));
        let product = f32::from(ONE) * f32::from(OUTPUT_ONE);
        Network::new(&NetworkNumbers {
            rows: &rows,
            start: sums(self.start()),
            outputs: std::array::from_fn(|bucket| [side(bucket, 0), side(bucket, 1)]),
            output_starts: std::array::from_fn(|bucket| {
                (self.output_start(bucket) * product).round() as i32
            }),
        })
    }
}

/// Which of a man's shared lines belong to a point.
fn shared_lines(point: Point) -> [usize; 4] {
    let ranks = 1;
    let files = ranks + usize::from(Point::RANKS);
    let kinds_of_point = files + usize::from(Point::FILES);
    [
        0,
        ranks + usize::from(point.rank()),
        files + usize::from(point.file()),
        kinds_of_point + usize::from(point.is_diagonal()),
    ]
}

/// Adds the numbers of a line to those of another.
#[inline(always)]
pub(super) fn add(to: &mut Line, line: &Line) {
    for (sum, number) in to.iter_mut().zip(line) {
        *sum += number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shared line moves the rows of one man on all points, on a rank, on a
    /// file, or on one kind of point, and the slopes of just these come to it.
    #[test]
    fn shared_lines_belong_to_their_rows() {
        let mut slopes = Parameters::zero();
        slopes.lines[..START].fill([1.0; HIDDEN]);
        slopes.share_slopes();
        let of_a_kind: Vec<f32> = [81.0].into_iter().chain([9.0; 18]).chain([40.0, 41.0]).collect();
        for (line, wanted) in (SHARED..LINES).zip(of_a_kind.iter().cycle()) {
            let mut parameters = Parameters::zero();
            parameters.lines[line].fill(0.5);
            let joined = parameters.joined();
            let moved = joined.lines[..START].iter().filter(|row| **row == [0.5; HIDDEN]).count();
            assert_eq!(moved as f32, *wanted, "line {line}");
            assert_eq!(slopes.lines[line], [*wanted; HIDDEN], "line {line}");
        }
    }

    /// Each weight may be as large as it can get, but not all of them.
    #[test]
    fn too_many_large_rows_are_no_network() {
        let mut parameters = Parameters::zero();
        parameters.lines.fill([UTMOST_WEIGHT; HIDDEN]);
        let error = parameters.network().err();
        assert!(matches!(error, Some(NetworkError::Sum(_))), "{error:?}");
        parameters.lines[..START].fill([0.0; HIDDEN]);
        parameters.lines[..63].fill([UTMOST_WEIGHT; HIDDEN]);
        assert!(parameters.network().is_ok());
    }
}
