//! A position, its legal moves, and what a move makes of it.

use std::fmt;

use super::board::{Board, Cell, Color, Kind};

/// The kinds that a pawn may become.
const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

/// Plies without a pawn move or a capture after which the game is drawn.
const QUIET_LIMIT: u32 = 100;

/// One kind of castling. All its cells are on the side's own first rank, so files are enough.
pub struct Castling {
    pub letter: char,
    pub color: Color,
    pub king_to: i32,
    pub rook_from: i32,
    pub rook_to: i32,
    /// Files between king and rook.
    between: &'static [i32],
    /// Files that the king passes or lands on.
    king_path: [i32; 2],
}

/// The file on which both kings start.
const KING_FILE: i32 = 4;

/// The four castlings in the order of the FEN letters `KQkq`.
pub const CASTLINGS: [Castling; 4] = [
    king_side('K', Color::White),
    queen_side('Q', Color::White),
    king_side('k', Color::Black),
    queen_side('q', Color::Black),
];

/// King e-g, rook h-f.
const fn king_side(letter: char, color: Color) -> Castling {
    Castling {
        letter,
        color,
        king_to: 6,
        rook_from: 7,
        rook_to: 5,
        between: &[5, 6],
        king_path: [5, 6],
    }
}

/// King e-c, rook a-d.
const fn queen_side(letter: char, color: Color) -> Castling {
    Castling {
        letter,
        color,
        king_to: 2,
        rook_from: 0,
        rook_to: 3,
        between: &[1, 2, 3],
        king_path: [3, 2],
    }
}

impl Castling {
    /// The cell of this file on the castling side's first rank.
    fn cell(&self, file: i32) -> Cell {
        Cell { rank: self.color.other().last_rank(), file }
    }

    /// Whether king and rook stand where they started.
    pub fn is_at_home(&self, board: &Board) -> bool {
        board.get(self.cell(KING_FILE)) == Some((self.color, Kind::King))
            && board.get(self.cell(self.rook_from)) == Some((self.color, Kind::Rook))
    }
}

/// A double step just made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DoubleStep {
    /// The cell passed over.
    pub passed: Cell,
    /// Where the pawn that made the step stands now.
    pub pawn: Cell,
}

/// A move. Castling is the king's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    from: Cell,
    to: Cell,
    promotion: Option<Kind>,
}

impl fmt::Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", self.from.name(), self.to.name())?;
        match self.promotion {
            Some(kind) => write!(out, "{}", kind.letter()),
            None => Ok(()),
        }
    }
}

/// How the game has ended, as far as the position alone tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The side to move is checkmated.
    Mate,
    /// The side to move has no legal move and is not in check: a draw.
    Stalemate,
    /// 100 plies without a pawn move or a capture: a draw.
    HundredPlies,
}

/// All that must be equal for two positions to be the same one in a repetition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    board: Board,
    turn: Color,
    rights: [bool; 4],
    double_step: Option<DoubleStep>,
}

/// A position: the pieces, the side to move, and what the earlier moves left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub(super) board: Board,
    pub(super) turn: Color,
    /// The castling rights left, in the order of [`CASTLINGS`].
    pub(super) rights: [bool; 4],
    /// The double step just made, if the pawn can legally be captured en passant.
    pub(super) double_step: Option<DoubleStep>,
    /// Plies since the last pawn move or capture.
    pub(super) quiet_plies: u32,
    pub(super) move_number: u32,
}

impl Position {
    /// All legal moves as text, in no special order.
    pub fn legal_moves(&self) -> Vec<String> {
        self.legal().iter().map(Move::to_string).collect()
    }

    /// The position after the legal move written `text`.
    ///
    /// # Errors
    ///
    /// If no legal move is written so.
    pub fn play(&self, text: &str) -> Result<Position, String> {
        match self.legal().iter().find(|mv| mv.to_string() == text) {
            Some(&mv) => Ok(self.after(mv)),
            None => Err(format!("no legal move {text} in {}", self.to_fen())),
        }
    }

    /// Whether the king of the side to move is attacked.
    pub fn in_check(&self) -> bool {
        self.board.king_attacked(self.turn)
    }

    /// Whether and how the game has ended, repetition and dead positions aside.
    pub fn end(&self) -> Option<End> {
        match (self.legal().is_empty(), self.in_check()) {
            (true, true) => Some(End::Mate),
            (true, false) => Some(End::Stalemate),
            _ if self.quiet_plies >= QUIET_LIMIT => Some(End::HundredPlies),
            _ => None,
        }
    }

    /// The parts that must be equal for a repetition.
    pub fn identity(&self) -> Identity {
        Identity {
            board: self.board,
            turn: self.turn,
            rights: self.rights,
            double_step: self.double_step,
        }
    }

    /// How many series of `depth` legal moves there are.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.legal();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.iter().map(|&mv| self.after(mv).perft(depth - 1)).sum()
    }

    /// The moves that do not leave the mover's own king attacked.
    fn legal(&self) -> Vec<Move> {
        let mut moves = self.pseudo_legal();
        moves.retain(|&mv| self.is_safe(mv));
        moves
    }

    /// Whether the mover's own king is not attacked after the move.
    fn is_safe(&self, mv: Move) -> bool {
        !self.make(mv).board.king_attacked(self.turn)
    }

    /// All moves by the ways the pieces go, without asking whether the own king is left attacked.
    fn pseudo_legal(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in self.board.cells_of(self.turn) {
            if self.is_pawn(from) {
                self.pawn_moves(from, &mut moves);
            } else {
                for to in self.board.attacks(from) {
                    if !self.is_own(to) {
                        moves.push(Move { from, to, promotion: None });
                    }
                }
            }
        }
        self.castling_moves(&mut moves);
        moves
    }

    /// Whether a piece of the side to move stands here.
    fn is_own(&self, cell: Cell) -> bool {
        matches!(self.board.get(cell), Some((color, _)) if color == self.turn)
    }

    /// Whether a piece of the other side stands here.
    fn is_enemy(&self, cell: Cell) -> bool {
        matches!(self.board.get(cell), Some((color, _)) if color != self.turn)
    }

    /// Whether a pawn stands here.
    fn is_pawn(&self, cell: Cell) -> bool {
        matches!(self.board.get(cell), Some((_, Kind::Pawn)))
    }

    fn pawn_moves(&self, from: Cell, moves: &mut Vec<Move>) {
        let up = self.turn.forward();
        for sideways in [-1, 1] {
            let Some(first) = from.after((sideways, up)) else {
                continue;
            };
            if !self.board.is_empty(first) {
                continue;
            }
            self.push_pawn_move(from, first, moves);
            if from.rank != self.turn.pawn_rank() {
                continue;
            }
            if let Some(second) = first.after((sideways, up))
                && self.board.is_empty(second)
            {
                self.push_pawn_move(from, second, moves);
            }
        }
        for to in self.board.attacks(from) {
            let passed = self.double_step.is_some_and(|step| step.passed == to);
            if self.is_enemy(to) || passed {
                self.push_pawn_move(from, to, moves);
            }
        }
    }

    /// Adds a pawn move, or one for each piece it may promote to.
    fn push_pawn_move(&self, from: Cell, to: Cell, moves: &mut Vec<Move>) {
        if to.rank == self.turn.last_rank() {
            for kind in PROMOTIONS {
                moves.push(Move { from, to, promotion: Some(kind) });
            }
        } else {
            moves.push(Move { from, to, promotion: None });
        }
    }

    /// The castlings that the rules allow on the board as it stands.
    fn castling_moves(&self, moves: &mut Vec<Move>) {
        let enemy = self.turn.other();
        for (castling, &right) in CASTLINGS.iter().zip(&self.rights) {
            let is_empty = |&file: &i32| self.board.is_empty(castling.cell(file));
            let is_attacked = |&file: &i32| self.board.is_attacked(castling.cell(file), enemy);
            if right
                && castling.color == self.turn
                && castling.between.iter().all(is_empty)
                && !self.in_check()
                && !castling.king_path.iter().any(is_attacked)
            {
                moves.push(Move {
                    from: castling.cell(KING_FILE),
                    to: castling.cell(castling.king_to),
                    promotion: None,
                });
            }
        }
    }

    /// The castling that this move is, if any: only a castling king goes two cells along its rank.
    fn castling_of(&self, mv: Move) -> Option<&'static Castling> {
        let king = matches!(self.board.get(mv.from), Some((_, Kind::King)));
        if !king || mv.from.rank != mv.to.rank || (mv.from.file - mv.to.file).abs() != 2 {
            return None;
        }
        CASTLINGS
            .iter()
            .find(|castling| castling.color == self.turn && castling.king_to == mv.to.file)
    }

    /// The double step that this move answers by capturing en passant, if any: a pawn captures, one
    /// and a half cells sideways, on the empty cell passed over.
    fn answered_step(&self, mv: Move) -> Option<DoubleStep> {
        let slanting = (mv.to.half_x() - mv.from.half_x()).abs() == 3;
        if !self.is_pawn(mv.from) || !slanting || !self.board.is_empty(mv.to) {
            return None;
        }
        self.double_step.filter(|step| step.passed == mv.to)
    }

    /// Makes a move on a copy. A double step is noted even where nothing can capture the pawn.
    fn make(&self, mv: Move) -> Position {
        let mut next = self.clone();
        let pawn = self.is_pawn(mv.from);
        let captures = self.is_enemy(mv.to);

        if let Some(step) = self.answered_step(mv) {
            next.board.set(step.pawn, None);
        }
        let piece = match mv.promotion {
            Some(kind) => Some((self.turn, kind)),
            None => self.board.get(mv.from),
        };
        next.board.set(mv.from, None);
        next.board.set(mv.to, piece);
        if let Some(castling) = self.castling_of(mv) {
            next.board.set(castling.cell(castling.rook_from), None);
            next.board.set(castling.cell(castling.rook_to), Some((self.turn, Kind::Rook)));
        }

        for (castling, right) in CASTLINGS.iter().zip(&mut next.rights) {
            let homes = [castling.cell(KING_FILE), castling.cell(castling.rook_from)];
            if homes.contains(&mv.from) || homes.contains(&mv.to) {
                *right = false;
            }
        }

        next.double_step = None;
        if pawn && (mv.to.rank - mv.from.rank).abs() == 2 {
            let sideways = (mv.to.half_x() - mv.from.half_x()) / 2;
            next.double_step = mv
                .from
                .after((sideways, self.turn.forward()))
                .map(|passed| DoubleStep { passed, pawn: mv.to });
        }
        next.quiet_plies = if pawn || captures { 0 } else { self.quiet_plies + 1 };
        if self.turn == Color::Black {
            next.move_number += 1;
        }
        next.turn = self.turn.other();
        next
    }

    /// The position after a legal move.
    fn after(&self, mv: Move) -> Position {
        let mut next = self.make(mv);
        if !next.can_answer_step() {
            next.double_step = None;
        }
        next
    }

    /// Whether the pawn that made the double step can legally be captured en passant.
    pub(super) fn can_answer_step(&self) -> bool {
        self.double_step.is_some()
            && self.legal().iter().any(|&mv| self.answered_step(mv).is_some())
    }
}
