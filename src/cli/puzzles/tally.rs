//! How many puzzles were solved.

use std::fmt;

/// How a puzzle ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// Solved at the first try and without a hint.
    Clean,
    /// Solved.
    Solved,
    /// Skipped, or the solution was asked for.
    Unsolved,
}

/// The count of all puzzles so far.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tally {
    posed: usize,
    solved: usize,
    clean: usize,
}

impl Tally {
    /// Counts a puzzle.
    pub fn count(&mut self, ending: Ending) {
        self.posed += 1;
        self.solved += usize::from(ending != Ending::Unsolved);
        self.clean += usize::from(ending == Ending::Clean);
    }
}

/// As in `Solved 3 of 4, 2 of them at the first try and without a hint.`
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { posed, solved, clean } = *self;
        write!(f, "Solved {solved} of {posed}")?;
        match (solved, clean) {
            (0, _) => f.write_str("."),
            (solved, clean) if solved == clean => {
                f.write_str(", at the first try and without a hint.")
            }
            _ => write!(f, ", {clean} of them at the first try and without a hint."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzles_are_counted() {
        let text = |endings: &[Ending]| {
            let mut tally = Tally::default();
            endings.iter().for_each(|&ending| tally.count(ending));
            tally.to_string()
        };
        assert_eq!(text(&[]), "Solved 0 of 0.");
        assert_eq!(text(&[Ending::Unsolved]), "Solved 0 of 1.");
        assert_eq!(text(&[Ending::Clean]), "Solved 1 of 1, at the first try and without a hint.");
        let all = [Ending::Clean, Ending::Solved, Ending::Unsolved];
        assert_eq!(text(&all), "Solved 2 of 3, 1 of them at the first try and without a hint.");
    }
}
