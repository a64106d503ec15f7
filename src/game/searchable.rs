//! What the search needs besides the rules: ordering, pruning, evaluation and tablebases.

use crate::distance::{Depth, MAX_PLY, Ply};
use crate::rules::{DRAWING_PLIES, Key, PackedMove, Rules, Terminal};
use crate::score::Score;

/// Hashes of parts of a position, by which correction history groups similar positions. They need
/// not be well distributed, since they are mixed before use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StructureHashes {
    /// The pawns, or all pieces where there is only one kind.
    pub pawns: u64,
    /// The other pieces of each side.
    pub pieces: [u64; 2],
}

/// A game that can be searched, with what move ordering and pruning need.
///
/// Moves passed to the methods are legal, except to [`Searchable::is_noisy`]: a move from the
/// transposition table may belong to another position.
pub trait Searchable: Rules {
    /// The size of butterfly history: an upper bound of [`Searchable::butterfly_slot`].
    const BUTTERFLY_SLOTS: usize;
    /// The size of a continuation history: an upper bound of [`Searchable::piece_to`].
    const PIECE_TO: usize;
    /// The size of capture history: an upper bound of [`Searchable::capture_slot`].
    const CAPTURE_SLOTS: usize;
    /// Whether the game is won by checkmate: the last move gives check and leaves no reply. Only
    /// then does the search look for short mates (`ShortMates`).
    const HAS_CHECKMATE: bool = false;

    /// Plies until the 50-move rule draws the game, 0 if it already does, [`u16::MAX`] without such
    /// a rule. A more distant mate needs an irreversible move first.
    #[inline]
    fn plies_to_100_ply_draw(&self) -> u16 {
        usize::from(DRAWING_PLIES).saturating_sub(self.reversible_plies()) as u16
    }

    /// Whether the side to move must respond to a threat: it is in check, or a capture is
    /// compulsory. Then the static evaluation is not used (no stand pat, null move or futility),
    /// and the check extension applies.
    fn must_respond(&self) -> bool;

    /// A cheap guess whether the side to move may have no move while [`Searchable::must_respond`] is
    /// false; false where stalemate is merely unlikely.
    fn may_lack_moves(&self) -> bool;

    /// The position after a null move; none where the game has none, or where zugzwang is likely.
    /// Not called where the side to move must respond.
    fn null_move(&self) -> Option<Self>;

    /// Whether a move changes the material: a capture or a promotion. Agrees with
    /// [`MoveFilter`](super::MoveFilter) on legal moves.
    fn is_noisy(&self, mv: Self::Move) -> bool;

    /// How far a move goes, in points: weaker players overlook long moves more easily.
    fn move_distance(&self, _mv: Self::Move) -> u32 {
        1
    }

    /// The value of what a move captures and promotes to, in centipawns, ignoring recaptures ("most
    /// valuable victim", MVV).
    fn gain(&self, mv: Self::Move) -> i32;

    /// Static exchange evaluation (SEE): whether a move wins at least `threshold` centipawns, or
    /// loses no more if that is negative, when both sides may continue capturing or stop.
    fn see_ge(&self, mv: Self::Move, threshold: i32) -> bool;

    /// Whether a move gives check, or leaves the opponent a compulsory capture.
    fn gives_check(&self, mv: Self::Move) -> bool {
        let mut next = *self;
        next.make(mv);
        next.must_respond()
    }

    /// Whether a capture recaptures the piece that has just captured.
    fn is_recapture(&self, mv: Self::Move, last: Self::Move) -> bool;

    /// The index of a quiet move in butterfly history: from and to.
    fn butterfly_slot(&self, mv: Self::Move) -> usize;

    /// The index of a move in continuation histories: the piece, with its side, and to.
    fn piece_to(&self, mv: Self::Move) -> usize;

    /// The index of a noisy move in capture history: the piece, to, and the captured kind.
    fn capture_slot(&self, mv: Self::Move) -> usize;

    /// An estimate of the key after a move, for prefetching, so it may be wrong after rare moves.
    /// None where prefetching does not pay off.
    fn key_after(&self, _mv: Self::Move) -> Option<Key> {
        None
    }

    fn structure_hashes(&self) -> StructureHashes;

    /// A legal move in 16 bits, never [`PackedMove::NONE`].
    fn pack(&self, mv: Self::Move) -> PackedMove;

    /// The move with this encoding, if there is one. It need not be legal here, since two positions
    /// can share a table entry.
    fn unpack(&self, packed: PackedMove) -> Option<Self::Move>;
}

#[inline]
pub fn is_mated<G: Searchable>(position: &G) -> bool {
    position.must_respond()
        && !position.has_legal_moves()
        && position.without_moves() == Terminal::Lost
}

#[inline]
pub fn mates<G: Searchable>(position: &G, mv: G::Move) -> bool {
    position.gives_check(mv) && !position.after(mv).has_legal_moves()
}

/// A mating move, if there is one. Makes only moves that give check.
pub fn mate_in_one<G: Searchable>(position: &G) -> Option<G::Move> {
    position.legal_moves().into_iter().find(|&mv| mates(position, mv))
}

/// The static evaluation of a game, shared by all threads: a network, or material and placement.
///
/// A searcher with a custom evaluation:
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
    type Game: Searchable;
    type Evaluator<'a>: Evaluator<Self::Game>
    where
        Self: 'a;

    /// An evaluator for a search from this position.
    fn evaluator(&self, root: &Self::Game) -> Self::Evaluator<'_>;
}

/// One thread's evaluator. It may keep state, such as the accumulators of a network.
pub trait Evaluator<G: Searchable> {
    /// The static evaluation of a position, `ply` plies from the root, for the side to move. It must
    /// stay below tablebase scores, 30,500 centipawns, which [`Score::centipawns`] does not ensure.
    fn evaluate(&mut self, position: &G, ply: Ply) -> Score;
}

/// The result of a tablebase probe for the side to move, with the 50-move rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownResult {
    /// A win in this many plies with best play; none if a table knows only the result.
    Win(Option<u16>),
    /// A draw, by best play or by rule.
    Draw,
    /// A loss in this many plies with best play, likewise.
    Loss(Option<u16>),
}

/// The plies that a result without a distance counts in a score: more than any known distance.
const UNKNOWN_DISTANCE: u16 = 700;

impl KnownResult {
    #[must_use]
    pub fn flipped(self) -> KnownResult {
        match self {
            KnownResult::Win(plies) => KnownResult::Loss(plies),
            KnownResult::Draw => KnownResult::Draw,
            KnownResult::Loss(plies) => KnownResult::Win(plies),
        }
    }

    pub fn score_at(self, ply: Ply) -> Score {
        let win = |plies: Option<u16>| {
            Score::tablebase_win_in(plies.unwrap_or(UNKNOWN_DISTANCE).saturating_add(ply.0))
        };
        match self {
            KnownResult::Win(plies) => win(plies),
            KnownResult::Draw => Score::DRAW,
            KnownResult::Loss(plies) => -win(plies),
        }
    }

    /// The score of a root move: a mate, as far as the range of scores allows.
    pub fn root_score(self) -> Score {
        match self {
            KnownResult::Win(Some(plies)) if plies < MAX_PLY => Score::mating_at(Ply(plies)),
            KnownResult::Loss(Some(plies)) if plies < MAX_PLY => Score::mated_at(Ply(plies)),
            far => far.score_at(Ply::ROOT),
        }
    }

    /// The opponent's result after the move: one ply fewer.
    #[must_use]
    pub fn after_move(self) -> KnownResult {
        let earlier = |plies: Option<u16>| plies.map(|plies| plies.saturating_sub(1));
        match self.flipped() {
            KnownResult::Win(plies) => KnownResult::Win(earlier(plies)),
            KnownResult::Draw => KnownResult::Draw,
            KnownResult::Loss(plies) => KnownResult::Loss(earlier(plies)),
        }
    }
}

/// Endgame tablebases of a game: exact results where few pieces are left.
pub trait Tablebase<G: Searchable>: Send + Sync {
    /// Whether a probe may succeed and is worth its time at this depth of a search: a cheap test,
    /// usually of the number of pieces.
    fn may_know(&self, position: &G, depth: Depth) -> bool;

    /// Probes a position; none if no table covers it.
    fn known(&self, position: &G) -> Option<KnownResult>;

    /// The legal moves, best first, with their results for the side to move; plies include the move
    /// itself. None unless tables cover all.
    fn ranked_moves(&self, position: &G) -> Option<Vec<(G::Move, KnownResult)>>;

    /// A winning move from a stored proof of a win (a certificate), for positions without a table,
    /// and an upper bound of the plies to the win. Only called at the root.
    fn winning_move(&self, _position: &G) -> Option<(G::Move, u16)> {
        None
    }
}
