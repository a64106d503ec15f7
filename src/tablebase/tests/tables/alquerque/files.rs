//! Table files: built, checked, damaged and truncated.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use qirkat_game::{Color, Rules};
use qirkat_rules::alquerque::{Position, State};
use qirkat_tablebase::alquerque::{Certificate, Decision, MAX_TABLE_MEN, MenMaterial, MenTables};
use qirkat_tablebase::{
    AllTables, BuildError, BuildOptions, BuildableGame, TableError, TableForm, TableResult,
};
use qirkat_testing::effort;
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::super::files::{
    add, assert_builds, assert_entries_follow, assert_wrong_entry_is_found, build_in,
};
use super::positions::{FIVE_MEN, FOUR_MEN, random_position};

const FILE: &[u8] = include_bytes!("../../../../../engine-config/tables/2v1.alquerque.qtb");

#[test]
fn a_build_writes_missing_and_broken_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let built = ["1v1", "2v1", "3v1", "2v2"];
    assert_builds::<Position>(folder.path(), &built, "2v1.alquerque.qtb", FILE);
    let (tables, found) = AllTables::with_folder(folder.path()).expect("read");
    assert_eq!((found.added, found.faulty.len()), (4, 0));
    assert_eq!(tables.alquerque.largest(), 4);
    // Existing tables are read where others need them.
    if effort([false, true, true]) {
        assert_eq!(build_in::<Position>(folder.path(), &["4v1", "3v2"]).len(), 2);
    }
}

#[test]
fn a_build_can_be_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let (folder, materials) = (folder.path().to_owned(), MenMaterial::all(4).collect());
    let form = TableForm::Distances;
    let options = BuildOptions { materials, form, folder, threads: 2, memory: 1 << 30 };
    let stopped = Position::build(&options, &AtomicBool::new(true), &|_| ());
    assert!(matches!(stopped, Err(BuildError::Stopped)));
    let options = BuildOptions { memory: 1 << 20, ..options };
    let error =
        Position::build(&options, &AtomicBool::new(false), &|_| ()).expect_err("too little");
    assert_eq!(error.to_string(), "3v1 needs 2 MB of memory, where 1 MB are allowed");
}

/// Every distance follows from those of its successors, by the moves of search and perft.
#[test]
fn every_distance_follows_from_its_successors() {
    assert_entries_follow::<Position>(&[], effort([3, 1, 1]), 1_000);
    assert_wrong_entry_is_found::<Position>(FILE, false);
    let tables = MenTables::with_embedded();
    for material in tables.materials() {
        assert_eq!(tables.statistics(material), FOUR_MEN.statistics(material).as_ref());
    }
}

#[test]
fn solved_tables_survive_a_round_trip() {
    let men = effort([4, 5, 5]);
    let folder = tempfile::tempdir().expect("a folder");
    let mut tables = MenTables::with_embedded();
    if men == 5 {
        build_in::<Position>(folder.path(), &["4v1", "3v2"]);
        tables.add_folder(folder.path()).expect("read");
    }
    let solved = if men == 5 { &FIVE_MEN } else { &FOUR_MEN };
    let mut rng = StdRng::seed_from_u64(5);
    for count in 0..effort([20_000, 50_000, 1_000_000]) {
        let position = random_position(&mut rng, 2 + count % (men - 1));
        let value = tables.value(&position).expect("sound").expect("few men");
        assert_eq!(value.dtm, solved.distance(&position).map(u16::from), "{position}");
        assert_eq!(value.result == TableResult::Draw, value.dtm.is_none(), "{position}");
    }
}

fn read_all(tables: &MenTables) -> Result<(), TableError> {
    let mut rng = StdRng::seed_from_u64(3);
    let positions: Vec<Position> = (0..4_000).map(|_| random_position(&mut rng, 3)).collect();
    let both = positions.iter().filter(|it| MenMaterial::of(it).is_some());
    both.into_iter().try_for_each(|position| tables.value(position).map(drop))
}

#[test]
fn damage_is_detected() {
    assert!(add::<Position>(FILE.to_vec()).and_then(|tables| read_all(&tables)).is_ok());
    for at in [0, 9, 10, 11, 12, 100, 213, 224, 300, FILE.len() / 2, FILE.len() - 1] {
        let mut bytes = FILE.to_vec();
        bytes[at] ^= 0x40;
        let result = add::<Position>(bytes).and_then(|tables| read_all(&tables));
        let expected = match at {
            0 => "not a table of Qirkat",
            9 => "a table of another version: it needs a newer Qirkat (format 16387, not 4)",
            10..=12 => "damaged: its header is not that of a table",
            213 => "damaged: its header is not that of a table",
            100 | 224 | 300 => "damaged: the checksum of its header does not match",
            _ => "damaged: a checksum does not match at byte ",
        };
        let error = result.expect_err("damaged").to_string();
        assert!(error.starts_with(expected), "byte {at}: {error}");
    }
    for length in [0, 5, 100, 260, FILE.len() - 1] {
        assert!(add::<Position>(FILE[..length].to_vec()).is_err(), "{length} bytes");
    }
}

#[test]
fn material_names_survive_a_round_trip() {
    for material in (2..=MAX_TABLE_MEN).flat_map(MenMaterial::all) {
        assert_eq!(material.to_string().parse(), Ok(material));
    }
    assert_eq!("2v3".parse::<MenMaterial>().map(|it| it.to_string()), Ok("3v2".to_owned()));
    for text in ["", "3", "3v", "3v0", "v", "6v5", "-1v2", "99999999999999999999v1", "KvK"] {
        assert!(text.parse::<MenMaterial>().is_err(), "{text}");
    }
}

const START: &[u8] = include_bytes!("../../../../../engine-config/tables/start.alquerque.cert");

/// A certificate in a folder with tables is loaded; a damaged or invalid one is reported and
/// changes nothing.
#[test]
fn certificates_in_a_folder_are_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("start.cert");
    let part = part_of(&Certificate::read(START).expect("sound"), 15);
    assert!((20..20_000).contains(&part.decisions.len()), "{}", part.decisions.len());
    let root = part.root.position().expect("a position");
    let plies = part.decision(part.root).expect("the root").plies;
    let written = |change: &dyn Fn(&mut Certificate)| {
        let mut changed = part.clone();
        change(&mut changed);
        let mut bytes = Vec::new();
        changed.write(&mut bytes).expect("in order");
        bytes
    };
    let each =
        |change: fn(&mut Decision)| written(&|part| part.decisions.iter_mut().for_each(change));
    let sound = written(&|_| ());
    let last = written(&|part| part.decisions.truncate(part.decisions.len() - 1));
    let wrong = "a certificate that does not hold: ";
    for (what, bytes, fault) in [
        ("cut off", sound[..sound.len() / 2].to_vec(), "damaged: it breaks off after "),
        ("longer", [&sound[..], b"\0"].concat(), "damaged: there are bytes after its end"),
        ("no replies", written(&|part| part.decisions.retain(|it| it.state == part.root)), wrong),
        ("one left out", last, wrong),
        ("another root", written(&|part| part.root = State(part.root.0 ^ 1)), wrong),
        ("the other side", written(&|part| part.winner = Some(Color::Black)), wrong),
        ("endless", each(|decision| decision.plies = u16::MAX), wrong),
        ("far too long", each(|decision| decision.plies += u16::MAX - 100), wrong),
        (
            "too short",
            written(&|part| {
                part.decisions.iter_mut().for_each(|it| it.plies -= u16::from(it.plies == plies))
            }),
            wrong,
        ),
        ("too late", each(|decision| decision.progress = 101), wrong),
        ("no such move", each(|decision| decision.choice = 99), wrong),
    ] {
        std::fs::write(&path, bytes).expect("written");
        let mut tables = MenTables::new();
        let found = tables.add_folder(folder.path()).expect("read");
        let [faulty] = &found.faulty[..] else { panic!("{what}: {found:?}") };
        assert_eq!((found.added, &faulty.path), (0, &path));
        assert!(faulty.error.to_string().starts_with(fault), "{what}: {}", faulty.error);
        assert_eq!((tables.certificates(), tables.certain_move(&root)), (0, None));
    }
    // A valid but weaker certificate than the built-in one is loaded, but ranks after it.
    std::fs::write(&path, each(|decision| decision.plies += 20)).expect("written");
    for (mut tables, most) in [(MenTables::new(), plies + 20), (MenTables::with_embedded(), plies)]
    {
        assert_eq!(tables.add_folder(folder.path()).expect("read").added, 1);
        assert_eq!(tables.certain_move(&root).map(|(_, plies)| plies), Some(most));
    }
}

/// The part of a certificate from a position that is won in this many plies.
fn part_of(whole: &Certificate, plies: u16) -> Certificate {
    let root = whole.decisions.iter().find(|it| it.plies == plies).expect("one").state;
    let mut decisions: BTreeMap<State, Decision> = BTreeMap::new();
    let mut waiting = vec![root];
    while let Some(state) = waiting.pop() {
        let position = state.position().expect("a position");
        let decision = *whole.decision(state).expect("it is there");
        if decisions.insert(state, decision).is_none() {
            let next = position.after(whole.choice(&position).expect("a move"));
            waiting.extend(next.legal_moves().into_iter().map(|mv| next.after(mv).state()));
        }
    }
    Certificate::new(whole.winner, root, decisions.into_values().collect())
}

#[test]
fn header_sizes_are_not_trusted() {
    const MEN_AT: usize = 11;
    const COUNTS_AT: usize = MEN_AT + 2 + 200;
    for (men, counts, length) in [
        ([1, 2], [u32::MAX, u32::MAX], 1000),
        ([1, 2], [u32::MAX, 1], 1 << 20),
        ([5, 5], [0, 0], 1000),
        ([5, 5], [73_953, u32::MAX], 1 << 20),
        ([12, 12], [1, 1], 1000),
        ([0, 3], [1, 1], 1000),
    ] {
        let mut bytes = FILE[..COUNTS_AT].to_vec();
        bytes[MEN_AT..MEN_AT + 2].copy_from_slice(&men);
        bytes.extend(counts.into_iter().flat_map(u32::to_le_bytes));
        bytes.resize(length, 0);
        let error = add::<Position>(bytes).err().expect("no table").to_string();
        assert!(error.starts_with("damaged: "), "{men:?} {counts:?}: {error}");
    }
}
