use qirkat_analysis::suite::{TACTICS, TestPosition, read_suite};
use qirkat_game::Key;
use qirkat_problem::{
    Aim, ProofControl, ProofNumbers, ProofTable, SolveRequest, Stipulation, VerdictKind,
    neighbours, solution_lines, solve, twin, verdict_sentence,
};
use qirkat_rules::variant::Variant;

use super::{keys, position, request, solved, sorted};
use qirkat_testing::effort;

fn mates(most: u16) -> Vec<(TestPosition, u8)> {
    let all = read_suite(TACTICS.as_bytes(), "tactics.epd", Variant::Chesquerque);
    all.expect("a good suite")
        .into_iter()
        .filter_map(|problem| {
            let moves = problem.mate.filter(|&moves| moves <= most)? as u8;
            Some((problem, moves))
        })
        .collect()
}

#[test]
fn suite_mates_have_exactly_their_keys() {
    let table = ProofTable::new(16).expect("memory");
    let all = mates(effort([4, 5, 6]));
    assert!(all.len() >= 50, "{}", all.len());
    for (problem, moves) in all {
        let stipulation = Stipulation::new(Aim::DIRECT_MATE, moves).expect("few moves");
        let (stated_keys, variations) = (problem.best.clone(), 0);
        let usual = SolveRequest::new(stipulation);
        let request = SolveRequest { stated_keys, threads: 2, variations, ..usual };
        let solution = solve(&problem.position, &request, &table, &ProofControl::never());
        let solution = solution.expect("a game with mate");
        assert_eq!(keys(&solution), sorted(&problem.best), "{}", problem.id);
        assert_eq!(solution.solved, Some(stipulation), "{}", problem.id);
        assert!(solution.verdict(&request).is_sound(), "{}", problem.id);
    }
}

#[test]
fn verdicts_are_as_expected() {
    let ladder = "4k4/9/9/9/9/9/R8/1R7/4K4 w - - 0 1";
    let mate = "k8/9/K8/9/9/9/9/8R/9 w - - 0 1";
    for (fen, stipulation, stated, kind, sentence) in [
        (mate, "#1", "", VerdictKind::Sound, "Sound: one key, Ri9#."),
        (mate, "#2", "", VerdictKind::Short, "Short solution: #1 by Ri9#."),
        (mate, "#1", "i2i9", VerdictKind::Sound, "Sound: one key, Ri9#."),
        (
            mate,
            "#1",
            "i2h2",
            VerdictKind::NoSolution,
            "No solution as stated: i2h2 does not solve; Ri9# solves.",
        ),
        (ladder, "#1", "", VerdictKind::NoSolution, "No solution."),
        (ladder, "#2", "b2b8", VerdictKind::Cooked, "Cooked: Ra8 also solves."),
        (ladder, "#2", "", VerdictKind::Cooked, "Cooked: 2 keys, Rb8, Ra8."),
        (mate, "h#0.5", "", VerdictKind::Sound, "Sound: one solution."),
    ] {
        let position = position(fen);
        let stated = stated.split_whitespace().map(|text| position.read_move(text));
        let stated_keys = stated.collect::<Result<_, _>>().expect("legal moves");
        let request = SolveRequest { stated_keys, ..request(stipulation) };
        let solution = solved(&position, &request);
        assert_eq!(solution.verdict(&request).kind, kind, "{fen} {stipulation}");
        assert_eq!(verdict_sentence(&solution, &request), sentence, "{fen} {stipulation}");
    }
}

#[test]
fn solutions_are_written_in_composers_notation() {
    let cooked = SolveRequest { variations: 1, ..request("#2") };
    let solution = solved(&position("4k4/9/9/9/9/9/R8/1R7/4K4 w - - 0 1"), &cooked);
    let lines = solution_lines(&solution);
    assert_eq!(lines, ["1.Rb8! threat: 2.Raa9#", "1.Ra8! threat: 2.Rb9#"]);
    let help = solved(&position("k8/9/K8/9/9/9/9/8R/9 w - - 0 1"), &request("h#0.5"));
    assert_eq!(solution_lines(&help), ["1...Ri9#"]);
}

#[test]
fn stipulations_survive_a_round_trip() {
    for (text, written, plies) in [
        ("#1", "#1", 1),
        ("#12", "#12", 23),
        ("s#2", "s#2", 4),
        ("h#3", "h#3", 6),
        ("h#3.0", "h#3", 6),
        ("h#0.5", "h#0.5", 1),
        ("h#2.5", "h#2.5", 5),
        (" dm 4", "#4", 7),
        ("sm2", "s#2", 4),
        ("hm 1.5", "h#1.5", 3),
        ("=2", "=2", 3),
        ("s=2", "s=2", 4),
        ("r#2", "r#2", 4),
        ("semi-r=3", "semi-r=3", 6),
        ("h=2.5", "h=2.5", 5),
        ("ser-h#3", "ser-h#3", 4),
        ("ser-=3", "ser-=3", 3),
    ] {
        let stipulation: Stipulation = text.parse().expect(text);
        assert_eq!((stipulation.to_string().as_str(), stipulation.plies()), (written, plies));
    }
    for (text, complaint) in [
        ("", "`` is no stipulation such as"),
        ("2", "`2` is no stipulation such as"),
        ("#", "`` is no stipulation such as"),
        ("#x", "`x` is no stipulation such as"),
        ("h#2.7", "`2.7` is no stipulation such as"),
        ("x#2", "`x#2` is no stipulation such as"),
        ("#-1", "`-1` is no stipulation such as"),
        ("#0", "`0`: a stipulation has 1 to 64 moves"),
        ("#65", "`65`: a stipulation has 1 to 64 moves"),
        ("#99999999999", "`99999999999`: a stipulation has 1 to 64 moves"),
        ("#2.5", "`2.5`: only help problems have half a move"),
        ("ser-h#1.5", "`1.5`: only help problems have half a move"),
        ("ser-r#2", "`ser-r#2` is no stipulation such as"),
        ("semi-#2", "`semi-#2` is no stipulation such as"),
        ("sm 1.5", "`1.5`: only help problems have half a move"),
    ] {
        let error = text.parse::<Stipulation>().expect_err(text).to_string();
        assert!(error.contains(complaint), "{text}: {error}");
    }
}

#[test]
fn neighbours_differ_by_one_piece() {
    let position = position("k8/9/K8/9/9/9/9/8R/9 w - - 0 1");
    let all = neighbours(&position);
    let has = |change: &str| all.iter().any(|it| it.change == change);
    assert!(has("Ri2-h2") && has("-Ri2") && has("+Pe2") && has("+qe5") && has("Ka7-b5"));
    // No pawn on the last rank, and no position with Black in check.
    assert!(!has("+Pe9") && !has("+Ra8") && !has("-ka9") && !has("+Ke4"));
    let added = all.iter().find(|it| it.change == "+ne5").expect("possible");
    assert_eq!(added.position.fen(), "k8/9/K8/9/4n4/9/9/8R/9 w - - 0 1");
    assert!(all.iter().all(|it| it.position != position));
}

#[test]
fn twins_are_changed_as_told() {
    let first = position("k8/9/K8/9/9/9/9/8R/8N w - - 0 1");
    for (changes, fen) in [
        ("move i2 h1", "k8/9/K8/9/9/9/9/9/7RN w - - 0 1"),
        ("move i2i1", "k8/9/K8/9/9/9/9/9/8R w - - 0 1"),
        ("exchange i2<-->i1", "k8/9/K8/9/9/9/9/8N/8R w - - 0 1"),
        ("remove i1, add qe5", "k8/9/K8/9/4q4/9/9/8R/9 w - - 0 1"),
        ("mirror a1 i1", "8k/9/8K/9/9/9/9/R8/N8 w - - 0 1"),
        ("mirror a1<-->a9", "8N/8R/9/9/9/9/K8/9/k8 w - - 0 1"),
        ("rotate 180", "N8/R8/9/9/9/9/8K/9/8k w - - 0 1"),
        ("stip h#2.5", "k8/9/K8/9/9/9/9/8R/8N w - - 0 1"),
    ] {
        let (changed, stipulation) =
            twin(&first, request("#1").stipulation, changes).expect(changes);
        assert_eq!(changed.fen(), fen, "{changes}");
        let expected = changes.strip_prefix("stip ").unwrap_or("#1");
        assert_eq!(stipulation.to_string(), expected);
    }
    for (changes, complaint) in [
        ("", "`` is no change such as"),
        ("move i2", "`move i2` is no change such as"),
        ("move i2 j1", "is no change such as"),
        ("remove i1,", "`` is no change such as"),
        ("add Xe5", "is no change such as"),
        ("mirror a1 b2", "is no change such as"),
        ("remove e5", "`remove e5`: no piece there"),
        ("exchange i1 e5", "`exchange i1 e5`: no piece there"),
        ("remove a7", "king"),
        ("move i2 i9", "check"),
        ("stip x", "`x` is no stipulation"),
    ] {
        let error = twin(&first, request("#1").stipulation, changes).expect_err(changes);
        assert!(error.to_string().contains(complaint), "{changes}: {error}");
    }
}

#[test]
fn proof_numbers_survive_packing() {
    const INFINITE: u32 = ProofNumbers::NO_THRESHOLD.phi;
    let table = ProofTable::new(1).expect("a megabyte");
    let kept = |numbers: ProofNumbers| {
        table.store_numbers(Key(numbers.phi.into()), numbers, 1 << 40);
        table.numbers(Key(numbers.phi.into())).expect("stored")
    };
    for phi in (0..1 << 19).step_by(1717).chain([(1 << 19) - 1, 1 << 25, INFINITE]) {
        assert_eq!(kept(ProofNumbers { phi, delta: INFINITE - phi }).phi, phi);
    }
    let most = kept(ProofNumbers { phi: INFINITE - 1, delta: INFINITE });
    assert!(most.phi < INFINITE && most.phi > INFINITE / 10 * 9);
    assert_eq!(most.delta, INFINITE);
    let branch = ProofNumbers { phi: INFINITE - 1, delta: 7 };
    let sum = ProofNumbers::from_branches([branch; 9].into_iter());
    assert_eq!(sum, ProofNumbers { phi: 7, delta: INFINITE - 1 });
    assert_eq!(ProofNumbers::from_branches([].into_iter()), ProofNumbers::decided(false));
    assert_eq!(table.numbers(Key(u64::MAX)), None);
}
