use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use libtest_mimic::Trial;

use super::console::{TIME_LIMIT, run_page};
use super::pages::Page;
use super::patterns::{difference, with_gaps};
use super::{links, options, reference};

pub fn trials() -> Vec<Trial> {
    let tests: [(&'static str, fn()); 8] = [
        ("wildcards_match", wildcards_match),
        ("matching_wildcards_are_kept", matching_wildcards_are_kept),
        ("wrong_outputs_and_statuses_are_found", wrong_outputs_and_statuses_are_found),
        ("slow_commands_are_killed", slow_commands_are_killed),
        ("a_page_is_parsed", a_page_is_parsed),
        ("broken_links_are_found", broken_links_are_found),
        ("wrong_options_are_found", wrong_options_are_found),
        ("generated_parts_are_updated", generated_parts_are_updated),
    ];
    let trial = |(name, test): (&'static str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    tests.map(trial).into()
}

fn lines(text: &str) -> Vec<String> {
    text.split('|').map(str::to_owned).collect()
}

fn wildcards_match() {
    for (expected, actual, fits) in [
        ("a", "a", true),
        ("a", "a|b", false),
        ("a [..] c", "a b b c", true),
        ("a [..] c", "a c", false),
        ("[..]ms, [..] nodes", "3ms, 17 node", false),
        ("ab[..]ba", "aba", false),
        ("a|...|d", "a|b|c|d", true),
        ("a|...|d", "a|b|c", false),
        ("...|b|...|c", "a|b|b|c|c", true),
        ("a ...", "a b", false),
    ] {
        let difference = difference(&lines(expected), &lines(actual));
        assert_eq!(difference.is_none(), fits, "{expected}, {actual}: {difference:?}");
    }
}

fn matching_wildcards_are_kept() {
    for (expected, actual, written) in [
        ("a [..]|b", "a 1|c", "a [..]|c"),
        ("a|...|y", "a|b|c|z", "a|...|z"),
        ("...|x|b [..]", "1|2|y|b 7", "...|y|b [..]"),
        ("depth 3, 17 nodes, [..] s", "depth 4, 17 nodes, 2 s", "depth 4, 17 nodes, [..] s"),
        ("x", "a|b", "a|b"),
    ] {
        let anew = with_gaps(&lines(expected), &lines(actual));
        assert_eq!(anew.join("|"), written, "{expected}, {actual}");
        assert_eq!(difference(&anew, &lines(actual)), None, "{expected}, {actual}");
    }
}

fn faults(block: &str) -> Vec<String> {
    let page = Page::read(&format!("# Page\n\n```console\n{block}\n```\n"));
    let results = run_page(&page, TIME_LIMIT);
    let differences = results.outputs.into_iter().map(|output| output.difference);
    results.faults.into_iter().chain(differences).collect()
}

fn wrong_outputs_and_statuses_are_found() {
    for (block, found) in [
        ("$ echo one; echo two >&2\none\ntwo", None),
        ("$ echo one\ntwo", Some("4: $ echo one\n    - two\n    + one\n")),
        ("$ echo one \\\n    two\none two", None),
        ("$ false", Some("ends with 1 instead of 0")),
        ("$ exit 3\n? 3", None),
        ("$ echo so; exit 3\n? 2\nso", Some("ends with 3 instead of 2")),
        ("$ qirkat --version\nqirkat [..] ([..]network [..])", None),
        ("$ qirkat analyse --fen x", Some("ends with 2")),
        ("$ cd; pwd; echo $RUST_LOG$COLUMNS\n[..]\n80", None),
        ("echo one", Some("4: no command: echo one")),
    ] {
        let faults = faults(block);
        match found {
            None => assert_eq!(faults, [""; 0], "{block}"),
            Some(words) => {
                assert!(faults.len() == 1 && faults[0].contains(words), "{block}: {faults:?}");
            }
        }
    }
}

/// Background processes too, which keep a pipe open until killed.
fn slow_commands_are_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("it is there").success());
    let block = format!("```console\n$ sleep 60 > {} & sleep 60\n```\n", pipe.display());
    let begun = Instant::now();
    let reader = std::thread::spawn(|| fs::read(pipe));
    let results = run_page(&Page::read(&block), Duration::from_millis(300));
    assert!(results.faults.len() == 1 && results.faults[0].contains("not over"));
    assert!(reader.join().expect("a reader").expect("a pipe").is_empty());
    assert!(begun.elapsed() < Duration::from_secs(50), "it went on");
}

fn a_page_is_parsed() {
    let page = Page::read(
        "# One `two`, three!\n\n## A\n## A\n\n- list\n\n  <!-- not run: needs hours -->\n  \
         ```console\n  $ qirkat bench\n  ```\n\n```text\n$ no command\n```\n\n[x](y.md#z) and \
         `qirkat rules`.\n",
    );
    assert_eq!(page.anchors, ["one-two-three", "a", "a-1"]);
    assert_eq!(page.links, [(16, "y.md#z".to_owned())]);
    assert!(page.code.contains(&(16, "qirkat rules".to_owned())));
    let [block] = page.blocks.as_slice() else { panic!("one block is to be run") };
    assert_eq!((block.lines.clone(), block.indent), (9..10, 2));
    assert_eq!(block.not_run.as_deref(), Some("needs hours"));
}

fn broken_links_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("docs")).expect("a folder");
    for (name, text) in [("README.md", "# Top\n"), ("docs/a.md", "# Here and there\n")] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    for (link, leads) in [
        ("a.md", true),
        ("../README.md#top", true),
        ("a.md#here-and-there", true),
        ("#this", true),
        ("https://example.org/none", true),
        ("b.md", false),
        ("README.md", false),
        ("a.md#there", false),
        ("#that", false),
    ] {
        let text = format!("# This\n\n[words]({link}) ![picture]({link})\n");
        fs::write(folder.path().join("docs/page.md"), &text).expect("a file");
        let faults = links::broken(folder.path(), "docs/page.md", &Page::read(&text));
        assert_eq!(faults.len(), if leads { 0 } else { 2 }, "{link}: {faults:?}");
    }
}

fn wrong_options_are_found() {
    for (line, is_right) in [
        ("qirkat analyse --depth 3 | head", true),
        ("qirkat analyse --dept 3 | head", false),
        ("qirkat analyse --depth N", true),
        ("qirkat tables prove", false),
        ("seq 8 | parallel qirkat datagen --output part-{}.qd --seed {}", true),
        ("seq 8 | parallel qirkat datagen --outputs part-{}.qd", false),
        ("RUST_LOG=debug qirkat 2> qirkat.log", true),
        ("cargo run --release -- board --ports 8000", false),
        ("cargo run --example self_play -- --anything", true),
        ("qirkat match -engine cmd=./a -engine cmd=./b -each tc=10+0.1 -games 2", true),
        ("qirkat match -engine cmd=./a -engine cmd=./b -eech tc=10+0.1 -games 2", false),
        ("qirkat match -engine cmd=./a command=x", false),
        ("qirkat match --merge a.json b.json -crosstable", true),
        ("xboard -fcp qirkat -scp qirkat -mode TwoMachines", true),
        ("qirkat xboard --sizes 90 -- -size 90", false),
        ("qirkat match -engine ...", true),
        ("qirkat help", true),
    ] {
        let fault = options::fault(line);
        assert_eq!(fault.is_none(), is_right, "{line}: {fault:?}");
    }
}

fn generated_parts_are_updated() {
    let page = "a\n<!-- from the program: options -->\nold\n<!-- end -->\nb\n";
    let renewed = reference::renewed(page).expect("the part is known");
    assert!(renewed.starts_with("a\n") && renewed.ends_with("<!-- end -->\nb\n"), "{renewed}");
    assert!(renewed.contains("| `MultiPV` | a number from 1 to 974 | `1` |"), "{renewed}");
    assert_eq!(reference::renewed(&renewed).as_ref(), Ok(&renewed));
    assert_eq!(reference::by_hand(&renewed), "a\n\nb\n");
    assert_eq!(reference::renewed("no part").as_deref(), Ok("no part"));
    for wrong in
        ["<!-- from the program: options -->\nold", "<!-- from the program: x -->\n<!-- end -->"]
    {
        assert!(reference::renewed(wrong).is_err(), "{wrong}");
    }
    for command in ["qirkat", "qirkat analyse", "qirkat tables probe"] {
        assert!(reference::COMMANDS.iter().any(|(known, _)| known == command), "{command}");
    }
}
