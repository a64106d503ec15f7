//! The traits through which the arbiter, the search and networks use Alquerque, with 16-bit moves
//! and static exchange evaluation.

use std::ops::ControlFlow;

use qirkat_game::splitmix::splitmix64;
use qirkat_game::{
    Board, Color, GameHistory, GameState, Key, MoveFilter, Outcome, PackedMove, PieceCode,
    PointSet, Rules, StructureHashes, Terminal,
};

use super::chain::Move;
use super::point::{Bitboard, Direction, Point};
use super::position::{Position, START_FEN};

/// Classes of captures in the capture history: one man, two, or more.
const CAPTURE_SIZES: usize = 3;

/// Odd numbers for structure hashes, one for each side.
const MULTIPLIERS: [u64; 2] = {
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    [splitmix64(&mut state) | 1, splitmix64(&mut state) | 1]
};

pub type Game = GameState<Position>;

impl Rules for Position {
    type Move = Move;

    fn start() -> Position {
        match Position::from_fen(START_FEN) {
            Ok(parsed) => parsed.position,
            Err(error) => unreachable!("the starting position is valid: {error}"),
        }
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    #[inline]
    fn key(&self) -> Key {
        self.key
    }

    /// Plies without a jump or forward step.
    #[inline]
    fn reversible_plies(&self) -> usize {
        usize::from(self.halfmove_clock())
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
        match_side!(self.side_to_move, Own => self.count::<Own>())
    }

    #[inline]
    fn has_legal_moves(&self) -> bool {
        match_side!(self.side_to_move, Own => self.has_moves::<Own>())
    }

    #[inline]
    fn for_each_move(&self, filter: MoveFilter, sink: &mut impl FnMut(Move)) {
        match_side!(self.side_to_move, Own => self.generate::<Own>(filter, sink))
    }

    fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let begins_well = self.men(us).contains(mv.from()) && mv.first_direction().is_onward(us);
        begins_well && if mv.is_jump() { self.jumps_are_legal(mv) } else { self.step_is_legal(mv) }
    }

    #[inline]
    fn make(&mut self, mv: Move) {
        match_side!(self.side_to_move, Own => self.make_for::<Own>(mv))
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
    fn must_respond(&self) -> bool {
        self.can_jump()
    }

    /// Always, since the full test is as cheap.
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

    /// The length of a chain, two points per jump.
    #[inline]
    fn move_distance(&self, mv: Move) -> u32 {
        (2 * mv.jumps() as u32).max(1)
    }

    #[inline]
    fn gain(&self, mv: Move) -> i32 {
        MAN_VALUE * mv.jumps() as i32
    }

    /// Static exchange evaluation for compulsory captures: the move, the reply if it must be a
    /// jump, and the longest jump back.
    ///
    /// The reply that is worst for the mover counts; later moves are ignored. This detects a
    /// sacrifice of one man for two, and a jump that exposes more men than it captures.
    fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let won = MAN_VALUE * mv.jumps() as i32;
        let next = self.after(mv);
        let mut replies = 0;
        let all_hold = next.try_for_each_jump(&mut |reply| {
            replies += 1;
            let back = next.after(reply).longest_jump();
            let balance = won + MAN_VALUE * (back as i32 - reply.jumps() as i32);
            if balance < threshold || replies > MAX_JUMPS_TRIED {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        all_hold.is_continue() && (replies > 0 || won >= threshold)
    }

    #[inline]
    fn is_recapture(&self, mv: Move, last: Move) -> bool {
        mv.captured().contains(last.to())
    }

    #[inline]
    fn butterfly_slot(&self, mv: Move) -> usize {
        mv.from().index() * Direction::COUNT + mv.first_direction().index()
    }

    /// There is only one kind of piece, so the direction of the move is used instead.
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

    /// Multiplicative hashes of all men, and of each side's. Only the high bits are well mixed.
    #[inline]
    fn structure_hashes(&self) -> StructureHashes {
        let pieces = Color::ALL.map(|color| {
            u64::from(self.men(color).bits()).wrapping_mul(MULTIPLIERS[color.index()])
        });
        StructureHashes { pawns: pieces[0].wrapping_add(pieces[1]), pieces }
    }

    #[inline]
    fn pack(&self, mv: Move) -> PackedMove {
        pack(mv)
    }

    /// Any step, or a legal jump.
    fn unpack(&self, packed: PackedMove) -> Option<Move> {
        let number = u64::from(packed.0).checked_sub(1)?;
        if number + 1 >= FIRST_HASHED {
            return self.hashed_jump(packed);
        }
        let from = Point::from_bit((number / PER_POINT) as u8)?;
        let rest = number % PER_POINT;
        match rest.checked_sub(DIRECTIONS) {
            None => step(from, Direction::from_bits(rest)),
            Some(rest) => exact_jump(from, rest).filter(|&mv| self.is_legal(mv)),
        }
    }
}

impl Board for Position {
    const FILES: usize = Point::FILES as usize;
    const RANKS: usize = Point::RANKS as usize;
    const KIND_LETTERS: &'static [char] = &['M'];
    const KIND_NAMES: &'static [&'static str] = &["man"];
    const KING: Option<usize> = None;
    const MAX_PIECES: usize = 24;
    const POINT_KINDS: &'static [&'static str] = &["plain", "diagonal"];

    fn point_kind(point: usize) -> usize {
        Point::from_index(point).map_or(0, |point| usize::from(Bitboard::DIAGONAL.contains(point)))
    }

    #[inline]
    fn occupied_points(&self) -> PointSet {
        points(self.occupied())
    }

    #[inline]
    fn changed_points(&self, other: &Position) -> PointSet {
        let [white, black] = Color::ALL.map(|color| self.men(color) ^ other.men(color));
        points(white | black)
    }

    #[inline]
    fn piece_at(&self, point: usize) -> Option<PieceCode> {
        Some(PieceCode::new(self.man_on(Point::from_index(point)?)?, 0))
    }

    fn king_at(&self, _: Color) -> usize {
        0
    }

    fn from_exact_fen(fen: &str) -> Option<Position> {
        let parsed = Position::from_fen(fen).ok()?;
        parsed.notice.is_none().then_some(parsed.position)
    }
}

#[inline]
fn points(bitboard: Bitboard) -> PointSet {
    PointSet(bitboard.dense().into())
}

/// The value of a man, in centipawns.
pub const MAN_VALUE: i32 = 100;

/// Of the jumps of either side, this many and one more are examined. If the opponent has more than
/// this, the move counts as losing; if the mover has, the longest of those examined counts.
const MAX_JUMPS_TRIED: usize = 32;

impl Position {
    fn longest_jump(&self) -> usize {
        let (mut longest, mut tried) = (0, 0);
        let _: ControlFlow<()> = self.try_for_each_jump(&mut |mv| {
            longest = longest.max(mv.jumps());
            tried += 1;
            if tried > MAX_JUMPS_TRIED { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        longest
    }

    fn hashed_jump(&self, packed: PackedMove) -> Option<Move> {
        let found = self.try_for_each_jump(&mut |mv| {
            if mv.jumps() > MAX_EXACT_JUMPS && pack(mv) == packed {
                ControlFlow::Break(mv)
            } else {
                ControlFlow::Continue(())
            }
        });
        found.break_value()
    }
}

// Moves in 16 bits, for the transposition table. Steps and moves of up to three jumps have unique
// numbers. Longer ones are hashed into the rest, so two may share a number; unpacking then returns
// one of the legal jumps with it.

/// Each of the first three directions is a digit in base 8.
const DIRECTIONS: u64 = Direction::COUNT as u64;
/// Moves of up to this many jumps have unique numbers.
const MAX_EXACT_JUMPS: usize = 3;
/// The unique numbers of moves with one, two and three jumps from a point.
const ONE_JUMP_COUNT: u64 = DIRECTIONS;
const TWO_JUMPS_COUNT: u64 = DIRECTIONS * DIRECTIONS;
const THREE_JUMPS_COUNT: u64 = DIRECTIONS * DIRECTIONS * DIRECTIONS;
/// Numbers per starting point: a step, then one, two and three jumps.
const PER_POINT: u64 = DIRECTIONS + ONE_JUMP_COUNT + TWO_JUMPS_COUNT + THREE_JUMPS_COUNT;
/// The first number of longer moves. No move has number 0.
const FIRST_HASHED: u64 = 1 + Point::SLOTS as u64 * PER_POINT;
const HASHED_COUNT: u64 = (1 << 16) - FIRST_HASHED;
/// An odd multiplier for hashing (as in Knuth's multiplicative hashing).
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

fn pack(mv: Move) -> PackedMove {
    let number = if mv.jumps() > MAX_EXACT_JUMPS {
        let hash = mv.bits().wrapping_mul(MULTIPLIER) >> 32;
        FIRST_HASHED + hash % HASHED_COUNT
    } else {
        let digits = mv.directions().map(|direction| direction.index() as u64);
        let digits = digits.fold(0, |number, digit| number * DIRECTIONS + digit);
        let offset = match mv.jumps() {
            0 => 0,
            1 => DIRECTIONS,
            2 => DIRECTIONS + ONE_JUMP_COUNT,
            _ => DIRECTIONS + ONE_JUMP_COUNT + TWO_JUMPS_COUNT,
        };
        1 + u64::from(mv.from().bit_index()) * PER_POINT + offset + digits
    };
    PackedMove(number as u16)
}

fn step(from: Point, direction: Direction) -> Option<Move> {
    let (files, ranks) = direction.step();
    from.offset(files, ranks).map(|_| Move::step(from, direction))
}

/// One to three jumps, if they stay on the board.
fn exact_jump(from: Point, rest: u64) -> Option<Move> {
    let (digits, jumps) = if rest < ONE_JUMP_COUNT {
        (rest, 1)
    } else if rest < ONE_JUMP_COUNT + TWO_JUMPS_COUNT {
        (rest - ONE_JUMP_COUNT, 2)
    } else {
        (rest - ONE_JUMP_COUNT - TWO_JUMPS_COUNT, 3)
    };
    let mut at = from;
    let mut mv = Move::start(from);
    for digit in (0..jumps).rev() {
        let direction = Direction::from_bits(digits / DIRECTIONS.pow(digit));
        let (files, ranks) = direction.step();
        at = at.offset(2 * files, 2 * ranks)?;
        mv = mv.with_jump(direction);
    }
    Some(mv)
}
