//! Table files: valid, damaged, truncated, and built.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use qirkat_game::{KnownResult, Tablebase};
use qirkat_rules::chesquerque::{Color, PieceKind, Position};
use qirkat_rules::masonic;
use qirkat_tablebase::{
    AllTables, BuildOptions, BuildStep, BuildableGame, Checker, ChessTableGame, Material,
    SideStatistics, TableBytes, TableError, TableForm, TableGame, Tables,
};
use qirkat_testing::effort;

const ROOK: &[u8] = include_bytes!("../../../../engine-config/tables/KRvK.qtb");

pub fn add<G: TableGame>(bytes: Vec<u8>) -> Result<Tables<G>, TableError> {
    let mut tables = Tables::new();
    tables.add(Box::new(&*bytes.leak()))?;
    Ok(tables)
}

/// Indices of its positions: pairs of kings times points of the rook.
const CELLS: u64 = 786 * 81;

fn read_all(tables: &Tables) -> Result<(), TableError> {
    let material = "KRvK".parse().expect("a material");
    let positions = (0..).map(|index| (index, tables.position(material, index, Color::White)));
    for position in positions.take_while(|it| it.0 < CELLS).filter_map(|it| it.1) {
        tables.value(&position)?;
    }
    Ok(())
}

#[test]
fn damage_is_detected() {
    assert!(add::<Position>(ROOK.to_vec()).and_then(|tables| read_all(&tables)).is_ok());
    for at in [0, 9, 10, 30, 240, 300, ROOK.len() - 1] {
        let mut bytes = ROOK.to_vec();
        bytes[at] ^= 0x40;
        let result = add::<Position>(bytes).and_then(|tables| read_all(&tables));
        let expected = match at {
            0 => "not a table of Qirkat".to_owned(),
            9 => "a table of another version: it needs a newer Qirkat (format 16387, not 4)"
                .to_owned(),
            10 => "damaged: its header is not that of a table".to_owned(),
            30 | 240 | 300 => "damaged: the checksum of its header does not match".to_owned(),
            _ => "damaged: a checksum does not match at byte 6403 of KRvK".to_owned(),
        };
        assert_eq!(result.expect_err("damaged").to_string(), expected, "byte {at}");
    }
    for (length, fault) in [
        (0, "not a table of Qirkat"),
        (5, "not a table of Qirkat"),
        (8, "damaged: it breaks off after 8 bytes"),
        (10, "damaged: it breaks off after 10 bytes"),
        (11, "damaged: shorter than its header says"),
        (100, "damaged: shorter than its header says"),
        (260, "damaged: shorter than its header says"),
        (ROOK.len() - 1, "damaged: shorter than its header says"),
    ] {
        let error = add::<Position>(ROOK[..length].to_vec()).err().expect("cut off");
        assert_eq!(error.to_string(), fault, "{length} bytes");
    }
    for more in [&[0][..], ROOK] {
        let error = add::<Position>([ROOK, more].concat()).err().expect("more than a table");
        assert_eq!(error.to_string(), "damaged: there are bytes after its end");
    }
}

/// A modified table with valid checksums. `change` gets its bytes and the offset of the packed
/// blocks.
fn changed(file: &[u8], is_chess: bool, change: impl FnOnce(&mut [u8], usize)) -> Vec<u8> {
    let mut bytes = file.to_vec();
    let number = |at: usize, size: usize| {
        file[at..at + size].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
    };
    let counts_at = if is_chess { 229 } else { 213 };
    let (units, blocks) = (number(counts_at, 4), number(counts_at + 4, 4));
    let (runs, parts, size) = if is_chess { (0, 2 * blocks, 2) } else { (units, blocks, 4) };
    let parts_at = counts_at + 14 + runs;
    let checksum_at = parts_at + parts * (size + 2);
    let mut start = checksum_at + 4 + number(counts_at + 8, 4);
    change(&mut bytes, start);
    for at in (parts_at..checksum_at).step_by(size + 2) {
        let end = start + number(at, size);
        let checksum = crc32fast::hash(&bytes[start..end]) as u16;
        bytes[at + size..][..2].copy_from_slice(&checksum.to_le_bytes());
        start = end;
    }
    let checksum = crc32fast::hash(&bytes[..checksum_at]);
    bytes[checksum_at..][..4].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// A check finds an entry that does not follow from its successors.
pub fn assert_wrong_entry_is_found<G: BuildableGame>(file: &[u8], is_chess: bool) {
    let wrong = changed(file, is_chess, |bytes, start| {
        let middle = (start + bytes.len()) / 2;
        bytes[middle] ^= 0x40;
    });
    let mut tables = Tables::<G>::new();
    let material = tables.add(Box::new(&*wrong.leak())).expect("a table");
    tables.add_embedded();
    let stop = AtomicBool::new(false);
    let checked = Checker::new(&tables, &stop).check(&[material], &|_| ()).expect("sound");
    assert!(!checked.expect("complete").wrong.is_empty(), "{material}");
}

#[test]
fn a_wrong_entry_of_a_chess_table_is_found() {
    assert_wrong_entry_is_found::<Position>(ROOK, true);
}

/// Wherever a table of results is damaged, it is refused, or the block is when it is read.
#[test]
fn damage_to_results_is_detected() {
    let folder = tempfile::tempdir().expect("a folder");
    build_as::<Position>(folder.path(), &["KRvK"], TableForm::Wdl);
    let file = std::fs::read(folder.path().join("KRvK.qtb")).expect("written");
    let material = "KRvK".parse().expect("a material");
    let read = |bytes: Vec<u8>| -> Result<Vec<_>, TableError> {
        let tables = add::<Position>(bytes)?;
        let indices =
            (0..CELLS).step_by(17).flat_map(|index| [(index, Color::White), (index, Color::Black)]);
        let positions = indices.filter_map(|(index, side)| tables.position(material, index, side));
        positions.map(|position| tables.value(&position)).collect()
    };
    let values = read(file.clone()).expect("sound");
    let step = effort([3, 1, 1]);
    for at in (0..file.len()).step_by(step) {
        let mut bytes = file.clone();
        bytes[at] ^= 1 << (at % 8);
        // Of some blocks no position is looked up.
        assert!(!read(bytes).is_ok_and(|it| it != values), "byte {at}");
    }
    for length in (0..file.len()).step_by(step) {
        assert!(read(file[..length].to_vec()).is_err(), "{length} bytes");
    }
}

/// A file of zeros after its header, of the size it claims, which must not be read whole.
struct Huge {
    head: Vec<u8>,
    size: u64,
}

impl TableBytes for Huge {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        assert!(buffer.len() < 1 << 20, "{} bytes are wanted", buffer.len());
        buffer.fill(0);
        let head = self.head.get(offset as usize..).unwrap_or_default();
        let length = head.len().min(buffer.len());
        buffer[..length].copy_from_slice(&head[..length]);
        Ok(())
    }

    fn size(&self) -> std::io::Result<u64> {
        Ok(self.size)
    }
}

/// A header is validated before memory or time is spent on what it claims.
#[test]
fn header_sizes_are_not_trusted() {
    const SIDE_AT: usize = 11;
    const NAME_AT: usize = 13;
    const BLOCKS_AT: usize = NAME_AT + 16 + 200 + 4;
    let (short, wrong) =
        ("damaged: shorter than its header says", "damaged: its header is not that of a table");
    for (name, blocks, size, fault) in [
        ("KRvK", u32::MAX, 1000, short),
        ("KRvK", u32::MAX, 1 << 40, wrong),
        ("KRvK", 1 << 24, 1 << 40, wrong),
        ("KQRvKQR", u32::MAX, 1 << 40, wrong),
        ("KPPvKPP", 0, 1000, wrong),
        ("KPPPPvK", 1000, 1 << 40, wrong),
        ("KPPPvKP", u32::MAX, 1000, short),
        ("KvK", u32::MAX, 1 << 40, wrong),
        ("", u32::MAX, 1 << 40, wrong),
    ] {
        let mut head = ROOK[..BLOCKS_AT + 4].to_vec();
        head[NAME_AT..NAME_AT + 16].fill(0);
        head[NAME_AT..NAME_AT + name.len()].copy_from_slice(name.as_bytes());
        head[BLOCKS_AT..].copy_from_slice(&blocks.to_le_bytes());
        let error = Tables::<Position>::new().add(Box::new(Huge { head, size })).expect_err(name);
        assert_eq!(error.to_string(), fault, "{name} {blocks} {size}");
    }
    // All names, with either side to move.
    for material in (3..=4).flat_map(Material::<PieceKind>::all) {
        for name in [material.to_string(), material.flipped().to_string()] {
            for side in [0, 1] {
                let mut head = ROOK[..BLOCKS_AT + 4].to_vec();
                head[SIDE_AT] = side;
                head[NAME_AT..NAME_AT + 16].fill(0);
                head[NAME_AT..NAME_AT + name.len()].copy_from_slice(name.as_bytes());
                head[BLOCKS_AT..].copy_from_slice(&(1_u32 << 31).to_le_bytes());
                let file = Huge { head, size: 1 << 40 };
                let error = Tables::<Position>::new().add(Box::new(file)).expect_err("no table");
                assert_eq!(error.to_string(), wrong, "{name} {side}");
            }
        }
    }
}

#[test]
fn folders_do_not_replace_built_in_tables() {
    let bishop = include_bytes!("../../../../engine-config/tables/KBvK.qtb");
    let rook: Material = "KRvK".parse().expect("a material");
    let built_in = *Tables::<Position>::with_embedded().statistics(rook).expect("built in");
    // The statistics of another table.
    let other = changed(ROOK, true, |bytes, _| bytes[29..229].copy_from_slice(&bishop[29..229]));
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("KRvK.qtb"), &other).expect("written");
    for is_first in [false, true] {
        let mut tables = Tables::<Position>::new();
        if !is_first {
            tables.add_embedded();
        }
        let found = tables.add_folder(folder.path()).expect("read");
        assert_eq!((found.added, found.faulty.len()), (1, 0));
        tables.add_embedded();
        assert_eq!(*tables.statistics(rook).expect("there") == built_in, !is_first);
        assert_eq!(tables.materials().count(), 6);
    }
}

pub fn build_in<G: BuildableGame>(folder: &Path, names: &[&str]) -> Vec<G::Material> {
    build_as::<G>(folder, names, TableForm::Distances)
}

pub fn build_as<G: BuildableGame>(
    folder: &Path,
    names: &[&str],
    form: TableForm,
) -> Vec<G::Material> {
    let written = std::sync::Mutex::new(Vec::new());
    let materials = names.iter().map(|name| name.parse().expect("a material")).collect();
    let options =
        BuildOptions { materials, form, folder: folder.to_owned(), threads: 2, memory: 1 << 30 };
    G::build(&options, &AtomicBool::new(false), &|step| {
        if let BuildStep::Written { material, .. } = step {
            written.lock().expect("whole").push(material);
        }
    })
    .expect("built");
    written.into_inner().expect("whole")
}

/// Builds in a folder without tables: the file at `name`, one of those `built`, is the built-in one.
/// A second build does nothing, and a broken file is rebuilt.
pub fn assert_builds<G: BuildableGame>(folder: &Path, built: &[&str], name: &str, file: &[u8]) {
    let material = Path::new(name).file_prefix().and_then(|it| it.to_str()).expect("a name");
    let path = folder.join(name);
    let build = |expected: &[&str]| {
        let found = build_in::<G>(folder, built);
        let found: HashSet<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, expected.iter().map(ToString::to_string).collect());
        assert_eq!(std::fs::read(&path).expect("written"), file);
    };
    build(built);
    build(&[]);
    std::fs::write(&path, &file[..file.len() / 2]).expect("written");
    build(&[material]);
}

#[test]
fn a_build_writes_missing_and_broken_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_builds::<Position>(folder.path(), &["KNvK", "KRvK"], "KRvK.qtb", ROOK);
}

/// Every entry follows from those of its successors, by the moves of search and perft.
pub fn assert_entries_follow<G: BuildableGame>(larger: &[&str], stride: usize, least: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut tables = Tables::<G>::with_embedded();
    build_in::<G>(folder.path(), larger);
    tables.add_folder(folder.path()).expect("read");
    let materials: Vec<G::Material> = tables.materials().collect();
    let stop = AtomicBool::new(false);
    let mut checker = Checker::new(&tables, &stop);
    for at in (0..materials.len()).step_by(stride) {
        let material = materials[at];
        let checked = checker.check(&materials[at..], &|_| ()).expect("sound").expect("complete");
        assert!(checked.wrong.is_empty(), "{material}: {:?}", checked.wrong);
        assert!(checked.has_right_statistics, "{material}");
        assert!(checked.entries > least, "{material}: {}", checked.entries);
    }
}

#[test]
fn every_entry_follows_from_its_successors() {
    let larger = effort([&[][..], &["KBNvK"], &["KAvKN", "KBNvK", "KNNvK", "KPvKP"]]);
    assert_entries_follow::<Position>(larger, effort([2, 1, 1]), 100_000);
}

#[test]
fn every_entry_of_masonic_chess_follows_from_its_successors() {
    let larger = effort([&[][..], &[], &["KNNvK", "KQvKR", "KBNvK", "KPvKP"]]);
    assert_entries_follow::<masonic::Position>(larger, effort([5, 1, 1]), 100_000);
}

/// A folder can hold tables of several games; a file of another game than its name says is skipped.
#[test]
fn a_folder_can_hold_several_games() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("KRvK.qtb"), ROOK).expect("written");
    build_in::<masonic::Position>(folder.path(), &["KRvK"]);
    let (tables, found) = AllTables::with_folder(folder.path()).expect("read");
    assert_eq!((found.added, found.faulty.len()), (2, 0));
    assert_eq!((tables.chesquerque.largest(), tables.masonic.largest()), (3, 3));
    let masonic = folder.path().join("KRvK.masonic.qtb");
    assert!(masonic.exists());
    std::fs::write(&masonic, ROOK).expect("written");
    let (_, found) = AllTables::with_folder(folder.path()).expect("read");
    assert_eq!(found.added, 1);
    let [fault] = &found.faulty[..] else { panic!("{found:?}") };
    assert_eq!(fault.path, masonic);
    assert_eq!(fault.error.to_string(), "a table of Chesquerque, not of Masonic chess");
}

/// A table of results agrees with that of distances in every position, whichever side is to move,
/// and its entries follow from their successors.
fn assert_results_agree<G>(names: &[&str], stride: usize)
where
    G: ChessTableGame + BuildableGame,
{
    let [distances, results] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    build_in::<G>(distances.path(), names);
    build_as::<G>(results.path(), names, TableForm::Wdl);
    let mut with_distances = Tables::<G>::with_embedded();
    with_distances.add_folder(distances.path()).expect("read");
    let mut wdl = Tables::<G>::new();
    wdl.add_folder(results.path()).expect("read");
    wdl.add_embedded();
    let stop = AtomicBool::new(false);
    for name in names {
        let material: G::Material = name.parse().map_err(drop).expect("a material");
        let (kept, counted) = (wdl.statistics(material), with_distances.statistics(material));
        for (kept, counted) in kept.expect("it").sides.iter().zip(counted.expect("it").sides) {
            let counts = SideStatistics { longest_win: None, longest_loss: None, ..counted };
            assert_eq!(*kept, counts, "{material}");
        }
        let mut compared = 0;
        for index in (0..250_000.max(stride as u64 * 90_000)).step_by(stride) {
            let both = [Color::White, Color::Black].map(|side| wdl.position(material, index, side));
            for position in both.into_iter().flatten() {
                let value = with_distances.value(&position).expect("sound").expect("there");
                let found = wdl.value(&position).expect("sound").expect("there");
                assert_eq!(found.result, value.result, "{position}");
                assert_eq!((found.dtm, found.dtz), (None, None), "{position}");
                let known = wdl.known(&position);
                let is_mated = value.dtm == Some(0);
                let length = match known {
                    Some(KnownResult::Win(plies) | KnownResult::Loss(plies)) => plies,
                    _ => None,
                };
                assert_eq!(length, is_mated.then_some(0), "{position} {known:?}");
                compared += 1;
            }
        }
        assert!(compared > 5_000, "{material}: {compared}");
        let checked = Checker::new(&wdl, &stop).check(&[material], &|_| ()).expect("sound");
        let checked = checked.expect("complete");
        assert!(checked.wrong.is_empty(), "{material}: {:?}", checked.wrong);
        assert!(checked.has_right_statistics, "{material}");
    }
}

#[test]
fn results_are_those_of_the_tables_with_distances() {
    let stride = effort([17, 1, 1]);
    let names = effort([&["KPvK"][..], &["KPvK", "KRvK"], &["KPvK", "KRvK"]]);
    assert_results_agree::<Position>(names, stride);
    let masonic = effort([&["KNvK"][..], &["KPvK", "KNvK"], &["KPvK", "KNvK"]]);
    assert_results_agree::<masonic::Position>(masonic, stride);
    // Some wins of these are too long for the 100-ply rule.
    let larger = effort([&[][..], &["KQvKB"], &["KQvKB", "KBvKP", "KNPvK"]]);
    assert_results_agree::<Position>(larger, 61);
}
