//! The rules of a game: sides, moves, keys and repetition, how games end, and perft.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::Not;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ParseError;

/// A side of the game. White moves first.
///
/// ```
/// use qirkat::Color;
///
/// assert_eq!(!Color::White, Color::Black);
/// // As FEN writes it.
/// assert_eq!("b".parse(), Ok(Color::Black));
/// assert_eq!(Color::White.to_string(), "w");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, derive_more::Display, Hash)]
#[repr(u8)]
pub enum Color {
    #[display("w")]
    White,
    #[display("b")]
    Black,
}

impl Color {
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl FromStr for Color {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Color, ParseError> {
        match text {
            "w" => Ok(Color::White),
            "b" => Ok(Color::Black),
            _ => Err(ParseError::new("a side, `w` or `b`", text)),
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// The initial capacity of move lists, enough for nearly every position.
const USUAL_MOVES: usize = 64;

#[derive(Clone, Copy, Debug)]
pub struct RankedMove<M> {
    /// Moves with a higher rank come earlier.
    pub rank: i32,
    pub mv: M,
}

/// A class of legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MoveFilter {
    All,
    /// Captures and promotions: see [`Searchable::is_noisy`](super::Searchable::is_noisy).
    Noisy,
    Quiet,
}

/// How a game ends for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Terminal {
    /// It has lost: mated, blocked, or without pieces.
    Lost,
    /// Stalemate, or a draw by rule.
    Drawn,
}

/// A position of a two-player game with alternating turns, and its rules, as an arbiter needs them.
/// Code generic over it works for every game:
///
/// ```
/// use qirkat::Position;
/// use qirkat::game::{Searchable, MoveFilter};
///
/// fn perft<G: Searchable>(position: &G, depth: u32) -> u64 {
///     let mut count = 0;
///     position.for_each_move(MoveFilter::All, &mut |mv| {
///         count += if depth == 1 { 1 } else { perft(&position.after(mv), depth - 1) };
///     });
///     count
/// }
/// assert_eq!(perft(&Position::default(), 3), 6_746);
/// ```
///
/// Its `Display` text is the game's notation for positions, such as FEN.
///
/// A position is plain data that is copied and then changed ("copy-make"), so there is no undo.
/// Moves passed to the methods must be legal, except to [`Rules::is_legal`]. The result for an
/// illegal move is unspecified, and may be a panic.
pub trait Rules: Copy + Eq + Debug + Display + Send + Sync + 'static {
    /// A complete move, in draughts with all captures. Its text is as in the engine protocols.
    type Move: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;

    fn start() -> Self;

    fn side_to_move(&self) -> Color;

    fn key(&self) -> Key;

    /// Plies since the last irreversible move (the halfmove clock). Only positions since then can
    /// repeat. The closer the clock is to a draw, the less reliable is a transposition table score
    /// from another path.
    fn reversible_plies(&self) -> usize;

    /// Whether the 50-move rule draws the game, unless the side to move has lost.
    #[inline]
    fn is_drawn_by_100_plies(&self) -> bool {
        self.reversible_plies() >= usize::from(DRAWING_PLIES)
    }

    /// Whether neither side can win (a dead position).
    fn is_dead(&self) -> bool;

    /// How the game ends if the side to move has no legal move; meaningless if it has one.
    fn without_moves(&self) -> Terminal;

    fn has_legal_moves(&self) -> bool;

    fn for_each_move(&self, filter: MoveFilter, sink: &mut impl FnMut(Self::Move));

    fn legal_moves(&self) -> Vec<Self::Move> {
        self.moves(MoveFilter::All)
    }

    #[inline(never)]
    fn moves(&self, filter: MoveFilter) -> Vec<Self::Move> {
        let mut moves = Vec::with_capacity(USUAL_MOVES);
        self.for_each_move(filter, &mut |mv| moves.push(mv));
        moves
    }

    /// Adds the legal moves that pass a filter to a list, with rank 0, for ordering.
    #[inline(never)]
    fn push_moves(&self, filter: MoveFilter, list: &mut Vec<RankedMove<Self::Move>>) {
        self.for_each_move(filter, &mut |mv| list.push(RankedMove { rank: 0, mv }));
    }

    fn count_legal_moves(&self) -> u64 {
        let mut count = 0;
        self.for_each_move(MoveFilter::All, &mut |_| count += 1);
        count
    }

    /// Whether a move from any source (a hash table, a text) is legal here.
    fn is_legal(&self, mv: Self::Move) -> bool;

    /// Makes a legal move.
    fn make(&mut self, mv: Self::Move);

    /// How the game has ended, if it has. A loss takes precedence over a draw.
    fn outcome(&self, history: &GameHistory) -> Option<Outcome>;

    /// Why the game is drawn by rule, if it is, assuming that the side to move has a legal move.
    fn draw_by_rule(&self, history: &GameHistory) -> Option<DrawReason> {
        if self.is_dead() {
            Some(DrawReason::InsufficientMaterial)
        } else if self.is_drawn_by_100_plies() {
            Some(DrawReason::HundredPlies)
        } else {
            history.is_threefold(self).then_some(DrawReason::Repetition)
        }
    }

    #[must_use]
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = *self;
        next.make(mv);
        next
    }
}

/// Keys of all earlier positions of a game, oldest first. Separate from the position, which is
/// copied for every move.
///
/// ```
/// use qirkat::game::Rules;
/// use qirkat::{GameHistory, Position};
///
/// let mut history = GameHistory::new();
/// let mut position: Position = "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1".parse()?;
/// for text in "a1b1 e9e8 b1a1 e8e9".split(' ') {
///     history.push(&position);
///     position.make(text.parse()?);
/// }
/// // The same position occurred four plies ago.
/// assert_eq!(history.repetitions(&position).collect::<Vec<_>>(), [4]);
/// assert!(!history.is_threefold(&position));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct GameHistory {
    earlier: Vec<Key>,
}

impl GameHistory {
    pub fn new() -> GameHistory {
        GameHistory::default()
    }

    #[inline]
    pub fn pop(&mut self) {
        self.earlier.pop();
    }

    pub fn len(&self) -> usize {
        self.earlier.len()
    }

    pub fn is_empty(&self) -> bool {
        self.earlier.is_empty()
    }

    /// Adds a position, before a move is made in it.
    #[inline]
    pub fn push<G: Rules>(&mut self, position: &G) {
        self.earlier.push(position.key());
    }

    /// How many plies ago `position` occurred, the latest first. Only positions since the last
    /// irreversible move, with the same side to move, can be equal.
    #[inline]
    pub fn repetitions<G: Rules>(&self, position: &G) -> impl Iterator<Item = usize> + use<'_, G> {
        let key = position.key();
        let reversible = position.reversible_plies().min(self.earlier.len());
        let recent = &self.earlier[self.earlier.len() - reversible..];
        (1..=reversible / 2)
            .map(|pairs| 2 * pairs)
            .filter(move |distance| recent[reversible - distance] == key)
    }

    pub fn is_threefold<G: Rules>(&self, position: &G) -> bool {
        self.repetitions(position).nth(1).is_some()
    }
}

/// The 64-bit Zobrist key of a position. Equal keys mean the same position for the repetition rule.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash, derive_more::BitXorAssign)]
pub struct Key(pub u64);

/// A move in 16 bits, in each game's own encoding. Several moves may share an encoding.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct PackedMove(pub u16);

impl PackedMove {
    /// No move. No real move packs to this.
    pub const NONE: PackedMove = PackedMove(0);
}

/// Reversible plies that draw a game; see [`DrawReason::HundredPlies`].
pub const DRAWING_PLIES: u16 = 100;

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, derive_more::Display)]
pub enum Outcome {
    /// This side has given checkmate.
    #[display("{_0:?} mates")]
    Checkmate(Color),
    /// This side has won: the opponent has no legal move, in a game where that loses.
    #[display("{:?} has no legal move", !*_0)]
    Blocked(Color),
    /// This side has won: the opponent has no pieces left.
    #[display("{:?} has no piece left", !*_0)]
    NoPieces(Color),
    #[display("draw by {_0}")]
    Draw(DrawReason),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, derive_more::Display)]
pub enum DrawReason {
    /// The side to move has no legal move and is not in check.
    #[display("stalemate")]
    Stalemate,
    #[display("threefold repetition")]
    Repetition,
    /// 100 reversible plies (the 50-move rule): in chess without a capture or pawn move, in
    /// draughts without a jump or step forward.
    #[display("100 plies without capture or advance")]
    HundredPlies,
    /// No sequence of legal moves can mate.
    #[display("insufficient material")]
    InsufficientMaterial,
}

impl Outcome {
    /// The name of its kind, as programs read it.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Checkmate(_) => "checkmate",
            Outcome::Blocked(_) => "blocked",
            Outcome::NoPieces(_) => "no-pieces",
            Outcome::Draw(DrawReason::Stalemate) => "stalemate",
            Outcome::Draw(DrawReason::Repetition) => "repetition",
            Outcome::Draw(DrawReason::HundredPlies) => "hundred-plies",
            Outcome::Draw(DrawReason::InsufficientMaterial) => "insufficient-material",
        }
    }

    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Checkmate(winner) | Outcome::Blocked(winner) | Outcome::NoPieces(winner) => {
                Some(winner)
            }
            Outcome::Draw(_) => None,
        }
    }
}

/// The result of a game as in PGN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, derive_more::Display, Serialize, Deserialize)]
#[display("{}", self.text())]
pub enum GameResult {
    #[serde(rename = "1-0")]
    WhiteWins,
    #[serde(rename = "0-1")]
    BlackWins,
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// `*`: unfinished, aborted or unknown.
    #[serde(rename = "*")]
    Unfinished,
}

impl GameResult {
    pub const ALL: [GameResult; 4] =
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unfinished];

    /// The text in a PGN's tags and after its moves.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unfinished => "*",
        }
    }

    /// Parses a result. A draw may also be `1/2`, `½` or `½-½`.
    pub fn parse(text: &str) -> Option<GameResult> {
        if ["1/2", "½", "½-½"].contains(&text) {
            return Some(GameResult::Draw);
        }
        Self::ALL.into_iter().find(|result| result.text() == text)
    }

    pub const fn won_by(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    pub const fn winner(self) -> Option<Color> {
        match self {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw | GameResult::Unfinished => None,
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        outcome.winner().map_or(GameResult::Draw, GameResult::won_by)
    }
}

/// Counts the move sequences of `depth` plies. Moves of the last ply are counted in bulk,
/// without making them.
///
/// ```
/// use qirkat::{Position, perft};
///
/// assert_eq!(perft(&Position::default(), 3), 6_746);
/// ```
pub fn perft<P: Rules>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves(),
        _ => sum_over_moves(position, |next| perft(next, depth - 1)),
    }
}

/// Perft that also makes the moves of the last ply, to measure [`Rules::make`].
pub fn perft_unbulked<P: Rules>(position: &P, depth: u32) -> u64 {
    if depth == 0 { 1 } else { sum_over_moves(position, |next| perft_unbulked(next, depth - 1)) }
}

/// Does not use [`Rules::after`], whose result is copied once more: that costs an eighth of the
/// time.
#[inline]
fn sum_over_moves<P: Rules>(position: &P, count: impl Fn(&P) -> u64) -> u64 {
    let mut sum = 0;
    for mv in position.legal_moves() {
        let mut next = *position;
        next.make(mv);
        sum += count(&next);
    }
    sum
}
