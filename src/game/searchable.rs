//! What the search needs of a game, beyond its rules.

use super::key::{Key, PackedMove};
use super::rules::Rules;

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

    /// Plies until the 50-move rule draws the game, 0 if it does already; [`u16::MAX`] if
    /// the game has no such rule. A mate further away than that needs an irreversible move
    /// first.
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

    /// Static exchange evaluation (SEE): whether a move wins at least `threshold`
    /// centipawns when both sides go on capturing as they please, or loses no
    /// more than that if it is negative.
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
