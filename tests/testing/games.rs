//! Games according to the reference generator, and random numbers.

use qirkat_game::splitmix::splitmix64;

use crate::reference::{RefMove, RefPosition};

pub const START: &str = "rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1";

/// A complex middlegame.
pub const MIDDLE: &str =
    "r3k3r/pp2b1ppp/2n1q1a2/2pp1p3/4P1N2/2PB1P3/1P1Q1AP1P/P2N5/R3K3R w KQkq - 0 1";

/// Black's king has one legal move.
pub const ONLY_MOVE: &str = "9/5Q3/7k1/9/9/5K3/9/9/9 b - - 0 60";
/// 342 legal moves: more than fit in a byte.
pub const CROWDED: &str =
    "1A1A1AAQQ/P1A1A1A2/1A1A1A2A/A1A1A1A2/1A1A1A2Q/A1A1A1A2/1A1A1A2A/K1A1A4/Q2AAAA1k w - - 0 60";

/// The state of the game for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    Open,
    Mated,
    Drawn,
}

/// A starting position and the moves since, all checked to be legal.
pub struct Game {
    setup: String,
    moves: Vec<String>,
    positions: Vec<RefPosition>,
}

impl Game {
    pub fn start() -> Game {
        Game { setup: "startpos".to_owned(), ..Game::from_fen(START) }
    }

    pub fn from_fen(fen: &str) -> Game {
        let position = RefPosition::from_fen(fen);
        Game {
            setup: format!("fen {fen}"),
            moves: Vec::new(),
            positions: vec![position.unwrap_or_else(|| panic!("the suite holds a bad FEN: {fen}"))],
        }
    }

    /// The game after more moves, separated by blanks.
    pub fn moves(mut self, moves: &str) -> Game {
        for text in moves.split_whitespace() {
            self.play(text);
        }
        self
    }

    pub fn play(&mut self, text: &str) {
        let Some(found) = find(self.current(), text) else {
            panic!("{text} is not legal in {}", self.fen());
        };
        let next = self.current().play(found);
        self.positions.push(next);
        self.moves.push(text.to_owned());
    }

    /// Plays up to `plies` random moves that do not end the game by mate or stalemate.
    pub fn wander(mut self, random: &mut Random, plies: usize) -> Game {
        for _ in 0..plies {
            let mut legal = self.current().legal_moves();
            random.shuffle(&mut legal);
            let next = legal.into_iter().find_map(|candidate| {
                let after = self.current().play(candidate);
                (!after.legal_moves().is_empty()).then_some((candidate, after))
            });
            let Some((chosen, after)) = next else { break };
            self.moves.push(chosen.to_string());
            self.positions.push(after);
        }
        self
    }

    /// The game as a `position` line.
    pub fn command(&self) -> String {
        if self.moves.is_empty() {
            format!("position {}", self.setup)
        } else {
            format!("position {} moves {}", self.setup, self.moves.join(" "))
        }
    }

    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    pub fn current(&self) -> &RefPosition {
        self.positions.last().expect("a game has a start")
    }

    pub fn fen(&self) -> String {
        self.current().to_fen()
    }

    pub fn legal(&self) -> Vec<String> {
        texts(self.current())
    }

    pub fn standing(&self) -> Standing {
        self.standing_after(&[])
    }

    /// The state after more moves, where `line` holds the positions after each.
    pub fn standing_after(&self, line: &[&RefPosition]) -> Standing {
        let last = line.last().copied().unwrap_or(self.current());
        if last.legal_moves().is_empty() {
            return if last.in_check() { Standing::Mated } else { Standing::Drawn };
        }
        let fen = last.to_fen();
        let repeated = self.positions.iter().chain(line.iter().copied());
        let repeated =
            repeated.filter(|position| repetition_key(&position.to_fen()) == repetition_key(&fen));
        if field(&fen, 4).parse::<u32>().expect("a clock") >= 100
            || dead(&fen)
            || repeated.count() >= 3
        {
            Standing::Drawn
        } else {
            Standing::Open
        }
    }
}

/// The position with colours swapped and ranks mirrored.
pub fn mirrored(fen: &str) -> String {
    let swap = |text: &str| -> String {
        let swapped = text.chars().map(|letter| {
            if letter.is_ascii_uppercase() {
                letter.to_ascii_lowercase()
            } else {
                letter.to_ascii_uppercase()
            }
        });
        swapped.collect()
    };
    let board: Vec<&str> = field(fen, 0).split('/').rev().collect();
    let side = if field(fen, 1) == "w" { "b" } else { "w" };
    let rights = swap(field(fen, 2));
    let (upper, lower): (Vec<char>, Vec<char>) = rights.chars().partition(char::is_ascii_uppercase);
    let rights: String = upper.into_iter().chain(lower).collect();
    let passed: String = match field(fen, 3) {
        "-" => "-".to_owned(),
        point => {
            let rank = point[1..].parse::<u32>().expect("a rank");
            format!("{}{}", &point[..1], 10 - rank)
        }
    };
    let (board, clock, number) = (swap(&board.join("/")), field(fen, 4), field(fen, 5));
    format!("{board} {side} {rights} {passed} {clock} {number}")
}

/// Positions and their mirror images.
pub fn both(fens: &[&str]) -> Vec<String> {
    fens.iter().flat_map(|fen| [(*fen).to_owned(), mirrored(fen)]).collect()
}

/// The moves with ranks mirrored, as [`mirrored`] does for a position.
pub fn turned(moves: &str) -> String {
    let turn = |letter: char| match letter.to_digit(10) {
        Some(rank) => char::from_digit(10 - rank, 10).expect("a rank"),
        None => letter,
    };
    moves.chars().map(turn).collect()
}

/// One of a FEN's six fields, counted from 0.
pub fn field(fen: &str, index: usize) -> &str {
    let found = fen.split_whitespace().nth(index);
    found.unwrap_or_else(|| panic!("{fen} has no field {index}"))
}

/// A FEN with another halfmove clock.
pub fn with_halfmove(fen: &str, clock: u32) -> String {
    let fields: Vec<&str> = fen.split_whitespace().take(4).collect();
    format!("{} {clock} 90", fields.join(" "))
}

pub fn find(position: &RefPosition, text: &str) -> Option<RefMove> {
    let mut legal = position.legal_moves().into_iter();
    legal.find(|candidate| candidate.to_string() == text)
}

/// The legal moves as text, sorted.
pub fn texts(position: &RefPosition) -> Vec<String> {
    let mut texts: Vec<String> = position.legal_moves().iter().map(RefMove::to_string).collect();
    texts.sort();
    texts
}

fn repetition_key(fen: &str) -> Vec<&str> {
    fen.split_whitespace().take(4).collect()
}

/// Whether mate is impossible: bare kings, each with one knight at most.
fn dead(fen: &str) -> bool {
    let mut pieces: Vec<char> = field(fen, 0).chars().filter(char::is_ascii_alphabetic).collect();
    pieces.retain(|piece| !matches!(piece, 'k' | 'K'));
    pieces.sort_unstable();
    matches!(pieces[..], [] | ['N'] | ['n'] | ['N', 'n'])
}

/// Reproducible random numbers (SplitMix64): the same seed gives the same test every time.
pub struct Random(u64);

impl Random {
    pub fn seeded(seed: u64) -> Random {
        Random(seed)
    }

    pub fn number(&mut self) -> u64 {
        splitmix64(&mut self.0)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        assert!(end > 0, "no number is below 0");
        (self.number() % end as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}
