//! The notes of a move: what its comment in PGN says besides words. They are kept as they
//! were written, so that they go out again with the game, and shown as what they mean.

use serde::Serialize;

use super::game_tree::Verdict;
use qirkat_game::Color;
use qirkat_rules::pgn::{EngineNote, parted, said_by};

/// Shapes that are drawn at most.
const MAX_SHAPES: usize = 64;

/// The notes of a comment, and its words.
pub(crate) fn notes_and_words(comment: &str) -> (Vec<String>, String) {
    let (commands, words) = parted(comment);
    let mut notes: Vec<String> = commands.into_iter().map(str::to_owned).collect();
    match EngineNote::read(&words) {
        Some((note, rest)) => {
            notes.push(note.text.to_owned());
            (notes, rest.to_owned())
        }
        None => (notes, words),
    }
}

/// A comment of notes and words, as [`notes_and_words`] reads it.
pub(crate) fn comment_of(notes: &[String], words: &str) -> String {
    // What an engine has noted is known by standing right before the words.
    let (commands, by_engine): (Vec<&str>, Vec<&str>) =
        notes.iter().map(String::as_str).partition(|note| note.starts_with("[%"));
    let mut comment = [commands, by_engine.clone()].concat().join(" ");
    if !comment.is_empty() && !words.is_empty() {
        comment.push_str(if by_engine.is_empty() { " " } else { ", " });
    }
    comment + words
}

/// Notes a clock in place of the one that was noted before.
pub(crate) fn note_clock(notes: &mut Vec<String>, command: String) {
    notes.retain(|note| said_by(note, "clk").is_none());
    notes.push(command);
}

/// Notes arrows and circles, each as in `Ge2e4` or `Rd5`, in place of those that were noted
/// before; what is none is left out.
pub(crate) fn note_shapes(notes: &mut Vec<String>, drawn: &[String]) {
    notes.retain(|note| shapes(note).is_none());
    for (command, points) in [("csl", 1), ("cal", 2)] {
        let fitting: Vec<&str> = (drawn.iter().map(String::as_str))
            .filter(|text| shape(text, points).is_some())
            .take(MAX_SHAPES)
            .collect();
        if !fitting.is_empty() {
            notes.push(format!("[%{command} {}]", fitting.join(",")));
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct NotesShown {
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<Verdict>,
    /// The time left of the side that moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<String>,
    /// Arrows and circles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shapes: Vec<Shape>,
    /// Other notes, as they are written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// An arrow, or a circle where it leads nowhere.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Shape {
    from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    brush: &'static str,
}

impl NotesShown {
    /// The meaning of the notes of a move of this side.
    pub fn of(notes: &[String], mover: Color) -> NotesShown {
        let mut shown = NotesShown::default();
        for note in notes {
            if let Some(verdict) = said_by(note, "eval").and_then(evaluation) {
                shown.eval = Some(verdict);
            } else if let Some(clock) = said_by(note, "clk").filter(|clock| is_clock(clock)) {
                shown.clock = Some(clock.to_owned());
            } else if let Some(shapes) = shapes(note) {
                shown.shapes.extend(shapes);
            } else {
                // The score stands here for the side that moved, not for White.
                let score = EngineNote::read(note).and_then(|(note, _)| verdict_of(&note, mover));
                shown.eval = shown.eval.or(score);
                shown.notes.push(note.clone());
            }
        }
        shown.shapes.truncate(MAX_SHAPES);
        shown
    }
}

/// The score of `[%eval ...]`: pawns or `#` and moves to mate, for White, perhaps with the
/// depth.
fn evaluation(said: &str) -> Option<Verdict> {
    let (score, depth) = said.split_once(',').unwrap_or((said, "0"));
    Some(Verdict { depth: depth.trim().parse().ok()?, ..score_of(score.trim())? })
}

fn verdict_of(note: &EngineNote<'_>, mover: Color) -> Option<Verdict> {
    let sign: i16 = if mover == Color::White { 1 } else { -1 };
    let Verdict { cp, mate, .. } = score_of(note.score?)?;
    Some(Verdict {
        cp: cp.map(|cp| i32::from(sign) * cp),
        mate: mate.and_then(|mate| mate.checked_mul(sign)),
        depth: i16::try_from(note.depth).ok()?,
    })
}

/// A score as `+0.26`, `#-4` or `-M4`.
fn score_of(text: &str) -> Option<Verdict> {
    /// Pawns that a score may be worth.
    const MOST: f64 = 10_000.0;
    let mate = text.replacen(['#', 'M'], "", 1);
    if mate != text {
        return Some(Verdict { cp: None, mate: Some(mate.parse().ok()?), depth: 0 });
    }
    let pawns: f64 = text.parse().ok().filter(|pawns: &f64| pawns.abs() <= MOST)?;
    Some(Verdict { cp: Some((100.0 * pawns).round() as i32), mate: None, depth: 0 })
}

fn is_clock(text: &str) -> bool {
    text.len() <= 12
        && text.contains(':')
        && text.bytes().all(|byte| byte.is_ascii_digit() || b":.".contains(&byte))
}

/// The arrows of `[%cal Ge2e4,Rd1d5]`, or the circles of `[%csl Ge4]`, if all are well
/// formed.
fn shapes(note: &str) -> Option<Vec<Shape>> {
    let (said, points) = match said_by(note, "cal") {
        Some(said) => (said, 2),
        None => (said_by(note, "csl")?, 1),
    };
    said.split(',').map(|text| shape(text.trim(), points)).collect()
}

fn shape(text: &str, points: usize) -> Option<Shape> {
    let brush = match text.chars().next()? {
        'G' => "green",
        'R' => "red",
        'Y' => "yellow",
        'B' => "blue",
        _ => return None,
    };
    let named = text.get(1..)?;
    let is_point = |point: &[u8]| matches!(point, [file, rank] if (b'a'..=b'i').contains(file) && (b'1'..=b'9').contains(rank));
    let well_formed = named.len() == 2 * points && named.as_bytes().chunks(2).all(is_point);
    well_formed.then(|| Shape {
        from: named[..2].to_owned(),
        to: named.get(2..).filter(|to| !to.is_empty()).map(str::to_owned),
        brush,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(comment: &str, mover: Color) -> serde_json::Value {
        let (notes, _) = notes_and_words(comment);
        serde_json::to_value(NotesShown::of(&notes, mover)).expect("JSON")
    }

    #[test]
    fn notes_are_shown_as_what_they_mean() {
        for (comment, mover, meaning) in [
            ("good", Color::White, json!({})),
            ("book", Color::White, json!({"notes": ["book"]})),
            (
                "+0.26/2 0.001s",
                Color::Black,
                json!({"eval": {"cp": -26, "depth": 2}, "notes": ["+0.26/2 0.001s"]}),
            ),
            (
                "-M4/9 1s, White mates",
                Color::White,
                json!({"eval": {"mate": -4, "depth": 9}, "notes": ["-M4/9 1s"]}),
            ),
            ("[%eval 0.35,18]", Color::Black, json!({"eval": {"cp": 35, "depth": 18}})),
            (
                "[%eval #-3] [%clk 0:01:02]",
                Color::White,
                json!({"eval": {"mate": -3, "depth": 0}, "clock": "0:01:02"}),
            ),
            (
                "[%cal Ge2e4,Ra1i9][%csl Yi9]",
                Color::White,
                json!({"shapes": [
                    {"from": "e2", "to": "e4", "brush": "green"},
                    {"from": "a1", "to": "i9", "brush": "red"},
                    {"from": "i9", "brush": "yellow"},
                ]}),
            ),
            (
                "[%cal Ge2j4] [%csl Xa1] [%emt 5] [%eval x]",
                Color::White,
                json!({"notes": ["[%cal Ge2j4]", "[%csl Xa1]", "[%emt 5]", "[%eval x]"]}),
            ),
        ] {
            assert_eq!(shown(comment, mover), meaning, "{comment}");
        }
    }

    #[test]
    fn nothing_of_a_comment_is_lost() {
        for comment in [
            "good",
            "book",
            "book, good",
            "[%clk 0:01:02]",
            "[%eval 0.35,18] [%clk 0:01:02] so be it",
            "[%cal Ge2e4,Rd1d5] [%csl Ye4] +0.26/2 0.001s, n=12, White mates",
        ] {
            let (notes, words) = notes_and_words(comment);
            assert_eq!(comment_of(&notes, &words), comment);
        }
        let (mut notes, words) = notes_and_words("+0.26/2 0.001s, so be it");
        note_clock(&mut notes, "[%clk 0:01:02]".to_owned());
        let drawn = ["Ge2e4", "Rd5", "Xa1", "Gz9", ""].map(str::to_owned);
        let mut shaped = notes.clone();
        for _ in 0..2 {
            note_shapes(&mut shaped, &drawn);
            assert_eq!(shaped[notes.len()..], ["[%csl Rd5]", "[%cal Ge2e4]"]);
        }
        note_shapes(&mut shaped, &[]);
        assert_eq!(shaped, notes);
        let comment = comment_of(&notes, &words);
        assert_eq!(comment, "[%clk 0:01:02] +0.26/2 0.001s, so be it");
        assert_eq!(notes_and_words(&comment).1, words);
    }
}
