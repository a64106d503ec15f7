//! Writes games in PGN's export format.

use std::fmt;
use std::io::{self, Write};

use qirkat_game::{Color, Rules};

use super::lexer::single_spaced;
use super::notation::Notation;
use super::pgn_game::{DEEPEST_VARIATION, MoveNumber, PgnGame, PgnMove};
use crate::variant::AnyPosition;

/// The seven tag roster, which every game has, with the values for "unknown". `Result` is the
/// seventh.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];
/// Tags derived from the other fields of a game.
const SUPPLIED: [&str; 4] = ["Result", "Variant", "SetUp", "FEN"];
/// The export format requires lines shorter than 80 characters.
const WIDTH: usize = 79;

impl PgnGame {
    /// Writes the game and a blank line.
    pub fn write_to(&self, out: &mut dyn Write, notation: Notation) -> io::Result<()> {
        write!(out, "{}", self.written_in(notation))
    }

    /// The game as text in this notation, and a blank line.
    pub fn written_in(&self, notation: Notation) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            write_tags(self, notation, f)?;
            f.write_str("\n")?;
            write_moves(self, notation, f)?;
            f.write_str("\n\n")
        })
    }
}

fn write_tags(game: &PgnGame, notation: Notation, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (name, unknown) in ROSTER {
        write_tag(f, name, game.tag(name).unwrap_or(unknown))?;
    }
    write_tag(f, "Result", game.result.text())?;
    let variant = game.start.variant();
    write_tag(f, "Variant", variant.title())?;
    // XBoard opens a file before the engine has sent it the variant's starting position.
    if game.start != variant.start() || notation == Notation::Lan {
        write_tag(f, "SetUp", "1")?;
        write_tag(f, "FEN", &game.start.fen())?;
    }
    let supplied =
        |name: &str| SUPPLIED.contains(&name) || ROSTER.iter().any(|&(known, _)| known == name);
    for (name, value) in game.tags.iter().filter(|(name, _)| !supplied(name)) {
        write_tag(f, name, value)?;
    }
    Ok(())
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    write!(f, "[{name} \"")?;
    for letter in value.chars() {
        match letter {
            '"' | '\\' => write!(f, "\\{letter}")?,
            _ if letter.is_control() => f.write_str(" ")?,
            _ => write!(f, "{letter}")?,
        }
    }
    f.write_str("\"]\n")
}

fn write_moves(game: &PgnGame, notation: Notation, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut lines = Wrapped { out: f, column: 0, opening: String::new() };
    if let Some(comment) = game.opening_comment.as_deref().and_then(comment_text) {
        lines.comment(&comment)?;
    }
    write_line(&game.moves, game.start, notation, &mut lines, 0)?;
    lines.word(game.result.text())
}

/// Writes moves with their annotations, up to the first illegal one.
fn write_line(
    moves: &[PgnMove],
    start: AnyPosition,
    notation: Notation,
    lines: &mut Wrapped<'_, '_>,
    depth: usize,
) -> fmt::Result {
    let mut position = start;
    // A number precedes White's moves and moves after an interruption.
    let mut numbered = true;
    for played in moves {
        let Some(after) = position.after_or_null(played.mv) else { break };
        if let Some(comment) = played.starting_comment.as_deref().and_then(comment_text) {
            lines.comment(&comment)?;
            numbered = true;
        }
        if numbered || position.side_to_move() == Color::White {
            lines.word(&MoveNumber::of(&position).to_string())?;
        }
        lines.word(&notation.write(&position, played.mv))?;
        for nag in &played.nags {
            lines.word(&format!("${nag}"))?;
        }
        let comment = played.comment.as_deref().and_then(comment_text);
        if let Some(comment) = &comment {
            lines.comment(comment)?;
        }
        numbered = comment.is_some();
        for variation in &played.variations {
            let first = variation.first().and_then(|first| position.after_or_null(first.mv));
            if first.is_some() && depth < DEEPEST_VARIATION {
                lines.opening.push('(');
                write_line(variation, position, notation, lines, depth + 1)?;
                lines.close_variation()?;
                numbered = true;
            }
        }
        position = after;
    }
    Ok(())
}

/// A comment on one line, if it is not empty.
fn comment_text(text: &str) -> Option<String> {
    Some(single_spaced(text)).filter(|text| !text.is_empty())
}

/// Words with single spaces between them, in lines of at most [`WIDTH`] with few exceptions.
struct Wrapped<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    column: usize,
    /// Opening brackets for the next word.
    opening: String,
}

impl Wrapped<'_, '_> {
    /// Closes a bracket after the last word, even if that makes the line too long.
    fn close_variation(&mut self) -> fmt::Result {
        self.column += 1;
        self.out.write_str(")")
    }

    fn word(&mut self, word: &str) -> fmt::Result {
        let word = &(std::mem::take(&mut self.opening) + word);
        let width = word.chars().count();
        if self.column == 0 {
            self.column = width;
        } else if self.column + 1 + width <= WIDTH || word.starts_with(['%', '[']) {
            // A `%` at the start of a line would make readers skip it, and a `[` would look like
            // the tags of another game after an unterminated comment.
            self.out.write_str(" ")?;
            self.column += 1 + width;
        } else {
            self.out.write_str("\n")?;
            self.column = width;
        }
        self.out.write_str(word)
    }

    /// Braces cannot be escaped: a comment with braces is written to the end of its line.
    fn comment(&mut self, text: &str) -> fmt::Result {
        if text.contains(['{', '}']) {
            self.word(";")?;
            self.column = 0;
            return writeln!(self.out, " {text}");
        }
        let mut words = unbroken_words(text).into_iter().peekable();
        let mut opening = "{";
        while let Some(word) = words.next() {
            let closing = if words.peek().is_none() { "}" } else { "" };
            self.word(&format!("{opening}{word}{closing}"))?;
            opening = "";
        }
        Ok(())
    }
}

const LONGEST_COMMAND: usize = 40;

/// The words of a comment. Each command such as `[%clk 0:01:02]` is one word, since not every
/// reader accepts a line break in it.
fn unbroken_words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match words.last_mut() {
            Some(open)
                if open.starts_with("[%")
                    && !open.contains(']')
                    && open.len() + word.len() < LONGEST_COMMAND =>
            {
                open.push(' ');
                open.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}
