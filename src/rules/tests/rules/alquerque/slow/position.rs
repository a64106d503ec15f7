//! A position, its legal moves, and what a move makes of it.

use super::board::{Board, Color, Point, WAYS, Way};

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
    pub(super) board: Board,
    pub(super) turn: Color,
    /// The step forbidden to the side to move, if the board allows it.
    pub(super) forbidden: Option<StepBack>,
    /// The step that will be forbidden to the other side at its next move, if its target is empty.
    pub(super) forbidden_next: Option<StepBack>,
    /// Plies since the last jump or forward step.
    pub(super) quiet_plies: u32,
    pub(super) move_number: u32,
}

impl Position {
    /// All legal moves as text, in no special order. Each chain of jumps is a move of its own.
    pub fn legal_moves(&self) -> Vec<String> {
        self.legal().iter().map(Move::text).collect()
    }

    /// The position after the legal move written `text`.
    ///
    /// # Errors
    ///
    /// If no legal move is written so.
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

    /// The parts that must be equal for a repetition.
    pub fn identity(&self) -> Identity {
        Identity {
            board: self.board,
            turn: self.turn,
            forbidden: self.forbidden,
            forbidden_next: self.forbidden_next,
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
        moves.iter().map(|mv| self.after(mv).perft(depth - 1)).sum()
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

    /// The position after a legal move.
    fn after(&self, mv: &Move) -> Position {
        let (from, to) = (mv.path[0], mv.path[mv.path.len() - 1]);
        let sideways_step = !mv.is_jump && from.rank == to.rank;
        let mut next = Position {
            board: mv.board,
            turn: self.turn.other(),
            forbidden: self.forbidden_next,
            forbidden_next: sideways_step.then_some(StepBack { from: to, to: from }),
            quiet_plies: if sideways_step { self.quiet_plies + 1 } else { 0 },
            move_number: self.move_number + if self.turn == Color::Black { 1 } else { 0 },
        };
        next.drop_impossible_steps();
        next
    }

    /// Forgets each forbidden step that the board does not allow anyway.
    pub(super) fn drop_impossible_steps(&mut self) {
        let board = self.board;
        let possible = |step: &StepBack, color| {
            board.get(step.from) == Some(color) && board.step_targets(step.from).contains(&step.to)
        };
        self.forbidden = self.forbidden.filter(|step| possible(step, self.turn));
        self.forbidden_next = self.forbidden_next.filter(|step| possible(step, self.turn.other()));
    }
}

impl Board {
    /// Where the man on `from` can step, if nothing but the men on the board is looked at.
    fn step_targets(&self, from: Point) -> Vec<Point> {
        let Some(color) = self.get(from) else {
            return Vec::new();
        };
        if from.rank == color.last_rank() {
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
        if self.get(over) != Some(color.other()) || !self.is_empty(to) {
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

/// Whether this way goes back, straight or slanting, for this side.
fn is_backward((_, ranks): Way, color: Color) -> bool {
    ranks == -color.forward()
}
