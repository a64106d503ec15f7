//! Alquerque, as played at BrainKing: twelve men a side on 25 points, compulsory jumps.

use qirkat_game::Color::{self, Black, White};

/// A way along a line: change of file, change of rank.
pub type Way = (i32, i32);

/// All ways that a line can go.
pub const WAYS: [Way; 8] = [(-1, 0), (1, 0), (0, 1), (0, -1), (-1, 1), (1, 1), (-1, -1), (1, -1)];

/// A point of the board: file and rank, both 1 to 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    pub file: i32,
    pub rank: i32,
}

impl Point {
    /// The point of this file and rank, or `None` off the board.
    pub fn new(file: i32, rank: i32) -> Option<Point> {
        ((1..=5).contains(&file) && (1..=5).contains(&rank)).then_some(Point { file, rank })
    }

    /// The next point this way, if a line joins the two: there are diagonal lines only where file
    /// + rank is even.
    pub fn next(self, (files, ranks): Way) -> Option<Point> {
        let diagonal = files != 0 && ranks != 0;
        if diagonal && (self.file + self.rank) % 2 != 0 {
            return None;
        }
        Point::new(self.file + files, self.rank + ranks)
    }

    pub fn name(self) -> String {
        let file = (b'a' - 1 + self.file as u8) as char;
        format!("{file}{}", self.rank)
    }

    pub fn from_name(name: &str) -> Option<Point> {
        match name.as_bytes() {
            [file @ b'a'..=b'e', rank @ b'1'..=b'5'] => {
                Point::new((file - b'a' + 1).into(), (rank - b'0').into())
            }
            _ => None,
        }
    }

    pub fn all() -> impl Iterator<Item = Point> {
        (1..=5).flat_map(|rank| (1..=5).map(move |file| Point { file, rank }))
    }
}

/// The change of rank when a side's men go forward.
fn forward(color: Color) -> i32 {
    if color == White { 1 } else { -1 }
}

/// The rank from which a side's men can go no further.
fn last_rank(color: Color) -> i32 {
    if color == White { 5 } else { 1 }
}

/// The letter of a side's men.
fn letter(color: Color) -> char {
    if color == White { 'M' } else { 'm' }
}

/// The men on the points: five ranks from the first, five files each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board([[Option<Color>; 5]; 5]);

impl Board {
    pub fn empty() -> Board {
        Board([[None; 5]; 5])
    }

    pub fn get(&self, point: Point) -> Option<Color> {
        self.0[point.rank as usize - 1][point.file as usize - 1]
    }

    /// Puts a man on this point, or clears it.
    pub fn set(&mut self, point: Point, man: Option<Color>) {
        self.0[point.rank as usize - 1][point.file as usize - 1] = man;
    }

    pub fn is_empty(&self, point: Point) -> bool {
        self.get(point).is_none()
    }

    pub fn points_of(&self, color: Color) -> Vec<Point> {
        Point::all().filter(|&point| self.get(point) == Some(color)).collect()
    }
}

/// Plies without a jump or a forward step after which the game is drawn.
const QUIET_LIMIT: u32 = 100;

/// A sideways step that would take a man back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepBack {
    pub from: Point,
    pub to: Point,
}

/// A move: all points the man visits, its own first, and the board afterwards.
#[derive(Clone, Debug)]
struct Move {
    path: Vec<Point>,
    board: Board,
    is_jump: bool,
}

impl Move {
    /// The move as text: all points, without anything between.
    fn text(&self) -> String {
        self.path.iter().map(|point| point.name()).collect()
    }
}

/// How the game has ended, as far as the position alone tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The side to move has no legal move, or no man left: it loses.
    Loss,
    /// 100 plies without a jump or a forward step: a draw.
    HundredPlies,
}

/// All that must be equal for two positions to be the same one in a repetition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    board: Board,
    turn: Color,
    forbidden: Option<StepBack>,
    forbidden_next: Option<StepBack>,
}

/// A position: the men, the side to move, and what the earlier moves left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    board: Board,
    turn: Color,
    /// The step forbidden to the side to move, if the board allows it.
    forbidden: Option<StepBack>,
    /// The step that will be forbidden to the other side at its next move, if its target is empty.
    forbidden_next: Option<StepBack>,
    /// Plies since the last jump or forward step.
    quiet_plies: u32,
    move_number: u32,
}

impl Position {
    /// All legal moves as text, in no special order. Each chain of jumps is a move of its own.
    pub fn legal_moves(&self) -> Vec<String> {
        self.legal().iter().map(Move::text).collect()
    }

    /// The position after the legal move written `text`.
    pub fn play(&self, text: &str) -> Result<Position, String> {
        match self.legal().iter().find(|mv| mv.text() == text) {
            Some(mv) => Ok(self.after(mv)),
            None => Err(format!("no legal move {text} in {}", self.to_fen())),
        }
    }

    /// Whether and how the game has ended, repetition aside.
    pub fn end(&self) -> Option<End> {
        if self.legal().is_empty() {
            Some(End::Loss)
        } else if self.quiet_plies >= QUIET_LIMIT {
            Some(End::HundredPlies)
        } else {
            None
        }
    }

    pub fn identity(&self) -> Identity {
        Identity {
            board: self.board,
            turn: self.turn,
            forbidden: self.forbidden,
            forbidden_next: self.forbidden_next,
        }
    }

    /// The jumps if there are any, else the steps.
    fn legal(&self) -> Vec<Move> {
        let jumps = self.jumps();
        if jumps.is_empty() { self.steps() } else { jumps }
    }

    /// The steps of all men, the forbidden one left out.
    fn steps(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in self.board.points_of(self.turn) {
            for to in self.board.step_targets(from) {
                if self.forbidden == Some(StepBack { from, to }) {
                    continue;
                }
                let mut board = self.board;
                board.set(from, None);
                board.set(to, Some(self.turn));
                moves.push(Move { path: vec![from, to], board, is_jump: false });
            }
        }
        moves
    }

    /// The chains of jumps of all men. Only the first jump may not go backward.
    fn jumps(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in self.board.points_of(self.turn) {
            for way in WAYS {
                if is_backward(way, self.turn) {
                    continue;
                }
                if let Some((to, board)) = self.board.jump(from, way) {
                    add_chains(board, vec![from, to], &mut moves);
                }
            }
        }
        moves
    }

    fn after(&self, mv: &Move) -> Position {
        let (from, to) = (mv.path[0], mv.path[mv.path.len() - 1]);
        let sideways_step = !mv.is_jump && from.rank == to.rank;
        let mut next = Position {
            board: mv.board,
            turn: !self.turn,
            forbidden: self.forbidden_next,
            forbidden_next: sideways_step.then_some(StepBack { from: to, to: from }),
            quiet_plies: if sideways_step { self.quiet_plies + 1 } else { 0 },
            move_number: self.move_number + if self.turn == Black { 1 } else { 0 },
        };
        next.drop_impossible_steps();
        next
    }

    /// Forgets each forbidden step that the board does not allow anyway.
    fn drop_impossible_steps(&mut self) {
        let board = self.board;
        let possible = |step: &StepBack, color| {
            board.get(step.from) == Some(color) && board.step_targets(step.from).contains(&step.to)
        };
        self.forbidden = self.forbidden.filter(|step| possible(step, self.turn));
        self.forbidden_next = self.forbidden_next.filter(|step| possible(step, !self.turn));
    }
}

impl Board {
    /// Where the man on `from` can step, if nothing but the men on the board is looked at.
    fn step_targets(&self, from: Point) -> Vec<Point> {
        let Some(color) = self.get(from) else {
            return Vec::new();
        };
        if from.rank == last_rank(color) {
            return Vec::new();
        }
        WAYS.into_iter()
            .filter(|&way| !is_backward(way, color))
            .filter_map(|way| from.next(way))
            .filter(|&to| self.is_empty(to))
            .collect()
    }

    /// The jump of the man on `from` this way: where it lands, and the board without the man taken.
    fn jump(&self, from: Point, way: Way) -> Option<(Point, Board)> {
        let color = self.get(from)?;
        let over = from.next(way)?;
        let to = over.next(way)?;
        if self.get(over) != Some(!color) || !self.is_empty(to) {
            return None;
        }
        let mut board = *self;
        board.set(from, None);
        board.set(over, None);
        board.set(to, Some(color));
        Some((to, board))
    }
}

/// Adds the chain that has come along `path` so far, or all the longer ones if it must go on.
fn add_chains(board: Board, path: Vec<Point>, moves: &mut Vec<Move>) {
    let here = path[path.len() - 1];
    let mut must_go_on = false;
    for way in WAYS {
        if let Some((to, board)) = board.jump(here, way) {
            must_go_on = true;
            let mut longer = path.clone();
            longer.push(to);
            add_chains(board, longer, moves);
        }
    }
    if !must_go_on {
        moves.push(Move { path, board, is_jump: true });
    }
}

fn is_backward((_, ranks): Way, color: Color) -> bool {
    ranks == -forward(color)
}

impl Position {
    /// Reads a FEN. A forbidden step that the men do not allow is dropped.
    pub fn from_fen(fen: &str) -> Result<Position, String> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let (quiet_plies, move_number) = match fields.len() {
            4 => (0, 1),
            6 => (read_number(fields[4])?, read_number(fields[5])?),
            other => return Err(format!("{other} fields, not 4 or 6")),
        };
        let turn = match fields[1] {
            "w" => White,
            "b" => Black,
            other => return Err(format!("side to move {other}")),
        };
        let mut position = Position {
            board: read_board(fields[0])?,
            turn,
            forbidden: read_step_back(fields[2])?,
            forbidden_next: read_step_back(fields[3])?,
            quiet_plies,
            move_number,
        };
        position.drop_impossible_steps();
        Ok(position)
    }

    pub fn to_fen(&self) -> String {
        let ranks: Vec<String> = (1..=5).rev().map(|rank| self.rank_text(rank)).collect();
        let men = ranks.join("/");
        let now = step_text(self.forbidden);
        let next = step_text(self.forbidden_next);
        format!("{men} {} {now} {next} {} {}", self.turn, self.quiet_plies, self.move_number)
    }

    /// The men of one rank, as FEN writes them.
    fn rank_text(&self, rank: i32) -> String {
        let man = |file| self.board.get(Point { file, rank }).map_or('1', letter);
        let men: String = (1..=5).map(man).collect();
        (2..=5).rev().fold(men, |men, run| men.replace(&"1".repeat(run), &run.to_string()))
    }
}

fn step_text(step: Option<StepBack>) -> String {
    match step {
        Some(step) => step.from.name() + &step.to.name(),
        None => "-".to_string(),
    }
}

fn read_number(field: &str) -> Result<u32, String> {
    field.parse().map_err(|_| format!("{field} is not a number"))
}

fn read_board(field: &str) -> Result<Board, String> {
    let mut board = Board::empty();
    let rows: Vec<&str> = field.split('/').collect();
    if rows.len() != 5 {
        return Err(format!("{} ranks, not 5", rows.len()));
    }
    for (row, rank) in rows.iter().zip((1..=5).rev()) {
        let mut file = 1;
        for letter in row.chars() {
            if let Some(run @ 1..=5) = letter.to_digit(10) {
                file += run as i32;
                continue;
            }
            let color = match letter {
                'M' => White,
                'm' => Black,
                other => return Err(format!("no man {other}")),
            };
            let point = Point::new(file, rank).ok_or_else(|| format!("rank {rank} is too long"))?;
            board.set(point, Some(color));
            file += 1;
        }
        if file != 6 {
            return Err(format!("rank {rank} has {} points, not 5", file - 1));
        }
    }
    Ok(board)
}

/// Reads a forbidden step: one point sideways.
fn read_step_back(field: &str) -> Result<Option<StepBack>, String> {
    if field == "-" {
        return Ok(None);
    }
    let point = |text: Option<&str>| text.and_then(Point::from_name);
    let (Some(from), Some(to)) = (point(field.get(..2)), point(field.get(2..))) else {
        return Err(format!("no step {field}"));
    };
    let sideways = from.rank == to.rank && (from.file - to.file).abs() == 1;
    if !sideways {
        return Err(format!("{field} cannot take back a step"));
    }
    Ok(Some(StepBack { from, to }))
}
