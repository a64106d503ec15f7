//! Converts between PGN and a tree of moves. Comments keep their commands, which are shown decoded.

use std::collections::HashSet;

use serde::Serialize;

use crate::page::game_tree::{Annotation, GameTree, Node, NodeId, ROOT, TreeFull, Verdict};
use qirkat_game::Color;
use qirkat_rules::pgn::{
    DEEPEST_VARIATION, EngineNote, PgnGame, PgnMove, command_value, split_comment,
};

pub(crate) fn tree_of(game: &PgnGame) -> Result<GameTree, TreeFull> {
    let mut tree = GameTree::new(game.start);
    add_line(&mut tree, ROOT, &game.moves)?;
    if let (Some(comment), Some(root)) = (&game.opening_comment, tree.get_mut(ROOT)) {
        add_comment(&mut root.annotation, comment);
    }
    Ok(tree)
}

pub(crate) fn pgn_of(tree: &GameTree) -> PgnGame {
    let Some(root) = tree.get(ROOT) else { return PgnGame::default() };
    PgnGame {
        opening_comment: comment_text(root),
        moves: moves_after(tree, ROOT, DEEPEST_VARIATION),
        ..PgnGame::from_position(root.position)
    }
}

/// Adds moves, then their variations, below a node: its first child is its main line.
fn add_line(tree: &mut GameTree, from: NodeId, moves: &[PgnMove]) -> Result<(), TreeFull> {
    let mut before = Vec::with_capacity(moves.len());
    let mut at = from;
    for played in moves {
        before.push(at);
        at = tree.add(at, played.mv)?;
        if let Some(node) = tree.get_mut(at) {
            // A variation may begin like its parent line.
            for comment in played.starting_comment.iter().chain(&played.comment) {
                add_comment(&mut node.annotation, comment);
            }
            let nags = &mut node.annotation.nags;
            let new: Vec<u8> =
                played.nags.iter().filter(|&nag| !nags.contains(nag)).copied().collect();
            nags.extend(new);
        }
    }
    for (&before, played) in before.iter().zip(moves) {
        for variation in &played.variations {
            add_line(tree, before, variation)?;
        }
    }
    Ok(())
}

fn add_comment(known: &mut Annotation, more: &str) {
    let (notes, words) = notes_and_words(more);
    if !known.comment.is_empty() && !words.is_empty() {
        known.comment.push(' ');
    }
    known.comment.push_str(&words);
    let mut seen: HashSet<String> = known.notes.iter().cloned().collect();
    known.notes.extend(notes.into_iter().filter(|note| seen.insert(note.clone())));
}

/// The main line after a node, each move with its alternatives, down to a depth.
fn moves_after(tree: &GameTree, from: NodeId, depth: usize) -> Vec<PgnMove> {
    let mut moves = Vec::new();
    let mut at = tree.get(from);
    while let Some((first, others)) = at.and_then(|node| node.children.split_first()) {
        at = tree.get(*first);
        let Some(mut played) = at.and_then(pgn_move) else { break };
        let others = if depth > 0 { others } else { &[] };
        for &other in others {
            let mut variation: Vec<PgnMove> =
                tree.get(other).and_then(pgn_move).into_iter().collect();
            variation.extend(moves_after(tree, other, depth - 1));
            played.variations.push(variation);
        }
        moves.push(played);
    }
    moves
}

fn pgn_move(node: &Node) -> Option<PgnMove> {
    let (nags, comment) = (node.annotation.nags.clone(), comment_text(node));
    Some(PgnMove { nags, comment, ..PgnMove::from(node.mv?) })
}

fn comment_text(node: &Node) -> Option<String> {
    let Annotation { notes, comment, .. } = &node.annotation;
    Some(comment_of(notes, comment)).filter(|text| !text.is_empty())
}

const MAX_SHAPES: usize = 64;

pub(crate) fn notes_and_words(comment: &str) -> (Vec<String>, String) {
    let (commands, words) = split_comment(comment);
    let mut notes: Vec<String> = commands.into_iter().map(str::to_owned).collect();
    match EngineNote::read(&words) {
        Some((note, rest)) => {
            notes.push(note.text.to_owned());
            (notes, rest.to_owned())
        }
        None => (notes, words),
    }
}

/// A comment of notes and words, the inverse of [`notes_and_words`].
pub(crate) fn comment_of(notes: &[String], words: &str) -> String {
    // An engine's note is recognised by standing right before the words.
    let (commands, by_engine): (Vec<&str>, Vec<&str>) =
        notes.iter().map(String::as_str).partition(|note| note.starts_with("[%"));
    let mut comment = [commands, by_engine.clone()].concat().join(" ");
    if !comment.is_empty() && !words.is_empty() {
        comment.push_str(if by_engine.is_empty() { " " } else { ", " });
    }
    comment + words
}

pub(crate) fn note_clock(notes: &mut Vec<String>, command: String) {
    notes.retain(|note| command_value(note, "clk").is_none());
    notes.push(command);
}

/// Replaces the arrows and circles, each as in `Ge2e4` or `Rd5`; invalid ones are left out.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shapes: Vec<Shape>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Shape {
    from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    brush: &'static str,
}

impl NotesShown {
    pub fn hide_all_but_clocks(&mut self) {
        *self = NotesShown { clock: self.clock.take(), ..NotesShown::default() };
    }

    /// The meaning of the notes of a move by this side.
    pub fn of(notes: &[String], mover: Color) -> NotesShown {
        let mut shown = NotesShown::default();
        for note in notes {
            if let Some(verdict) = command_value(note, "eval").and_then(evaluation) {
                shown.eval = Some(verdict);
            } else if let Some(clock) = command_value(note, "clk").filter(|clock| is_clock(clock)) {
                shown.clock = Some(clock.to_owned());
            } else if let Some(shapes) = shapes(note) {
                shown.shapes.extend(shapes);
            } else {
                // Here the score is for the side that moved, not for White.
                let score = EngineNote::read(note).and_then(|(note, _)| verdict_of(&note, mover));
                shown.eval = shown.eval.or(score);
                shown.notes.push(note.clone());
            }
        }
        shown.shapes.truncate(MAX_SHAPES);
        shown
    }
}

/// The score in `[%eval ...]`: pawns, or `#` and moves to mate, for White, perhaps with the depth.
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

fn score_of(text: &str) -> Option<Verdict> {
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

/// The arrows of `[%cal Ge2e4,Rd1d5]` or the circles of `[%csl Ge4]`, if all are well formed.
fn shapes(note: &str) -> Option<Vec<Shape>> {
    let (said, points) = match command_value(note, "cal") {
        Some(said) => (said, 2),
        None => (command_value(note, "csl")?, 1),
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
    use super::*;

    use qirkat_rules::pgn::PgnReader;
    use qirkat_rules::variant::Variant;

    fn game(text: &str) -> PgnGame {
        let read = PgnReader::new(text.as_bytes()).next();
        read.expect("a game").expect("a good one").game
    }

    #[test]
    fn variations_comments_and_marks_survive_the_tree() {
        for text in [
            "1. e4 e6 2. d3 *",
            "{first} 1. e4 $1 {bold} (1. d4 $5 d7 {calm} (1... e6 2. e4) 2. b3) (1. c4) 1... e6 *",
            "1. e4 {[%clk 0:01:02] +0.26/2 0.001s, fine} 1... e6 {book} 2. d3 {[%cal Ge2e4]} *",
            "1. e4 e6 (1... d6 2. d3 (2. b3 b7) 2... d5) 2. d3 $1 $14 *",
            "1. e4 e6 (1... -- {a threat} 2. d4 (2. --) 2... --) 2. d3 *",
        ] {
            let read = game(text);
            let again = pgn_of(&tree_of(&read).expect("room"));
            assert_eq!(again.to_string(), read.to_string(), "{text}");
        }
    }

    #[test]
    fn a_variation_that_begins_like_its_line_becomes_one_with_it() {
        let read = game("1. e4 {here} (1. e4 $1 {and there} e6 (1... d6)) 1... d7 *");
        let text = pgn_of(&tree_of(&read).expect("room")).to_string();
        let moves = "1. e4 $1 {here and there} 1... d7 (1... e6) (1... d6) *";
        assert!(text.ends_with(&format!("\n\n{moves}\n\n")), "{text}");
    }

    /// A tree may be deeper than people go; nothing overflows.
    #[test]
    fn variations_within_variations_end_somewhere() {
        let fen = "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1";
        let start = Variant::default().read_fen(fen).expect("a position").position;
        let mut tree = GameTree::new(start);
        let mut at = ROOT;
        for _ in 0..2000 {
            let position = tree.get(at).expect("a node").position;
            // Pieces that go to and fro, and another move first each time.
            let moves = ["e1d1", "e9d9", "e8d8", "a1b1", "b1a1", "e9e8", "e8e9"];
            let mut legal = moves.iter().filter_map(|text| position.read_move(text).ok());
            let first = legal.next().expect("a move");
            let second = legal.next_back().expect("another");
            tree.add(at, first).expect("room");
            at = tree.add(at, second).expect("room");
        }
        let game = pgn_of(&tree);
        assert!(game.to_string().len() > 100);
    }

    fn shown(comment: &str, mover: Color) -> serde_json::Value {
        let (notes, _) = notes_and_words(comment);
        serde_json::to_value(NotesShown::of(&notes, mover)).expect("JSON")
    }

    #[test]
    fn notes_are_shown_as_what_they_mean() {
        use Color::{Black, White};
        let arrows = r#"{"shapes": [{"from": "e2", "to": "e4", "brush": "green"},
            {"from": "a1", "to": "i9", "brush": "red"}, {"from": "i9", "brush": "yellow"}]}"#;
        let unknown = r#"{"notes": ["[%cal Ge2j4]", "[%csl Xa1]", "[%emt 5]", "[%eval x]"]}"#;
        for (comment, mover, meaning) in [
            ("good", White, "{}"),
            ("book", White, r#"{"notes": ["book"]}"#),
            ("+0.26/2 1s", Black, r#"{"eval": {"cp": -26, "depth": 2}, "notes": ["+0.26/2 1s"]}"#),
            ("-M4/9 1s, so", White, r#"{"eval": {"mate": -4, "depth": 9}, "notes": ["-M4/9 1s"]}"#),
            ("[%eval 0.35,18]", Black, r#"{"eval": {"cp": 35, "depth": 18}}"#),
            ("[%eval #-3]", White, r#"{"eval": {"mate": -3, "depth": 0}}"#),
            ("[%clk 0:01:02]", White, r#"{"clock": "0:01:02"}"#),
            ("[%cal Ge2e4,Ra1i9][%csl Yi9]", White, arrows),
            ("[%cal Ge2j4] [%csl Xa1] [%emt 5] [%eval x]", White, unknown),
        ] {
            let meaning: serde_json::Value = serde_json::from_str(meaning).expect("JSON");
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
