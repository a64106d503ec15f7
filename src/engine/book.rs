//! Opening books: the positions of a tree of openings, each with its score and the games played in
//! it, in about six bytes a position. `docs/reference/formats.md` describes the file.
//!
//! A book has no moves. Those of a position are found by looking up the positions after them, so
//! that moves which transpose are joined. `qirkat_analysis::book` builds books.

use std::cmp::Reverse;
use std::collections::{HashSet, VecDeque};
use std::sync::LazyLock;

use qirkat_game::byte_reader::{ByteReader, put_number, take_number, unzigzag, zigzag};
use qirkat_game::distance::Ply;
use qirkat_game::score::Score;
use qirkat_game::{Color, GameHistory, GameResult, Key, Outcome, Rules};
use qirkat_rules::variant::{AnyMove, AnyPosition, Variant};
use qirkat_system::format_version::UnsupportedVersion;
use serde::Serialize;
use thiserror::Error;

const MAGIC: [u8; 8] = *b"QIRKBOOK";
const VERSION: u16 = 1;
const CHECKSUM: usize = 4;
/// The fewest bytes of a position: key, score and games.
const LEAST_BYTES: usize = 3;
/// The upper bits of a [`Key`] identify a position. In a book of 100,000 positions, one in ten
/// million others would be mistaken for one of them.
const KEY_BITS: u32 = 40;
/// Moves that lose at most this many centipawns against the best count as book moves, in `bk` and in
/// reviews.
pub const USUAL_LOSS: i32 = 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BookError {
    #[error("not an opening book of Qirkat")]
    Format,
    #[error("an opening book of another version: {}", UnsupportedVersion { found: u32::from(*.0), known: u32::from(VERSION) })]
    Version(u16),
    #[error("damaged: its checksum does not match")]
    Damaged,
    #[error("invalid opening book: {0}")]
    Content(&'static str),
}

/// The results of the games with a position.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct BookResults {
    #[serde(rename = "white")]
    pub white_wins: u32,
    pub draws: u32,
    #[serde(rename = "black")]
    pub black_wins: u32,
}

impl BookResults {
    pub fn games(&self) -> u64 {
        [self.white_wins, self.draws, self.black_wins].map(u64::from).iter().sum()
    }

    /// Counts a game; unfinished ones do not count.
    pub fn add(&mut self, result: GameResult) {
        let count = match result {
            GameResult::WhiteWins => &mut self.white_wins,
            GameResult::Draw => &mut self.draws,
            GameResult::BlackWins => &mut self.black_wins,
            GameResult::Unfinished => return,
        };
        *count = count.saturating_add(1);
    }

    /// The points scored by a side, as a share of all; none without games.
    pub fn share(&self, side: Color) -> Option<f64> {
        let wins = if side == Color::White { self.white_wins } else { self.black_wins };
        let points = f64::from(wins) + f64::from(self.draws) / 2.0;
        (self.games() > 0).then(|| points / self.games() as f64)
    }
}

/// What a book knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookEntry {
    /// The score for the side to move, backed up from the positions that follow.
    pub score: Score,
    /// Whether all moves were scored, so that the positions after them are in the book.
    pub is_expanded: bool,
    pub results: BookResults,
}

/// A position of a book with its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct BookPosition {
    pub entry: BookEntry,
    /// The legal moves, best first, except one whose position lacks an entry because of equal short
    /// keys; none at the end of a line of the book.
    pub moves: Vec<BookMove>,
}

impl BookPosition {
    /// The moves that lose at most this many centipawns against the best.
    pub fn good_moves(&self, loss: i32) -> &[BookMove] {
        let is_good = |it: &BookMove| self.moves[0].score - it.score <= loss;
        &self.moves[..self.moves.partition_point(is_good)]
    }
}

/// A move of a book.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookMove {
    pub mv: AnyMove,
    /// The score for the side that moves.
    pub score: Score,
    /// The results of the games with the position after it.
    pub results: BookResults,
}

/// An opening book of one game.
///
/// ```
/// use qirkat_engine::book::Book;
/// use qirkat_rules::variant::Variant;
///
/// let start = Variant::Chesquerque.start();
/// let book = Book::embedded(Variant::Chesquerque).ok_or("built without a book")?;
/// let known = book.probe(&start).ok_or("not in the book")?;
/// assert_eq!(known.moves.len(), 18);
/// assert_eq!(known.moves[0].score, known.entry.score);
/// assert_eq!(book.line(&start, 4)[0], known.moves[0].mv);
/// // The same, from the bytes of a file.
/// assert_eq!(Book::read(&book.to_bytes()).as_ref(), Ok(book));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Book {
    variant: Variant,
    origin: String,
    /// Sorted by key.
    entries: Vec<(u64, BookEntry)>,
}

const fn short_key(key: Key) -> u64 {
    key.0 >> (u64::BITS - KEY_BITS)
}

/// The score of a position for the side to move, one ply before a position with this score.
pub fn score_before(score: Score) -> Score {
    -Score::from_tt(score.to_bits(), Ply(1))
}

/// The reverse of [`score_before`].
pub fn score_after(score: Score) -> Score {
    Score::from_bits(-score.to_tt(Ply(1)))
}

/// The score of a position that has ended by the rules, if it has; repetitions do not count.
pub fn ended_score(position: &AnyPosition) -> Option<Score> {
    position.outcome(&GameHistory::new()).map(|outcome| match outcome {
        Outcome::Draw(_) => Score::DRAW,
        // Only the side to move can have lost.
        _ => Score::mated_at(Ply::ROOT),
    })
}

impl Book {
    /// A book of these positions; `origin` says in a few words how they were scored. Should two
    /// have the same shortened key, both are left out.
    pub fn new(
        variant: Variant,
        origin: impl Into<String>,
        entries: impl IntoIterator<Item = (Key, BookEntry)>,
    ) -> Book {
        let entries = entries.into_iter().map(|(key, entry)| (short_key(key), entry));
        let mut entries: Vec<_> = entries.collect();
        entries.sort_by_key(|&(key, _)| key);
        let runs = entries.chunk_by(|(key, _), (next, _)| key == next);
        let entries = runs.filter(|run| run.len() == 1).flatten().copied().collect();
        Book { variant, origin: origin.into(), entries }
    }

    /// The book of a game that is built into the program; none if it is invalid, which is logged.
    pub fn embedded(variant: Variant) -> Option<&'static Book> {
        macro_rules! book {
            ($game:literal) => {
                LazyLock::new(|| {
                    let bytes =
                        include_bytes!(concat!(env!("QIRKAT_CONFIG"), "/books/", $game, ".book"));
                    let read = Book::read(bytes);
                    read.inspect_err(|error| log::error!("the embedded book: {error}")).ok()
                })
            };
        }
        static BOOKS: [LazyLock<Option<Book>>; 3] =
            [book!("chesquerque"), book!("masonic"), book!("alquerque")];
        BOOKS[variant as usize].as_ref()
    }

    /// Reads a book from the bytes of its file.
    ///
    /// # Errors
    /// When they are not a book, or damaged.
    pub fn read(bytes: &[u8]) -> Result<Book, BookError> {
        const BREAKS_OFF: BookError = BookError::Content("it breaks off");
        let mut reader = ByteReader(bytes);
        if reader.take() != MAGIC {
            return Err(BookError::Format);
        }
        if reader.0.len() < size_of::<u16>() + CHECKSUM {
            return Err(BookError::Damaged);
        }
        let version = reader.u16();
        if version != VERSION {
            return Err(BookError::Version(version));
        }
        let (content, check) = bytes.split_at(bytes.len() - CHECKSUM);
        if crc32fast::hash(content).to_le_bytes() != check {
            return Err(BookError::Damaged);
        }
        let mut content = &reader.0[..reader.0.len() - CHECKSUM];
        let mut text = || {
            let length = take_number(&mut content)?;
            let text = str::from_utf8(content.split_off(..length)?).ok()?;
            (!text.contains(char::is_control)).then(|| text.to_owned())
        };
        let (game, origin) = text().zip(text()).ok_or(BookError::Content("no game and origin"))?;
        let variant = game.parse().map_err(|_| BookError::Content("of an unknown game"))?;
        let count: usize = take_number(&mut content).ok_or(BREAKS_OFF)?;
        if count > content.len() / LEAST_BYTES {
            return Err(BREAKS_OFF);
        }
        let mut entries = Vec::with_capacity(count);
        let mut next_key = 0;
        for _ in 0..count {
            let (key, entry) = read_entry(&mut content, next_key).ok_or(BREAKS_OFF)?;
            if key >> KEY_BITS != 0 {
                return Err(BookError::Content("a key is out of range"));
            }
            entries.push((key, entry));
            next_key = key + 1;
        }
        if !content.is_empty() {
            return Err(BookError::Content("bytes follow its end"));
        }
        Ok(Book { variant, origin, entries })
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &VERSION.to_le_bytes()].concat();
        for text in [self.variant.name(), &self.origin] {
            put_number(&mut bytes, text.len() as u64);
            bytes.extend(text.as_bytes());
        }
        put_number(&mut bytes, self.entries.len() as u64);
        let mut next_key = 0;
        for &(key, BookEntry { score, is_expanded, results }) in &self.entries {
            put_number(&mut bytes, key - next_key);
            put_number(&mut bytes, zigzag(score.value()));
            put_number(&mut bytes, results.games() << 1 | u64::from(is_expanded));
            if results.games() > 0 {
                put_number(&mut bytes, results.white_wins);
                put_number(&mut bytes, results.draws);
            }
            next_key = key + 1;
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// How its positions were scored, in a few words.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The number of its positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What it knows about a position, if that is in the book.
    pub fn entry(&self, position: &AnyPosition) -> Option<&BookEntry> {
        let key = short_key(position.key());
        let at = self.entries.binary_search_by_key(&key, |&(key, _)| key).ok()?;
        (position.variant() == self.variant).then(|| &self.entries[at].1)
    }

    /// A position with its moves, if it is in the book.
    pub fn probe(&self, position: &AnyPosition) -> Option<BookPosition> {
        let entry = *self.entry(position)?;
        let legal = if entry.is_expanded { position.legal_moves() } else { Vec::new() };
        let mut moves: Vec<_> =
            legal.into_iter().filter_map(|mv| self.book_move(position, mv)).collect();
        // Stable, so that equal moves keep the order of the move generator.
        moves.sort_by_key(|known| Reverse(known.score));
        Some(BookPosition { entry, moves })
    }

    fn book_move(&self, position: &AnyPosition, mv: AnyMove) -> Option<BookMove> {
        let after = position.after(mv);
        if let Some(score) = ended_score(&after) {
            let results = BookResults::default();
            return Some(BookMove { mv, score: score_before(score), results });
        }
        let &BookEntry { score, results, .. } = self.entry(&after)?;
        Some(BookMove { mv, score: score_before(score), results })
    }

    /// The best moves from a position, at most this many. It ends with the book, and before a
    /// position repeats.
    pub fn line(&self, position: &AnyPosition, most: usize) -> Vec<AnyMove> {
        let (mut position, mut line) = (*position, Vec::new());
        let mut seen = HashSet::from([position.key()]);
        while line.len() < most
            && let Some(best) = self.probe(&position).and_then(|known| known.moves.first().copied())
        {
            position.make(best.mv);
            if !seen.insert(position.key()) {
                break;
            }
            line.push(best.mv);
        }
        line
    }

    /// The same, beginning with this legal move.
    pub fn line_from(&self, position: &AnyPosition, mv: AnyMove, most: usize) -> Vec<AnyMove> {
        let mut line = vec![mv];
        line.extend(self.line(&position.after(mv), most.saturating_sub(1)));
        line
    }

    /// The positions of the book that its moves lead to from this one, each once by a shortest way,
    /// with the number of plies; the nearest come first.
    pub fn reachable(
        &self,
        from: &AnyPosition,
    ) -> impl Iterator<Item = (AnyPosition, BookPosition, usize)> {
        let mut seen = HashSet::from([from.key()]);
        let mut queue = VecDeque::from([(*from, 0)]);
        std::iter::from_fn(move || {
            loop {
                let (position, plies) = queue.pop_front()?;
                let Some(known) = self.probe(&position) else { continue };
                for book_move in &known.moves {
                    let after = position.after(book_move.mv);
                    if seen.insert(after.key()) {
                        queue.push_back((after, plies + 1));
                    }
                }
                return Some((position, known, plies));
            }
        })
    }
}

/// Reads a position whose key is at least `next_key`.
fn read_entry(content: &mut &[u8], next_key: u64) -> Option<(u64, BookEntry)> {
    let key = next_key.checked_add(take_number(content)?)?;
    let score = Score::from_bits(i16::try_from(unzigzag(take_number(content)?)).ok()?);
    let packed: u64 = take_number(content)?;
    let mut results = BookResults::default();
    if packed >> 1 > 0 {
        (results.white_wins, results.draws) = (take_number(content)?, take_number(content)?);
        results.black_wins = u32::try_from((packed >> 1).checked_sub(results.games())?).ok()?;
    }
    Some((key, BookEntry { score, is_expanded: packed & 1 == 1, results }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use qirkat_game::splitmix::splitmix64;

    use super::*;

    /// The moves of the start with these scores, and no more.
    fn book(variant: Variant, scores: &[i32]) -> Book {
        let start = variant.start();
        let entry = |is_expanded, score| {
            let results = BookResults { white_wins: 3, draws: 200, black_wins: 0 };
            BookEntry { score: Score::centipawns(score), is_expanded, results }
        };
        let after = |(&score, mv): (&i32, _)| (start.after(mv).key(), entry(false, -score));
        let best = scores.iter().copied().max().unwrap_or_default();
        let moves = scores.iter().zip(start.legal_moves()).map(after);
        Book::new(variant, "by hand", moves.chain([(start.key(), entry(true, best))]))
    }

    #[test]
    fn moves_are_those_that_lead_to_positions_of_the_book() {
        for variant in Variant::ALL {
            let (book, start) = (book(variant, &[-20, 35, 7]), variant.start());
            let known = book.probe(&start).expect("the start");
            let legal = start.legal_moves();
            let found: Vec<_> = known.moves.iter().map(|it| (it.mv, it.score.value())).collect();
            assert_eq!(found, [(legal[1], 35), (legal[2], 7), (legal[0], -20)]);
            assert_eq!(known.moves[0].results.games(), 203);
            let good = |loss| known.good_moves(loss).len();
            assert_eq!([0, 27, 28, 54, 55, i32::MAX].map(good), [1, 1, 2, 2, 3, 3]);
            assert_eq!(book.line_from(&start, legal[0], 9), [legal[0]]);
            assert_eq!(book.line(&start, 9), [legal[1]]);
            assert_eq!(book.reachable(&start).count(), 4);
            let end = book.probe(&start.after(legal[0])).expect("known");
            assert_eq!((&end.moves[..], end.good_moves(9)), (&[][..], &[][..]));
            assert_eq!(book.probe(&start.after(legal[3])), None);
        }
        assert_eq!(book(Variant::Masonic, &[1]).probe(&Variant::Alquerque.start()), None);
    }

    /// Scores are backed up, so that of a position is that of its best move.
    #[test]
    fn scores_of_the_embedded_books_are_those_of_the_best_moves() {
        for book in Variant::ALL.into_iter().filter_map(Book::embedded) {
            for (position, known, _) in book.reachable(&book.variant().start()) {
                let best = known.moves.first().map_or(known.entry.score, |best| best.score);
                assert_eq!(known.entry.score, best, "{position}");
            }
        }
    }

    /// Books store keys, so keys must never change.
    #[test]
    fn keys_are_stable() {
        for (variant, moves, key) in [
            (Variant::Chesquerque, "", "a19b31b92525c191"),
            (Variant::Chesquerque, "e2e4 e8e6", "fe00cdce41bc43c4"),
            (Variant::Masonic, "", "e0d4be029ae82d9b"),
            (Variant::Alquerque, "", "2f10774f83c66b8a"),
        ] {
            let mut position = variant.start();
            for text in moves.split_whitespace() {
                position.make(position.read_move(text).expect(text));
            }
            assert_eq!(format!("{:x}", position.key().0), key, "{variant} {moves}");
        }
    }

    #[test]
    fn damage_is_found() {
        let bytes = book(Variant::Chesquerque, &[-200, 35, 7]).to_bytes();
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            for damaged in [&flipped, &bytes[..at]] {
                let error = Book::read(damaged).expect_err("damaged").to_string();
                assert_eq!(error.lines().count(), 1, "{error}");
            }
        }
    }

    /// Like a file damaged on purpose: its checksum matches.
    fn with_checksum(mut content: Vec<u8>) -> Vec<u8> {
        content.extend(crc32fast::hash(&content).to_le_bytes());
        content
    }

    proptest! {
        #[test]
        fn books_survive_a_round_trip(seed: u64, count in 0..300_usize) {
            let mut state = seed;
            let mut next = || splitmix64(&mut state);
            let entries: Vec<_> = (0..count).map(|_| {
                let [white_wins, draws, black_wins] = [(); 3].map(|()| match next() {
                    random if random % 3 == 0 => random as u32,
                    random => (random % 2) as u32,
                });
                let results = BookResults { white_wins, draws, black_wins };
                let (score, is_expanded) = (Score::from_bits(next() as i16), next() % 2 == 0);
                (Key(next()), BookEntry { score, is_expanded, results })
            }).collect();
            let book = Book::new(Variant::Masonic, "at random", entries);
            let bytes = book.to_bytes();
            prop_assert_eq!(Book::read(&bytes), Ok(book));
            // Damage that a checksum cannot reveal.
            let mut content = bytes[..bytes.len() - CHECKSUM].to_vec();
            for _ in 0..20 {
                let at = next() as usize % content.len();
                content[at] = next() as u8;
                let _ = Book::read(&with_checksum(content.clone()));
                let _ = Book::read(&with_checksum(content[..at].to_vec()));
            }
        }
    }
}
