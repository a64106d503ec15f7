//! Positions as FEN.

use super::board::{Board, Cell, Color, Kind};
use super::position::{CASTLINGS, DoubleStep, Position};

/// The position in which the game begins.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl Position {
    /// The position in which the game begins.
    ///
    /// # Errors
    ///
    /// None, unless the text in the source is broken.
    pub fn start() -> Result<Position, String> {
        Position::from_fen(START)
    }

    /// Reads a FEN.
    ///
    /// # Errors
    ///
    /// A line that says what is wrong.
    pub fn from_fen(fen: &str) -> Result<Position, String> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let (quiet_plies, move_number) = match fields.len() {
            4 => (0, 1),
            6 => (read_number(fields[4])?, read_number(fields[5])?),
            other => return Err(format!("{other} fields, not 4 or 6")),
        };
        let board = read_board(fields[0])?;
        let turn = match fields[1] {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(format!("side to move {other}")),
        };
        let rights = read_rights(fields[2], &board)?;
        if board.king_attacked(turn.other()) {
            return Err("the side that has just moved is in check".to_string());
        }
        let mut position =
            Position { board, turn, rights, double_step: None, quiet_plies, move_number };
        if fields[3] != "-" {
            position.double_step = position.read_passed(fields[3])?;
        }
        Ok(position)
    }

    /// Writes the position as FEN, in the one canonical way.
    pub fn to_fen(&self) -> String {
        let ranks: Vec<String> = (1..=8).rev().map(|rank| self.rank_text(rank)).collect();
        let turn = match self.turn {
            Color::White => 'w',
            Color::Black => 'b',
        };
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
        format!("{pieces} {turn} {rights} {passed} {} {}", self.quiet_plies, self.move_number)
    }

    /// The pieces of one rank, as FEN writes them.
    fn rank_text(&self, rank: i32) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for file in 0..8 {
            let Some((color, kind)) = self.board.get(Cell { rank, file }) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.push(match color {
                Color::White => kind.letter().to_ascii_uppercase(),
                Color::Black => kind.letter(),
            });
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    }

    /// Reads the en-passant field: the double step that is meant, or `None` if the cell can have
    /// been passed over but nothing can capture there.
    ///
    /// Up to two pawns can have passed the cell, one from each side of it.
    fn read_passed(&self, field: &str) -> Result<Option<DoubleStep>, String> {
        let passed =
            Cell::from_name(field).ok_or_else(|| format!("no cell {field} to pass over"))?;
        let enemy = self.turn.other();
        let mut possible = Vec::new();
        // A step to the left lands on the lower file, so it is tried first.
        for sideways in [-1, 1] {
            let start = passed.after((-sideways, -enemy.forward()));
            let landing = passed.after((sideways, enemy.forward()));
            let (Some(start), Some(pawn)) = (start, landing) else {
                continue;
            };
            if start.rank == enemy.pawn_rank()
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

/// Reads one of the two clocks.
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
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
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
    for color in [Color::White, Color::Black] {
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
