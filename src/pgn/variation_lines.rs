//! The variations of one move while they are read, brackets within brackets.

use super::move_text::read_pgn_move;
use super::pgn_game::{DEEPEST_VARIATION, PgnMove};
use crate::game::Rules;
use crate::variant::AnyPosition;

/// The variations of one move while they are read. A variation ends at its first move
/// that cannot be read: it spoils no game.
#[derive(Debug, Default)]
pub(super) struct VariationLines {
    /// The open ones, the outermost first.
    open: Vec<Line>,
    /// Brackets within them that are passed over.
    passed: usize,
    /// Moves kept of all variations.
    plies: usize,
    /// Whether anything was left out since somebody asked last.
    is_cut: bool,
}

/// A variation as far as it is read.
#[derive(Debug)]
struct Line {
    moves: Vec<PgnMove>,
    /// Before and behind the last move.
    before: AnyPosition,
    position: AnyPosition,
    /// What was said before the first move.
    opening_comment: Option<String>,
    /// A move could not be read: the rest is passed over.
    is_cut: bool,
}

impl VariationLines {
    /// A bracket opens. `main` is the position before the last move of the game, if
    /// there is one: the outermost variation replaces that move, the others replace
    /// the last move of the variation around them.
    pub fn open(&mut self, main: Option<AnyPosition>) {
        let start = match self.open.last() {
            None => main,
            Some(line) if line.is_cut || line.moves.is_empty() => None,
            Some(line) => Some(line.before),
        };
        match start {
            Some(start) if self.passed == 0 && self.open.len() < DEEPEST_VARIATION => {
                self.open.push(Line {
                    moves: Vec::new(),
                    before: start,
                    position: start,
                    opening_comment: None,
                    is_cut: false,
                });
            }
            _ => {
                self.passed += 1;
                self.is_cut = true;
            }
        }
    }

    /// A bracket closes. Gives back the variation if it is one of the game itself.
    pub fn close(&mut self) -> Option<Vec<PgnMove>> {
        if self.passed > 0 {
            self.passed -= 1;
            return None;
        }
        let line = self.open.pop()?;
        self.is_cut |= line.is_cut;
        if line.moves.is_empty() {
            return None;
        }
        let Some(around) = self.open.last_mut() else { return Some(line.moves) };
        if let Some(last) = around.moves.last_mut() {
            last.variations.push(line.moves);
        }
        None
    }

    /// How many moves are kept of all variations.
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// Whether anything was left out since the last time.
    pub fn take_cut(&mut self) -> bool {
        std::mem::take(&mut self.is_cut)
    }

    /// The innermost variation, unless it is passed over.
    fn line(&mut self) -> Option<&mut Line> {
        let line = if self.passed == 0 { self.open.last_mut() } else { None };
        line.filter(|line| !line.is_cut)
    }

    /// Adds a move.
    pub fn add_move(&mut self, text: &str) {
        let Some(line) = self.line() else { return };
        match read_pgn_move(&line.position, text) {
            Ok(mv) => {
                line.before = line.position;
                line.position.make(mv);
                let comment = line.opening_comment.take();
                line.moves.push(PgnMove { comment, ..PgnMove::from(mv) });
                self.plies += 1;
            }
            Err(_) => line.is_cut = true,
        }
    }

    /// Adds a comment to the last move, or to the first one that comes.
    pub fn add_comment(&mut self, text: &str) {
        let Some(line) = self.line() else { return };
        let place = match line.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut line.opening_comment,
        };
        match place {
            Some(comment) => {
                comment.push(' ');
                comment.push_str(text);
            }
            None => *place = Some(text.to_owned()),
        }
    }

    /// Marks the last move.
    pub fn add_nag(&mut self, nag: u8) {
        if let Some(last) = self.line().and_then(|line| line.moves.last_mut()) {
            last.nags.push(nag);
        }
    }
}
