//! What the search must know of a game.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use super::{Color, GameHistory, Key, PackedMove};

/// Which of the legal moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveFilter {
    /// Every legal move.
    All,
    /// Captures and promotions: see [`Game::is_noisy`].
    Noisy,
    /// The rest.
    Quiet,
}

/// How a game ends for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terminal {
    /// It has lost: mated, blocked, or without pieces.
    Lost,
    /// Nobody has won: stalemate, or a draw by rule.
    Drawn,
}

/// Hashes of parts of a position, by which correction history tells positions
/// of a kind. Any bits of them may be good or bad: they are mixed before use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StructureHashes {
    /// What changes seldom: the pawns, or all pieces where there is but one
    /// kind.
    pub pawns: u64,
    /// The other pieces of each side.
    pub pieces: [u64; 2],
}

/// A position of a two-player game with alternate turns, and its rules.
///
/// Its text is the one that its game writes positions in, such as FEN.
///
/// A position is plain data that is copied and then changed ("copy-make"), so
/// nothing is ever undone. Moves handed to the methods are legal, but for
/// [`Game::is_legal`] and [`Game::is_noisy`]: a move out of the transposition
/// table may belong to another position. The answer to a move that is not
/// legal is not specified, but there must be one.
pub trait Game: Copy + Eq + Debug + Display + Send + Sync + 'static {
    /// A move, all of it: a draughts move knows every piece it takes. Its text
    /// is the one the protocols use.
    type Move: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;

    /// How a finished game is told about.
    type Outcome: Copy + Eq + Debug + Send + Sync + 'static;

    /// Numbers that [`Game::butterfly_slot`] returns are below this.
    const BUTTERFLY_SLOTS: usize;
    /// Numbers that [`Game::piece_to`] returns are below this.
    const PIECE_TO: usize;
    /// Numbers that [`Game::capture_slot`] returns are below this.
    const CAPTURE_SLOTS: usize;

    /// The usual starting position.
    fn start() -> Self;

    /// Whose turn it is.
    fn side_to_move(&self) -> Color;

    /// The Zobrist key.
    fn key(&self) -> Key;

    /// Plies since the last move that cannot be taken back. Only positions
    /// since then can repeat, and the nearer a drawing rule comes the less
    /// other paths to the position tell about it.
    fn reversible_plies(&self) -> usize;

    /// Plies until reversible plies alone draw the game, none if they do
    /// already; the highest number if the game has no such rule. A mate further
    /// away than that cannot be reached by them.
    fn plies_to_clock_draw(&self) -> u16;

    /// Whether so many reversible plies draw the game, unless the side to move
    /// has lost.
    fn is_clock_drawn(&self) -> bool;

    /// Whether nobody can win any more.
    fn is_dead(&self) -> bool;

    /// Whether the side to move cannot let matters rest: it is in check, or a
    /// capture is compulsory. Nothing is judged at sight there: no stand pat,
    /// no null move, no futility, and the check extension applies.
    fn must_respond(&self) -> bool;

    /// What it means for the side to move if it has no legal move. To be asked
    /// only then, or when it might be so.
    fn without_moves(&self) -> Terminal;

    /// Whether there is any legal move.
    fn has_legal_moves(&self) -> bool;

    /// Whether it is at all likely that there is no legal move although
    /// nothing must be responded to: a cheap test before the dear one.
    fn may_lack_moves(&self) -> bool;

    /// Hands the legal moves that pass a filter to `sink`.
    fn add_moves(&self, filter: MoveFilter, sink: &mut impl FnMut(Self::Move));

    /// Whether a move from anywhere is legal here.
    fn is_legal(&self, mv: Self::Move) -> bool;

    /// Makes a legal move.
    fn make(&mut self, mv: Self::Move);

    /// The position after the side to move has passed; none where the game has
    /// no such thing, or where having to move may be what loses (zugzwang).
    /// Not asked for where the side to move must respond.
    fn null_move(&self) -> Option<Self>;

    /// Whether a move changes the material: a capture or a promotion. Whatever
    /// the move, a position's legal moves are noisy or quiet as the filters
    /// say.
    fn is_noisy(&self, mv: Self::Move) -> bool;

    /// What a move wins at sight, in centipawns, whatever it may lose after:
    /// the values of what it captures and promotes to ("MVV").
    fn gain(&self, mv: Self::Move) -> i32;

    /// Static exchange evaluation: whether a move wins at least `threshold`
    /// centipawns when both sides go on capturing as they please, or loses no
    /// more than that if it is negative.
    fn see_ge(&self, mv: Self::Move, threshold: i32) -> bool;

    /// Whether the other side must respond to a move, as to a check.
    fn gives_check(&self, mv: Self::Move) -> bool {
        let mut next = *self;
        next.make(mv);
        next.must_respond()
    }

    /// Whether a capture takes back where the move before it captured.
    fn is_recapture(&self, mv: Self::Move, last: Self::Move) -> bool;

    /// The place of a quiet move in the butterfly history: where from and
    /// where to.
    fn butterfly_slot(&self, mv: Self::Move) -> usize;

    /// The place of a move in the continuation histories: whose piece, of what
    /// kind, and where to.
    fn piece_to(&self, mv: Self::Move) -> usize;

    /// The place of a noisy move in the capture history: which piece, where to
    /// and what it captures.
    fn capture_slot(&self, mv: Self::Move) -> usize;

    /// Hashes of what stands where, for correction history.
    fn structure_hashes(&self) -> StructureHashes;

    /// A legal move in 16 bits, never [`PackedMove::NONE`].
    fn pack(&self, mv: Self::Move) -> PackedMove;

    /// The move that a number stands for, if it stands for one. It need not be
    /// legal here, since two positions can share a place in the table.
    fn unpack(&self, packed: PackedMove) -> Option<Self::Move>;

    /// How the game has ended, if it has. Who has lost has lost, whatever
    /// would draw the game.
    fn outcome(&self, history: &GameHistory) -> Option<Self::Outcome>;

    /// The same as [`Game::outcome`], for the side to move.
    fn terminal(&self, history: &GameHistory) -> Option<Terminal> {
        if !self.has_legal_moves() {
            return Some(self.without_moves());
        }
        let is_drawn = self.is_dead() || self.is_clock_drawn() || history.is_threefold(self);
        is_drawn.then_some(Terminal::Drawn)
    }

    /// The position after a legal move.
    #[must_use]
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = *self;
        next.make(mv);
        next
    }
}
