//! A position: men, side to move, forbidden steps and clocks, and its FEN, which has the forbidden
//! steps in place of castling and en passant.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use qirkat_game::splitmix::splitmix64;
use qirkat_game::text::Excerpt;
use qirkat_game::{Color, Key, Rules};

use super::chain::{ForbiddenStep, Move};
use super::point::{Bitboard, Point};
use crate::Side;
use crate::fen::{
    FenError, FenNotice, MAX_CLOCK, ParsedFen, placement_text, read_clocks, read_placement,
    read_side, required,
};

pub const START_FEN: &str = "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w - - 0 1";

/// A position: men, side to move, the step that is forbidden to each side, and both clocks.
///
/// ```
/// use qirkat_game::{Color, Rules};
/// use qirkat_rules::alquerque::Position;
///
/// // The man steps next to b3, which has to jump over it.
/// let position = Position::start().after("d3c3".parse()?);
/// assert_eq!(position.side_to_move(), Color::Black);
/// assert!(position.can_jump());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) men: [Bitboard; 2],
    pub(super) key: Key,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
    pub(super) side_to_move: Color,
    /// By side, only if the step is otherwise legal.
    pub(super) forbidden: [Option<ForbiddenStep>; 2],
}

impl Default for Position {
    fn default() -> Position {
        Rules::start()
    }
}

/// Equal positions have equal Zobrist keys.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl Position {
    /// A position with initial clocks, whose key is not computed yet.
    fn new(men: [Bitboard; 2], side_to_move: Color) -> Position {
        Position {
            men,
            key: Key::default(),
            halfmove_clock: 0,
            fullmove_number: 1,
            side_to_move,
            forbidden: [None; 2],
        }
    }

    #[inline]
    pub const fn men(&self, color: Color) -> Bitboard {
        self.men[color.index()]
    }

    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.men[0] | self.men[1]
    }

    #[inline]
    pub fn empty(&self) -> Bitboard {
        !self.occupied()
    }

    /// The side whose man is on a point.
    pub fn man_on(&self, point: Point) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.men(color).contains(point))
    }

    /// The step that a side must not make at its next move, since it would undo its last one. Only
    /// if it is otherwise legal, compulsory jumps aside.
    #[inline]
    pub const fn forbidden_step(&self, color: Color) -> Option<ForbiddenStep> {
        self.forbidden[color.index()]
    }

    /// Plies since the last jump or forward step (the halfmove clock).
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The step, if it is possible on this board apart from the ban and compulsory jumps.
    #[inline]
    pub(super) fn if_possible(
        &self,
        color: Color,
        step: Option<ForbiddenStep>,
    ) -> Option<ForbiddenStep> {
        let (from, to) = ENDS[ForbiddenStep::number(step)];
        let leaves = self.men(color) & !Bitboard::last_rank(color) & from;
        let lands = self.empty() & to;
        step.filter(|_| leaves.any() & lands.any())
    }

    #[inline]
    pub(super) fn make_for<S: Side>(&mut self, mv: Move) {
        let mut undoing = None;
        let mut clock = 0;
        if mv.is_jump() {
            self.jump::<S>(mv);
        } else {
            self.step::<S>(mv);
            undoing = ForbiddenStep::undoing(mv);
            clock = (self.halfmove_clock + 1).min(MAX_CLOCK) * u16::from(undoing.is_some());
        }
        self.halfmove_clock = clock;
        self.pass_turn::<S>(undoing);
    }

    /// The position after passing, which is not a legal move; it shows what the opponent would do.
    #[must_use]
    pub fn after_null_move(&self) -> Position {
        let mut next = *self;
        next.halfmove_clock = (next.halfmove_clock + 1).min(MAX_CLOCK);
        match_side!(self.side_to_move, Own => next.pass_turn::<Own>(None));
        next
    }

    /// Passes the turn after the men have been moved. `undoing` is the step back, which is now
    /// forbidden.
    #[inline]
    fn pass_turn<S: Side>(&mut self, undoing: Option<ForbiddenStep>) {
        self.forbid::<S>(undoing);
        let still_forbidden =
            self.if_possible(S::Enemy::COLOR, self.forbidden_step(S::Enemy::COLOR));
        self.forbid::<S::Enemy>(still_forbidden);
        self.side_to_move = S::Enemy::COLOR;
        self.key ^= black_to_move_key();
        self.fullmove_number = (self.fullmove_number + S::COLOR as u16).min(MAX_CLOCK);
    }

    #[inline]
    fn step<S: Side>(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.step_to());
        self.men[S::COLOR.index()] ^= from.bit() ^ to.bit();
        self.key ^= man_key(S::COLOR, from);
        self.key ^= man_key(S::COLOR, to);
    }

    #[inline]
    fn jump<S: Side>(&mut self, mv: Move) {
        let mut captured = Bitboard::EMPTY;
        let mut to = mv.from();
        for (over, next) in mv.jump_legs() {
            captured |= over.bit();
            self.key ^= man_key(S::Enemy::COLOR, over);
            to = next;
        }
        self.key ^= man_key(S::COLOR, mv.from());
        self.key ^= man_key(S::COLOR, to);
        // They cancel out if the man returns to its starting point.
        self.men[S::COLOR.index()] ^= mv.from().bit() ^ to.bit();
        self.men[S::Enemy::COLOR.index()] ^= captured;
    }

    #[inline]
    fn forbid<S: Side>(&mut self, step: Option<ForbiddenStep>) {
        let forbidden = &mut self.forbidden[S::COLOR.index()];
        self.key ^= forbidden_key(S::COLOR, *forbidden);
        self.key ^= forbidden_key(S::COLOR, step);
        *forbidden = step;
    }

    /// The key computed from scratch; equal to the incremental one.
    pub(super) fn key_from_scratch(&self) -> Key {
        let mut key = Key::default();
        for color in Color::ALL {
            for point in self.men(color) {
                key ^= man_key(color, point);
            }
            key ^= forbidden_key(color, self.forbidden_step(color));
        }
        if self.side_to_move == Color::Black {
            key ^= black_to_move_key();
        }
        key
    }

    /// The position with the sides swapped: ranks flipped, colors and side to move exchanged.
    pub fn flipped(&self) -> Position {
        let [white, black] = self.men.map(|men| mapped(men, Point::flipped));
        let [of_white, of_black] = self.forbidden.map(|step| step.and_then(|step| step.flipped()));
        let mut flipped = Position {
            men: [black, white],
            forbidden: [of_black, of_white],
            side_to_move: !self.side_to_move,
            key: Key::default(),
            ..*self
        };
        flipped.key = flipped.key_from_scratch();
        flipped
    }

    /// The position with the files mirrored.
    pub fn mirrored(&self) -> Position {
        let mut mirrored = Position {
            men: self.men.map(|men| mapped(men, Point::mirrored)),
            forbidden: self.forbidden.map(|step| step.and_then(|step| step.mirrored())),
            key: Key::default(),
            ..*self
        };
        mirrored.key = mirrored.key_from_scratch();
        mirrored
    }
}

/// The start and target of each step, by [`ForbiddenStep::number`].
static ENDS: [(Bitboard, Bitboard); ForbiddenStep::COUNT] = {
    let mut ends = [(Bitboard::EMPTY, Bitboard::EMPTY); ForbiddenStep::COUNT];
    let mut index = 0;
    while let Some(from) = Point::from_index(index / 2) {
        let (right, files) = if index % 2 == 1 { (1, 1) } else { (0, -1) };
        if let Some(to) = from.offset(files, 0) {
            ends[1 + 2 * from.bit_index() as usize + right] = (from.bit(), to.bit());
        }
        index += 1;
    }
    ends
};

fn mapped(men: Bitboard, mapping: impl Fn(Point) -> Point) -> Bitboard {
    men.into_iter().map(mapping).collect()
}

/// A position without its clocks, in 63 bits: men, side to move and forbidden steps. A position
/// repeats when its state does.
///
/// From the lowest bit: White's men, 25 bits, `a1` first, along the ranks; Black's men; the step
/// forbidden to White, 6 bits; the step forbidden to Black; 1 if Black is to move. A forbidden step
/// is 0 if there is none, else 1 + twice the index of the point of the man, plus 1 for a step east.
///
/// ```
/// use qirkat_game::Rules;
/// use qirkat_rules::alquerque::Position;
///
/// let position = Position::start();
/// assert_eq!(position.state().position(), Some(position));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State(pub u64);

const POINTS: u32 = Point::COUNT as u32;
const STEP_BITS: u32 = 6;
const STEPS_AT: u32 = 2 * POINTS;
const SIDE_AT: u32 = STEPS_AT + 2 * STEP_BITS;

impl Position {
    /// Everything but the clocks.
    pub fn state(&self) -> State {
        let [white, black] = self.men.map(|men| u64::from(men.dense()));
        let [of_white, of_black] = self.forbidden.map(step_code);
        let side = self.side_to_move.index() as u64;
        State(
            white
                | black << POINTS
                | of_white << STEPS_AT
                | of_black << (STEPS_AT + STEP_BITS)
                | side << SIDE_AT,
        )
    }
}

impl State {
    /// The position with this state and initial clocks; none if men overlap, or a forbidden step
    /// would be impossible anyway.
    pub fn position(self) -> Option<Position> {
        let field = |at: u32, bits: u32| self.0 >> at & ((1 << bits) - 1);
        let [white, black] = [0, POINTS].map(|at| Bitboard::from_dense(field(at, POINTS) as u32));
        let side_to_move = match self.0 >> SIDE_AT {
            0 => Color::White,
            1 => Color::Black,
            _ => return None,
        };
        if (white & black).any() {
            return None;
        }
        let mut position = Position::new([white, black], side_to_move);
        for (color, at) in Color::ALL.into_iter().zip([STEPS_AT, STEPS_AT + STEP_BITS]) {
            let code = field(at, STEP_BITS);
            if code != 0 {
                position.forbidden[color.index()] =
                    Some(position.if_possible(color, step_of_code(code))?);
            }
        }
        position.key = position.key_from_scratch();
        Some(position)
    }
}

fn step_code(step: Option<ForbiddenStep>) -> u64 {
    step.map_or(0, |step| 1 + 2 * step.from().index() as u64 + u64::from(step.to() > step.from()))
}

fn step_of_code(code: u64) -> Option<ForbiddenStep> {
    let from = Point::from_index((code - 1) as usize / 2)?;
    let files = if code.is_multiple_of(2) { 1 } else { -1 };
    ForbiddenStep::between(from, from.offset(files, 0)?)
}

/// Zobrist keys of men, side to move and forbidden steps (A. Zobrist, "A New Hashing Method with
/// Application for Game Playing", 1970).
struct Keys {
    men: [[u64; Point::SLOTS]; 2],
    forbidden: [[u64; ForbiddenStep::COUNT]; 2],
    black_to_move: u64,
}

static KEYS: Keys = {
    let mut state = 0x2545_F491_4F6C_DD1D;
    let mut keys = Keys {
        men: [[0; Point::SLOTS]; 2],
        forbidden: [[0; ForbiddenStep::COUNT]; 2],
        black_to_move: splitmix64(&mut state),
    };
    let mut color = 0;
    while color < 2 {
        let mut slot = 0;
        while slot < Point::SLOTS {
            keys.men[color][slot] = splitmix64(&mut state);
            slot += 1;
        }
        // Index 0, no forbidden step, keeps key 0.
        let mut step = 1;
        while step < ForbiddenStep::COUNT {
            keys.forbidden[color][step] = splitmix64(&mut state);
            step += 1;
        }
        color += 1;
    }
    keys
};

#[inline]
fn man_key(color: Color, point: Point) -> Key {
    Key(KEYS.men[color.index()][point.slot()])
}

#[inline]
fn forbidden_key(color: Color, step: Option<ForbiddenStep>) -> Key {
    Key(KEYS.forbidden[color.index()][ForbiddenStep::number(step)])
}

#[inline]
fn black_to_move_key() -> Key {
    Key(KEYS.black_to_move)
}

const FORBIDDEN_NOW: &str = "forbidden step";
const FORBIDDEN_NEXT: &str = "other side's forbidden step";

impl Position {
    /// Reads a FEN. The two clocks may be missing. A side may have any number of men; without men
    /// it has lost when it is to move.
    ///
    /// # Errors
    /// When a field is missing or malformed.
    pub fn from_fen(fen: &str) -> Result<ParsedFen<Position>, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let board = fields.next().ok_or(FenError::Empty)?;
        let mut position = Position::new(read_board(board)?, read_side(&mut fields)?);
        let mut dropped = Vec::new();
        let us = position.side_to_move;
        for (field, color) in [(FORBIDDEN_NOW, us), (FORBIDDEN_NEXT, !us)] {
            let text = required(&mut fields, field)?;
            let step = read_step(field, text)?;
            let kept = position.if_possible(color, step);
            if kept != step {
                dropped.push(text);
            }
            position.forbidden[color.index()] = kept;
        }
        (position.halfmove_clock, position.fullmove_number) = read_clocks(&mut fields)?;
        position.key = position.key_from_scratch();
        let notice = (!dropped.is_empty()).then(|| FenNotice::StepsDropped(dropped.join(" ")));
        Ok(ParsedFen { position, notice })
    }

    /// The position as FEN, always with all six fields.
    pub fn fen(&self) -> String {
        self.to_string()
    }
}

fn read_board(board: &str) -> Result<[Bitboard; 2], FenError> {
    let mut men = [Bitboard::EMPTY; 2];
    let color = |read: char| Color::ALL.into_iter().find(|&color| letter(color) == read);
    let put = |file, rank, color: Color| men[color.index()] |= Point::new(file, rank).bit();
    read_placement([Point::FILES, Point::RANKS], "point", board, color, put)?;
    Ok(men)
}

fn read_step(field: &'static str, text: &str) -> Result<Option<ForbiddenStep>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let step = Move::parse(text)
        .filter(|mv| !mv.is_jump())
        .and_then(|mv| ForbiddenStep::between(mv.from(), mv.to()));
    match step {
        Some(step) => Ok(Some(step)),
        None => Err(FenError::ForbiddenStep { field, text: Excerpt::of(text) }),
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Position, FenError> {
        Ok(Position::from_fen(fen)?.position)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let man = |file, rank| self.man_on(Point::new(file, rank)).map(letter);
        let us = self.side_to_move;
        write!(f, "{} {us}", placement_text([Point::FILES, Point::RANKS], man))?;
        for color in [us, !us] {
            match self.forbidden_step(color) {
                Some(step) => write!(f, " {step}")?,
                None => f.write_str(" -")?,
            }
        }
        write!(f, " {} {}", self.halfmove_clock, self.fullmove_number)
    }
}

pub(super) const fn letter(color: Color) -> char {
    match color {
        Color::White => 'M',
        Color::Black => 'm',
    }
}
