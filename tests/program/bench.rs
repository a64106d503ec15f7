use std::collections::BTreeMap;

use crate::run::Folder;
use qirkat_testing::games::{Game, MIDDLE};

const TRAP: &str = "1n7/b1b3r2/3k1p1p1/p2Ppr3/1pP1PnP1p/B7P/P5P2/2Q3BA1/1N3KR2 b - - 0 1";
const MATED: &str = "9/9/8Q/9/9/9/9/8k/7K1 b - - 0 60";

fn bench_count(out: &str) -> u64 {
    assert!(out.is_ascii(), "a bench is plain ASCII");
    let lines: Vec<&str> = out.lines().filter(|line| line.ends_with(" nps")).collect();
    let words: Vec<&str> = lines.iter().flat_map(|line| line.split(' ')).collect();
    let [nodes, "nodes", speed, "nps"] = words[..] else {
        panic!("a count: {out}");
    };
    assert!(speed.parse::<u64>().is_ok(), "{out}");
    nodes.parse().expect("a count of nodes")
}

#[test]
fn the_bench_count_is_reproducible() {
    let folder = Folder::new();
    let count = |depth: u8| bench_count(&folder.good(&format!("bench --depth {depth}")));
    let (shallow, known) = (count(1), count(2));
    assert!(shallow > 40 && known > shallow, "{shallow} nodes, {known} a ply deeper");
    for input in ["bench 2", "bench 2\r\nquit\r\n", "bench 2\nisready\nquit"] {
        assert_eq!(bench_count(&folder.fed("", input).out), known, "{input:?}");
    }
}

/// The full bench, from the command line and on stdin. It needs a release build, so it runs on
/// demand only.
#[test]
#[ignore = "takes up to two minutes, in a release build"]
fn the_full_bench_has_the_same_count_on_stdin() {
    let folder = Folder::new();
    let out = folder.fed("", "bench\nquit\n").out;
    assert_eq!(bench_count(&out), bench_count(&folder.good("bench")));
}

#[test]
fn perft_counts_are_correct() {
    for (arguments, count) in [
        ("1".to_owned(), 18),
        ("3 --threads 2".to_owned(), 6_746),
        (format!("2 --fen '{MIDDLE}'"), 2_098),
        (format!("2 --fen '{MATED}'"), 0),
        (format!("2 --fen '{TRAP}' --divide --threads 2"), 893),
    ] {
        let out = Folder::new().good(&format!("perft {arguments}"));
        let mut numbers = out.split(|letter: char| !letter.is_ascii_digit());
        assert!(numbers.any(|word| word == count.to_string()), "{arguments:?}: {out}");
        if count == 893 {
            let game = Game::from_fen(TRAP);
            let rows = out.lines().filter_map(|line| line.trim().split_once(": "));
            let told: BTreeMap<String, usize> = rows
                .filter(|(text, _)| game.legal().iter().any(|legal| legal == text))
                .map(|(text, count)| (text.to_owned(), count.trim().parse().expect("a count")))
                .collect();
            let moves = game.current().legal_moves().into_iter();
            let below = |each| game.current().play(each).legal_moves().len();
            let expected = moves.map(|each| (each.to_string(), below(each))).collect();
            assert_eq!(told, expected, "{out}");
        }
    }
}

#[test]
fn missing_openings_are_reported() {
    let line = "openings --nodes 20 --eval-file <none> --count 30 --plies 1";
    let ended = Folder::new().ends(2, line);
    let errors = ended.err;
    assert_eq!(ended.out.lines().count(), 18);
    let why = "fewer openings than the 30 requested: 18 found in ";
    assert!(errors.contains(why) && errors.contains("repeated"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}

#[test]
fn interrupted_work_shows_its_results_so_far() {
    // The command, a line after which it is working, and the expected output.
    let cases: [(&str, &str, &[&str]); 4] = [
        ("analyse --movetime 60000 --multipv 2", "White to move", &["Line    Score", "Best move:"]),
        // Every line is complete, so nothing more is expected.
        ("analyse --movetime 600000 --json", "{\"depth\":5,", &[]),
        ("suite --nodes 30000 --hash 1", "mate-2-02", &["Solved within", "all "]),
        ("suite --movetime 600000", "Position", &["Solved within", "all "]),
    ];
    let folder = Folder::new();
    for (line, sign, expected) in cases {
        let mut running = folder.start(line);
        running.wait_for(sign);
        let ended = running.interrupt();
        assert_eq!(ended.code, Some(130), "{line}");
        assert!(expected.iter().all(|text| ended.out.contains(text)), "{line}: {}", ended.out);
        let errors = ended.err;
        assert!(errors.lines().count() == 1 && errors.contains("stopped"), "{errors}");
    }
}
