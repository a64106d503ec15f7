//! A slow, plain move generator for Chesquerque, written straight from the rules text.
//!
//! It keeps one piece per point in an array, walks every move step by step, and finds out whether a
//! move is legal by making it on a copy of the position and asking whether any enemy piece could then
//! capture the king. It shares no idea with a fast generator, so the two can check each other.
//!
//! Points are numbered `rank * 9 + file`, both counted from 0: `a1` is 0 and `i9` is 80.

use std::fmt;

use qirkat_game::Color::{self, Black, White};

/// The direction in which a side's pawns walk.
fn forward(color: Color) -> Step {
    if color == White { (0, 1) } else { (0, -1) }
}

/// The rank (from 0) on which a side's pawns start.
fn pawn_rank(color: Color) -> usize {
    if color == White { 1 } else { 7 }
}

/// The rank (from 0) on which a side's pawns promote.
fn last_rank(color: Color) -> usize {
    if color == White { 8 } else { 0 }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Archbishop,
    Pawn,
}

const KINDS: [(char, Kind); 7] = [
    ('k', Kind::King),
    ('q', Kind::Queen),
    ('r', Kind::Rook),
    ('b', Kind::Bishop),
    ('n', Kind::Knight),
    ('a', Kind::Archbishop),
    ('p', Kind::Pawn),
];

impl Kind {
    fn letter(self) -> char {
        KINDS.into_iter().find(|&(_, kind)| kind == self).expect("all kinds").0
    }

    fn from_letter(letter: char) -> Option<Kind> {
        KINDS.into_iter().find(|&(known, _)| known == letter).map(|(_, kind)| kind)
    }
}

/// A piece: its side and what it is.
type Piece = (Color, Kind);

/// A step from point to point: change of file, change of rank.
type Step = (i32, i32);

const STRAIGHT: [Step; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// The four diagonal steps. Only diagonal points have these lines.
const DIAGONAL: [Step; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

const PROMOTIONS: [char; 5] = ['q', 'r', 'b', 'n', 'a'];

struct Castling {
    letter: char,
    color: Color,
    king_from: usize,
    king_to: usize,
    rook_from: usize,
    rook_to: usize,
    /// Points between king and rook, each of which the king passes or lands on.
    between: [usize; 3],
}

/// The four castlings in the order of the FEN letters `KQkq`.
const CASTLINGS: [Castling; 4] = [
    archbishop_side('K', White, 0),
    queen_side('Q', White, 0),
    archbishop_side('k', Black, 72),
    queen_side('q', Black, 72),
];

/// King e-h, rook i-g, on the rank that begins with this point.
const fn archbishop_side(letter: char, color: Color, first: usize) -> Castling {
    Castling {
        letter,
        color,
        king_from: first + 4,
        king_to: first + 7,
        rook_from: first + 8,
        rook_to: first + 6,
        between: [first + 5, first + 6, first + 7],
    }
}

/// King e-b, rook a-c.
const fn queen_side(letter: char, color: Color, first: usize) -> Castling {
    Castling {
        letter,
        color,
        king_from: first + 4,
        king_to: first + 1,
        rook_from: first,
        rook_to: first + 2,
        between: [first + 1, first + 2, first + 3],
    }
}

/// Whether diagonal lines meet at this point: file and rank are both even or both odd.
fn is_diagonal(point: usize) -> bool {
    point / 9 % 2 == point % 9 % 2
}

/// The point one step away, or `None` off the board.
fn neighbour(point: usize, step: Step) -> Option<usize> {
    let file = (point % 9) as i32 + step.0;
    let rank = (point / 9) as i32 + step.1;
    if (0..9).contains(&file) && (0..9).contains(&rank) {
        Some((rank * 9 + file) as usize)
    } else {
        None
    }
}

fn point_name(point: usize) -> String {
    let file = (b'a' + (point % 9) as u8) as char;
    let rank = (b'1' + (point / 9) as u8) as char;
    format!("{file}{rank}")
}

fn point_from_name(name: &str) -> Option<usize> {
    match name.as_bytes() {
        [file @ b'a'..=b'i', rank @ b'1'..=b'9'] => {
            Some((rank - b'1') as usize * 9 + (file - b'a') as usize)
        }
        _ => None,
    }
}

#[derive(Clone, Copy)]
struct Board([Option<Piece>; 81]);

impl Board {
    fn king_point(&self, color: Color) -> Option<usize> {
        self.0.iter().position(|&piece| piece == Some((color, Kind::King)))
    }

    /// Shows `visit` every point the piece on `from` attacks, whatever stands there, and stops early
    /// with `true` as soon as `visit` returns `true`.
    fn attacks(&self, from: usize, visit: &mut impl FnMut(usize) -> bool) -> bool {
        let Some((color, kind)) = self.0[from] else {
            return false;
        };
        let diagonal = is_diagonal(from);
        match kind {
            Kind::King => {
                self.single_steps(from, &STRAIGHT, visit)
                    || diagonal && self.single_steps(from, &DIAGONAL, visit)
            }
            Kind::Queen => {
                self.slides(from, &STRAIGHT, visit)
                    || diagonal && self.slides(from, &DIAGONAL, visit)
            }
            Kind::Rook => {
                self.slides(from, &STRAIGHT, visit)
                    || diagonal && self.single_steps(from, &DIAGONAL, visit)
            }
            Kind::Bishop => self.bishop_attacks(from, visit),
            Kind::Knight => self.knight_attacks(from, visit),
            Kind::Archbishop => {
                self.bishop_attacks(from, visit) || self.knight_attacks(from, visit)
            }
            Kind::Pawn => {
                let (_, ahead) = forward(color);
                if diagonal {
                    self.single_steps(from, &[(-1, ahead), (1, ahead)], visit)
                } else {
                    self.single_steps(from, &[(0, ahead)], visit)
                }
            }
        }
    }

    /// The attacks of a bishop, or of an archbishop moving as one.
    fn bishop_attacks(&self, from: usize, visit: &mut impl FnMut(usize) -> bool) -> bool {
        self.single_steps(from, &STRAIGHT, visit)
            || is_diagonal(from) && self.slides(from, &DIAGONAL, visit)
    }

    /// The attacks of a knight, or of an archbishop moving as one: one step along a line to an
    /// empty point, then one step outward along a line of the other sort.
    fn knight_attacks(&self, from: usize, visit: &mut impl FnMut(usize) -> bool) -> bool {
        if is_diagonal(from) {
            DIAGONAL.iter().any(|&step| {
                let (files, ranks) = step;
                self.over_leg(from, step, [(files, 0), (0, ranks)], visit)
            })
        } else {
            STRAIGHT.iter().any(|&step| {
                let outward = match step {
                    (0, ranks) => [(-1, ranks), (1, ranks)],
                    (files, _) => [(files, -1), (files, 1)],
                };
                self.over_leg(from, step, outward, visit)
            })
        }
    }

    /// A knight's two ways over one leg.
    fn over_leg(
        &self,
        from: usize,
        first: Step,
        second: [Step; 2],
        visit: &mut impl FnMut(usize) -> bool,
    ) -> bool {
        match neighbour(from, first) {
            Some(leg) if self.0[leg].is_none() => self.single_steps(leg, &second, visit),
            _ => false,
        }
    }

    /// Visits the points one step away in each direction.
    fn single_steps(
        &self,
        from: usize,
        steps: &[Step],
        visit: &mut impl FnMut(usize) -> bool,
    ) -> bool {
        steps.iter().any(|&step| neighbour(from, step).is_some_and(&mut *visit))
    }

    /// Visits the points along each line up to and with the first piece.
    fn slides(&self, from: usize, steps: &[Step], visit: &mut impl FnMut(usize) -> bool) -> bool {
        for &step in steps {
            let mut point = from;
            while let Some(next) = neighbour(point, step) {
                if visit(next) {
                    return true;
                }
                if self.0[next].is_some() {
                    break;
                }
                point = next;
            }
        }
        false
    }

    fn piece_attacks(&self, from: usize, target: usize) -> bool {
        self.attacks(from, &mut |point| point == target)
    }

    fn is_attacked(&self, target: usize, by: Color) -> bool {
        (0..81).any(|from| {
            matches!(self.0[from], Some((color, _)) if color == by)
                && self.piece_attacks(from, target)
        })
    }
}

/// A move. Castling is written as the king's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RefMove {
    pub from: usize,
    pub to: usize,
    /// The lower-case letter of the piece a pawn becomes.
    pub promotion: Option<char>,
}

impl fmt::Display for RefMove {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", point_name(self.from), point_name(self.to))?;
        match self.promotion {
            Some(letter) => write!(out, "{letter}"),
            None => Ok(()),
        }
    }
}

/// A position: the pieces, the side to move, and what the earlier moves left behind.
#[derive(Clone)]
pub struct RefPosition {
    board: Board,
    turn: Color,
    /// The castling rights left, in the order of [`CASTLINGS`].
    rights: [bool; 4],
    /// The point a pawn has just passed over, if capturing there is legal.
    passed: Option<usize>,
    /// Plies since the last pawn move or capture.
    quiet_plies: u32,
    move_number: u32,
}

impl RefPosition {
    /// Reads a FEN. Returns `None` if it is not valid.
    pub fn from_fen(fen: &str) -> Option<RefPosition> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let (quiet_plies, move_number) = match fields.len() {
            4 => (0, 1),
            6 => (fields[4].parse().ok()?, fields[5].parse().ok()?),
            _ => return None,
        };
        let board = read_board(fields[0])?;
        let turn = match fields[1] {
            "w" => White,
            "b" => Black,
            _ => return None,
        };
        let rights = read_rights(fields[2], &board)?;
        let mut position =
            RefPosition { board, turn, rights, passed: None, quiet_plies, move_number };
        let waiting_king = board.king_point(!turn)?;
        if board.is_attacked(waiting_king, turn) {
            return None;
        }
        if fields[3] != "-" {
            position.passed = Some(position.read_passed(fields[3])?);
            position.drop_useless_passed();
        }
        Some(position)
    }

    pub fn to_fen(&self) -> String {
        let letter = |piece: &Option<Piece>| match piece {
            Some((White, kind)) => kind.letter().to_ascii_uppercase(),
            Some((Black, kind)) => kind.letter(),
            None => '1',
        };
        let ranks = self.board.0.chunks(9).rev();
        let ranks: Vec<String> = ranks.map(|rank| rank.iter().map(letter).collect()).collect();
        let fen = (2..=9)
            .rev()
            .fold(ranks.join("/"), |text, run| text.replace(&"1".repeat(run), &run.to_string()));
        let mut rights: String =
            (0..4).filter(|&i| self.rights[i]).map(|i| CASTLINGS[i].letter).collect();
        if rights.is_empty() {
            rights.push('-');
        }
        let passed = match self.passed {
            Some(point) => point_name(point),
            None => "-".to_string(),
        };
        format!("{fen} {} {rights} {passed} {} {}", self.turn, self.quiet_plies, self.move_number)
    }

    pub fn in_check(&self) -> bool {
        self.king_attacked(self.turn)
    }

    /// The points of all pieces, of either side, that attack this point.
    pub fn attackers(&self, target: usize) -> Vec<usize> {
        (0..81).filter(|&from| self.board.piece_attacks(from, target)).collect()
    }

    /// The enemy pieces that attack the king of the side to move.
    pub fn checkers(&self) -> Vec<usize> {
        let king = self.board.king_point(self.turn);
        let mut attackers = king.map_or(Vec::new(), |king| self.attackers(king));
        attackers.retain(|&from| self.board.0[from].is_some_and(|(color, _)| color != self.turn));
        attackers
    }

    /// The pieces of the side to move without which more enemies would give check.
    pub fn pinned(&self) -> Vec<usize> {
        let checkers = self.checkers();
        let is_pinned = |&point: &usize| match self.board.0[point] {
            Some((color, kind)) if color == self.turn && kind != Kind::King => {
                let mut without = self.clone();
                without.board.0[point] = None;
                without.checkers().iter().any(|checker| !checkers.contains(checker))
            }
            _ => false,
        };
        (0..81).filter(is_pinned).collect()
    }

    /// All legal moves, in no special order.
    pub fn legal_moves(&self) -> Vec<RefMove> {
        let mut moves = self.pseudo_moves();
        moves.retain(|&mv| self.is_safe(mv));
        moves
    }

    /// Whether the move captures, en passant included.
    pub fn is_capture(&self, mv: RefMove) -> bool {
        self.board.0[mv.to].is_some() || self.is_en_passant(mv)
    }

    pub fn play(&self, mv: RefMove) -> RefPosition {
        let mut next = self.make(mv);
        next.drop_useless_passed();
        next
    }

    fn king_attacked(&self, color: Color) -> bool {
        self.board.king_point(color).is_some_and(|king| self.board.is_attacked(king, !color))
    }

    fn is_safe(&self, mv: RefMove) -> bool {
        !self.make(mv).king_attacked(self.turn)
    }

    /// All moves by the ways the pieces walk, without asking whether the own king is left attacked.
    fn pseudo_moves(&self) -> Vec<RefMove> {
        let mut moves = Vec::with_capacity(64);
        for from in 0..81 {
            match self.board.0[from] {
                Some((color, kind)) if color == self.turn => {
                    if kind == Kind::Pawn {
                        self.pawn_moves(from, &mut moves);
                    } else {
                        self.piece_moves(from, &mut moves);
                    }
                }
                _ => {}
            }
        }
        self.castling_moves(&mut moves);
        moves
    }

    /// The moves of a piece that captures as it moves.
    fn piece_moves(&self, from: usize, moves: &mut Vec<RefMove>) {
        self.board.attacks(from, &mut |to| {
            let own = matches!(self.board.0[to], Some((color, _)) if color == self.turn);
            if !own {
                moves.push(RefMove { from, to, promotion: None });
            }
            false
        });
    }

    fn pawn_moves(&self, from: usize, moves: &mut Vec<RefMove>) {
        let forward = forward(self.turn);
        if let Some(ahead) = neighbour(from, forward)
            && self.board.0[ahead].is_none()
        {
            self.push_pawn_move(from, ahead, moves);
            if from / 9 == pawn_rank(self.turn)
                && let Some(second) = neighbour(ahead, forward)
                && self.board.0[second].is_none()
            {
                self.push_pawn_move(from, second, moves);
            }
        }
        self.board.attacks(from, &mut |to| {
            let enemy = matches!(self.board.0[to], Some((color, _)) if color != self.turn);
            if enemy || self.passed == Some(to) {
                self.push_pawn_move(from, to, moves);
            }
            false
        });
    }

    /// Adds a pawn move, or one for each piece it may promote to.
    fn push_pawn_move(&self, from: usize, to: usize, moves: &mut Vec<RefMove>) {
        if to / 9 == last_rank(self.turn) {
            for letter in PROMOTIONS {
                moves.push(RefMove { from, to, promotion: Some(letter) });
            }
        } else {
            moves.push(RefMove { from, to, promotion: None });
        }
    }

    /// The castlings that the rules allow on the board as it stands.
    fn castling_moves(&self, moves: &mut Vec<RefMove>) {
        let enemy = !self.turn;
        for (castling, &right) in CASTLINGS.iter().zip(&self.rights) {
            if right
                && castling.color == self.turn
                && castling.between.iter().all(|&point| self.board.0[point].is_none())
                && !self.board.is_attacked(castling.king_from, enemy)
                && !castling.between.iter().any(|&point| self.board.is_attacked(point, enemy))
            {
                moves.push(RefMove {
                    from: castling.king_from,
                    to: castling.king_to,
                    promotion: None,
                });
            }
        }
    }

    /// The castling that this move is, if any: only a castling king goes three points.
    fn castling_of(&self, mv: RefMove) -> Option<&'static Castling> {
        let king = matches!(self.board.0[mv.from], Some((_, Kind::King)));
        if !king || (mv.from % 9).abs_diff(mv.to % 9) != 3 {
            return None;
        }
        CASTLINGS.iter().find(|castling| castling.king_from == mv.from && castling.king_to == mv.to)
    }

    /// Whether the move is a pawn's diagonal capture on an empty point.
    fn is_en_passant(&self, mv: RefMove) -> bool {
        matches!(self.board.0[mv.from], Some((_, Kind::Pawn)))
            && mv.from % 9 != mv.to % 9
            && self.board.0[mv.to].is_none()
    }

    /// The point from which a captured piece is taken: beside the pawn for en passant.
    fn victim_point(&self, mv: RefMove) -> usize {
        if self.is_en_passant(mv) { mv.from / 9 * 9 + mv.to % 9 } else { mv.to }
    }

    /// Makes a move on a copy. The point a pawn has passed over is noted even where nothing can
    /// capture there.
    fn make(&self, mv: RefMove) -> RefPosition {
        let mut next = self.clone();
        let pawn = matches!(self.board.0[mv.from], Some((_, Kind::Pawn)));

        next.board.0[self.victim_point(mv)] = None;
        let piece = next.board.0[mv.from].take();
        next.board.0[mv.to] = match mv.promotion.and_then(Kind::from_letter) {
            Some(kind) => Some((self.turn, kind)),
            None => piece,
        };
        if let Some(castling) = self.castling_of(mv) {
            next.board.0[castling.rook_to] = next.board.0[castling.rook_from].take();
        }

        for (castling, right) in CASTLINGS.iter().zip(&mut next.rights) {
            let homes = [castling.king_from, castling.rook_from];
            if homes.contains(&mv.from) || homes.contains(&mv.to) {
                *right = false;
            }
        }

        let double_step = pawn && (mv.from / 9).abs_diff(mv.to / 9) == 2;
        next.passed = double_step.then(|| (mv.from + mv.to) / 2);
        if pawn || self.is_capture(mv) {
            next.quiet_plies = 0;
        } else {
            next.quiet_plies += 1;
        }
        if self.turn == Black {
            next.move_number += 1;
        }
        next.turn = !self.turn;
        next
    }

    /// Forgets the point passed over if no capture there is legal.
    fn drop_useless_passed(&mut self) {
        if self.passed.is_none() {
            return;
        }
        let mut moves = Vec::new();
        for from in 0..81 {
            if self.board.0[from] == Some((self.turn, Kind::Pawn)) {
                self.pawn_moves(from, &mut moves);
            }
        }
        if !moves.iter().any(|&mv| self.is_en_passant(mv) && self.is_safe(mv)) {
            self.passed = None;
        }
    }

    /// Reads the field with the point passed over, and checks that a pawn can have passed it.
    fn read_passed(&self, field: &str) -> Option<usize> {
        let point = point_from_name(field)?;
        let enemy = !self.turn;
        let landing = neighbour(point, forward(enemy))?;
        let start = neighbour(point, forward(self.turn))?;
        let possible = start / 9 == pawn_rank(enemy)
            && self.board.0[start].is_none()
            && self.board.0[point].is_none()
            && self.board.0[landing] == Some((enemy, Kind::Pawn));
        possible.then_some(point)
    }
}

/// Reads the field with the pieces, and checks kings and pawns.
fn read_board(field: &str) -> Option<Board> {
    let mut board = Board([None; 81]);
    let rows: Vec<&str> = field.split('/').collect();
    if rows.len() != 9 {
        return None;
    }
    for (row, rank) in rows.iter().zip((0..9).rev()) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(run @ 1..=9) = letter.to_digit(10) {
                file += run as usize;
                continue;
            }
            let color = if letter.is_ascii_uppercase() { White } else { Black };
            let kind = Kind::from_letter(letter.to_ascii_lowercase())?;
            if file > 8 || kind == Kind::Pawn && (rank == 0 || rank == 8) {
                return None;
            }
            board.0[rank * 9 + file] = Some((color, kind));
            file += 1;
        }
        if file != 9 {
            return None;
        }
    }
    let kings = |color| board.0.iter().filter(|&&piece| piece == Some((color, Kind::King))).count();
    (kings(White) == 1 && kings(Black) == 1).then_some(board)
}

/// Reads the castling field, and drops the rights whose king or rook is not at home.
fn read_rights(field: &str, board: &Board) -> Option<[bool; 4]> {
    let mut rights = [false; 4];
    if field == "-" {
        return Some(rights);
    }
    let mut rest = field;
    for (castling, right) in CASTLINGS.iter().zip(&mut rights) {
        if let Some(after) = rest.strip_prefix(castling.letter) {
            rest = after;
            *right = board.0[castling.king_from] == Some((castling.color, Kind::King))
                && board.0[castling.rook_from] == Some((castling.color, Kind::Rook));
        }
    }
    (rest.is_empty() && !field.is_empty()).then_some(rights)
}
