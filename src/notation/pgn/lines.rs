//! The variations of one move while they are read, brackets within brackets.

use super::error::{MoveNumber, PgnFault};
use super::game_builder::Place;
use super::lexer::tidy;
use super::move_text::read_pgn_move;
use super::pgn_game::{DEEPEST_VARIATION, PgnMove};
use super::read_game::UnreadVariation;
use qirkat_game::Rules;
use qirkat_game::text::Excerpt;
use qirkat_rules::variant::AnyPosition;

/// What a fault takes to be told, at least, so that their number is bounded as text is.
const FAULT_LENGTH: usize = 64;

/// The variations of one move while they are read. A variation ends at its first move
/// that cannot be read: it spoils no game, and what is left of it becomes a comment.
#[derive(Debug, Default)]
pub(super) struct VariationLines {
    /// The open ones, the outermost first.
    open: Vec<Line>,
    /// What is passed over, if anything is.
    passing: Option<Passing>,
    /// Where the number of the next move stands.
    number: Option<usize>,
    /// Moves kept of all variations.
    plies: usize,
    closed: ClosedVariation,
    unread: Vec<UnreadVariation>,
}

/// What a closing bracket brings to the game itself.
#[derive(Debug, Default)]
pub(super) struct ClosedVariation {
    /// A variation of its last move.
    pub line: Option<Vec<PgnMove>>,
    /// A comment to that.
    pub comment: Option<String>,
}

/// A variation as far as it is read.
#[derive(Debug)]
struct Line {
    /// Where its bracket stands.
    start: usize,
    moves: Vec<PgnMove>,
    /// Before and behind the last move.
    before: AnyPosition,
    position: AnyPosition,
    /// What was said before the first move.
    opening_comment: Option<String>,
}

/// Text that is passed over.
#[derive(Debug)]
struct Passing {
    /// A whole variation, not the rest of one.
    is_whole: bool,
    start: usize,
    /// Brackets open within it, its own included if it is whole.
    brackets: usize,
    why: UnreadVariation,
}

impl VariationLines {
    /// A bracket opens. `main` is the position before the last move of the game, if
    /// there is one: the outermost variation replaces that move, the others replace
    /// the last move of the variation around them.
    pub fn open(&mut self, line: u64, start: usize, main: Option<AnyPosition>) {
        self.number = None;
        if let Some(passing) = &mut self.passing {
            passing.brackets += 1;
            return;
        }
        let before = match self.open.last() {
            None => main,
            Some(around) if around.moves.is_empty() => None,
            Some(around) => Some(around.before),
        };
        let fault = match before {
            None => PgnFault::NothingToReplace,
            Some(_) if self.open.len() == DEEPEST_VARIATION => PgnFault::TooDeep,
            Some(before) => {
                self.open.push(Line {
                    start,
                    moves: Vec::new(),
                    before,
                    position: before,
                    opening_comment: None,
                });
                return;
            }
        };
        let why = UnreadVariation { line, fault };
        self.passing = Some(Passing { is_whole: true, start, brackets: 1, why });
    }

    /// A bracket closes. Gives back the length of the text that could not be read.
    pub fn close(&mut self, place: Place<'_>) -> usize {
        self.number = None;
        let Some(mut passing) = self.passing.take() else {
            self.close_line(None);
            return 0;
        };
        if passing.brackets > 0 {
            passing.brackets -= 1;
            if passing.brackets > 0 || !passing.is_whole {
                self.passing = Some(passing);
                return 0;
            }
        }
        let whole_line = self.open.last().filter(|line| line.moves.is_empty());
        let text = match whole_line {
            _ if passing.is_whole => &place.text[passing.start..],
            Some(line) => &place.text[line.start..],
            None => &place.text[passing.start..place.start],
        };
        let comment = unread_comment(text);
        if passing.is_whole {
            self.say(comment);
        } else {
            self.close_line(Some(comment));
        }
        self.unread.push(passing.why);
        text.len() + FAULT_LENGTH
    }

    /// Closes the innermost variation, with a comment to its last move. One without moves
    /// leaves what was said in it.
    fn close_line(&mut self, unread: Option<String>) {
        let Some(mut line) = self.open.pop() else { return };
        if let Some(last) = line.moves.last_mut() {
            unread.into_iter().for_each(|unread| join(&mut last.comment, &unread));
            match self.open.last_mut().and_then(|around| around.moves.last_mut()) {
                Some(around) => around.variations.push(line.moves),
                None => self.closed.line = Some(line.moves),
            }
        } else if let Some(said) = unread.or(line.opening_comment) {
            self.say(said);
        }
    }

    /// Adds a comment to the last move around, that of the game itself included.
    fn say(&mut self, comment: String) {
        if self.open.is_empty() {
            self.closed.comment = Some(comment);
        } else {
            self.add_comment(&comment);
        }
    }

    /// What the last closing bracket has brought to the game itself.
    pub fn take_closed(&mut self) -> ClosedVariation {
        std::mem::take(&mut self.closed)
    }

    /// How many moves are kept of all variations.
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// What could not be read.
    pub fn into_unread(self) -> Vec<UnreadVariation> {
        self.unread
    }

    /// The innermost variation, unless it is passed over.
    fn line(&mut self) -> Option<&mut Line> {
        if self.passing.is_none() { self.open.last_mut() } else { None }
    }

    /// Keeps in mind where the number of the next move stands.
    pub fn add_number(&mut self, start: usize) {
        self.number.get_or_insert(start);
    }

    /// Adds a move.
    pub fn add_move(&mut self, on_line: u64, start: usize, text: &str) {
        let start = self.number.take().unwrap_or(start);
        let Some(line) = self.line() else { return };
        match read_pgn_move(&line.position, text) {
            Ok(mv) => {
                line.before = line.position;
                line.position.make(mv);
                let comment = line.opening_comment.take();
                line.moves.push(PgnMove { comment, ..PgnMove::from(mv) });
                self.plies += 1;
            }
            Err(fault) => {
                let number = MoveNumber::of(&line.position);
                let fault = PgnFault::Move { number, text: Excerpt::of(text), fault };
                let why = UnreadVariation { line: on_line, fault };
                self.passing = Some(Passing { is_whole: false, start, brackets: 0, why });
            }
        }
    }

    /// Adds a comment to the last move, or to the first one that comes.
    pub fn add_comment(&mut self, text: &str) {
        self.number = None;
        let Some(line) = self.line() else { return };
        match line.moves.last_mut() {
            Some(last) => join(&mut last.comment, text),
            None => join(&mut line.opening_comment, text),
        }
    }

    /// Marks the last move.
    pub fn add_nag(&mut self, nag: u8) {
        if let Some(last) = self.line().and_then(|line| line.moves.last_mut()) {
            last.nags.push(nag);
        }
    }
}

/// Adds to a comment.
pub(super) fn join(comment: &mut Option<String>, more: &str) {
    match comment {
        Some(comment) => {
            comment.push(' ');
            comment.push_str(more);
        }
        None => *comment = Some(more.to_owned()),
    }
}

/// A text that could not be read, as a comment. Commands in it are none any more: they were
/// about other moves.
fn unread_comment(text: &[u8]) -> String {
    format!("[unread: {}]", tidy(text).replace("[%", "[ %"))
}
