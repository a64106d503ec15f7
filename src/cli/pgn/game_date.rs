//! Dates of games, as far as they are known.

use std::cmp::Ordering;
use std::str::FromStr;

use thiserror::Error;

/// A day, a month or a year.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GameDate {
    /// Year, month and day, as many as are known.
    parts: Vec<u16>,
}

/// The most days that each month may have.
const LENGTHS: [u16; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// A text that is no date.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not a date such as 2026.05.31, 2026.05 or 2026")]
pub(super) struct NoDate;

impl GameDate {
    /// The date in a `Date` tag, where `?` stands for what is not known; none if not even the
    /// year is.
    pub fn of_tag(text: &str) -> Option<GameDate> {
        let known = text.split_once('?').map_or(text, |(known, _)| known);
        known.trim_end_matches('.').parse().ok()
    }

    /// How it lies to another as far as both are known: a day lies neither before nor behind
    /// its month.
    pub fn compare(&self, other: &GameDate) -> Ordering {
        let pairs = self.parts.iter().zip(&other.parts);
        pairs.map(|(a, b)| a.cmp(b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

impl FromStr for GameDate {
    type Err = NoDate;

    fn from_str(text: &str) -> Result<GameDate, NoDate> {
        let number = |part: &str| match part.bytes().all(|byte| byte.is_ascii_digit()) {
            true => part.parse::<u16>().map_err(|_| NoDate),
            false => Err(NoDate),
        };
        let parts: Vec<u16> = text.split(['.', '-', '/']).map(number).collect::<Result<_, _>>()?;
        let is_date = match parts[..] {
            [year] => year >= 1000,
            [year, month] => year >= 1000 && (1..=12).contains(&month),
            [year, month, day] => {
                year >= 1000
                    && (1..=12).contains(&month)
                    && (1..=LENGTHS[usize::from(month) - 1]).contains(&day)
            }
            _ => false,
        };
        if is_date { Ok(GameDate { parts }) } else { Err(NoDate) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_compared_as_far_as_they_are_known() {
        for (tag, bound, order) in [
            ("2026.05.31", "2026.05.31", Some(Ordering::Equal)),
            ("2026.05.30", "2026-05-31", Some(Ordering::Less)),
            ("2026.06.01", "2026.05", Some(Ordering::Greater)),
            ("2026.05.01", "2026.05", Some(Ordering::Equal)),
            ("2026.??.??", "2026.05", Some(Ordering::Equal)),
            ("2025.12.??", "2026", Some(Ordering::Less)),
            ("????.??.??", "2026", None),
            ("?", "2026", None),
            ("yesterday", "2026", None),
        ] {
            let bound: GameDate = bound.parse().expect(bound);
            assert_eq!(GameDate::of_tag(tag).map(|date| date.compare(&bound)), order, "{tag}");
        }
        for text in [
            "",
            "26",
            "2026.13",
            "2026.5.32",
            "2026.02.30",
            "2026.5.3.1",
            "31.05.2026",
            "+2026",
            "99999",
        ] {
            assert_eq!(text.parse::<GameDate>(), Err(NoDate), "{text}");
        }
    }
}
