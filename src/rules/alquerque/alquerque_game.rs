//! Alquerque as a game that the search can play.

use super::chain::Move;
use super::direction::Direction;
use super::packed;
use super::point::Point;
use super::position::Position;
use super::see::MAN_VALUE;
use qirkat_game::{
    Color, GameHistory, GameState, Key, MoveFilter, Outcome, PackedMove, Rules, StructureHashes,
    Terminal,
};

/// Numbers of captured men that the capture history tells apart: one, two, and
/// more.
const CAPTURE_SIZES: usize = 3;

/// A game of Alquerque in progress.
pub type Game = GameState<Position>;

impl Rules for Position {
    type Move = Move;

    fn start() -> Position {
        Position::start()
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        self.side_to_move()
    }

    #[inline]
    fn key(&self) -> Key {
        self.key()
    }

    #[inline]
    fn reversible_plies(&self) -> usize {
        usize::from(self.halfmove_clock())
    }

    #[inline]
    fn is_clock_drawn(&self) -> bool {
        self.is_clock_drawn()
    }

    /// Never: as long as both sides can move, either can be blocked.
    #[inline]
    fn is_dead(&self) -> bool {
        false
    }

    #[inline]
    fn without_moves(&self) -> Terminal {
        Terminal::Lost
    }

    #[inline]
    fn count_legal_moves(&self) -> u64 {
        self.count_legal_moves()
    }

    #[inline]
    fn has_legal_moves(&self) -> bool {
        self.has_legal_moves()
    }

    #[inline]
    fn add_moves(&self, filter: MoveFilter, sink: &mut impl FnMut(Move)) {
        self.for_each_move(filter, sink);
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        self.is_legal(mv)
    }

    #[inline]
    fn make(&mut self, mv: Move) {
        self.make(mv);
    }

    fn outcome(&self, history: &GameHistory) -> Option<Outcome> {
        self.outcome(history)
    }
}

impl qirkat_game::Game for Position {
    const BUTTERFLY_SLOTS: usize = Point::COUNT * Direction::COUNT;
    const PIECE_TO: usize = 2 * Point::COUNT * Direction::COUNT;
    const CAPTURE_SLOTS: usize = 2 * Point::COUNT * Point::COUNT * CAPTURE_SIZES;

    #[inline]
    fn plies_to_clock_draw(&self) -> u16 {
        self.plies_to_clock_draw()
    }

    #[inline]
    fn must_respond(&self) -> bool {
        self.can_jump()
    }

    /// Always, since the test itself is as cheap.
    #[inline]
    fn may_lack_moves(&self) -> bool {
        true
    }

    /// None: zugzwang decides this game, so passing would prove nothing.
    #[inline]
    fn null_move(&self) -> Option<Position> {
        None
    }

    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        mv.is_jump()
    }

    /// Along the legs of a chain, each of two points.
    #[inline]
    fn reach(&self, mv: Move) -> u32 {
        (2 * mv.jumps() as u32).max(1)
    }

    #[inline]
    fn gain(&self, mv: Move) -> i32 {
        MAN_VALUE * mv.jumps() as i32
    }

    #[inline]
    fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        self.see_ge(mv, threshold)
    }

    /// Whether the move captures the man that has just moved.
    #[inline]
    fn is_recapture(&self, mv: Move, last: Move) -> bool {
        mv.captured().contains(last.to())
    }

    #[inline]
    fn butterfly_slot(&self, mv: Move) -> usize {
        mv.from().index() * Direction::COUNT + mv.first_direction().index()
    }

    /// There is only one kind of piece, so the direction of the move takes its place.
    #[inline]
    fn piece_to(&self, mv: Move) -> usize {
        let side_and_to = self.side_to_move().index() * Point::COUNT + mv.to().index();
        side_and_to * Direction::COUNT + mv.last_direction().index()
    }

    #[inline]
    fn capture_slot(&self, mv: Move) -> usize {
        let side_and_from = self.side_to_move().index() * Point::COUNT + mv.from().index();
        let size = mv.jumps().clamp(1, CAPTURE_SIZES) - 1;
        (side_and_from * Point::COUNT + mv.to().index()) * CAPTURE_SIZES + size
    }

    #[inline]
    fn structure_hashes(&self) -> StructureHashes {
        self.structures()
    }

    #[inline]
    fn pack(&self, mv: Move) -> PackedMove {
        packed::pack(mv)
    }

    #[inline]
    fn unpack(&self, packed: PackedMove) -> Option<Move> {
        self.unpack_move(packed)
    }
}
