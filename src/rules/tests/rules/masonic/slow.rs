//! Masonic chess: chess on 64 cells laid like bricks.
//!
//! A cell is known by its file and rank. All geometry uses the place of its centre, counted in
//! half cells sideways, because even ranks are shifted by half a cell.

use std::fmt;

use qirkat_game::Color::{self, Black, White};

/// A way from centre to centre: change of x in half cells, change of rank.
pub type Step = (i32, i32);

/// A rook's directions: (±1, 0) and (±½, ±1) in cells.
const ROOK_STEPS: [Step; 6] = [(2, 0), (-2, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)];

/// A bishop's directions: (±1½, ±1) in cells.
const BISHOP_STEPS: [Step; 4] = [(3, 1), (-3, 1), (3, -1), (-3, -1)];

/// A knight's leaps: (±1, ±2), (±2, ±2) and (±2½, ±1) in cells.
pub const KNIGHT_LEAPS: [Step; 12] = [
    (2, 2),
    (-2, 2),
    (2, -2),
    (-2, -2),
    (4, 2),
    (-4, 2),
    (4, -2),
    (-4, -2),
    (5, 1),
    (-5, 1),
    (5, -1),
    (-5, -1),
];

/// A cell of the board. Cells order by rank, then by file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// The rank, 1 to 8.
    pub rank: i32,
    /// The file, 0 to 7.
    pub file: i32,
}

impl Cell {
    /// The cell of this file and rank, or `None` off the board.
    pub fn new(file: i32, rank: i32) -> Option<Cell> {
        ((0..8).contains(&file) && (1..=8).contains(&rank)).then_some(Cell { rank, file })
    }

    /// Where the centre is, counted in half cells: even ranks are shifted right by one.
    pub fn half_x(self) -> i32 {
        2 * self.file + shift(self.rank)
    }

    /// The cell whose centre lies this step away.
    pub fn after(self, (dx, dy): Step) -> Option<Cell> {
        let rank = self.rank + dy;
        let twice_file = self.half_x() + dx - shift(rank);
        if twice_file % 2 != 0 {
            return None;
        }
        Cell::new(twice_file / 2, rank)
    }

    pub fn name(self) -> String {
        let file = (b'a' + self.file as u8) as char;
        format!("{file}{}", self.rank)
    }

    pub fn from_name(name: &str) -> Option<Cell> {
        match name.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Cell::new((file - b'a').into(), (rank - b'0').into())
            }
            _ => None,
        }
    }

    pub fn all() -> impl Iterator<Item = Cell> {
        (1..=8).flat_map(|rank| (0..8).map(move |file| Cell { rank, file }))
    }
}

fn shift(rank: i32) -> i32 {
    if rank % 2 == 0 { 1 } else { 0 }
}

/// The change of rank when a side's pawns go forward.
fn forward(color: Color) -> i32 {
    if color == White { 1 } else { -1 }
}

/// The rank on which a side's pawns start.
fn pawn_rank(color: Color) -> i32 {
    if color == White { 2 } else { 7 }
}

/// The rank on which a side's pawns promote.
fn last_rank(color: Color) -> i32 {
    if color == White { 8 } else { 1 }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
}

const KINDS: [(char, Kind); 6] = [
    ('k', Kind::King),
    ('q', Kind::Queen),
    ('r', Kind::Rook),
    ('b', Kind::Bishop),
    ('n', Kind::Knight),
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
pub type Piece = (Color, Kind);

/// The pieces on the cells: eight ranks from the first, eight files each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board([[Option<Piece>; 8]; 8]);

impl Board {
    pub fn empty() -> Board {
        Board([[None; 8]; 8])
    }

    pub fn get(&self, cell: Cell) -> Option<Piece> {
        self.0[cell.rank as usize - 1][cell.file as usize]
    }

    /// Puts a piece on this cell, or clears it.
    pub fn set(&mut self, cell: Cell, piece: Option<Piece>) {
        self.0[cell.rank as usize - 1][cell.file as usize] = piece;
    }

    pub fn is_empty(&self, cell: Cell) -> bool {
        self.get(cell).is_none()
    }

    pub fn cells_of(&self, color: Color) -> Vec<Cell> {
        Cell::all().filter(|&cell| matches!(self.get(cell), Some((c, _)) if c == color)).collect()
    }

    pub fn king_cell(&self, color: Color) -> Option<Cell> {
        Cell::all().find(|&cell| self.get(cell) == Some((color, Kind::King)))
    }

    /// Every cell that the piece on `from` attacks, whatever stands there.
    pub fn attacks(&self, from: Cell) -> Vec<Cell> {
        match self.get(from) {
            None => Vec::new(),
            Some((_, Kind::King)) => {
                [single_steps(from, &ROOK_STEPS), single_steps(from, &BISHOP_STEPS)].concat()
            }
            Some((_, Kind::Queen)) => {
                [self.slides(from, &ROOK_STEPS), self.slides(from, &BISHOP_STEPS)].concat()
            }
            Some((_, Kind::Rook)) => self.slides(from, &ROOK_STEPS),
            Some((_, Kind::Bishop)) => {
                [self.slides(from, &BISHOP_STEPS), single_steps(from, &ROOK_STEPS)].concat()
            }
            Some((_, Kind::Knight)) => single_steps(from, &KNIGHT_LEAPS),
            Some((color, Kind::Pawn)) => {
                single_steps(from, &[(-3, forward(color)), (3, forward(color))])
            }
        }
    }

    /// The cells along each line up to and with the first piece.
    fn slides(&self, from: Cell, steps: &[Step]) -> Vec<Cell> {
        let mut cells = Vec::new();
        for &step in steps {
            let mut cell = from;
            while let Some(next) = cell.after(step) {
                cells.push(next);
                if !self.is_empty(next) {
                    break;
                }
                cell = next;
            }
        }
        cells
    }

    pub fn is_attacked(&self, target: Cell, by: Color) -> bool {
        self.cells_of(by).iter().any(|&from| self.attacks(from).contains(&target))
    }

    pub fn king_attacked(&self, color: Color) -> bool {
        self.king_cell(color).is_some_and(|king| self.is_attacked(king, !color))
    }
}

/// The cells one step away, each way.
fn single_steps(from: Cell, steps: &[Step]) -> Vec<Cell> {
    steps.iter().filter_map(|&step| from.after(step)).collect()
}

const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

/// One kind of castling. All its cells are on the side's own first rank, so files are enough.
pub struct Castling {
    pub letter: char,
    pub color: Color,
    pub king_to: i32,
    pub rook_from: i32,
    pub rook_to: i32,
    between: &'static [i32],
    /// Files that the king passes or lands on.
    king_path: [i32; 2],
}

/// The file on which both kings start.
const KING_FILE: i32 = 4;

/// The four castlings in the order of the FEN letters `KQkq`.
pub const CASTLINGS: [Castling; 4] =
    [king_side('K', White), queen_side('Q', White), king_side('k', Black), queen_side('q', Black)];

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
        Cell { rank: last_rank(!self.color), file }
    }

    pub fn is_at_home(&self, board: &Board) -> bool {
        board.get(self.cell(KING_FILE)) == Some((self.color, Kind::King))
            && board.get(self.cell(self.rook_from)) == Some((self.color, Kind::Rook))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DoubleStep {
    pub passed: Cell,
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
    board: Board,
    turn: Color,
    /// The castling rights left, in the order of [`CASTLINGS`].
    rights: [bool; 4],
    /// The double step just made, if the pawn can legally be captured en passant.
    double_step: Option<DoubleStep>,
    /// Plies since the last pawn move or capture.
    quiet_plies: u32,
    move_number: u32,
}

impl Position {
    /// All legal moves as text, in no special order.
    pub fn legal_moves(&self) -> Vec<String> {
        self.legal().iter().map(Move::to_string).collect()
    }

    /// The position after the legal move written `text`.
    pub fn play(&self, text: &str) -> Result<Position, String> {
        match self.legal().iter().find(|mv| mv.to_string() == text) {
            Some(&mv) => Ok(self.after(mv)),
            None => Err(format!("no legal move {text} in {}", self.to_fen())),
        }
    }

    pub fn in_check(&self) -> bool {
        self.board.king_attacked(self.turn)
    }

    pub fn identity(&self) -> Identity {
        Identity {
            board: self.board,
            turn: self.turn,
            rights: self.rights,
            double_step: self.double_step,
        }
    }

    /// The moves that do not leave the mover's own king attacked.
    fn legal(&self) -> Vec<Move> {
        let mut moves = self.pseudo_legal();
        moves.retain(|&mv| self.is_safe(mv));
        moves
    }

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

    fn is_own(&self, cell: Cell) -> bool {
        matches!(self.board.get(cell), Some((color, _)) if color == self.turn)
    }

    fn is_enemy(&self, cell: Cell) -> bool {
        matches!(self.board.get(cell), Some((color, _)) if color != self.turn)
    }

    fn is_pawn(&self, cell: Cell) -> bool {
        matches!(self.board.get(cell), Some((_, Kind::Pawn)))
    }

    fn pawn_moves(&self, from: Cell, moves: &mut Vec<Move>) {
        let up = forward(self.turn);
        for sideways in [-1, 1] {
            let Some(first) = from.after((sideways, up)) else {
                continue;
            };
            if !self.board.is_empty(first) {
                continue;
            }
            self.push_pawn_move(from, first, moves);
            if from.rank != pawn_rank(self.turn) {
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
        if to.rank == last_rank(self.turn) {
            for kind in PROMOTIONS {
                moves.push(Move { from, to, promotion: Some(kind) });
            }
        } else {
            moves.push(Move { from, to, promotion: None });
        }
    }

    /// The castlings that the rules allow on the board as it stands.
    fn castling_moves(&self, moves: &mut Vec<Move>) {
        let enemy = !self.turn;
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
                .after((sideways, forward(self.turn)))
                .map(|passed| DoubleStep { passed, pawn: mv.to });
        }
        next.quiet_plies = if pawn || captures { 0 } else { self.quiet_plies + 1 };
        if self.turn == Black {
            next.move_number += 1;
        }
        next.turn = !self.turn;
        next
    }

    fn after(&self, mv: Move) -> Position {
        let mut next = self.make(mv);
        if !next.can_answer_step() {
            next.double_step = None;
        }
        next
    }

    /// Whether the pawn that made the double step can legally be captured en passant.
    fn can_answer_step(&self) -> bool {
        self.double_step.is_some()
            && self.legal().iter().any(|&mv| self.answered_step(mv).is_some())
    }
}

impl Position {
    /// Reads a FEN.
    pub fn from_fen(fen: &str) -> Result<Position, String> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let (quiet_plies, move_number) = match fields.len() {
            4 => (0, 1),
            6 => (read_number(fields[4])?, read_number(fields[5])?),
            other => return Err(format!("{other} fields, not 4 or 6")),
        };
        let board = read_board(fields[0])?;
        let turn = match fields[1] {
            "w" => White,
            "b" => Black,
            other => return Err(format!("side to move {other}")),
        };
        let rights = read_rights(fields[2], &board)?;
        if board.king_attacked(!turn) {
            return Err("the side that has just moved is in check".to_string());
        }
        let mut position =
            Position { board, turn, rights, double_step: None, quiet_plies, move_number };
        if fields[3] != "-" {
            position.double_step = position.read_passed(fields[3])?;
        }
        Ok(position)
    }

    pub fn to_fen(&self) -> String {
        let ranks: Vec<String> = (1..=8).rev().map(|rank| self.rank_text(rank)).collect();
        let mut rights: String =
            (0..4).filter(|&i| self.rights[i]).map(|i| CASTLINGS[i].letter).collect();
        if rights.is_empty() {
            rights.push('-');
        }
        let passed = match self.double_step {
            Some(step) => step.passed.name(),
            None => "-".to_string(),
        };
        let pieces = ranks.join("/");
        format!(
            "{pieces} {} {rights} {passed} {} {}",
            self.turn, self.quiet_plies, self.move_number
        )
    }

    /// The pieces of one rank, as FEN writes them.
    fn rank_text(&self, rank: i32) -> String {
        let letter = |file| match self.board.get(Cell { rank, file }) {
            Some((White, kind)) => kind.letter().to_ascii_uppercase(),
            Some((Black, kind)) => kind.letter(),
            None => '1',
        };
        let pieces: String = (0..8).map(letter).collect();
        (2..=8).rev().fold(pieces, |text, run| text.replace(&"1".repeat(run), &run.to_string()))
    }

    /// Reads the en-passant field: the double step that is meant, or `None` if the cell can have
    /// been passed over but nothing can capture there.
    ///
    /// Up to two pawns can have passed the cell, one from each side of it.
    fn read_passed(&self, field: &str) -> Result<Option<DoubleStep>, String> {
        let passed =
            Cell::from_name(field).ok_or_else(|| format!("no cell {field} to pass over"))?;
        let enemy = !self.turn;
        let mut possible = Vec::new();
        // A step to the left lands on the lower file, so it is tried first.
        for sideways in [-1, 1] {
            let start = passed.after((-sideways, -forward(enemy)));
            let landing = passed.after((sideways, forward(enemy)));
            let (Some(start), Some(pawn)) = (start, landing) else {
                continue;
            };
            if start.rank == pawn_rank(enemy)
                && self.board.is_empty(start)
                && self.board.is_empty(passed)
                && self.board.get(pawn) == Some((enemy, Kind::Pawn))
            {
                possible.push(DoubleStep { passed, pawn });
            }
        }
        if possible.is_empty() {
            return Err(format!("no pawn can have passed over {field}"));
        }
        let meant = possible.into_iter().find(|&step| {
            let mut trial = self.clone();
            trial.double_step = Some(step);
            trial.can_answer_step()
        });
        Ok(meant)
    }
}

fn read_number(field: &str) -> Result<u32, String> {
    field.parse().map_err(|_| format!("{field} is not a number"))
}

/// Reads the field with the pieces, and checks kings and pawns.
fn read_board(field: &str) -> Result<Board, String> {
    let mut board = Board::empty();
    let rows: Vec<&str> = field.split('/').collect();
    if rows.len() != 8 {
        return Err(format!("{} ranks, not 8", rows.len()));
    }
    for (row, rank) in rows.iter().zip((1..=8).rev()) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(run @ 1..=8) = letter.to_digit(10) {
                file += run as i32;
                continue;
            }
            let color = if letter.is_ascii_uppercase() { White } else { Black };
            let kind = Kind::from_letter(letter.to_ascii_lowercase())
                .ok_or_else(|| format!("no piece {letter}"))?;
            let cell = Cell::new(file, rank).ok_or_else(|| format!("rank {rank} is too long"))?;
            if kind == Kind::Pawn && (rank == 1 || rank == 8) {
                return Err(format!("a pawn on {}", cell.name()));
            }
            board.set(cell, Some((color, kind)));
            file += 1;
        }
        if file != 8 {
            return Err(format!("rank {rank} has {file} cells, not 8"));
        }
    }
    for color in [White, Black] {
        let kings = Cell::all().filter(|&c| board.get(c) == Some((color, Kind::King))).count();
        if kings != 1 {
            return Err(format!("{color:?} has {kings} kings"));
        }
    }
    Ok(board)
}

/// Reads the castling field, and drops the rights whose king or rook is not at home.
fn read_rights(field: &str, board: &Board) -> Result<[bool; 4], String> {
    let mut rights = [false; 4];
    if field == "-" {
        return Ok(rights);
    }
    let mut rest = field;
    for (castling, right) in CASTLINGS.iter().zip(&mut rights) {
        if let Some(after) = rest.strip_prefix(castling.letter) {
            rest = after;
            *right = castling.is_at_home(board);
        }
    }
    if !rest.is_empty() {
        return Err(format!("castling field {field}"));
    }
    Ok(rights)
}
