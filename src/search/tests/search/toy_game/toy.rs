//! A small draughts-like game, as unlike chess as the interface allows: captures are compulsory and
//! go on as long as possible, a move is the whole path of a man, there is neither check nor null
//! move, and a side that cannot move has lost.
//!
//! Four men a side on 16 points. A man steps one point forward, straight or diagonally, and jumps
//! over enemies in all eight directions.

use std::fmt;

use qirkat_game::distance::Ply;
use qirkat_game::score::Score;
use qirkat_game::{
    Color, Evaluate, Evaluator, GameHistory, Key, MoveFilter, Outcome, PackedMove, Rules,
    Searchable, StructureHashes, Terminal,
};

const SIZE: i32 = 4;
const POINTS: usize = 16;
/// A man can capture every enemy.
const MAX_JUMPS: usize = 4;

/// The path of one man, and the men that it captures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Way {
    points: [u8; MAX_JUMPS + 1],
    len: u8,
    taken: u16,
}

impl Way {
    fn from(self) -> usize {
        usize::from(self.points[0])
    }

    fn to(self) -> usize {
        usize::from(self.points[usize::from(self.len) - 1])
    }

    fn with(mut self, point: usize, taken: u16) -> Way {
        self.points[usize::from(self.len)] = point as u8;
        self.len += 1;
        self.taken |= taken;
        self
    }

    fn captures(self) -> i32 {
        self.taken.count_ones() as i32
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.points[..usize::from(self.len)].iter().try_for_each(|&point| {
            write!(f, "{}{}", char::from(b'a' + point % SIZE as u8), 1 + point / SIZE as u8)
        })
    }
}

impl fmt::Display for Toy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white, black] = self.men;
        write!(f, "{white:016b} {black:016b} {:?}", self.side)
    }
}

fn mix(number: u64) -> u64 {
    let mixed = (number ^ number >> 31).wrapping_mul(0x7FB5_D329_728E_A185);
    (mixed ^ mixed >> 27).wrapping_mul(0x81DA_DEF4_BC2D_D44D)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Toy {
    pub men: [u16; 2],
    pub side: Color,
    path: u64,
    /// Positions are equal only if the same moves led to them, so that the transposition table
    /// never returns entries of another path.
    pub distinguishes_paths: bool,
}

const DIRECTIONS: [(i32, i32); 8] =
    [(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)];

/// The point at this offset from another.
fn neighbour(point: usize, (dx, dy): (i32, i32)) -> Option<usize> {
    let (x, y) = (point as i32 % SIZE + dx, point as i32 / SIZE + dy);
    ((0..SIZE).contains(&x) && (0..SIZE).contains(&y)).then_some((y * SIZE + x) as usize)
}

impl Toy {
    pub fn moves(&self) -> Vec<Way> {
        let mut all = Vec::new();
        let own = self.men[self.side.index()];
        let men = || (0..POINTS).filter(move |&point| own >> point & 1 != 0);
        let way = |point: usize| Way { points: [0; 5], len: 0, taken: 0 }.with(point, 0);
        for point in men() {
            self.jumps(way(point), &mut all);
        }
        if all.is_empty() {
            let forward = if self.side == Color::White { 1 } else { -1 };
            for point in men() {
                for dx in -1..=1 {
                    let to = neighbour(point, (dx, forward));
                    all.extend(to.filter(|&to| self.is_empty(to)).map(|to| way(point).with(to, 0)));
                }
            }
        }
        all
    }

    /// Adds all continuations of a chain, jump by jump.
    fn jumps(&self, way: Way, all: &mut Vec<Way>) {
        let enemies = self.men[(!self.side).index()] & !way.taken;
        let mut goes_on = false;
        for direction in DIRECTIONS {
            let over = neighbour(way.to(), direction);
            let beyond = over.and_then(|over| neighbour(over, direction));
            if let (Some(over), Some(beyond)) = (over, beyond)
                && enemies >> over & 1 != 0
                && (self.is_empty(beyond) || way.taken >> beyond & 1 != 0 || beyond == way.from())
            {
                goes_on = true;
                self.jumps(way.with(beyond, 1 << over), all);
            }
        }
        if !goes_on && way.taken != 0 {
            all.push(way);
        }
    }

    fn is_empty(&self, point: usize) -> bool {
        (self.men[0] | self.men[1]) >> point & 1 == 0
    }
}

impl Rules for Toy {
    type Move = Way;

    fn start() -> Self {
        Toy { men: [0x000F, 0xF000], side: Color::White, path: 0, distinguishes_paths: false }
    }

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn key(&self) -> Key {
        let men = u64::from(self.men[0]) | u64::from(self.men[1]) << 16;
        let key = mix(men | (self.side.index() as u64) << 32);
        Key(if self.distinguishes_paths { key ^ self.path } else { key })
    }

    fn reversible_plies(&self) -> usize {
        0
    }

    fn is_drawn_by_100_plies(&self) -> bool {
        false
    }

    fn is_dead(&self) -> bool {
        false
    }

    fn without_moves(&self) -> Terminal {
        Terminal::Lost
    }

    fn has_legal_moves(&self) -> bool {
        !self.moves().is_empty()
    }

    fn for_each_move(&self, filter: MoveFilter, sink: &mut impl FnMut(Way)) {
        let wanted = |way: &Way| match filter {
            MoveFilter::All => true,
            MoveFilter::Noisy => way.taken != 0,
            MoveFilter::Quiet => way.taken == 0,
        };
        self.moves().into_iter().filter(wanted).for_each(sink);
    }

    fn is_legal(&self, mv: Way) -> bool {
        self.moves().contains(&mv)
    }

    fn make(&mut self, mv: Way) {
        let own = &mut self.men[self.side.index()];
        *own = *own & !(1 << mv.from()) | 1 << mv.to();
        self.men[(!self.side).index()] &= !mv.taken;
        self.side = !self.side;
        self.path = mix(self.path ^ u64::from(self.pack(mv).0) << 40 ^ u64::from(mv.taken));
    }

    fn outcome(&self, _: &GameHistory) -> Option<Outcome> {
        (!self.has_legal_moves()).then_some(Outcome::Blocked(!self.side))
    }
}

impl Searchable for Toy {
    const BUTTERFLY_SLOTS: usize = POINTS * POINTS;
    const PIECE_TO: usize = 2 * POINTS;
    const CAPTURE_SLOTS: usize = Self::PIECE_TO * (MAX_JUMPS + 1);

    fn plies_to_100_ply_draw(&self) -> u16 {
        u16::MAX
    }

    fn must_respond(&self) -> bool {
        self.moves().first().is_some_and(|way| way.taken != 0)
    }

    fn may_lack_moves(&self) -> bool {
        true
    }

    fn null_move(&self) -> Option<Self> {
        None
    }

    fn is_noisy(&self, mv: Way) -> bool {
        mv.taken != 0
    }

    fn gain(&self, mv: Way) -> i32 {
        100 * mv.captures()
    }

    fn see_ge(&self, mv: Way, threshold: i32) -> bool {
        let replies = self.after(mv).moves();
        let lost = replies.into_iter().map(Way::captures).max().unwrap_or(0);
        100 * (mv.captures() - lost) >= threshold
    }

    fn is_recapture(&self, mv: Way, last: Way) -> bool {
        mv.taken >> last.to() & 1 != 0
    }

    fn butterfly_slot(&self, mv: Way) -> usize {
        mv.from() * POINTS + mv.to()
    }

    fn piece_to(&self, mv: Way) -> usize {
        self.side.index() * POINTS + mv.to()
    }

    fn capture_slot(&self, mv: Way) -> usize {
        self.piece_to(mv) * (MAX_JUMPS + 1) + mv.captures() as usize
    }

    fn structure_hashes(&self) -> StructureHashes {
        let pieces = self.men.map(|men| mix(u64::from(men)));
        StructureHashes { pawns: pieces[0] ^ pieces[1].rotate_left(1), pieces }
    }

    /// Moves can share a number, and a table may return any.
    fn pack(&self, mv: Way) -> PackedMove {
        let points = mv.points.iter().fold(0, |sum: u64, &point| sum * 16 + u64::from(point));
        PackedMove((mix(points) >> 52) as u16 | 0x8000)
    }

    fn unpack(&self, packed: PackedMove) -> Option<Way> {
        self.moves().into_iter().find(|&mv| self.pack(mv) == packed)
    }
}

/// Evaluates men and how far they have advanced, or nothing.
pub enum ToyEvaluation {
    Men,
    Nothing,
}

impl Evaluate for ToyEvaluation {
    type Game = Toy;
    type Evaluator<'a> = &'a ToyEvaluation;

    fn evaluator(&self, _: &Toy) -> &Self {
        self
    }
}

impl Evaluator<Toy> for &ToyEvaluation {
    fn evaluate(&mut self, position: &Toy, _: Ply) -> Score {
        let side = |men: u16, forward: bool| -> i32 {
            let rank = |point: i32| if forward { point / SIZE } else { SIZE - 1 - point / SIZE };
            (0..16).filter(|&point| men >> point & 1 != 0).map(|point| 100 + 7 * rank(point)).sum()
        };
        let white = side(position.men[0], true) - side(position.men[1], false);
        let score = if position.side == Color::White { white } else { -white };
        match self {
            ToyEvaluation::Men => Score::centipawns(score),
            ToyEvaluation::Nothing => Score::DRAW,
        }
    }
}
