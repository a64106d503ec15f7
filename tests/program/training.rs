//! `qirkat train` from outside, and the whole way from games to a program with the network learned
//! from them.

use std::fs;
use std::process::Command;

use qirkat_testing::effort;

use crate::run::{Folder, QIRKAT};

const QUICK: &str = "--epochs 2 --batch-size 64 --validation 0.2 --threads 2";

fn losses(said: &str) -> Vec<f64> {
    said.lines()
        .filter_map(|line| line.split_once(": loss ")?.1.split(',').next()?.parse().ok())
        .collect()
}

#[test]
fn training_is_reproducible_and_reduces_the_loss() {
    let folder = Folder::new();
    // The networks of Masonic chess are small.
    let play = "datagen --game masonic --nodes 20 --threads 2";
    folder.good(&format!("{play} --output data --positions 150"));
    folder.good(&format!("{play} --output few --positions 20"));
    let line = |more: &str| format!("train --data data {QUICK} --output {more}");
    let train = |more: &str| losses(&folder.good(&line(more)));
    let told = train("a --plot losses.svg");
    assert!(told.len() == 2 && told[1] < told[0], "{told:?}");
    assert!(folder.read("losses.svg").contains("validation"));
    train("c --seed 1");
    assert_ne!(folder.bytes("a"), folder.bytes("c"));

    // Older spellings of the options are accepted, and a checkpoint changes nothing.
    let checked = "d --checkpoint checkpoint --rate 0.001 --last-rate 0.00001 --decay 0.01 \
                   --result-share 0.3";
    let resumed = format!("{checked} --resume");
    train(checked);
    assert_eq!(folder.bytes("d"), folder.bytes("a"));
    folder.refuse(&line(checked), "--resume");
    assert_eq!(train(&resumed), [0.0; 0], "nothing is left to do");
    let other = folder.ends(2, &line(&format!("{resumed} --seed 5"))).err;
    assert!(other.contains("other options") && other.lines().count() == 1, "{other}");
    fs::rename(folder.path("checkpoint"), folder.path("kept")).expect("it is there");
    // Without its checkpoint, a network is not overwritten by a new training; without both,
    // training starts.
    folder.refuse(&line(&resumed), "to resume from");
    assert_eq!(folder.bytes("d"), folder.bytes("a"));
    fs::remove_file(folder.path("d")).expect("it is there");
    assert_eq!(train(&resumed).len(), 2);
    assert_eq!(folder.bytes("d"), folder.bytes("a"));
    folder.write("checkpoint", "something else");
    let other = folder.ends(2, &line(&resumed)).err;
    assert!(other.contains("--resume: ") && other.contains("not a checkpoint"), "{other}");
    folder.refuse("train --data x --output y", "--data: ");

    // Fine-tuning starts from the network or the checkpoint. With the same seed, nothing else
    // differs from its first epoch.
    for from in ["a", "kept"] {
        let tuned = train(&format!("tuned-{from} --init {from}"));
        assert!(tuned[0] < told[0], "{tuned:?} after {told:?}");
    }
    assert_ne!(folder.bytes("tuned-a"), folder.bytes("a"));
    folder.refuse(&line("other --init missing"), "--init");
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-config/qirkat.net");
    folder.refuse(&line(&format!("other --init {network}")), "for this game");

    // It has a value for every kind of piece, and plays.
    let said = folder.good("network few --eval-file a");
    for kind in ["pawn", "knight", "bishop", "rook", "queen"] {
        let row = said.lines().find(|line| line.starts_with(kind)).expect("a row for each kind");
        assert_eq!(row.split_whitespace().count(), 5, "{row}");
    }
    let said = folder.good(
        "match -variant masonic -engine cmd=QIRKAT name=new option.EvalFile=a -engine cmd=QIRKAT \
         name=old -each nodes=20 -rounds 1 -games 2 -maxmoves 6",
    );
    assert!(said.contains("Games: 2"), "{said}");
}

#[test]
fn each_game_learns_its_own_network() {
    let folder = Folder::new();
    let games = [("chesquerque", "archbishop"), ("masonic", "bishop"), ("alquerque", "man")];
    for (game, kind) in games.into_iter().skip(effort([1, 0, 0])) {
        let said = folder.good(&format!(
            "datagen --game {game} --eval-file <none> --output {game} --positions 60 --nodes 20 \
             --threads 2 --min-plies 4 --max-plies 6"
        ));
        assert!(said.contains("positions of"), "{said}");
        assert!(folder.good(&format!("data check {game}")).contains("all sound"));
        assert_eq!(folder.good(&format!("data show {game} --limit 3")).lines().count(), 3);
        let said = folder.good(&format!("train --data {game} --output {game}.net {QUICK}"));
        let told = losses(&said);
        assert!(told[1] < told[0], "{said}");
        let said = folder.good(&format!("network {game} --eval-file {game}.net"));
        assert!(said.lines().any(|line| line.starts_with(kind)), "{said}");
        let said = folder.good(&format!(
            "match -variant {game} -engine cmd=QIRKAT name=new option.EvalFile={game}.net \
             -engine cmd=QIRKAT name=old option.EvalFile=<none> -each nodes=20 \
             -rounds 1 -games 2 -maxmoves 6",
        ));
        assert!(said.contains("Games: 2"), "{said}");
        let said = folder.good(&format!("bench --game {game} --depth 1 --eval-file {game}.net"));
        assert!(said.trim_end().ends_with("nps"), "{said}");
    }
    folder.refuse_all(
        "",
        &[
            ("train --data masonic alquerque --output x", "of Alquerque, not of Masonic chess"),
            ("data merge masonic alquerque --output x", "not of Masonic"),
            ("datagen --output masonic --positions 9 --resume", "chess, not of Chesquerque"),
            ("analyse --depth 1 --eval-file masonic.net", "768 features"),
        ],
    );
}

#[test]
fn bad_trainings_are_refused() {
    let folder = Folder::new();
    let line = "train --data data --output net";
    folder.refuse(line, "data");
    // A typo in the name of the checkpoint does not lose a network.
    folder.write("net", "a network");
    folder.refuse(&format!("{line} --resume --checkpoint chekpoint"), "there is no checkpoint ");
    fs::remove_file(folder.path("net")).expect("it is there");
    folder.write("data", "no positions");
    folder.refuse(line, "not a file of games or positions");
    fs::remove_file(folder.path("data")).expect("it is there");
    folder.good("datagen --output data --positions 50 --nodes 20 --threads 1");
    folder.refuse_all(
        line,
        &[
            ("--wdl 2", "--wdl"),
            ("--lr nan", "--lr"),
            ("--lr=-1", "--lr"),
            ("--wd inf", "--wd"),
            ("--batch-size 0", "--batch-size"),
            ("--checkpoint net", "--output and --checkpoint name the same file"),
            ("--validation 1", "no positions"),
        ],
    );
    folder.refuse_all(
        "train --data data --output",
        &[
            ("data --resume --checkpoint net", "which is read: name another file"),
            ("net/none/net", "no such folder"),
            (".", "is a folder"),
        ],
    );
    assert!(!folder.has("net"));
}

/// The documented way from nothing to a program with its own network, in toy size. It builds the
/// program again, so only `.ci/run` runs it.
#[test]
#[ignore = "builds the program anew; run by .ci/run"]
fn one_script_trains_and_builds() {
    let folder = Folder::new();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/learn-network");
    let run = || {
        Command::new(script)
            .arg(folder.path(""))
            .env("QIRKAT", QIRKAT)
            .envs([("POSITIONS", "2000"), ("NODES", "60"), ("EPOCHS", "2"), ("GAMES", "2")])
            .envs([("LIMIT", "nodes=50")])
            .output()
            .expect("the script starts")
    };
    assert!(run().status.success());
    // When run again, it only reports the result.
    let output = run();
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
    assert!(said.contains("Games: 2"), "{said}");
    // The new program has the new network.
    let network = folder.bytes("qirkat.net");
    let checksum = network.last_chunk().map(|bytes| u32::from_le_bytes(*bytes)).expect("4 bytes");
    let program = folder.bytes("after");
    assert!(program.windows(network.len()).any(|window| window == network));
    assert!(said.contains(&format!("{checksum:08x}")), "{said}");
}
