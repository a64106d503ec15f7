//! Expected texts with wildcards: `[..]` in a line stands for any text, a line `...` for any lines.
//!
//! One alignment is used to compare, to show differences, and to update a page while keeping the
//! wildcards that still match.

/// A wildcard within a line, and one for lines.
const ANY_TEXT: &str = "[..]";
const ANY_LINES: &str = "...";

/// A step in aligning an expected and an actual text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Same,
    /// The end of a wildcard in the expected text.
    Gap,
    /// A wildcard matches one item.
    Taken,
    Changed,
    Gone,
    New,
}

/// The steps with the fewest differences, each with its positions in both texts.
fn aligned<E, A>(
    expected: &[E],
    actual: &[A],
    is_gap: impl Fn(&E) -> bool,
    same: impl Fn(&E, &A) -> bool,
) -> Vec<(Step, usize, usize)> {
    // The best step for each pair of positions, and the number of differences from there on.
    let mut best = vec![vec![(0_usize, Step::Same); actual.len() + 1]; expected.len() + 1];
    for row in (0..=expected.len()).rev() {
        for column in (0..=actual.len()).rev() {
            let (item, other) = (expected.get(row), actual.get(column));
            let steps: &[Step] = match (item, other) {
                (Some(item), Some(_)) if is_gap(item) => &[Step::Gap, Step::Taken],
                (Some(item), None) if is_gap(item) => &[Step::Gap],
                (Some(item), Some(other)) if same(item, other) => {
                    &[Step::Same, Step::Gone, Step::New]
                }
                (Some(_), Some(_)) => &[Step::Changed, Step::Gone, Step::New],
                (Some(_), None) => &[Step::Gone],
                (None, Some(_)) => &[Step::New],
                (None, None) => continue,
            };
            let costs = steps.iter().map(|&step| {
                let (down, right) = size(step);
                let differs = matches!(step, Step::Changed | Step::Gone | Step::New);
                (best[row + down][column + right].0 + usize::from(differs), step)
            });
            best[row][column] = costs.min_by_key(|&(cost, _)| cost).expect("a step");
        }
    }
    let (mut row, mut column, mut path) = (0, 0, Vec::new());
    while (row, column) != (expected.len(), actual.len()) {
        let step = best[row][column].1;
        path.push((step, row, column));
        let (down, right) = size(step);
        (row, column) = (row + down, column + right);
    }
    path
}

/// How far a step advances in each text.
const fn size(step: Step) -> (usize, usize) {
    match step {
        Step::Same | Step::Changed => (1, 1),
        Step::Gap | Step::Gone => (1, 0),
        Step::Taken | Step::New => (0, 1),
    }
}

fn aligned_lines(expected: &[String], actual: &[String]) -> Vec<(Step, usize, usize)> {
    aligned(expected, actual, |line| line == ANY_LINES, |line, other| line_fits(line, other))
}

fn line_fits(expected: &str, actual: &str) -> bool {
    let Some((first, others)) = expected.split_once(ANY_TEXT) else { return expected == actual };
    let Some(rest) = actual.strip_prefix(first) else { return false };
    let (between, last) = others.rsplit_once(ANY_TEXT).unwrap_or(("", others));
    let Some(mut rest) = rest.strip_suffix(last) else { return false };
    between.split(ANY_TEXT).all(|part| {
        let found = rest.split_once(part);
        found.is_some_and(|(_, behind)| {
            rest = behind;
            true
        })
    })
}

/// The differences, as in `diff`; `None` if all lines match.
pub fn difference(expected: &[String], actual: &[String]) -> Option<String> {
    let steps = aligned_lines(expected, actual);
    let mut text = String::new();
    for &(step, row, column) in &steps {
        let old = || format!("    - {}\n", expected[row]);
        let new = || format!("    + {}\n", actual[column]);
        text += &match step {
            Step::Same | Step::Gap => format!("      {}\n", expected[row]),
            Step::Taken => String::new(),
            Step::Changed => old() + &new(),
            Step::Gone => old(),
            Step::New => new(),
        };
    }
    let fits = |step| matches!(step, Step::Same | Step::Gap | Step::Taken);
    (!steps.iter().all(|&(step, ..)| fits(step))).then_some(text)
}

/// The actual text, with the wildcards of the expected one.
pub fn with_gaps(expected: &[String], actual: &[String]) -> Vec<String> {
    let line = |&(step, row, column): &(Step, usize, usize)| match step {
        Step::Same | Step::Gap => Some(expected[row].clone()),
        Step::Changed => Some(line_with_gaps(&expected[row], &actual[column])),
        Step::New => Some(actual[column].clone()),
        Step::Taken | Step::Gone => None,
    };
    aligned_lines(expected, actual).iter().filter_map(line).collect()
}

/// The actual line with the wildcards of the old one, if most of it is unchanged.
fn line_with_gaps(expected: &str, actual: &str) -> String {
    const GAP: char = '\0';
    let expected: Vec<char> = expected.replace(ANY_TEXT, &GAP.to_string()).chars().collect();
    let actual: Vec<char> = actual.chars().collect();
    let steps = aligned(&expected, &actual, |&letter| letter == GAP, |one, other| one == other);
    let kept = steps.iter().filter(|(step, ..)| *step == Step::Same).count();
    if 2 * kept < expected.len() {
        return actual.into_iter().collect();
    }
    let part = |&(step, _, column): &(Step, usize, usize)| match step {
        Step::Gap => ANY_TEXT.to_owned(),
        Step::Taken | Step::Gone => String::new(),
        Step::Same | Step::Changed | Step::New => actual[column].to_string(),
    };
    steps.iter().map(part).collect()
}
