//! Lines with faults by chance, which a program must survive.

use super::games::Random;

/// Whether a word stands in a line, in any case of letters.
pub fn holds(line: &[u8], word: &[u8]) -> bool {
    line.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}

/// Changes, takes out, doubles or swaps a byte or a word.
pub fn mutate(random: &mut Random, line: &mut Vec<u8>) {
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

/// A number of random bytes. Words that would end or stop the program must not stand there.
pub fn noise(random: &mut Random, bytes: usize, without: &[&str]) -> Vec<u8> {
    let noise: Vec<u8> = (0..bytes).map(|_| random.number() as u8).collect();
    assert!(!without.iter().any(|word| holds(&noise, word.as_bytes())), "another seed is needed");
    noise
}
