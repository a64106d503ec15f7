//! The variations of a game while it is read, and the moves played.

use qirkat_game::Rules;
use qirkat_game::text::Excerpt;

use super::lexer::decode_comment;
use super::notation::{is_null, read_pgn_move};
use super::pgn_game::{DEEPEST_VARIATION, MoveNumber, PgnFault, PgnMove, UnreadPart};
use crate::variant::AnyPosition;

/// The text of a token.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    /// The text of the game up to the end of the token.
    pub text: &'a [u8],
    pub start: usize,
}

/// The maximum number of plies read per game.
const MAX_PLIES: usize = 1 << 16;
/// The length charged for a fault besides its text, which bounds the number of faults.
const FAULT_LENGTH: usize = 64;

/// The moves played, and nested variations, of a game while it is read. A variation ends
/// at its first unreadable move: the game stays valid, and the rest of the variation becomes a
/// comment.
///
/// The moves played contain no null moves. From a null move on, the rest becomes a variation that
/// first repeats the move before it.
#[derive(Debug)]
pub(super) struct Variations {
    main: Variation,
    /// The open variations, the outermost first.
    open: Vec<Variation>,
    /// Whether the outermost variation holds the rest of the game, from a null move on.
    continues_after_null: bool,
    /// The text being skipped, if any.
    skipped: Option<SkippedText>,
    /// The start of the next move's number.
    number: Option<usize>,
    /// Moves stored in all variations.
    plies: usize,
    unread: Vec<UnreadPart>,
}

/// A partially read variation, or the moves played.
#[derive(Debug)]
pub(super) struct Variation {
    /// The start of its bracket.
    start: usize,
    pub moves: Vec<PgnMove>,
    /// The positions before and after the last move.
    before: AnyPosition,
    position: AnyPosition,
    /// The comment and NAGs before the first move.
    pub opening_comment: Option<String>,
    opening_nags: Vec<u8>,
}

impl Variation {
    fn new(start: usize, position: AnyPosition) -> Variation {
        let before = position;
        let (moves, opening_nags) = (Vec::new(), Vec::new());
        Variation { start, moves, before, position, opening_comment: None, opening_nags }
    }

    fn add_move(&mut self, text: &str) -> Result<(), PgnFault> {
        let mv = read_pgn_move(&self.position, text).map_err(|fault| PgnFault::Move {
            number: MoveNumber::of(&self.position),
            text: Excerpt::of(text),
            fault,
        })?;
        self.before = self.position;
        self.position.make(mv);
        let nags = std::mem::take(&mut self.opening_nags);
        self.moves.push(PgnMove { nags, ..PgnMove::from(mv) });
        Ok(())
    }

    fn add_nag(&mut self, nag: u8) {
        self.moves.last_mut().map_or(&mut self.opening_nags, |last| &mut last.nags).push(nag);
    }

    /// Several comments after one move are joined.
    fn add_comment(&mut self, text: &str) {
        let comment = match self.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut self.opening_comment,
        };
        add_to(comment, text);
    }
}

fn add_to(comment: &mut Option<String>, text: &str) {
    match comment {
        Some(comment) => {
            comment.push(' ');
            comment.push_str(text);
        }
        None => *comment = Some(text.to_owned()),
    }
}

/// Text being skipped.
#[derive(Debug)]
struct SkippedText {
    /// Whether it is a whole variation rather than the rest of one.
    is_whole: bool,
    start: usize,
    /// Open brackets within it, including its own if it is whole.
    brackets: usize,
    why: UnreadPart,
}

impl Variations {
    pub fn new(start: AnyPosition) -> Variations {
        Variations {
            main: Variation::new(0, start),
            open: Vec::new(),
            continues_after_null: false,
            skipped: None,
            number: None,
            plies: 0,
            unread: Vec::new(),
        }
    }

    /// Sets another starting position, before the first move.
    pub fn start_from(&mut self, start: AnyPosition) {
        self.main.position = start;
    }

    pub fn main(&self) -> &Variation {
        &self.main
    }

    /// Opens a variation that replaces the last move of its parent.
    pub fn open(&mut self, line: u64, start: usize) {
        self.number = None;
        if let Some(skipped) = &mut self.skipped {
            skipped.brackets += 1;
            return;
        }
        let parent = self.open.last().unwrap_or(&self.main);
        let fault = match parent.moves.as_slice() {
            [] => PgnFault::NothingToReplace,
            _ if self.open.len() == DEEPEST_VARIATION => PgnFault::TooDeep,
            _ => return self.open.push(Variation::new(start, parent.before)),
        };
        let why = UnreadPart { line, fault };
        self.skipped = Some(SkippedText { is_whole: true, start, brackets: 1, why });
    }

    /// Closes a bracket. Returns the length charged for text that could not be read, 0 if none.
    pub fn close(&mut self, span: Span<'_>) -> usize {
        self.number = None;
        let Some(mut skipped) = self.skipped.take() else {
            self.close_variation(None);
            return 0;
        };
        if skipped.brackets > 0 {
            skipped.brackets -= 1;
            if skipped.brackets > 0 || !skipped.is_whole {
                self.skipped = Some(skipped);
                return 0;
            }
        }
        // If no move of the variation could be read, all of it is unread, from its bracket on.
        let without_moves = self.open.last().filter(|variation| variation.moves.is_empty());
        let text = match without_moves {
            _ if skipped.is_whole => &span.text[skipped.start..],
            Some(variation) => &span.text[variation.start..],
            None => &span.text[skipped.start..span.start],
        };
        let comment = format!("[unread: {}]", without_commands(text));
        if skipped.is_whole {
            self.innermost().add_comment(&comment);
        } else {
            self.close_variation(Some(comment));
        }
        self.unread.push(skipped.why);
        text.len() + FAULT_LENGTH
    }

    /// Closes the innermost variation, with a comment on its last move. Comments of one without
    /// moves are kept.
    fn close_variation(&mut self, unread: Option<String>) {
        let Some(mut variation) = self.open.pop() else { return };
        let parent = self.innermost();
        if variation.moves.is_empty() {
            unread
                .or(variation.opening_comment)
                .iter()
                .for_each(|comment| parent.add_comment(comment));
            variation.opening_nags.into_iter().for_each(|nag| parent.add_nag(nag));
        } else if let Some(replaced) = parent.moves.last_mut() {
            unread.iter().for_each(|unread| variation.add_comment(unread));
            replaced.variations.push(variation.moves);
        }
    }

    /// The moves played, and the unread parts of variations.
    pub fn finish(mut self) -> (Variation, Vec<UnreadPart>) {
        if self.continues_after_null {
            self.close_variation(None);
        }
        // Without a move there is nothing to attach these NAGs to.
        for nag in std::mem::take(&mut self.main.opening_nags) {
            self.main.add_comment(&format!("${nag}"));
        }
        (self.main, self.unread)
    }

    fn innermost(&mut self) -> &mut Variation {
        self.open.last_mut().unwrap_or(&mut self.main)
    }

    pub fn add_number(&mut self, start: usize) {
        self.number.get_or_insert(start);
    }

    /// Adds a move.
    ///
    /// # Errors
    /// When the game has too many moves, or a move played cannot be read.
    pub fn add_move(&mut self, on_line: u64, start: usize, text: &str) -> Result<(), PgnFault> {
        let start = self.number.take().unwrap_or(start);
        if self.plies == MAX_PLIES {
            return Err(PgnFault::TooLong);
        }
        if self.skipped.is_some() {
            return Ok(());
        }
        if self.open.is_empty()
            && is_null(text)
            && let Some(last) = self.main.moves.last()
        {
            let mut variation = Variation::new(start, self.main.position);
            (variation.before, variation.moves) = (self.main.before, vec![PgnMove::from(last.mv)]);
            self.open.push(variation);
            self.continues_after_null = true;
        }
        let Some(variation) = self.open.last_mut() else {
            self.plies += 1;
            return self.main.add_move(text);
        };
        match variation.add_move(text) {
            Ok(()) => {
                if let Some(comment) = variation.opening_comment.take()
                    && let Some(first) = variation.moves.last_mut()
                {
                    first.starting_comment = Some(comment);
                }
                self.plies += 1;
            }
            Err(fault) if self.continues_after_null && self.open.len() == 1 => return Err(fault),
            Err(fault) => {
                let why = UnreadPart { line: on_line, fault };
                self.skipped = Some(SkippedText { is_whole: false, start, brackets: 0, why });
            }
        }
        Ok(())
    }

    /// Adds a comment to the last move, or before the first move if there is none yet.
    pub fn add_comment(&mut self, text: &str) {
        self.number = None;
        if self.skipped.is_none() {
            self.innermost().add_comment(text);
        }
    }

    /// Adds a comment before the first move.
    pub fn add_opening_comment(&mut self, text: &str) {
        add_to(&mut self.main.opening_comment, text);
    }

    /// Keeps stray text as a comment, with its fault. Returns the length charged for it.
    pub fn add_stray(&mut self, line: u64, text: &[u8], fault: PgnFault) -> usize {
        if self.skipped.is_none() {
            self.add_comment(&without_commands(text));
            let unread = UnreadPart { line, fault };
            if self.unread.last() != Some(&unread) {
                self.unread.push(unread);
            }
        }
        text.len() + FAULT_LENGTH
    }

    /// Adds a NAG to the last move, or before the first move if there is none yet.
    pub fn add_nag(&mut self, nag: u8) {
        if self.skipped.is_none() {
            self.innermost().add_nag(nag);
        }
    }
}

/// A text as a comment. Its commands are disabled, since they were about other moves.
fn without_commands(text: &[u8]) -> String {
    decode_comment(text).replace("[%", "[ %")
}
