//! `qirkat train` from outside, and the whole way from games to a program
//! that carries what was learned from them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::run;

fn qirkat(arguments: &str) -> Output {
    run::qirkat(arguments.split_whitespace()).output().expect("the program starts")
}

fn good(arguments: &str) -> String {
    let output = qirkat(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {errors}");
    assert_eq!(errors, "", "{arguments}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn refused(arguments: &str) -> String {
    let output = qirkat(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments}");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(errors.lines().count(), 1, "{errors}");
    errors
}

const QUICK: &str = "--epochs 3 --batch-size 256 --validation 0.2 --threads 2";

/// The losses that the lines of a training tell.
fn losses(said: &str) -> Vec<f64> {
    said.lines()
        .filter_map(|line| line.split_once(": loss ")?.1.split(',').next()?.parse().ok())
        .collect()
}

/// The same seed gives the same network, another one another; the positions
/// learned from are judged better and better; nothing is overwritten unasked, and
/// what is finished is not begun again.
#[test]
fn networks_are_learned_and_repeatable() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let at = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
    let bytes = |name: &str| fs::read(at(name)).expect("it was written");
    let data = at("data");
    good(&format!("datagen --output {data} --positions 3000 --nodes 60 --threads 2"));
    let train = |name: &str, more: &str| {
        good(&format!("train --data {data} --output {} {QUICK} {more}", at(name)))
    };
    let said = train("a", &format!("--plot {}", at("losses.svg")));
    let told = losses(&said);
    assert_eq!(told.len(), 3, "{said}");
    assert!(told[2] < told[0], "{told:?}");
    assert!(fs::read_to_string(at("losses.svg")).expect("it was drawn").contains("validation"));
    // Older spellings of the options are understood.
    train("b", "--rate 0.001 --last-rate 0.00001 --decay 0.01 --result-share 0.3");
    train("c", "--seed 1");
    assert_eq!(bytes("a"), bytes("b"));
    assert_ne!(bytes("a"), bytes("c"));

    let checkpoint = at("checkpoint");
    let line =
        format!("train --data {data} --output {} {QUICK} --checkpoint {checkpoint}", at("d"));
    good(&line);
    assert_eq!(bytes("d"), bytes("a"));
    assert!(refused(&line).contains("--resume"));
    assert!(!good(&format!("{line} --resume")).contains("epoch"), "nothing is left to do");
    let other = refused(&format!("{line} --resume --seed 5"));
    assert!(other.contains("other options"), "{other}");
    fs::rename(&checkpoint, at("kept")).expect("it is there");
    // Without its checkpoint, a network is not trained anew in its place; without both, it begins.
    assert!(refused(&format!("{line} --resume")).contains("to resume from"));
    assert_eq!(bytes("d"), bytes("a"));
    fs::remove_file(at("d")).expect("it is there");
    assert_eq!(losses(&good(&format!("{line} --resume"))).len(), 3);
    assert_eq!(bytes("d"), bytes("a"));
    fs::write(&checkpoint, "something else").expect("room on the disk");
    let other = refused(&format!("{line} --resume"));
    assert!(other.contains("--resume: ") && other.contains("not a checkpoint"), "{other}");
    assert!(
        refused(&format!("train --data {} --output {}", at("x"), at("y"))).contains("--data: ")
    );

    // Fine-tuning begins where the network is. The seed being the same, nothing else differs
    // from the first epoch of the network.
    let tune = |name: &str, from: &str| {
        format!("train --data {data} --output {} {QUICK} --init {from}", at(name))
    };
    let tuned = losses(&good(&tune("tuned", &at("a"))));
    assert!(tuned[0] < told[0], "{tuned:?} after {told:?}");
    assert_ne!(bytes("tuned"), bytes("a"));
    assert!(refused(&tune("other", &at("missing"))).contains("--init"));
    let tuned = losses(&good(&tune("again", &at("kept"))));
    assert!(tuned[0] < told[0], "{tuned:?} after {told:?}");
    assert!(refused(&tune("other", "engine-config/masonic.net")).contains("for this game"));

    // It has a value for every kind of piece.
    let said = good(&format!("network {data} --eval-file {}", at("a")));
    for kind in ["pawn", "knight", "bishop", "rook", "archbishop", "queen"] {
        let row = said.lines().find(|line| line.starts_with(kind)).expect("a row for each kind");
        assert_eq!(row.split_whitespace().count(), 5, "{row}");
    }

    // The network plays.
    let said = good(&format!(
        "match -engine cmd={0} name=new option.EvalFile={1} -engine cmd={0} name=old -each nodes=50 \
         -rounds 1 -games 2 -maxmoves 10",
        run::QIRKAT,
        at("a")
    ));
    assert!(said.contains("Games: 2"), "{said}");
}

/// The other games take the same way. Positions and networks know whose they are.
#[test]
fn each_game_learns_its_own_network() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let at = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
    for (game, kind) in [("chesquerque", "archbishop"), ("masonic", "bishop"), ("alquerque", "man")]
    {
        let (data, network) = (at(game), at(&format!("{game}.net")));
        let said = good(&format!(
            "datagen --game {game} --eval-file <none> --output {data} --positions 800 --nodes 40 \
             --threads 2 --min-plies 4 --max-plies 6"
        ));
        assert!(said.contains("positions of"), "{said}");
        assert!(good(&format!("data check {data}")).contains("all sound"));
        assert_eq!(good(&format!("data show {data} --limit 3")).lines().count(), 3);
        let said = good(&format!("train --data {data} --output {network} {QUICK}"));
        let told = losses(&said);
        assert!(told[2] < told[0], "{said}");
        let said = good(&format!("network {data} --eval-file {network}"));
        assert!(said.lines().any(|line| line.starts_with(kind)), "{said}");
        let said = good(&format!(
            "match -variant {game} -engine cmd={0} name=new option.EvalFile={network} \
             -engine cmd={0} name=old option.EvalFile=<none> -each nodes=50 -rounds 1 -games 2 \
             -maxmoves 10",
            run::QIRKAT,
        ));
        assert!(said.contains("Games: 2"), "{said}");
        let said = good(&format!("bench --game {game} --depth 2 --eval-file {network}"));
        assert!(said.trim_end().ends_with("nps"), "{said}");
    }
    let both = format!("{} {}", at("masonic"), at("alquerque"));
    let mixed = refused(&format!("train --data {both} --output {}", at("mixed.net")));
    assert!(mixed.contains("positions of Alquerque, not of Masonic chess"), "{mixed}");
    assert!(refused(&format!("data merge {both} --output {}", at("x"))).contains("not of Masonic"));
    let resumed = refused(&format!("datagen --output {} --positions 900 --resume", at("masonic")));
    assert!(resumed.contains("positions of Masonic chess, not of Chesquerque"), "{resumed}");
    let other = refused(&format!("analyse --depth 1 --eval-file {}", at("masonic.net")));
    assert!(other.contains("768 features") && other.contains("3402"), "{other}");
}

/// What cannot be learned from is refused in one line.
#[test]
fn bad_trainings_are_refused() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let at = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
    let (data, output) = (at("data"), at("net"));
    let line = format!("train --data {data} --output {output}");
    assert!(refused(&line).contains(&data));
    // A network is not lost by a slip in the name of its checkpoint.
    fs::write(&output, "a network").expect("room on the disk");
    let typo = format!("{line} --resume --checkpoint {}", at("chekpoint"));
    assert!(refused(&typo).contains("there is no checkpoint "));
    fs::remove_file(&output).expect("it is there");
    fs::write(&data, "no positions").expect("room on the disk");
    assert!(refused(&line).contains("not a file of games or positions"));
    fs::remove_file(&data).expect("it is there");
    good(&format!("datagen --output {data} --positions 50 --nodes 60 --threads 1"));
    for wrong in ["--wdl 2", "--lr nan", "--lr=-1", "--wd inf", "--batch-size 0"] {
        let output = qirkat(&format!("{line} {wrong}"));
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
    let itself = format!("train --data {data} --output {data} --resume --checkpoint {output}");
    assert!(refused(&itself).contains("which is read: name another file"));
    let twice = format!("{line} --checkpoint {output}");
    assert!(refused(&twice).contains("--output and --checkpoint name the same file"));
    let nowhere = format!("train --data {data} --output {output}/none/net");
    assert!(refused(&nowhere).contains("no such folder"));
    let in_a_folder = format!("train --data {data} --output {}", folder.path().display());
    assert!(refused(&in_a_folder).contains("is a folder"));
    assert!(refused(&format!("{line} --validation 1")).contains("no positions"));
    assert!(!Path::new(&output).exists());
}

/// The documented way from nothing to a program with a network of its own, at
/// toy size. It builds the program once more, so `.ci/run` asks for it.
#[test]
#[ignore = "builds the program anew; run by .ci/run"]
fn the_whole_way_is_gone_by_one_script() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/learn-network");
    let run = || {
        Command::new(script)
            .arg(folder.path())
            .env("QIRKAT", run::QIRKAT)
            .envs([("POSITIONS", "2000"), ("NODES", "60"), ("EPOCHS", "2"), ("GAMES", "2")])
            .envs([("LIMIT", "nodes=50"), ("PROFILE", "dev")])
            .output()
            .expect("the script starts")
    };
    assert!(run().status.success());
    // Run again, it has nothing left to do but to tell the result.
    let output = run();
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
    assert!(said.contains("Games: 2"), "{said}");
    // The new program carries the new network.
    let network = fs::read(folder.path().join("qirkat.net")).expect("it was learned");
    let checksum = network.last_chunk().map(|bytes| u32::from_le_bytes(*bytes)).expect("4 bytes");
    let program = fs::read(folder.path().join("after")).expect("it was built");
    assert!(program.windows(network.len()).any(|window| window == network));
    assert!(said.contains(&format!("{checksum:08x}")), "{said}");
}
