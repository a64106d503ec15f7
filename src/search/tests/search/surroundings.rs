use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use qirkat_evaluation::Evaluation;
use qirkat_rules::chesquerque::{Game, Position};
use qirkat_search::{SearchControl, SearchLimits, SearchResult, Searcher, TimeBudget};

const TEN_MINUTES: Duration = Duration::from_secs(600);

fn within(time: Duration) -> SearchLimits {
    SearchLimits::time(TimeBudget { soft: None, hard: Some(time) })
}

fn search_under(control: &SearchControl, limits: &SearchLimits) -> SearchResult<Position> {
    let mut searcher = Searcher::with_resources(Evaluation::Material, 1, 1).expect("a table");
    searcher.search_under(control, &Game::default(), &[], limits, &mut |_| {})
}

/// A second passes with each reading of the clock, which need not start at zero.
#[test]
fn a_host_clock_limits_the_search() {
    let seconds = AtomicU64::new(1 << 40);
    let clock = move || Duration::from_secs(seconds.fetch_add(1, Ordering::Relaxed));
    let control = SearchControl::new(false, false).with_clock(clock);
    let result = search_under(&control, &within(TEN_MINUTES));
    assert!(result.best.is_some());
    assert!((10_000..600 * 512).contains(&result.nodes), "{}", result.nodes);
    assert!(control.elapsed() > TEN_MINUTES);
}

/// Ending too early is better than never.
#[cfg(not(feature = "clock"))]
#[test]
fn time_limits_end_at_once_without_a_clock() {
    let control = SearchControl::new(false, false);
    let result = search_under(&control, &within(TEN_MINUTES));
    assert!(result.best.is_some() && result.nodes <= 1024, "{}", result.nodes);
    assert_eq!(control.elapsed(), Duration::ZERO);
    let result = search_under(&control, &SearchLimits::nodes(5000));
    assert_eq!(result.nodes, 5000);
}

#[cfg(not(feature = "threads"))]
#[test]
fn without_threads_the_search_runs_on_the_caller() {
    let searcher = Searcher::with_resources(Evaluation::Material, 8, 1).expect("a table");
    assert_eq!(searcher.threads(), 1);
}
