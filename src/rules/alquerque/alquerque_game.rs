//! Alquerque as a game that the search can play.

use super::chain::Move;
use super::direction::Direction;
use super::packed;
use super::point::Point;
use super::position::Position;
use super::see::MAN_VALUE;
use qirkat_game::splitmix::splitmix64;
use qirkat_game::{
    Color, DRAWING_CLOCK, GameHistory, GameState, Key, MoveFilter, Outcome, PackedMove, Rules,
    StructureHashes, Terminal,
};

/// Numbers of captured men that the capture history tells apart: one, two, and
/// more.
const CAPTURE_SIZES: usize = 3;

/// Odd numbers for structure hashes, one for each side.
const MULTIPLIERS: [u64; 2] = {
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    [splitmix64(&mut state) | 1, splitmix64(&mut state) | 1]
};

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

    /// Whether 100 plies have passed without a jump or forward step.
    #[inline]
    fn is_clock_drawn(&self) -> bool {
        self.halfmove_clock >= DRAWING_CLOCK
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
        if !self.has_legal_moves() {
            let no_men = self.men(self.side_to_move).is_empty();
            let winner = !self.side_to_move;
            return Some(if no_men { Outcome::NoPieces(winner) } else { Outcome::Blocked(winner) });
        }
        self.draw_by_rule(history).map(Outcome::Draw)
    }
}

impl qirkat_game::Searchable for Position {
    const BUTTERFLY_SLOTS: usize = Point::COUNT * Direction::COUNT;
    const PIECE_TO: usize = 2 * Point::COUNT * Direction::COUNT;
    const CAPTURE_SLOTS: usize = 2 * Point::COUNT * Point::COUNT * CAPTURE_SIZES;

    #[inline]
    fn plies_to_clock_draw(&self) -> u16 {
        DRAWING_CLOCK.saturating_sub(self.halfmove_clock)
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

    /// Multiplicative hashes of all men, and of the men of each side. Only the high bits
    /// are well mixed.
    #[inline]
    fn structure_hashes(&self) -> StructureHashes {
        let pieces = Color::ALL.map(|color| {
            u64::from(self.men(color).bits()).wrapping_mul(MULTIPLIERS[color.index()])
        });
        StructureHashes { pawns: pieces[0].wrapping_add(pieces[1]), pieces }
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
