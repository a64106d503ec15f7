//! The format of training data files: file header, blocks with checksums, and the games in them
//! with the score of each move, in about four bytes per position.

use qirkat_arena::statistics::GameScore;
use qirkat_arena::{FinishedGame, ReportedScore};
use qirkat_evaluation::network::EVAL_SCALE;
use qirkat_evaluation::sigmoid;
use qirkat_game::byte_reader::{ByteReader, put_number, take_number, unzigzag, zigzag};
use qirkat_game::{Board, GameResult, PackedMove};
use qirkat_rules::match_variant;
use qirkat_rules::variant::{AnyPosition, Variant, VariantGame};
use qirkat_system::format_version::UnsupportedVersion;

use crate::dataset::DatasetError;
use crate::dataset::packed_position::PackedPosition;

pub(super) const MAGIC: [u8; 8] = *b"QIRKDATA";
pub(super) const FILE_HEADER: usize = 16;
pub(super) const BLOCK_HEADER: usize = 24;
/// The largest block; a larger number means damage. Games expand to positions of twelve times their
/// size, which must fit into memory.
pub(crate) const MAX_BLOCK_BYTES: u32 = 1 << 25;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Complete games with the scores of their moves, as written by `datagen`.
    Games,
    /// Positions in any order, for training.
    Positions,
}

impl Form {
    pub(super) const ALL: [Form; 2] = [Form::Games, Form::Positions];

    const fn version(self) -> u16 {
        match self {
            Form::Positions => 1,
            Form::Games => 2,
        }
    }

    /// The size in bytes of the unit in which block headers count.
    const fn unit(self) -> usize {
        match self {
            Form::Games => 1,
            Form::Positions => PackedPosition::SIZE,
        }
    }
}

/// Games or positions written together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    pub form: Form,
    pub(super) content: Vec<u8>,
    pub games: u32,
    /// One more than the highest game number.
    pub next_game: u64,
}

impl Block {
    pub fn of_positions(positions: &[PackedPosition], games: u32, next_game: u64) -> Block {
        let content = positions.iter().flat_map(|packed| packed.0).collect();
        Block { form: Form::Positions, content, games, next_game }
    }

    /// An empty block, for [`Block::add_game`].
    pub(super) fn of_games() -> Block {
        // The number of the games' positions comes first.
        let content = vec![0; COUNT_BYTES];
        Block { form: Form::Games, content, games: 0, next_game: 0 }
    }

    /// Adds a game with this number if it has quiet positions; returns their number.
    pub(super) fn add_game(&mut self, game: &FinishedGame, number: u64) -> usize {
        let positions = pack_game(game, &mut self.content);
        let count = (self.count() + positions as u64) as u32;
        self.content[..COUNT_BYTES].copy_from_slice(&count.to_le_bytes());
        self.games += u32::from(positions > 0);
        self.next_game = self.next_game.max(number + 1);
        positions
    }

    pub(crate) fn bytes(&self) -> usize {
        self.content.len()
    }

    /// Number of positions; for games, of quiet ones.
    pub fn count(&self) -> u64 {
        match self.form {
            Form::Positions => (self.content.len() / PackedPosition::SIZE) as u64,
            Form::Games => {
                self.content.first_chunk().map_or(0, |&count| u32::from_le_bytes(count).into())
            }
        }
    }

    /// Its positions. Those of games are derived from the moves, and only quiet ones are returned,
    /// because others do not help training.
    ///
    /// # Errors
    /// [`DatasetError::Game`] when a move of a game is not legal.
    pub fn positions(&self, variant: Variant) -> Result<Vec<PackedPosition>, DatasetError> {
        self.positions_with_lambda_returns(variant, 0.0)
    }

    /// The same with λ-returns as the scores of games: see
    /// [`TrainingData::read`](crate::TrainingData::read).
    pub(crate) fn positions_with_lambda_returns(
        &self,
        variant: Variant,
        td_lambda: f64,
    ) -> Result<Vec<PackedPosition>, DatasetError> {
        match self.form {
            Form::Positions => {
                let (positions, _) = self.content.as_chunks::<{ PackedPosition::SIZE }>();
                Ok(positions.iter().copied().map(PackedPosition).collect())
            }
            Form::Games => {
                let games = self.content.get(COUNT_BYTES..).unwrap_or_default();
                quiet_positions(games, variant, td_lambda).ok_or(DatasetError::Game)
            }
        }
    }

    pub(super) fn header(&self) -> Vec<u8> {
        let mut header = ((self.content.len() / self.form.unit()) as u32).to_le_bytes().to_vec();
        header.extend(crc32fast::hash(&self.content).to_le_bytes());
        header.extend(self.next_game.to_le_bytes());
        header.extend(self.games.to_le_bytes());
        header.extend(crc32fast::hash(&header).to_le_bytes());
        header
    }
}

/// Size of the number of positions at the start of a block of games.
const COUNT_BYTES: usize = 4;

pub(super) struct BlockHeader {
    pub bytes: usize,
    /// CRC-32 of the content.
    pub checksum: u32,
    pub next_game: u64,
    pub games: u32,
}

impl BlockHeader {
    #[inline]
    pub fn read(bytes: &[u8; BLOCK_HEADER], form: Form) -> Option<BlockHeader> {
        let mut reader = ByteReader(bytes);
        let header = BlockHeader {
            bytes: (reader.u32() as usize).saturating_mul(form.unit()),
            checksum: reader.u32(),
            next_game: u64::from_le_bytes(reader.take()),
            games: reader.u32(),
        };
        let is_sound = header.bytes <= MAX_BLOCK_BYTES as usize
            && reader.u32() == crc32fast::hash(&bytes[..20]);
        is_sound.then_some(header)
    }
}

const VARIANT_AT: usize = 12;

/// The byte of a variant in the header. These bytes differ in more than one bit, so that one
/// flipped bit cannot turn one into another.
const fn variant_byte(variant: Variant) -> u8 {
    match variant {
        Variant::Chesquerque => 0,
        Variant::Masonic => b'M',
        Variant::Alquerque => b'A',
    }
}

pub(super) fn file_header(variant: Variant, form: Form) -> [u8; FILE_HEADER] {
    let mut header = [0; FILE_HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..10].copy_from_slice(&form.version().to_le_bytes());
    header[10..VARIANT_AT].copy_from_slice(&(form.unit() as u16).to_le_bytes());
    header[VARIANT_AT] = variant_byte(variant);
    header
}

pub(super) fn read_header(header: &[u8; FILE_HEADER]) -> Result<(Variant, Form), DatasetError> {
    if !header.starts_with(&MAGIC) {
        return Err(DatasetError::Format);
    }
    let found = u16::from_le_bytes([header[8], header[9]]);
    let Some(form) = Form::ALL.into_iter().find(|form| form.version() == found) else {
        let (found, known) = (found.into(), Form::Games.version().into());
        return Err(DatasetError::Version(UnsupportedVersion { found, known }));
    };
    let variant = Variant::ALL.into_iter().find(|&variant| file_header(variant, form) == *header);
    variant.map(|variant| (variant, form)).ok_or(DatasetError::Format)
}

/// Scores of at least this count as decided; such positions are left out.
const DECIDED: i32 = 2_000;
/// Centipawns of a mate; each move to mate subtracts one.
const MATE: i32 = 30_000;
const MAX_PLIES: usize = 1 << 14;

pub(super) const RESULTS: [GameResult; 3] =
    [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord<G: VariantGame> {
    pub start: G,
    /// Each move with its score in centipawns for the side to move; `None` if it was not searched.
    pub moves: Vec<(G::Move, Option<i16>)>,
    pub result: GameResult,
}

impl<G: VariantGame + Board> GameRecord<G> {
    pub fn of(game: &FinishedGame) -> Option<GameRecord<G>> {
        let start = *G::own_position(&game.start)?;
        let moves = game.moves.iter().map(|played| {
            let score = played.score().map(|score| match score {
                ReportedScore::Centipawns(score) => score.clamp(1 - MATE, MATE - 1) as i16,
                ReportedScore::Mate(moves) if moves > 0 => (MATE - moves.min(MATE)) as i16,
                ReportedScore::Mate(moves) => (-MATE - moves.max(-MATE)) as i16,
            });
            Some((G::own_move(played.mv)?, score))
        });
        let moves = moves.collect::<Option<Vec<_>>>()?;
        let is_kept = RESULTS.contains(&game.result) && moves.len() <= MAX_PLIES;
        is_kept.then_some(GameRecord { start, moves, result: game.result })
    }

    /// Appends its bytes, as in `docs/reference/data-format.md`. Two jumps of Alquerque can have the
    /// same packed move: a game is cut off before such a move.
    pub(super) fn pack(&self, bytes: &mut Vec<u8>) {
        let mut moves = Vec::new();
        let (mut plies, mut last) = (0, 0);
        let mut position = self.start;
        for &(mv, score) in &self.moves {
            let packed = position.pack(mv);
            if position.unpack(packed) != Some(mv) {
                break;
            }
            moves.extend(packed.0.to_le_bytes());
            // Zero means no score. Other scores differ little from the previous one, negated.
            let number = score.map_or(0, |score| zigzag(i32::from(score) + last) + 1);
            put_number(&mut moves, number);
            last = score.map_or(0, i32::from);
            plies += 1;
            position.make(mv);
        }
        let index = RESULTS.iter().position(|&result| result == self.result).unwrap_or(1);
        put_number(bytes, plies << 2 | index as u32);
        let fen = if self.start == G::start() {
            String::new()
        } else {
            Into::<AnyPosition>::into(self.start).fen()
        };
        put_number(bytes, fen.len() as u32);
        bytes.extend(fen.as_bytes());
        bytes.extend(moves);
    }

    /// Reads a record from the front of `bytes`; `None` if it is damaged or has an illegal move.
    pub(super) fn unpack(bytes: &mut &[u8]) -> Option<GameRecord<G>> {
        let head: u32 = take_number(bytes)?;
        let (plies, result) = ((head >> 2) as usize, *RESULTS.get((head & 3) as usize)?);
        let length: usize = take_number(bytes)?;
        let fen = std::str::from_utf8(bytes.split_off(..length)?).ok()?;
        let start = if fen.is_empty() { G::start() } else { G::from_exact_fen(fen)? };
        let (mut position, mut last) = (start, 0);
        let mut moves = Vec::with_capacity(plies.min(MAX_PLIES));
        for _ in 0..plies {
            let packed = bytes.split_off(..2)?;
            let mv = position.unpack(PackedMove(u16::from_le_bytes([packed[0], packed[1]])))?;
            if !position.is_legal(mv) {
                return None;
            }
            let score = match take_number(bytes)? {
                0 => None,
                number => Some(i16::try_from(unzigzag(number - 1).checked_sub(last)?).ok()?),
            };
            last = score.map_or(0, i32::from);
            moves.push((mv, score));
            position.make(mv);
        }
        Some(GameRecord { start, moves, result })
    }

    /// This record with λ-returns as scores: each is the mean of the score and the negated next
    /// return, as win probabilities, with weight `td_lambda` for the latter. The next return of the
    /// last move is the result of the game. Such targets look further ahead than the search and have
    /// less random error (R. Sutton, "Learning to predict by the methods of temporal differences",
    /// 1988). Decided scores, whose positions are dropped, do not change.
    fn with_lambda_returns(mut self, td_lambda: f64) -> GameRecord<G> {
        if td_lambda == 0.0 {
            return self;
        }
        let scale = f64::from(EVAL_SCALE);
        let most = f64::from(DECIDED - 1);
        let first = self.start.side_to_move();
        let last = if self.moves.len().is_multiple_of(2) { first } else { !first };
        let mut probability = GameScore::of(self.result, last).map_or(0.5, GameScore::points);
        for score in self.moves.iter_mut().rev().map(|(_, score)| score) {
            probability = 1.0 - probability;
            let Some(score) = score else { continue };
            let own = sigmoid(f64::from(*score) / scale);
            probability = own + td_lambda * (probability - own);
            if i32::from(*score).abs() < DECIDED {
                let returned = scale * (probability / (1.0 - probability)).ln();
                *score = returned.clamp(-most, most).round() as i16;
            }
        }
        self
    }

    /// Its quiet positions: searched, with no check or capture to respond to, a best move that is
    /// neither a capture nor a promotion, and a score that is not decided.
    pub fn quiet_positions(&self) -> Vec<PackedPosition> {
        let mut position = self.start;
        let mut positions = Vec::new();
        for (ply, &(mv, score)) in self.moves.iter().enumerate() {
            if let Some(score) = score
                && i32::from(score).abs() < DECIDED
                && !position.must_respond()
                && !position.is_noisy(mv)
            {
                let ply = ply.min(usize::from(u16::MAX)) as u16;
                positions.extend(PackedPosition::pack(&position, score, ply, self.result));
            }
            position.make(mv);
        }
        positions
    }
}

/// Appends a finished game if it has quiet positions; returns their number.
fn pack_game(game: &FinishedGame, bytes: &mut Vec<u8>) -> usize {
    match_variant!(game.start.variant(), Own => {
        let Some(record) = GameRecord::<Own>::of(game) else { return 0 };
        let start = bytes.len();
        record.pack(bytes);
        // What is read of it may be less: see `GameRecord::pack`.
        let read = GameRecord::<Own>::unpack(&mut &bytes[start..]);
        let positions = read.map_or(0, |it| it.quiet_positions().len());
        if positions == 0 {
            bytes.truncate(start);
        }
        positions
    })
}

/// The quiet positions of consecutive records, with λ-returns as scores; `None` if one is invalid.
fn quiet_positions(bytes: &[u8], variant: Variant, td_lambda: f64) -> Option<Vec<PackedPosition>> {
    match_variant!(variant, Own => {
        let (mut bytes, mut positions) = (bytes, Vec::new());
        while !bytes.is_empty() {
            let record = GameRecord::<Own>::unpack(&mut bytes)?.with_lambda_returns(td_lambda);
            positions.extend(record.quiet_positions());
        }
        Some(positions)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use qirkat_arena::Termination;
    use qirkat_game::Rules;
    use qirkat_rules::{alquerque, chesquerque, masonic};
    use qirkat_testing::effort;

    use super::*;

    fn by_chance<G: VariantGame + Board>(seed: u64, start: G) -> GameRecord<G> {
        let mut rng = StdRng::seed_from_u64(seed);
        let (mut position, mut moves) = (start, Vec::new());
        for ply in 0..rng.random_range(0..120) {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[rng.random_range(0..legal.len())];
            let score = rng.random_range(-30_000..=30_000) >> rng.random_range(0..12);
            moves.push((mv, (ply > 8 && rng.random_bool(0.9)).then_some(score as i16)));
            position.make(mv);
        }
        GameRecord { start, moves, result: RESULTS[seed as usize % 3] }
    }

    fn survive<G: VariantGame + Board>(fen: &str) {
        let other = G::from_exact_fen(fen).expect(fen);
        let games: Vec<GameRecord<G>> = (0..effort([6, 20, 20]))
            .map(|seed| by_chance(seed, if seed % 5 == 0 { other } else { G::start() }))
            .collect();
        let mut bytes = Vec::new();
        games.iter().for_each(|game| game.pack(&mut bytes));
        let mut rest = &bytes[..];
        for game in &games {
            assert_eq!(GameRecord::unpack(&mut rest).as_ref(), Some(game));
        }
        assert!(rest.is_empty());
        let all = games.iter().flat_map(GameRecord::quiet_positions).collect();
        assert_eq!(quiet_positions(&bytes, G::VARIANT, 0.0), Some(all));
        // Truncation is detected except between games.
        let cut = (0..bytes.len())
            .filter(|&end| quiet_positions(&bytes[..end], G::VARIANT, 0.0).is_some());
        assert_eq!(cut.count(), games.len());
    }

    #[test]
    fn games_survive_packing() {
        survive::<chesquerque::Position>("4k4/2P6/9/9/9/9/9/9/R3K3R w KQ - 0 1");
        survive::<masonic::Position>("4k3/1P6/8/8/8/8/8/R3K2R w KQ - 17 31");
        survive::<alquerque::Position>("5/2m2/m4/1M3/M1M1M w - - 7 20");
    }

    #[test]
    fn a_game_without_quiet_positions_is_not_counted() {
        let mut block = Block::of_games();
        let (moves, reason, fault) = (Vec::new(), String::new(), None);
        let (result, termination) = (GameResult::Draw, Termination::Normal);
        let (start, (stats, overhead)) = (Variant::Chesquerque.start(), Default::default());
        let game =
            FinishedGame { start, moves, result, termination, reason, fault, stats, overhead };
        assert_eq!((block.add_game(&game, 3), block.games, block.next_game), (0, 0, 4));
    }

    /// The returns of a game, computed by hand: even chances, and a result whose weight halves with
    /// each earlier move. Decided and missing scores stay.
    #[test]
    fn lambda_returns_are_as_computed_by_hand() {
        let start = chesquerque::Position::start();
        let game = |scores: [Option<i16>; 4], result| {
            let (mut position, mut moves) = (start, Vec::new());
            for score in scores {
                let mv = position.legal_moves()[0];
                moves.push((mv, score));
                position.make(mv);
            }
            GameRecord { start, moves, result }
        };
        let cp = |p: f64| Some((216.0 * (p / (1.0 - p)).ln()).round() as i16);
        let even = [Some(0); 4];
        let decided = [None, Some(0), Some(2_500), Some(0)];
        for (scores, result, td_lambda, returns) in [
            (even, GameResult::WhiteWins, 0.0, even),
            (even, GameResult::Draw, 0.5, even),
            (even, GameResult::WhiteWins, 0.5, [cp(0.53125), cp(0.4375), cp(0.625), cp(0.25)]),
            (even, GameResult::BlackWins, 0.5, [cp(0.46875), cp(0.5625), cp(0.375), cp(0.75)]),
            (decided, GameResult::WhiteWins, 1.0, [None, Some(-1_999), Some(2_500), Some(-1_999)]),
        ] {
            let found = game(scores, result).with_lambda_returns(td_lambda).moves;
            let found: Vec<Option<i16>> = found.into_iter().map(|(_, score)| score).collect();
            assert_eq!(found, returns, "{scores:?} {result:?} {td_lambda}");
        }
    }

    proptest! {
        #[test]
        fn numbers_survive_a_round_trip(number: u32, score in -60_000..60_000) {
            let mut bytes = Vec::new();
            put_number(&mut bytes, number);
            prop_assert_eq!(take_number(&mut &bytes[..]), Some(number));
            prop_assert_eq!(unzigzag(zigzag(score)), score);
        }

        #[test]
        fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            for variant in Variant::ALL {
                quiet_positions(&bytes, variant, 0.5);
            }
        }
    }
}
