//! Counts solved problems by class and by part of the budget.

use serde::Serialize;

use super::budget::Budget;
use super::problem::Problem;
use super::solve::Attempt;

/// The parts of the budget that are counted, in percent.
const PARTS: [u32; 5] = [5, 10, 25, 50, 100];

/// The count of a whole suite.
#[derive(Clone, Debug)]
pub struct Tally {
    budgets: Vec<Budget>,
    classes: Vec<ClassTally>,
    all: ClassTally,
}

/// The count of a class of problems.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ClassTally {
    pub class: String,
    pub problems: usize,
    /// How many were solved within each of the budgets.
    pub solved: Vec<usize>,
}

impl Tally {
    /// Nothing counted yet.
    pub fn new(budget: Budget) -> Tally {
        let mut budgets: Vec<Budget> =
            PARTS.into_iter().map(|percent| budget.percent(percent)).collect();
        budgets.dedup();
        let all = ClassTally::new("all", budgets.len());
        Tally { budgets, classes: Vec::new(), all }
    }

    pub fn count(&mut self, problem: &Problem, attempt: &Attempt) {
        let class = problem.class();
        let place = self.classes.iter().position(|known| known.class == class);
        let place = place.unwrap_or_else(|| {
            self.classes.push(ClassTally::new(class, self.budgets.len()));
            self.classes.len() - 1
        });
        for tally in [&mut self.classes[place], &mut self.all] {
            tally.problems += 1;
            for (solved, budget) in tally.solved.iter_mut().zip(&self.budgets) {
                // The last budget is the whole, which a search can overrun.
                let whole = Some(budget) == self.budgets.last();
                let in_time = |found| whole || budget.covers(found);
                *solved += usize::from(attempt.found.as_ref().is_some_and(in_time));
            }
        }
    }

    /// The budgets that are counted, the whole one last.
    pub fn budgets(&self) -> &[Budget] {
        &self.budgets
    }

    /// The count of each class, in the order of their first problems.
    pub fn classes(&self) -> &[ClassTally] {
        &self.classes
    }

    /// The count of all problems.
    pub fn all(&self) -> &ClassTally {
        &self.all
    }
}

impl ClassTally {
    fn new(class: &str, budgets: usize) -> ClassTally {
        ClassTally { class: class.to_owned(), problems: 0, solved: vec![0; budgets] }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::budget::Found;
    use super::super::problem::read_suite;
    use super::*;
    use qirkat_game::distance::Depth;
    use qirkat_game::score::Score;
    use qirkat_rules::variant::Variant;

    fn attempt(found_after: Option<u64>) -> Attempt {
        let at = |ms| Found { depth: Depth(1), nodes: ms, time: Duration::from_millis(ms) };
        Attempt { played: None, score: Score::DRAW, found: found_after.map(at), end: at(1000) }
    }

    #[test]
    fn solutions_are_counted_by_class_and_budget() {
        let board = "4k4/9/9/9/9/9/9/9/R3K4 w Q - bm a1a9; id";
        let text = format!("{board} b-1;\n{board} a-1;\n{board} b-2;\n{board} b-3;");
        let problems =
            read_suite(text.as_bytes(), "suite", Variant::Chesquerque).expect("a good suite");
        let mut tally = Tally::new(Budget::Time(Duration::from_millis(1000)));
        for (problem, found_after) in problems.iter().zip([Some(50), Some(51), None, Some(1002)]) {
            tally.count(problem, &attempt(found_after));
        }
        let row = |tally: &ClassTally| (tally.class.clone(), tally.problems, tally.solved.clone());
        let rows: Vec<_> = tally.classes().iter().chain([tally.all()]).map(row).collect();
        assert_eq!(
            rows,
            [
                ("b".to_owned(), 3, vec![1, 1, 1, 1, 2]),
                ("a".to_owned(), 1, vec![0, 1, 1, 1, 1]),
                ("all".to_owned(), 4, vec![1, 2, 2, 2, 3]),
            ]
        );
    }

    #[test]
    fn small_budgets_have_fewer_parts() {
        let texts = |budget| -> Vec<String> {
            Tally::new(budget).budgets().iter().map(Budget::to_string).collect()
        };
        assert_eq!(texts(Budget::Depth(Depth(4))), ["depth 1", "depth 2", "depth 4"]);
        assert_eq!(
            texts(Budget::Time(Duration::from_millis(1000))),
            ["50 ms", "100 ms", "250 ms", "500 ms", "1000 ms"]
        );
        assert_eq!(texts(Budget::Nodes(1)), ["1 nodes"]);
    }
}
