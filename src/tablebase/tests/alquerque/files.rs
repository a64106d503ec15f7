//! Tables as files: by the generator, checked, damaged and cut off.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use qirkat_rules::alquerque::Position;
use qirkat_tablebase::alquerque::{MenChecker, MenMaterial, MenTables, build};
use qirkat_tablebase::{AllTables, BuildError, BuildOptions, BuildStep, TableError, TableResult};
use qirkat_testing::effort;
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::positions::{FIVE_MEN, FOUR_MEN, random_position};

const FILE: &[u8] = include_bytes!("../../../../engine-config/tables/2v1.alquerque.qtb");

fn options(folder: &Path, men: usize) -> BuildOptions<MenMaterial> {
    let materials = MenMaterial::all(men).collect();
    BuildOptions { materials, folder: folder.to_owned(), threads: 2, memory: 1 << 30 }
}

fn build_in(folder: &Path, men: usize) -> Vec<String> {
    let written = Mutex::new(Vec::new());
    build(&options(folder, men), &AtomicBool::new(false), &|step| {
        if let BuildStep::Written { material, .. } = step {
            written.lock().expect("whole").push(material.to_string());
        }
    })
    .expect("built");
    written.into_inner().expect("whole")
}

/// The program carries what the generator makes; a second build has nothing to do, and what was
/// broken is made anew.
#[test]
fn a_build_makes_what_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(build_in(folder.path(), 4), ["1v1", "2v1", "3v1", "2v2"]);
    let path = folder.path().join("2v1.alquerque.qtb");
    assert_eq!(std::fs::read(&path).expect("written"), FILE);
    assert!(build_in(folder.path(), 4).is_empty());
    std::fs::write(&path, &FILE[..FILE.len() / 2]).expect("written");
    assert_eq!(build_in(folder.path(), 4), ["2v1"]);
    assert_eq!(std::fs::read(&path).expect("written"), FILE);
    let (tables, found) = AllTables::with_folder(folder.path()).expect("read");
    assert_eq!((found.added, found.faulty.len()), (4, 0));
    assert_eq!(tables.alquerque.largest(), 4);
    // What is there is read, where another needs it.
    if effort([false, true, true]) {
        assert_eq!(build_in(folder.path(), 5), ["4v1", "3v2"]);
    }
}

#[test]
fn a_build_ends_early() {
    let folder = tempfile::tempdir().expect("a folder");
    let stopped = build(&options(folder.path(), 4), &AtomicBool::new(true), &|_| ());
    assert!(matches!(stopped, Err(BuildError::Stopped)));
    let options = BuildOptions { memory: 1 << 20, ..options(folder.path(), 4) };
    let error = build(&options, &AtomicBool::new(false), &|_| ()).expect_err("too little");
    assert_eq!(error.to_string(), "3v1 needs 2 MB of memory, where 1 MB are allowed");
}

/// Every distance follows from those of its successors, by the moves that search and perft use.
#[test]
fn every_distance_follows_from_its_successors() {
    let tables = MenTables::with_embedded();
    let stop = AtomicBool::new(false);
    let mut checker = MenChecker::new(&tables, &stop);
    for material in tables.materials() {
        let checked = checker.check(material, &|_| ()).expect("sound").expect("complete");
        assert!(checked.wrong.is_empty(), "{material}: {:?}", checked.wrong);
        assert!(checked.has_right_statistics, "{material}");
        assert_eq!(tables.statistics(material), FOUR_MEN.statistics(material).as_ref());
    }
}

/// A file holds what was solved.
#[test]
fn what_is_solved_is_read_from_its_file() {
    let men = effort([4, 5, 5]);
    let folder = tempfile::tempdir().expect("a folder");
    let mut tables = MenTables::with_embedded();
    if men == 5 {
        build_in(folder.path(), 5);
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

fn add(bytes: Vec<u8>) -> Result<MenTables, TableError> {
    let mut tables = MenTables::new();
    tables.add(Box::new(&*bytes.leak()))?;
    Ok(tables)
}

/// Reads every block of the table.
fn read_all(tables: &MenTables) -> Result<(), TableError> {
    let mut rng = StdRng::seed_from_u64(3);
    let positions: Vec<Position> = (0..4_000).map(|_| random_position(&mut rng, 3)).collect();
    let both = positions.iter().filter(|it| MenMaterial::of(it).is_some());
    both.into_iter().try_for_each(|position| tables.value(position).map(drop))
}

#[test]
fn damage_is_noticed() {
    assert!(add(FILE.to_vec()).and_then(|tables| read_all(&tables)).is_ok());
    for at in [0, 9, 10, 11, 12, 100, 213, 224, 300, FILE.len() / 2, FILE.len() - 1] {
        let mut bytes = FILE.to_vec();
        bytes[at] ^= 0x40;
        let result = add(bytes).and_then(|tables| read_all(&tables));
        let expected = match at {
            0 => "not a table of Qirkat",
            9 => "a table of another version: it needs a newer Qirkat (format 16387, not 3)",
            _ => "damaged: a checksum does not fit",
        };
        assert_eq!(result.expect_err("damaged").to_string(), expected, "byte {at}");
    }
    for length in [0, 5, 100, 260, FILE.len() - 1] {
        assert!(add(FILE[..length].to_vec()).is_err(), "{length} bytes");
    }
}

/// A certificate beside the tables of a folder is one of them; a damaged one is named.
#[test]
fn certificates_are_found_beside_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("start.cert");
    let whole = include_bytes!("../../../../engine-config/tables/start.alquerque.cert");
    std::fs::write(&path, whole).expect("written");
    let mut tables = MenTables::new();
    let found = tables.add_folder(folder.path()).expect("read");
    assert_eq!((found.added, found.faulty.len(), tables.certificates()), (1, 0, 1));
    let (first, plies) = tables.certain_move(&Position::start()).expect("White wins");
    assert_eq!((first.to_string(), plies), ("c2c3".to_owned(), 93));
    std::fs::write(&path, &whole[..whole.len() / 2]).expect("written");
    let found = MenTables::new().add_folder(folder.path()).expect("read");
    assert_eq!((found.added, found.faulty.len()), (0, 1));
}
