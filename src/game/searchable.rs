//! What the search needs of a game, beyond its rules: [`Searchable`], and who values its positions,
//! an [`Evaluate`] or a [`Tablebase`].

use crate::distance::{MAX_PLY, Ply};
use crate::rules::{Key, PackedMove, Rules, Terminal};
use crate::score::Score;

/// Structure hashes: hashes of parts of a position, by which correction history groups
/// similar positions. They need not be well mixed, since they are mixed before use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StructureHashes {
    /// The slowly changing part: the pawns, or all pieces where there is only one kind.
    pub pawns: u64,
    /// The other pieces of each side.
    pub pieces: [u64; 2],
}

/// A game that can be searched: what move ordering and pruning need to know of a position
/// and its moves.
///
/// Moves passed to the methods are legal, except to [`Searchable::is_noisy`]: a move from the
/// transposition table may belong to another position.
pub trait Searchable: Rules {
    /// The size of butterfly history: indices that [`Searchable::butterfly_slot`] returns are
    /// below this.
    const BUTTERFLY_SLOTS: usize;
    /// The size of a continuation history: indices that [`Searchable::piece_to`] returns are
    /// below this.
    const PIECE_TO: usize;
    /// The size of capture history: indices that [`Searchable::capture_slot`] returns are below
    /// this.
    const CAPTURE_SLOTS: usize;
    /// Whether it is won by checkmate: the last move of a win gives check and leaves no
    /// reply. Short mates are proved only in such games.
    const HAS_CHECKMATE: bool = false;

    /// Plies until the 50-move rule draws the game, 0 if it does already; [`u16::MAX`] if the game
    /// has no such rule. A mate further away than that needs an irreversible move first.
    fn plies_to_clock_draw(&self) -> u16;

    /// Whether the side to move must respond to a threat: it is in check, or a
    /// capture is compulsory. The static evaluation is not used there: no stand
    /// pat, no null move, no futility, and the check extension applies.
    fn must_respond(&self) -> bool;

    /// Whether stalemate or blockade is at all likely, although
    /// [`Searchable::must_respond`] is false: a cheap test before the expensive one.
    fn may_lack_moves(&self) -> bool;

    /// The position after a null move; none where the game has none, or where zugzwang is
    /// likely. Not called where the side to move must respond.
    fn null_move(&self) -> Option<Self>;

    /// Whether a move changes the material: a capture or a promotion. Agrees with
    /// [`MoveFilter`](super::MoveFilter) on legal moves.
    fn is_noisy(&self, mv: Self::Move) -> bool;

    /// How far a move goes over the board, in points: a long one is easier to overlook, which
    /// only weaker players do. It needs no more exactness than that.
    fn reach(&self, _mv: Self::Move) -> u32 {
        1
    }

    /// The value of what a move captures and promotes to, in centipawns, without regard to
    /// recaptures ("most valuable victim", MVV).
    fn gain(&self, mv: Self::Move) -> i32;

    /// Static exchange evaluation (SEE): whether a move wins at least `threshold` centipawns when
    /// both sides go on capturing as they please, or loses no more than that if it is negative.
    fn see_ge(&self, mv: Self::Move, threshold: i32) -> bool;

    /// Whether a move gives check, or leaves the other side a compulsory capture.
    fn gives_check(&self, mv: Self::Move) -> bool {
        let mut next = *self;
        next.make(mv);
        next.must_respond()
    }

    /// Whether a capture recaptures what has just captured.
    fn is_recapture(&self, mv: Self::Move, last: Self::Move) -> bool;

    /// The index of a quiet move in butterfly history: from and to.
    fn butterfly_slot(&self, mv: Self::Move) -> usize;

    /// The index of a move in continuation histories: the piece, with its side, and to.
    fn piece_to(&self, mv: Self::Move) -> usize;

    /// The index of a noisy move in capture history: the piece, to, and the captured kind.
    fn capture_slot(&self, mv: Self::Move) -> usize;

    /// The key that a move leads to, as good as it can be told without making the move: only to
    /// prefetch by, so it may be wrong after rare moves. None where nothing is gained by it.
    fn key_after(&self, _mv: Self::Move) -> Option<Key> {
        None
    }

    /// The structure hashes, for correction history.
    fn structure_hashes(&self) -> StructureHashes;

    /// A legal move in 16 bits, never [`PackedMove::NONE`].
    fn pack(&self, mv: Self::Move) -> PackedMove;

    /// The move that a number stands for, if it stands for one. It need not be legal here,
    /// since two positions can share an entry of the table.
    fn unpack(&self, packed: PackedMove) -> Option<Self::Move>;
}

/// Whether the side to move is mated.
#[inline]
pub fn is_mated<G: Searchable>(position: &G) -> bool {
    position.must_respond()
        && !position.has_legal_moves()
        && position.without_moves() == Terminal::Lost
}

/// Whether a legal move mates.
#[inline]
pub fn mates<G: Searchable>(position: &G, mv: G::Move) -> bool {
    position.gives_check(mv) && !position.after(mv).has_legal_moves()
}

/// A move that mates, if there is one; only checks are made.
pub fn mate_in_one<G: Searchable>(position: &G) -> Option<G::Move> {
    position.legal_moves().into_iter().find(|&mv| mates(position, mv))
}

/// The static evaluation of a game, shared by all threads: a network, or material and placement.
///
/// An evaluation of your own makes a searcher of its own:
///
/// ```
/// use qirkat::game::{Evaluate, Evaluator, Rules};
/// use qirkat::search::Searcher;
/// use qirkat::{Game, Limits, Ply, Position, Score};
///
/// /// Every piece counts the same.
/// #[derive(Default)]
/// struct PieceCount;
///
/// impl Evaluate for PieceCount {
///     type Game = Position;
///     type Evaluator<'a> = &'a PieceCount;
///
///     fn evaluator(&self, _: &Position) -> &PieceCount {
///         self
///     }
/// }
///
/// impl Evaluator<Position> for &PieceCount {
///     fn evaluate(&mut self, position: &Position, _: Ply) -> Score {
///         let count = |color| position.of_color(color).len() as i32;
///         let us = position.side_to_move();
///         Score::centipawns(100 * (count(us) - count(!us)))
///     }
/// }
///
/// let mut searcher = Searcher::<PieceCount>::new()?;
/// let game = Game::from_position("4k4/9/9/9/p8/9/9/9/R3K4 w - - 0 1".parse()?);
/// let result = searcher.search(&game, &Limits::depth(1));
/// assert_eq!(result.best, Some("a1a5".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Evaluate: Send + Sync {
    /// The game.
    type Game: Searchable;
    /// The evaluator of one thread.
    type Evaluator<'a>: Evaluator<Self::Game>
    where
        Self: 'a;

    /// An evaluator for a search from this position.
    fn evaluator(&self, root: &Self::Game) -> Self::Evaluator<'_>;
}

/// One thread's evaluator. It may keep state that speeds up the next evaluation, such as
/// the accumulators of a network.
pub trait Evaluator<G: Searchable> {
    /// The static evaluation of a position, `ply` plies from the root, for the side to move.
    fn evaluate(&mut self, position: &G, ply: Ply) -> Score;
}

/// The result of a probe for the side to move. The 50-move rule and the plies already
/// counted are taken into account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownResult {
    /// A win, in so many plies with best play.
    Win(u16),
    /// A draw, by best play or by rule.
    Draw,
    /// A loss, in so many plies with best play.
    Loss(u16),
}

impl KnownResult {
    /// The same for the other side.
    #[must_use]
    pub fn flipped(self) -> KnownResult {
        match self {
            KnownResult::Win(plies) => KnownResult::Loss(plies),
            KnownResult::Draw => KnownResult::Draw,
            KnownResult::Loss(plies) => KnownResult::Win(plies),
        }
    }

    /// The score in the tree of a position so many plies from the root.
    pub fn score_at(self, ply: Ply) -> Score {
        match self {
            KnownResult::Win(plies) => Score::table_win_in(plies.saturating_add(ply.0)),
            KnownResult::Draw => Score::DRAW,
            KnownResult::Loss(plies) => -Score::table_win_in(plies.saturating_add(ply.0)),
        }
    }

    /// The score of a root move: a mate, as far as a score can tell how far away it is.
    pub fn root_score(self) -> Score {
        match self {
            KnownResult::Win(plies) if plies < MAX_PLY => Score::mating_at(Ply(plies)),
            KnownResult::Loss(plies) if plies < MAX_PLY => Score::mated_at(Ply(plies)),
            far => far.score_at(Ply::ROOT),
        }
    }

    /// The same from the other side, one ply nearer.
    #[must_use]
    pub fn after_move(self) -> KnownResult {
        match self.flipped() {
            KnownResult::Win(plies) => KnownResult::Win(plies.saturating_sub(1)),
            KnownResult::Draw => KnownResult::Draw,
            KnownResult::Loss(plies) => KnownResult::Loss(plies.saturating_sub(1)),
        }
    }
}

/// Endgame tablebases of a game: exact results where few pieces are left.
pub trait Tablebase<G: Searchable>: Send + Sync {
    /// Whether a probe may succeed: a cheap test, mostly by the number of pieces.
    fn may_know(&self, position: &G) -> bool;

    /// Probes a position; none if no table covers it.
    fn known(&self, position: &G) -> Option<KnownResult>;

    /// The legal moves with their results for the side that makes them, the move itself
    /// counted, best first. None unless all of them are covered.
    fn ranked_moves(&self, position: &G) -> Option<Vec<(G::Move, KnownResult)>>;

    /// A move that wins by a strategy laid down before, for positions that no table has, and how
    /// many plies it takes at most. It is asked for at the root alone.
    fn winning_move(&self, _position: &G) -> Option<(G::Move, u16)> {
        None
    }
}
