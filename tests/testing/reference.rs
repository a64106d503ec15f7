//! A slow, plain move generator for Chesquerque and Masonic chess, written straight from the rules
//! text.
//!
//! It keeps one piece per square in an array, walks every move step by step, and finds out whether a
//! move is legal by making it on a copy of the position and asking whether any enemy piece could then
//! capture the king. It shares no idea with a fast generator, so the two can check each other.
//!
//! Squares are numbered `rank * 9 + file`, both counted from 0, on both boards: `a1` is 0 and `i9` is
//! 80.

use std::fmt;

use qirkat_game::Color::{self, Black, White};

/// A step from square to square: change of file, change of rank. In Masonic chess files are counted
/// in half cells, since the even ranks are shifted right by half a cell.
type Step = (i32, i32);

const FILES: usize = 9;
const EMPTY: u8 = b'1';
const RIGHTS: [u8; 4] = *b"KQkq";

const STRAIGHT: [Step; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
/// Only diagonal points have these lines.
const DIAGONAL: [Step; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// A Masonic rook's directions, (±1, 0) and (±½, ±1) in cells.
const CANTS: [Step; 6] = [(2, 0), (-2, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)];
/// A Masonic bishop's directions, (±1½, ±1) in cells.
const SLANTS: [Step; 4] = [(3, 1), (-3, 1), (3, -1), (-3, -1)];
/// A Masonic knight's leaps, (±1, ±2), (±2, ±2) and (±2½, ±1) in cells.
const LEAPS: [[Step; 4]; 3] = [
    [(2, 2), (-2, 2), (2, -2), (-2, -2)],
    [(4, 2), (-4, 2), (4, -2), (-4, -2)],
    [(5, 1), (-5, 1), (5, -1), (-5, -1)],
];

/// The direction in which a side's pawns move.
fn forward(color: Color) -> i32 {
    if color == White { 1 } else { -1 }
}

fn color_of(piece: u8) -> Option<Color> {
    match piece {
        EMPTY => None,
        _ => Some(if piece.is_ascii_uppercase() { White } else { Black }),
    }
}

/// The piece of a side with this lower-case letter.
fn piece(color: Color, kind: u8) -> u8 {
    if color == White { kind.to_ascii_uppercase() } else { kind }
}

fn name(square: usize) -> String {
    format!("{}{}", char::from(b'a' + (square % FILES) as u8), square / FILES + 1)
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
        let promotion = self.promotion.map(String::from).unwrap_or_default();
        write!(out, "{}{}{promotion}", name(self.from), name(self.to))
    }
}

struct Castling {
    color: Color,
    king_from: usize,
    king_to: usize,
    rook_from: usize,
    rook_to: usize,
}

/// A double step: the square passed over, and the pawn's.
type DoubleStep = (usize, usize);

/// What must be equal for two positions to count as a repetition.
pub type Identity = ([u8; 81], Color, [bool; 4], Option<DoubleStep>);

/// A position: the pieces, the side to move, and what the earlier moves left behind.
#[derive(Clone)]
pub struct RefPosition {
    /// The number of files and ranks: 9 in Chesquerque, 8 in Masonic chess.
    size: usize,
    /// Pieces as FEN letters.
    board: [u8; 81],
    turn: Color,
    /// The castling rights left, in the order `KQkq`.
    rights: [bool; 4],
    /// The double step just made, if capturing the pawn en passant is legal.
    double_step: Option<DoubleStep>,
    /// Plies since the last pawn move or capture.
    quiet_plies: u32,
    move_number: u32,
}

impl RefPosition {
    /// Parses a valid FEN for a board with this number of ranks; `None` if a field is missing.
    /// Impossible castling rights are dropped.
    pub fn from_fen(fen: &str) -> Option<RefPosition> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let ranks: Vec<&str> = fields.first()?.split('/').rev().collect();
        let mut board = [EMPTY; 81];
        for (rank, letters) in ranks.iter().enumerate() {
            let mut file = 0;
            for letter in letters.chars() {
                match letter.to_digit(10) {
                    Some(run) => file += run as usize,
                    None => {
                        board[rank * FILES + file] = letter as u8;
                        file += 1;
                    }
                }
            }
        }
        let number =
            |index, missing| fields.get(index).map_or(Ok(missing), |text: &&str| text.parse());
        let mut position = RefPosition {
            size: ranks.len(),
            board,
            turn: if *fields.get(1)? == "w" { White } else { Black },
            rights: [false; 4],
            double_step: None,
            quiet_plies: number(4, 0).ok()?,
            move_number: number(5, 1).ok()?,
        };
        let given = fields.get(2)?.as_bytes();
        position.rights = std::array::from_fn(|wing| {
            let Castling { color, king_from, rook_from, .. } = position.castling(wing);
            let is_at_home =
                board[king_from] == piece(color, b'k') && board[rook_from] == piece(color, b'r');
            given.contains(&RIGHTS[wing]) && is_at_home
        });
        let passed = (0..81).find(|&square| name(square) == fields[3]);
        if passed.is_none() && *fields.get(3)? != "-" {
            return None;
        }
        // Up to two pawns can have passed over a cell of Masonic chess: the one on the lower file
        // is meant, if it can be captured.
        position.double_step = passed.and_then(|passed| position.meant_double_step(passed));
        Some(position)
    }

    pub fn to_fen(&self) -> String {
        let ranks = self.board.chunks(FILES).take(self.size).rev();
        let ranks: Vec<_> =
            ranks.map(|rank| String::from_utf8_lossy(&rank[..self.size]).into_owned()).collect();
        let board = (2..=9)
            .rev()
            .fold(ranks.join("/"), |text, run| text.replace(&"1".repeat(run), &run.to_string()));
        let rights = RIGHTS.iter().zip(self.rights).filter(|&(_, right)| right);
        let rights: String = rights.map(|(&letter, _)| char::from(letter)).collect();
        let rights = if rights.is_empty() { "-" } else { &rights };
        let passed = self.double_step.map_or_else(|| "-".to_owned(), |(passed, _)| name(passed));
        let (turn, plies, number) = (self.turn, self.quiet_plies, self.move_number);
        format!("{board} {turn} {rights} {passed} {plies} {number}")
    }

    pub fn identity(&self) -> Identity {
        (self.board, self.turn, self.rights, self.double_step)
    }

    pub fn in_check(&self) -> bool {
        self.king_attacked(self.turn)
    }

    /// The squares of all pieces, of either side, that attack this square.
    pub fn attackers(&self, target: usize) -> Vec<usize> {
        (0..81).filter(|&from| self.piece_attacks(from, target)).collect()
    }

    /// The enemy pieces that attack the king of the side to move.
    pub fn checkers(&self) -> Vec<usize> {
        let king = self.board.iter().position(|&there| there == piece(self.turn, b'k'));
        let mut attackers = king.map_or(Vec::new(), |king| self.attackers(king));
        attackers.retain(|&from| color_of(self.board[from]) != Some(self.turn));
        attackers
    }

    /// The pieces of the side to move whose removal would give more checkers.
    pub fn pinned(&self) -> Vec<usize> {
        let checkers = self.checkers();
        let is_pinned = |&square: &usize| {
            let mut without = self.clone();
            without.board[square] = EMPTY;
            color_of(self.board[square]) == Some(self.turn)
                && self.board[square] != piece(self.turn, b'k')
                && without.checkers().iter().any(|checker| !checkers.contains(checker))
        };
        (0..81).filter(is_pinned).collect()
    }

    /// All legal moves, in no particular order.
    pub fn legal_moves(&self) -> Vec<RefMove> {
        let mut moves = self.castling_moves();
        for from in (0..81).filter(|&from| color_of(self.board[from]) == Some(self.turn)) {
            if self.is_pawn(from) {
                self.pawn_moves(from, &mut moves);
            } else {
                self.attacks(from, &mut |to| {
                    if color_of(self.board[to]) != Some(self.turn) {
                        moves.push(RefMove { from, to, promotion: None });
                    }
                    false
                });
            }
        }
        moves.retain(|&mv| self.is_safe(mv));
        moves
    }

    /// Whether the move captures, en passant included.
    pub fn is_capture(&self, mv: RefMove) -> bool {
        self.board[mv.to] != EMPTY || self.is_en_passant(mv)
    }

    pub fn play(&self, mv: RefMove) -> RefPosition {
        let mut next = self.make(mv);
        next.double_step = next.double_step.filter(|&step| next.is_answered(step));
        next
    }

    fn is_pawn(&self, square: usize) -> bool {
        self.board[square].eq_ignore_ascii_case(&b'p')
    }

    /// The square one step away, or `None` off the board.
    fn neighbour(&self, square: usize, step: Step) -> Option<usize> {
        let (file, rank) = ((square % FILES) as i32, (square / FILES) as i32);
        let to_rank = rank + step.1;
        let to_file = match self.size {
            FILES => file + step.0,
            _ => {
                let halves = 2 * file + rank % 2 + step.0 - to_rank.rem_euclid(2);
                if halves % 2 != 0 {
                    return None;
                }
                halves / 2
            }
        };
        let is_on_board = |coordinate: i32| (0..self.size as i32).contains(&coordinate);
        (is_on_board(to_file) && is_on_board(to_rank))
            .then(|| to_rank as usize * FILES + to_file as usize)
    }

    /// Calls `visit` for every square that the piece on `from` attacks, occupied or not, and stops
    /// with `true` as soon as `visit` returns `true`.
    fn attacks(&self, from: usize, visit: &mut impl FnMut(usize) -> bool) -> bool {
        let Some(color) = color_of(self.board[from]) else { return false };
        let (kind, ahead) = (self.board[from].to_ascii_lowercase(), forward(color));
        let is_masonic = self.size != FILES;
        // Diagonal lines meet where file and rank are both even or both odd.
        let is_diagonal = from / FILES % 2 == from % FILES % 2;
        let (straight, slanting): (&[Step], &[Step]) = match (is_masonic, is_diagonal) {
            (true, _) => (&CANTS, &SLANTS),
            (false, true) => (&STRAIGHT, &DIAGONAL),
            (false, false) => (&STRAIGHT, &[]),
        };
        if kind == b'p' {
            return match (is_masonic, is_diagonal) {
                (true, _) => self.steps(from, &[(-3, ahead), (3, ahead)], visit),
                (false, true) => self.steps(from, &[(-1, ahead), (1, ahead)], visit),
                (false, false) => self.steps(from, &[(0, ahead)], visit),
            };
        }
        b"rq".contains(&kind) && self.slides(from, straight, visit)
            || b"baq".contains(&kind) && self.slides(from, slanting, visit)
            || b"bak".contains(&kind) && self.steps(from, straight, visit)
            || (kind == b'k' || kind == b'r' && !is_masonic) && self.steps(from, slanting, visit)
            || b"na".contains(&kind)
                && if is_masonic {
                    LEAPS.iter().any(|leaps| self.steps(from, leaps, visit))
                } else {
                    self.knight_attacks(
                        from,
                        if is_diagonal { &DIAGONAL } else { &STRAIGHT },
                        visit,
                    )
                }
    }

    /// A knight of Chesquerque: one step along a line to an empty point, then one step outward
    /// along a line of the other kind.
    fn knight_attacks(
        &self,
        from: usize,
        first: &[Step; 4],
        visit: &mut impl FnMut(usize) -> bool,
    ) -> bool {
        first.iter().any(|&step| {
            let outward = match step {
                (0, ranks) => [(-1, ranks), (1, ranks)],
                (files, 0) => [(files, -1), (files, 1)],
                (files, ranks) => [(files, 0), (0, ranks)],
            };
            let leg = self.neighbour(from, step).filter(|&leg| self.board[leg] == EMPTY);
            leg.is_some_and(|leg| self.steps(leg, &outward, visit))
        })
    }

    /// Visits the squares one step away in each direction.
    fn steps(&self, from: usize, steps: &[Step], visit: &mut impl FnMut(usize) -> bool) -> bool {
        steps.iter().any(|&step| self.neighbour(from, step).is_some_and(&mut *visit))
    }

    /// Visits the squares along each line up to the first piece, inclusive.
    fn slides(&self, from: usize, steps: &[Step], visit: &mut impl FnMut(usize) -> bool) -> bool {
        steps.iter().any(|&step| {
            let mut next = self.neighbour(from, step);
            while let Some(square) = next {
                if visit(square) {
                    return true;
                }
                next = self.neighbour(square, step).filter(|_| self.board[square] == EMPTY);
            }
            false
        })
    }

    fn piece_attacks(&self, from: usize, target: usize) -> bool {
        self.attacks(from, &mut |square| square == target)
    }

    fn is_attacked(&self, target: usize, by: Color) -> bool {
        let mut own = (0..81).filter(|&from| color_of(self.board[from]) == Some(by));
        own.any(|from| self.piece_attacks(from, target))
    }

    fn king_attacked(&self, color: Color) -> bool {
        let king = self.board.iter().position(|&there| there == piece(color, b'k'));
        king.is_some_and(|king| self.is_attacked(king, !color))
    }

    fn is_safe(&self, mv: RefMove) -> bool {
        !self.make(mv).king_attacked(self.turn)
    }

    /// The steps of a side's pawns.
    fn pawn_steps(&self, color: Color) -> &'static [Step] {
        match (self.size, color) {
            (FILES, White) => &[(0, 1)],
            (FILES, Black) => &[(0, -1)],
            (_, White) => &[(-1, 1), (1, 1)],
            (_, Black) => &[(-1, -1), (1, -1)],
        }
    }

    fn is_on_pawn_rank(&self, square: usize, color: Color) -> bool {
        square / FILES == if color == White { 1 } else { self.size - 2 }
    }

    fn pawn_moves(&self, from: usize, moves: &mut Vec<RefMove>) {
        let empty = |square: &usize| self.board[*square] == EMPTY;
        let mut targets = Vec::new();
        for &step in self.pawn_steps(self.turn) {
            let first = self.neighbour(from, step).filter(empty);
            let second = first.and_then(|first| self.neighbour(first, step)).filter(empty);
            targets.extend(first);
            targets.extend(second.filter(|_| self.is_on_pawn_rank(from, self.turn)));
        }
        self.attacks(from, &mut |to| {
            let is_passed = self.double_step.is_some_and(|(passed, _)| passed == to);
            if is_passed || color_of(self.board[to]) == Some(!self.turn) {
                targets.push(to);
            }
            false
        });
        let promotions = if self.size == FILES { "qrbna" } else { "qrbn" };
        for to in targets {
            match to / FILES {
                rank if rank == 0 || rank == self.size - 1 => {
                    moves.extend(promotions.chars().map(|kind| RefMove {
                        from,
                        to,
                        promotion: Some(kind),
                    }))
                }
                _ => moves.push(RefMove { from, to, promotion: None }),
            }
        }
    }

    /// One of the castlings, in the order `KQkq`.
    fn castling(&self, wing: usize) -> Castling {
        let (color, first) = if wing < 2 { (White, 0) } else { (Black, FILES * (self.size - 1)) };
        let [king_to, rook_from, rook_to] = match (self.size, wing % 2) {
            (FILES, 0) => [7, 8, 6],
            (FILES, _) => [1, 0, 2],
            (_, 0) => [6, 7, 5],
            (_, _) => [2, 0, 3],
        }
        .map(|file| first + file);
        Castling { color, king_from: first + 4, king_to, rook_from, rook_to }
    }

    /// The castlings that the rules allow on the board as it stands.
    fn castling_moves(&self) -> Vec<RefMove> {
        let is_possible = |&wing: &usize| {
            let Castling { color, king_from, king_to, rook_from, .. } = self.castling(wing);
            let squares = |one: usize, other: usize| one.min(other)..=one.max(other);
            let is_between = |&square: &usize| square != king_from && square != rook_from;
            self.rights[wing]
                && color == self.turn
                && squares(king_from, rook_from)
                    .filter(is_between)
                    .all(|square| self.board[square] == EMPTY)
                && !squares(king_from, king_to).any(|square| self.is_attacked(square, !color))
        };
        let castlings = (0..4).filter(is_possible).map(|wing| self.castling(wing));
        castlings
            .map(|way| RefMove { from: way.king_from, to: way.king_to, promotion: None })
            .collect()
    }

    /// The castling that this move is, if any: no other king move goes that far.
    fn castling_of(&self, mv: RefMove) -> Option<Castling> {
        let is_king = self.board[mv.from].eq_ignore_ascii_case(&b'k');
        let mut castlings = (0..4).map(|wing| self.castling(wing));
        castlings.find(|way| is_king && (way.king_from, way.king_to) == (mv.from, mv.to))
    }

    fn is_en_passant(&self, mv: RefMove) -> bool {
        self.is_pawn(mv.from)
            && self.double_step.is_some_and(|(passed, _)| passed == mv.to)
            && self.piece_attacks(mv.from, mv.to)
    }

    /// Makes a move on a copy. A double step is recorded even if nothing can capture the pawn.
    fn make(&self, mv: RefMove) -> RefPosition {
        let mut next = self.clone();
        if let Some((_, pawn)) = self.double_step.filter(|_| self.is_en_passant(mv)) {
            next.board[pawn] = EMPTY;
        }
        next.board[mv.from] = EMPTY;
        next.board[mv.to] =
            mv.promotion.map_or(self.board[mv.from], |kind| piece(self.turn, kind as u8));
        if let Some(castling) = self.castling_of(mv) {
            next.board[castling.rook_from] = EMPTY;
            next.board[castling.rook_to] = self.board[castling.rook_from];
        }
        for (wing, right) in next.rights.iter_mut().enumerate() {
            let Castling { king_from, rook_from, .. } = self.castling(wing);
            *right &= ![mv.from, mv.to].iter().any(|&end| end == king_from || end == rook_from);
        }
        next.double_step = None;
        if self.is_pawn(mv.from) && (mv.from / FILES).abs_diff(mv.to / FILES) == 2 {
            let mut passed = self.pawn_steps(self.turn).iter().filter_map(|&step| {
                let passed = self.neighbour(mv.from, step)?;
                (self.neighbour(passed, step) == Some(mv.to)).then_some(passed)
            });
            next.double_step = passed.next().map(|passed| (passed, mv.to));
        }
        let is_quiet = !self.is_pawn(mv.from) && !self.is_capture(mv);
        next.quiet_plies = if is_quiet { self.quiet_plies + 1 } else { 0 };
        next.move_number += u32::from(self.turn == Black);
        next.turn = !self.turn;
        next
    }

    /// Whether the pawn of a double step can legally be captured en passant.
    fn is_answered(&self, step: DoubleStep) -> bool {
        let position = RefPosition { double_step: Some(step), ..self.clone() };
        let mut moves = Vec::new();
        for from in (0..81).filter(|&from| self.board[from] == piece(self.turn, b'p')) {
            position.pawn_moves(from, &mut moves);
        }
        moves.iter().any(|&mv| position.is_en_passant(mv) && position.is_safe(mv))
    }

    fn meant_double_step(&self, passed: usize) -> Option<DoubleStep> {
        let enemy = !self.turn;
        let possible = self.pawn_steps(enemy).iter().filter_map(|&(files, ranks)| {
            let (start, pawn) = (
                self.neighbour(passed, (-files, -ranks))?,
                self.neighbour(passed, (files, ranks))?,
            );
            let is_possible = self.is_on_pawn_rank(start, enemy)
                && [start, passed].iter().all(|&square| self.board[square] == EMPTY)
                && self.board[pawn] == piece(enemy, b'p');
            is_possible.then_some((passed, pawn))
        });
        possible.into_iter().find(|&step| self.is_answered(step))
    }
}
