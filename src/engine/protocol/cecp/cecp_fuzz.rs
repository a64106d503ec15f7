//! Fuzz tests: the readers of commands survive any line.

use std::time::Duration;

use proptest::prelude::*;

use super::cecp_clock::GameClock;
use super::cecp_command::Command;
use qirkat_testing::{ANY, texts_like};

/// Words that make sense somewhere, and any others.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "xboard",
            "protover",
            "level",
            "st",
            "sd",
            "time",
            "otim",
            "40",
            "0",
            "5:00",
            "0:30",
            "1e9",
            "nan",
            "-1",
            "99999999999999999999",
            "usermove",
            "e2e4",
            "a8a9k",
            "setboard",
            "option",
            "Hash=7",
            "exclude",
            "all",
            "lift",
            "j9",
            ".",
            "?",
            ":",
            "25+5",
        ])
        .prop_map(str::to_owned),
        texts_like("[a-i][1-9][a-i][1-9][qrbnak]?"),
        texts_like("-?[0-9]{1,30}"),
        texts_like(ANY),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4_000) })]

    #[test]
    fn lines_are_read_without_panic(words in prop::collection::vec(word(), 0..8)) {
        let line = words.join(" ");
        let _ = Command::read(&line).waits_for_answer();
        let mut clock = GameClock::from_level(&line).unwrap_or_default();
        let _ = clock.set_time_per_move(&line);
        let _ = clock.set_remaining(&line);
        clock.moved_after(Duration::from_secs(1));
        let budget = clock.budget(Duration::from_millis(20));
        prop_assert!(budget.hard.is_some());
    }
}
