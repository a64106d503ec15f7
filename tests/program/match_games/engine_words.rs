//! Engines with arguments, and engines from a list.

use super::arbiter::Folder;
use super::games::tags;
use super::script::{Behaviour, GOOD};

/// What an engine was started with, one a line.
const TELL: &str = "printf '%s\\n' \"$@\" > \"$0.words\"";

#[test]
fn arguments_are_taken_apart_as_in_a_shell() {
    let folder = Folder::new();
    let engine = Behaviour { start: TELL, ..GOOD }.engine(&folder);
    let line = format!("match {engine} ARGS -engine name=Q cmd=QIRKAT -each depth=1 -maxmoves 1");
    for (args, expected) in [
        (r#"args=-a "two words" 'x y' back\ slash"#, "-a\ntwo words\nx y\nback slash\n"),
        ("args=one", "one\n"),
    ] {
        let words = line.split(' ').map(|word| word.replace("ARGS", args));
        let (out, err, code) = folder.finish(folder.start_words(words));
        assert_eq!(code, Some(0), "{out}\n{err}");
        assert_eq!(folder.read("engine.sh.words"), expected);
    }
    let words = line.split(' ').map(|word| word.replace("ARGS", "args=\"never closed"));
    let (_, err, code) = folder.finish(folder.start_words(words));
    let complaint = "qirkat: engine Script: args: `\"never closed` ends in a quotation\n";
    assert_eq!((err.as_str(), code), (complaint, Some(2)));
}

#[test]
fn engines_come_from_a_list() {
    let folder = Folder::new();
    let script = Behaviour { start: TELL, ..GOOD }.engine(&folder);
    let path = script.rsplit('=').next().expect("a path");
    folder.write(
        "engines.toml",
        format!(
            "[[engine]]\nname = \"one\"\ncmd = \"/bin/sh\"\narg = [{path:?}]\nargs = \"-a 'b c'\"\n\
             nodes = 5\n\n[[engine]]\nname = \"two\"\ncmd = {:?}\noption = {{ Hash = 2 }}\ndepth = 2\n",
            crate::run::QIRKAT
        ),
    );
    let line = "match -engine conf=one -engine conf=two name=Two option.hash=1 -each tc=60 \
                -maxmoves 1 -pgnout games.pgn";
    let out = folder.play(line);
    assert!(out.contains("Results of one vs Two (5 nodes against 2 plies)"), "{out}");
    assert_eq!(folder.read("engine.sh.words"), "-a\nb c\n");
    let mut whites = tags(&folder.read("games.pgn"), "White");
    whites.sort_unstable();
    assert_eq!(whites, ["Two", "one"]);
    let conditions = folder.read("games.pgn.match.toml");
    assert!(conditions.contains("\"engine 2 option.hash\" = \"1\""), "{conditions}");
    // Written down in a file of settings, too.
    folder.write(
        "match.toml",
        "maxmoves = 1\nepdout = \"ends.epd\"\n[[engine]]\nconf = \"two\"\n[[engine]]\n\
         conf = \"two\"\nname = \"three\"\ndepth = 1\n",
    );
    let out = folder.play("match --config match.toml");
    assert!(out.contains("Results of two vs three (2 plies against 1 plies)"), "{out}");
    assert_eq!(folder.read("ends.epd").lines().count(), 2);

    for (list, words, complaint) in [
        (
            None,
            "conf=four",
            "engine 2: conf: no engine `four` in engines.toml (it lists: one, two)",
        ),
        (
            Some(""),
            "conf=two",
            "engine 1: conf: engines.toml: no `engine` in it at line 1 column 1",
        ),
        (Some("[[engine]]\ncmd = \"x\"\n"), "conf=two", "engines.toml: engine 1 needs a name"),
        (
            Some("[[engine]]\nname = \"one\"\n[[engine]]\nname = \"one\"\n"),
            "conf=two",
            "engines.toml: two engines are called `one`",
        ),
        (
            Some("[[engine]]\nname = \"one\"\nconf = \"x\"\n"),
            "conf=two",
            "engines.toml: engine one: conf is for engines of a match",
        ),
        (
            Some("[[engine]]\nname = \"one\"\ncommand = \"x\"\n"),
            "conf=two",
            "engine 1: conf: engines.toml: `command`: no such name at line ",
        ),
        (Some("[[engine]]\nname = \"one\"\n"), "depth=1", "engine 1: needs cmd= or conf="),
    ] {
        if let Some(list) = list {
            folder.write("engines.toml", list);
        }
        let line = format!("match -engine conf=one -engine {words} -each depth=1");
        folder.refuse(&line, complaint);
    }
}
