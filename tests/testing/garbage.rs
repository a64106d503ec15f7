//! Random invalid input, which a program must survive.

use super::effort;
use super::games::Random;

const BYTES: [&[u8]; 5] =
    [b"\0\0\0\0", b"\xef\xbb\xbf", b"\xed\xa0\x80 go", b"\x1b[2J\x07", b"\x7f\x01\x02\x03\x04"];
/// Mutated lines that are sent together.
const TOGETHER: usize = 60;

/// Garbage of every kind with its name: odd bytes, alone and after valid lines; endless lines, each
/// with a start and a filler; noise; and valid lines with bytes and words changed, removed, doubled
/// and swapped. None contains the words that would end or stop the program.
pub fn of_every_kind(
    seed: u64,
    valid: &[&str],
    endless: &[(&str, &str)],
    without: &[&str],
) -> Vec<(String, Vec<u8>)> {
    let mut random = Random::seeded(seed);
    let mut all = Vec::new();
    for bytes in BYTES {
        let line = [random.pick(valid).as_bytes(), bytes, b"\n", bytes].concat();
        all.push((format!("odd bytes: {}", line.escape_ascii()), line));
    }
    for (start, filling) in endless {
        let length = effort([1 << 18, 2 << 20, 2 << 20]);
        let line = (*start).to_owned() + &filling.repeat(length / filling.len());
        all.push((format!("a long line: {start}{filling}..."), line.into_bytes()));
    }
    for _ in 0..4 {
        all.push(("noise".to_owned(), noise(&mut random, 32 << 10, without)));
    }
    for _ in 0..effort([4, 10, 10]) {
        let mut lines = Vec::new();
        for _ in 0..TOGETHER {
            let mut line = random.pick(valid).as_bytes().to_vec();
            for _ in 0..random.below(4) {
                mutate(&mut random, &mut line);
            }
            if !without.iter().any(|word| holds(&line, word.as_bytes())) {
                lines.extend(line);
                lines.push(b'\n');
            }
        }
        all.push(("changed lines".to_owned(), lines));
    }
    all
}

/// Whether a line contains a word, ignoring case.
fn holds(line: &[u8], word: &[u8]) -> bool {
    line.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}

/// Changes, removes, doubles or swaps a byte or a word.
fn mutate(random: &mut Random, line: &mut Vec<u8>) {
    if line.is_empty() {
        line.push(b'x');
    }
    let at = random.below(line.len());
    match random.below(9) {
        0 => line[at] = random.number() as u8,
        1 => line[at] ^= 1 << random.below(8),
        2 => drop(line.remove(at)),
        3 => line.insert(at, *random.pick(b" \t\0/-19azAZ\xff\n\r=")),
        4 => line.truncate(at),
        5 => line.extend_from_within(at..),
        6 => {
            let digits =
                *random.pick(&[b"99999999999999999999".as_slice(), b"-1", b"0", b"4294967296"]);
            line.splice(at..at, digits.iter().copied());
        }
        _ => {
            let mut words: Vec<Vec<u8>> =
                line.split(|byte| *byte == b' ').map(<[u8]>::to_vec).collect();
            let (one, other) = (random.below(words.len()), random.below(words.len()));
            match random.below(3) {
                0 => words.swap(one, other),
                1 => words.insert(one, words[other].clone()),
                _ => drop(words.remove(one)),
            }
            *line = words.join(&b' ');
        }
    }
}

/// Random bytes. Words that would end or stop the program are excluded.
fn noise(random: &mut Random, bytes: usize, without: &[&str]) -> Vec<u8> {
    let noise: Vec<u8> = (0..bytes).map(|_| random.number() as u8).collect();
    assert!(!without.iter().any(|word| holds(&noise, word.as_bytes())), "another seed is needed");
    noise
}
