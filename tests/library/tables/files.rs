//! Tables as bytes: whole, damaged, cut off, and by the generator.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use qirkat::Position;
use qirkat::tables::{BuildOptions, BuildStep, Checker, Material, TableError, Tables, build};

use crate::effort::effort;

const ROOK: &[u8] = include_bytes!("../../../engine-config/tables/KRvK.qtb");

fn add(bytes: Vec<u8>) -> Result<Tables, TableError> {
    let mut tables = Tables::new();
    tables.add(Box::new(&*bytes.leak()))?;
    Ok(tables)
}

/// Reads every position of the table.
fn read_all(tables: &Tables) -> Result<(), TableError> {
    let position: Position = "k8/9/2K6/9/9/9/9/8R/9 w - - 0 1".parse().expect("a position");
    tables.value(&position).map(drop)
}

#[test]
fn damage_is_noticed() {
    assert!(add(ROOK.to_vec()).and_then(|tables| read_all(&tables)).is_ok());
    for at in [0, 9, 10, 30, 240, 300, ROOK.len() - 1] {
        let mut bytes = ROOK.to_vec();
        bytes[at] ^= 0x40;
        let result = add(bytes).and_then(|tables| read_all(&tables));
        let expected = match at {
            0 => "not a table of Qirkat".to_owned(),
            9 => "a table of format 16386, where this program reads format 2".to_owned(),
            _ => "damaged: a checksum does not fit".to_owned(),
        };
        assert_eq!(result.expect_err("damaged").to_string(), expected, "byte {at}");
    }
    for length in [0, 5, 100, 260, ROOK.len() - 1] {
        assert!(add(ROOK[..length].to_vec()).is_err(), "{length} bytes");
    }
}

fn build_in(folder: &Path, names: &[&str]) -> Vec<Material> {
    let written = std::sync::Mutex::new(Vec::new());
    let materials = names.iter().map(|name| name.parse().expect("a material")).collect();
    let options =
        BuildOptions { materials, folder: folder.to_owned(), threads: 2, memory: 1 << 30 };
    build::<Position>(&options, &AtomicBool::new(false), &|step| {
        if let BuildStep::Written { material, .. } = step {
            written.lock().expect("whole").push(material);
        }
    })
    .expect("built");
    written.into_inner().expect("whole")
}

/// The program carries what the generator makes; a second build has nothing to do, and what
/// was broken is made anew.
#[test]
fn a_build_makes_what_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(build_in(folder.path(), &["KRvK", "KNvK"]).len(), 2);
    let rook = folder.path().join("KRvK.qtb");
    assert_eq!(std::fs::read(&rook).expect("written"), ROOK);
    assert!(build_in(folder.path(), &["KRvK", "KNvK"]).is_empty());
    std::fs::write(&rook, &ROOK[..ROOK.len() / 2]).expect("written");
    assert_eq!(build_in(folder.path(), &["KRvK", "KNvK"]), ["KRvK".parse().expect("a material")]);
    assert_eq!(std::fs::read(&rook).expect("written"), ROOK);
}

/// Every entry follows from those of its successors, by the moves that search and perft use.
#[test]
fn every_entry_follows_from_its_successors() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut tables: Tables = Tables::with_embedded();
    let larger: &[&str] = effort([&[], &["KAvKN"], &["KAvKN", "KNNvK", "KPvKP"]]);
    build_in(folder.path(), larger);
    tables.add_folder(folder.path()).expect("read");
    let mut materials: Vec<Material> = tables.materials().collect();
    materials.sort_by_key(|material| (material.pieces(), material.pawns()));
    let stop = AtomicBool::new(false);
    let mut checker = Checker::new(&tables, &stop);
    for material in materials {
        let checked = checker.check(material, &|_| ()).expect("sound").expect("complete");
        assert!(checked.wrong.is_empty(), "{material}: {:?}", checked.wrong);
        assert!(checked.has_right_statistics, "{material}");
        assert!(checked.entries > 100_000);
    }
}
