use std::sync::LazyLock;

use qirkat_game::Rules;
use qirkat_problem::solver::Certificate;
use qirkat_testing::effort;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::positions::{certificates, read};
use super::second_checker::{Checked, DRAWN, File, check, check_first, write};

/// The number of decisions damaged in each certificate, by [`effort`].
const DECISIONS: [usize; 3] = [1, 4, 400];
/// Bits flipped in each certificate, by [`effort`].
const FLIPS: [usize; 3] = [4, 70, 20_000];

const SIDE: u64 = 1 << 62;
const BLACK_AT: u32 = 25;
const STEPS_AT: [u32; 2] = [50, 56];

static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
    let unpack = |it: &Certificate| File::unpack(&write(it)).expect("xz");
    certificates(2_000).iter().map(|it| File::decode(&unpack(it)).expect("sound")).collect()
});

/// The files that are damaged: in the default run a third of them, of each kind.
fn some_files() -> impl Iterator<Item = &'static File> {
    let step = effort([3, 1, 1]);
    FILES.iter().skip(step - 1).step_by(step)
}

#[track_caller]
fn assert_rejected(what: &str, file: &File) {
    let packed = File::pack(&file.encode());
    let (first, second) = (check_first(&packed), check(&packed));
    assert!(first.is_err(), "{what}: the first checker accepts it: {second:?}");
    assert!(second.is_err(), "{what}: the second checker accepts it: {first:?}");
}

fn for_decisions(mut damage: impl FnMut(&File, usize)) {
    let mut rng = StdRng::seed_from_u64(3);
    for file in some_files() {
        for _ in 0..effort(DECISIONS) {
            damage(file, rng.random_range(0..file.states.len()));
        }
    }
}

fn remove(file: &mut File, at: usize) {
    file.states.remove(at);
    for column in file.columns.iter_mut().filter(|column| !column.is_empty()) {
        column.remove(at);
    }
}

fn add(file: &mut File, state: u64, like: usize) {
    let at = file.states.partition_point(|&other| other < state);
    file.states.insert(at, state);
    for column in file.columns.iter_mut().filter(|column| !column.is_empty()) {
        column.insert(at, column[like]);
    }
}

#[test]
fn replaced_moves_are_checked() {
    let (mut wins, mut faults) = (0, 0);
    for_decisions(|file, at| {
        let state = qirkat_rules::alquerque::State(file.states[at]);
        let moves = state.position().expect("a position").legal_moves().len() as u64;
        for choice in (0..moves).filter(|&choice| choice != file.columns[0][at]) {
            let mut damaged = file.clone();
            damaged.columns[0][at] = choice;
            let packed = File::pack(&damaged.encode());
            let (first, second) = (check_first(&packed), check(&packed));
            // After another move some decisions may be unreachable.
            let all_come_up = |met: &Checked| met.decisions == file.states.len();
            let is_right = second.as_ref().is_ok_and(all_come_up);
            assert_eq!(first.is_ok(), is_right, "{first:?} {second:?}");
            *(if first.is_ok() { &mut wins } else { &mut faults }) += 1;
        }
        for choice in [moves, 65_535, 65_536, u64::MAX] {
            let mut damaged = file.clone();
            damaged.columns[0][at] = choice;
            assert_rejected("no such move", &damaged);
        }
    });
    assert!(faults > wins && wins > 0, "{faults} faults, {wins} other wins");
}

#[test]
fn missing_duplicate_and_too_low_decisions_are_rejected() {
    for_decisions(|file, at| {
        let mut damaged = file.clone();
        remove(&mut damaged, at);
        assert_rejected("left out", &damaged);
        let mut damaged = file.clone();
        add(&mut damaged, file.states[at], at);
        assert_rejected("twice", &damaged);
        for column in [1, 2].into_iter().filter(|&column| !file.columns[column].is_empty()) {
            for number in [file.columns[column][at] - 1, 0] {
                let mut damaged = file.clone();
                damaged.columns[column][at] = number;
                assert_rejected("too low", &damaged);
            }
        }
    });
}

#[test]
fn invalid_states_are_rejected() {
    for_decisions(|file, at| {
        let sound = file.states[at];
        let without_steps = sound & !(((1 << 12) - 1) << STEPS_AT[0]);
        let man = if sound & 1 << BLACK_AT == 0 { 0 } else { 1 };
        let mut states = vec![
            // Men on one point, and an invalid side to move.
            sound | 1 << man | 1 << (BLACK_AT + man),
            sound | 1 << 63,
        ];
        for steps_at in STEPS_AT {
            // Steps from no point, off the board, from an empty point, and from a man that cannot
            // step.
            let empty = (0..25).find(|&at| (sound | sound >> BLACK_AT) >> at & 1 == 0);
            let empty = empty.expect("few men stand there");
            let last = if steps_at == STEPS_AT[0] { 20 } else { 0 };
            let codes = [51, 52, 63, 1, 10, 2 * empty + 1, 2 * empty + 2, 2 * last + 2];
            states.extend(codes.map(|code| without_steps | code << steps_at));
        }
        for state in states {
            let mut damaged = file.clone();
            add(&mut damaged, state, at);
            assert_rejected(&format!("{state:#x} added"), &damaged);
            let mut damaged = file.clone();
            damaged.root = state;
            assert_rejected(&format!("{state:#x} as the root"), &damaged);
        }
    });
}

#[test]
fn invalid_roots_and_winners_are_rejected() {
    let start = read(qirkat_rules::alquerque::START_FEN).state().0;
    for file in some_files() {
        for winner in [0, 1, DRAWN, 255].into_iter().filter(|&other| other != file.winner) {
            assert_rejected("another winner", &File { winner, ..file.clone() });
        }
        for root in [start, start | SIDE] {
            assert_rejected("another root", &File { root, ..file.clone() });
        }
        if let Ok(at) = file.states.binary_search(&file.root) {
            let mut damaged = file.clone();
            remove(&mut damaged, at);
            assert_rejected("the root left out", &damaged);
        }
        let empty = File { states: Vec::new(), columns: Default::default(), ..file.clone() };
        assert_rejected("empty", &empty);
        // The largest number everywhere, so that none decreases.
        if file.columns[1].iter().any(|&plies| plies > 1) {
            for plies in [u64::from(u16::MAX) - 1, u64::from(u16::MAX), 1 << 16] {
                let mut damaged = file.clone();
                damaged.columns[1].fill(plies);
                assert_rejected("all the same", &damaged);
            }
        }
    }
}

#[test]
fn modified_headers_are_rejected() {
    let bytes = FILES[0].encode();
    for at in 0..12 {
        let mut damaged = bytes.clone();
        damaged[at] ^= 2;
        let packed = File::pack(&damaged);
        assert!(check_first(&packed).is_err() && check(&packed).is_err(), "byte {at}");
    }
    // One decision more or fewer than there are, and far more.
    for count in [0, 1, 1 << 24, 1 << 28, u64::MAX / 2, u64::MAX] {
        let mut damaged = bytes.clone();
        damaged[21..29].copy_from_slice(&count.to_le_bytes());
        let packed = File::pack(&damaged);
        assert!(check_first(&packed).is_err() && check(&packed).is_err(), "{count} decisions");
    }
}

#[test]
fn damage_is_reported_with_its_location() {
    let file = FILES.iter().max_by_key(|file| file.states.len()).expect("some");
    let bytes = file.encode();
    let packed = File::pack(&bytes);
    let with_count = |count: u64, more: usize| {
        let mut bytes = bytes[..29].to_vec();
        bytes[21..29].copy_from_slice(&count.to_le_bytes());
        bytes.resize(29 + more, 1);
        File::pack(&bytes)
    };
    let mut flipped = packed.clone();
    flipped[packed.len() / 2] ^= 4;
    // An invalid dictionary size with a valid checksum.
    let mut wide = packed.clone();
    let block = 12..12 + 4 * (usize::from(packed[12]) + 1);
    let dictionary = wide[block.clone()].windows(2).position(|it| it == [0x21, 1]).expect("LZMA2");
    wide[12 + dictionary + 2] = 40;
    let checksum = crc32fast::hash(&wide[12..block.end - 4]);
    wide[block.end - 4..block.end].copy_from_slice(&checksum.to_le_bytes());
    let too_large = "damaged: it unpacks to more than any certificate has, near byte ";
    for (what, packed, words) in [
        ("cut off", packed[..packed.len() / 2].to_vec(), "damaged: it breaks off after "),
        ("flipped", flipped, "damaged: it cannot be unpacked near byte "),
        ("behind", [&packed[..], b"\0\0\0\0"].concat(), "damaged: there are bytes after its end"),
        (
            "more within",
            File::pack(&[&bytes[..], b"\0"].concat()),
            "damaged: there are bytes after its last decision",
        ),
        ("few of many", with_count(1 << 24, 7), "damaged: no state of decision 8"),
        ("2^28 of none", with_count(1 << 28, 0), too_large),
        ("2^63 of none", with_count(1 << 63, 0), too_large),
        ("far too many", with_count(1 << 25, 1 << 24), too_large),
        ("4 GB to unpack", wide, too_large),
        ("another xz stream", File::pack(b"something else"), "not a certificate of Alquerque"),
        ("a text", b"something else".to_vec(), "not a certificate of Alquerque"),
    ] {
        let error = Certificate::read(&*packed).expect_err(what).to_string();
        assert!(error.starts_with(words), "{what}: {error}");
    }
}

#[test]
fn redundant_encodings_and_decisions_are_rejected() {
    let file = FILES.iter().find(|file| file.winner != DRAWN).expect("a win");
    let bytes = file.encode();
    let first = 29 + bytes[29..].iter().position(|byte| byte >> 7 == 0).expect("a last byte");
    let with_number = |number: &[u8]| [&bytes[..29], number, &bytes[first + 1..]].concat();
    let [sound, bits] = [&bytes[29..=first], &[0xFF; 9]];
    let longer = [&sound[..sound.len() - 1], &[sound[sound.len() - 1] | 1 << 7, 0]].concat();
    for number in [longer, [bits, &[2][..]].concat(), [bits, &[0xFF, 1][..]].concat()] {
        let error = Certificate::read(&*File::pack(&with_number(&number))).expect_err("overlong");
        assert_eq!(error.to_string(), "damaged: no state of decision 1", "{number:?}");
    }
    assert!(check_first(&File::pack(&with_number(sound))).is_ok());
    let mut joined = 0;
    for other in FILES.iter().filter(|other| other.winner == file.winner) {
        let Some(&state) = other.states.iter().find(|state| !file.states.contains(state)) else {
            continue;
        };
        let mut both = file.clone();
        for (at, &state) in other.states.iter().enumerate() {
            if both.states.contains(&state) {
                continue;
            }
            let index = both.states.partition_point(|&known| known < state);
            both.states.insert(index, state);
            for (column, from) in both.columns.iter_mut().zip(&other.columns) {
                column.insert(index, from[at]);
            }
        }
        let told = check_first(&File::pack(&both.encode())).expect_err("more than can come up");
        assert!(told.ends_with(" cannot come up"), "{state:#x}: {told}");
        joined += 1;
    }
    assert!(joined > 0);
}

#[test]
fn unsorted_certificates_are_not_written() {
    let packed = File::pack(&FILES[0].encode());
    let mut certificate = Certificate::read(&*packed).expect("sound");
    certificate.decisions.reverse();
    assert!(certificate.write(Vec::new()).is_err());
}

#[test]
fn truncated_and_extended_files_are_rejected() {
    let shortest = FILES.iter().min_by_key(|file| file.states.len()).expect("some");
    let bytes = shortest.encode();
    let mut longer = bytes.clone();
    longer.push(0);
    let cut = (0..bytes.len()).map(|end| &bytes[..end]).chain([&*longer]);
    let packed: Vec<Vec<u8>> = cut.map(File::pack).collect();
    let whole = File::pack(&bytes);
    assert!(check_first(&whole).is_ok() && check(&whole).is_ok());
    for packed in packed.iter().map(Vec::as_slice).chain((0..whole.len()).map(|end| &whole[..end]))
    {
        assert!(check_first(packed).is_err() && check(packed).is_err(), "{} bytes", packed.len());
    }
}

#[test]
fn bit_flips_are_detected_or_harmless() {
    let mut rng = StdRng::seed_from_u64(5);
    let mut accepted = 0;
    for file in &*FILES {
        let bytes = file.encode();
        let packed = File::pack(&bytes);
        for _ in 0..effort(FLIPS) {
            let mut flipped = packed.clone();
            flip(&mut rng, &mut flipped);
            assert!(check_first(&flipped).is_err(), "xz has checksums");
            assert!(check(&flipped).is_err(), "xz has checksums");

            let mut flipped = bytes.clone();
            for _ in 0..*[1, 1, 1, 2, 5].choose(&mut rng).expect("some") {
                flip(&mut rng, &mut flipped);
            }
            let flipped = File::pack(&flipped);
            // The program also checks unreachable decisions.
            if let Ok(first) = check_first(&flipped) {
                let second = check(&flipped).unwrap_or_else(|error| panic!("{first:?}: {error}"));
                assert!(second.plies <= first.plies.into(), "{first:?} {second:?}");
                accepted += 1;
            }
            let _ = check(&flipped);
        }
    }
    assert!(accepted < FILES.len() * effort(FLIPS) / 10, "{accepted} accepted");
}

fn flip(rng: &mut StdRng, bytes: &mut [u8]) {
    let at = rng.random_range(0..bytes.len());
    bytes[at] ^= 1 << rng.random_range(0..8);
}
