//! Times as people and GUIs write them.

use std::time::Duration;

/// The longest time accepted: over thirty years, yet sums of times are far from overflow.
pub const LONGEST_TIME: Duration = Duration::from_secs(1_000_000_000);

/// The unit of a number without a colon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    Minutes,
    Seconds,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeTextError {
    NotANumber,
    Negative,
    TooLong,
}

/// Parses `minutes:seconds`, or one number in this unit; fractions are allowed.
pub fn read_time(text: &str, unit: Unit) -> Result<Duration, TimeTextError> {
    let (minutes, seconds) = match (text.split_once(':'), unit) {
        (Some(both), _) => both,
        (None, Unit::Minutes) => (text, "0"),
        (None, Unit::Seconds) => ("0", text),
    };
    let [minutes, seconds] = [minutes, seconds].map(str::parse::<f64>);
    let (Ok(minutes), Ok(seconds)) = (minutes, seconds) else {
        return Err(TimeTextError::NotANumber);
    };
    if minutes < 0.0 || seconds < 0.0 {
        return Err(TimeTextError::Negative);
    }
    let total = minutes * 60.0 + seconds;
    if total.is_nan() {
        return Err(TimeTextError::NotANumber);
    }
    Duration::try_from_secs_f64(total)
        .ok()
        .filter(|&time| time <= LONGEST_TIME)
        .ok_or(TimeTextError::TooLong)
}

/// Milliseconds as a time, clamped between zero and [`LONGEST_TIME`].
pub fn milliseconds(number: i64) -> Duration {
    Duration::from_millis(number.max(0) as u64).min(LONGEST_TIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_parsed_in_either_unit() {
        use TimeTextError::*;
        for (text, minutes, seconds) in [
            ("5", Ok(300.0), Ok(5.0)),
            ("0.5", Ok(30.0), Ok(0.5)),
            ("1:30", Ok(90.0), Ok(90.0)),
            ("0:00.25", Ok(0.25), Ok(0.25)),
            ("-1", Err(Negative), Err(Negative)),
            ("-1:90", Err(Negative), Err(Negative)),
            ("1:-90", Err(Negative), Err(Negative)),
            ("", Err(NotANumber), Err(NotANumber)),
            (":", Err(NotANumber), Err(NotANumber)),
            ("1:2:3", Err(NotANumber), Err(NotANumber)),
            ("nan", Err(NotANumber), Err(NotANumber)),
            ("inf", Err(TooLong), Err(TooLong)),
            ("1e300", Err(TooLong), Err(TooLong)),
            ("1000000000", Err(TooLong), Ok(1e9)),
        ] {
            let as_seconds = |time: Duration| time.as_secs_f64();
            assert_eq!(read_time(text, Unit::Minutes).map(as_seconds), minutes, "{text}");
            assert_eq!(read_time(text, Unit::Seconds).map(as_seconds), seconds, "{text}");
        }
        assert_eq!(milliseconds(-5), Duration::ZERO);
        assert_eq!(milliseconds(i64::MAX), LONGEST_TIME);
    }
}
