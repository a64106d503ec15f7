//! A second checker of certificates. It reads the file by its documentation, and plays out every
//! game that the loser can choose, with the slow generator of the rules' tests and its clock. It
//! shares nothing with the program except the unpacking of xz.

use std::collections::{HashMap, HashSet};
use std::io::{Read, Write};

use lzma_rust2::{XzOptions, XzReader, XzWriter};
use qirkat_problem::solver::{Certificate, Verified, verify};
use qirkat_testing::effort;

use super::positions::{certificates, fen, point_name};
use super::slow::{End, Identity, Position as Slow};

/// The winner's byte in a draw.
pub const DRAWN: u8 = 2;

/// The unpacked contents of a file, not yet checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    pub winner: u8,
    pub root: u64,
    pub states: Vec<u64>,
    /// The moves, the plies to the end, and the plies to the next jump, step forward or end. A draw
    /// has only the moves.
    pub columns: [Vec<u64>; 3],
}

impl File {
    pub fn unpack(packed: &[u8]) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        XzReader::new(packed, false).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        Ok(bytes)
    }

    pub fn pack(bytes: &[u8]) -> Vec<u8> {
        let mut xz = XzWriter::new(Vec::new(), XzOptions::with_preset(0)).expect("memory");
        xz.write_all(bytes).expect("memory");
        xz.finish().expect("memory")
    }

    pub fn decode(bytes: &[u8]) -> Result<File, String> {
        let mut rest = bytes;
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at_checked(count).ok_or("too short")?;
            rest = left;
            Ok::<&[u8], String>(taken)
        };
        if take(8)? != b"QALQCERT" || take(4)? != [2, 0, 0, 0] {
            return Err("no certificate".to_owned());
        }
        let winner = take(1)?[0];
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &b| word << 8 | u64::from(b));
        let root = word(take(8)?);
        let count = word(take(8)?);
        let mut number = || {
            let mut number = 0_u128;
            for index in 0.. {
                let byte = take(1)?[0];
                number |= u128::from(byte % 128) << (7 * index).min(64);
                if byte < 128 {
                    break;
                }
            }
            u64::try_from(number).map_err(|_| "a number is too large".to_owned())
        };
        let mut states = Vec::new();
        let mut state = 0_u64;
        for _ in 0..count {
            state = state.checked_add(number()?).ok_or("a state is too large")?;
            states.push(state);
        }
        let mut columns = [const { Vec::new() }; 3];
        for column in columns.iter_mut().take(if winner == DRAWN { 1 } else { 3 }) {
            for _ in 0..count {
                column.push(number()?);
            }
        }
        if rest.is_empty() {
            Ok(File { winner, root, states, columns })
        } else {
            Err("too long".to_owned())
        }
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = b"QALQCERT\x02\0\0\0".to_vec();
        bytes.push(self.winner);
        bytes.extend(self.root.to_le_bytes());
        bytes.extend((self.states.len() as u64).to_le_bytes());
        let before = std::iter::once(&0).chain(&self.states);
        let differences = self.states.iter().zip(before).map(|(state, before)| state - before);
        for mut number in differences.chain(self.columns.iter().flatten().copied()) {
            while number >= 128 {
                bytes.push((number % 128) as u8 + 128);
                number /= 128;
            }
            bytes.push(number as u8);
        }
        bytes
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The longest game of the strategy.
    pub plies: u64,
    /// The positions in which the winner decides, ignoring the clock.
    pub decisions: usize,
}

pub fn check(packed: &[u8]) -> Result<Checked, String> {
    let file = File::decode(&File::unpack(packed)?)?;
    if file.states.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err("not in order".to_owned());
    }
    let root = position(file.root)?;
    let mut decisions = HashMap::new();
    for (at, &state) in file.states.iter().enumerate() {
        let position = position(state)?;
        let [choice, plies, progress] =
            [0, 1, 2].map(|column| file.columns[column].get(at).copied().unwrap_or_default());
        decisions.insert(position.identity(), Decision { choice, plies, progress });
    }
    if file.winner == DRAWN {
        let met: Result<usize, String> =
            ["w", "b"].iter().map(|side| check_hold(side, &root, &decisions)).sum();
        return Ok(Checked { plies: 0, decisions: met? });
    }
    let winner = *["w", "b"].get(usize::from(file.winner)).ok_or("no such side")?;
    let mut walk = Walk { winner, decisions: &decisions, seen: HashMap::new() };
    let longest = walk.longest(&root, u64::MAX)?;
    let mut met: Vec<&str> = walk.seen.keys().map(|(text, _)| text.as_str()).collect();
    met.sort_unstable();
    met.dedup();
    Ok(Checked { plies: longest.plies, decisions: met.len() })
}

/// Plays out all games in which a side follows its strategy and checks that it never loses. Returns
/// the number of its decisions.
fn check_hold(
    side: &str,
    root: &Slow,
    decisions: &HashMap<Identity, Decision>,
) -> Result<usize, String> {
    let (mut met, mut decided) = (HashSet::new(), 0);
    let mut waiting = vec![root.clone()];
    while let Some(position) = waiting.pop() {
        if !met.insert(position.identity()) {
            continue;
        }
        let text = position.to_fen();
        let mut moves = position.legal_moves();
        if text.split(' ').nth(1) == Some(side) {
            let decision = decisions.get(&position.identity());
            let decision = decision.ok_or_else(|| format!("{text}: left out"))?;
            moves.sort();
            let choice = usize::try_from(decision.choice).ok().and_then(|index| moves.get(index));
            decided += 1;
            moves = vec![choice.ok_or_else(|| format!("{text}: there is no such move"))?.clone()];
        }
        for text in moves {
            waiting.push(position.play(&text)?);
        }
    }
    Ok(decided)
}

/// The position of a state. The slow reader drops impossible forbidden steps and keeps the last man
/// given for a point, so its output is compared.
pub fn position(state: u64) -> Result<Slow, String> {
    let bit = |at: usize| state >> at & 1 != 0;
    if (0..25).any(|point| bit(point) && bit(25 + point)) || state >> 63 != 0 {
        return Err(format!("{state:#x}: no position"));
    }
    let men = |point| match (bit(point), bit(25 + point)) {
        (true, _) => 'M',
        (_, true) => 'm',
        _ => '1',
    };
    let step = |at: u32| {
        let code = (state >> at) as usize & 63;
        if code == 0 {
            return "-".to_owned();
        }
        let from = (code - 1) / 2;
        let to = if code.is_multiple_of(2) { from + 1 } else { from.wrapping_sub(1) };
        format!("{}{}", point_name(from), point_name(to % 64))
    };
    let [white, black] = [step(50), step(56)];
    let text =
        if bit(62) { fen(men, 'b', [&black, &white]) } else { fen(men, 'w', [&white, &black]) };
    let position = Slow::from_fen(&text)?;
    let fields = |text: &str| text.split(' ').skip(1).map(str::to_owned).collect::<Vec<_>>();
    if fields(&position.to_fen()) == fields(&text) {
        Ok(position)
    } else {
        Err(format!("{text}: a forbidden step is not possible"))
    }
}

#[derive(Clone, Copy)]
struct Decision {
    choice: u64,
    plies: u64,
    progress: u64,
}

/// All games that the loser can choose; each position is visited once per clock value.
struct Walk<'a> {
    winner: &'a str,
    decisions: &'a HashMap<Identity, Decision>,
    /// By position and clock, in FEN form.
    seen: HashMap<(String, String), Longest>,
}

/// The most plies for which the loser can hold out.
#[derive(Clone, Copy)]
struct Longest {
    plies: u64,
    /// To the next jump, step forward or end.
    progress: u64,
}

impl Walk<'_> {
    /// From a position with fewer than `limit` plies to go.
    fn longest(&mut self, position: &Slow, limit: u64) -> Result<Longest, String> {
        let text = position.to_fen();
        let fields: Vec<&str> = text.split(' ').collect();
        let is_winner = fields[1] == self.winner;
        match position.end() {
            Some(End::Loss) if is_winner => return Err(format!("{text}: the winner loses")),
            Some(End::Loss) => return Ok(Longest { plies: 0, progress: 0 }),
            Some(End::HundredPlies) => return Err(format!("{text}: drawn by the clock")),
            None => {}
        }
        let mut moves = position.legal_moves();
        if !is_winner {
            let mut longest = Longest { plies: 0, progress: 0 };
            for text in moves {
                self.follow(position, &text, limit.saturating_sub(1), &mut longest)?;
            }
            return Ok(longest);
        }
        let decision = self.decisions.get(&position.identity());
        let decision = *decision.ok_or_else(|| format!("{text}: left out"))?;
        // They decrease, so the walk ends.
        if decision.plies >= limit {
            return Err(format!("{text}: the plies to the end do not fall"));
        }
        let key = (fields[..4].join(" "), fields[4].to_owned());
        if let Some(&longest) = self.seen.get(&key) {
            return Ok(longest);
        }
        moves.sort();
        let choice = usize::try_from(decision.choice).ok().and_then(|index| moves.get(index));
        let choice = choice.ok_or_else(|| format!("{text}: there is no such move"))?;
        let mut longest = Longest { plies: 0, progress: 0 };
        self.follow(position, choice, decision.plies, &mut longest)?;
        if longest.plies > decision.plies || longest.progress > decision.progress {
            return Err(format!("{text}: it can last longer than it should"));
        }
        self.seen.insert(key, longest);
        Ok(longest)
    }

    fn follow(
        &mut self,
        position: &Slow,
        text: &str,
        limit: u64,
        longest: &mut Longest,
    ) -> Result<(), String> {
        let next = position.play(text)?;
        let after = self.longest(&next, limit)?;
        longest.plies = longest.plies.max(after.plies + 1);
        let moved_on = next.to_fen().split(' ').nth(4) == Some("0");
        let progress = if moved_on { 1 } else { after.progress + 1 };
        longest.progress = longest.progress.max(progress);
        Ok(())
    }
}

/// Runs the program's own checker on a file.
pub fn check_first(packed: &[u8]) -> Result<Verified, String> {
    let certificate = Certificate::read(packed).map_err(|error| error.to_string())?;
    verify(&certificate).map_err(|error| error.to_string())
}

pub fn write(certificate: &Certificate) -> Vec<u8> {
    let mut packed = Vec::new();
    certificate.write(&mut packed).expect("memory");
    packed
}

#[test]
fn both_checkers_accept_proofs() {
    let mut longest = 0;
    for seed in 0..effort([1, 10, 100]) {
        for certificate in certificates(seed) {
            let packed = write(&certificate);
            let root = certificate.root.position().expect("a position");
            let second = check(&packed).unwrap_or_else(|error| panic!("{root}: {error}"));
            let first = check_first(&packed).unwrap_or_else(|error| panic!("{root}: {error}"));
            assert_eq!((first.winner, first.root), (certificate.winner, certificate.root));
            assert_eq!(u64::from(first.plies), second.plies, "{root}");
            // It contains no unreachable decisions.
            assert_eq!(certificate.decisions.len(), second.decisions, "{root}");
            assert_eq!(first.decisions, second.decisions, "{root}");
            assert_eq!(Certificate::read(&*packed).expect("a certificate"), certificate);
            // The file is as documented.
            let bytes = File::unpack(&packed).expect("xz");
            let file = File::decode(&bytes).expect("a certificate");
            assert_eq!(file.encode(), bytes);
            let winner = certificate.winner.map_or(DRAWN, |winner| winner.index() as u8);
            assert_eq!((file.winner, file.root), (winner, certificate.root.0));
            assert!(certificate.decisions.iter().map(|it| it.state.0).eq(file.states));
            let plies = certificate.decisions.iter().map(|it| u64::from(it.plies));
            assert!(winner == DRAWN || plies.eq(file.columns[1].iter().copied()));
            longest = longest.max(second.plies);
        }
    }
    assert!(longest > 20, "the longest takes {longest} plies");
}

/// `QIRKAT_CERTIFICATE=FILE cargo test -p qirkat-problem certificate_of -- --ignored --nocapture`
/// runs the second checker on any certificate.
#[test]
#[ignore = "needs a certificate"]
fn certificate_of_a_file_is_valid() {
    let path = std::env::var("QIRKAT_CERTIFICATE").expect("QIRKAT_CERTIFICATE names a file");
    let packed = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let checked = check(&packed).unwrap_or_else(|error| panic!("{path}: {error}"));
    println!("{path}: {} plies at most, {} decisions", checked.plies, checked.decisions);
}
