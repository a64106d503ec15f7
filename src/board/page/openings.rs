//! The opening book, and opening statistics: what was played in a file of games, position by
//! position.
//!
//! The page sends the file, of any size, in chunks. Games are counted one by one on a separate
//! thread ([`OpeningLoader`]), in bounded memory ([`OpeningStatistics`]).

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::io::{BufReader, Cursor, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use crate::page::game_tree::NodeId;
use crate::page::shown::{MoveText, placement_of};
use qirkat_analysis::review::ScoreData;
use qirkat_engine::book::{Book, BookMove, BookResults};
use qirkat_evaluation::WdlModel;
use qirkat_game::score::Score;
use qirkat_game::{Color, Rules};
use qirkat_rules::pgn::{GameResult, PgnError, PgnGame, PgnReader};
use qirkat_rules::variant::{AnyMove, AnyPosition};
use serde::Serialize;

/// What the opening book knows of a position, as the page shows it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct BookShown {
    node: NodeId,
    /// Whether the book is loaded.
    has_book: bool,
    /// Whether the book is still being fetched.
    waits: bool,
    /// White's score; none if the book does not know the position.
    score: Option<ScoreData>,
    /// Best first; none at the end of a line of the book.
    moves: Vec<BookMoveShown>,
}

#[derive(Clone, Debug, Serialize)]
struct BookMoveShown {
    #[serde(flatten)]
    named: MoveText,
    /// White's score.
    #[serde(flatten)]
    score: ScoreData,
    /// White's chances to win, draw and lose, in permille.
    wdl: [u32; 3],
    /// Games won by White, drawn and won by Black.
    results: [u32; 3],
    /// The board after it, the first field of its FEN.
    board: String,
}

impl BookShown {
    pub fn of(node: NodeId, book: Option<&Book>, position: &AnyPosition, waits: bool) -> BookShown {
        let is_white = position.side_to_move() == Color::White;
        let for_white = |score: Score| if is_white { score } else { -score };
        let model = WdlModel::fitted(position.variant());
        let shown = |known: &BookMove| {
            let score = for_white(known.score);
            let BookResults { white_wins, draws, black_wins } = known.results;
            BookMoveShown {
                named: MoveText::of(position, known.mv),
                score: score.into(),
                wdl: model.chances(score).permille(),
                results: [white_wins, draws, black_wins],
                board: placement_of(&position.after(known.mv)),
            }
        };
        let known = book.and_then(|book| book.probe(position));
        BookShown {
            node,
            has_book: book.is_some(),
            waits,
            score: known.as_ref().map(|known| for_white(known.entry.score).into()),
            moves: known.iter().flat_map(|known| &known.moves).map(shown).collect(),
        }
    }
}

const MAX_QUEUED_CHUNKS: usize = 2;

const TOO_FAST: &str = "the file comes faster than it can be counted";

#[derive(Debug)]
pub enum LoadProgress {
    /// All that was received is counted, this many games so far: send the next chunk.
    More(u64),
    Done(Box<OpeningStatistics>),
}

#[derive(Debug)]
pub(crate) struct OpeningLoader {
    chunks: SyncSender<Option<Vec<u8>>>,
}

impl OpeningLoader {
    /// Starts counting a file with this name. `report` is called on the counting thread.
    pub fn start(
        name: String,
        report: impl Fn(LoadProgress) + Send + 'static,
    ) -> io::Result<OpeningLoader> {
        let (chunks, received) = sync_channel(MAX_QUEUED_CHUNKS);
        std::thread::Builder::new()
            .name("openings".to_owned())
            .spawn(move || count(name, received, &report))?;
        Ok(OpeningLoader { chunks })
    }

    /// Queues the next chunk, which may end anywhere.
    pub fn add(&self, text: String, is_last: bool) -> Result<(), &'static str> {
        let chunks = [Some(text.into_bytes()), None];
        let mut chunks = chunks.into_iter().take(1 + usize::from(is_last));
        chunks.try_for_each(|chunk| self.chunks.try_send(chunk)).map_err(|_| TOO_FAST)
    }
}

fn count(name: String, received: Receiver<Option<Vec<u8>>>, report: &dyn Fn(LoadProgress)) {
    let (games, is_whole) = (Cell::new(0), Cell::new(false));
    let chunks = ChunkReader {
        received,
        chunk: Cursor::default(),
        is_whole: &is_whole,
        ask: &|| report(LoadProgress::More(games.get())),
    };
    let mut statistics = OpeningStatistics::new(name);
    for read in PgnReader::new(BufReader::new(chunks)) {
        match read {
            Ok(read) => statistics.add(&read.game),
            Err(PgnError::Game { .. }) => statistics.faults += 1,
            Err(PgnError::Io(_)) => break,
        }
        games.set(statistics.games);
    }
    if is_whole.get() {
        report(LoadProgress::Done(Box::new(statistics)));
    }
}

struct ChunkReader<'a> {
    received: Receiver<Option<Vec<u8>>>,
    chunk: Cursor<Vec<u8>>,
    is_whole: &'a Cell<bool>,
    ask: &'a dyn Fn(),
}

impl Read for ChunkReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.chunk.position() == self.chunk.get_ref().len() as u64 && !self.is_whole.get() {
            (self.ask)();
            match self.received.recv() {
                Ok(Some(chunk)) => self.chunk = Cursor::new(chunk),
                Ok(None) => self.is_whole.set(true),
                Err(_) => return Ok(0),
            }
        }
        self.chunk.read(buffer)
    }
}

/// Plies counted per game at first.
const MAX_PLIES: u8 = 40;
/// The fewest plies counted when memory is short.
const LEAST_PLIES: u8 = 4;
/// The most counts kept: they fill a hash table of 2^20 slots, 34 MB, and half as much again while it grows.
const MAX_MOVES: usize = (1 << 20) / 8 * 7;
const MAX_LISTED: usize = 40;
/// 2^64 divided by the golden ratio: spreads small numbers over all bits (D. Knuth, *The
/// Art of Computer Programming* 3, 6.4).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Games won by White, drawn, won by Black, and unfinished.
type Results = [u32; 4];

fn join(results: &mut Results, more: Results) {
    for (count, more) in results.iter_mut().zip(more) {
        *count = count.saturating_add(more);
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct MoveStatistics {
    pub(crate) text: String,
    pub(crate) san: String,
    pub(crate) games: u32,
    pub(crate) results: Results,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    results: Results,
    ply: u8,
}

/// The moves played from each position and the games' results, by the position's key, so that
/// transpositions count together.
///
/// Memory is bounded: when it is full, fewer plies are counted, equally for all games. That is why
/// each ply has its own counts.
#[derive(Debug)]
pub struct OpeningStatistics {
    pub(crate) name: String,
    pub(crate) games: u64,
    pub(crate) faults: u64,
    pub(crate) plies: u8,
    /// Even the fewest plies did not fit: some positions were left out.
    pub(crate) is_full: bool,
    counts: HashMap<u64, Count>,
    most_moves: usize,
}

impl OpeningStatistics {
    /// Megabytes of the pool that the statistics take.
    pub(crate) const MEGABYTES: usize = 64;

    pub(crate) fn new(name: String) -> OpeningStatistics {
        OpeningStatistics::of_size(name, MAX_MOVES)
    }

    fn of_size(name: String, most_moves: usize) -> OpeningStatistics {
        OpeningStatistics {
            name,
            games: 0,
            faults: 0,
            plies: MAX_PLIES,
            is_full: false,
            counts: HashMap::new(),
            most_moves,
        }
    }

    /// Counts a game. A move made twice from the same position counts once.
    pub(crate) fn add(&mut self, game: &PgnGame) {
        self.games += 1;
        let mut position = game.start;
        let mut seen = Vec::with_capacity(usize::from(self.plies));
        for (ply, played) in (0..MAX_PLIES).zip(&game.moves) {
            if ply >= self.plies {
                break;
            }
            let hash = hash_of(&position, played.mv);
            if !seen.contains(&hash) {
                seen.push(hash);
                self.count(hash, ply, game.result);
            }
            position = position.after(played.mv);
        }
    }

    fn count(&mut self, hash: u64, ply: u8, result: GameResult) {
        let key = at_ply(hash, ply);
        if self.counts.len() >= self.most_moves && !self.counts.contains_key(&key) {
            self.drop_deepest_plies();
            if ply >= self.plies {
                return;
            }
            if self.counts.len() >= self.most_moves {
                self.is_full = true;
                return;
            }
        }
        let results = match result {
            GameResult::WhiteWins => [1, 0, 0, 0],
            GameResult::Draw => [0, 1, 0, 0],
            GameResult::BlackWins => [0, 0, 1, 0],
            GameResult::Unfinished => [0, 0, 0, 1],
        };
        let new = Count { results: Results::default(), ply };
        join(&mut self.counts.entry(key).or_insert(new).results, results);
    }

    /// Counts fewer plies from now on, and drops the others.
    fn drop_deepest_plies(&mut self) {
        while self.counts.len() >= self.most_moves && self.plies > LEAST_PLIES {
            self.plies = (self.plies / 4 * 3).max(LEAST_PLIES);
            let plies = self.plies;
            self.counts.retain(|_, count| count.ply < plies);
        }
    }

    /// The moves played from a position, the most frequent first.
    pub(crate) fn moves_from(&self, position: &AnyPosition) -> Vec<MoveStatistics> {
        let shown = |mv: AnyMove| {
            let hash = hash_of(position, mv);
            let mut results = Results::default();
            for ply in 0..self.plies {
                if let Some(count) = self.counts.get(&at_ply(hash, ply)) {
                    join(&mut results, count.results);
                }
            }
            let games = results.into_iter().fold(0, u32::saturating_add);
            if games == 0 {
                return None;
            }
            let (text, san) = (mv.to_string(), position.san(mv));
            Some(MoveStatistics { text, san, games, results })
        };
        let mut moves: Vec<MoveStatistics> =
            position.legal_moves().into_iter().filter_map(shown).collect();
        moves.sort_by_key(|shown| Reverse(shown.games));
        moves.truncate(MAX_LISTED);
        moves
    }
}

fn hash_of(position: &AnyPosition, mv: AnyMove) -> u64 {
    let mut hasher = DefaultHasher::new();
    (position.variant(), position.key(), mv).hash(&mut hasher);
    hasher.finish()
}

fn at_ply(hash: u64, ply: u8) -> u64 {
    hash ^ (u64::from(ply) + 1).wrapping_mul(GOLDEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    use qirkat_rules::variant::Variant;

    #[test]
    fn a_file_without_end_is_forgotten_and_a_flood_is_refused() {
        let (sender, told) = channel();
        let report = move |progress| drop(sender.send(progress));
        let loader = OpeningLoader::start("games.pgn".to_owned(), report).expect("a thread");
        let mut flood = (0..1_000_000).map(|_| loader.add("1. e4 1-0\n".repeat(1000), false));
        assert!(flood.any(|added| added == Err(TOO_FAST)));
        drop(loader);
        assert!(told.iter().all(|progress| matches!(progress, LoadProgress::More(_))));
    }

    fn counted(text: &str, most_moves: usize) -> OpeningStatistics {
        let mut statistics = OpeningStatistics::of_size("games.pgn".to_owned(), most_moves);
        for read in PgnReader::new(text.as_bytes()) {
            statistics.add(&read.expect("a good game").game);
        }
        statistics
    }

    fn told(statistics: &OpeningStatistics, moves: &str) -> Vec<String> {
        let mut position = Variant::default().start();
        for text in moves.split_whitespace() {
            position = position.after(position.read_move(text).expect(text));
        }
        let line = |told: MoveStatistics| {
            let [white, draws, black, _] = told.results;
            format!("{} {} (+{white} ={draws} -{black})", told.san, told.games)
        };
        let mut lines: Vec<String> =
            statistics.moves_from(&position).into_iter().map(line).collect();
        lines.sort();
        lines
    }

    const GAMES: &str = "1. e4 e6 2. d3 1-0\n\n1. e4 d6 2. d3 0-1\n\n1. d3 e6 2. e4 b7 1/2-1/2\n\n\
                         1. e4 *\n\n[Variant \"Masonic chess\"]\n\n1. e2f4 1-0\n";

    #[test]
    fn games_are_counted_by_position_whatever_led_there() {
        let statistics = counted(GAMES, 1000);
        assert_eq!((statistics.games, statistics.plies), (5, MAX_PLIES));
        assert_eq!(told(&statistics, ""), ["d3 1 (+0 =1 -0)", "e4 3 (+1 =0 -1)"]);
        assert_eq!(told(&statistics, "e4 e6"), ["d3 1 (+1 =0 -0)"]);
        // 1. d3 e6 2. e4 and 1. e4 e6 2. d3 come to the same.
        assert_eq!(told(&statistics, "e4 e6 d3"), ["b7 1 (+0 =1 -0)"]);
        assert!(told(&statistics, "b3").is_empty());
        let masonic = statistics.moves_from(&Variant::Masonic.start());
        assert_eq!(masonic.len(), 1);
    }

    #[test]
    fn a_position_met_again_in_a_game_counts_once() {
        let fen = "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1";
        let round = "a1b1 e9e8 b1a1 e8e9 ".repeat(2);
        let statistics = counted(&format!("[FEN \"{fen}\"]\n\n{round} 1-0"), 1000);
        let start = Variant::default().read_fen(fen).expect("a position").position;
        let moves = statistics.moves_from(&start);
        let [only] = moves.as_slice() else { panic!("{moves:?}") };
        assert_eq!((only.san.as_str(), only.games, only.results[0]), ("Rb1", 1, 1));
    }

    #[test]
    fn where_memory_is_short_fewer_plies_are_counted_but_wholly() {
        let game = |first: &str| format!("{first} f3 h7 h3 g6 1-0\n\n{first} h3 g6 f3 h7 1-0\n\n");
        let games = ["e4 e6", "d3 d7", "b3 b7"].map(game).concat();
        let whole = counted(&games, 1000);
        let small = counted(&games, 20);
        assert!(small.counts.len() <= 20 && small.plies < whole.plies && !small.is_full);
        assert_eq!(told(&small, ""), told(&whole, ""));
        let tiny = counted(&games, 3);
        assert!(tiny.counts.len() <= 3 && tiny.is_full && tiny.plies == LEAST_PLIES);
    }
}
