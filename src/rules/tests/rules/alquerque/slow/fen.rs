//! Positions as FEN.

use super::board::{Board, Color, Point};
use super::position::{Position, StepBack};

/// The position in which the game begins.
const START: &str = "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w - - 0 1";

impl Position {
    /// The position in which the game begins.
    ///
    /// # Errors
    ///
    /// None, unless the text in the source is broken.
    pub fn start() -> Result<Position, String> {
        Position::from_fen(START)
    }

    /// Reads a FEN. A forbidden step that the men do not allow is dropped.
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
        let turn = match fields[1] {
            "w" => Color::White,
            "b" => Color::Black,
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

    /// Writes the position as FEN, in the one canonical way.
    pub fn to_fen(&self) -> String {
        let ranks: Vec<String> = (1..=5).rev().map(|rank| self.rank_text(rank)).collect();
        let turn = match self.turn {
            Color::White => 'w',
            Color::Black => 'b',
        };
        let men = ranks.join("/");
        let now = step_text(self.forbidden);
        let next = step_text(self.forbidden_next);
        format!("{men} {turn} {now} {next} {} {}", self.quiet_plies, self.move_number)
    }

    /// The men of one rank, as FEN writes them.
    fn rank_text(&self, rank: i32) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for file in 1..=5 {
            match self.board.get(Point { file, rank }) {
                None => empty += 1,
                Some(color) => {
                    if empty > 0 {
                        text += &empty.to_string();
                        empty = 0;
                    }
                    text.push(color.letter());
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    }
}

/// A forbidden step as FEN writes it.
fn step_text(step: Option<StepBack>) -> String {
    match step {
        Some(step) => step.from.name() + &step.to.name(),
        None => "-".to_string(),
    }
}

/// Reads one of the two clocks.
fn read_number(field: &str) -> Result<u32, String> {
    field.parse().map_err(|_| format!("{field} is not a number"))
}

/// Reads the field with the men.
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
                'M' => Color::White,
                'm' => Color::Black,
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
