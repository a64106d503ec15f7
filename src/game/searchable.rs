//! What the search must know of a game, beyond its rules.

use super::key::PackedMove;
use super::rules::Rules;

/// Hashes of parts of a position, by which correction history groups positions
/// of a kind. Any bits of them may be good or bad: they are mixed before use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StructureHashes {
    /// What changes seldom: the pawns, or all pieces where there is but one
    /// kind.
    pub pawns: u64,
    /// The other pieces of each side.
    pub pieces: [u64; 2],
}

/// A game that can be searched: what the search wants to know of a position and
/// of a move before it is searched.
///
/// Moves handed to the methods are legal, but for [`Game::is_noisy`]: a move out
/// of the transposition table may belong to another position.
pub trait Game: Rules {
    /// Numbers that [`Game::butterfly_slot`] returns are below this.
    const BUTTERFLY_SLOTS: usize;
    /// Numbers that [`Game::piece_to`] returns are below this.
    const PIECE_TO: usize;
    /// Numbers that [`Game::capture_slot`] returns are below this.
    const CAPTURE_SLOTS: usize;

    /// Plies until reversible plies alone draw the game, none if they do
    /// already; the highest number if the game has no such rule. A mate further
    /// away than that cannot be reached by them.
    fn plies_to_clock_draw(&self) -> u16;

    /// Whether the side to move must respond to a threat: it is in check, or a
    /// capture is compulsory. The static evaluation is not used there: no stand
    /// pat, no null move, no futility, and the check extension applies.
    fn must_respond(&self) -> bool;

    /// Whether it is at all likely that there is no legal move although
    /// nothing must be responded to: a cheap test before the expensive one.
    fn may_lack_moves(&self) -> bool;

    /// The position after the side to move has passed; none where the game has
    /// no such thing, or where having to move may be what loses (zugzwang).
    /// Not called where the side to move must respond.
    fn null_move(&self) -> Option<Self>;

    /// Whether a move changes the material: a capture or a promotion. Whatever
    /// the move, a position's legal moves are noisy or quiet as the filters
    /// say.
    fn is_noisy(&self, mv: Self::Move) -> bool;

    /// The values of what a move captures and promotes to, in centipawns,
    /// whatever it may lose afterwards ("MVV").
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
}
