//! A fixed workload: its node count identifies the search, its time shows the speed.

use std::time::Duration;

use derive_more::Display;

use qirkat_evaluation::AnyEvaluation;
use qirkat_game::distance::Depth;
use qirkat_rules::variant::{AnyGame, AnyPosition, Variant};
use qirkat_search::{DEFAULT_HASH_MEGABYTES, ResourceError, SearchControl, nodes_per_second};

use super::SearchLimits;
use super::any_searcher::AnySearcher;
#[cfg(feature = "protocol")]
use {qirkat_game::text::counted, qirkat_system::machine::machine_name};

/// The positions of a game, one FEN per line.
const fn positions(variant: Variant) -> &'static str {
    match variant {
        Variant::Chesquerque => include_str!("bench_positions.txt"),
        Variant::Masonic => include_str!("bench_positions_masonic.txt"),
        Variant::Alquerque => include_str!("bench_positions_alquerque.txt"),
    }
}

pub const BENCH_DEPTH: Depth = Depth(10);

#[derive(Clone, Copy, Debug)]
pub struct BenchProgress<'a> {
    pub done: usize,
    pub total: usize,
    /// The position just searched.
    pub position: &'a AnyPosition,
    pub nodes: u64,
}

/// The result of a bench, displayed as the line that bench scripts look for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display)]
#[display("{nodes} nodes {} nps", self.nodes_per_second())]
pub struct BenchResult {
    pub nodes: u64,
    pub time: Duration,
}

impl BenchResult {
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Searches each bench position of a game to a depth on one thread, each with an empty table, so
/// that the count does not depend on options or order. Returns none if the control stops it.
pub fn bench(
    depth: Depth,
    evaluation: &AnyEvaluation,
    control: &SearchControl,
    progress: &mut dyn FnMut(BenchProgress<'_>),
) -> Result<Option<BenchResult>, ResourceError> {
    let mut searcher = AnySearcher::with_resources(evaluation.clone(), 1, DEFAULT_HASH_MEGABYTES)?;
    let limits = SearchLimits::depth(depth);
    let mut nodes = 0;
    let games = bench_games(evaluation.variant());
    for (index, game) in games.iter().enumerate() {
        searcher.clear()?;
        let result = searcher.search_under(control, game, &[], &limits, &mut |_| {});
        if control.stopped() {
            return Ok(None);
        }
        nodes += result.nodes;
        progress(BenchProgress {
            done: index + 1,
            total: games.len(),
            position: game.position(),
            nodes: result.nodes,
        });
    }
    Ok(Some(BenchResult { nodes, time: control.elapsed() }))
}

/// Searches the bench positions of a game for the same time each, on several threads with a table
/// of this many megabytes. Returns a line to be compared with that of other builds and machines;
/// none if the control stops it.
///
/// # Errors
/// If the machine lacks the threads or the memory.
#[cfg(feature = "protocol")]
pub fn speed_test(
    threads: usize,
    megabytes: usize,
    time: Duration,
    evaluation: &AnyEvaluation,
    control: &SearchControl,
) -> Result<Option<String>, ResourceError> {
    let mut searcher = AnySearcher::with_resources(evaluation.clone(), threads, megabytes)?;
    searcher.clear()?;
    let games = bench_games(evaluation.variant());
    let begin = control.elapsed();
    for (game, number) in games.iter().zip(1..) {
        // The control counts the time of all searches.
        let limits = SearchLimits::movetime(begin + time * number / games.len() as u32);
        searcher.search_under(control, game, &[], &limits, &mut |_| {});
        if control.stopped() {
            return Ok(None);
        }
    }
    let (nodes, time) = (control.nodes(), control.elapsed() - begin);
    let (speed, seconds) = (nodes_per_second(nodes, time), time.as_secs_f64());
    let (build, machine) = (crate::BUILD_NAME, machine_name());
    let size = format!("{}, {megabytes} MB", counted(threads as u64, "thread"));
    Ok(Some(format!(
        "Nodes/second: {speed} ({nodes} nodes in {seconds:.1} s; {size}; {build}; {machine})"
    )))
}

fn bench_games(variant: Variant) -> Vec<AnyGame> {
    positions(variant)
        .lines()
        .filter_map(|fen| variant.read_fen(fen).ok())
        .map(|parsed| AnyGame::from_position(parsed.position))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_evaluation::network::Kernel;

    #[test]
    fn bench_positions_are_valid_and_unfinished() {
        for variant in Variant::ALL {
            let lines = positions(variant).lines().count();
            assert!(lines >= 40, "{variant}");
            let games = bench_games(variant);
            assert_eq!(games.len(), lines, "a bench position is not a valid FEN");
            for game in games {
                assert_eq!(game.outcome(), None, "{}", game.position());
            }
        }
    }

    #[cfg(feature = "protocol")]
    #[test]
    fn a_speed_test_keeps_its_time_and_names_the_machine() {
        let evaluation = qirkat_evaluation::Evaluation::Material.into();
        let (time, control) = (Duration::from_millis(60), SearchControl::default());
        let test = |control| speed_test(2, 1, time, &evaluation, control).expect("a searcher");
        let line = test(&control).expect("not stopped");
        let nodes = line.strip_prefix("Nodes/second: ").and_then(|rest| rest.split_once(' '));
        assert!(nodes.is_some_and(|(number, _)| number.parse::<u64>().is_ok_and(|it| it > 0)));
        assert!(line.contains("; 2 threads, 1 MB; Qirkat ") && line.contains(" cores, "), "{line}");
        control.stop();
        assert_eq!(test(&control), None);
    }

    /// `.ci/run` compares the count with that of the program, which was built for this machine.
    #[test]
    #[ignore = "compared with another build"]
    fn count_without_wide_instructions() {
        let evaluation =
            AnyEvaluation::embedded(Variant::Chesquerque).with_kernel(Kernel::Portable);
        let result = bench(BENCH_DEPTH, &evaluation, &SearchControl::default(), &mut |_| {});
        println!("{}", result.expect("a searcher").expect("a count"));
    }
}
