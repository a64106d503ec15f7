use crate::run::{Ended, Folder};

fn generate(folder: &Folder, positions: u32, more: &str) -> Ended {
    let quick = "--nodes 20 --threads 1 --balance 2000";
    folder.run(&format!("datagen --positions {positions} {quick} --output {more}"))
}

fn with_data(files: &[(&str, u32)]) -> Folder {
    let folder = Folder::new();
    for (number, (name, positions)) in files.iter().enumerate() {
        let made = generate(&folder, *positions, &format!("{name} --seed {number}"));
        assert_eq!(made.code, Some(0), "{}", made.err);
    }
    folder
}

fn data(folder: &Folder, line: &str) -> String {
    folder.good(&format!("data {line}"))
}

#[test]
fn positions_are_valid_and_reproducible() {
    let folder = with_data(&[("a", 100), ("b", 100)]);
    assert_eq!(generate(&folder, 100, "again --seed 0").code, Some(0));
    assert_eq!(folder.bytes("a"), folder.bytes("again"));
    assert_ne!(folder.bytes("a"), folder.bytes("b"));
    data(&folder, "check a");
    let shown = data(&folder, "show a").lines().count();
    assert!(shown >= 100, "{shown}");
    assert!(data(&folder, "count a").contains(&format!(": {shown} positions of ")));
}

#[test]
fn files_are_continued_after_a_crash() {
    let folder = with_data(&[("a", 100)]);
    let before = folder.bytes("a");
    let again = generate(&folder, 100, "a");
    assert!(again.code == Some(2) && again.err.contains("--resume"), "{}", again.err);
    assert_eq!(folder.bytes("a"), before);

    folder.write("a", [&before[..], &[1, 2, 3]].concat());
    assert!(folder.ends(1, "data check a").err.contains("damaged"));
    let Ended { err, code, .. } = generate(&folder, 250, "a --resume");
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("a: cut off 3 bytes of an unfinished block"), "{err}");
    let after = folder.bytes("a");
    assert!(after.starts_with(&before) && after.len() > before.len());
    data(&folder, "check a");
}

#[test]
fn other_files_are_refused() {
    let folder = Folder::new();
    for content in ["", "QIRKDATA", "something else, longer than any header is"] {
        folder.write("a", content);
        folder.refuse_all("data", &[("count a", "a: "), ("check a", "a: "), ("show a", "a: ")]);
        // A power cut right at the beginning leaves an empty file.
        let goes_on = generate(&folder, 20, "a --resume").code == Some(0);
        assert_eq!(goes_on, content.is_empty());
        assert!(goes_on || folder.read("a") == content);
    }
}

#[test]
fn no_positions_are_generated_twice() {
    let folder = with_data(&[("a", 60), ("c", 60)]);
    assert_eq!(generate(&folder, 90, "b --seed 0").code, Some(0));
    data(&folder, "positions --output p a");
    data(&folder, "shuffle --output s a");
    let complaint = "give each `qirkat datagen` a --seed of its own";
    for (line, refusal) in [
        ("data merge --output out a b", Some(complaint)),
        ("data merge --output out c a", None),
        ("data merge --output out p s", Some(complaint)),
        ("data positions --output out b a", Some(complaint)),
        ("data shuffle --output out b s", Some(complaint)),
        ("data shuffle --output out c s", None),
        ("data export --output out a p", Some(complaint)),
        ("data export --output out a a", Some("is given twice")),
        ("train --epochs 1 --output out --data s b", Some(complaint)),
        ("train --epochs 1 --output out --data c p", None),
    ] {
        match refusal {
            Some(complaint) => folder.refuse(line, complaint),
            None => drop(folder.good(line)),
        }
        assert_eq!(folder.has("out"), refusal.is_none(), "{line}");
        std::fs::remove_file(folder.path("out")).ok();
    }
}

#[test]
fn files_are_joined_shuffled_and_exported() {
    let folder = with_data(&[("a", 60), ("b", 60)]);
    data(&folder, "merge --output merged a b");
    let show = |name: &str| data(&folder, &format!("show {name}"));
    let both = show("a") + &show("b");
    assert_eq!(show("merged"), both);
    folder.refuse("data merge --output merged a", "already exists");

    // Positions of games are in a separate file, to which no games are appended.
    data(&folder, "positions --output positions a b");
    assert_eq!(show("positions"), both);
    let complaint = "games and positions do not go into one file";
    folder.refuse("data merge --output mixed a positions", complaint);
    let resumed = generate(&folder, 1000, "positions --resume");
    assert!(resumed.code == Some(2) && resumed.err.contains(complaint), "{}", resumed.err);

    let [s, t, u] = [("s", 5), ("t", 5), ("u", 6)].map(|(name, seed)| {
        data(&folder, &format!("shuffle --output {name} --seed {seed} a b"));
        data(&folder, &format!("check {name}"));
        show(name)
    });
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&s), sorted(&both));
    assert!(s == t && s != u && s != both);

    data(&folder, "export --output text merged");
    let for_white = both.lines().map(|line| {
        let [fen, score, result] = line.split(" ; ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let score: i32 = score.parse().expect("a number");
        let score = if fen.contains(" w ") { score } else { -score };
        let number = ["0-1", "1/2-1/2", "1-0"].iter().position(|name| *name == result);
        (fen.to_owned(), score, number.expect("a result") as f64 / 2.0)
    });
    let text = folder.read("text");
    let exported = text.lines().map(|line| {
        let [fen, score, result] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        (fen.to_owned(), score.parse().expect("a number"), result.parse().expect("a result"))
    });
    assert!(exported.eq(for_white), "{text}\n{both}");
}

#[test]
fn damaged_files_are_repaired() {
    let folder = with_data(&[("a", 60), ("b", 60), ("c", 60)]);
    data(&folder, "merge --output all a b c");
    let (whole, second) = (folder.bytes("all"), folder.bytes("a").len());
    let rest = data(&folder, "show a") + &data(&folder, "show c");

    let mut changed = whole.clone();
    changed[second + 100] ^= 4;
    let mut shorter = whole.clone();
    shorter.drain(second + 70..second + 87);
    let mut headless = changed.clone();
    headless[..4].fill(0);
    for (name, damaged) in [("changed", changed), ("shorter", shorter), ("headless", headless)] {
        folder.write(name, &damaged);
        if name != "headless" {
            let told = format!("damaged from block 2 at byte {second}: ");
            assert!(folder.ends(1, &format!("data check {name}")).out.contains(&told), "{told}");
            let counted = folder.run(&format!("data count {name}"));
            assert!(counted.err.contains("`qirkat data repair`"), "{}", counted.err);
        }
        let repair = format!("data repair --output {name}.saved {name}");
        let repaired = folder.ends(0, &repair);
        assert!((repaired.out + &repaired.err).contains("damaged from block"), "{name}");
        assert_eq!(data(&folder, &format!("show {name}.saved")), rest, "{name}");
        data(&folder, &format!("check {name}.saved"));
        assert_eq!(folder.bytes(name), damaged);
        folder.refuse(&repair, "already exists");
    }
    assert!(data(&folder, "repair --output copy a").contains("nothing is damaged"));
    folder.write("other", "something else ".repeat(100));
    folder.refuse("data repair --output none other", "other: ");
    assert!(!folder.has("none"));
}
