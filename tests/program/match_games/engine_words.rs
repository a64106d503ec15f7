use super::games::tags;
use super::script::{Behaviour, GOOD, SCRIPT};
use crate::run::{QIRKAT, Running};

/// The arguments of an engine, one a line.
const TELL: Behaviour = Behaviour { start: "printf '%s\\n' \"$@\" > \"$0.words\"", ..GOOD };

#[test]
fn arguments_are_split_as_in_a_shell() {
    let folder = TELL.folder();
    for (args, expected, complaint) in [
        (r#"args=-a "two words" 'x y' back\ slash"#, "-a\ntwo words\nx y\nback slash\n", ""),
        ("args=one", "one\n", ""),
        ("args=\"open", "one\n", "qirkat: engine Script: args: `\"open` ends in a quotation\n"),
    ] {
        let mut command = folder.command(&format!("match {SCRIPT}"));
        command.args([args, "-engine", "name=Q", &format!("cmd={QIRKAT}")]);
        command.args(["-each", "depth=1", "-maxmoves", "1"]);
        let ended = Running::start(command).finish();
        let code = if complaint.is_empty() { 0 } else { 2 };
        assert_eq!((ended.err.as_str(), ended.code), (complaint, Some(code)));
        assert_eq!(folder.read("engine.sh.words"), expected);
    }
}

#[test]
fn engines_come_from_a_list() {
    let folder = TELL.folder();
    folder.write(
        "engines.toml",
        format!(
            "[[engine]]\nname = \"one\"\ncmd = \"/bin/sh\"\narg = [\"engine.sh\"]\n\
             args = \"-a 'b c'\"\nnodes = 5\n\n\
             [[engine]]\nname = \"two\"\ncmd = {QIRKAT:?}\noption = {{ Hash = 2 }}\ndepth = 2\n"
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
    // Also from a settings file.
    folder.write(
        "match.toml",
        "maxmoves = 1\nepdout = \"ends.epd\"\n[[engine]]\nconf = \"two\"\n[[engine]]\n\
         conf = \"two\"\nname = \"three\"\ndepth = 1\n",
    );
    let out = folder.play("match --config match.toml");
    assert!(out.contains("Results of two vs three (2 plies against 1 plies)"), "{out}");
    assert_eq!(folder.read("ends.epd").lines().count(), 2);

    let line = "match -engine conf=one -each depth=1 -engine";
    let complaint = "no engine `four` in engines.toml (it lists: one, two)";
    folder.refuse(&format!("{line} conf=four"), complaint);
    for (list, words, complaint) in [
        ("", "conf=two", "engine 1: conf: engines.toml: missing `engine`"),
        ("[[engine]]\ncmd = \"x\"\n", "conf=two", "engines.toml: engine 1 needs a name"),
        ("ONEONE", "conf=two", "engines.toml: two engines are called `one`"),
        ("ONEconf = 'x'\n", "conf=two", "engine one: conf is for engines of a match"),
        ("ONEcommand = 'x'\n", "conf=two", "engines.toml: unknown name `command`, expected one of"),
        ("ONE", "depth=1", "engine 1: needs cmd= or conf="),
    ] {
        folder.write("engines.toml", list.replace("ONE", "[[engine]]\nname = 'one'\n"));
        folder.refuse(&format!("{line} {words}"), complaint);
    }
}
