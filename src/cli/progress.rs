//! How long work shows on a terminal that it goes on. Nothing is drawn when
//! standard error is no terminal.

use std::fmt::Write;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// A progress bar with this template, on standard error.
pub(super) fn bar(template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    match ProgressStyle::with_template(template) {
        Ok(style) => {
            bar.set_style(style.with_key("per_sec", write_speed).with_key("eta", write_time_left))
        }
        Err(error) => log::error!("progress template `{template}`: {error}"),
    }
    bar
}

/// Takes the place of the library's own `{per_sec}`, which shows a speed as
/// `144,434,264.2259/s`.
fn write_speed(state: &ProgressState, text: &mut dyn Write) {
    if text.write_str(&speed(state.per_sec())).is_err() {
        log::error!("a speed could not be shown");
    }
}

/// Takes the place of the library's own `{eta}`, which shows `0s` until something is done.
fn write_time_left(state: &ProgressState, text: &mut dyn Write) {
    let is_known = !state.eta().is_zero() || state.len().is_some_and(|all| state.pos() >= all);
    let written = match is_known {
        true => write!(text, "{:#}", HumanDuration(state.eta())),
        false => text.write_str("?"),
    };
    if written.is_err() {
        log::error!("a time could not be shown");
    }
}

/// A speed with three digits that count, as in `144 M/s` or `0.25/s`.
fn speed(per_second: f64) -> String {
    const UNITS: [(f64, &str); 3] = [(1e9, " G"), (1e6, " M"), (1e3, " k")];
    // A speed that would be rounded up to a thousand belongs to the next unit.
    let unit = UNITS.into_iter().find(|(size, _)| per_second >= 0.9995 * size);
    let (size, name) = unit.unwrap_or((1.0, ""));
    let number = per_second / size;
    let decimals = match number {
        _ if number >= 99.95 => 0,
        _ if number >= 9.995 => 1,
        _ => 2,
    };
    format!("{number:.decimals$}{name}/s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_have_three_digits() {
        for (per_second, text) in [
            (144_434_264.225_9, "144 M/s"),
            (1_440_000.0, "1.44 M/s"),
            (999_600.0, "1.00 M/s"),
            (999_400.0, "999 k/s"),
            (15_625.0, "15.6 k/s"),
            (2_000_000_000.0, "2.00 G/s"),
            (999.4, "999/s"),
            (99.96, "100/s"),
            (12.34, "12.3/s"),
            (0.25, "0.25/s"),
            (0.0, "0.00/s"),
        ] {
            assert_eq!(speed(per_second), text, "{per_second}");
        }
    }
}
