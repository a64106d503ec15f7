use crate::run::Folder;

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn a_survey_writes_the_statistics_of_tables() {
    let folder = Folder::new();
    let survey = |more: &str| folder.good(&format!("tables survey --output out {more}"));
    survey("KRvK");
    assert_eq!(survey("KRvK KBvK KNvK --threads 1").lines().count(), 2);
    let stats = |table: &str| folder.good(&format!("tables stats --json {table}"));
    assert_eq!(folder.read("out"), ["KRvK", "KBvK", "KNvK"].map(stats).concat());
    assert_eq!(survey("KNvK"), "out already has all of these tables\n");
}

#[test]
fn tables_of_results_are_built_and_probed() {
    let folder = Folder::new();
    let run = |task: &str| folder.good(&format!("tables {task}"));
    assert!(run("build --wdl --output tables KPvK").contains("KPvK "), "built");
    assert_eq!(run("build --wdl --output tables KPvK KRvK").lines().count(), 1);
    assert!(run("check --path tables KPvK").ends_with(" entries, all right\n"));
    let told = run("stats --path tables KPvK");
    assert!(told.contains("DTZ 35 plies at most") && !told.contains("wins in"), "{told}");
    assert!(run("survey --output out KPvK").contains("White wins, DTZ 35 at most"));
    assert_eq!(folder.read("out"), run("stats --path tables --json KPvK"));
    // A table with distances replaces that of results, and knows the results too.
    assert_eq!(run("build --output tables KRvK").lines().count(), 2);
    assert_eq!(run("build --wdl --output tables KRvK").lines().count(), 1);
}

#[test]
fn alquerque_tables_are_built_and_probed() {
    let folder = Folder::new();
    let run =
        |task: &str, rest: &str| folder.good(&format!("tables {task} --game alquerque {rest}"));
    assert_eq!(run("build", "--men 3 --output tables").lines().count(), 3);
    assert_eq!(run("check", "--path tables 2v1"), "2v1: 46291 entries, all right\n");
    run("survey", "--output out 2v1 1v1");
    let stats = ["1v1", "2v1"].map(|it| run("stats", &format!("--json {it}"))).concat();
    assert_eq!(sorted(&folder.read("out")), sorted(&stats));
    let probe = |fen: &str| run("probe", &format!("--path tables --fen '{fen}'"));
    let told = probe("5/2m2/5/2M2/5 w - - 0 1");
    assert!(told.contains("Plies\nc2b2       loss            16\n"), "{told}");
    // The same, but too late for the 100-ply rule.
    let told = probe("5/2m2/5/2M2/5 w - - 99 100");
    assert!(told.contains("c2b2       blessed-loss    16\n"), "{told}");
    let told = probe("5/5/5/5/2m2 w - - 0 1");
    assert!(told.contains("The game is over: ") && !told.contains("Move "), "{told}");
    let unknown = "tables probe --game alquerque --fen '5/2mmm/5/2M2/1M3 w - - 0 1'";
    let ended = folder.run(unknown);
    assert!(ended.code != Some(0) && ended.err.lines().count() == 1, "{}", ended.err);
    assert!(ended.err.contains("no table for 3v2 and its successors"), "{}", ended.err);
}

#[test]
fn a_probe_reports_that_the_game_is_over() {
    let folder = Folder::new();
    let probe = |fen: &str| folder.good(&format!("tables probe --fen '{fen}'"));
    for (fen, end) in [
        ("R3k4/9/4K4/9/9/9/9/9/9 b - - 0 1", "The game is over: White mates."),
        ("k8/9/KQ7/9/9/9/9/9/9 b - - 0 1", "The game is over: draw by stalemate."),
    ] {
        let told = probe(fen);
        assert!(told.ends_with(&format!("{end}\n")) && !told.contains("Move "), "{told}");
    }
    let told = probe("4k4/9/4K4/9/9/9/9/9/R8 w - - 0 1");
    assert!(told.contains("Ra9#") && !told.contains("over"), "{told}");
}

#[test]
fn a_check_fails_for_skipped_files() {
    let folder = Folder::new();
    for command in ["check", "stats"] {
        folder.refuse(&format!("tables {command} --path . KNvK"), "qirkat: .: no tables there\n");
    }
    folder.write("KNvK.qtb", "not a table");
    for (command, status) in [("check", 1), ("stats", 0)] {
        let ended = folder.ends(status, &format!("tables {command} --path . KNvK"));
        assert_eq!(ended.err, "qirkat: ./KNvK.qtb: not a table of Qirkat\n");
    }
}

#[test]
fn a_survey_resumes_after_a_truncated_line() {
    let folder = Folder::new();
    let survey = "tables survey --threads 1 --output out KRvK KNvK";
    folder.good(survey);
    let whole = folder.read("out");
    let last = whole.trim_end().rfind('\n').expect("several lines") + 1;
    for (left, torn) in [
        (whole.as_bytes()[..last + 9].to_vec(), 9),
        (whole.trim_end().as_bytes().to_vec(), whole.len() - 1 - last),
        ([&whole.as_bytes()[..last], &[0; 40], b"\xFF"].concat(), 41),
        (whole.as_bytes()[..last].to_vec(), 0),
        (b"{".to_vec(), 1),
    ] {
        folder.write("out", left);
        let unit = if torn == 1 { "byte" } else { "bytes" };
        let cut = format!("qirkat: out: cut off {torn} {unit} of an unfinished line\n");
        assert_eq!(folder.ends(0, survey).err, if torn > 0 { cut } else { String::new() });
        assert_eq!(sorted(&folder.read("out")), sorted(&whole));
    }
}
