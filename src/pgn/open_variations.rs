//! Variations as they are read.

use super::lexer::MAX_TEXT;
use super::move_text::read_pgn_move;
use super::pgn_game::PgnMove;
use super::write::DEEPEST_VARIATION;
use crate::variant::AnyPosition;

/// Moves in variations that are kept of one game.
const MAX_MOVES: usize = 1 << 16;

/// The variations that are open at some place of a game. A variation with something in it
/// that cannot be read is left out, but does no harm to its game.
#[derive(Default)]
pub(super) struct OpenVariations {
    /// The outermost first.
    lines: Vec<Line>,
    /// Open inside the last of them, and too deep to be kept.
    too_deep: usize,
    /// Moves and bytes kept so far.
    moves: usize,
    text: usize,
    /// Variations left out, those inside them not counted.
    pub left_out: u64,
}

/// A line that is being read.
struct Line {
    moves: Vec<PgnMove>,
    /// The position after them; none if the line is to be left out.
    position: Option<AnyPosition>,
    /// The position before the last of them, where a variation inside begins.
    before: Option<AnyPosition>,
    /// What is said before the first move.
    opening_comment: Option<String>,
}

impl Line {
    fn leave_out(&mut self) {
        *self = Line { moves: Vec::new(), position: None, before: None, opening_comment: None };
    }
}

impl OpenVariations {
    /// Opens a variation in the place of the last move of the line that is read now; `main`
    /// is the position before the last move of the main line.
    pub fn open(&mut self, main: Option<AnyPosition>) {
        if self.lines.len() == DEEPEST_VARIATION {
            self.left_out += u64::from(self.too_deep == 0 && self.is_kept());
            self.too_deep += 1;
            return;
        }
        let position = self.lines.last().map_or(main, |line| line.before);
        self.lines.push(Line { moves: Vec::new(), position, before: None, opening_comment: None });
    }

    /// Closes the innermost variation. Its moves, if they belong to the main line; those of
    /// a variation inside another are put into their place.
    pub fn close(&mut self) -> Option<Vec<PgnMove>> {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return None;
        }
        let line = self.lines.pop()?;
        if line.moves.is_empty() {
            self.left_out += u64::from(self.is_kept());
            return None;
        }
        let Some(outer) = self.lines.last_mut() else { return Some(line.moves) };
        if let Some(last) = outer.moves.last_mut() {
            last.variations.push(line.moves);
        }
        None
    }

    /// Adds a move.
    pub fn add_move(&mut self, text: &str) {
        let is_too_long = self.moves == MAX_MOVES;
        let Some(line) = self.line() else { return };
        let Some(position) = line.position else { return };
        match read_pgn_move(&position, text) {
            Ok(mv) if !is_too_long => {
                line.before = Some(position);
                line.position = Some(position.play(mv));
                let comment = line.opening_comment.take();
                line.moves.push(PgnMove { comment, ..PgnMove::from(mv) });
                self.moves += 1;
            }
            _ => line.leave_out(),
        }
    }

    /// Adds a comment to the last move, or to the one that comes first.
    pub fn add_comment(&mut self, text: &str) {
        if let Some(line) = self.line_with_room(text.len() + 1) {
            let last = line.moves.last_mut();
            join(last.map_or(&mut line.opening_comment, |last| &mut last.comment), text);
        }
    }

    /// Adds a mark to the last move.
    pub fn add_nag(&mut self, nag: u8) {
        if let Some(last) = self.line_with_room(1).and_then(|line| line.moves.last_mut()) {
            last.nags.push(nag);
        }
    }

    /// The line that is read now, if it can be kept.
    fn line(&mut self) -> Option<&mut Line> {
        self.lines.last_mut().filter(|line| self.too_deep == 0 && line.position.is_some())
    }

    /// The same where so many more bytes are not too much for it.
    fn line_with_room(&mut self, bytes: usize) -> Option<&mut Line> {
        let text = self.text + bytes;
        let line = self.lines.last_mut()?;
        if self.too_deep > 0 || line.position.is_none() {
            return None;
        }
        if text >= MAX_TEXT {
            line.leave_out();
            return None;
        }
        self.text = text;
        Some(line)
    }

    /// Whether the line that is read now, or the main line, is kept.
    fn is_kept(&self) -> bool {
        self.lines.last().is_none_or(|line| line.position.is_some())
    }
}

/// Several comments behind one move become one.
pub(super) fn join(place: &mut Option<String>, text: &str) {
    match place {
        Some(comment) => {
            comment.push(' ');
            comment.push_str(text);
        }
        None => *place = Some(text.to_owned()),
    }
}
