//! Time that is left, as clocks show it.

/// As in `4:59` and `1:00:00`; tenths in the last twenty seconds.
pub(super) fn clock_text(left: u32) -> String {
    let (tenths, seconds) = (left / 100, left / 1000);
    match seconds {
        0..20 => format!("0:{:02}.{}", seconds, tenths % 10),
        20..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_seconds_are_shown_in_tenths() {
        for (left, text) in [
            (0, "0:00.0"),
            (19_999, "0:19.9"),
            (20_000, "0:20"),
            (299_000, "4:59"),
            (3_600_000, "1:00:00"),
        ] {
            assert_eq!(clock_text(left), text);
        }
    }
}
