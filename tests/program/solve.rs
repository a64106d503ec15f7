use crate::run::Folder;
use qirkat_testing::effort;

/// Three men against two; White to move wins.
const WON: &str = "mm3/5/1M1M1/5/2M2 w - - 0 1";
const SOLVE: &str = "solve --game alquerque --men 4";

#[test]
fn certificates_are_checked() {
    for (fen, result) in [
        (WON, "White wins by "),
        ("2m2/5/1m1m1/5/MM3 w - - 0 1", "Black wins, in at most "),
        ("5/MM3/5/mm3/5 w - - 0 1", "neither side wins\n"),
    ] {
        let folder = Folder::new();
        let line = format!("{SOLVE} --fen '{fen}' --certificate a.cert");
        let said = folder.good(&line);
        assert!(said.starts_with(&format!("{fen}\n{result}")), "{said}");
        let told = said.strip_suffix("a.cert: written\n").expect("the last line");
        assert_eq!(folder.good("solve check a.cert"), told);
        folder.refuse(&line, "--overwrite");
        let whole = folder.bytes("a.cert");
        for damaged in [&whole[..whole.len() / 2], b"no certificate", b""] {
            folder.write("a.cert", damaged);
            folder.refuse("solve check a.cert", "qirkat: a.cert: ");
        }
    }
}

#[test]
fn the_start_is_won() {
    let folder = Folder::new();
    // Below what the opening book says of it.
    let searched = |more: &str| {
        let said = folder.good(&format!("analyse --game alquerque --depth 1 {more}"));
        said.split_once("Line  ").expect("the lines").1.to_owned()
    };
    let said = searched("");
    assert!(said.contains("#47") && said.contains("\nBest move: c2c3"), "{said}");
    // With several lines, the others are searched.
    let said = searched("--multipv 3");
    let line = |rank: &str| said.lines().find(|line| line.trim_start().starts_with(rank));
    assert!(line("1 ").is_some_and(|line| line.contains("#47") && line.contains("c2c3")), "{said}");
    assert!(line("3 ").is_some_and(|line| !line.contains('#')), "{said}");
    // Black loses after every reply.
    let said = searched("--multipv 3 --moves c2c3");
    assert!(said.contains("#-46") && said.contains("Best move: c4c2"), "{said}");
    assert!(!searched("--table-path <none>").contains('#'));
}

#[test]
fn earlier_moves_count() {
    let folder = Folder::new();
    let line = format!("{SOLVE} --fen '{WON}' --moves b3a3");
    assert!(folder.good(&format!("{line} b5c5")).contains("\nWhite wins by "));
    folder.refuse(&format!("{line} b5a5"), "move 2 `b5a5` is not legal");
}

#[test]
fn a_checkpoint_belongs_to_one_proof() {
    let folder = Folder::new();
    let line = format!("{SOLVE} --fen '{WON}'");
    // Without a checkpoint, the proof starts anew.
    assert!(folder.good(&format!("{line} --checkpoint a --resume")).contains("White wins"));
    folder.write("a", "something else");
    folder.refuse(&format!("{line} --checkpoint a --resume"), "--resume: ");
    folder.refuse(&format!("{line} --checkpoint a"), "--resume");
    folder.refuse(&format!("{line} --resume"), "--checkpoint");
}

#[test]
fn a_draw_is_proved() {
    let folder = Folder::new();
    let drawn = "mm3/5/5/5/MM3 w - - 0 1";
    let said = folder.good(&format!("{SOLVE} --fen '{drawn}'"));
    assert_eq!(said, format!("{drawn}\nneither side wins\n"));
}

/// Compares the guide's table with the program for first moves that are solved in minutes; none in
/// the default run.
#[test]
fn the_guide_s_table_of_first_moves_is_correct() {
    let guide = include_str!("../../docs/analyse/solving.md");
    for first in ["d2c3", "d3c3"].into_iter().take(effort([0, 1, 2])) {
        let row = guide.lines().find(|line| line.starts_with(&format!("| `{first}` | ")));
        let cells: Vec<&str> = row.expect("a row").split('|').map(str::trim).collect();
        let [_, _, result, how, positions, _] = cells[..] else { panic!("{cells:?}") };
        assert!(how.starts_with("`--men 5`,"), "{how}");
        let line = "solve --game alquerque --men 5 --threads 1 --certificate first.cert --moves";
        let said = Folder::new().good(&format!("{line} {first}"));
        let (side, plies) = result.split_once(" wins, in at most ").expect("who wins");
        let positions = positions.replace(',', "");
        for words in [
            format!("\n{side} wins by "),
            format!(", in at most {plies}\n"),
            format!("\na move for each of {positions} positions"),
        ] {
            assert!(said.contains(&words), "{said}");
        }
    }
}
