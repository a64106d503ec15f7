//! Options that make no sense: one clear line each.

use crate::arbiter::Folder;

const TWO: &str = "-engine name=A cmd=QIRKAT -engine name=B cmd=QIRKAT";

#[test]
fn bad_options_are_named() {
    let folder = Folder::new();
    folder.write("empty.epd", "");
    folder.write("bad.epd", "nonsense\n");
    folder.write("bad.toml", "rounds = 3\nround = 4\n");
    folder.write("zero.toml", "[draw]\nmovecount = 0\nscore = 5\n");
    folder.write("never.toml", "[resign]\nmovecount = 3\nscore = -1\n");
    for (line, complaint) in [
        ("", "a match needs two engines"),
        ("-engine cmd=QIRKAT -each depth=1", "a match needs two engines"),
        ("-engine cmd=QIRKAT -engine cmd=QIRKAT -each depth=1", "two engines are called `qirkat`"),
        ("TWO", "engine A: needs a limit"),
        ("TWO -each tc=fast", "engine A: `fast` is not a time control"),
        ("TWO -each tc=1e19", "engine A: `1e19` is not a time control"),
        ("TWO -each st=-1", "engine A: st:"),
        ("TWO -each st=1e19", "engine A: st:"),
        ("TWO -each depth=1 -bogus", "-bogus: unknown option"),
        ("TWO -each depth=1 -games 0", "leave no game to play"),
        ("TWO -each depth=1 -rounds 18446744073709551615", "games are too many"),
        ("TWO -each depth=1 -rounds 10000000000", "games are too many"),
        ("TWO -each depth=1 -concurrency 1000000", "-concurrency"),
        ("TWO -each depth=1 -tournament swiss", "-tournament is round-robin or gauntlet"),
        ("TWO -each depth=1 -shard 3/2", "--shard is a part such as 1/4, not `3/2`"),
        ("TWO -each depth=1 -resume", "--resume goes on where the file of -pgnout ends"),
        ("TWO -each depth=1 -sprt elo0=5 elo1=0", "-sprt: elo0 must be less than elo1"),
        ("TWO -each depth=1 -openings file=none.epd", "-openings: none.epd: No such file"),
        ("TWO -each depth=1 -openings file=empty.epd", "empty.epd: no opening in it"),
        ("TWO -each depth=1 -openings file=bad.epd", "bad.epd, line 1:"),
        ("TWO -each depth=1 -pgnout none/games.pgn", "none/games.pgn: No such file"),
        ("TWO -each depth=1 -report none/report.json", "none/report.json: No such file"),
        ("TWO -each depth=1 -pvcheck maybe", "-pvcheck is off, warn or lose, not `maybe`"),
        ("TWO -each depth=1 -use-affinity x", "-use-affinity: `x` is not a list of cores"),
        ("TWO -each depth=1 -use-affinity 1023", "-use-affinity: core 1023 cannot be used here"),
        ("TWO -each depth=1 -log level=debug", "-log: needs file="),
        ("TWO -each depth=1 -log file=log level=loud", "-log: level is trace, debug,"),
        ("TWO -each depth=1 -log file=none/log", "-log: none/log: No such file"),
        ("TWO -each depth=1 -log file=x -pgnout x", "-log names the file of -pgnout"),
        ("--config none.toml", "none.toml: No such file"),
        ("--config bad.toml", "unknown field `round`"),
        ("--config zero.toml TWO -each depth=1", "-draw: needs movecount= and score="),
        ("--config never.toml TWO -each depth=1", "-resign: needs movecount= and score="),
        ("--config", "--config: needs a file"),
    ] {
        let line = format!("match {}", line.replace("TWO", TWO));
        let (out, err, code) = folder.finish(folder.start(&line));
        assert_eq!((out.as_str(), code), ("", Some(2)), "{line}\n{err}");
        assert!(err.starts_with("qirkat: ") && err.contains(complaint), "{line}\n{err}");
        if !line.contains("toml") {
            assert_eq!(err.lines().count(), 1, "{line}\n{err}");
        }
    }
}

#[test]
fn large_numbers_are_no_harm() {
    let folder = Folder::new();
    folder.play(&format!(
        "match {TWO} -each tc=1000000 depth=1 timemargin=18446744073709551615 \
         -maxmoves 4294967295 -draw movenumber=4294967295 movecount=4294967295 score=1 \
         -resign movecount=4294967295 score=2147483647 -srand 18446744073709551615"
    ));
}
