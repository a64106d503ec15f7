//! The checks as data. In `checks.txt` a line without indentation begins a check or a list of
//! positions; steps that are repeated stand indented below the line that repeats them.

use std::sync::LazyLock;

use derive_more::Debug;

#[derive(Debug)]
#[debug("{name}")]
pub struct Check {
    /// A short name, stable across versions.
    pub name: &'static str,
    pub title: &'static str,
    pub(super) needs: &'static [&'static str],
    pub(super) steps: &'static [Step],
}

/// A line of the script, with the lines indented below it.
#[derive(Debug)]
pub(super) struct Step {
    pub text: &'static str,
    pub block: Vec<Step>,
}

/// The checks that others need. Each needs those before it.
const NEEDED: [&str; 4] = ["uci", "ready", "startpos", "info"];

pub static CHECKS: LazyLock<Vec<Check>> = LazyLock::new(|| {
    let check = |section: &'static Step| {
        let (head, title) = section.text.split_once(": ")?;
        let (name, after) = head.split_once(" after ").unwrap_or((head, ""));
        let count = NEEDED.iter().position(|name| *name == after).map_or(0, |index| index + 1);
        Some(Check { name, title, needs: &NEEDED[..count], steps: &section.block })
    };
    SECTIONS.iter().filter_map(check).collect()
});

static SECTIONS: LazyLock<Vec<Step>> = LazyLock::new(|| {
    let is_comment = |line: &str| line.is_empty() || line.starts_with('#');
    let lines = include_str!("checks.txt").lines().filter(|line| !is_comment(line.trim_start()));
    steps(&lines.collect::<Vec<_>>())
});

fn steps(lines: &[&'static str]) -> Vec<Step> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut found = Vec::new();
    let mut rest = lines;
    while let [line, below @ ..] = rest {
        let is_inside = |inner: &&&str| depth(inner) > depth(line);
        let (inside, behind) = below.split_at(below.iter().take_while(is_inside).count());
        found.push(Step { text: line.trim_start(), block: steps(inside) });
        rest = behind;
    }
    found
}

pub(super) fn positions(name: &str) -> Option<impl Iterator<Item = &'static str>> {
    let is_list = |section: &&Step| section.text.strip_prefix("positions ") == Some(name);
    let section = SECTIONS.iter().find(is_list)?;
    Some(section.block.iter().map(|line| line.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_good_and_checks_come_after_what_they_need() {
        for (index, check) in CHECKS.iter().enumerate() {
            let is_plain = |letter: char| letter.is_ascii_lowercase() || letter == '-';
            assert!(check.name.chars().all(is_plain), "{check:?}");
            assert!(check.name.len() <= 15 && check.title.len() <= 60, "{check:?}");
            assert!(!check.steps.is_empty(), "{check:?}");
            let earlier: Vec<&str> = CHECKS[..index].iter().map(|other| other.name).collect();
            assert!(!earlier.contains(&check.name), "{check:?}");
            assert!(check.needs.iter().all(|needed| earlier.contains(needed)), "{check:?}");
            assert!(index == 0 || !check.needs.is_empty(), "{check:?}");
        }
    }
}
