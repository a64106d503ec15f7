//! Invalid options are reported in one line each.

use crate::run::Folder;

const TWO: &str = "-engine name=A cmd=QIRKAT -engine name=B cmd=QIRKAT";

#[test]
fn bad_options_are_named() {
    let folder = Folder::with([
        ("empty.epd", ""),
        ("bad.epd", "nonsense\n"),
        ("one.epd", "4k4/9/9/9/9/9/9/9/R3K4 w - -\n"),
        ("bad.toml", "rounds = 3\nround = 4\n"),
        (
            "name.toml",
            "each.depth = 1\n[[engine]]\nname = \"A\\n\"\ncmd = \"a\"\n[[engine]]\ncmd = \"b\"\n",
        ),
        ("pgnout.toml", "pgnout = { file = \"a.pgn\", nodse = true }\n"),
        ("zero.toml", "[draw]\nmovecount = 0\nscore = 5\n"),
        ("never.toml", "[resign]\nmovecount = 3\nscore = -1\n"),
    ]);
    let once = format!("match {TWO} -each depth=1");
    folder.refuse_all(
        &once,
        &[
            ("-bogus", "-bogus: unknown option (see qirkat match --help)"),
            ("stray", "-each: `stray` is not of the form name=value"),
            ("-rounds 2 -rounds 3", "-rounds: given twice"),
            ("-each nodes=9 depth=2", "-each: depth: given twice"),
            ("option.Hash=1 option.hash=2", "-each: option.hash: given twice"),
            ("option", "`option` is not of the form name=value"),
            ("option.=1", "-each: unknown name `option.`"),
            ("-openings", "-openings: needs name=value"),
            ("name=X", "-each: name: every engine needs one of its own"),
            ("conf=X", "-each: conf: every engine needs one of its own"),
            ("-epdout", "-epdout: needs name=value"),
            ("-epdout append=true", "-epdout: unknown name `append`"),
            ("-report penta=false", "-report: penta: pairs are always counted"),
            ("-report a=b", "-report: unknown name `a`"),
            ("-log file=one.epd append=false", "-log: one.epd already exists: add to"),
            ("-epdout a -epdout b", "-epdout: given twice"),
            ("-epdout none/ends", "-epdout: none/ends: No such file"),
            ("-scoreinterval often", "-scoreinterval: needs a whole number, not `often`"),
            ("-concurrency 0", "-concurrency: 1 to"),
            ("-maxmoves 0", "-maxmoves begins at 1"),
            ("-tb nowhere", "-tb: nowhere: "),
            ("-tb <none>", "-tb: `<none>` means no tables"),
            ("-event", "-event: needs a value"),
            ("-resume yes -pgnout x", "-resume: unexpected `yes`"),
            ("-debug=on", "; -debug takes no value"),
            ("-games 2 3", "-games: unexpected `3`"),
            ("-repeat 4", "-repeat: every opening is played twice, not 4 times"),
            ("-repeat -noswap", "-noswap and -repeat do not go together"),
            ("-seeds 1", "-seeds is for -tournament gauntlet"),
            ("-tournament gauntlet -seeds 2", "-seeds: 1 to 1 of 2 engines, not 2"),
            ("-config x.toml", "-config: must come before all other options"),
            ("-pgnout a b", "-pgnout: file: given twice"),
            ("-pgnout file=a notation=uci", "notation: unknown value `uci`, expected `san` or"),
            ("-pgnout file=a nodes=yes", "-pgnout: nodes: needs true or false, not `yes`"),
            ("-pgnout file=a colour=red", "-pgnout: unknown name `colour`"),
            ("-pgnout nodes=true", "-pgnout: needs file="),
            ("-pgnout a -report a", "-pgnout and -report name the same file"),
            ("-openings start=0", "-openings: start= begins at 1"),
            ("-openings file=one.epd start=2", "start=2, but one.epd ends at 1"),
            ("-openings file=one.epd balance=5", "balance= is for format=random"),
            ("-openings file=one.epd format=random", "format=random reads no file="),
            ("-openings order=random", "order= is for a file"),
            ("-openings balance=-1", "balance= is a distance from 0"),
            ("-openings plies=201", "200 random plies at most, not 201"),
            ("-games 0", "leave no game to play"),
            ("-rounds 18446744073709551615", "too many games"),
            ("-rounds 10000000000", "too many games"),
            ("-concurrency 1000000", "-concurrency"),
            ("-tournament swis", "-tournament: unknown value `swis`, expected one of `round"),
            (
                "-tournament swiss -rounds 2",
                "-rounds: 2 engines can meet once each in 1 round at most",
            ),
            ("-tournament knockout -rounds 2", "-rounds is not for -tournament knockout"),
            ("-tournament knockout -noswap", "-noswap and -reverse are not for -tournament knock"),
            ("-tournament knockout -shard 1/2", "--shard: the parts of a knockout depend on each"),
            ("-tournament swiss -sprt elo0=0 elo1=5", "-sprt is not for -tournament swiss"),
            ("-openings policy=game", "-openings: policy: unknown value `game`, expected one of"),
            ("proto=cecp", "-each: proto: unknown value `cecp`, expected `uci` or `xboard`"),
            ("-shard 3/2", "--shard is a part such as 1/4, not `3/2`"),
            ("-live", "-live writes a file beside that of -pgnout"),
            ("-resume", "--resume continues the file of -pgnout"),
            ("-sprt elo0=5 elo1=0", "-sprt: elo0 must be less than elo1"),
            ("-openings file=none.epd", "-openings: none.epd: No such file"),
            ("-openings file=empty.epd", "empty.epd: no opening in it"),
            ("-openings file=bad.epd", "bad.epd, line 1:"),
            ("-pgnout none/games.pgn", "none/games.pgn: No such file"),
            ("-report none/report.json", "none/report.json: there is no such folder"),
            ("-pvcheck maybe", "-pvcheck: unknown value `maybe`, expected one of `off`"),
            ("-use-affinity x", "-use-affinity: `x` is not a list of cores"),
            ("-use-affinity 1023", "-use-affinity: core 1023 cannot be used here"),
            ("-log level=debug", "-log: needs file="),
            ("-log file=log level=loud", "-log: level is trace, debug,"),
            ("-log file=none/log", "-log: none/log: No such file"),
            ("-log file=x -pgnout x", "-pgnout and -log name the same file"),
        ],
    );
    for (line, complaint) in [
        ("", "a match needs two engines"),
        ("-engine cmd=QIRKAT -each depth=1", "a match needs two engines"),
        ("-engine cmd=QIRKAT -engine cmd=QIRKAT -each depth=1", "two engines are called `qirkat`"),
        ("TWO", "engine A: needs a limit"),
        ("TWO -each tc=fast", "engine A: `fast` is not a time control"),
        ("TWO -each tc=1e19", "engine A: `1e19` is not a time control"),
        ("TWO -each st=-1", "engine A: st:"),
        ("TWO -each st=1e19", "engine A: st:"),
        ("TWO -each tc=", "-each: tc: needs a value"),
        ("TWO -engine conf=X -each depth=1", "engine 3: conf: engines.toml: No such file"),
        ("TWO -each depth=0", "engine A: nodes= and depth= begin at 1"),
        ("TWO -each st=0", "engine A: st: leaves no time"),
        ("TWO -each tc=0+1", "engine A: tc: `0+1` leaves no time"),
        ("TWO -each tc=1 st=1", "engine A: tc= and st= do not go together"),
        ("TWO -each tc=inf", "engine A: needs a limit"),
        ("--config name.toml", "engine 1: name= has a control character"),
        ("--config pgnout.toml", "pgnout.toml: unknown name `nodse`, expected one of"),
        ("--config none.toml", "none.toml: No such file"),
        ("--config bad.toml", "bad.toml: unknown name `round`, expected one of"),
        ("--config zero.toml TWO -each depth=1", "-draw: needs movecount= and score="),
        ("--config never.toml TWO -each depth=1", "-resign: needs movecount= and score="),
        ("--config", "--config: needs a file"),
    ] {
        folder.refuse(&format!("match {}", line.replace("TWO", TWO)), complaint);
    }
}

#[test]
fn large_numbers_are_accepted() {
    Folder::new().play(&format!(
        "match {TWO} -each tc=1000000 depth=1 timemargin=18446744073709551615 \
         -maxmoves 4294967295 -draw movenumber=4294967295 movecount=4294967295 score=1 \
         -resign movecount=4294967295 score=2147483647 -srand 18446744073709551615"
    ));
}

#[test]
fn unexpected_effects_are_reported() {
    let folder = Folder::with([("one.epd", "4k4/9/9/9/9/9/9/9/R3K4 w - -\n")]);
    for (more, told) in [
        ("-noswap -sprt elo0=-400 elo1=400", "-sprt counts single games here, not pairs"),
        ("-games 3 -sprt elo0=-400 elo1=400", "-sprt counts single games here, not pairs"),
        (
            "-openings file=one.epd -rounds 2",
            "-openings: 2 are needed from number 1 on, but the file has 1: it is repeated",
        ),
    ] {
        let line = format!("match {TWO} -each depth=1 -maxmoves 2 {more}");
        assert_eq!(folder.ends(0, &line).err.trim_end(), format!("qirkat: {told}"), "{more}");
    }
}
